import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Loaded into a started program before anything else: notes how long its event loop computed without a pause, where that
// was long. It goes by the thread's own processor time, as a machine that is busy with other things stretches every other
// measure.

const EVERY_MS = 2;
const LONG_MS = 10;
const MICROSECONDS = 1_000;

function computedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / MICROSECONDS;
}

const file = process.env['LOOP_PROBE'];
if (isMainThread && file !== undefined) {
  let before = computedMs();
  setInterval(() => {
    const now = computedMs();
    const ms = now - before;
    if (ms >= LONG_MS) appendFileSync(file, `${JSON.stringify({ pid: process.pid, atMs: Date.now(), ms })}\n`);
    before = computedMs();
  }, EVERY_MS).unref();
}
