import { GivenKeys } from '../../src/control/encryption/given-keys.ts';
import { Keyring } from '../../src/control/encryption/keyring.ts';
import { SystemClock } from '../../src/lib/clock.ts';
import type { Sql } from '../../src/lib/sql.ts';

/** A key-encryption key of tests, in base64. */
export const TEST_KEY = Buffer.alloc(32, 7).toString('base64');

/** A keyring over a database, with the tests' key. */
export function testKeyring(sql: Sql): Keyring {
  return new Keyring(sql, new GivenKeys('a test', TEST_KEY), new SystemClock());
}
