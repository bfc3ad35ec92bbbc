import { definedFields } from '../../../lib/defined-fields.ts';
import {
  type AlertRule,
  createAlertRule,
  deleteAlertRule,
  listAlertRules,
  showAlertRule,
  updateAlertRule,
} from '../../alerts/alert-rules.ts';
import { type AlertFilter, listAlerts } from '../../alerts/alerts.ts';
import { readRuleSubjects } from '../../alerts/rule-subjects.ts';
import { isRefusal, refuse, type Refusal } from '../../../domain/refusals.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type * as contract from './alert-contract.ts';
import { alertJson, alertRuleJson, requestedRule, requestedRuleChange } from './alert-representations.ts';
import { pageJson, pagesOf, requestedPage } from '../pages.ts';
import type { AdminApp } from '../route-access.ts';
import { type Owner, serve, serveOwned } from '../serve.ts';

interface AlertParts {
  readonly sql: ControlSql;
}

/** Adds the routes of alert rules and alerts. */
export function addAlertRoutes(app: AdminApp, { sql }: AlertParts): void {
  const shown = async (owner: Owner, rule: AlertRule | Refusal): Promise<contract.AlertRuleJson | Refusal> =>
    isRefusal(rule) ? rule : alertRuleJson(rule, await subjectsOf(sql, owner, [rule]));
  serveOwned(app, 'listAlertRules', async ({ owner, query }) => {
    const page = await listAlertRules(sql, owner, requestedPage(query));
    const subjects = await subjectsOf(sql, owner, page.items);
    return pageJson(page, (rule) => alertRuleJson(rule, subjects));
  });
  serve(app, 'createAlertRule', async ({ scope, body }) => {
    const settings = requestedRule(body);
    if (isRefusal(settings)) return settings;
    return await shown(scope, await createAlertRule(sql, scope, settings, body.once ?? null));
  });
  serveOwned(app, 'updateAlertRule', async ({ owner, params, body, version }) =>
    shown(owner, await changeRule(sql, owner, { id: params.rule, given: body, version })),
  );
  serve(app, 'deleteAlertRule', async ({ scope, params, version }) =>
    shown(scope, await deleteAlertRule(sql, scope, { id: params.rule, version })),
  );
  serveOwned(app, 'listAlerts', pagesOf(alertJson), ({ owner, query }) => {
    const { open, rule: ruleId } = query;
    const filter: AlertFilter = definedFields({ isOpen: open === undefined ? undefined : open === 'true', ruleId });
    return listAlerts(sql, owner, filter, requestedPage(query));
  });
}

async function subjectsOf(sql: ControlSql, owner: Owner, rules: readonly AlertRule[]) {
  const ids = rules.flatMap(({ subjectId }) => (subjectId === null ? [] : [subjectId]));
  return await readRuleSubjects(sql, owner, ids);
}

/** The threshold's field goes by the kind of the rule, which never changes. */
async function changeRule(
  sql: ControlSql,
  owner: Owner,
  change: { readonly id: string; readonly given: contract.AlertRuleUpdate; readonly version: number | null },
): ReturnType<typeof updateAlertRule> {
  const rule = await showAlertRule(sql, owner, change.id);
  if (rule === null) return refuse('NOT_FOUND', 'There is no such alert rule.');
  const given = requestedRuleChange(rule.kind, change.given);
  return isRefusal(given) ? given : await updateAlertRule(sql, owner, { ...change, given });
}
