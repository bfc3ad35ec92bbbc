import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import type { LoopNote } from './loop-notes.ts';

// Loaded into a started program before anything else: notes now and then how long its event loop has computed, and without a
// pause, where that was long. It goes by the thread's own processor time, as a machine that is busy with other things
// stretches every other measure.

const EVERY_MS = 2;
const LONG_MS = 10;
const NOTED_MS = 20;
const MICROSECONDS = 1_000;

function computedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / MICROSECONDS;
}

const file = process.env['LOOP_PROBE'];
if (isMainThread && file !== undefined) {
  let before = computedMs();
  let notedMs = 0;
  setInterval(() => {
    const now = computedMs();
    const atMs = Date.now();
    const stretchMs = now - before;
    if (stretchMs >= LONG_MS || atMs - notedMs >= NOTED_MS) {
      const note: LoopNote = { pid: process.pid, atMs, stretchMs, computedMs: now };
      appendFileSync(file, `${JSON.stringify(note)}\n`);
      notedMs = atMs;
    }
    before = computedMs();
  }, EVERY_MS).unref();
}
