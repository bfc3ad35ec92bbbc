import { expect, test } from 'vitest';
import { embeddedShare } from './embedded-share.ts';

const shareOf = (workers: number, connectionsMax: number, controlConnectionsMax: number) =>
  embeddedShare({ server: { workers }, database: { connectionsMax, controlConnectionsMax } });

test.each([
  ['what it is configured to have, if that is less', 2, [10, 3], [10, 3]],
  ['no more than its part of ninety among workers, a replacement and the supervisor', 2, [50, 9], [17, 5]],
  ['a quarter of its part for the control plane at most', 4, [50, 9], [12, 3]],
  ['at least two for the control plane, one of which a proof holds', 16, [50, 9], [3, 2]],
  ['at least two for the control plane, whatever is configured', 2, [10, 1], [10, 2]],
  ['at least one for the gate, and two for the control plane, however many workers there are', 64, [50, 9], [1, 2]],
] as const)('a worker on the embedded PostgreSQL has %s', (_, workers, [wished, control], [gate, controlShare]) => {
  expect(shareOf(workers, wished, control)).toEqual({ connectionsMax: gate, controlConnectionsMax: controlShare });
});

test.each([2, 3, 5, 8, 12, 16, 24])(
  'connections of %i workers, a replacement and the supervisor together fit into the server',
  (workers) => {
    const { connectionsMax, controlConnectionsMax } = shareOf(workers, 1_000, 1_000);
    expect((workers + 2) * (connectionsMax + controlConnectionsMax)).toBeLessThanOrEqual(90);
  },
);
