import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MockUpstream, startMockUpstream } from '../support/aimock.ts';
import { addCell, startCell } from '../support/cells.ts';
import { until } from '../support/eventually.ts';
import { printFigure } from '../support/figures.ts';
import { outputPricedConfig } from '../support/output-priced.ts';
import type { Program } from '../support/program.ts';
import type { Tenant } from '../support/tenant.ts';

// Workspaces move between two started cells, each with a database of its own, while callers send requests.

let upstream: MockUpstream;
let zero: Program;
let one: Program;
const PATIENT = 300_000;
const CREDIT = 10_000_000_000n;

beforeAll(async () => {
  upstream = await startMockUpstream({ answerDelayMs: 5 });
  [zero, one] = (await Promise.all(['00', '01'].map((shard) => startCell(shard, outputPricedConfig(upstream))))) as [
    Program,
    Program,
  ];
  await Promise.all([addCell(zero, '01', one), addCell(one, '00', zero)]);
}, PATIENT);
afterAll(async () => {
  await Promise.all([zero.dispose(), one.dispose()]);
  await upstream.stop();
});

const CHAT = { model: 'output-priced', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] };
/** A request in each dialect. */
const REQUESTS: readonly (readonly [string, object])[] = [
  ['/v1/chat/completions', CHAT],
  ['/v1/chat/completions', { ...CHAT, stream: true }],
  ['/v1/messages', CHAT],
  ['/v1/responses', { model: 'output-priced', max_output_tokens: 16, input: 'hi', store: false }],
];

interface Answered {
  readonly path: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
  readonly atMs: number;
}

/** Requests of all dialects at one cell, one after the other in each, until it ends. */
class Load {
  readonly answers: Answered[] = [];
  readonly #url: string;
  readonly #key: string;
  readonly #running: Promise<unknown>;
  #isOver = false;

  constructor({ url }: Program, key: string) {
    this.#url = url;
    this.#key = key;
    this.#running = Promise.all(REQUESTS.map((request) => this.#send(request)));
  }

