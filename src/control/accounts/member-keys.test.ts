import { afterAll, beforeAll, expect, test } from 'vitest';
import { granted, openKey, openProject } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { type Person, team } from '../../../test/support/identity.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { makeChange } from '../audit/change.ts';
import { isRefusal } from '../../domain/refusals.ts';
import { authorise, type WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { Sql } from '../../lib/sql.ts';
import { consolePrincipal } from './console-keys.ts';
import { type KeyChange, revokeKey, rotateKey, updateKey } from './key-changes.ts';
import { createKey, type Key, type NewKey, showKey } from './keys.ts';
import type { ProjectSettings } from '../resources/project-settings.ts';
import { updateProject } from './projects.ts';

let db: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  db = await startTestDatabase();
  sql = db.database;
});
afterAll(() => db.stop());

const USD = 1_000_000_000n;

/** A project with these bounds, with an admin and a developer who manages their own keys alone. */
async function bounded(settings: Partial<ProjectSettings> = {}) {
  const { workspaceId, people } = await team(sql, 'admin', 'developer');
  const [admin, developer] = people;
  const project = await openProject(sql, { id: workspaceId }, { name: 'Search', ...settings });
  const scope = ({ act }: Person): WorkspaceScope => granted(authorise(act, 'keys:write', workspaceId));
  const create = (by: Person, given: Partial<NewKey> = {}) =>
    makeChange(sql, (tx) => createKey(tx, scope(by), project.id, { name: 'key', ...given }));
  const update = (by: Person, keyId: string, change: KeyChange) =>
    makeChange(sql, (tx) => updateKey(tx, scope(by), { keyId, version: null, change }));
  const rotate = (by: Person, keyId: string) =>
    makeChange(sql, (tx) => rotateKey(tx, scope(by), { keyId, version: null, overlapMs: 0 }));
  const bound = (change: Partial<ProjectSettings>) =>
    makeChange(sql, (tx) => updateProject(tx, scopeOf(workspaceId), { projectId: project.id, version: null, change }));
  const limitOf = async ({ id }: Pick<Key, 'id'>) => granted(await showKey(sql, scopeOf(workspaceId), id)).spendLimit;
  return { workspaceId, project, admin, developer, scope, create, update, rotate, bound, limitOf };
}

const TOO_MUCH = { code: 'FORBIDDEN', param: 'spend_limit_usd' };

test('a developer’s key has the bound of its project as its limit, or less, and never more or none', async () => {
  const { developer, create, update } = await bounded({ memberKeySpendLimit: 50n * USD });
  expect(await create(developer, { spendLimit: null })).toMatchObject(TOO_MUCH);
  expect(await create(developer, { spendLimit: 50n * USD + 1n })).toMatchObject(TOO_MUCH);
  const key = granted(await create(developer));
  expect(key.spendLimit).toBe(50n * USD);
  expect(granted(await create(developer, { spendLimit: 50n * USD })).spendLimit).toBe(50n * USD);
  expect(await update(developer, key.id, { spendLimit: null })).toMatchObject(TOO_MUCH);
  expect(await update(developer, key.id, { spendLimit: 51n * USD })).toMatchObject(TOO_MUCH);
  expect(granted(await update(developer, key.id, { spendLimit: 10n * USD })).spendLimit).toBe(10n * USD);
});

test('a developer raises the limit of their key for a time up to the bound, and a lower bound ends a raise above it', async () => {
  const { developer, admin, create, update, bound, limitOf } = await bounded({ memberKeySpendLimit: 50n * USD });
  const key = granted(await create(developer, { spendLimit: 10n * USD }));
  const tooMuch = { code: 'FORBIDDEN', param: 'raised_limit_usd' };
  expect(await update(developer, key.id, { raisedLimit: 51n * USD })).toMatchObject(tooMuch);
  expect(granted(await update(developer, key.id, { raisedLimit: 50n * USD })).raisedLimit).toBe(50n * USD);
  expect(granted(await update(admin, key.id, { raisedLimit: 90n * USD })).raisedLimit).toBe(90n * USD);
  granted(await bound({ memberKeySpendLimit: 20n * USD }));
  expect(granted(await update(developer, key.id, { name: 'mine' })).raisedLimit).toBeNull();
  expect(await limitOf(key)).toBe(10n * USD);
});

test('the bounds of members’ keys do not hold for those of admins, nor for projects without bounds', async () => {
  const one = await bounded({ memberKeySpendLimit: 50n * USD, memberKeysMax: 1 });
  for (const given of [{}, { spendLimit: 90n * USD }]) {
    expect(granted(await one.create(one.admin, given)).spendLimit).toBe(given.spendLimit ?? null);
  }
  const other = await bounded();
  expect(granted(await other.create(other.developer)).spendLimit).toBeNull();
});

