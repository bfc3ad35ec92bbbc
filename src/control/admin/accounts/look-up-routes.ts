import type { z } from '@hono/zod-openapi';
import { findWorkspacePlace, locateKey, locateProject, type Located } from '../../accounts/references.ts';
import { isRefusal, refuse, type Refusal } from '../../../domain/refusals.ts';
import { findReceipt } from '../../ledger/receipts.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import { locateRefusal } from '../../refusals/refusal-search.ts';
import type * as contract from './account-contract.ts';
import type { AdminApp } from '../route-access.ts';
import { serve } from '../serve.ts';
import type { lookUpQuery } from './look-up-wire.ts';

/** Adds the route that finds the workspace of a thing, for the operator. */
export function addLookUpRoutes(app: AdminApp, { sql }: { readonly sql: ControlSql }): void {
  serve(app, 'lookUp', async ({ query, operator }) => {
    const found = await locate(sql, query);
    if (isRefusal(found)) return found;
    const { name, movedTo } = await findWorkspacePlace(sql, operator, found.workspaceId);
    return {
      workspace_id: found.workspaceId,
      workspace_name: name,
      moved_to: movedTo,
      id: found.id,
      kind: found.what,
    };
  });
}

interface LocatedKind extends Located {
  readonly what: contract.LocationJson['kind'];
}

async function locate(
  sql: ControlSql,
  { project, key, request_id: requestId }: z.output<typeof lookUpQuery>,
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
    'There is no receipt with this request id, and no refusal: a receipt is left by requests that reached an upstream, and a refusal is recorded within seconds, and kept for some time, unless there are too many.',
  );
}
