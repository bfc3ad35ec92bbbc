import { versionConflict } from '../audit/versions.ts';
import { type AuditedFields, changedFields, recordAudit } from '../audit/audit.ts';
import { makeChange } from '../audit/change.ts';
import { reserveCreation } from '../audit/once.ts';
import { subjectKindOf } from '../../domain/alert-kinds.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import type { OperatorScope, WorkspaceScope } from '../../domain/workspace-scope.ts';
import { type Page, type PageRequest, readPage } from '../../lib/page.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { isComparedKind, isInstanceKind, type LaterDefault, type RuleSettings, THRESHOLD_MAX } from './alert-kinds.ts';
import { isMailAddress } from '../../domain/mail-address.ts';
import { INSTANCE_ID, ownerOf } from './notice-owner.ts';
import { readRuleSubjects } from './rule-subjects.ts';
import { newId } from '../../lib/uuid7.ts';

/** A rule as it stands. */
export interface AlertRule extends RuleSettings {
  readonly id: string;
  readonly version: number;
  readonly createdAt: Date;
}

/** What can be changed of a rule. Another kind or subject is another rule. */
export type RuleChange = Partial<Pick<RuleSettings, 'name' | 'threshold' | 'mailRoles' | 'mailTo' | 'enabled'>>;

const RULES_MAX = 50;
/** Which default rules workspaces are given now: `alert_watches.defaults_version`. */
export const DEFAULTS_VERSION = 3;
const ADDRESSES_MAX = 20;

/** The columns of a rule, as `AlertRule` names them. */
export const RULE_COLUMNS = `id, name, kind, threshold, subject_id as "subjectId", mail_roles as "mailRoles",
  mail_to as "mailTo", enabled, version, created_at as "createdAt"`;

type Scope = WorkspaceScope | OperatorScope;

const noRule = (): Refusal => refuse('NOT_FOUND', 'There is no such alert rule.');

/**
 * Makes a rule, which counts from the next look of the watch on. A repetition under the same `once` makes none. Refused if
 * it can't be what it says.
 */
export async function createAlertRule(
  sql: Sql,
  scope: Scope,
  settings: RuleSettings,
  once: string | null = null,
): Promise<AlertRule | Refusal> {
  const workspaceId = ownerOf(scope);
  const refusal = refuseSettings(settings, workspaceId);
  if (refusal !== null) return refusal;
  return await makeChange(sql, async (tx) => {
    const id = newId();
    const former = await reserveCreation(tx, scope, { kind: 'alert_rule', id, once, request: audited(settings) });
    if (isRefusal(former)) return former;
    if (former !== null) return (await showAlertRule(tx, scope, former)) ?? noRule();
    const unknown = await refuseSubject(tx, scope, settings);
    if (unknown !== null) return unknown;
    const [counted] = await tx.query<{ count: bigint }>(
      'select count(*) as count from alert_rules where workspace_id = $1',
      [workspaceId],
    );
    if (Number(counted?.count) >= RULES_MAX) {
      return refuse('CONFLICT', `There are ${RULES_MAX} alert rules already: delete one first.`);
    }
    const rule = await insertRule(tx, workspaceId, settings, id);
    await lookAgain(tx, workspaceId);
    await recordAudit(tx, scope, { action: 'alert_rule.create', target: target(rule), after: audited(rule) });
    return rule;
  });
}

/** Writes a rule that was checked. */
export async function insertRule(
  tx: SqlRunner,
  workspaceId: string,
  settings: RuleSettings,
  id: string = newId(),
): Promise<AlertRule> {
  const { name, kind, threshold, subjectId, mailRoles, mailTo, enabled } = settings;
  const [row] = await tx.query<{ createdAt: Date }>(
    `insert into alert_rules (workspace_id, id, name, kind, threshold, subject_id, mail_roles, mail_to, enabled)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning created_at as "createdAt"`,
    [workspaceId, id, name, kind, threshold, subjectId, mailRoles, mailTo, enabled],
  );
  return { ...settings, id, version: 1, createdAt: row?.createdAt ?? new Date() };
}

