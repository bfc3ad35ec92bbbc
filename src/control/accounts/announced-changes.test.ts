import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Account,
  granted,
  grantCredit,
  openAccount,
  openKey,
  openProject,
} from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { addMember, signedIn } from '../../../test/support/identity.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { authorise } from '../../domain/workspace-scope.ts';
import type { UserAct } from '../identity/visitor.ts';
import { removeMember } from '../identity/members.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { finishClosing } from './closing.ts';
import { consolePrincipal } from './console-keys.ts';
import { endFormerSecret, revokeKey, rotateKey, updateKey } from './key-changes.ts';
import { archiveProject, updateProject } from './projects.ts';
import { closeWorkspace, changeWorkspace, suspendWorkspace } from './workspaces.ts';

// What processes keep in memory of a workspace, a project or a key is dropped in all of them within a second: each change
// announces what it is of, in its own transaction.

let db: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  db = await startTestDatabase();
  sql = db.database;
});
afterAll(() => db.stop());

interface Stage extends Account {
  readonly member: UserAct;
  readonly consoleKeyId: string;
}

/** A workspace whose member has a console key in its project. */
async function openStage(): Promise<Stage> {
  const account = await openAccount(sql, { credit: 10n, key: { spendLimit: 5n } });
  const { workspace, project } = account;
  const { act, userId } = await signedIn(sql);
  await addMember(sql, workspace.id, userId, 'developer');
  const member = { ...act, actor: { ...act.actor, roles: new Map([[workspace.id, 'developer' as const]]) } };
  const scope = granted(authorise(member, 'playground:use', workspace.id));
  const { keyId: consoleKeyId } = granted(await sql.transaction((tx) => consolePrincipal(tx, scope, project.id)));
  return { ...account, member, consoleKeyId };
}

type Change = (tx: SqlRunner, stage: Stage) => Promise<unknown>;

const ofWorkspace = ({ workspace }: Stage) => scopeOf(workspace.id);
const anyVersion = { version: null } as const;

// Each change, and the things of the stage that it announces.
const CHANGES: readonly (readonly [string, Change, readonly ('workspace' | 'project' | 'key' | 'console key')[]])[] = [
  [
    'renaming a workspace',
    (tx, stage) => changeWorkspace(tx, ofWorkspace(stage), { ...anyVersion, change: { name: randomUUID() } }),
    ['workspace'],
  ],
  ['suspending a workspace', (tx, stage) => suspendWorkspace(tx, ofWorkspace(stage), 'a reason'), ['workspace']],
  [
    'resuming a workspace',
    async (tx, stage) => {
      granted(await suspendWorkspace(tx, ofWorkspace(stage), 'a reason'));
      await tx.query('delete from changes');
      return await suspendWorkspace(tx, ofWorkspace(stage), null);
    },
    ['workspace'],
  ],
  ['closing a workspace', (tx, stage) => closeWorkspace(tx, ofWorkspace(stage), anyVersion), ['workspace']],
  [
    'updating a project',
    (tx, stage) =>
      updateProject(tx, ofWorkspace(stage), { projectId: stage.project.id, ...anyVersion, change: { concurrency: 3 } }),
    ['project'],
  ],
  [
    'archiving a project',
    (tx, stage) =>
      archiveProject(tx, ofWorkspace(stage), { projectId: stage.project.id, ...anyVersion, archived: true }),
    ['project', 'console key'],
  ],
  [
    'restoring a project',
    async (tx, stage) => {
      const target = { projectId: stage.project.id, ...anyVersion };
      granted(await archiveProject(tx, ofWorkspace(stage), { ...target, archived: true }));
      await tx.query('delete from changes');
      return await archiveProject(tx, ofWorkspace(stage), { ...target, archived: false });
    },
    ['project'],
  ],
  [
    'updating a key',
    (tx, stage) =>
      updateKey(tx, ofWorkspace(stage), { keyId: stage.key.id, ...anyVersion, change: { name: 'another' } }),
    ['key'],
  ],
  [
    'disabling a key',
    (tx, stage) =>
      updateKey(tx, ofWorkspace(stage), { keyId: stage.key.id, ...anyVersion, change: { disabled: true } }),
    ['key'],
  ],
  [
    'rotating a key',
    (tx, stage) => rotateKey(tx, ofWorkspace(stage), { keyId: stage.key.id, ...anyVersion, overlapMs: 60_000 }),
    ['key'],
  ],
  [
    'ending the former secret of a key',
    async (tx, stage) => {
      granted(await rotateKey(tx, ofWorkspace(stage), { keyId: stage.key.id, ...anyVersion, overlapMs: 60_000 }));
      await tx.query('delete from changes');
      return await endFormerSecret(tx, ofWorkspace(stage), stage.key.id);
    },
    ['key'],
  ],
  ['revoking a key', (tx, stage) => revokeKey(tx, ofWorkspace(stage), stage.key.id), ['key']],
];

