import { expect, test, vi } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import type { KeptResponse } from '../../gate/gateway/response-store.ts';
import { DatabaseUnavailable, SqlFault, type SqlValue } from '../../lib/sql.ts';
import { ResponseKeeper } from './response-keeper.ts';

const MIB = 2 ** 20;
const LIMITS = { keepMs: 1_000, bytesMax: 1_000 };

const KEYRING = {
  present: () => Promise.resolve({ id: '0193a7a0-0000-7000-8000-000000000001', bytes: Buffer.alloc(32) }),
};

/** A keeper on a database that does as it is told. */
function startKeeper(write: (count: number, bytes: number) => Promise<void>) {
  const clock = new ManualClock();
  const lost: { requestId: string; reason: string }[] = [];
  const batches: number[] = [];
  const query = async (_text: string, values: readonly SqlValue[] = []): Promise<[]> => {
    const count = String(values[3]).split(',').length;
    batches.push(count);
    await write(count, Buffer.isBuffer(values[7]) ? values[7].length : 0);
    return [];
  };
  const onLost = (requestId: string, reason: unknown): void =>
    void lost.push({ requestId, reason: reason instanceof Error ? reason.message : String(reason) });
  const keeper = new ResponseKeeper({ sql: { query } as never, keyring: KEYRING, clock, turns: clock, onLost });
  return { keeper, clock, lost, batches };
}

function response(requestId: string, bytes = 10, workspaceId = 'w'): KeptResponse {
  const whole = Buffer.alloc(bytes);
  const entry = { responseId: requestId, input: [], output: Buffer.alloc(0), outputItems: [], response: whole };
  return { workspaceId, requestId, previousRequestId: null, goesOnFrom: [], entry };
}

test('responses that come in while one batch is written are the next one', async () => {
  const gate = Promise.withResolvers<void>();
  const { keeper, clock, batches, lost } = startKeeper(() => gate.promise);
  const first = keeper.keep(response('1'), LIMITS);
  await clock.advance(0);
  const others = ['2', '3', '4'].map((id) => keeper.keep(response(id), LIMITS));
  await clock.advance(0);
  gate.resolve();
  await Promise.all([first, ...others]);
  expect([batches, lost]).toEqual([[1, 3], []]);
});

test('responses that are too much for one statement together are written one after the other', async () => {
  const gate = Promise.withResolvers<void>();
  const { keeper, clock, batches, lost } = startKeeper(() => gate.promise);
  const kept = [keeper.keep(response('1'), LIMITS)];
  await clock.advance(0);
  for (const workspace of ['a', 'b', 'c']) kept.push(keeper.keep(response(workspace, 600_000, workspace), LIMITS));
  gate.resolve();
  await clock.advance(0);
  await Promise.all(kept);
  expect([batches, lost]).toEqual([[1, 1, 1, 1], []]);
});

test('a batch whose outcome is unknown is sent again', async () => {
  let fails = 2;
  const { keeper, clock, batches, lost } = startKeeper(() =>
    fails-- > 0 ? Promise.reject(new DatabaseUnavailable('away')) : Promise.resolve(),
  );
  const kept = keeper.keep(response('1'), LIMITS);
  await clock.advance(1_000);
  await kept;
  expect([batches, lost]).toEqual([[1, 1, 1], []]);
});

test('an answer waits five seconds at most for a database that is away, and its response is lost', async () => {
  const { keeper, clock, lost } = startKeeper(() => Promise.reject(new DatabaseUnavailable('away')));
  let isOver = false;
  const kept = keeper.keep(response('1'), LIMITS).then(() => (isOver = true));
  await clock.advance(4_999);
  expect(isOver).toBe(false);
  await clock.advance(1);
  await kept;
  expect(lost).toEqual([{ requestId: '1', reason: expect.stringContaining('in time') }]);
});

test('no more than 64 MiB wait, and room is made by what was written or lost', async () => {
  const gate = Promise.withResolvers<void>();
  const { keeper, clock, lost, batches } = startKeeper(() => gate.promise);
  const waiting = [keeper.keep(response('1', 40 * MIB), LIMITS), keeper.keep(response('2', 20 * MIB, 'v'), LIMITS)];
  await keeper.keep(response('3', 10 * MIB, 'u'), LIMITS);
  expect(lost).toEqual([{ requestId: '3', reason: expect.stringContaining('too many bytes') }]);
  await clock.advance(5_000);
  await Promise.all(waiting);
  expect(lost.map(({ requestId }) => requestId)).toEqual(['3', '1', '2']);
  // A long one is encrypted in turns of the event loop.
  await vi.waitFor(() => expect(batches).toHaveLength(1), { timeout: 10_000 });
  gate.resolve();
  await clock.advance(1_000);
  await keeper.keep(response('4', 60 * MIB), LIMITS);
  expect(lost.length).toBe(3);
});

