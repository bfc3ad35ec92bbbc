import { ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import type { SpanFate } from '../span-fate.ts';

/** Spans that wait; above it new ones are dropped. */
const WAITING_MAX = 2_048;
/** Spans of one export: making its bytes must not hold the event loop for long. */
const BATCH_MAX = 128;
/** How long the first span of a batch waits for others. */
const GATHER_MS = 1_000;

interface SpanQueueParts {
  readonly exporter: Pick<SpanExporter, 'export' | 'shutdown'>;
  readonly counted: (fate: SpanFate, spans: number) => void;
  readonly onFault: (fault: unknown) => void;
}

/**
 * Exports ended spans in batches, one at a time. Ending a span never waits: while the collector is slow or away, as many
 * spans wait as the queue takes, and the others are dropped and counted, as are those of an export that failed.
 */
export class SpanQueue implements SpanProcessor {
  readonly #parts: SpanQueueParts;
  #waiting: ReadableSpan[] = [];
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #isOver = false;

  constructor(parts: SpanQueueParts) {
    this.#parts = parts;
  }

  onStart(): void {
    // Spans are exported once they have ended.
  }

  onEnd(span: ReadableSpan): void {
    if (this.#isOver || this.#waiting.length >= WAITING_MAX) {
      this.#parts.counted('queue_full', 1);
      return;
    }
    this.#waiting.push(span);
    if (this.#waiting.length >= BATCH_MAX) this.#run();
    else this.#timer ??= setTimeout(() => this.#run(), GATHER_MS).unref();
  }

  /** Exports all that waits. */
  async forceFlush(): Promise<void> {
    this.#run();
    await this.#running;
  }

  async shutdown(): Promise<void> {
    await this.forceFlush();
    this.#isOver = true;
    await this.#parts.exporter.shutdown?.();
  }

  /** Drops all that waits, since there is no more time for it. */
  abandon(): void {
    this.#isOver = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const dropped = this.#waiting.splice(0).length;
    if (dropped > 0) this.#parts.counted('export_failed', dropped);
  }

  #run(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#running ??= this.#exportAll().finally(() => {
      this.#running = null;
      if (this.#waiting.length > 0) this.#run();
    });
  }

  async #exportAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH_MAX);
      const fault = await this.#export(batch);
      this.#parts.counted(fault === null ? 'exported' : 'export_failed', batch.length);
      if (fault !== null) this.#parts.onFault(fault);
    }
  }

  /** Resolves to the reason of a failure; null if there is none. */
  #export(batch: ReadableSpan[]): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    try {
      this.#parts.exporter.export(batch, ({ code, error }) =>
        resolve(code === ExportResultCode.SUCCESS ? null : (error ?? 'no reason given')),
      );
    } catch (fault) {
      resolve(fault);
    }
    return promise;
  }
}