test('a developer neither rotates nor enables a key of theirs that is above the bound, until it is lowered', async () => {
  const { developer, admin, create, update, rotate } = await bounded({ memberKeySpendLimit: 50n * USD });
  const key = granted(await create(developer));
  granted(await update(admin, key.id, { spendLimit: 90n * USD, disabled: true }));
  expect(await rotate(developer, key.id)).toMatchObject(TOO_MUCH);
  expect(await update(developer, key.id, { disabled: false })).toMatchObject(TOO_MUCH);
  granted(await update(developer, key.id, { name: 'renamed' }));
  granted(await update(developer, key.id, { disabled: false, spendLimit: 50n * USD }));
  granted(await rotate(developer, key.id));
});

test('the key of a developer’s console has the bound as its limit, which its member does not raise', async () => {
  const { workspaceId, project, developer, admin, update, limitOf } = await bounded({ memberKeySpendLimit: 5n * USD });
  const played = async ({ act }: Person) => {
    const scope = granted(authorise(act, 'playground:use', workspaceId));
    return granted(await sql.transaction((tx) => consolePrincipal(tx, scope, project.id)));
  };
  const { keyId } = await played(developer);
  expect(await limitOf({ id: keyId })).toBe(5n * USD);
  expect(await update(developer, keyId, { spendLimit: null })).toMatchObject(TOO_MUCH);
  expect(await limitOf({ id: (await played(admin)).keyId })).toBeNull();
});

test('a bound that is set lowers the keys of developers that are above it, in the month that runs, and no others', async () => {
  const { workspaceId, project, developer, admin, create, bound, limitOf } = await bounded();
  const [unlimited, above, below] = [
    granted(await create(developer)),
    granted(await create(developer, { spendLimit: 60n * USD })),
    granted(await create(developer, { spendLimit: 40n * USD })),
  ];
  const revoked = granted(await create(developer));
  granted(await makeChange(sql, (tx) => revokeKey(tx, scopeOf(workspaceId), revoked.id)));
  const others = [granted(await create(admin)), await openKey(sql, project)];
  const elsewhere = await openProject(sql, { id: workspaceId }, { name: 'Other' });
  const ofOther = granted(
    await makeChange(sql, (tx) =>
      createKey(tx, granted(authorise(developer.act, 'keys:write', workspaceId)), elsewhere.id, { name: 'key' }),
    ),
  );
  await sql.query(
    `insert into purses (workspace_id, kind, subject_id, period, window_start, window_end)
     values ($1, 'key', $2, 'month', date_trunc('month', now(), 'UTC'), now() + interval '1 month')`,
    [workspaceId, unlimited.id],
  );
  granted(await bound({ memberKeySpendLimit: 50n * USD }));
  expect(await Promise.all([unlimited, above, below, revoked, ...others, ofOther].map(limitOf))).toEqual([
    50n * USD,
    50n * USD,
    40n * USD,
    null,
    null,
    null,
    null,
  ]);
  const [purse] = await sql.query(`select limit_nano_usd as limit from purses where kind = 'key' and subject_id = $1`, [
    unlimited.id,
  ]);
  expect(purse).toEqual({ limit: 50n * USD });
  const changes = await sql.query<{ id: string }>(`select subject_id as id from changes where kind = 'key'`);
  expect(changes.filter(({ id }) => id === above.id).length).toBeGreaterThan(1);
  granted(await bound({ memberKeySpendLimit: null }));
  expect(await limitOf(unlimited)).toBe(50n * USD);
});

test('a developer has as many keys as the project allows each, those revoked this month and of the same moment too', async () => {
  const { workspaceId, developer, admin, create, bound } = await bounded({ memberKeysMax: 2 });
  const results = await Promise.all([1, 2, 3, 4].map(() => create(developer)));
  const made = results.filter((result) => !isRefusal(result));
  expect(made).toHaveLength(2);
  expect(results.find(isRefusal)).toMatchObject({ code: 'CONFLICT' });
  granted(await create(admin));
  granted(await makeChange(sql, (tx) => revokeKey(tx, scopeOf(workspaceId), made[0]?.id ?? '')));
  expect(isRefusal(await create(developer))).toBe(true);
  await sql.query(
    `update keys set revoked_at = date_trunc('month', now(), 'UTC') - interval '1 second'
     where workspace_id = $1 and revoked_at is not null`,
    [workspaceId],
  );
  granted(await create(developer));
  expect(isRefusal(await create(developer))).toBe(true);
  granted(await bound({ memberKeysMax: 3 }));
  granted(await create(developer));
});
