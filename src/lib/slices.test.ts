import { expect, test } from 'vitest';
import { mapInSlices } from './slices.ts';

test('a long list is mapped in its order, and the event loop goes on between its slices', async () => {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const items = Array.from({ length: 20 }, (_, index) => index);
  const results = await mapInSlices(items, (item) => {
    const untilMs = performance.now() + 1;
    while (performance.now() < untilMs);
    return 2 * item;
  });
  isDone = true;
  expect(results).toEqual(items.map((item) => 2 * item));
  expect(turns).toBeGreaterThanOrEqual(4);
});

test('nothing of an empty list is awaited but a turn of promises', async () => {
  expect(await mapInSlices([], String)).toEqual([]);
});
