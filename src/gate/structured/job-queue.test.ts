import { expect, test } from 'vitest';
import { type Job, JobQueue } from './job-queue.ts';

const NOBODY: ReadonlySet<string> = new Set();

function job(owner: string, text: string, schema: string | null = null): Job {
  return {
    owner,
    task: { kind: 'judge', id: 1, schema, text },
    deadlineMs: 1,
    done: () => undefined,
    isWanted: () => text !== 'unwanted',
  };
}

/** The batches taken: for each, its owner and its jobs. */
function turnsOf(queue: JobQueue, together: number, busy = NOBODY): string[] {
  const turns: string[] = [];
  for (;;) {
    const jobs = queue.take(busy, () => together);
    if (jobs.length === 0) return turns;
    turns.push(jobs.map(({ owner, task }) => owner + (task.kind === 'judge' ? task.text.slice(0, 1) : '')).join(' '));
  }
}

function queueOf(...jobs: readonly Job[]): JobQueue {
  const queue = new JobQueue();
  for (const each of jobs) queue.add(each);
  return queue;
}

test('jobs that wait for a thread are taken in turn, those of one owner together as far as they may be', () => {
  const jobs = [job('a', '1'), job('b', '1'), job('a', '2'), job('a', '3'), job('b', '2'), job('a', '4')];
  expect(turnsOf(queueOf(...jobs), 3)).toEqual(['a1 a2 a3', 'b1 b2', 'a4']);
  expect(turnsOf(queueOf(...jobs), 1)).toEqual(['a1', 'b1', 'a2', 'a3', 'b2', 'a4']);
});

test('jobs that wait for a thread wait for the jobs that their owner has in a thread', () => {
  const queue = queueOf(job('a', '1'), job('b', '1'));
  expect(turnsOf(queue, 8, new Set(['a']))).toEqual(['b1']);
  expect(queue.size).toBe(1);
});

test('jobs that wait for a thread are left out where they are not wanted any more', () => {
  expect(turnsOf(queueOf(job('a', 'unwanted'), job('a', '1'), job('a', 'unwanted'), job('a', '2')), 8)).toEqual([
    'a1 a2',
  ]);
});

test('jobs that wait for a thread are taken alone where they are large, have a schema to compile, or were too much', () => {
  const large = 'x'.repeat(40_000);
  expect(turnsOf(queueOf(job('a', large), job('a', large), job('a', '1', '{}'), job('a', '2')), 8)).toEqual([
    'ax a2',
    'ax',
    'a1',
  ]);
  const queue = queueOf(job('a', '3'));
  queue.putBack([job('a', '1'), job('a', '2')]);
  expect(turnsOf(queue, 8)).toEqual(['a1', 'a2', 'a3']);
});
