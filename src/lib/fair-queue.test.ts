import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

const all = (queue: FairQueue<string>): readonly string[] => {
  const items: string[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items;
};

test('keys take turns, and the items of one keep their order', () => {
  const queue = new FairQueue<string>({ most: 10, mostPerKey: 5 });
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(item.slice(0, 1), item);
  expect(all(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

test('a key beyond its own bound is refused, and others are not', () => {
  const queue = new FairQueue<string>({ most: 10, mostPerKey: 2 });
  expect(['a1', 'a2', 'a3', 'b1'].map((item) => queue.push(item.slice(0, 1), item))).toEqual([null, null, 'a3', null]);
});

test('a key with few items takes the place of one with many when the queue is full', () => {
  const queue = new FairQueue<string>({ most: 4, mostPerKey: 4 });
  for (const item of ['a1', 'a2', 'a3', 'a4']) queue.push('a', item);
  expect(queue.push('b', 'b1')).toBe('a4');
  expect(queue.push('b', 'b2')).toBe('a3');
  expect(queue.push('c', 'c1')).toBe('a2');
  expect(queue.push('d', 'd1')).toBe('b2');
  expect(queue.push('e', 'e1')).toBe('e1');
  expect(all(queue)).toEqual(['a1', 'b1', 'c1', 'd1']);
});

test('whatever comes and goes, each item is served or refused once, within the bounds', () => {
  const step = fc.oneof(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.constant(null));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const queue = new FairQueue<string>({ most: 6, mostPerKey: 3 });
      const [pushed, left]: [string[], string[]] = [[], []];
      for (const [index, key] of steps.entries()) {
        const out = key === null ? queue.shift() : queue.push(key, `${key}${index}`);
        if (key !== null) pushed.push(`${key}${index}`);
        if (out !== null && out !== undefined) left.push(out);
        expect(pushed.length - left.length).toBeLessThanOrEqual(6);
      }
      expect([...left, ...queue.clear()].toSorted()).toEqual(pushed.toSorted());
      expect(queue.shift()).toBeUndefined();
    }),
  );
});
