import { joinLeased } from '../../accounts/standing.ts';
import { dailyBurn } from '../../alerts/daily-burn.ts';
import type { NanoUsd } from '../../../domain/money.ts';
import type { Outcome } from '../../../domain/receipt.ts';
import type { WorkspaceScope } from '../../../domain/workspace-scope.ts';
import type { SqlRunner } from '../../../lib/sql.ts';
import type { TopUpState } from '../../../domain/top-up-states.ts';

/** What the console shows of a workspace as it moves. Amounts in nano-USD. */
export interface LiveState {
  readonly balance: NanoUsd;
  readonly held: NanoUsd;
  readonly leased: NanoUsd;
  readonly owed: NanoUsd;
  /** Spent a day on average; null: not known yet. */
  readonly burn: NanoUsd | null;
  /** The request that was settled last, of those that began last; null: there has been none. */
  readonly request: LiveRequest | null;
  /** The same of the keys that each user has made, by user; of those alone whose requests are among the newest. */
  readonly requestsOf: ReadonlyMap<string, LiveRequest>;
  /** The newest, by id. */
  readonly topUps: ReadonlyMap<string, TopUpState>;
  /** The newest, by id: whether each is resolved. */
  readonly alerts: ReadonlyMap<string, boolean>;
  /** Those that were asked for. */
  readonly keys: readonly LiveKey[];
}

export interface LiveRequest {
  readonly id: string;
  readonly outcome: Outcome;
  readonly charge: NanoUsd;
  readonly settledAt: Date;
  /** How long before the look, in milliseconds. */
  readonly ageMs: number;
}

export interface LiveKey {
  readonly id: string;
  readonly projectId: string;
  readonly change: 'created' | 'changed' | 'revoked';
  /** The user who made it; null: the operator. */
  readonly madeBy: string | null;
}

/** Of requests, top-ups and alerts, how many of the newest are looked at. */
const NEWEST = 20;
const STATEMENT_MS_MAX = 2_000;

interface StateRow {
  readonly now: Date;
  readonly credited: NanoUsd;
  readonly spent: NanoUsd;
  readonly held: NanoUsd;
  readonly leased: NanoUsd;
  readonly owed: NanoUsd;
  readonly marks: readonly (readonly [number, string])[] | null;
  readonly requests: readonly RequestRow[] | null;
  readonly topUps: Readonly<Record<string, TopUpState>> | null;
  readonly alerts: Readonly<Record<string, boolean>> | null;
  readonly keys: readonly LiveKey[] | null;
}

/** Digits and times are text in JSON. */
interface RequestRow {
  readonly id: string;
  readonly outcome: Outcome;
  readonly charge: string;
  readonly settledAt: string;
  readonly madeBy: string | null;
}

const READ_STATE = `
  select now() as now, purse.limit_nano_usd as credited, purse.owed_nano_usd as owed,
    purse.spent_nano_usd + leased.charged as spent, leased.held, leased.uncharged as leased, watch.marks,
    (
      select jsonb_agg(jsonb_build_object('id', r.request_id, 'outcome', r.outcome, 'charge', r.charge_nano_usd::text,
        'settledAt', r.settled_at, 'madeBy', keys.created_by) order by r.settled_at desc, r.request_id desc)
      from (
        select request_id, key_id, outcome, charge_nano_usd, settled_at from receipts
        where workspace_id = $1 order by request_id desc limit ${NEWEST}
      ) r
      join keys on keys.workspace_id = $1 and keys.id = r.key_id
    ) as requests,
    (
      select jsonb_object_agg(t.id, t.state)
      from (select id, state from top_ups where workspace_id = $1 order by id desc limit ${NEWEST}) t
    ) as "topUps",
    (
      select jsonb_object_agg(a.id, a.resolved_at is not null)
      from (select id, resolved_at from alerts where workspace_id = $1 order by id desc limit ${NEWEST}) a
    ) as alerts,
    (
      select jsonb_agg(jsonb_build_object('id', k.id, 'projectId', k.project_id, 'madeBy', k.created_by, 'change',
        case when k.revoked_at is not null then 'revoked' when k.version = 1 then 'created' else 'changed' end))
      from keys k where k.workspace_id = $1 and k.id = any($2::uuid[])
    ) as keys
  from purses purse
  ${joinLeased('purse')}
  left join alert_watches watch on watch.workspace_id = purse.workspace_id
  where purse.workspace_id = $1 and purse.kind = 'credit' and purse.subject_id = $1`;

/** Reads it in one short statement; of keys those with these ids. Null: the workspace is gone. @throws DatabaseUnavailable */
export async function readLiveState(
  sql: SqlRunner,
  { workspaceId }: WorkspaceScope,
  keyIds: readonly string[],
): Promise<LiveState | null> {
  const [row] = await sql.query<StateRow>(READ_STATE, [workspaceId, keyIds], { statementMsMax: STATEMENT_MS_MAX });
  if (row === undefined) return null;
  const { now, credited, spent, held, leased, owed, marks } = row;
  const requests = (row.requests ?? []).map(({ madeBy, ...request }) => [madeBy, requestAt(request, now)] as const);
  const known = (marks ?? []).map(([atMs, digits]) => ({ atMs, spent: BigInt(digits) }));
  return {
    balance: credited - spent - owed,
    held,
    leased,
    owed,
    burn: dailyBurn(known, { atMs: now.getTime(), spent }),
    request: requests[0]?.[1] ?? null,
    // Of several of one user, the first is the one that a map keeps if it comes last.
    requestsOf: new Map(
      requests.toReversed().flatMap(([madeBy, request]) => (madeBy === null ? [] : [[madeBy, request]])),
    ),
    topUps: new Map(Object.entries(row.topUps ?? {})),
    alerts: new Map(Object.entries(row.alerts ?? {})),
    keys: row.keys ?? [],
  };
}

function requestAt({ id, outcome, charge, settledAt: at }: Omit<RequestRow, 'madeBy'>, now: Date): LiveRequest {
  const settledAt = new Date(at);
  const ageMs = Math.max(0, now.getTime() - settledAt.getTime());
  return { id, outcome, charge: BigInt(charge), settledAt, ageMs };
}
