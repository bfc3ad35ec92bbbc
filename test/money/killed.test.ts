import { setTimeout as delay } from 'node:timers/promises';
import { verifyLedger } from '../support/verify-ledger.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/program/database/pool.ts';
import { type MockUpstream, startMockUpstream } from '../support/aimock.ts';
import { type Program, startProgram } from '../support/program.ts';
import type { Tenant } from '../support/tenant.ts';

// The program is killed with requests in flight, again and again. The clients' own logs and the upstream's are the
// oracle: what a client saw in full has its receipt, and no receipt is without an upstream call.

const ROUNDS = 4;
const CLIENTS = 64;
const IN_FLIGHT_MIN = 50;
/** Enough requests before each kill that some are whole and many are not. */
const WHOLE_MIN = 20;

let upstream: MockUpstream;
let program: Program;
let tenant: Tenant;
const seenWhole = new Set<string>();
let sent = 0;

beforeAll(async () => {
  upstream = await startMockUpstream({ answerDelayMs: 30, chunkDelayMs: 5 });
  program = await startProgram({
    beside: [upstream],
    config: `
providers:
  mock: { kind: openai, base_url: "${upstream.baseUrl}" }
models:
  - id: small-chat
    routes: [{ provider: mock, model: gpt }]
    price: { input: "0.25", output: "2.00" }
    context_window: 128000
    max_output: 16384
`,
  });
  tenant = await program.createTenant({ credit: '100' });
});

afterAll(() => program.dispose());

interface Load {
  inFlight: number;
  whole: number;
  stopped: boolean;
}

async function client(load: Load, round: Program): Promise<void> {
  while (!load.stopped) {
    sent += 1;
    const name = `request-${sent}`;
    const stream = sent % 2 === 0;
    load.inFlight += 1;
    try {
      const response = await round.chat(
        tenant.key,
        { model: 'small-chat', max_tokens: 100, stream, messages: [{ role: 'user', content: name }] },
        {
          headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json', 'x-request-id': name },
        },
      );
      const text = await response.text();
      if (response.status === 200 && (!stream || text.endsWith('data: [DONE]\n\n'))) {
        seenWhole.add(name);
        load.whole += 1;
      }
    } catch {
      // The program was killed under this request: it has no answer, so it promises nothing.
    } finally {
      load.inFlight -= 1;
    }
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(2);
}

async function inDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  return await work(await program.openDatabase());
}

async function receiptNames(database: Database): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `select client_request_id as name from receipts where outcome <> 'failed' and client_request_id is not null`,
  );
  return rows.map((row) => row.name);
}

test(
  `after each of ${ROUNDS} kills the ledger is whole, and the workspace spends again immediately`,
  { timeout: 300_000 },
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const load: Load = { inFlight: 0, whole: 0, stopped: false };
      const running = program;
      const clients = Array.from({ length: CLIENTS }, () => client(load, running));
      await until(() => load.whole >= WHOLE_MIN && load.inFlight >= IN_FLIGHT_MIN);

      // Every other round the database survives its gateway, and must not be in the next one's way.
      if (round % 2 === 0) process.kill(await program.postmasterPid(), 'SIGKILL');
      await program.signal('SIGKILL');
      load.stopped = true;
      await Promise.all(clients);

      program = await program.restart();
      const first = await program.chat(tenant.key, {
        model: 'small-chat',
        messages: [{ role: 'user', content: 'after the restart' }],
      });
      expect(first.status).toBe(200);
      await first.text();
      expect(await inDatabase(verifyLedger)).toMatchObject({ ok: true, differences: [] });
    }

    const receipts = await inDatabase(receiptNames);
    const withReceipt = new Set(receipts);
    expect(receipts).toHaveLength(withReceipt.size);
    expect([...seenWhole].filter((name) => !withReceipt.has(name))).toEqual([]);
    const called = new Set(
      upstream.requests().map(({ body }) => (body['messages'] as { content: string }[]).at(-1)?.content),
    );
    expect(receipts.filter((name) => !called.has(name))).toEqual([]);
    expect(seenWhole.size).toBeGreaterThanOrEqual(ROUNDS * WHOLE_MIN);
  },
);
