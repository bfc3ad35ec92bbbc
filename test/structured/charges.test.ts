import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tenant } from '../support/tenant.ts';
import { ANSWER_COST, type Stage, startStage } from './stage.ts';

// Answers in vain are free up to a bound per project and hour; beyond it they are charged, within the hold of their
// request. So nobody runs models for nothing by a schema that nothing satisfies.

const FREE_ANSWERS = 2n;

let stage: Stage;

beforeAll(async () => {
  const perHour = Number(ANSWER_COST * FREE_ANSWERS) / 1e9;
  stage = await startStage(`structured_output: { free_per_hour: "${perHour.toFixed(9)}" }`);
});

afterAll(() => stage.program.dispose());

const NOTHING_CONFORMS = { type: 'object', not: {} };
const GOOD = '{"a":1}';

function request(schema: object, more: object = {}): object {
  const response_format = { type: 'json_schema', json_schema: { name: 'a', schema } };
  return { model: 'native', messages: [{ role: 'user', content: 'x' }], response_format, ...more };
}

async function ask(tenant: Tenant, body: object): Promise<{ status: number; body: Refused; receipt: Receipt }> {
  const response = await stage.program.chat(tenant.key, body);
  const answer = (await response.json()) as Refused;
  const receipt = await stage.receipt<Receipt>(tenant.key, response.headers.get('x-request-id') ?? '');
  return { status: response.status, body: answer, receipt };
}

interface Refused {
  readonly error: { readonly message: string; readonly details: { readonly answers: number } };
}

interface Receipt {
  readonly outcome: string;
  readonly charge_nano_usd: string;
  readonly hold_nano_usd: string;
  readonly usage: { readonly tokens: { readonly input: number; readonly output: number } };
  readonly attempts: readonly { readonly charged: object | null; readonly fault: string | null }[];
}

async function balanceOf({ workspaceId }: Tenant): Promise<bigint> {
  const shown = await stage.program.admin.showWorkspace(workspaceId);
  return BigInt(shown.balance_nano_usd);
}

test('a schema that nothing satisfies buys no more free answers than the bound, streamed or not', async () => {
  const tenant = await stage.program.createTenant({ credit: '1' });
  stage.answer(() => GOOD);
  const first = await ask(tenant, request(NOTHING_CONFORMS));
  expect(first).toMatchObject({
    status: 502,
    body: { error: { details: { answers: 3 }, message: expect.stringContaining('0.00004 USD were charged') } },
    receipt: {
      outcome: 'failed',
      charge_nano_usd: String(ANSWER_COST),
      usage: { tokens: { input: 20, output: 10 } },
      attempts: [{ charged: null }, { charged: null }, { charged: { tokens: { input: 20, output: 10 } } }],
    },
  });
  const second = await ask(tenant, request(NOTHING_CONFORMS));
  expect(second.receipt).toMatchObject({ outcome: 'failed', charge_nano_usd: String(3n * ANSWER_COST) });
  const streamed = await stage.program.chat(tenant.key, request(NOTHING_CONFORMS, { stream: true }));
  expect(streamed.status).toBe(502);
  await expect.poll(() => balanceOf(tenant), { timeout: 15_000 }).toBe(1_000_000_000n - 7n * ANSWER_COST);
});

test('an answer that conforms is charged with those before it that did not conform and were not free', async () => {
  const tenant = await stage.program.createTenant({ credit: '1' });
  const schema = { type: 'object', required: ['a'] };
  const inTurn = (): void => {
    let turn = 0;
    stage.answer(() => (turn++ === 0 ? '{}' : GOOD));
  };
  for (const charge of [1n, 1n, 2n]) {
    inTurn();
    const { status, receipt } = await ask(tenant, request(schema));
    expect([status, receipt.charge_nano_usd]).toEqual([200, String(charge * ANSWER_COST)]);
    expect(BigInt(receipt.charge_nano_usd)).toBeLessThanOrEqual(BigInt(receipt.hold_nano_usd));
  }
});

test('nothing more is asked once the hold would not cover it', async () => {
  const tenant = await stage.program.createTenant({ credit: '1' });
  stage.answer(() => GOOD, { prompt_tokens: 3_000, completion_tokens: 4_000 });
  const { status, body, receipt } = await ask(tenant, request(NOTHING_CONFORMS));
  expect([status, body.error.details.answers]).toEqual([502, 1]);
  const charge = BigInt(receipt.charge_nano_usd);
  expect(charge).toBe(3_000n * 1_000n + 4_000n * 2_000n);
  expect(charge).toBeLessThanOrEqual(BigInt(receipt.hold_nano_usd));
});

test('answers that are free are counted for each project by itself, and all of them are proven by the ledger', async () => {
  const tenant = await stage.program.createTenant({ credit: '1' });
  stage.answer(() => GOOD);
  const { receipt } = await ask(tenant, request(NOTHING_CONFORMS));
  expect(receipt.charge_nano_usd).toBe(String(ANSWER_COST));
  expect(await stage.program.admin.verifyLedger()).toMatchObject({ ok: true });
});
