import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { ATTEMPT_CLASSES_MS, quantileOf } from '../../domain/duration-classes.ts';
import type { RouteCounts } from './route-counts.ts';
import { RouteCounter } from './route-counter.ts';

type Ended = Parameters<RouteCounter['ended']>[0]['receipt'];

const ANSWERED = { provider: 'main', upstreamModel: 'vendor', status: 200, durationMs: 400, fault: null };
const OVERLOADED = { ...ANSWERED, status: 529, durationMs: 20, fault: 'overloaded' };

function receipt(more: Partial<Ended> = {}): { readonly receipt: Ended } {
  return {
    receipt: {
      requestId: 'r',
      model: 'chat',
      attempts: [ANSWERED],
      outcome: 'completed',
      streamed: true,
      durationMs: 3_000,
      firstEventMs: 500,
      ...more,
    },
  };
}

/** A counter, what it has written, and what its writes do. */
function openCounter(answer: () => Promise<void> = () => Promise.resolve()) {
  const clock = new ManualClock();
  const written: (readonly RouteCounts[])[] = [];
  const faults: unknown[] = [];
  const write = (counts: readonly RouteCounts[]): Promise<void> => {
    written.push(structuredClone(counts));
    return answer();
  };
  const counter = new RouteCounter({ clock, write, onFault: (fault) => faults.push(fault) });
  counter.start();
  return { clock, counter, written, faults };
}

const median = (counts: readonly number[] = []): number | undefined => quantileOf(counts, 0.5, ATTEMPT_CLASSES_MS)?.ms;

test('attempts are written every ten seconds, in one row for each route of a model, and nothing if there were none', async () => {
  const { clock, counter, written } = openCounter();
  await clock.advance(20_000);
  expect(written).toEqual([]);

  for (let n = 0; n < 100; n++) counter.ended(receipt({ attempts: [OVERLOADED, { ...ANSWERED, provider: 'side' }] }));
  counter.ended(receipt({ model: 'other' }));
  await clock.advance(10_000);
  expect(written).toHaveLength(1);
  expect(written[0]).toMatchObject([
    { model: 'chat', provider: 'main', answered: 0, faults: new Map([['overloaded', 100]]), answeredAtMs: null },
    { model: 'chat', provider: 'side', answered: 100, faults: new Map(), fault: null },
    { model: 'other', provider: 'main', answered: 1 },
  ]);
});

test('a stream counts from its attempt to its first event and to its end, a plain answer to its end alone', async () => {
  const { clock, counter, written } = openCounter();
  counter.ended(receipt());
  counter.ended(
    receipt({ model: 'plain', streamed: false, firstEventMs: 3_000, attempts: [{ ...ANSWERED, durationMs: 2_900 }] }),
  );
  await clock.advance(10_000);

  const [stream, plain] = written[0] ?? [];
  expect(median(stream?.firstEvent)).toBeCloseTo(400, -2);
  expect(Math.abs((median(stream?.whole) ?? 0) - 2_900)).toBeLessThan(500);
  expect(median(plain?.firstEvent)).toBeUndefined();
  expect(Math.abs((median(plain?.whole) ?? 0) - 2_900)).toBeLessThan(500);
});

test('a stream that broke off is a failure, a request that its provider rejected or its caller left is none', async () => {
  const { clock, counter, written } = openCounter();
  counter.ended(receipt({ outcome: 'interrupted', requestId: 'broken' }));
  counter.ended(receipt({ outcome: 'failed', attempts: [{ ...OVERLOADED, status: 400, fault: 'rejected_request' }] }));
  counter.ended(receipt({ outcome: 'abandoned', attempts: [{ ...ANSWERED, status: null }] }));
  counter.ended(receipt({ outcome: 'abandoned' }));
  await clock.advance(10_000);

  expect(written[0]).toMatchObject([
    {
      answered: 1,
      rejected: 1,
      abandoned: 1,
      faults: new Map([['interrupted', 1]]),
      fault: { kind: 'interrupted', status: 200, requestId: 'broken' },
    },
  ]);
  expect(median(written[0]?.[0]?.whole)).toBeUndefined();
});

test('counts of a write that failed are written with those that have come since', async () => {
  let isAway = true;
  const { clock, counter, written, faults } = openCounter(() =>
    isAway ? Promise.reject(new Error('away')) : Promise.resolve(),
  );
  counter.ended(receipt({ attempts: [OVERLOADED, ANSWERED] }));
  await clock.advance(10_000);
  isAway = false;
  counter.ended(receipt());
  await clock.advance(10_000);
  await clock.advance(10_000);

  expect(faults).toHaveLength(1);
  expect(written).toHaveLength(2);
  expect(written[1]).toMatchObject([{ answered: 2, faults: new Map([['overloaded', 1]]), fault: { requestId: 'r' } }]);
  expect(written[1]?.[0]?.firstEvent.reduce((sum, count) => sum + count, 0)).toBe(2);
});

test('the end of the program writes what was counted since the last write', async () => {
  const { counter, written } = openCounter();
  counter.ended(receipt());
  await counter.stop();
  expect(written).toMatchObject([[{ answered: 1 }]]);
});
