import { actorName } from '../../domain/actor.ts';
import { formatUsd, type NanoUsd } from '../../domain/money.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import type { ENDING_PERIODS } from '../../domain/window.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import { type Page, type PageRequest, readPage } from '../../lib/page.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Sql, SqlFault, type SqlRunner } from '../../lib/sql.ts';
import { newId } from '../../lib/uuid7.ts';
import { doEach } from './do-each.ts';
import { CREDIT_MAX, refuseMoreCredit } from './postings.ts';
import { recordAudit } from '../audit/audit.ts';
import { reserveCreation } from '../audit/once.ts';

// Grants that are posted at the begin of each day, week or month (UTC): the credit of a plan. The database posts each period's once,
// whichever process does it first.

/** When the credit of a period expires: at its end, some days after its begin, or never. */
export const GRANT_EXPIRIES = ['with_period', 'after_days', 'never'] as const;

export type GrantExpiry = (typeof GRANT_EXPIRIES)[number];

export interface RecurringGrantRequest {
  /** Nano-USD of each period. */
  readonly amount: NanoUsd;
  readonly period: (typeof ENDING_PERIODS)[number];
  readonly expires: GrantExpiry;
  /** Those days; null unless it expires after some. */
  readonly expiresAfterDays: number | null;
  /** The first period: the present one, whose credit is posted now, or the next one. */
  readonly starts: 'now' | 'next';
  readonly reason: string;
  readonly once?: string | null;
}

export interface RecurringGrant extends Omit<RecurringGrantRequest, 'starts' | 'once'> {
  readonly id: string;
  readonly actor: string;
  readonly createdAt: Date;
  /** The begin of the next period for which it will be posted; null once it has ended, or its workspace is closed. */
  readonly nextAt: Date | null;
  readonly endedAt: Date | null;
}

const SELECT = `
  select id, amount_nano_usd as amount, period, reason, actor, created_at as "createdAt", ended_at as "endedAt",
    case when ended_at is null and not exists (
      select from workspaces where workspaces.id = recurring_grants.workspace_id and closing_at is not null
    ) then next_at end as "nextAt",
    expires_after_days as "expiresAfterDays",
    case when expires_with_period then 'with_period' when expires_after_days is null then 'never' else 'after_days' end as expires
  from recurring_grants`;

async function readRecurringGrant(sql: SqlRunner, workspaceId: string, id: string): Promise<RecurringGrant | Refusal> {
  const [row] = await sql.query<RecurringGrant>(`${SELECT} where workspace_id = $1 and id = $2`, [workspaceId, id]);
  return row ?? refuse('NOT_FOUND', 'There is no such recurring grant.');
}

