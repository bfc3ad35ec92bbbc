import type { NanoUsd } from '../../domain/money.ts';
import type { Role } from '../../domain/roles.ts';
import type { OperatorScope, WorkspaceScope } from '../../domain/workspace-scope.ts';
import { type Page, type PageRequest, readPage } from '../../lib/page.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import type { AlertKind } from '../../domain/alert-kinds.ts';
import type { AlertRule } from './alert-rules.ts';
import { mailTextOf } from './alert-text.ts';
import { isMailAddress } from '../../domain/mail-address.ts';
import { queueMail } from './mail-queue.ts';
import { INSTANCE_ID, ownerOf } from './notice-owner.ts';
import { queueWebhooks } from './webhook-queue.ts';
import { newId } from '../../lib/uuid7.ts';

export type SubjectKind = 'workspace' | 'project' | 'key' | 'member' | 'provider' | 'ledger';

/** What has crossed a rule's threshold, as it stands. */
export interface Crossing {
  readonly subjectKind: SubjectKind;
  readonly subjectId: string;
  readonly subjectName: string;
  /** The window of the budget or limit; null: there is none. */
  readonly window: { readonly start: Date; readonly end: Date | null } | null;
  /** The sentence that people read. */
  readonly summary: string;
  /** What was compared: a balance with the amount it should not fall below, or what is used with its limit. */
  readonly value: NanoUsd | null;
  readonly limit: NanoUsd | null;
  /** The page on which the reader can act; left out: there is none. */
  readonly url?: string | null;
}

/** A crossing as it was recorded. */
export interface Alert {
  readonly id: string;
  readonly ruleId: string;
  readonly kind: AlertKind;
  readonly subjectKind: SubjectKind;
  readonly subjectId: string;
  readonly subjectName: string;
  readonly summary: string;
  readonly threshold: bigint | null;
  readonly value: NanoUsd | null;
  readonly limit: NanoUsd | null;
  /** The page on which the reader can act; null: none. */
  readonly url: string | null;
  readonly raisedAt: Date;
  /** When the value was back, or the window had ended; null: not yet. */
  readonly resolvedAt: Date | null;
}

/** Which alerts a list shows; each field that is left out lets all through. */
export interface AlertFilter {
  readonly isOpen?: boolean;
  readonly ruleId?: string;
}

/** How people are found who are to be notified. */
export interface Notifying {
  /** Whether mails can be sent at all. */
  readonly canMail: boolean;
  /** The addresses of members with these roles; of the operators, if the workspace is the instance. */
  readonly addressesOf: (tx: SqlRunner, workspaceId: string, roles: readonly Role[]) => Promise<readonly string[]>;
}

/** Whose alerts they are. */
export interface AlertOwner {
  readonly workspaceId: string;
  readonly workspaceName: string;
}

const COLUMNS = `id, rule_id as "ruleId", kind, subject_kind as "subjectKind", subject_id as "subjectId",
  subject_name as "subjectName", summary, threshold, value_nano_usd as value, limit_nano_usd as "limit", url,
  raised_at as "raisedAt", resolved_at as "resolvedAt"`;

const RECIPIENTS_MAX = 50;
/** More alerts of one moment are counted in a webhook's body, not listed. */
const LISTED_MAX = 100;

/**
 * Records crossings of a rule, and queues the notices about them, in the caller's transaction. A crossing that is open
 * already is none: one alert for one crossing, however often it is found. Returns how many are new.
 */
