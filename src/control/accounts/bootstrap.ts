import { NANO_PER_USD, type NanoUsd } from '../../domain/money.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { authorise, authoriseOperator, type WorkspaceScope } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { createKey } from './keys.ts';
import { createProject } from './projects.ts';
import { createWorkspace } from './workspaces.ts';
import { takeTransactionLock } from '../../lib/transaction-lock.ts';

/** The workspace, project and key of a first boot. The key is shown once. */
export interface FirstBoot {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly key: string;
  readonly credit: NanoUsd;
}

/** Posts the starter credit to the ledger, in the given transaction. */
export type GrantStarterCredit = (tx: SqlRunner, scope: WorkspaceScope, amount: NanoUsd) => Promise<object | Refusal>;

const NAME = 'Default';
const JOB = { actor: { kind: 'job', name: 'first start' }, address: null, requestId: null } as const;
const STARTER_CREDIT = 5n * NANO_PER_USD;
const BOOTSTRAP_LOCK = 4_611_220_105_103_817n;

function made<Thing extends object>(thing: Thing | Refusal): Thing {
  assert(!isRefusal(thing), 'an empty instance refuses none of the records of its first boot');
  return thing;
}

/**
 * Creates the first workspace of an instance, with starter credit, a project and a key. Null if the instance has or had
 * a workspace, or another process has just created it. One transaction, in one process at a time.
 */
export async function bootstrap(sql: Sql, grantStarterCredit: GrantStarterCredit): Promise<FirstBoot | null> {
  // Programs that start together on a slow database must not take turns for nothing.
  if (await hasWorkspace(sql)) return null;
  return await sql.transaction(async (tx) => {
    await takeTransactionLock(tx, BOOTSTRAP_LOCK);
    if (await hasWorkspace(tx)) return null;
    const workspace = made(await createWorkspace(tx, made(authoriseOperator(JOB, 'write')), { name: NAME }));
    const scope = made(authorise(JOB, 'workspace:write', workspace.id));
    made(await grantStarterCredit(tx, scope, STARTER_CREDIT));
    const project = made(await createProject(tx, scope, { name: NAME }));
    const key = made(await createKey(tx, scope, project.id, { name: NAME }));
    return {
      workspaceId: workspace.id,
      workspaceName: workspace.name,
      projectId: project.id,
      keyId: key.id,
      key: key.key,
      credit: STARTER_CREDIT,
    };
  });
}

async function hasWorkspace(sql: SqlRunner): Promise<boolean> {
  const [existing] = await sql.query('select 1 from workspaces limit 1');
  return existing !== undefined;
}
