import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  granted,
  grantCredit,
  openAccount,
  Spender,
  changeProject,
  openProject,
  openKey,
  workspaceNow,
  endKey,
  openWorkspace,
} from '../../../test/support/accounts.ts';
import { operatorScope, scopeOf } from '../../../test/support/scopes.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { makeChange } from '../audit/change.ts';
import { FIRST_SHARD, keyFault, shardOf } from '../../domain/key.ts';
import { isRefusal } from '../../domain/refusals.ts';
import { windowAt } from '../../domain/window.ts';
import type { Sql } from '../../lib/sql.ts';
import { leastUuid7At } from '../../lib/uuid7.ts';
import { rotateKey } from './key-changes.ts';
import { listKeys } from './key-list.ts';
import { createKey, showKey } from './keys.ts';
import { findPrincipals } from '../../gate/principals/principals.ts';
import { archiveProject, createProject, listProjects, showProject, updateProject } from './projects.ts';
import { findKeyId, findProjectId, findWorkspaceId, locateKey, locateProject } from './references.ts';
import { createWorkspace, listWorkspaces, showWorkspace } from './workspaces.ts';

let testDatabase: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
});
afterAll(() => testDatabase.stop());

const sha256 = (key: string): Buffer => createHash('sha256').update(key).digest();

interface PurseRow {
  id: bigint;
  limit: bigint | null;
  opening: bigint;
  spent: bigint;
}

async function projectPurse(
  projectId: string,
  period: 'day' | 'week' | 'month' | 'never',
): Promise<PurseRow | undefined> {
  const [row] = await sql.query<PurseRow>(
    `select id, limit_nano_usd as limit, opening_nano_usd as opening, spent_nano_usd as spent from purses
     where kind = 'project' and subject_id = $1 and period = $2 and window_start = $3`,
    [projectId, period, new Date(windowAt(period, Date.now()).startMs)],
  );
  return row;
}

async function changesOf(subjectId: string): Promise<string[]> {
  const rows = await sql.query<{ kind: string }>('select kind from changes where subject_id = $1 order by id', [
    subjectId,
  ]);
  return rows.map(({ kind }) => kind);
}

test('a new workspace has an empty credit purse, and is announced to all processes', async () => {
  const workspace = await openWorkspace(sql, 'Fresh');
  expect(await workspaceNow(sql, workspace.id)).toEqual(workspace);
  expect(workspace).toMatchObject({ credit: 0n, balance: 0n, held: 0n, owed: 0n });
  expect(await changesOf(workspace.id)).toEqual(['workspace']);
});

test('only one of many concurrent creations gets a workspace’s name', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      makeChange(sql, (tx) => createWorkspace(tx, operatorScope(), { name: 'Contested' })),
    ),
  );
  expect(answers.filter((answer) => !isRefusal(answer))).toHaveLength(1);
  expect(answers.find(isRefusal)).toMatchObject({ code: 'CONFLICT', param: 'name' });
});

test('a workspace’s balance excludes charges, and the uncharged part of its leases is held', async () => {
  const account = await openAccount(sql, { credit: 1_000n });
  const spender = await Spender.begin(sql);
  await spender.spend(account, { hold: 100n, charge: 30n });
  expect(await workspaceNow(sql, account.workspace.id)).toMatchObject({ balance: 970n, held: 70n, credit: 1_000n });
  await spender.end();
  expect(await workspaceNow(sql, account.workspace.id)).toMatchObject({ balance: 970n, held: 0n });
  expect(
    (await listWorkspaces(sql, operatorScope(), {}, { limit: 200 })).items.find(
      ({ id }) => id === account.workspace.id,
    ),
  ).toMatchObject({ balance: 970n });
});

