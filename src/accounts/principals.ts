import type { ModelPolicy } from '../domain/policy.ts';
import type { Principal } from '../domain/principal.ts';
import type { Period } from '../domain/window.ts';
import { BRIEF, type SqlRunner } from '../lib/sql.ts';

interface PrincipalRow {
  readonly workspace_id: string;
  readonly project_id: string;
  readonly key_id: string;
  readonly project_models: ModelPolicy;
  readonly key_models: ModelPolicy;
  readonly expires_at: Date | null;
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: bigint | null;
  readonly concurrency: number | null;
  readonly budget_period: Period;
}

const FIND_PRINCIPAL = `
  select keys.workspace_id, keys.project_id, keys.id as key_id, projects.models as project_models,
    keys.models as key_models, keys.expires_at, projects.requests_per_minute, projects.tokens_per_minute,
    projects.concurrency, projects.budget_period
  from keys
  join projects on projects.workspace_id = keys.workspace_id and projects.id = keys.project_id
  join workspaces on workspaces.id = keys.workspace_id
  where keys.secret_sha256 = $1 and keys.revoked_at is null
    and projects.archived_at is null and workspaces.archived_at is null`;

/**
 * Who holds the key with this SHA-256. Null where no such key lives: unknown, revoked, or its project or workspace is
 * archived. Expiry is the caller's to check, because time passes while a principal is remembered.
 */
export async function findPrincipal(sql: SqlRunner, secretSha256: Buffer): Promise<Principal | null> {
  const [row] = await sql.query<PrincipalRow>(FIND_PRINCIPAL, [secretSha256], BRIEF);
  if (row === undefined) return null;
  const { tokens_per_minute: tokensPerMinute } = row;
  return Object.freeze({
    workspaceId: row.workspace_id,
    projectId: row.project_id,
    keyId: row.key_id,
    policies: Object.freeze([row.project_models, row.key_models]),
    expiresAtMs: row.expires_at?.getTime() ?? null,
    rateLimits: Object.freeze({
      requestsPerMinute: row.requests_per_minute,
      tokensPerMinute: tokensPerMinute === null ? null : Number(tokensPerMinute),
      concurrency: row.concurrency,
    }),
    budgetPeriod: row.budget_period,
  });
}
