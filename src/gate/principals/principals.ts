import type { ModelPolicy } from '../../domain/policy.ts';
import type { Principal } from '../../domain/principal.ts';
import type { Period } from '../../domain/window.ts';
import { NetworkList } from '../../lib/network-list.ts';
import { BRIEF, type SqlRunner } from '../../lib/sql.ts';

/** A row of find_principals, as JSON. */
export interface PrincipalRow {
  /** The index of the key in the argument. */
  readonly ordinal: number;
  readonly workspace_id: string;
  readonly project_id: string;
  readonly key_id: string;
  readonly project_models: ModelPolicy;
  readonly key_models: ModelPolicy;
  readonly expires_ms: number | null;
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: number | null;
  readonly concurrency: number | null;
  readonly budget_period: Period;
  readonly member_limit_id: string | null;
  readonly end_user_period: Period | null;
  readonly limits_sessions: boolean;
  readonly model_when_spent: string | null;
  readonly reports_cost: boolean;
  readonly suspension_reason: string | null;
  readonly is_paused: boolean;
  readonly workspace_networks: readonly string[] | null;
  readonly key_networks: readonly string[] | null;
  readonly moved_to: string | null;
}

function toPrincipal(row: PrincipalRow): Principal {
  return Object.freeze({
    workspaceId: row.workspace_id,
    projectId: row.project_id,
    keyId: row.key_id,
    policies: Object.freeze([row.project_models, row.key_models]),
    expiresAtMs: row.expires_ms,
    rateLimits: Object.freeze({
      requestsPerMinute: row.requests_per_minute,
      tokensPerMinute: row.tokens_per_minute,
      concurrency: row.concurrency,
    }),
    budgetPeriod: row.budget_period,
    memberLimitId: row.member_limit_id,
    servedLimits: servedLimitsOf(row),
    served: null,
    modelWhenSpent: row.model_when_spent,
    reportsCost: row.reports_cost,
    isAllowedFrom: allowedFrom(row),
    suspension: row.suspension_reason,
    movedTo: row.moved_to,
    isPaused: row.is_paused,
  });
}

function servedLimitsOf({
  end_user_period: endUserPeriod,
  limits_sessions: sessions,
}: PrincipalRow): Principal['servedLimits'] {
  return endUserPeriod === null && !sessions ? null : Object.freeze({ endUserPeriod, sessions });
}

/** A key is accepted from where both it and its workspace are. */
function allowedFrom({ workspace_networks: workspace, key_networks: key }: PrincipalRow): Principal['isAllowedFrom'] {
  const lists = [workspace, key].filter((networks) => networks !== null).map((networks) => new NetworkList(networks));
  return lists.length === 0 ? null : (address) => lists.every((list) => list.has(address));
}

/** One principal for each requested key, in order; null if there is no row. */
export function toPrincipals(rows: readonly PrincipalRow[] | null, count: number): readonly (Principal | null)[] {
  const principals = Array.from<Principal | null>({ length: count }).fill(null);
  for (const row of rows ?? []) principals[row.ordinal] = toPrincipal(row);
  return principals;
}

/**
 * Loads the principals of the keys with these SHA-256s, in order. Null if the key is unknown, disabled or revoked, or its project
 * or workspace is archived. The caller checks the expiry, because time passes while a principal is cached.
 * @throws DatabaseUnavailable
 */
export async function findPrincipals(
  sql: SqlRunner,
  secrets: readonly Buffer[],
): Promise<readonly (Principal | null)[]> {
  const [found] = await sql.query<{ rows: readonly PrincipalRow[] | null }>(
    'select json_agg(p) as rows from find_principals($1) p',
    [secrets],
    BRIEF,
  );
  return toPrincipals(found?.rows ?? null, secrets.length);
}