test('what requests hold is what their processes say, and what these have leased includes what was drawn ahead', async () => {
  const account = await openAccount(sql, { credit: 1_000n, key: { spendLimit: 500n } });
  const scope = scopeOf(account.workspace.id);
  const standings = async (): Promise<unknown> => {
    const of = ({ held, leased }: { readonly held: bigint; readonly leased: bigint }): readonly bigint[] => [
      held,
      leased,
    ];
    const project = granted(await showProject(sql, scope, account.project.id));
    const key = granted(await showKey(sql, scope, account.key.id));
    return { credit: of(await workspaceNow(sql, account.workspace.id)), project: of(project), key: of(key) };
  };
  const [one, other] = [await Spender.begin(sql), await Spender.begin(sql)];
  await one.spend(account, { hold: 100n, charge: 30n });
  await other.spend(account, { hold: 50n, charge: 5n });
  expect(await standings()).toEqual({ credit: [115n, 115n], project: [0n, 0n], key: [115n, 115n] });

  await one.say({ held: 20n });
  expect(await standings()).toEqual({ credit: [65n, 115n], project: [20n, 20n], key: [65n, 115n] });
  await other.say({ held: 0n });
  expect(await standings()).toEqual({ credit: [20n, 115n], project: [20n, 20n], key: [20n, 115n] });

  await other.say({ held: 40n });
  await other.spend(account, { hold: 45n, charge: 35n });
  expect(await standings()).toEqual({ credit: [25n, 80n], project: [25n, 25n], key: [25n, 80n] });
  await one.say({ held: 1_000n });
  expect(await standings()).toEqual({ credit: [75n, 80n], project: [1_005n, 1_005n], key: [75n, 80n] });

  await one.end();
  await other.end();
  expect(await standings()).toEqual({ credit: [0n, 0n], project: [0n, 0n], key: [0n, 0n] });
  const said = await sql.query('select 1 from epochs where reaped_at is not null and leases_in_use is not null');
  expect(said).toEqual([]);
});