test('what the database rejects is lost immediately, and the next batch is not affected', async () => {
  let rejects = true;
  const { keeper, lost } = startKeeper(() =>
    rejects ? Promise.reject(new SqlFault('no', '22021', null)) : Promise.resolve(),
  );
  await keeper.keep(response('1'), LIMITS);
  rejects = false;
  await keeper.keep(response('2'), LIMITS);
  expect(lost).toEqual([{ requestId: '1', reason: 'no' }]);
});

test('a workspace has no more than 16 MiB waiting beside a single response, and leaves the rest to others', async () => {
  const gate = Promise.withResolvers<void>();
  const { keeper, clock, lost } = startKeeper(() => gate.promise);
  const waiting = [keeper.keep(response('1', 8 * MIB), LIMITS), keeper.keep(response('2', 8 * MIB), LIMITS)];
  expect(await keeper.keep(response('3', 1), LIMITS)).toBe(false);
  waiting.push(keeper.keep(response('4', 30 * MIB, 'v'), LIMITS));
  expect(await keeper.keep(response('5', 1, 'v'), LIMITS)).toBe(false);
  gate.resolve();
  await clock.advance(0);
  expect(await Promise.all(waiting)).toEqual([true, true, true]);
  expect(lost.map(({ requestId }) => requestId)).toEqual(['3', '5']);
  expect(await keeper.keep(response('6', 1, 'v'), LIMITS)).toBe(true);
});

test('responses of a workspace wait for none of another one’s large responses, nor for its many small ones', async () => {
  // A database that takes a millisecond for a batch, and one for each 64 KiB.
  const { keeper, clock, lost } = startKeeper(
    (_count, bytes) => new Promise((resolve) => void clock.after(1 + bytes / 65_536, resolve)),
  );
  const startMs = clock.monotonicMs();
  const tookMs = new Map<string, number>();
  const keep = (id: string, bytes: number, workspace: string) =>
    void keeper.keep(response(id, bytes, workspace), LIMITS).then(() => tookMs.set(id, clock.monotonicMs() - startMs));
  for (let at = 0; at < 2; at++) keep(`large ${at}`, 8 * MIB, 'greedy');
  for (let at = 0; at < 1_000; at++) keep(`many ${at}`, 16_384, 'busy');
  for (let at = 0; at < 20; at++) keep(`small ${at}`, 5_000, `modest ${at % 4}`);
  keep('other large', 2 * MIB, 'rare');
  await clock.advance(0);
  for (let ms = 0; ms < 1_000; ms++) await clock.advance(1);
  expect(lost).toEqual([]);
  expect(tookMs.size).toBe(1_023);
  const worst = (kind: string) => Math.max(...[...tookMs].flatMap(([id, ms]) => (id.startsWith(kind) ? [ms] : [])));
  expect(worst('small')).toBeLessThan(40);
  // Behind one of the greedy workspace's, and not behind both.
  expect(worst('other large')).toBeLessThan(worst('large'));
});

test('a workspace is full for five seconds after a response has found no room, or until it has deleted one', async () => {
  const clock = new ManualClock();
  const query = async (_text: string, values: readonly SqlValue[] = []) => [
    { refused: String(values[3]).slice(1, -1) },
  ];
  const keeper = new ResponseKeeper({
    sql: { query } as never,
    keyring: KEYRING,
    clock,
    turns: clock,
    onLost: () => undefined,
  });
  const isFull = (limits = LIMITS) => keeper.isFull('w', limits);
  expect([await keeper.keep(response('1'), LIMITS), isFull(), isFull({ ...LIMITS })]).toEqual([false, true, false]);
  await clock.advance(4_999);
  expect([isFull(), keeper.isFull('v', LIMITS)]).toEqual([true, false]);
  await clock.advance(1);
  expect(isFull()).toBe(false);
  await keeper.keep(response('2'), LIMITS);
  keeper.madeRoom('w');
  expect(isFull()).toBe(false);
});
