import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAccount } from '../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { noPayments } from '../../test/support/no-payments.ts';
import { scopeOf } from '../../test/support/scopes.ts';
import { changeAutoTopUp } from './payment-settings.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await startTestDatabase();
});
afterAll(() => db.stop());

test('a refused change of payment settings leaves nothing behind', async () => {
  const { workspace } = await openAccount(db.database);
  const { terms } = noPayments(db.database);
  const refused = await changeAutoTopUp(
    db.database,
    scopeOf(workspace.id),
    { enabled: true },
    { terms, expected: null },
  );
  expect(refused).toMatchObject({ code: 'CONFLICT' });
  const rows = await db.database.query('select from payment_settings where workspace_id = $1', [workspace.id]);
  expect(rows).toEqual([]);
});
