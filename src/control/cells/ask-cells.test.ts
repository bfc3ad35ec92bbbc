import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { askCells } from './ask-cells.ts';
import type { CellAnswer, CellCall } from './cell-client.ts';
import type { Cell } from './cell-store.ts';

const cellOf = (shard: string): Cell => ({ shard, url: `https://${shard}.gateway.example` }) as Cell;

/** Some cells stay silent for as long as they are waited for. */
const client = {
  call: async ({ shard }: Cell, _: unknown, { answerMsMax = Infinity, signal }: CellCall = {}): Promise<CellAnswer> => {
    if (signal?.aborted !== true && shard.startsWith('up')) return { ok: true, body: shard };
    if (signal?.aborted !== true)
      await Promise.race([delay(answerMsMax), new Promise((end) => signal?.addEventListener('abort', end))]);
    return { ok: false, fault: { shard, kind: 'late', code: null, message: 'it has not answered' } };
  },
};

test('cells that stay silent take no time of those that are asked behind them, and all have a second altogether', async () => {
  const silent = Array.from({ length: 40 }, (_, index) => cellOf(`silent ${index}`));
  const up = Array.from({ length: 40 }, (_, index) => cellOf(`up ${index}`));
  const begunMs = performance.now();
  const answers = await askCells(client, [...silent, ...up], 'showCell');
  expect(performance.now() - begunMs).toBeLessThan(2_000);
  expect(answers.slice(0, 40).every(({ ok }) => !ok)).toBe(true);
  expect(answers.slice(40)).toEqual(up.map(({ shard }) => ({ ok: true, body: shard })));
});
