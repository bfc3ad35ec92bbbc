import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inStage } from './stages.ts';

test('a turn goes through its stages in their order, whatever the order in which they got their tasks', async () => {
  const done: string[] = [];
  inStage('requests', () => done.push('requests'));
  inStage('replies', () => done.push('replies'));
  inStage('statements', () => done.push('statements'));
  inStage('answers', () => done.push('answers'));
  expect(done).toEqual([]);
  await setImmediate();
  expect(done).toEqual(['answers', 'statements', 'replies', 'requests']);
});

test('all that follows synchronously from one stage happens before the next, and joins it', async () => {
  const done: string[] = [];
  inStage('requests', () => done.push('a request'));
  const answered = (): void => {
    done.push('an answer');
    inStage('statements', () => done.push('its statement'));
  };
  inStage('answers', () => queueMicrotask(() => process.nextTick(answered)));
  await setImmediate();
  expect(done).toEqual(['an answer', 'its statement', 'a request']);
});

test('what comes for a stage that is over is done in the next turn', async () => {
  const done: string[] = [];
  inStage('requests', () => {
    done.push('a request');
    inStage('answers', () => done.push('an answer'));
  });
  await setImmediate();
  expect(done).toEqual(['a request']);
  await setImmediate();
  expect(done).toEqual(['a request', 'an answer']);
});
