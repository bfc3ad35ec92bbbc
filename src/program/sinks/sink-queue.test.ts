import { beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import type { Redaction, SinkFate, SinkRecord } from '../../domain/sinks.ts';
import type { Delivery, SinkBatch } from './sink-batch.ts';
import { SinkQueue, type WaitingRecord } from './sink-queue.ts';

const QUEUE_BYTES = 100_000;
const [ONE, OTHER] = ['one', 'other'];
const DONE: Delivery = { ok: true, unreadable: 0 };
const FAILED: Delivery = { ok: false, reason: 'no space left', isFinal: false };

let clock: ManualClock;
let queue: SinkQueue;
let batches: SinkBatch[];
let counts: Partial<Record<SinkFate, number>>;
let lost: Record<string, number>;
let settings: Map<string, { records: readonly SinkRecord[]; redact: readonly Redaction[] }>;
let answer: () => Delivery | Promise<Delivery>;

beforeEach(() => {
  clock = new ManualClock();
  [batches, counts, lost, answer] = [[], {}, {}, () => DONE];
  const setting = { records: ['content', 'refusals'] as const, redact: [] };
  settings = new Map([ONE, OTHER].map((workspaceId) => [workspaceId, setting]));
  queue = new SinkQueue({
    sink: { name: 'archive', deliverEveryMs: 1_000, queueBytesMax: QUEUE_BYTES },
    clock,
    delivery: {
      deliver: async (batch) => {
        batches.push(batch);
        return await answer();
      },
    },
    settingOf: (workspaceId) => settings.get(workspaceId) ?? null,
    counted: (fate, records) => (counts[fate] = (counts[fate] ?? 0) + records),
    onLoss: (workspaceId, records) => (lost[workspaceId] = (lost[workspaceId] ?? 0) + records),
    onFault: () => undefined,
  });
});

/** Adds a record, or counts it as lost, as the path does. */
function add(workspaceId: string, line: string, bytes = 100, kind: WaitingRecord['kind'] = 'content'): void {
  if (queue.take(workspaceId, bytes)) queue.push(workspaceId, { kind, bytes, make: () => line });
  else queue.lose(workspaceId, 'queue_full', 1);
}

const delivered = (): readonly unknown[] => batches.flatMap(({ records }) => records);

test('records are gathered, delivered by workspace, and their memory is given back', async () => {
  add(ONE, 'a');
  add(OTHER, 'b');
  add(ONE, 'c');
  await clock.advance(999);
  expect(batches).toEqual([]);
  await clock.advance(1);
  expect(batches).toMatchObject([
    { workspaceId: ONE, records: ['a', 'c'], lost: null },
    { workspaceId: OTHER, records: ['b'], lost: null },
  ]);
  expect(queue.waitingBytes).toBe(0);
  expect(counts).toEqual({ delivered: 3 });
});

test('a workspace takes up at most half of the queue, and what is dropped is in its next batch', async () => {
  for (let at = 0; at < 8; at++) add(ONE, `${at}`, 10_000);
  add(OTHER, 'b', 50_000);
  expect(lost).toEqual({ [ONE]: 3 });
  await clock.advance(1_000);
  expect(batches).toMatchObject([
    { workspaceId: ONE, records: ['0', '1', '2', '3', '4'], lost: { records: { queue_full: 3 } } },
    { workspaceId: OTHER, records: ['b'], lost: null },
  ]);
  expect(counts).toEqual({ queue_full: 3, delivered: 6 });
  await clock.advance(10_000);
  expect(batches).toHaveLength(2);
});

test('a sink that fails rests longer each time, gets the same batch again, and later ones after it', async () => {
  answer = () => FAILED;
  add(ONE, 'a');
  await clock.advance(1_000);
  add(ONE, 'b');
  await clock.advance(1_000 + 2_000 + 4_000);
  expect(batches.map(({ number }) => number)).toEqual([0, 0, 0, 0]);
  answer = () => DONE;
  await clock.advance(8_000);
  expect(batches.slice(4)).toMatchObject([
    { number: 0, records: ['a'] },
    { number: 1, records: ['b'] },
  ]);
  expect(counts).toEqual({ delivered: 2 });
});

test('a batch that the sink will never take is dropped and counted, and does not hold the next one', async () => {
  answer = () => ({ ok: false, reason: 'too large', isFinal: true });
  add(ONE, 'a');
  await clock.advance(1_000);
  answer = () => DONE;
  add(ONE, 'b');
  await clock.advance(1_000);
  expect(batches.at(-1)).toMatchObject({ records: ['b'], lost: { records: { not_delivered: 1 } } });
  expect(counts).toEqual({ not_delivered: 1, delivered: 1 });
  expect(queue.waitingBytes).toBe(0);
});

test('a batch that has failed for ten minutes is dropped, so that none is tried for ever', async () => {
  answer = () => FAILED;
  add(ONE, 'a');
  await clock.advance(640_000);
  expect(counts).toEqual({ not_delivered: 1 });
});

test('while a sink hangs, records are taken without waiting until the queue is full', async () => {
  answer = () => new Promise<never>(() => undefined);
  add(ONE, 'a', 10_000);
  await clock.advance(1_000);
  for (let at = 0; at < 10; at++) add(ONE, `${at}`, 10_000);
  expect(queue.waitingBytes).toBe(50_000);
  expect(counts).toEqual({ queue_full: 6 });
  expect(batches).toHaveLength(1);
});

test('what waits when a workspace ends its delivery is not delivered, nor counted as lost', async () => {
  add(ONE, 'a');
  add(ONE, 'r', 100, 'refusals');
  add(OTHER, 'b');
  settings.set(ONE, { records: ['refusals'], redact: [] });
  settings.delete(OTHER);
  await clock.advance(1_000);
  expect(delivered()).toEqual(['r']);
  expect(counts).toEqual({ switched_off: 2, delivered: 1 });
  expect([lost, queue.waitingBytes]).toEqual([{}, 0]);
});

test('a stop delivers what waits, and counts what a hanging sink has not taken in time', async () => {
  add(ONE, 'a');
  await queue.stop(1_000);
  expect(delivered()).toEqual(['a']);
  expect(queue.take(ONE, 1)).toBe(false);
});

test('of a sink that hangs at a stop, all that waits counts as lost', async () => {
  answer = () => new Promise<never>(() => undefined);
  add(ONE, 'a');
  add(OTHER, 'b');
  const stopped = queue.stop(1_000);
  await clock.advance(1_000);
  await stopped;
  expect(counts).toEqual({ stopped: 2 });
  expect(lost).toEqual({ [ONE]: 1, [OTHER]: 1 });
});
