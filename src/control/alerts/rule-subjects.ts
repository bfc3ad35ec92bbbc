import type { OperatorScope, WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { ownerOf } from './notice-owner.ts';

/** The project or key that a rule is about. */
export interface RuleSubject {
  readonly kind: 'project' | 'key';
  readonly id: string;
  readonly name: string;
}

/** The projects and keys of the scope that have these ids, by their ids. */
export async function readRuleSubjects(
  sql: SqlRunner,
  scope: WorkspaceScope | OperatorScope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RuleSubject>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.query<RuleSubject>(
    `select 'project' as kind, id, name from projects where workspace_id = $1 and id = any ($2::uuid[])
     union all
     select 'key', id, name from keys where workspace_id = $1 and id = any ($2::uuid[])`,
    [ownerOf(scope), ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
