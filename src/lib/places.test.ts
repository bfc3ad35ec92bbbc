import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Places } from './places.ts';
import { YieldingPlaces } from './yielding-places.ts';

const LIMITS = { most: 5, mostPerKey: 2 };

test('a key has its places and no more, and leaves the others theirs', () => {
  const places = new Places(LIMITS);
  const leave = ['a', 'a', 'a', 'b', 'c', 'c', 'd'].map((key) => places.take(key));
  expect(leave.map((place) => place !== null)).toEqual([true, true, false, true, true, true, false]);
  leave[0]?.();
  leave[0]?.();
  expect(places.taken).toBe(4);
  expect(places.take('a')).not.toBeNull();
  expect(places.take('a')).toBeNull();
});

test('work that can be broken off makes room: of its own key first, then of the key with the most', () => {
  const places = new YieldingPlaces(LIMITS);
  const broken: string[] = [];
  const take = (key: string, name: string): (() => void) => places.take(key, () => broken.push(name));
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) take(name.slice(0, 1), name);
  expect(broken).toEqual(['a1']);
  take('d', 'd1');
  expect(broken).toEqual(['a1', 'a2']);
  take('e', 'e1');
  expect(broken).toEqual(['a1', 'a2', 'c1']);
});

test('places end as they began, whatever is taken, given back and broken off', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(9)), { maxLength: 100 }), (steps) => {
      const [places, yielding] = [new Places(LIMITS), new YieldingPlaces(LIMITS)];
      const leaves: (() => void)[] = [];
      for (const [key, which] of steps) {
        leaves.push(
          places.take(key) ?? (() => undefined),
          yielding.take(key, () => undefined),
        );
        leaves[which]?.();
        expect(Math.max(places.taken, yielding.taken)).toBeLessThanOrEqual(LIMITS.most);
      }
      for (const leave of leaves) leave();
      expect([places.taken, yielding.taken]).toEqual([0, 0]);
    }),
  );
});
