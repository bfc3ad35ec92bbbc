import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Resting } from './resting.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('a task runs without delay, and then once at the end of each rest in which it was asked for', () => {
  const resting = new Resting(1_000);
  const task = vi.fn<() => void>();
  const other = vi.fn<() => void>();
  for (let index = 0; index < 5; index += 1) resting.run('task', task);
  resting.run('other', other);
  expect([task, other].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  vi.advanceTimersByTime(1_000);
  expect([task, other].map(({ mock }) => mock.calls.length)).toEqual([2, 1]);
  vi.advanceTimersByTime(5_000);
  expect([task, other].map(({ mock }) => mock.calls.length)).toEqual([2, 1]);
  resting.run('task', task);
  expect(task).toHaveBeenCalledTimes(3);
});

test('nothing runs after the end', () => {
  const resting = new Resting(1_000);
  const task = vi.fn<() => void>();
  resting.run('task', task);
  resting.run('task', task);
  resting.end();
  vi.advanceTimersByTime(5_000);
  expect(task).toHaveBeenCalledTimes(1);
});
