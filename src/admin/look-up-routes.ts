import { z } from '@hono/zod-openapi';
import { locateKey, locateProject, type Located } from '../accounts/references.ts';
import { isRefusal, refuse, type Refusal } from '../domain/refusals.ts';
import { findReceipt } from '../ledger/receipts.ts';
import type { ControlSql } from '../lib/control-sql.ts';
import { answerRefusal, ok } from './answers.ts';
import * as contract from './account-contract.ts';
import { type AdminApp, operatorRoute } from './route-access.ts';

const ONE_HELP = 'must be one of project, key and request_id';

const query = z
  .strictObject({
    project: z
      .string()
      .optional()
      .openapi({ description: 'Its id, `workspace/project` by their names, or its name if no other has it.' }),
    key: z
      .string()
      .optional()
      .openapi({ description: 'Its id, or the part between `fg_live_` and `…` in its masked form.' }),
    request_id: z.string().optional().openapi({ description: 'The `x-request-id` of a request with a receipt.' }),
  })
  .refine((given) => Object.values(given).filter((value) => value !== undefined).length === 1, ONE_HELP);

const lookUp = operatorRoute({
  operationId: 'lookUp',
  refuses: ['NOT_FOUND'],
  method: 'get',
  path: '/look-up',
  tags: ['Instance'],
  summary: 'Find the workspace of a project, a key or a request',
  request: { query },
  responses: ok(contract.location, 'The ids by which the routes of that workspace take it.'),
});

/** Adds the route that finds the workspace of a thing, for the operator. */
export function addLookUpRoutes(app: AdminApp, { sql }: { readonly sql: ControlSql }): void {
  app.openapi(lookUp, async (c) => {
    const found = await locate(sql, c.req.valid('query'));
    return isRefusal(found) ? answerRefusal(c, found) : c.json({ workspace_id: found.workspaceId, id: found.id }, 200);
  });
}

async function locate(
  sql: ControlSql,
  { project, key, request_id: requestId }: z.output<typeof query>,
): Promise<Located | Refusal> {
  if (project !== undefined) return await locateProject(sql, project);
  if (key !== undefined) return await locateKey(sql, key);
  const receipt = await findReceipt(sql, requestId ?? '');
  if (receipt !== null) return { workspaceId: receipt.workspaceId, id: receipt.requestId };
  return refuse(
    'NOT_FOUND',
    'There is no receipt with this request id: only requests that reached an upstream leave one.',
  );
}
