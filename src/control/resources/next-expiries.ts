import type { NanoUsd } from '../../domain/money.ts';
import type { SqlRunner } from '../../lib/sql.ts';

/** What expires next of a workspace's credit. */
export interface NextExpiry {
  readonly amount: NanoUsd;
  readonly expiresAt: Date;
}

/** What expires next in each workspace; those in which nothing does are left out. */
export async function readNextExpiries(
  sql: SqlRunner,
  workspaceIds: readonly string[],
): Promise<ReadonlyMap<string, NextExpiry>> {
  if (workspaceIds.length === 0) return new Map();
  const rows = await sql.query<NextExpiry & { readonly id: string }>(
    `select workspace_id as id, amount_nano_usd as amount, expires_at as "expiresAt" from next_expiries($1)`,
    [workspaceIds],
  );
  return new Map(rows.map(({ id, amount, expiresAt }) => [id, { amount, expiresAt }]));
}
