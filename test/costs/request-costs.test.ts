import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

// Whoever has a key can send any body, before anything is paid for it. While it is read nobody else is served.

test('no body costs more than 50 ms, nor more than 5 ms a megabyte, whatever its shape', async () => {
  const worker = new Worker(new URL('./request-costs-worker.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const [dear] = (await once(worker, 'message')) as [string[]];
  await worker.terminate();
  expect(dear).toEqual([]);
});