export async function raiseAlerts(
  tx: SqlRunner,
  { workspaceId, workspaceName }: AlertOwner,
  { rule, crossings }: { readonly rule: AlertRule; readonly crossings: readonly Crossing[] },
  notifying: Notifying,
): Promise<number> {
  if (crossings.length === 0) return 0;
  // The rule may have been deleted or disabled since it was read; from here on that waits.
  const [standing] = await tx.query(
    'select 1 from alert_rules where workspace_id = $1 and id = $2 and enabled for share',
    [workspaceId, rule.id],
  );
  if (standing === undefined) return 0;
  const rows = crossings.map((crossing) => ({
    id: newId(),
    subject_kind: crossing.subjectKind,
    subject_id: crossing.subjectId,
    subject_name: crossing.subjectName,
    window_start: crossing.window?.start.toISOString() ?? '-infinity',
    window_end: crossing.window?.end?.toISOString() ?? null,
    summary: crossing.summary,
    // More than a number in JSON holds.
    value: crossing.value?.toString() ?? null,
    limit: crossing.limit?.toString() ?? null,
    url: crossing.url ?? null,
  }));
  const raised = await tx.query<Alert>(
    `insert into alerts (workspace_id, id, rule_id, kind, threshold, subject_kind, subject_id, subject_name,
       window_start, window_end, summary, value_nano_usd, limit_nano_usd, url)
     select $1, r.id, $2, $3, $4, r.subject_kind, r.subject_id, r.subject_name, r.window_start, r.window_end, r.summary,
       r.value, r."limit", r.url
     from jsonb_to_recordset($5::jsonb) as r (id uuid, subject_kind text, subject_id text, subject_name text,
       window_start timestamptz, window_end timestamptz, summary text, value bigint, "limit" bigint, url text)
     on conflict (workspace_id, rule_id, subject_id, window_start) where resolved_at is null do nothing
     returning ${COLUMNS}`,
    [workspaceId, rule.id, rule.kind, rule.threshold, JSON.stringify(rows)],
  );
  const [first] = raised;
  if (first === undefined) return 0;
  const owner = { workspaceId, workspaceName };
  await queueWebhooks(tx, workspaceId, { type: 'alerts.raised', fields: webhookFields(owner, rule, raised) });
  await queueMails(tx, owner, { rule, raised, first }, notifying);
  return raised.length;
}

async function queueMails(
  tx: SqlRunner,
  { workspaceId, workspaceName }: AlertOwner,
  { rule, raised, first }: { readonly rule: AlertRule; readonly raised: readonly Alert[]; readonly first: Alert },
  { canMail, addressesOf }: Notifying,
): Promise<void> {
  if (!canMail) return;
  const members = rule.mailRoles.length === 0 ? [] : await addressesOf(tx, workspaceId, rule.mailRoles);
  const addresses = [...new Set([...rule.mailTo, ...members])].filter(isMailAddress).slice(0, RECIPIENTS_MAX);
  const mail = mailTextOf({
    kind: rule.kind,
    ruleName: rule.name,
    workspaceName: workspaceId === INSTANCE_ID ? null : workspaceName,
    summaries: raised.map(({ summary }) => summary),
    url: first.url,
  });
  for (const to of addresses) await queueMail(tx, { ...mail, to, workspaceId, once: `alert ${first.id} ${to}` });
}

function webhookFields(
  { workspaceId, workspaceName }: AlertOwner,
  rule: AlertRule,
  raised: readonly Alert[],
): Record<string, unknown> {
  const isInstance = workspaceId === INSTANCE_ID;
  return {
    workspace: isInstance ? null : { id: workspaceId, name: workspaceName },
    rule: { id: rule.id, name: rule.name, kind: rule.kind, threshold: rule.threshold?.toString() ?? null },
    alerts: raised.slice(0, LISTED_MAX).map((alert) => ({
      id: alert.id,
      subject: { kind: alert.subjectKind, id: alert.subjectId, name: alert.subjectName },
      summary: alert.summary,
      value_nano_usd: alert.value?.toString() ?? null,
      limit_nano_usd: alert.limit?.toString() ?? null,
      url: alert.url,
      raised_at: alert.raisedAt.toISOString(),
    })),
    unlisted: Math.max(0, raised.length - LISTED_MAX),
  };
}

/** Marks alerts of these workspaces as over, so that their rules are armed again. */
export async function resolveAlerts(
  tx: SqlRunner,
  workspaceIds: readonly string[],
  alertIds: readonly string[],
): Promise<void> {
  if (alertIds.length === 0) return;
  await tx.query(
    `update alerts set resolved_at = now() where workspace_id = any ($1) and id = any ($2) and resolved_at is null`,
    [workspaceIds, alertIds],
  );
}

/** A page of the alerts, newest first. */
export async function listAlerts(
  sql: SqlRunner,
  scope: WorkspaceScope | OperatorScope,
  filter: AlertFilter,
  page: PageRequest = {},
): Promise<Page<Alert>> {
  return await readPage(page, async (after, count) =>
    sql.query<Alert>(
      `select ${COLUMNS} from alerts
       where workspace_id = $1 and ($2::uuid is null or id < $2) and ($3::uuid is null or rule_id = $3)
         and ($4::boolean is null or (resolved_at is null) = $4)
       order by id desc limit $5`,
      [ownerOf(scope), after, filter.ruleId ?? null, filter.isOpen ?? null, count],
    ),
  );
}

/** Deletes alerts that ended more than 400 days ago, a bounded number at a time. */
export async function pruneAlerts(tx: SqlRunner): Promise<void> {
  await tx.query(
    `delete from alerts where id in (
       select id from alerts where resolved_at < now() - interval '400 days' order by resolved_at limit 1000
     )`,
  );
}
