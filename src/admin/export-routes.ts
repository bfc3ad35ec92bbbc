import { z } from '@hono/zod-openapi';
import { isRefusal, refuse, type Refusal } from '../domain/refusals.ts';
import { exportEntries, exportReceipts } from '../ledger/export.ts';
import { Bulkhead, BulkheadFull } from '../lib/bulkhead.ts';
import type { Clock } from '../lib/clock.ts';
import type { ControlSql } from '../lib/control-sql.ts';
import type { Pacer } from '../lib/pacer.ts';
import { answerRefusal, records } from './answers.ts';
import { type Bytes, destroyOnFault } from './long-answers.ts';
import * as contract from './ledger-contract.ts';
import type { ReceiptChoice } from './ledger-contract.ts';
import { requestedReceipts } from './requested-receipts.ts';
import { type AdminApp, workspaceRoute } from './route-access.ts';

const params = z.object({
  workspace: z.string().openapi({ description: 'Id or name.' }),
  what: z.enum(['receipts', 'entries'], { error: 'must be receipts or entries' }),
});

const exportRoute = workspaceRoute('exports:read', {
  operationId: 'exportRecords',
  method: 'get',
  path: '/export/{what}',
  tags: ['Ledger'],
  summary: "Download a workspace's receipts or ledger entries",
  request: { params, query: contract.exportQuery },
  responses: records('CSV with a header line, or one JSON object per line.'),
});

interface ExportParts {
  readonly sql: ControlSql;
  readonly pacer: Pacer;
  readonly exports: Bulkhead;
  /** Called with the fault that ended an export early. */
  readonly onFault: (fault: unknown) => void;
}

/** The media types of exports. */
export const EXPORT_TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const;
const EXPORTS_MAX = 2;
const RETRY_AFTER_MS = 10_000;

/** Limits exports to two at a time. A third is refused, since it might have to wait for minutes. */
export function createExportLimit(clock: Pick<Clock, 'after'>): Bulkhead {
  return new Bulkhead({ clock, places: EXPORTS_MAX, longPlaces: EXPORTS_MAX, waitingMax: 0, waitMsMax: 0 });
}

/** Adds the route that streams a workspace's records. */
export function addExportRoutes(app: AdminApp, { sql, pacer, exports, onFault }: ExportParts): void {
  app.openapi(exportRoute, async (c) => {
    const { what } = c.req.valid('param');
    const { scope } = c.var;
    const { from, to, format = 'csv', ...choice } = c.req.valid('query');
    const range = { from: momentOf(from), to: momentOf(to) };
    const chosen = what === 'receipts' ? await requestedReceipts(sql, scope, choice) : refuseChoice(choice);
    if (isRefusal(chosen)) return answerRefusal(c, chosen);
    const leave = await enterExport(exports);
    if (isRefusal(leave)) return answerRefusal(c, leave);
    const parts = { sql, pacer };
    const slices =
      what === 'receipts'
        ? exportReceipts(parts, scope, { ...range, choice: chosen }, format)
        : exportEntries(parts, scope, range, format);
    const body = destroyOnFault(c, await openStream(slices, leave), onFault);
    return c.body(body, 200, { 'content-type': EXPORT_TYPES[format] });
  });
}

/** Entries are of postings, which have no key, model or outcome. */
function refuseChoice(choice: ReceiptChoice): Refusal | Record<string, never> {
  const [param] = Object.keys(choice);
  return param === undefined
    ? {}
    : refuse('INVALID_REQUEST', `"${param}" chooses receipts, and entries have none.`, { param });
}

function momentOf(text: string | undefined): Date | null {
  return text === undefined ? null : new Date(text);
}

/** Takes a place among the exports. */
export async function enterExport(exports: Bulkhead): Promise<(() => void) | Refusal> {
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
export async function openStream(slices: AsyncGenerator<string, void, undefined>, leave: () => void): Promise<Bytes> {
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
