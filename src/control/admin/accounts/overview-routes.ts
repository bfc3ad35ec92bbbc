import { findExpiringKeys, findNearLimits } from '../../accounts/near-limits.ts';
import { listAlerts } from '../../alerts/alerts.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import { authorise, seesCosts, type WorkspaceScope } from '../../../domain/workspace-scope.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type { Pacer } from '../../../lib/pacer.ts';
import { showPaymentSettings } from '../../payments/payment-settings.ts';
import { countRefusals } from '../../refusals/refusal-search.ts';
import { alertJson } from '../alerts/alert-representations.ts';
import { answerLong } from '../long-answers.ts';
import { recordJson } from '../record-json.ts';
import { type FigureSources, readFigures } from './home-figures.ts';
import { nearLimit, type OverviewJson } from './overview-contract.ts';
import type { AdminApp } from '../route-access.ts';
import { serve } from '../serve.ts';

const ALERTS_MAX = 10;

/** What parts of an overview take, each. */
const PARTS = ['projects:read', 'keys:read', 'credit:read', 'alerts:read', 'receipts:read', 'usage:read'] as const;

/** Adds the route of a workspace's overview. */
export function addOverviewRoutes(
  app: AdminApp,
  { sql, reports = sql, pacer }: Partial<FigureSources> & { readonly sql: ControlSql; readonly pacer: Pacer },
): void {
  serve(app, 'showOverview', async ({ scope, query, c }) => {
    const rights = PARTS.filter((permission) => !isRefusal(authorise(scope.act, permission, scope.workspaceId)));
    const seen = `${scope.workspaceId} ${rights.join(' ')} ${seesCosts(scope)} ${scope.ownOnlyOf}`;
    const [figures, attention] = await Promise.all([
      query.figures ? pacer.sharedSlice(`figures ${seen}`, () => readFigures({ sql, reports }, scope)) : null,
      pacer.sharedSlice(`overview ${seen}`, () => readOverview(sql, scope)),
    ]);
    return await answerLong<OverviewJson>(c, { ...attention, figures });
  });
}

async function readOverview(sql: ControlSql, scope: WorkspaceScope): Promise<Omit<OverviewJson, 'figures'>> {
  const { act, workspaceId } = scope;
  /** Reads a part that takes another right; nothing without it. */
  const part = async <Part, None>(
    permission: (typeof PARTS)[number],
    none: None,
    read: (scope: WorkspaceScope) => Promise<Part>,
  ): Promise<Part | None> => {
    const partScope = authorise(act, permission, workspaceId);
    return isRefusal(partScope) ? none : await read(partScope);
  };
  const projects = await part('projects:read', [], (own) => findNearLimits(sql, own, 'project'));
  const keys = await part('keys:read', [], (own) => findNearLimits(sql, own, 'key'));
  const expiring = await part('keys:read', [], (own) => findExpiringKeys(sql, own));
  const payments = await part('credit:read', null, (own) => showPaymentSettings(sql, own));
  const alerts = await part('alerts:read', null, (own) =>
    listAlerts(sql, own, { isOpen: true }, { limit: ALERTS_MAX }),
  );
  const refused = await part('receipts:read', { recorded: 0, unrecorded: 0 }, (own) =>
    countRefusals(sql, own, Date.now()),
  );
  return {
    refused,
    near_limits: [...projects, ...keys].map((each) => recordJson(nearLimit, each)),
    expiring_keys: expiring.map(({ id, name, expiresAt }) => ({ id, name, expires_at: expiresAt.toISOString() })),
    auto_top_up_stop: payments?.auto.stop ?? null,
    open_alerts: alerts?.items.map(alertJson) ?? [],
  };
}
