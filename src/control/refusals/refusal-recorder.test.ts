import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { principalOf, refusedRequest } from '../../../test/support/refused-requests.ts';
import type { Principal } from '../../domain/principal.ts';
import { refuse } from '../../domain/refusals.ts';
import { RECORDED_PER_MINUTE, type RefusalBatch, RefusalRecorder } from './refusal-recorder.ts';

function caller(): Principal {
  const [workspace, project, key] = [{ id: randomUUID() }, { id: randomUUID() }, { id: randomUUID() }];
  return principalOf({ workspace, project, key } as Parameters<typeof principalOf>[0]);
}

/** A recorder, what it has written, and what its writes do. */
function openRecorder(answer: () => Promise<void> = () => Promise.resolve()) {
  const clock = new ManualClock();
  const batches: RefusalBatch[] = [];
  const faults: unknown[] = [];
  const recorder = new RefusalRecorder({
    clock,
    write: (batch) => {
      batches.push(batch);
      return answer();
    },
    onFault: (fault) => faults.push(fault),
  });
  recorder.start();
  return { clock, recorder, batches, faults, records: () => batches.flatMap((batch) => batch.records) };
}

test('a refusal of a known caller is written within a second, one of an unknown caller never', async () => {
  const { recorder, clock, records, batches } = openRecorder();
  const request = refusedRequest(caller());
  recorder.refused(request);
  recorder.refused(refusedRequest(null));

  expect(batches).toEqual([]);
  await clock.advance(1_000);

  expect(records().map(({ requestId }) => requestId)).toEqual([request.requestId]);
  expect(recorder.unrecorded).toBe(0);
  await clock.advance(5_000);
  expect(batches).toHaveLength(1);
});

test('a flood of one code is sampled and counted, and hides no other code and no other workspace', async () => {
  const { recorder, clock, records, batches } = openRecorder();
  const [loud, quiet] = [caller(), caller()];
  for (let n = 0; n < 50_000; n++) {
    recorder.refused(refusedRequest(loud, 'RATE_LIMITED'));
    if (n % 1_000 === 0) await clock.advance(200);
  }
  recorder.refused(refusedRequest(loud, 'INSUFFICIENT_BALANCE'));
  recorder.refused(refusedRequest(quiet));
  await clock.advance(1_000);

  const limited = records().filter(({ code }) => code === 'RATE_LIMITED').length;
  expect(limited).toBeGreaterThanOrEqual(100);
  expect(limited).toBeLessThanOrEqual(120);
  expect(records().filter(({ code }) => code !== 'RATE_LIMITED')).toMatchObject([
    { workspaceId: loud.workspaceId, code: 'INSUFFICIENT_BALANCE' },
    { workspaceId: quiet.workspaceId },
  ]);
  expect(recorder.unrecorded).toBe(50_000 - limited);
  const counted = batches.map(({ unrecorded }) => unrecorded.get(loud.workspaceId) ?? 0);
  expect(counted.reduce((sum, count) => sum + count, 0)).toBe(50_000 - limited);
});

test('refusals that are not recorded take nothing from those that come a minute later', async () => {
  const { recorder, clock, records } = openRecorder();
  const loud = caller();
  for (let n = 0; n < 500; n++) {
    recorder.refused(refusedRequest(loud));
    if (n % 50 === 0) await clock.advance(1_000);
  }
  await clock.advance(60_000);
  const before = records().length;
  for (let n = 0; n < RECORDED_PER_MINUTE; n++) {
    recorder.refused(refusedRequest(loud));
    if (n === 50) await clock.advance(1_000);
  }
  await clock.advance(1_000);
  expect(records().length - before).toBe(RECORDED_PER_MINUTE);
});

test('no more than 100 refusals of a workspace wait for a write, and no more than 500 in all', async () => {
  const { recorder, clock, batches } = openRecorder();
  const codes = ['RATE_LIMITED', 'INSUFFICIENT_BALANCE', 'MODEL_NOT_FOUND'] as const;
  const one = caller();
  for (const code of codes) for (let n = 0; n < 60; n++) recorder.refused(refusedRequest(one, code));
  for (let n = 0; n < 1_000; n++) recorder.refused(refusedRequest(caller()));
  await clock.advance(1_000);

  const [{ records } = { records: [] }] = batches;
  expect(records).toHaveLength(500);
  expect(records.filter(({ workspaceId }) => workspaceId === one.workspaceId)).toHaveLength(100);
  expect(recorder.unrecorded).toBe(180 + 1_000 - 500);
});

test('what was written makes room for as many again of the same workspace', async () => {
  const { recorder, clock, records } = openRecorder();
  const one = caller();
  for (const count of [100, 200]) {
    for (const code of ['RATE_LIMITED', 'MODEL_NOT_FOUND'] as const) {
      for (let n = 0; n < 60; n++) recorder.refused(refusedRequest(one, code));
    }
    await clock.advance(60_000);
    expect(records()).toHaveLength(count);
  }
});

test('a write that fails is not repeated: its refusals are counted as unrecorded, by the next write that succeeds', async () => {
  let isAway = true;
  const away = new Error('away');
  const { recorder, clock, batches, faults } = openRecorder(() => (isAway ? Promise.reject(away) : Promise.resolve()));
  const one = caller();
  recorder.refused(refusedRequest(one));
  await clock.advance(2_000);
  isAway = false;
  await clock.advance(1_000);

  expect(faults).toEqual([away, away]);
  expect(recorder.unrecorded).toBe(1);
  expect(batches.map(({ records }) => records.length)).toEqual([1, 0, 0]);
  expect(batches.at(-1)?.unrecorded).toEqual(new Map([[one.workspaceId, 1]]));
  await clock.advance(5_000);
  expect(batches).toHaveLength(3);
});

test('one write runs at a time, however long it takes', async () => {
  const hanging = Promise.withResolvers<void>();
  const { recorder, clock, batches } = openRecorder(() => hanging.promise);
  recorder.refused(refusedRequest(caller()));
  await clock.advance(1_000);
  recorder.refused(refusedRequest(caller()));
  await clock.advance(10_000);
  expect(batches).toHaveLength(1);

  hanging.resolve();
  await clock.advance(1_000);
  expect(batches).toHaveLength(2);
});

test('the end writes what waits, and takes two seconds at most', async () => {
  const ending = openRecorder();
  ending.recorder.refused(refusedRequest(caller()));
  await ending.recorder.stop();
  expect(ending.records()).toHaveLength(1);
  await ending.clock.advance(5_000);
  expect(ending.batches).toHaveLength(1);

  const stuck = openRecorder(() => new Promise(() => undefined));
  stuck.recorder.refused(refusedRequest(caller()));
  const stopped = stuck.recorder.stop();
  await stuck.clock.advance(2_000);
  await stopped;
});

test('names from a request are recorded in part, as text that a database accepts', async () => {
  const { recorder, clock, records } = openRecorder();
  const refusal = refuse('INVALID_REQUEST', 'No.', { param: `p\0${'q'.repeat(500)}` });
  recorder.refused(refusedRequest(caller(), 'INVALID_REQUEST', { model: `m\0\ud800${'n'.repeat(500)}`, refusal }));
  await clock.advance(1_000);

  const [{ model, param } = { model: '', param: '' }] = records();
  expect(model).toBe(`m\ufffd\ufffd${'n'.repeat(197)}`);
  expect(param).toBe(`p\ufffd${'q'.repeat(198)}`);
});
