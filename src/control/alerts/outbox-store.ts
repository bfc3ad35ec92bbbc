import { placeIn, type ReadValue } from '../encryption/encrypted-column.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { retryDelayMs } from './back-off.ts';
import type { Notice, SendResult, StoredSecret } from './notice.ts';
import { INSTANCE_ID } from './notice-owner.ts';
import { FORMER_WEBHOOK_SECRET, WEBHOOK_SECRET } from './webhook-endpoints.ts';

// The outbox's rows. A claim makes a notice due again only once it lapses, so a process that dies while it sends leaves the
// notice to another. Its number, the count of attempts, keeps a claim that has lapsed from deciding about a later one.

/** Longer than any attempt may take. */
const CLAIM_SECONDS = 180;
const CANDIDATES = 200;
const ERROR_LENGTH_MAX = 300;

/** A claimed notice, and between whom places are shared. */
export interface ClaimedNotice {
  readonly notice: Notice;
  /** The workspace; for mails of the instance, such as links for new passwords, the recipient. */
  readonly owner: string;
  /** The endpoint, or the recipient. */
  readonly receiver: string;
}

/** Which notices are claimed. */
export interface ClaimRequest {
  readonly channel: Notice['channel'];
  readonly most: number;
  readonly exceptOwners?: readonly string[];
  readonly exceptReceivers?: readonly string[];
  /** Left out: any. */
  readonly receivers?: readonly string[];
}

const OWNER = `case when workspace_id = '${INSTANCE_ID}' and channel = 'mail' then recipient else workspace_id::text end`;
const RECEIVER = 'coalesce(endpoint_id::text, recipient)';

interface ClaimedRow {
  readonly owner: string;
  readonly receiver: string;
  readonly workspaceId: string;
  readonly id: string;
  readonly attempt: number;
  readonly giveUpAt: Date;
  readonly channel: Notice['channel'];
  readonly recipient: string;
  readonly subject: string | null;
  readonly html: string | null;
  readonly body: string;
  readonly endpointId: string | null;
  readonly secret: Buffer | null;
  readonly clearSecret: string | null;
  readonly former: Buffer | null;
  readonly clearFormer: string | null;
}

/** Whether any notice is due. */
export async function isAnyDue(sql: Pick<ControlSql, 'glance'>): Promise<boolean> {
  const [row] = await sql.glance<{ isDue: boolean }>(
    `select coalesce((
       select next_attempt_at from notices where state = 'waiting' order by next_attempt_at limit 1
     ) <= now(), false) as "isDue"`,
  );
  return row?.isDue === true;
}

/** Claims notices that are due, one of each owner at most; each has one claimant. One statement. */
export async function claimNotices(
  sql: SqlRunner,
  { channel, most, exceptOwners = [], exceptReceivers = [], receivers }: ClaimRequest,
): Promise<readonly ClaimedNotice[]> {
  const rows = await sql.query<ClaimedRow>(
    `with due as (
       select id, next_attempt_at, ${OWNER} as owner from notices
       where state = 'waiting' and next_attempt_at <= now() and channel = $2
         and ${OWNER} <> all ($3) and ${RECEIVER} <> all ($4) and ($5::text[] is null or ${RECEIVER} = any ($5))
       order by next_attempt_at limit ${CANDIDATES}
     ), ranked as (
       select id, next_attempt_at, row_number() over (partition by owner order by next_attempt_at, id) as place from due
     ), free as (
       select n.id from notices n join ranked r on r.id = n.id
       where n.state = 'waiting' and n.next_attempt_at <= now() and r.place = 1
       order by r.next_attempt_at limit $1 for update of n skip locked
     ), claimed as (
       update notices set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ${CLAIM_SECONDS})
       where id in (select id from free) returning *, ${OWNER} as owner, ${RECEIVER} as receiver
     )
     select c.owner, c.receiver, c.workspace_id as "workspaceId", c.id, c.attempts as attempt,
       c.give_up_at as "giveUpAt", c.channel, coalesce(e.url, c.recipient) as recipient, c.subject, c.html,
       coalesce(c.body, '') as body,
       e.id as "endpointId", e.encrypted_secret as secret, e.secret as "clearSecret",
       case when e.former_until > now() then e.encrypted_former_secret end as former,
       case when e.former_until > now() then e.former_secret end as "clearFormer"
     from claimed c left join webhook_endpoints e on e.workspace_id = c.workspace_id and e.id = c.endpoint_id`,
    [most, channel, exceptOwners, exceptReceivers, receivers ?? null],
  );
  return rows.map((row) => ({ notice: toNotice(row), owner: row.owner, receiver: row.receiver }));
}

