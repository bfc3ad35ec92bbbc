import { definedFields } from '../../../lib/defined-fields.ts';
import { z } from '@hono/zod-openapi';
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
import * as contract from './alert-contract.ts';
import { alertJson, alertRuleJson, requestedRule, requestedRuleChange } from './alert-representations.ts';
import { answerRefusal, created, json, ok } from '../answers.ts';
import { id } from '../contract-fields.ts';
import { pageJson, pageOf, pageQuery, requestedPage } from '../pages.ts';
import { type AdminApp, expectedVersion, inWorkspace, operatorRoute, workspaceRoute } from '../route-access.ts';

const tags = ['Alerts'];
const ruleId = { rule: id.openapi({ description: 'The id of an alert rule.' }) };
const alertQuery = pageQuery.extend(contract.alertFilter);
const rulesAnswer = ok(pageOf(contract.alertRule), 'The rules, oldest first.');
const ruleAnswer = ok(contract.alertRule, 'The rule.');
const alertsAnswer = ok(pageOf(contract.alert), 'Alerts of the last 400 days, newest first.');

const list = workspaceRoute('alerts:read', {
  operationId: 'listAlertRules',
  method: 'get',
  path: '/alert-rules',
  tags,
  summary: 'List the alert rules of a workspace',
  request: { params: z.object(inWorkspace), query: pageQuery },
  responses: rulesAnswer,
});

const create = workspaceRoute('alerts:write', {
  operationId: 'createAlertRule',
  refuses: ['CONFLICT'],
  method: 'post',
  path: '/alert-rules',
  tags,
  summary: 'Create an alert rule',
  request: {
    params: z.object(inWorkspace),
    body: json(contract.alertRuleCreation, {
      name: 'Credit is low',
      kind: 'balance_below',
      threshold_usd: '20.00',
      mail_roles: ['owner', 'billing'],
    }),
  },
  responses: created(contract.alertRule, 'The new rule.'),
});

const update = workspaceRoute('alerts:write', {
  operationId: 'updateAlertRule',
  isVersioned: true,
  method: 'patch',
  path: '/alert-rules/{rule}',
  tags,
  summary: 'Change an alert rule',
  request: {
    params: z.object({ ...inWorkspace, ...ruleId }),
    body: json(contract.alertRuleUpdate, { enabled: false }),
  },
  responses: ruleAnswer,
});

const remove = workspaceRoute('alerts:write', {
  operationId: 'deleteAlertRule',
  isVersioned: true,
  method: 'delete',
  path: '/alert-rules/{rule}',
  tags,
  summary: 'Delete an alert rule; its alerts stay in the history',
  request: { params: z.object({ ...inWorkspace, ...ruleId }) },
  responses: ok(contract.alertRule, 'The deleted rule.'),
});

const alerts = workspaceRoute('alerts:read', {
  operationId: 'listAlerts',
  method: 'get',
  path: '/alerts',
  tags,
  summary: 'List the alerts of a workspace',
  request: { params: z.object(inWorkspace), query: alertQuery },
  responses: alertsAnswer,
});

const listOwn = operatorRoute({
  operationId: 'listInstanceAlertRules',
  method: 'get',
  path: '/alert-rules',
  tags,
  summary: "List the operator's alert rules",
  request: { query: pageQuery },
  responses: rulesAnswer,
});

const updateOwn = operatorRoute({
  operationId: 'updateInstanceAlertRule',
  isVersioned: true,
  method: 'patch',
  path: '/alert-rules/{rule}',
  tags,
  summary: "Change one of the operator's alert rules",
  request: { params: z.object(ruleId), body: json(contract.alertRuleUpdate, { enabled: false }) },
  responses: ruleAnswer,
});

const ownAlerts = operatorRoute({
  operationId: 'listInstanceAlerts',
  method: 'get',
  path: '/alerts',
  tags,
  summary: "List the operator's alerts",
  request: { query: alertQuery },
  responses: alertsAnswer,
});

interface AlertParts {
  readonly sql: ControlSql;
}

/** Adds the routes of alert rules and alerts. */
export function addAlertRoutes(app: AdminApp, { sql }: AlertParts): void {
  app.openapi(list, async (c) => c.json(await rulesPage(sql, c.var.scope, c.req.valid('query')), 200));
  app.openapi(listOwn, async (c) => c.json(await rulesPage(sql, c.var.operator, c.req.valid('query')), 200));
  app.openapi(create, async (c) => {
    const given = c.req.valid('json');
    const settings = requestedRule(given);
    if (isRefusal(settings)) return answerRefusal(c, settings);
    const rule = await createAlertRule(sql, c.var.scope, settings, given.once ?? null);
    return isRefusal(rule) ? answerRefusal(c, rule) : c.json(await ruleJson(sql, c.var.scope, rule), 201);
  });
  app.openapi(update, async (c) => {
    const version = expectedVersion(c);
    if (isRefusal(version)) return answerRefusal(c, version);
    const change = { id: c.req.valid('param').rule, given: c.req.valid('json'), version };
    const rule = await changeRule(sql, c.var.scope, change);
    return isRefusal(rule) ? answerRefusal(c, rule) : c.json(await ruleJson(sql, c.var.scope, rule), 200);
  });
  app.openapi(updateOwn, async (c) => {
    const version = expectedVersion(c);
    if (isRefusal(version)) return answerRefusal(c, version);
    const change = { id: c.req.valid('param').rule, given: c.req.valid('json'), version };
    const rule = await changeRule(sql, c.var.operator, change);
    return isRefusal(rule) ? answerRefusal(c, rule) : c.json(await ruleJson(sql, c.var.operator, rule), 200);
  });
  app.openapi(remove, async (c) => {
    const version = expectedVersion(c);
    if (isRefusal(version)) return answerRefusal(c, version);
    const rule = await deleteAlertRule(sql, c.var.scope, { id: c.req.valid('param').rule, version });
    return isRefusal(rule) ? answerRefusal(c, rule) : c.json(await ruleJson(sql, c.var.scope, rule), 200);
  });
  app.openapi(alerts, async (c) => c.json(await alertsPage(sql, c.var.scope, c.req.valid('query')), 200));
  app.openapi(ownAlerts, async (c) => c.json(await alertsPage(sql, c.var.operator, c.req.valid('query')), 200));
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
