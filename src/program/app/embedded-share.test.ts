import { expect, test } from 'vitest';
import { embeddedShare, embeddedWorkersProblem } from './embedded-share.ts';

const shareOf = (workers: number, connectionsMax: number, controlConnectionsMax: number) =>
  embeddedShare({ server: { workers }, database: { connectionsMax, controlConnectionsMax } });

test.each([
  ['what it is configured to have, if that is less', 2, [10, 3], [10, 3]],
  ['no more than its part of ninety among workers, a replacement and the supervisor', 2, [50, 9], [17, 5]],
  ['a quarter of its part for the control plane at most', 4, [50, 9], [12, 3]],
  ['at least two for the control plane, one of which a proof holds', 16, [50, 9], [3, 2]],
  ['at least two for the control plane, whatever is configured', 2, [10, 1], [10, 2]],
  ['one for the gate and two for the control plane, if there are as many workers as may be', 28, [50, 9], [1, 2]],
] as const)('a worker on the embedded PostgreSQL has %s', (_, workers, [wished, control], [gate, controlShare]) => {
  expect(shareOf(workers, wished, control)).toEqual({ connectionsMax: gate, controlConnectionsMax: controlShare });
});

test.each(Array.from({ length: 27 }, (_, index) => index + 2))(
  'connections of %i workers, a replacement and the supervisor together fit into the server',
  (workers) => {
    const { connectionsMax, controlConnectionsMax } = shareOf(workers, 1_000, 1_000);
    expect((workers + 2) * (connectionsMax + controlConnectionsMax)).toBeLessThanOrEqual(90);
  },
);

test('a process without workers has all that the embedded PostgreSQL can give, and no more', () => {
  expect(shareOf(1, 10, 3)).toEqual({ connectionsMax: 10, controlConnectionsMax: 3 });
  expect(shareOf(1, 1_000, 3)).toEqual({ connectionsMax: 87, controlConnectionsMax: 3 });
  expect(shareOf(1, 1_000, 100)).toEqual({ connectionsMax: 68, controlConnectionsMax: 22 });
});

test('more workers than the embedded PostgreSQL has connections for are refused, with what to do', () => {
  expect([1, 2, 28].map(embeddedWorkersProblem)).toEqual([null, null, null]);
  expect(embeddedWorkersProblem(29)).toBe(
    'server.workers is 29, but the embedded database has connections for 28 workers at most: lower it, or name a PostgreSQL of your own in database.url',
  );
});
