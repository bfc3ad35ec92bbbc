import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAccount } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { ModelPermitStore } from '../../../test/support/model-permit-store.ts';
import type { RateLimits } from '../../domain/principal.ts';
import { EpochFenced, NO_STOCK, type PermitDraw, type PermitReply } from '../../gate/purses/ports/database.ts';
import { PostgresPermitStore, pruneRateLeases } from './permit-store.ts';

let db: TestDatabase;

beforeAll(async () => {
  db = await startTestDatabase();
});

afterAll(() => db.stop());

const UNLIMITED: RateLimits = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };

async function beginEpoch(): Promise<bigint> {
  const [row] = await db.database.query<{ id: bigint }>(
    `insert into epochs (instance_id, process_name) values ($1, 'test') returning id`,
    [randomUUID()],
  );
  return row!.id;
}

async function fence(epochId: bigint): Promise<void> {
  await db.database.query('update epochs set fenced_at = now() where id = $1', [epochId]);
}

interface Limited {
  readonly workspaceId: string;
  readonly projectId: string;
}

async function limited(limits: Partial<RateLimits>): Promise<Limited> {
  const { workspace, project } = await openAccount(db.database, { project: { ...UNLIMITED, ...limits } });
  return { workspaceId: workspace.id, projectId: project.id };
}

async function setLimits(projectId: string, { requestsPerMinute, tokensPerMinute, concurrency }: RateLimits) {
  await db.database.query(
    'update projects set requests_per_minute = $2, tokens_per_minute = $3, concurrency = $4 where id = $1',
    [projectId, requestsPerMinute, tokensPerMinute, concurrency],
  );
}

const NOTHING = {
  taken: 0,
  running: 0,
  stock: NO_STOCK,
  keep: NO_STOCK,
  returned: { requests: 0, tokens: 0 },
  needs: [],
  target: NO_STOCK,
};

const drawOf = (project: Limited, sequence: number, more: Partial<PermitDraw> = {}): PermitDraw => ({
  ...project,
  ...NOTHING,
  sequence,
  ...more,
});

const grantedOf = (reply: PermitReply | null | undefined): number =>
  (reply?.shortages ?? []).filter((shortage) => shortage === null).length;

const count = fc.nat({ max: 6 });
const stockOf = fc.record({ requests: count, tokens: fc.nat({ max: 300 }), slots: fc.nat({ max: 3 }) });
const limitsOf = fc.record({
  requestsPerMinute: fc.option(fc.integer({ min: 1, max: 40 })),
  tokensPerMinute: fc.option(fc.integer({ min: 1, max: 1_000 })),
  concurrency: fc.option(fc.integer({ min: 1, max: 8 })),
});

const step = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('limits' as const), limits: limitsOf }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fence' as const), epoch: fc.nat({ max: 2 }) }) },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('draw' as const),
      epoch: fc.nat({ max: 2 }),
      laterMs: fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: 5_000 }), fc.nat({ max: 200_000 })),
      isRepeated: fc.boolean(),
      spent: stockOf,
      keeps: fc.boolean(),
      returned: fc.record({
        requests: fc.integer({ min: -3, max: 3 }),
        tokens: fc.integer({ min: -400, max: 400 }),
      }),
      needs: fc.array(fc.nat({ max: 1_200 }), { maxLength: 4 }),
      target: stockOf,
      running: fc.nat({ max: 4 }),
    }),
  },
);

