import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonInSlices, lazily, mapInSlices } from './slices.ts';

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

test('JSON in slices is the JSON of the same value', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), async (value) => {
      expect(await jsonInSlices(value)).toBe(JSON.stringify(value));
    }),
  );
  const odd = { left: undefined, list: [{ at: new Date(0), in: [{ none: undefined }] }, undefined, null], text: 'ü"' };
  expect(await jsonInSlices(odd)).toBe(JSON.stringify(odd));
});

test('the items of a lazy list are made as its JSON is written, wherever it stands', async () => {
  const alive: number[] = [];
  let most = 0;
  const item = (index: number): object => {
    most = Math.max(most, alive.push(index));
    return { toJSON: () => alive.pop() };
  };
  const value = {
    groups: lazily([0, 10], (from) => ({ from, points: lazily([from, from + 1], item) })),
    none: lazily([], item),
  };
  expect(await jsonInSlices(value)).toBe(
    '{"groups":[{"from":0,"points":[0,1]},{"from":10,"points":[10,11]}],"none":[]}',
  );
  expect(most).toBe(1);
});

test('the event loop goes on while a long JSON is written', async () => {
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  });
  const slow = {
    toJSON: () => {
      const untilMs = performance.now() + 1;
      while (performance.now() < untilMs);
      return 1;
    },
  };
  await jsonInSlices({ groups: [{ points: Array.from({ length: 30 }, () => slow) }] });
  clearInterval(counting);
  expect(turns).toBeGreaterThanOrEqual(3);
});
