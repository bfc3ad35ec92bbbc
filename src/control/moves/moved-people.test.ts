import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAccount } from '../../../test/support/accounts.ts';
import type { TestDatabase } from '../../../test/support/database.ts';
import { testKeyring } from '../../../test/support/keyring.ts';
import { moveTo, startTwoCells, type TwoCells } from '../../../test/support/two-cells.ts';
import { newId } from '../../lib/uuid7.ts';

// Who comes along with a workspace, and with which secrets.

let cells: TwoCells;
beforeAll(async () => {
  cells = await startTwoCells();
});
afterAll(() => cells.stop());

const SECRET = Buffer.from('a secret of an authenticator');
let made = 0;

/** A person with a password and an authenticator, whose address is proven. */
async function openPerson({ database, control }: TestDatabase, email: string, password: string): Promise<string> {
  const id = newId();
  await database.query(
    `insert into users (id, email, name, email_verified_at, password_hash, is_operator) values ($1, $2, 'A person', now(), $3, true)`,
    [id, email, password],
  );
  const encrypted = await testKeyring(control).encrypt(
    { table: 'authenticators', column: 'encrypted_secret', row: id },
    SECRET,
  );
  await database.query(`insert into authenticators (user_id, encrypted_secret, confirmed_at) values ($1, $2, now())`, [
    id,
    encrypted,
  ]);
  return id;
}

/** What a cell knows of the members of a workspace. */
async function membersIn({ database, control }: TestDatabase, workspaceId: string): Promise<readonly object[]> {
  const rows = await database.query<{ id: string; secret: Buffer }>(
    `select u.id, role, email, password_hash as password, is_operator as "isOperator", encrypted_secret as secret
     from members join users u on u.id = user_id join authenticators a on a.user_id = u.id
     where workspace_id = $1 order by email`,
    [workspaceId],
  );
  return await Promise.all(
    rows.map(async ({ secret, ...row }) => ({
      ...row,
      secret: await testKeyring(control).decrypt(
        { table: 'authenticators', column: 'encrypted_secret', row: row.id },
        secret,
      ),
    })),
  );
}

test('people come with password and authenticator, and who has an account there keeps that one and its own', async () => {
  const { zero, one } = cells;
  const { id } = (await openAccount(zero.database)).workspace;
  made += 1;
  const [known, unknown] = [`known-${made}@example.com`, `unknown-${made}@example.com`];
  const there = await openPerson(one, known, 'a password there');
  const here = await openPerson(zero, known, 'a password here');
  const comes = await openPerson(zero, unknown, 'a password that comes along');
  await zero.database.query(
    `insert into members (workspace_id, user_id, role) select $1, unnest($2::uuid[]), 'owner'`,
    [id, [here, comes]],
  );
  expect(await moveTo(zero, one, id, '01')).toMatchObject({ state: 'ended', problem: null });
  expect(await membersIn(one, id)).toEqual([
    { id: there, role: 'owner', email: known, password: 'a password there', isOperator: true, secret: SECRET },
    {
      id: comes,
      role: 'owner',
      email: unknown,
      password: 'a password that comes along',
      isOperator: false,
      secret: SECRET,
    },
  ]);
  expect(await one.database.query('select from users where id = $1', [here])).toEqual([]);
});
