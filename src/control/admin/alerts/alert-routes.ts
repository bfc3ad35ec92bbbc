import { definedFields } from '../../../lib/defined-fields.ts';
import type { z } from '@hono/zod-openapi';
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
import type { OperatorScope, WorkspaceScope } from '../../../domain/workspace-scope.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type * as contract from './alert-contract.ts';
import { alertJson, alertRuleJson, requestedRule, requestedRuleChange } from './alert-representations.ts';
import { pageJson, type pageQuery, requestedPage } from '../pages.ts';
import type { AdminApp } from '../route-access.ts';
import { serve } from '../serve.ts';
import type { alertQuery } from './alert-wire.ts';

interface AlertParts {
  readonly sql: ControlSql;
}

/** Adds the routes of alert rules and alerts. */
export function addAlertRoutes(app: AdminApp, { sql }: AlertParts): void {
  serve(app, 'listAlertRules', async ({ scope, query }) => await rulesPage(sql, scope, query));
  serve(app, 'listInstanceAlertRules', async ({ operator, query }) => await rulesPage(sql, operator, query));
  serve(app, 'createAlertRule', async ({ scope, body }) => {
    const settings = requestedRule(body);
    if (isRefusal(settings)) return settings;
    const rule = await createAlertRule(sql, scope, settings, body.once ?? null);
    return isRefusal(rule) ? rule : await ruleJson(sql, scope, rule);
  });
  serve(app, 'updateAlertRule', async ({ scope, params, body, version }) => {
    const change = { id: params.rule, given: body, version };
    const rule = await changeRule(sql, scope, change);
    return isRefusal(rule) ? rule : await ruleJson(sql, scope, rule);
  });
  serve(app, 'updateInstanceAlertRule', async ({ operator, params, body, version }) => {
    const change = { id: params.rule, given: body, version };
    const rule = await changeRule(sql, operator, change);
    return isRefusal(rule) ? rule : await ruleJson(sql, operator, rule);
  });
  serve(app, 'deleteAlertRule', async ({ scope, params, version }) => {
    const rule = await deleteAlertRule(sql, scope, { id: params.rule, version });
    return isRefusal(rule) ? rule : await ruleJson(sql, scope, rule);
  });
  serve(app, 'listAlerts', async ({ scope, query }) => await alertsPage(sql, scope, query));
  serve(app, 'listInstanceAlerts', async ({ operator, query }) => await alertsPage(sql, operator, query));
}

type Scope = WorkspaceScope | OperatorScope;

async function rulesPage(sql: ControlSql, scope: Scope, query: z.output<typeof pageQuery>) {
  const page = await listAlertRules(sql, scope, requestedPage(query));
  const subjects = await subjectsOf(sql, scope, page.items);
  return pageJson(page, (rule) => alertRuleJson(rule, subjects));
}

async function ruleJson(sql: ControlSql, scope: Scope, rule: AlertRule): Promise<contract.AlertRuleJson> {
  return alertRuleJson(rule, await subjectsOf(sql, scope, [rule]));
}

async function subjectsOf(sql: ControlSql, scope: Scope, rules: readonly AlertRule[]) {
  const ids = rules.flatMap(({ subjectId }) => (subjectId === null ? [] : [subjectId]));
  return await readRuleSubjects(sql, scope, ids);
}

async function alertsPage(sql: ControlSql, scope: Scope, query: z.output<typeof alertQuery>) {
  const { open, rule } = query;
  const filter: AlertFilter = definedFields({
    isOpen: open === undefined ? undefined : open === 'true',
    ruleId: rule,
  });
  return pageJson(await listAlerts(sql, scope, filter, requestedPage(query)), alertJson);
}

/** The threshold's field goes by the kind of the rule, which never changes. */
async function changeRule(
  sql: ControlSql,
  scope: Scope,
  change: { readonly id: string; readonly given: contract.AlertRuleUpdate; readonly version: number | null },
): ReturnType<typeof updateAlertRule> {
  const rule = await showAlertRule(sql, scope, change.id);
  if (rule === null) return noRule();
  const given = requestedRuleChange(rule.kind, change.given);
  return isRefusal(given) ? given : await updateAlertRule(sql, scope, { ...change, given });
}

function noRule(): Refusal {
  return refuse('NOT_FOUND', 'There is no such alert rule.');
}