test('every draw is answered as the domain’s rules say, whatever processes do, and a repeat changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(limitsOf, fc.array(step, { minLength: 1, maxLength: 40 }), async (first, steps) => {
      let nowMs = 1_800_000_000_000;
      let sequence = 0;
      const store = new PostgresPermitStore(db.database, () => nowMs);
      const model = new ModelPermitStore(() => nowMs);
      const project = await limited(first);
      model.setLimits(project.projectId, first);
      const epochs = [await beginEpoch(), await beginEpoch(), await beginEpoch()];
      const stocks = new Map<bigint, PermitReply['stock']>();
      for (const each of steps) {
        if (each.kind === 'limits') {
          await setLimits(project.projectId, each.limits);
          model.setLimits(project.projectId, each.limits);
        } else if (each.kind === 'fence') {
          await fence(epochs[each.epoch]!);
          model.fence(epochs[each.epoch]!);
          epochs[each.epoch] = await beginEpoch();
        } else {
          nowMs += each.laterMs;
          const epoch = epochs[each.epoch]!;
          const before = stocks.get(epoch) ?? NO_STOCK;
          const stock = {
            requests: Math.max(0, before.requests - each.spent.requests),
            tokens: Math.max(0, before.tokens - each.spent.tokens),
            slots: Math.max(0, before.slots - each.spent.slots),
          };
          const keep = each.keeps && each.needs.length === 0 ? stock : NO_STOCK;
          const { returned, needs, target, running } = each;
          const draw = drawOf(project, ++sequence, { taken: 1, running, stock, keep, returned, needs, target });
          const expected = await model.drawPermits(epoch, [draw]);
          const replies = [await store.drawPermits(epoch, [draw])];
          if (each.isRepeated) {
            replies.push(await store.drawPermits(epoch, [draw]));
            expected.push(...(await model.drawPermits(epoch, [draw])));
          }
          const rounded = replies.flat().map((reply) => ({ ...reply, share: Math.round((reply?.share ?? NaN) * 1e6) }));
          expect(rounded).toEqual(expected.map((reply) => ({ ...reply, share: Math.round(reply.share * 1e6) })));
          if (each.isRepeated) expect({ ...rounded[1]! }).toEqual(rounded[0]);
          stocks.set(epoch, expected[0]!.stock);
        }
      }
      const called = await db.database.query(`select from changes where kind = 'rate' and subject_id = $1`, [
        project.projectId,
      ]);
      expect(called).toHaveLength(model.callBacks.length);
    }),
    { numRuns: 40 },
  );
});

test('processes in parallel get the limit and what is regained, all of it, and never have more running than slots', async () => {
  const project = await limited({ requestsPerMinute: 600 });
  const store = new PostgresPermitStore(db.database);
  const epochs = await Promise.all(Array.from({ length: 6 }, beginEpoch));
  const startedMs = performance.now();
  const untilMs = startedMs + 1_500;
  const times: number[] = [];
  await Promise.all(
    epochs.map(async (epoch) => {
      for (let sequence = 1; performance.now() < untilMs; sequence++) {
        const draw = drawOf(project, sequence, { needs: Array.from({ length: 20 }, () => 0) });
        const [reply] = await store.drawPermits(epoch, [draw]);
        for (let each = grantedOf(reply); each > 0; each--) times.push(performance.now());
      }
    }),
  );
  const regained = (ms: number): number => ms / 100;
  expect(times.length).toBeLessThanOrEqual(600 + regained(performance.now() - startedMs) + 1);
  expect(times.length).toBeGreaterThanOrEqual(600 + regained(1_400) - 1);
});

test('processes in parallel share the slots, whose dead owner’s come free', async () => {
  const project = await limited({ concurrency: 5 });
  const store = new PostgresPermitStore(db.database);
  const [a, b] = [await beginEpoch(), await beginEpoch()];
  const [first] = await store.drawPermits(a, [drawOf(project, 1, { needs: [0, 0, 0] })]);
  const [second] = await store.drawPermits(b, [drawOf(project, 1, { needs: [0, 0, 0] })]);
  expect([grantedOf(first), grantedOf(second)]).toEqual([3, 2]);
  expect(second?.shortages[2]).toEqual({ shortOf: 'concurrency', waitMs: 1_000 });
  await fence(a);
  const [third] = await store.drawPermits(b, [drawOf(project, 2, { running: 2, needs: [0, 0, 0] })]);
  expect(grantedOf(third)).toBe(3);
});

test('a wait for a permit is exact: a millisecond earlier it is too early', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 7_000 }),
      fc.integer({ min: 1, max: 90_000 }),
      fc.integer({ min: 1, max: 100_000 }),
      async (requestsPerMinute, tokensPerMinute, tokens) => {
        let nowMs = 1_800_000_000_123;
        const store = new PostgresPermitStore(db.database, () => nowMs);
        const epoch = await beginEpoch();
        const project = await limited({ requestsPerMinute, tokensPerMinute });
        const ask = async (sequence: number) => {
          const [reply] = await store.drawPermits(epoch, [drawOf(project, sequence, { needs: [tokens] })]);
          return reply!.shortages[0]!;
        };
        let sequence = 1;
        while ((await ask(sequence)) === null && sequence < 40) sequence++;
        const shortage = await ask(++sequence);
        fc.pre(shortage !== null);
        nowMs += shortage.waitMs - 1;
        expect(await ask(++sequence)).toMatchObject({ waitMs: 1 });
        nowMs += 1;
        expect(await ask(++sequence)).toBeNull();
      },
    ),
    { numRuns: 25 },
  );
});

