import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DURATION_CLASSES_MS, medianOf } from './duration-classes.ts';

const CLASSES = DURATION_CLASSES_MS.length + 1;
const counted = (durations: readonly number[]): readonly number[] =>
  Array.from(
    { length: CLASSES },
    (_, index) =>
      durations.filter((ms) => {
        const found = DURATION_CLASSES_MS.findIndex((most) => ms <= most);
        return (found < 0 ? CLASSES - 1 : found) === index;
      }).length,
  );

test('no durations have no median, and the last class only a lower end', () => {
  expect(medianOf(counted([]))).toBeNull();
  expect(medianOf(counted([40_000, 50_000]))).toEqual({ ms: 30_000, isAtLeast: true });
});

test('a median that is estimated from classes lies in the class of the true one', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 30_000 }), { minLength: 1, maxLength: 50 }), (durations) => {
      const sorted = durations.toSorted((a, b) => a - b);
      const median = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
      const estimated = medianOf(counted(durations))?.ms ?? 0;
      const classOf = (ms: number): number => DURATION_CLASSES_MS.findIndex((most) => ms <= most);
      expect(classOf(estimated)).toBe(classOf(median));
    }),
  );
});

test('durations of one class have their median at its middle, and a class between others counts from its lower end', () => {
  expect(medianOf(counted([60, 70, 80, 90]))).toEqual({ ms: 75, isAtLeast: false });
  expect(medianOf(counted([10, 60, 60, 200]))).toEqual({ ms: 75, isAtLeast: false });
});
