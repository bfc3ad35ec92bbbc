import { z } from '@hono/zod-openapi';
import { locateKey, locateProject, type Located } from '../../accounts/references.ts';
import { isRefusal, refuse, type Refusal } from '../../../domain/refusals.ts';
import { findReceipt } from '../../ledger/receipts.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import { locateRefusal } from '../../refusals/refusal-search.ts';
import { answerRefusal, ok } from '../answers.ts';
import * as contract from './account-contract.ts';
import { type AdminApp, operatorRoute } from '../route-access.ts';

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
    request_id: z.string().optional().openapi({
      description: 'The `x-request-id` of a request with a receipt, or of one that was refused in the last 24 hours.',
    }),
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
    if (isRefusal(found)) return answerRefusal(c, found);
    return c.json({ workspace_id: found.workspaceId, id: found.id, kind: found.what }, 200);
  });
}

interface LocatedKind extends Located {
  readonly what: contract.LocationJson['kind'];
}

async function locate(
  sql: ControlSql,
  { project, key, request_id: requestId }: z.output<typeof query>,
): Promise<LocatedKind | Refusal> {
  if (project !== undefined) return ofKind('project', await locateProject(sql, project));
  if (key !== undefined) return ofKind('key', await locateKey(sql, key));
  return await locateRequest(sql, requestId ?? '');
}

function ofKind(what: LocatedKind['what'], found: Located | Refusal): LocatedKind | Refusal {
  return isRefusal(found) ? found : { ...found, what };
}

async function locateRequest(sql: ControlSql, id: string): Promise<LocatedKind | Refusal> {
  const receipt = await findReceipt(sql, id);
  // A receipt without an attempt doesn't say why there was none.
  const workspaceId = receipt !== null && receipt.attempts.length > 0 ? null : await locateRefusal(sql, id);
  if (workspaceId !== null) return { workspaceId, id, what: 'refusal' };
  if (receipt !== null) return { workspaceId: receipt.workspaceId, id, what: 'receipt' };
  return refuse(
    'NOT_FOUND',
    'There is no receipt with this request id, and no refusal of the last 24 hours: a receipt is left by requests that reached an upstream, and a refusal is recorded within seconds unless there are too many.',
  );
}