function toNotice({ workspaceId, id, attempt, giveUpAt, channel, ...row }: ClaimedRow): Notice {
  const basics = { workspaceId, id, attempt, giveUpAt };
  if (channel === 'webhook') return { ...basics, channel, url: row.recipient, body: row.body, secrets: secretsOf(row) };
  return { ...basics, channel, to: row.recipient, subject: row.subject ?? '', text: row.body, html: row.html };
}

/** None if the endpoint was deleted. */
function secretsOf(
  row: Pick<ClaimedRow, 'endpointId' | 'secret' | 'clearSecret' | 'former' | 'clearFormer'>,
): readonly StoredSecret[] {
  const { endpointId } = row;
  if (endpointId === null) return [];
  const present: ReadValue = { encrypted: row.secret, clear: row.clearSecret };
  const former: ReadValue = { encrypted: row.former, clear: row.clearFormer };
  return [
    { place: placeIn(WEBHOOK_SECRET, endpointId), ...present },
    { place: placeIn(FORMER_WEBHOOK_SECRET, endpointId), ...former },
  ];
}

/**
 * Records the result of an attempt. `random` spreads the next one: from 0 to below 1. Returns whether the notice is given up
 * by it. One statement.
 */
export async function recordResult(
  sql: SqlRunner,
  notice: Pick<Notice, 'workspaceId' | 'id' | 'attempt'>,
  result: SendResult,
  random: number,
): Promise<boolean> {
  const { workspaceId, id, attempt } = notice;
  if (result.kind === 'sent') {
    // Also if the claim has lapsed: it has arrived.
    await sql.query(
      `update notices set state = 'sent', finished_at = now(), last_error = null, last_status = $3,
         body = case when is_secret then null else body end, html = case when is_secret then null else html end
       where workspace_id = $1 and id = $2 and state = 'waiting'`,
      [workspaceId, id, result.status],
    );
    return false;
  }
  const delayMs = result.kind === 'failed' ? Math.max(retryDelayMs(attempt, random), result.retryAfterMs) : null;
  const [row] = await sql.query<{ state: string }>(
    `with outcome as (
       select coalesce(now() + make_interval(secs => $4 / 1000.0) > give_up_at, true) as is_final from notices
       where workspace_id = $1 and id = $2
     )
     update notices set
       state = case when is_final then 'given_up' else 'waiting' end,
       finished_at = case when is_final then now() end,
       next_attempt_at = case when is_final then next_attempt_at else now() + make_interval(secs => $4 / 1000.0) end,
       body = case when is_final and is_secret then null else body end,
       html = case when is_final and is_secret then null else html end,
       last_error = $5, last_status = $6
     from outcome
     where workspace_id = $1 and id = $2 and state = 'waiting' and attempts = $3
     returning state`,
    [workspaceId, id, attempt, delayMs, result.reason.slice(0, ERROR_LENGTH_MAX), result.status],
  );
  return row?.state === 'given_up';
}

/** Deletes notices that ended a month ago. @throws DatabaseUnavailable */
export async function pruneNotices(sql: Sql): Promise<void> {
  await sql.query(
    `delete from notices where id in (
       select id from notices where finished_at < now() - interval '30 days' limit 10000
     )`,
  );
}