test('a workspace that does not exist is null, not an error', async () => {
  expect(await showWorkspace(sql, scopeOf('00000000-0000-4000-8000-000000000000'))).toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('projects keep every setting, change the given ones and clear those given as null', async () => {
  const { workspace } = await openAccount(sql);
  const settings = {
    name: 'Full',
    requestsPerMinute: 60,
    tokensPerMinute: 9_000_000_000,
    concurrency: 5,
    budget: 7n,
    budgetPeriod: 'week',
    models: ['small-chat', 'sandbox/*'],
  } as const;
  const project = await openProject(sql, workspace, settings);
  expect(project).toMatchObject(settings);
  const changed = await changeProject(sql, project, { concurrency: null, models: null, requestsPerMinute: 61 });
  expect(changed).toEqual({ ...project, concurrency: null, models: null, requestsPerMinute: 61, version: 2 });
  expect((await listProjects(sql, scopeOf(workspace.id), {})).items.find(({ id }) => id === project.id)).toEqual(
    changed,
  );
  expect(await changesOf(project.id)).toEqual(['project', 'project']);
});

test('projects are found by a part of their name, in whatever case it is typed', async () => {
  const { workspace } = await openAccount(sql);
  const { id } = await openProject(sql, workspace, { name: 'Search Engine' });
  for (const search of ['search', 'ENGINE', 'h e']) {
    const { items } = await listProjects(sql, scopeOf(workspace.id), { search });
    expect([search, items.map((each) => each.id)]).toEqual([search, [id]]);
  }
});

test('two projects of one workspace never share a name, whether by creation or by renaming', async () => {
  const { workspace, project } = await openAccount(sql);
  const other = await openProject(sql, workspace, { name: 'Other' });
  const scope = scopeOf(workspace.id);
  const again = await makeChange(sql, (tx) => createProject(tx, scope, { name: 'Other' }));
  expect(again).toMatchObject({ code: 'CONFLICT', param: 'name' });
  const rename = (projectId: string) =>
    makeChange(sql, (tx) => updateProject(tx, scope, { projectId, version: null, change: { name: project.name } }));
  expect(await rename(other.id)).toMatchObject({ code: 'CONFLICT', param: 'name' });
  expect(await rename('00000000-0000-4000-8000-000000000000')).toMatchObject({ code: 'NOT_FOUND' });
});

test('a project’s new budget applies to the current window, and its purse is announced to all processes', async () => {
  const account = await openAccount(sql, { credit: 1_000n, project: { budget: 500n } });
  const spender = await Spender.begin(sql);
  await spender.spend(account, { hold: 10n, charge: 10n });
  const before = await projectPurse(account.project.id, 'month');
  expect(before?.limit).toBe(500n);
  await changeProject(sql, account.project, { budget: 20n });
  const after = await projectPurse(account.project.id, 'month');
  expect(after).toEqual({ ...before, limit: 20n });
  expect(await changesOf(String(after?.id))).toContain('purse');
  await expect(spender.spend(account, { hold: 11n, charge: 0n })).rejects.toThrow('project purse');
  await changeProject(sql, account.project, { budget: null });
  expect((await projectPurse(account.project.id, 'month'))?.limit).toBeNull();
  await spender.end();
});

test('a project’s changed period begins with what its window has already cost, in both directions', async () => {
  const account = await openAccount(sql, { credit: 1_000n, project: { budget: 500n, budgetPeriod: 'month' } });
  const spender = await Spender.begin(sql);
  await spender.spend(account, { hold: 40n, charge: 30n });
  await changeProject(sql, account.project, { budgetPeriod: 'never' });
  expect(await projectPurse(account.project.id, 'never')).toMatchObject({ limit: 500n, opening: 30n, spent: 30n });
  await spender.spend(account, { hold: 5n, charge: 5n, period: 'never' });
  await changeProject(sql, account.project, { budgetPeriod: 'month', budget: 501n });
  expect(await projectPurse(account.project.id, 'month')).toMatchObject({ limit: 501n, opening: 5n, spent: 5n });
  await spender.end();
  expect(await projectPurse(account.project.id, 'month')).toMatchObject({ opening: 5n, spent: 35n });
});

test('a project’s changed period counts no request that was admitted before or after its window', async () => {
  const account = await openAccount(sql, { credit: 1_000n, project: { budgetPeriod: 'never' } });
  const { startMs, endMs } = windowAt('month', Date.now());
  const spender = await Spender.begin(sql);
  const spendAt = (admittedAtMs: number, charge: bigint): Promise<unknown> =>
    spender.spend(account, { hold: charge, charge }, { admittedAtMs, requestId: leastUuid7At(admittedAtMs) });
  await spendAt(startMs - 1_000, 1n);
  await spendAt(startMs, 20n);
  await spendAt((endMs ?? 0) + 1_000, 300n);
  await changeProject(sql, account.project, { budgetPeriod: 'month' });
  expect(await projectPurse(account.project.id, 'month')).toMatchObject({ opening: 20n, spent: 20n });
  await spender.end();
});

test('an archived project is not listed, refuses its keys and changes, and is restored as it was', async () => {
  const { workspace, project, key } = await openAccount(sql);
  const scope = scopeOf(workspace.id);
  const archive = (archived: boolean) =>
    makeChange(sql, (tx) => archiveProject(tx, scope, { projectId: project.id, version: null, archived }));
  expect(granted(await archive(true)).archivedAt).toBeInstanceOf(Date);
  expect((await listProjects(sql, scope, {})).items).toEqual([]);
  expect((await listProjects(sql, scope, { archived: true })).items).toMatchObject([{ id: project.id }]);
  expect(await findPrincipals(sql, [sha256(key.key)])).toEqual([null]);
  const change = { projectId: project.id, version: null, change: { concurrency: 1 } };
  expect(await makeChange(sql, (tx) => updateProject(tx, scope, change))).toMatchObject({ code: 'CONFLICT' });
  expect(await makeChange(sql, (tx) => createKey(tx, scope, project.id, { name: 'late' }))).toMatchObject({
    code: 'NOT_FOUND',
  });
  expect(granted(await archive(false))).toEqual({ ...project, version: 3 });
  expect((await findPrincipals(sql, [sha256(key.key)]))[0]).toMatchObject({ keyId: key.id });
  granted(await archive(true));
  await openProject(sql, workspace, { name: project.name });
  expect(await archive(false)).toMatchObject({ code: 'CONFLICT', param: 'name' });
});

test('keys are well formed, shown once, and stored only as a hash', async () => {
  const { project, key } = await openAccount(sql);
  expect(keyFault(key.key, FIRST_SHARD)).toBeNull();
  expect(shardOf(key.key)).toBe('00');
  const [listed] = (await listKeys(sql, scopeOf(project.workspaceId), { projectId: project.id })).items;
  expect(listed).not.toHaveProperty('key');
  expect(listed?.masked).toBe(`${key.key.slice(0, 22)}…${key.key.slice(-4)}`);
  const rows = await sql.query<{ row: string; hash: Buffer }>(
    'select keys::text as row, secret_sha256 as hash from keys where id = $1',
    [key.id],
  );
  expect(rows[0]?.row).not.toContain(key.key.slice(22, 55));
  expect(rows[0]?.hash).toEqual(sha256(key.key));
});

test('keys use every digit about as often as any other', async () => {
  const { project } = await openAccount(sql);
  const keys = await Promise.all(Array.from({ length: 60 }, () => openKey(sql, project, { name: 'k' })));
  const digits = keys.map((key) => key.key.slice(10, 55)).join('');
  expect(new Set(digits).size).toBe(62);
  expect(new Set(keys.map((key) => key.key)).size).toBe(60);
});

test('keys can have a limit, a policy and an expiry in the future', async () => {
  const { project } = await openAccount(sql);
  const expiresAt = new Date(Date.now() + 60_000);
  const settings = { name: 'limited', spendLimit: 9n, models: ['a'], expiresAt };
  const key = await openKey(sql, project, settings);
  expect(key).toMatchObject(settings);
  expect((await findPrincipals(sql, [sha256(key.key)]))[0]?.expiresAtMs).toBe(expiresAt.getTime());
  const attempt = (projectId: string, more: object) =>
    makeChange(sql, (tx) => createKey(tx, scopeOf(project.workspaceId), projectId, { name: 'late', ...more }));
  expect(await attempt(project.id, { expiresAt: new Date(0) })).toMatchObject({
    code: 'INVALID_REQUEST',
    param: 'expires_at',
  });
  expect(await attempt('00000000-0000-4000-8000-000000000000', {})).toMatchObject({ code: 'NOT_FOUND' });
});

test('a revoked key stays revoked', async () => {
  const { key } = await openAccount(sql);
  const first = await endKey(sql, key);
  expect(first?.revokedAt).toBeInstanceOf(Date);
  expect((await endKey(sql, key))?.revokedAt).toEqual(first?.revokedAt);
  expect(await findPrincipals(sql, [sha256(key.key)])).toEqual([null]);
  expect(await changesOf(key.id)).toEqual(['key', 'key']);
});

test('the former secret of a rotated key ends with the key, if that is sooner than the overlap', async () => {
  const { workspace, project } = await openAccount(sql);
  const expiresAt = new Date(Date.now() + 60_000);
  const key = await openKey(sql, project, { expiresAt });
  const rotation = { keyId: key.id, version: null, overlapMs: 3_600_000 };
  granted(await makeChange(sql, (tx) => rotateKey(tx, scopeOf(workspace.id), rotation)));
  const [principal] = await findPrincipals(sql, [sha256(key.key)]);
  expect(principal?.expiresAtMs).toBe(expiresAt.getTime());
});

test('the former secret of a rotated key ends with the overlap, if that is sooner than the key', async () => {
  const { workspace, project } = await openAccount(sql);
  const key = await openKey(sql, project, { expiresAt: new Date(Date.now() + 3_600_000) });
  const rotation = { keyId: key.id, version: null, overlapMs: 60_000 };
  granted(await makeChange(sql, (tx) => rotateKey(tx, scopeOf(workspace.id), rotation)));
  const [principal] = await findPrincipals(sql, [sha256(key.key)]);
  expect(principal?.expiresAtMs ?? Infinity).toBeLessThan(Date.now() + 1_800_000);
});

test('a rotation without an overlap ends all former secrets of a key, older ones too', async () => {
  const { workspace, key } = await openAccount(sql);
  const rotate = async (overlapMs: number) => {
    const rotation = { keyId: key.id, version: null, overlapMs };
    return granted(await makeChange(sql, (tx) => rotateKey(tx, scopeOf(workspace.id), rotation)));
  };
  const second = await rotate(60_000);
  const third = await rotate(0);
  const secrets = [key, second, third].map((each) => sha256(each.key));
  expect(await findPrincipals(sql, secrets)).toEqual([null, null, expect.anything()]);
});

test('principals have all that a request needs, frozen', async () => {
  const { workspace, project, key } = await openAccount(sql, {
    project: { requestsPerMinute: 3, tokensPerMinute: 4, concurrency: 5, budgetPeriod: 'day', models: ['p*'] },
    key: { models: ['k'] },
  });
  const [principal] = await findPrincipals(sql, [sha256(key.key)]);
  expect(principal).toEqual({
    workspaceId: workspace.id,
    projectId: project.id,
    keyId: key.id,
    policies: [['p*'], ['k']],
    expiresAtMs: null,
    rateLimits: { requestsPerMinute: 3, tokensPerMinute: 4, concurrency: 5 },
    budgetPeriod: 'day',
    memberLimitId: null,
    modelWhenSpent: null,
    servedLimits: null,
    served: null,
    reportsCost: false,
    isAllowedFrom: null,
    suspension: null,
    movedTo: null,
    isPaused: false,
  });
  expect(Object.isFrozen(principal)).toBe(true);
});

test.each(['projects', 'workspaces'])('keys have no principal once one of the %s is archived', async (table) => {
  const { workspace, project, key } = await openAccount(sql);
  const id = table === 'projects' ? project.id : workspace.id;
  await sql.query(`update ${table} set archived_at = now() where id = $1`, [id]);
  expect(await findPrincipals(sql, [sha256(key.key)])).toEqual([null]);
});

test('references resolve by id or by name, and refusals name what was not found', async () => {
  const { workspace, project, key } = await openAccount(sql);
  expect(await findWorkspaceId(sql, workspace.id)).toBe(workspace.id);
  expect(await findWorkspaceId(sql, workspace.name)).toBe(workspace.id);
  const closed = await openAccount(sql);
  await sql.query('update workspaces set archived_at = now(), name = $2 where id = $1', [
    closed.workspace.id,
    'closed',
  ]);
  expect(await findWorkspaceId(sql, 'closed')).toMatchObject({ code: 'NOT_FOUND' });
  expect(await findWorkspaceId(sql, 'closed', { includesClosed: true })).toBe(closed.workspace.id);
  await sql.query('update workspaces set name = $2 where id = $1', [closed.workspace.id, workspace.name]);
  expect(await findWorkspaceId(sql, workspace.name, { includesClosed: true })).toBe(workspace.id);
  const scope = scopeOf(workspace.id);
  const projectReferences = [project.id, project.name, `${workspace.name}/${project.name}`];
  for (const reference of projectReferences.slice(0, 2)) {
    expect(await findProjectId(sql, scope, reference)).toBe(project.id);
  }
  for (const reference of projectReferences) {
    expect(await locateProject(sql, reference)).toEqual({ workspaceId: workspace.id, id: project.id });
  }
  for (const reference of [key.id, key.key.slice(8, 22), key.key.slice(0, 22)]) {
    expect(await findKeyId(sql, scope, reference)).toBe(key.id);
    expect(await locateKey(sql, reference)).toEqual({ workspaceId: workspace.id, id: key.id });
  }
  for (const missing of [
    findWorkspaceId(sql, 'x'),
    findProjectId(sql, scope, 'x'),
    findKeyId(sql, scope, 'x'),
    locateProject(sql, 'x/y'),
    locateKey(sql, 'x'),
  ]) {
    expect(await missing).toMatchObject({ code: 'NOT_FOUND' });
  }
});

test('a project name that two workspaces have is refused as a reference', async () => {
  const [one, two] = [await openAccount(sql), await openAccount(sql)];
  for (const { workspace } of [one, two]) await openProject(sql, workspace, { name: 'Twin' });
  expect(await locateProject(sql, 'Twin')).toMatchObject({ code: 'INVALID_REQUEST' });
  expect(isRefusal(await locateProject(sql, `${one.workspace.name}/Twin`))).toBe(false);
});

test('no project or key is found in the scope of another workspace', async () => {
  const [one, two] = [await openAccount(sql), await openAccount(sql)];
  const scope = scopeOf(two.workspace.id);
  for (const reference of [one.project.id, one.project.name]) {
    expect(await findProjectId(sql, scope, reference)).toMatchObject({ code: 'NOT_FOUND' });
  }
  for (const reference of [one.key.id, one.key.key]) {
    expect(await findKeyId(sql, scope, reference)).toMatchObject({ code: 'NOT_FOUND' });
  }
});

test('granted credit can be spent', async () => {
  const account = await openAccount(sql);
  const spender = await Spender.begin(sql);
  await expect(spender.spend(account, { hold: 1n, charge: 1n })).rejects.toThrow('credit purse');
  await grantCredit(sql, account.workspace.id, 1n);
  await spender.spend(account, { hold: 1n, charge: 1n });
  await spender.end();
});
