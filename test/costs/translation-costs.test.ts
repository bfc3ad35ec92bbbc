import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

// Whoever has money can send any body to a model behind another API. While it is translated others are served.

test('no request costs more than 50 ms in one piece to be translated for another API, whatever its shape', async () => {
  const worker = new Worker(new URL('./translation-costs-worker.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const [dear] = (await once(worker, 'message')) as [string[]];
  await worker.terminate();
  expect(dear).toEqual([]);
});
