import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

// Providers are servers that anybody may run. While an answer of theirs is read nobody else is served.

test('no answer of a provider takes more than 50 ms in one piece, whatever its shape', async () => {
  const worker = new Worker(new URL('./answer-costs-worker.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const [dear] = (await once(worker, 'message')) as [string[]];
  await worker.terminate();
  expect(dear).toEqual([]);
}, 300_000);