  async #send([path, body]: (typeof REQUESTS)[number]): Promise<void> {
    while (!this.#isOver) {
      const headers = { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' };
      const sent = await fetch(`${this.#url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      const text = await sent.text();
      const retryAfter = sent.headers.get('retry-after');
      this.answers.push({ path, status: sent.status, retryAfter, text, atMs: performance.now() });
      await delay(sent.ok ? 0 : 10);
    }
  }

  async end(): Promise<readonly Answered[]> {
    this.#isOver = true;
    await this.#running;
    return this.answers;
  }
}

async function toEnd(
  cell: Program,
  { workspaceId }: Tenant,
): Promise<Awaited<ReturnType<Program['admin']['showMove']>>> {
  await until(async () => /^(ended|returned)$/.test((await cell.admin.showMove(workspaceId)).state));
  return await cell.admin.showMove(workspaceId);
}

/** The charges of all receipts of the workspace, and its balance, in the cell in which it lives. */
async function standingIn(cell: Program, { workspaceId }: Tenant): Promise<{ charges: bigint; balance: bigint }> {
  const sql = await cell.openDatabase();
  const [row] = await sql.query<{ charges: string }>(
    'select coalesce(sum(charge_nano_usd), 0)::text as charges from receipts where workspace_id = $1',
    [workspaceId],
  );
  const { balance_nano_usd: balance } = await cell.admin.showWorkspace(workspaceId);
  return { charges: BigInt(row?.charges ?? '0'), balance: BigInt(balance) };
}

async function proven(...of: readonly Program[]): Promise<void> {
  for (const cell of of) expect(await cell.json('ledger', 'verify')).toMatchObject({ ok: true });
}

test(
  'requests of all dialects fail in the pause alone, with 503 and a time to try again',
  async () => {
    const tenant = await zero.createTenant({ credit: '10' });
    const load = new Load(zero, tenant.key);
    await until(() => load.answers.length > 20);
    await zero.admin.moveWorkspace(tenant.workspaceId, { to: '01' });
    const move = await toEnd(zero, tenant);
    expect(move).toMatchObject({ state: 'ended', problem: null });
    const before = load.answers.length;
    // The old cell forwards them now.
    await until(() => load.answers.slice(before).filter(({ status }) => status === 200).length > 20);
    const answers = await load.end();
    const refused = answers.filter(({ status }) => status !== 200);
    for (const { status, retryAfter } of refused) {
      expect({ status, waits: Number(retryAfter) > 0 }).toEqual({ status: 503, waits: true });
    }
    const { charges, balance } = await standingIn(one, tenant);
    expect(balance).toBe(CREDIT - charges);
    await proven(zero, one);
    const firstMs = refused.at(0)?.atMs ?? 0;
    const againMs = answers.find(({ status, atMs }) => status === 200 && atMs > (refused.at(-1)?.atMs ?? 0))?.atMs ?? 0;
    printFigure('from the first refusal to the first answer after it', againMs - firstMs, 'ms');
  },
  PATIENT,
);

test(
  'a workspace that comes straight back has budgets and limits that are spent by its charges alone',
  async () => {
    const settings = {
      credit: '10',
      project: { budget_usd: '5', end_user_limit_usd: '2' },
      key: { spend_limit_usd: '4' },
    };
    const tenant = await zero.createTenant(settings);
    for (const [from, to, shard] of [
      [zero, one, '01'],
      [one, zero, '00'],
      [zero, one, '01'],
    ] as const) {
      const asked = await Promise.all(
        ['alice', 'bob', 'alice'].map((user) => from.chat(tenant.key, { ...CHAT, user })),
      );
      expect(asked.map(({ status }) => status)).toEqual([200, 200, 200]);
      await from.admin.moveWorkspace(tenant.workspaceId, { to: shard });
      expect(await toEnd(from, tenant)).toMatchObject({ state: 'ended', problem: null });
      await proven(zero, one);
      const { charges } = await standingIn(to, tenant);
      const { used_nano_usd: used } = await to.admin.showKey(tenant.keyId);
      expect(used).toBe(charges.toString());
    }
  },
  PATIENT,
);

test(
  'a source that is killed at each step goes on when it starts again',
  async () => {
    for (const step of ['copying', 'paused', 'moved'] as const) {
      const tenant = await zero.createTenant({ credit: '10' });
      expect((await zero.chat(tenant.key, CHAT)).status).toBe(200);
      await zero.admin.moveWorkspace(tenant.workspaceId, { to: '01' });
      const sql = await zero.openDatabase();
      await until(async () => {
        const [row] = await sql.query<{ state: string }>('select state from workspace_moves where workspace_id = $1', [
          tenant.workspaceId,
        ]);
        return row?.state === step || row?.state === 'moved' || row?.state === 'ended';
      });
      await zero.signal('SIGKILL');
      zero = await zero.restart();
      const { state } = await toEnd(zero, tenant);
      const home = state === 'ended' ? one : zero;
      const { charges, balance } = await standingIn(home, tenant);
      expect({ step, state, balance }).toEqual({ step, state: 'ended', balance: CREDIT - charges });
      await proven(zero, one);
    }
  },
  PATIENT,
);

test(
  'a target that is killed at each step leaves one live copy, here or there',
  async () => {
    for (const step of ['arriving', 'landed'] as const) {
      const tenant = await zero.createTenant({ credit: '10' });
      expect((await zero.chat(tenant.key, CHAT)).status).toBe(200);
      const sql = await one.openDatabase();
      await zero.admin.moveWorkspace(tenant.workspaceId, { to: '01' });
      await until(async () => {
        const [row] = await sql.query<{ state: string }>('select state from arrivals where workspace_id = $1', [
          tenant.workspaceId,
        ]);
        return row?.state === step || row?.state === 'landed' || row?.state === 'open';
      });
      await one.signal('SIGKILL');
      one = await one.restart();
      await addCell(zero, '01', one);
      const { state } = await toEnd(zero, tenant);
      const { charges, balance } = await standingIn(state === 'ended' ? one : zero, tenant);
      expect({ step, balance }).toEqual({ step, balance: CREDIT - charges });
      await proven(zero, one);
    }
  },
  PATIENT,
);
