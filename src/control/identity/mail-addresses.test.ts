import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAccount } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { signedIn } from '../../../test/support/identity.ts';
import { memberAddresses, operatorAddresses } from './mail-addresses.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await startTestDatabase();
});
afterAll(() => db.stop());

test('mail goes to members with the roles that are meant, of this workspace, who are not disabled', async () => {
  const { workspace } = await openAccount(db.database);
  const other = (await openAccount(db.database)).workspace;
  const sql = db.control;
  await signedIn(sql, { email: 'owner@example.com', roles: { [workspace.id]: 'owner' } });
  await signedIn(sql, { email: 'billing@example.com', roles: { [workspace.id]: 'billing' } });
  await signedIn(sql, { email: 'developer@example.com', roles: { [workspace.id]: 'developer' } });
  await signedIn(sql, { email: 'other@example.com', roles: { [other.id]: 'owner' } });
  const disabled = await signedIn(sql, {
    email: 'gone@example.com',
    isOperator: true,
    roles: { [workspace.id]: 'owner' },
  });
  await signedIn(sql, { email: 'operator@example.com', isOperator: true });
  await db.database.query('update users set disabled_at = now() where id = $1', [disabled.userId]);
  expect(await memberAddresses(sql, workspace.id, ['owner', 'billing'])).toEqual([
    'owner@example.com',
    'billing@example.com',
  ]);
  expect(await memberAddresses(sql, workspace.id, [])).toEqual([]);
  expect(await operatorAddresses(sql)).toEqual(['operator@example.com']);
});
