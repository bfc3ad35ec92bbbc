import { expect, test } from 'vitest';
import { CleanUpStack, tryCall } from './node-22.ts';

test('the stand-in for a disposal stack cleans up once, in reverse, and fails with the first failure after all of it', async () => {
  const stack = new CleanUpStack();
  const order: string[] = [];
  stack.defer(() => void order.push('first'));
  stack.defer(() => {
    order.push('second');
    throw new Error('of the second');
  });
  stack.defer(() => Promise.reject(new Error('of the third')));
  await expect(stack.disposeAsync()).rejects.toThrow('of the third');
  expect(order).toEqual(['second', 'first']);
  await stack.disposeAsync();
  expect(order).toHaveLength(2);
});

test('the stand-in for Promise.try makes a promise of a value, of a promise and of what is thrown', async () => {
  const half = (value: number): number => value / 2;
  expect(await tryCall(half, 4)).toBe(2);
  expect(await tryCall(() => Promise.resolve('later'))).toBe('later');
  await expect(
    tryCall(() => {
      throw new Error('thrown');
    }),
  ).rejects.toThrow('thrown');
});
