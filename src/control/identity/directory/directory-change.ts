import { makeChange } from '../../audit/change.ts';
import type { Act } from '../../../domain/actor.ts';
import { isRefusal, refuse, type Refusal } from '../../../domain/refusals.ts';
import { authorise, type WorkspaceScope } from '../../../domain/workspace-scope.ts';
import { assert } from '../../../lib/assert.ts';
import type { Sql, SqlRunner } from '../../../lib/sql.ts';
import type { Visitor } from '../visitor.ts';
import { lockAccess, type WorkspaceAccess } from '../workspace-access.ts';
import { type KnownDirectory, lockDirectory } from './directory-tokens.ts';

/** One request of a directory. */
export interface DirectoryRequest {
  readonly sql: Sql;
  readonly directory: KnownDirectory;
  readonly visitor: Visitor;
}

/** A change that a directory makes, in its transaction. */
export interface DirectoryChange {
  readonly tx: SqlRunner;
  readonly scope: WorkspaceScope;
  readonly access: WorkspaceAccess;
}

/** The right of a directory in its workspace. */
export function scopeOfDirectory({ directory, visitor }: Omit<DirectoryRequest, 'sql'>): WorkspaceScope {
  const act: Act = {
    actor: { kind: 'job', name: 'directory' },
    address: visitor.address === '' ? null : visitor.address,
    requestId: visitor.requestId,
  };
  const scope = authorise(act, 'owners:write', directory.workspaceId);
  assert(!isRefusal(scope), 'a job may do everything');
  return scope;
}

/** Makes a change of a directory's in one transaction, after all that it has sent before. */
export async function changeByDirectory<Result>(
  request: DirectoryRequest,
  change: (open: DirectoryChange) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  const { sql, directory } = request;
  const scope = scopeOfDirectory(request);
  return await makeChange(sql, async (tx) => {
    if (!(await lockDirectory(tx, directory))) {
      return refuse('UNAUTHENTICATED', 'The token of the directory was replaced or ended.');
    }
    return await change({ tx, scope, access: await lockAccess(tx, scope.workspaceId) });
  });
}
