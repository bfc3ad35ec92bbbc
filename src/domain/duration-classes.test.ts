import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ATTEMPT_CLASSES_MS, classOf, DURATION_CLASSES_MS, medianOf, quantileOf } from './duration-classes.ts';

const CLASSES = DURATION_CLASSES_MS.length + 1;
const counted = (durations: readonly number[]): readonly number[] =>
  Array.from(
    { length: CLASSES },
    (_, index) => durations.filter((ms) => classOf(ms, DURATION_CLASSES_MS) === index).length,
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
      expect(classOf(estimated, DURATION_CLASSES_MS)).toBe(classOf(median, DURATION_CLASSES_MS));
    }),
  );
});

test('durations of one class have their median at its middle, and a class between others counts from its lower end', () => {
  expect(medianOf(counted([60, 70, 80, 90]))).toEqual({ ms: 75, isAtLeast: false });
  expect(medianOf(counted([10, 60, 60, 200]))).toEqual({ ms: 75, isAtLeast: false });
});

test('the quantiles of attempts are within a factor of √2 of the true ones, above 10 ms and up to 11 minutes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 11, max: 650_000 }), { minLength: 1, maxLength: 200 }),
      fc.constantFrom(0.5, 0.9, 0.99),
      (durations, share) => {
        const counts = Array.from({ length: ATTEMPT_CLASSES_MS.length + 1 }, () => 0);
        for (const ms of durations) {
          const at = classOf(ms, ATTEMPT_CLASSES_MS);
          counts[at] = (counts[at] ?? 0) + 1;
        }
        const sorted = durations.toSorted((a, b) => a - b);
        const exact = sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
        const estimate = quantileOf(counts, share, ATTEMPT_CLASSES_MS);
        expect(estimate?.isAtLeast).toBe(false);
        expect(Math.abs(Math.log2((estimate?.ms ?? 0) / exact))).toBeLessThan(0.51);
      },
    ),
  );
});
