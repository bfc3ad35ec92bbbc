import { expect, test } from 'vitest';
import { Pace } from './pace.ts';

const beats = (epochId: bigint): readonly number[] => {
  const pace = new Pace(epochId);
  return Array.from({ length: 1_000 }, () => pace.nextMs());
};

test('a pace keeps to 50 ms on average, from half to one and a half of it', () => {
  for (const epochId of [0n, 1n, 2n ** 40n]) {
    const all = beats(epochId);
    expect(Math.min(...all)).toBeGreaterThanOrEqual(25);
    expect(Math.max(...all)).toBeLessThanOrEqual(75);
    expect(Math.abs(all.reduce((sum, each) => sum + each, 0) / all.length - 50)).toBeLessThan(3);
  }
});

test('processes whose epochs follow each other beat together no more often than by chance', () => {
  for (let epochId = 1n; epochId <= 20n; epochId++) {
    const other = beats(epochId + 1n);
    expect(beats(epochId).filter((beat, index) => beat === other[index]).length).toBeLessThan(50);
  }
});

test('an epoch’s pace can be had again', () => {
  expect(beats(7n)).toEqual(beats(7n));
});