async function announced(stage: Stage): Promise<readonly string[]> {
  const rows = await sql.query<{ kind: string; id: string }>(
    `select distinct kind, subject_id as id from changes where kind in ('workspace', 'project', 'key')`,
  );
  const names = new Map([
    [stage.workspace.id, 'workspace'],
    [stage.project.id, 'project'],
    [stage.key.id, 'key'],
    [stage.consoleKeyId, 'console key'],
  ]);
  return rows.map(({ kind, id }) => {
    const name = names.get(id) ?? 'another thing';
    expect(name).toContain(kind);
    return name;
  });
}

test.each(CHANGES)(
  'the change "%s" is announced to all processes, and nothing besides',
  async (_, change, expected) => {
    const stage = await openStage();
    await sql.query('delete from changes');
    expect(await sql.transaction((tx) => change(tx, stage))).not.toHaveProperty('kind', 'refusal');
    expect((await announced(stage)).toSorted()).toEqual(expected.toSorted());
  },
);

test('removing a member announces their console keys, and no other key', async () => {
  const stage = await openStage();
  await sql.query('delete from changes');
  expect(await removeMember(sql, ofWorkspace(stage), stage.member.actor.userId)).toBeNull();
  expect(await announced(stage)).toEqual(['console key']);
});

test('the end of a closing announces the workspace and its credit, which is gone', async () => {
  // Those that other tests have begun to close.
  await finishClosing(sql);
  const stage = await openStage();
  granted(await sql.transaction((tx) => closeWorkspace(tx, ofWorkspace(stage), anyVersion)));
  await sql.query('delete from changes');
  await finishClosing(sql);
  expect(await announced(stage)).toEqual(['workspace']);
  expect(await sql.query(`select from changes where kind = 'purse'`)).toHaveLength(1);
});

test('what is made is announced too, so that no process goes on refusing it', async () => {
  const stage = await openStage();
  await sql.query('delete from changes');
  const project = await openProject(sql, stage.workspace, { name: 'more' });
  const key = await openKey(sql, project);
  const { member, workspace } = stage;
  const scope = granted(authorise(member, 'playground:use', workspace.id));
  const { keyId } = granted(await sql.transaction((tx) => consolePrincipal(tx, scope, project.id)));
  const rows = await sql.query<{ id: string }>('select subject_id as id from changes order by changes.id');
  expect(rows.map(({ id }) => id)).toEqual([project.id, key.id, keyId]);
});

test('money that is posted announces its purse', async () => {
  const { workspace } = await openStage();
  await sql.query('delete from changes');
  await grantCredit(sql, workspace.id, 1n);
  const rows = await sql.query(
    `select changes.kind from changes join purses on purses.id::text = changes.subject_id where workspace_id = $1 and purses.kind = 'credit'`,
    [workspace.id],
  );
  expect(rows).toEqual([{ kind: 'purse' }]);
});
