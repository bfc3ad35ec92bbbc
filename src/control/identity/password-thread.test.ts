import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { hashPassword, isPassword } from './password-hash.ts';
import type { PasswordResult, PasswordTask } from './password-thread.ts';

test('the thread of hashes stands back for those that serve requests, and answers each task in turn', async () => {
  const { port1: thread, port2: asker } = new MessageChannel();
  onTestFinished(() => asker.close());
  const setPriority = vi.fn<(niceness: number) => void>();
  vi.doMock('node:os', () => ({ setPriority }));
  vi.doMock('node:worker_threads', () => ({ parentPort: thread }));
  await import('./password-thread.ts');
  expect(setPriority.mock.calls).toEqual(process.platform === 'linux' ? [[10]] : []);
  const answered = new Promise<readonly PasswordResult[]>((resolve) => {
    const results: PasswordResult[] = [];
    asker.on('message', (result: PasswordResult) => {
      if (results.push(result) === 3) resolve(results);
    });
  });
  const hash = hashPassword('a secret', { memory: 64, passes: 1, parallelism: 1 });
  const tasks: readonly PasswordTask[] = [
    { kind: 'hash', password: 'a secret' },
    { kind: 'check', password: 'a secret', hash },
    { kind: 'check', password: 'b secret', hash },
  ];
  for (const task of tasks) asker.postMessage(task, []);
  const [made, ...checked] = await answered;
  expect(isPassword('a secret', String(made))).toBe(true);
  expect(checked).toEqual([true, false]);
});
