import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MockUpstream, startMockUpstream } from '../support/aimock.ts';
import { outputPricedConfig } from '../support/output-priced.ts';
import { type Program, startProgram } from '../support/program.ts';
import type { Tenant } from '../support/tenant.ts';

// Many requests at once against little money: exactly as many succeed as the money allows, whatever the order.

const PARALLEL = 200;
const CAP = 1_000;
const NANO_PER_TOKEN = 2_000n;
const HOLD = BigInt(CAP) * NANO_PER_TOKEN;
const CREDIT_USD = '0.074';
const CREDIT = 74_000_000n;

let used = CAP;
let upstream: MockUpstream;
let program: Program;

beforeAll(async () => {
  upstream = await startMockUpstream({
    answerDelayMs: 20,
    usage: () => ({ prompt_tokens: 0, completion_tokens: used }),
  });
  program = await startProgram({
    beside: [upstream],
    // Patient, so that a busy machine changes no verdict.
    config: outputPricedConfig(upstream, 'timeouts: { hold_wait: 20s }'),
  });
});

afterAll(() => program.dispose());

async function storm(tenant: Tenant, stream: boolean): Promise<Response[]> {
  const body = { model: 'output-priced', max_tokens: CAP, stream, messages: [{ role: 'user', content: 'hi' }] };
  const responses = await Promise.all(Array.from({ length: PARALLEL }, () => program.chat(tenant.key, body)));
  await Promise.all(responses.map((response) => response.clone().text()));
  return responses;
}

async function balanceOf(tenant: Tenant): Promise<bigint> {
  const shown = await program.admin.showWorkspace(tenant.workspaceId);
  return BigInt(shown.balance_nano_usd);
}

const cases = [
  { name: 'the charge is the whole hold', tokens: CAP },
  { name: 'the charge is less than the hold', tokens: 300 },
];

for (const { name, tokens } of cases) {
  for (const stream of [false, true]) {
    test(`when ${name}, ${PARALLEL} parallel ${stream ? 'streams' : 'calls'} spend all the money allows and no more`, async () => {
      used = tokens;
      const charge = BigInt(tokens) * NANO_PER_TOKEN;
      const tenant = await program.createTenant({ credit: CREDIT_USD });

      const responses = await storm(tenant, stream);

      const succeeded = responses.filter((response) => response.status === 200);
      const refused = responses.filter((response) => response.status === 402);
      const most = Number((CREDIT - HOLD) / charge) + 1;
      expect(succeeded).toHaveLength(most);
      expect(refused).toHaveLength(PARALLEL - most);
      const balance = await balanceOf(tenant);
      expect(balance).toBe(CREDIT - charge * BigInt(most));
      expect(balance).toBeGreaterThanOrEqual(0n);
      const refusal = (await refused[0]?.json()) as { error: { code: string; details: { transient: boolean } } };
      expect(refusal.error.code).toBe('INSUFFICIENT_BALANCE');
      expect(refusal.error.details.transient).toBe(false);
      expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
    });
  }
}
