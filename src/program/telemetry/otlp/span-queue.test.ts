import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { expect, test, vi } from 'vitest';
import type { SpanFate } from '../span-fate.ts';
import { SpanQueue } from './span-queue.ts';

type Done = (result: { code: number; error?: Error }) => void;

/** A queue in front of a collector that answers when the test says so. */
function queueOf() {
  const exports: { readonly spans: number; readonly done: Done }[] = [];
  const fates: Record<SpanFate, number> = { exported: 0, queue_full: 0, export_failed: 0 };
  const faults: unknown[] = [];
  const shutdown = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const queue = new SpanQueue({
    exporter: { export: (spans, done) => void exports.push({ spans: spans.length, done }), shutdown },
    counted: (fate, spans) => void (fates[fate] += spans),
    onFault: (fault) => void faults.push(fault),
  });
  const add = (spans: number): void => {
    for (let at = 0; at < spans; at++) queue.onEnd({} as ReadableSpan);
  };
  return { queue, add, exports, fates, faults, shutdown };
}

test('spans are exported in batches, one at a time', async () => {
  const { queue, add, exports, fates } = queueOf();
  add(300);
  const flushed = queue.forceFlush();
  expect(exports.map(({ spans }) => spans)).toEqual([128]);
  for (let at = 0; at < 3; at++) {
    await vi.waitFor(() => expect(exports).toHaveLength(at + 1));
    exports[at]?.done({ code: 0 });
  }
  await flushed;
  expect(exports.map(({ spans }) => spans)).toEqual([128, 128, 44]);
  expect(fates).toEqual({ exported: 300, queue_full: 0, export_failed: 0 });
});

test('while a collector hangs, as many spans wait as the queue takes, and all others are counted as dropped', () => {
  const { queue, add, fates } = queueOf();
  add(128 + 2_048 + 5);
  expect(fates).toEqual({ exported: 0, queue_full: 5, export_failed: 0 });
  queue.abandon();
  expect(fates).toEqual({ exported: 0, queue_full: 5, export_failed: 2_048 });
  add(1);
  expect(fates.queue_full).toBe(6);
});

test('the spans of an export that failed are counted and not sent again, and the next ones are', async () => {
  const { queue, add, exports, fates, faults, shutdown } = queueOf();
  add(128);
  exports[0]?.done({ code: 1, error: new Error('away') });
  await vi.waitFor(() => expect(fates.export_failed).toBe(128));
  expect(faults).toEqual([new Error('away')]);
  add(2);
  const over = queue.shutdown();
  await vi.waitFor(() => expect(exports).toHaveLength(2));
  exports[1]?.done({ code: 0 });
  await over;
  expect(fates.exported).toBe(2);
  expect(shutdown).toHaveBeenCalledOnce();
});
