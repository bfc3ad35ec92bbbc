import { expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { BulkheadFull } from './bulkhead.ts';
import { SharedPlaces } from './shared-places.ts';

/** Slots, and work that runs until it is ended. */
function openPlaces() {
  const clock = new ManualClock();
  const places = new SharedPlaces({ clock, places: 3, placesOfParty: 2, waitingMax: 2, waitMsMax: 1_000 });
  const running: string[] = [];
  const ends: (() => void)[] = [];
  const start = (party: string): Promise<void> =>
    places.run(party, () => {
      running.push(party);
      return new Promise<void>((resolve) => void ends.push(resolve));
    });
  return { clock, running, ends, start };
}

test('a party that has much to do leaves places to the others', async () => {
  const { clock, running, ends, start } = openPlaces();
  const works = [start('a'), start('a'), start('a'), start('b')];
  await clock.advance(0);
  expect(running).toEqual(['a', 'a', 'b']);
  ends[2]?.();
  await works[3];
  await clock.advance(0);
  expect(running).toEqual(['a', 'a', 'b']);
  ends[0]?.();
  await works[0];
  await clock.advance(0);
  expect(running).toEqual(['a', 'a', 'b', 'a']);
});

test('of a party only so much may wait, and only so long', async () => {
  const { clock, start } = openPlaces();
  const works = Array.from({ length: 5 }, () => start('a').catch((fault: unknown) => fault));
  await expect(works[4]).resolves.toBeInstanceOf(BulkheadFull);
  await clock.advance(1_000);
  await expect(works[2]).resolves.toBeInstanceOf(BulkheadFull);
  const other = start('b').catch((fault: unknown) => fault);
  await clock.advance(0);
  expect(await Promise.race([other, Promise.resolve('it runs')])).toBe('it runs');
});
