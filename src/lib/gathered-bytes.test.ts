import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteBudget } from './byte-budget.ts';
import { BYTES_PER_PIECE, GatheredBytes, PIECES_FREE } from './gathered-bytes.ts';

// Bytes that arrive in pieces are gathered unchanged, and charged for the memory that they hold.

function piecesOf(bytes: Buffer, size: number): Buffer[] {
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) });
  return pieces.map((_, index) => Buffer.from(bytes.subarray(index * size, (index + 1) * size)));
}

test('gathered bytes are what came, in pieces of any sizes, and all their memory is given back', () => {
  const sizes = fc.array(fc.oneof(fc.nat(40), fc.integer({ min: 4_000, max: 70_000 })), { maxLength: 30 });
  const run = fc.property(sizes, fc.boolean(), (lengths, isKnown) => {
    const pieces = lengths.map((length, index) => Buffer.alloc(length, index + 1));
    const sent = Buffer.concat(pieces);
    const budget = new ByteBudget(2 ** 30);
    const gathered = new GatheredBytes(sent.length, budget);
    let left = sent.length;
    for (const piece of pieces) {
      left -= piece.length;
      expect(gathered.add(piece, isKnown ? left : undefined)).toBeNull();
    }
    expect(gathered.length).toBe(sent.length);
    expect(gathered.whole().equals(sent)).toBe(true);
    expect(gathered.whole().equals(sent)).toBe(true);
    expect(budget.taken).toBeGreaterThanOrEqual(sent.length);
    gathered.drop();
    expect(budget.taken).toBe(0);
  });
  fc.assert(run, { numRuns: 200, seed: 22 });
});

test('bytes in tiny pieces are charged with the memory that they hold, at most an eighth more than came', () => {
  const sent = Buffer.alloc(100_000, 'x');
  for (const size of [7, 100, 1_000]) {
    const budget = new ByteBudget(2 ** 30);
    const gathered = new GatheredBytes(sent.length, budget);
    for (const piece of piecesOf(sent, size)) {
      expect(gathered.add(piece)).toBeNull();
      expect(budget.taken).toBeLessThanOrEqual(gathered.length * (1 + 1 / 8) + 4_096);
    }
    expect(gathered.whole().equals(sent)).toBe(true);
    expect(budget.taken).toBe(sent.length);
  }
});

test('a piece that is a small part of what it keeps in memory is copied', () => {
  const gathered = new GatheredBytes(100_000);
  const large = Buffer.alloc(65_536, 'a');
  gathered.add(large.subarray(0, 5_000));
  large.fill('b');
  expect(gathered.whole().equals(Buffer.alloc(5_000, 'a'))).toBe(true);
});

test('bytes are gathered up to the limit exactly, and not one beyond it', () => {
  const gathered = new GatheredBytes(10);
  expect([gathered.add(Buffer.alloc(9)), gathered.add(Buffer.alloc(1))]).toEqual([null, null]);
  expect(gathered.add(Buffer.alloc(1))).toBe('too_large');
  expect(gathered.whole()).toHaveLength(10);
});

test('bytes for which there is no memory are not gathered, nor those that come after they were dropped', () => {
  const budget = new ByteBudget(5_000);
  const gathered = new GatheredBytes(10_000, budget);
  expect(gathered.add(Buffer.alloc(4_500))).toBeNull();
  expect(gathered.add(Buffer.alloc(1_000))).toBe('overloaded');
  expect([gathered.length, budget.taken]).toEqual([4_500, 4_500]);
  gathered.drop();
  expect([gathered.add(Buffer.alloc(1)), budget.taken]).toEqual(['overloaded', 0]);
});

test('bytes in more pieces than their number explains are refused, long before they are many', () => {
  const single = new GatheredBytes(20_000_000);
  let pieces = 0;
  while (single.add(Buffer.alloc(1)) === null) pieces += 1;
  expect(single.add(Buffer.alloc(1))).toBe('fragmented');
  expect(pieces).toBeLessThan(PIECES_FREE * 1.1);

  const usual = new GatheredBytes(20_000_000);
  for (let count = 0; count < 2 * PIECES_FREE; count++) expect(usual.add(Buffer.alloc(BYTES_PER_PIECE))).toBeNull();
});

/** Runs a script in a thread with a heap of this many MB; its message, or the code of the error that ended it. */
function inSmallHeap(megabytes: number, script: string): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const worker = new Worker(script, { eval: true, resourceLimits: { maxOldGenerationSizeMb: megabytes } });
  worker.once('message', resolve);
  worker.once('error', (fault: NodeJS.ErrnoException) => resolve(fault.code ?? fault.message));
  return promise;
}

const GATHERED = JSON.stringify(new URL('gathered-bytes.ts', import.meta.url).href);
const SSE = JSON.stringify(new URL('../gate/openai/sse.ts', import.meta.url).href);

test('two hundred bodies in tiny pieces fit into a heap of 32 MB, where their pieces do not', async () => {
  const script = (keep: string): string => `
    const { parentPort } = require('node:worker_threads');
    import(${GATHERED}).then(({ GatheredBytes }) => {
      const bodies = [];
      for (let body = 0; body < 200; body++) {
        const pieces = [];
        const gathered = new GatheredBytes(1e6);
        for (let count = 0; count < 16000; count++) ${keep};
        bodies.push(pieces, gathered);
      }
      parentPort.postMessage(bodies.length);
    });`;
  expect(await inSmallHeap(32, script('gathered.add(Buffer.alloc(1))'))).toBe(400);
  expect(await inSmallHeap(32, script('pieces.push(Buffer.alloc(1))'))).toBe('ERR_WORKER_OUT_OF_MEMORY');
});

test('an event of millions of empty data lines fits into a heap of 32 MB', async () => {
  const script = `
    const { parentPort } = require('node:worker_threads');
    import(${SSE}).then(({ SseDecoder }) => {
      const decoder = new SseDecoder();
      const lines = Buffer.from('data\\n'.repeat(10000));
      let isReadable = true;
      for (let chunk = 0; chunk < 300; chunk++) isReadable &&= decoder.push(lines, () => {});
      let length = 0;
      decoder.push(Buffer.from('\\n'), (payload) => { length = payload.length; });
      parentPort.postMessage([isReadable, length]);
    });`;
  expect(await inSmallHeap(32, script)).toEqual([true, 2_999_999]);
});
