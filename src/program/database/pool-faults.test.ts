import pg from 'pg';
import { expect, test } from 'vitest';
import { toDatabaseFault } from './pool-faults.ts';

test.each([
  ['28P01', 'password authentication failed for user "faregate"', 'check the user and the password in database.url'],
  ['28000', 'no pg_hba.conf entry for host "127.0.0.1"', 'pg_hba.conf admits it'],
  ['3D000', 'database "x" does not exist', 'create the database'],
  ['42501', 'permission denied for database "x"', 'grant it CREATE'],
  ['53300', 'sorry, too many clients already', 'lower database.connections_max'],
])('a server that refuses with %s is a fault in one line that says why, and what to do', (state, message, remedy) => {
  const refusal = Object.assign(new pg.DatabaseError(message, 0, 'error'), { code: state });
  expect(toDatabaseFault(refusal).message).toMatch(new RegExp(`${message}.*${state}.*${remedy}`));
});

test('a function that is replaced between a statement’s parse and its execution is another try’s matter', () => {
  const message = 'cache lookup failed for function 16385';
  const fault = Object.assign(new pg.DatabaseError(message, 0, 'error'), { code: 'XX000' });
  expect(toDatabaseFault(fault)).toMatchObject({ name: 'DatabaseUnavailable', reason: 'contended' });
});
