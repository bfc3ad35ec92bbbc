import { randomBytes } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { SinkConfig } from '../../config/config.ts';
import type { Delivery, SinkBatch, SinkDelivery } from './sink-batch.ts';
import type { SinkOutcome, SinkTask, SinkThreadData } from './sink-thread.ts';

const THREAD = new URL('./sink-thread.ts', import.meta.url);
/** How much longer than a write a delivery may take: the thread parses and redacts before. */
const PARSE_MS_MAX = 60_000;

interface Waiting {
  readonly resolve: (delivery: Delivery) => void;
  readonly timer: NodeJS.Timeout;
}

/** Delivers to one sink in a thread, which begins with the first batch. If it fails or hangs, another takes its place. */
export class ThreadedDelivery implements SinkDelivery {
  readonly #sink: SinkConfig;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #tasks = 0;

  constructor(sink: SinkConfig) {
    this.#sink = sink;
  }

  deliver(batch: SinkBatch): Promise<Delivery> {
    const { promise, resolve } = Promise.withResolvers<Delivery>();
    const task = this.#tasks++;
    const withinMs = this.#sink.timeoutMs + PARSE_MS_MAX;
    const timer = setTimeout(() => this.#fail(`a delivery took longer than ${withinMs} ms`), withinMs).unref();
    this.#waiting.set(task, { resolve, timer });
    this.#worker ??= this.#start();
    this.#worker.postMessage({ task, batch } satisfies SinkTask, buffersOf(batch));
    return promise;
  }

  /** Ends the thread; what it has not delivered by then fails. */
  stop(): void {
    this.#fail('the program stops');
  }

  #start(): Worker {
    const data: SinkThreadData = { sink: this.#sink, process: randomBytes(4).toString('hex') };
    // Its output is of no use, and not read: a stopping program would wait for a stream that is being read.
    const worker = new Worker(THREAD, { workerData: data, env: {}, stdout: true, stderr: true });
    worker.unref();
    worker.on('message', ({ task, delivery }: SinkOutcome) => this.#settle(task, delivery));
    worker.on('error', (fault) => {
      if (this.#worker === worker) this.#fail(`the thread of the sink failed: ${String(fault)}`);
    });
    return worker;
  }

  #settle(task: number, delivery: Delivery): void {
    const waiting = this.#waiting.get(task);
    if (waiting === undefined) return;
    this.#waiting.delete(task);
    clearTimeout(waiting.timer);
    waiting.resolve(delivery);
  }

  #fail(reason: string): void {
    this.#worker?.terminate().catch(() => undefined);
    this.#worker = null;
    for (const task of this.#waiting.keys()) this.#settle(task, { ok: false, reason, isFinal: false });
  }
}

function buffersOf({ records }: SinkBatch): ArrayBuffer[] {
  return records.flatMap((record) => {
    if (typeof record === 'string') return [];
    return record.answer === null ? [record.prompt.buffer] : [record.prompt.buffer, record.answer.buffer];
  });
}