/** Gives each of these workspaces the rules, in one statement. */
export async function insertDefaultRules(
  tx: SqlRunner,
  workspaceIds: readonly string[],
  defaults: readonly RuleSettings[],
): Promise<void> {
  const rows = workspaceIds.flatMap((workspaceId) =>
    defaults.map(({ name, kind, threshold, mailRoles }) => ({
      workspace_id: workspaceId,
      id: newId(),
      name,
      kind,
      threshold: threshold?.toString() ?? null,
      mail_roles: mailRoles,
    })),
  );
  await tx.query(
    `insert into alert_rules (workspace_id, id, name, kind, threshold, mail_roles, mail_to)
     select r.*, '{}' from jsonb_to_recordset($1::jsonb)
       as r (workspace_id uuid, id uuid, name text, kind text, threshold bigint, mail_roles text[])`,
    [JSON.stringify(rows)],
  );
}

/** From this number of keys on, a workspace from before the default rules of keys is not given them. */
const KEYS_MANY = 1_000;

/**
 * Gives workspaces that were there before these rules each of a kind of which they have none, once: what is deleted later stays
 * deleted. Left out are rules of keys for workspaces with very many, and those that have no room for more rules.
 */
export async function insertLaterDefaults(
  tx: SqlRunner,
  workspaceIds: readonly string[],
  defaults: readonly LaterDefault[],
): Promise<void> {
  const found = await tx.query<{
    id: string;
    given: number;
    kinds: readonly string[];
    count: bigint;
    hasManyKeys: boolean;
  }>(
    `select w.id, watch.defaults_version as given, array(select distinct kind from alert_rules r where r.workspace_id = w.id) as kinds,
       (select count(*) from alert_rules r where r.workspace_id = w.id) as count,
       (select count(*) from (select from keys k where k.workspace_id = w.id limit ${KEYS_MANY}) first) = ${KEYS_MANY} as "hasManyKeys"
     from unnest($1::uuid[]) as w (id) join alert_watches watch on watch.workspace_id = w.id`,
    [workspaceIds],
  );
  for (const { id, given, kinds, count, hasManyKeys } of found) {
    const missing = defaults.filter(
      ({ kind, since }) => since > given && !kinds.includes(kind) && !(hasManyKeys && kind === 'key_limit'),
    );
    if (Number(count) + missing.length <= RULES_MAX) await insertDefaultRules(tx, [id], missing);
  }
  await tx.query(`update alert_watches set defaults_version = ${DEFAULTS_VERSION} where workspace_id = any ($1)`, [
    workspaceIds,
  ]);
}

/** A page of the rules, oldest first. */
export async function listAlertRules(sql: SqlRunner, scope: Scope, page: PageRequest = {}): Promise<Page<AlertRule>> {
  return await readPage(page, async (after, count) =>
    sql.query<AlertRule>(
      `select ${RULE_COLUMNS} from alert_rules
       where workspace_id = $1 and ($2::uuid is null or id > $2) order by id limit $3`,
      [ownerOf(scope), after, count],
    ),
  );
}

/** One rule; null if there is none. */
export async function showAlertRule(sql: SqlRunner, scope: Scope, id: string): Promise<AlertRule | null> {
  const [rule] = await sql.query<AlertRule>(
    `select ${RULE_COLUMNS} from alert_rules where workspace_id = $1 and id = $2`,
    [ownerOf(scope), id],
  );
  return rule ?? null;
}

/**
 * Changes what is given. `version`, if given, must be the present one. A rule that is disabled is armed again by that.
 */
export async function updateAlertRule(
  sql: Sql,
  scope: Scope,
  { id, given, version }: { readonly id: string; readonly given: RuleChange; readonly version: number | null },
): Promise<AlertRule | Refusal> {
  return await changeRule(sql, scope, { id, version }, async (tx, before) => {
    const settings = { ...before, ...given };
    const refusal = refuseSettings(settings, ownerOf(scope));
    if (refusal !== null) return refusal;
    const { name, threshold, mailRoles, mailTo, enabled } = settings;
    const [rule] = await tx.query<AlertRule>(
      `update alert_rules set name = $3, threshold = $4, mail_roles = $5, mail_to = $6, enabled = $7, version = version + 1
       where workspace_id = $1 and id = $2 returning ${RULE_COLUMNS}`,
      [ownerOf(scope), id, name, threshold, mailRoles, mailTo, enabled],
    );
    if (rule === undefined) return noRule();
    if (!enabled) await resolveAlertsOf(tx, scope, id);
    await lookAgain(tx, ownerOf(scope));
    const changed = changedFields(audited(before), audited(rule));
    await recordAudit(tx, scope, { action: 'alert_rule.update', target: target(rule), ...changed });
    return rule;
  });
}

