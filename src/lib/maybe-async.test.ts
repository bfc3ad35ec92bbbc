import { expect, test } from 'vitest';
import { andThen } from './maybe-async.ts';

test('what follows from a value that is there happens synchronously', () => {
  expect(andThen(1, (value) => value + 1)).toBe(2);
});

test('what follows from a promise happens once it resolves, and a rejection passes it by', async () => {
  expect(await andThen(Promise.resolve(1), (value) => value + 1)).toBe(2);
  const failing = andThen(Promise.reject<number>(new Error('no')), () => 2);
  await expect(failing).rejects.toThrow('no');
});
