import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TurnQueue } from './turn-queue.ts';

test('a turn queue goes on with what came in a turn once, in its order, and not before the turn is over', async () => {
  const gone: string[] = [];
  const queue = new TurnQueue<string>('requests', (item) => gone.push(item));
  queue.add('a');
  await Promise.resolve();
  queue.add('b');
  expect(gone).toEqual([]);
  await setImmediate();
  expect(gone).toEqual(['a', 'b']);
  await setImmediate();
  expect(gone).toEqual(['a', 'b']);
});

test('a turn queue leaves what comes of that to the next turn, so that reading gets between', async () => {
  const gone: string[] = [];
  const queue = new TurnQueue<string>('requests', (item) => {
    gone.push(item);
    if (item.length < 3) queue.add(`${item}+`);
  });
  queue.add('a');
  queue.add('b');
  await setImmediate();
  expect(gone).toEqual(['a', 'b']);
  await setImmediate();
  expect(gone).toEqual(['a', 'b', 'a+', 'b+']);
  await setImmediate();
  await setImmediate();
  expect(gone).toEqual(['a', 'b', 'a+', 'b+', 'a++', 'b++']);
});
