import { homeDays, lastDay, lastMonthSoFar } from '../../../domain/home-stretches.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import type { Permission } from '../../../domain/roles.ts';
import { authorise, type WorkspaceScope } from '../../../domain/workspace-scope.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import { WITHIN_SLICE } from '../../../lib/pacer.ts';
import type { Lazy } from '../../../lib/slices.ts';
import { showWorkspace } from '../../accounts/workspaces.ts';
import { workspaceJson } from '../representations.ts';
import { receiptsIn } from '../requests/receipt-list-routes.ts';
import type { WorkspaceUsageQuery } from '../usage/usage-contract.ts';
import { usageIn } from '../usage/usage-routes.ts';
import type { HomeFiguresJson } from './overview-contract.ts';

const RECEIPTS = 5;

export interface FigureSources {
  readonly sql: ControlSql;
  /** Where usage and receipts are read; they may be behind. */
  readonly reports: ControlSql;
}

/**
 * What the home page shows besides what asks for attention, as the operations on each of it answer it; null where they refuse. Takes
 * one slice of a pacer.
 */
export async function readFigures(
  { sql, reports }: FigureSources,
  { act, workspaceId }: WorkspaceScope,
): Promise<Lazy<HomeFiguresJson>> {
  const part = async <Part>(
    permission: Permission,
    read: (scope: WorkspaceScope) => Promise<Part | Refusal>,
  ): Promise<Part | null> => {
    const scope = authorise(act, permission, workspaceId);
    const found = isRefusal(scope) ? scope : await read(scope);
    return isRefusal(found) ? null : found;
  };
  const reading = { sql: reports, pacer: WITHIN_SLICE };
  const usage = (query: Partial<WorkspaceUsageQuery>) =>
    part('usage:read', (scope) => usageIn(reading, scope, { compare: false, latency: false, ...query }));
  const nowMs = Date.now();
  // One after the other, on one connection: a slice does not take those of others.
  return {
    // A role that sees its own things alone sees no workspace.
    workspace: await part('workspace:read', async (scope) => {
      const workspace = scope.ownOnlyOf === null ? await showWorkspace(sql, scope) : null;
      return workspace === null || isRefusal(workspace) ? workspace : workspaceJson(workspace);
    }),
    receipts: await part('receipts:read', (scope) => receiptsIn(reading, scope, { limit: RECEIPTS })),
    days: await usage({ ...homeDays(nowMs), bucket: 'day' }),
    last_day: await usage({ ...lastDay(nowMs), latency: true }),
    last_month: await usage(lastMonthSoFar(nowMs)),
  };
}
