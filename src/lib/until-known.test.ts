import { expect, test } from 'vitest';
import { DatabaseUnavailable, SqlFault } from './sql.ts';
import { UNKNOWN, untilKnown } from './until-known.ts';

const away = new DatabaseUnavailable('away');

/** A database that is away this many times, then answers or rejects. */
function roundTrips(failures: number, last: () => Promise<string>): () => Promise<string> {
  let count = 0;
  return () => {
    count += 1;
    return count > failures ? last() : Promise.reject(away);
  };
}

test('a round trip is repeated until the database answers', async () => {
  const faults: unknown[] = [];
  const again = (fault: unknown): Promise<boolean> => Promise.resolve(faults.push(fault) > 0);
  expect(
    await untilKnown(
      roundTrips(2, () => Promise.resolve('done')),
      again,
    ),
  ).toBe('done');
  expect(faults).toEqual([away, away]);
});

test('a round trip that the database refuses is not repeated', async () => {
  const fault = new SqlFault('no', '22003', null);
  const again = (): Promise<boolean> => Promise.resolve(true);
  await expect(
    untilKnown(
      roundTrips(1, () => Promise.reject(fault)),
      again,
    ),
  ).rejects.toBe(fault);
});

test('a round trip that is given up has an unknown outcome', async () => {
  expect(
    await untilKnown(
      roundTrips(1, () => Promise.resolve('done')),
      () => Promise.resolve(false),
    ),
  ).toBe(UNKNOWN);
});
