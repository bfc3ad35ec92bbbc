import { homeDays, lastDay, lastMonthSoFar } from '../../../domain/home-stretches.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import type { Permission } from '../../../domain/roles.ts';
import { authorise, type WorkspaceScope } from '../../../domain/workspace-scope.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type { Pacer } from '../../../lib/pacer.ts';
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
  readonly pacer: Pacer;
}

/** What the home page shows besides what asks for attention, as the operations on each of it answer it; null where they refuse. */
export async function readFigures(
  { sql, reports, pacer }: FigureSources,
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
  const usage = (query: Partial<WorkspaceUsageQuery>) =>
    part('usage:read', (scope) =>
      usageIn({ sql: reports, pacer }, scope, { compare: false, latency: false, ...query }),
    );
  const nowMs = Date.now();
  const [workspace, receipts, days, ofLastDay, ofLastMonth] = await Promise.all([
    // A role that sees its own things alone sees no workspace.
    part('workspace:read', async (scope) => (scope.ownOnlyOf === null ? await showWorkspace(sql, scope) : null)),
    part('receipts:read', (scope) => receiptsIn({ sql: reports, pacer }, scope, { limit: RECEIPTS })),
    usage({ ...homeDays(nowMs), bucket: 'day' }),
    usage({ ...lastDay(nowMs), latency: true }),
    usage(lastMonthSoFar(nowMs)),
  ]);
  return {
    workspace: workspace && workspaceJson(workspace),
    receipts,
    days,
    last_day: ofLastDay,
    last_month: ofLastMonth,
  };
}