/** Deletes a rule. Its alerts stay in the history. */
export async function deleteAlertRule(
  sql: Sql,
  scope: Scope,
  { id, version }: { readonly id: string; readonly version: number | null },
): Promise<AlertRule | Refusal> {
  return await changeRule(sql, scope, { id, version }, async (tx, before) => {
    await tx.query('delete from alert_rules where workspace_id = $1 and id = $2', [ownerOf(scope), id]);
    await resolveAlertsOf(tx, scope, id);
    await recordAudit(tx, scope, { action: 'alert_rule.delete', target: target(before), before: audited(before) });
    return before;
  });
}

async function changeRule(
  sql: Sql,
  scope: Scope,
  { id, version }: { readonly id: string; readonly version: number | null },
  change: (tx: SqlRunner, before: AlertRule) => Promise<AlertRule | Refusal>,
): Promise<AlertRule | Refusal> {
  return await makeChange(sql, async (tx) => {
    const [before] = await tx.query<AlertRule>(
      `select ${RULE_COLUMNS} from alert_rules where workspace_id = $1 and id = $2 for update`,
      [ownerOf(scope), id],
    );
    if (before === undefined) return noRule();
    return versionConflict(before.version, version) ?? (await change(tx, before));
  });
}

/** Has the watch look at the workspace although no money has moved there. */
async function lookAgain(tx: SqlRunner, workspaceId: string): Promise<void> {
  await tx.query(`update alert_watches set looked_at = '-infinity' where workspace_id = $1`, [workspaceId]);
}

async function resolveAlertsOf(tx: SqlRunner, scope: Scope, ruleId: string): Promise<void> {
  await tx.query(
    'update alerts set resolved_at = now() where workspace_id = $1 and rule_id = $2 and resolved_at is null',
    [ownerOf(scope), ruleId],
  );
}

function refuseSettings(settings: RuleSettings, workspaceId: string): Refusal | null {
  const { kind, threshold, subjectId, mailTo } = settings;
  const wrong = (message: string, param: string): Refusal => refuse('INVALID_REQUEST', message, { param });
  if (isInstanceKind(kind) !== (workspaceId === INSTANCE_ID)) {
    return wrong(`Rules of the kind ${kind} are ${isInstanceKind(kind) ? "the operator's" : "a workspace's"}.`, 'kind');
  }
  if (!isComparedKind(kind)) {
    if (threshold !== null) return wrong(`Rules of the kind ${kind} have no threshold.`, 'threshold');
  } else if (threshold === null || threshold <= 0n || threshold > THRESHOLD_MAX[kind]) {
    return wrong(`The threshold of ${kind} is above zero and at most ${THRESHOLD_MAX[kind]}.`, 'threshold');
  }
  if (subjectId !== null && subjectKindOf(kind) === null) {
    return wrong(`Rules of the kind ${kind} are about no one project or key.`, 'subject_id');
  }
  if (mailTo.length > ADDRESSES_MAX) return wrong(`Name ${ADDRESSES_MAX} addresses at most.`, 'mail_to');
  const bad = mailTo.find((address) => !isMailAddress(address));
  return bad === undefined ? null : wrong(`"${bad}" is not a mail address.`, 'mail_to');
}

/** A rule about a project or key that is not there would never raise an alert. */
async function refuseSubject(tx: SqlRunner, scope: Scope, { kind, subjectId }: RuleSettings): Promise<Refusal | null> {
  if (subjectId === null) return null;
  const what = subjectKindOf(kind);
  const subject = (await readRuleSubjects(tx, scope, [subjectId])).get(subjectId);
  if (subject?.kind === what) return null;
  return refuse('INVALID_REQUEST', `There is no such ${what} in this workspace.`, { param: 'subject_id' });
}

function audited(rule: RuleSettings): AuditedFields {
  const { name, kind, threshold, subjectId, mailRoles, mailTo, enabled } = rule;
  return {
    name,
    kind,
    threshold: threshold?.toString() ?? null,
    subject_id: subjectId,
    mail_roles: mailRoles,
    mail_to: mailTo,
    enabled,
  };
}

function target({ id, name }: AlertRule): { readonly kind: string; readonly id: string; readonly name: string } {
  return { kind: 'alert_rule', id, name };
}
