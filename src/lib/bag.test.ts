import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Bag, type Place } from './bag.ts';

test('a bag holds what was put in and not taken out, whatever the order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 200 }), (steps) => {
      const bag = new Bag<number>();
      const places: Place<number>[] = [];
      const expected = new Set<number>();
      for (const [number, step] of steps.entries()) {
        const place = step < 0 ? places[-step - 1] : undefined;
        if (place === undefined) {
          places.push(bag.add(number));
          expected.add(number);
        } else {
          expect(bag.remove(place)).toBe(expected.delete(place.item));
        }
        expect(bag.size).toBe(expected.size);
        expect(new Set(bag.items())).toEqual(expected);
      }
    }),
  );
});
