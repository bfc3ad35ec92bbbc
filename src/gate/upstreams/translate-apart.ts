import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ownTurn } from '../../lib/own-turn.ts';
import type { TranslatedRequest } from './translated-request.ts';
import type { Translation } from './translation.ts';

// Large requests are translated in a thread, one at a time: 32 MiB take up to half a second, which would block all
// others. The event loop only copies the body, and only when the thread is free, so that copies don't pile up.

const THREAD = new URL('./translation-thread.ts', import.meta.url);

/** A thread that is idle for this long is ended, to free its memory. */
const IDLE_MS_MAX = 60_000;

/**
 * Longer than any request takes on an overloaded machine. The thread is ended then, so that other requests can proceed.
 */
const TASK_MS_MAX = 60_000;

let thread: Worker | null = null;
let idleTimer: NodeJS.Timeout | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Translates a request apart from the event loop, after earlier ones; null if it isn't wanted any
 * more by then. Rejects if the translation itself fails.
 */
export function translateApart(translation: Translation, isWanted: () => boolean): Promise<TranslatedRequest | null> {
  const translated = last.then(() => (isWanted() ? translateNext(translation) : null));
  last = translated.catch(() => undefined);
  return translated;
}

async function translateNext(translation: Translation): Promise<TranslatedRequest> {
  await ownTurn();
  clearTimeout(idleTimer);
  thread ??= startThread();
  const worker = thread;
  // The request keeps its own, for another route.
  const body = Uint8Array.from(translation.body);
  worker.ref();
  worker.postMessage({ ...translation, body }, [body.buffer]);
  try {
    const [translated] = (await once(worker, 'message', { signal: AbortSignal.timeout(TASK_MS_MAX) })) as [
      TranslatedRequest,
    ];
    if (!translated.ok) return translated;
    const { buffer, byteOffset, length } = translated.made;
    return { ...translated, made: Buffer.from(buffer, byteOffset, length) };
  } catch (error) {
    endThread();
    throw error;
  } finally {
    worker.unref();
    idleTimer = setTimeout(endThread, IDLE_MS_MAX).unref();
  }
}

function startThread(): Worker {
  // The thread's output is useless, and not read: a stopping program would wait for a stream that is being read.
  const worker = new Worker(THREAD, { env: {}, stdout: true, stderr: true });
  // Waiting requests fail as well.
  worker.on('error', () => undefined);
  return worker;
}

function endThread(): void {
  thread?.terminate().catch(() => undefined);
  thread = null;
}