test('a fenced epoch draws nothing, and what it had in stock is forgotten', async () => {
  const project = await limited({ requestsPerMinute: 1_000 });
  const store = new PostgresPermitStore(db.database);
  const epoch = await beginEpoch();
  const target = { requests: 20, tokens: 0, slots: 0 };
  const [reply] = await store.drawPermits(epoch, [drawOf(project, 1, { target })]);
  expect(reply?.stock.requests).toBe(20);
  await fence(epoch);
  await expect(store.drawPermits(epoch, [drawOf(project, 2)])).rejects.toBeInstanceOf(EpochFenced);
  const rows = () => db.database.query('select from rate_leases where epoch_id = $1', [epoch]);
  expect(await rows()).toHaveLength(1);
  await pruneRateLeases(db.database);
  expect(await rows()).toHaveLength(0);
});

test('a first draw that comes behind another draw of its epoch, which has brought stock, changes nothing', async () => {
  const project = await limited({ requestsPerMinute: 1_000 });
  const store = new PostgresPermitStore(db.database);
  const epoch = await beginEpoch();
  await store.drawPermits(epoch, [drawOf(project, 1, { target: { requests: 20, tokens: 0, slots: 0 } })]);
  const stored = () =>
    db.database.query('select sequence, requests, running from rate_leases where epoch_id = $1', [epoch]);
  const before = await stored();
  const first = `
    select * from draw_permits($1, jsonb_build_array(jsonb_build_object(
      'ordinal', 0, 'workspace_id', $2::uuid, 'project_id', $3::uuid, 'is_first', true, 'sequence', 2, 'taken', 0,
      'running', 0, 'stock_requests', 0, 'stock_tokens', 0, 'stock_slots', 0, 'keep_requests', 0, 'keep_tokens', 0,
      'keep_slots', 0, 'returned_requests', 0, 'returned_tokens', 0, 'target_requests', 5, 'target_tokens', 0,
      'target_slots', 0, 'needs', '[]'::jsonb)), null, false)`;
  expect(await db.database.query(first, [epoch, project.workspaceId, project.projectId])).toEqual([]);
  expect(await stored()).toEqual(before);
});

test('limits beyond all reason and debts beyond all reason are borne', async () => {
  const project = await limited({ requestsPerMinute: 2_147_483_647, tokensPerMinute: Number.MAX_SAFE_INTEGER });
  const store = new PostgresPermitStore(db.database);
  const epoch = await beginEpoch();
  const returned = { requests: 0, tokens: -1e15 };
  for (let sequence = 1; sequence <= 3; sequence++) {
    const [reply] = await store.drawPermits(epoch, [drawOf(project, sequence, { returned, needs: [1e12] })]);
    expect(reply?.shortages).toHaveLength(1);
  }
});

test('a project that is gone has no limits, and does not keep others from theirs', async () => {
  const gone = await limited({ requestsPerMinute: 1 });
  const project = await limited({ requestsPerMinute: 1 });
  const store = new PostgresPermitStore(db.database);
  const epoch = await beginEpoch();
  const draw = (sequence: number) => [
    drawOf(gone, sequence, { needs: [0, 0] }),
    drawOf(project, sequence, { needs: [0, 0] }),
  ];
  expect((await store.drawPermits(epoch, draw(1))).map(grantedOf)).toEqual([1, 1]);
  await db.database.query('delete from keys where project_id = $1', [gone.projectId]);
  await db.database.query('delete from projects where id = $1', [gone.projectId]);
  const [first, second] = await store.drawPermits(epoch, draw(2));
  expect(first).toMatchObject({ limits: UNLIMITED, shortages: [null, null] });
  expect(grantedOf(second)).toBe(0);
});
