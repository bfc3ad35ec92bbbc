import type { Context } from 'hono';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import type { ExportFormat } from '../ledger/export.ts';
import { Bulkhead, BulkheadFull } from '../../lib/bulkhead.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import type { Pacer } from '../../lib/pacer.ts';
import { type Bytes, destroyOnFault } from './long-answers.ts';

// The answer that every export has: it takes a place among the exports, and its rows are sent as the client reads them.

/** What a route needs that has an export. */
export interface ExportDependencies {
  readonly sql: ControlSql;
  readonly pacer: Pacer;
  /** The places of the exports under way. */
  readonly exports: Bulkhead;
  /** Called with the fault that ended an export early. */
  readonly onFault: (fault: unknown) => void;
}

const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
};
const EXPORTS_MAX = 2;
const RETRY_AFTER_MS = 10_000;

/** Limits exports to two at a time. A third is refused, since it might have to wait for minutes. */
export function createExportLimit(clock: Pick<Clock, 'after'>): Bulkhead {
  return new Bulkhead({ clock, places: EXPORTS_MAX, longPlaces: EXPORTS_MAX, waitingMax: 0, waitMsMax: 0 });
}

/** Answers with the slices, which are not begun before there is a place for them, or refuses. */
export async function answerExport(
  c: Context,
  { exports, onFault }: Pick<ExportDependencies, 'exports' | 'onFault'>,
  format: ExportFormat,
  slices: AsyncGenerator<string, void, undefined>,
) {
  const leave = await enter(exports);
  if (isRefusal(leave)) return leave;
  const body = destroyOnFault(c, await openStream(slices, leave), onFault);
  return c.body(body, 200, { 'content-type': MEDIA_TYPES[format] });
}

/** Takes a place among the exports. */
async function enter(exports: Bulkhead): Promise<(() => void) | Refusal> {
  return await exports.enter().catch((fault: unknown) => {
    if (!(fault instanceof BulkheadFull)) throw fault;
    const message = 'Two exports are running already, which is the limit: try again when one has ended.';
    return refuse('SERVICE_UNAVAILABLE', message, { retryAfterMs: RETRY_AFTER_MS });
  });
}

/**
 * The slices as a stream. Resolves with the first rows, so that a failure before them gets a status of its own. `leave`
 * is called when the stream ends, fails or is cancelled.
 */
async function openStream(slices: AsyncGenerator<string, void, undefined>, leave: () => void): Promise<Bytes> {
  const encoder = new TextEncoder();
  const read = async (): Promise<Uint8Array<ArrayBuffer> | null> => {
    try {
      const slice = await slices.next();
      if (slice.done !== true) return encoder.encode(slice.value);
      leave();
      return null;
    } catch (fault) {
      leave();
      throw fault;
    }
  };
  const first = [await read(), await read()];
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const slice = first.length > 0 ? first.shift() : await read();
        if (slice === null || slice === undefined) controller.close();
        else controller.enqueue(slice);
      },
      async cancel() {
        leave();
        await slices.return();
      },
    },
    { highWaterMark: 0 },
  );
}