/** The recurring grants of a workspace, the newest first. */
export async function listRecurringGrants(
  sql: SqlRunner,
  { workspaceId }: WorkspaceScope,
  page: PageRequest = {},
): Promise<Page<RecurringGrant>> {
  return await readPage(page, (after, count) =>
    sql.query<RecurringGrant>(
      `${SELECT} where workspace_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
      [workspaceId, after, count],
    ),
  );
}

/** A recurring grant that was made by this request, or by the one that it repeats. */
export interface CreatedRecurringGrant extends RecurringGrant {
  readonly repeated: boolean;
}

/** How many periods are posted in one transaction. */
const PERIODS_MAX = 50;

/** Makes a recurring grant in the transaction given, and posts the present period's if it starts now. Refused if the workspace is closed. */
export async function createRecurringGrant(
  tx: SqlRunner,
  scope: WorkspaceScope,
  { once = null, ...request }: RecurringGrantRequest,
): Promise<CreatedRecurringGrant | Refusal> {
  const { workspaceId } = scope;
  const { amount, period, expires, expiresAfterDays, starts, reason } = request;
  const id = newId();
  const digested = { ...request, amount: amount.toString() };
  const former = await reserveCreation(tx, scope, { kind: 'recurring_grant', id, once, request: digested });
  if (isRefusal(former)) return former;
  if (former !== null) return repeatedOf(await readRecurringGrant(tx, workspaceId, former), true);
  const [workspace] = await tx.query<{ closed: boolean }>(
    'select closing_at is not null as closed from workspaces where id = $1 for share',
    [workspaceId],
  );
  if (workspace === undefined) return refuse('NOT_FOUND', 'There is no such workspace.');
  if (workspace.closed) return refuse('CONFLICT', 'The workspace has been closed, and takes no more credit.');
  if (starts === 'now' && expires === 'after_days' && (await hasExpired(tx, period, expiresAfterDays ?? 0))) {
    const message = `The credit of the present ${period} would have expired already, ${expiresAfterDays} days after it began: let it expire later, or start with the next ${period}.`;
    return refuse('INVALID_REQUEST', message, { param: 'starts' });
  }
  if (starts === 'now' && !(await hasRoomFor(tx, workspaceId, amount))) return refuseMoreCredit();
  await tx.query(
    `insert into recurring_grants (
       workspace_id, id, amount_nano_usd, period, expires_with_period, expires_after_days, reason, actor, next_at
     ) select $1, $2, $3, $4, $5, $6, $7, $8,
       (date_trunc($4, now() at time zone 'UTC') + case when $9 then '0 days' else '1 ' || $4 end::interval) at time zone 'UTC'`,
    [
      workspaceId,
      id,
      amount,
      period,
      expires === 'with_period',
      expiresAfterDays,
      reason,
      actorName(scope.act.actor),
      starts === 'now',
    ],
  );
  await recordAudit(tx, scope, {
    action: 'recurring_grant.create',
    target: { kind: 'recurring_grant', id, name: nameOf(request) },
    after: {
      amount_nano_usd: amount.toString(),
      period,
      expires,
      expires_after_days: expiresAfterDays,
      starts,
      reason,
    },
  });
  await tx.query('select post_recurring_grant($1, $2)', [id, PERIODS_MAX]);
  return repeatedOf(await readRecurringGrant(tx, workspaceId, id), false);
}

/** Whether credit of the present period, which expires so many days after that began, would be expired now. */
async function hasExpired(tx: SqlRunner, period: RecurringGrantRequest['period'], days: number): Promise<boolean> {
  const [row] = await tx.query<{ isOver: boolean }>(
    `select (date_trunc($1, clock_timestamp() at time zone 'UTC') at time zone 'UTC') + make_interval(days => $2) <= clock_timestamp()
       as "isOver"`,
    [period, days],
  );
  return row?.isOver === true;
}

/** Whether the workspace may have so much more credit. Until the transaction's end, no other posting takes that room. */
async function hasRoomFor(tx: SqlRunner, workspaceId: string, amount: NanoUsd): Promise<boolean> {
  const [purse] = await tx.query<{ fits: boolean }>(
    `select limit_nano_usd - owed_nano_usd + $2::numeric <= $3 as fits from purses
     where workspace_id = $1 and kind = 'credit' and subject_id = $1 for no key update`,
    [workspaceId, amount, CREDIT_MAX],
  );
  return purse?.fits ?? true;
}

function repeatedOf(grant: RecurringGrant | Refusal, repeated: boolean): CreatedRecurringGrant | Refusal {
  return isRefusal(grant) ? grant : { ...grant, repeated };
}

function nameOf({ amount, period }: Pick<RecurringGrant, 'amount' | 'period'>): string {
  return `${formatUsd(amount)} USD each ${period}`;
}

/** Ends a recurring grant in the transaction given: credit that it has given stays until that expires. One that has ended stays as it is. */
export async function endRecurringGrant(
  tx: SqlRunner,
  scope: WorkspaceScope,
  id: string,
): Promise<RecurringGrant | Refusal> {
  const { workspaceId } = scope;
  const ended = await tx.query(
    'update recurring_grants set ended_at = now() where workspace_id = $1 and id = $2 and ended_at is null returning id',
    [workspaceId, id],
  );
  const grant = await readRecurringGrant(tx, workspaceId, id);
  if (isRefusal(grant) || ended.length === 0) return grant;
  assert(grant.endedAt !== null, 'a recurring grant that was just ended has ended');
  await recordAudit(tx, scope, {
    action: 'recurring_grant.end',
    target: { kind: 'recurring_grant', id, name: nameOf(grant) },
    before: { ended_at: null },
    after: { ended_at: grant.endedAt.toISOString() },
  });
  return grant;
}

const GRANTS_MAX = 500;
/** What is refused is tried again after this time, then after twice as long each time, up to the longest. */
const RETRY_MS = 60_000;
const RETRY_MS_MAX = 3_600_000;

/** Posts recurring grants, as one process does it. */
export class RecurringGrantPosting {
  readonly #sql: Sql;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** Those whose posting was refused: no longer than they are due. */
  #refused = new Map<string, { readonly waitMs: number; readonly atMs: number }>();

  constructor(sql: Sql, clock: Pick<Clock, 'monotonicMs'>) {
    this.#sql = sql;
    this.#clock = clock;
  }

  /**
   * Posts the recurring grants whose next period has begun, a transaction for each, but for those that are to be tried later. Returns how
   * many were posted. @throws DatabaseUnavailable, SqlFault
   */
  async post(): Promise<number> {
    const nowMs = this.#clock.monotonicMs();
    const waiting = [...this.#refused].filter(([, { atMs }]) => atMs > nowMs).map(([id]) => id);
    const due = await this.#sql.query<{ id: string }>(
      `select id from recurring_grants where ended_at is null and next_at <= now() and id <> all ($2::uuid[]) and not exists (
         select from workspaces w where w.id = workspace_id and (w.paused_at is not null or w.moved_to is not null)
       ) order by next_at, id limit $1`,
      [GRANTS_MAX, waiting],
    );
    let posted = 0;
    await doEach(due, async ({ id }) => {
      try {
        const [row] = await this.#sql.query<{ posted: number }>('select post_recurring_grant($1, $2) as posted', [
          id,
          PERIODS_MAX,
        ]);
        posted += row?.posted ?? 0;
        this.#refused.delete(id);
      } catch (fault) {
        if (fault instanceof SqlFault) this.#refuse(id, nowMs);
        throw fault;
      }
    });
    return posted;
  }

  #refuse(id: string, nowMs: number): void {
    const former = this.#refused.get(id)?.waitMs ?? RETRY_MS / 2;
    const waitMs = Math.min(2 * former, RETRY_MS_MAX);
    this.#refused.set(id, { waitMs, atMs: nowMs + waitMs });
  }
}

/** A recurring grant whose posting is overdue. */
export interface OverdueGrant {
  readonly id: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly since: Date;
}

/** The recurring grants that should have been posted a while ago, the first twenty. */
export async function findOverdueGrants(sql: SqlRunner): Promise<readonly OverdueGrant[]> {
  return await sql.query<OverdueGrant>(
    `select g.id, g.workspace_id as "workspaceId", w.name as "workspaceName", g.next_at as since
     from recurring_grants g join workspaces w on w.id = g.workspace_id
     where g.ended_at is null and g.next_at < now() - interval '10 minutes' and w.closing_at is null
       and w.paused_at is null and w.moved_to is null
     order by g.next_at, g.id limit 20`,
  );
}
