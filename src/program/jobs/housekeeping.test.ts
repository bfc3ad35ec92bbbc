import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { Housekeeping } from './housekeeping.ts';

test('a task that fails is reported, keeps none after it from its turn, and runs again at the next interval', async () => {
  const clock = new ManualClock();
  const done: string[] = [];
  const failing = async (): Promise<void> => {
    done.push('first');
    await Promise.reject(new Error('the database is away'));
  };
  const second = async (): Promise<void> => {
    done.push('second');
    await Promise.resolve();
  };
  const report = (fault: unknown): void => void done.push(String(fault));
  const housekeeping = new Housekeeping(clock, [failing, second], report, { intervalMs: 1_000, firstMs: 0 });
  const round = ['first', 'Error: the database is away', 'second'];
  housekeeping.start();
  await clock.advance(0);
  expect(done).toEqual(round);
  await clock.advance(1_000);
  expect(done).toEqual([...round, ...round]);
  housekeeping.stop();
  await clock.advance(10_000);
  expect(done).toHaveLength(2 * round.length);
});
