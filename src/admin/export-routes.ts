import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import { findWorkspaceId } from '../accounts/references.ts';
import { isRefusal } from '../domain/refusals.ts';
import { exportEntries, exportReceipts } from '../ledger/export.ts';
import type { ControlSql } from '../lib/control-sql.ts';
import { answerRefusal, csv } from './answers.ts';
import { orBreakOff } from './break-off.ts';
import * as contract from './ledger-contract.ts';

const params = z.object({
  workspace: z.string().openapi({ description: 'Its id or its name.' }),
  what: z.enum(['receipts', 'entries'], { error: 'must be receipts or entries' }),
});

const exportRoute = createRoute({
  method: 'get',
  path: '/admin/v1/workspaces/{workspace}/export/{what}',
  tags: ['Ledger'],
  summary: "Download a workspace's receipts or ledger entries",
  request: { params, query: contract.exportQuery },
  responses: csv('The rows, under a line of column names.'),
});

/** Adds the route that streams a workspace's records; `onFault` hears why one has broken off. */
export function addExportRoutes(app: OpenAPIHono, sql: ControlSql, onFault: (fault: unknown) => void): void {
  app.openapi(exportRoute, async (c) => {
    const { workspace, what } = c.req.valid('param');
    const id = await findWorkspaceId(sql, workspace);
    if (isRefusal(id)) return answerRefusal(c, id);
    const { from, to } = c.req.valid('query');
    const range = { from: momentOf(from), to: momentOf(to) };
    const lines = what === 'receipts' ? exportReceipts(sql, id, range) : exportEntries(sql, id, range);
    const body = orBreakOff(c, await begun(lines), onFault);
    return c.body(body, 200, { 'content-type': 'text/csv; charset=utf-8' });
  });
}

function momentOf(text: string | undefined): Date | null {
  return text === undefined ? null : new Date(text);
}

/** The pages as a stream, once its first rows are there: what fails before is answered as it should be. */
async function begun(pages: AsyncGenerator<string, void, undefined>): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const encoder = new TextEncoder();
  const first = [await pages.next(), await pages.next()];
  async function* all(): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
    for (const page of first) if (page.done !== true) yield encoder.encode(page.value);
    for await (const page of pages) yield encoder.encode(page);
  }
  return ReadableStream.from(all());
}
