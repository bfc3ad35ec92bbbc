import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { controlOf, startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { isRefusal } from '../../domain/refusals.ts';
import { SystemClock } from '../../lib/clock.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import { Pacer } from '../../lib/pacer.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import { createLog } from '../telemetry/log.ts';
import { createBackups } from './backup-stream.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await startTestDatabase();
});
afterAll(() => testDatabase.stop());

function backups(sql: ControlSql) {
  return createBackups({ sql, pacer: new Pacer(new SystemClock()), log: createLog('silent') });
}

test('a backup is refused while another is written, and made once that has ended or was left', async () => {
  // More than what lies between the writer and a reader who stands still.
  await testDatabase.database.query(
    `insert into quarantined_receipts (request_id, receipt, reason)
     select n::text, (select string_agg(md5(n::text || m), '') from generate_series(1, 100) m), 'a test'
     from generate_series(1, 1000) n`,
  );
  const begin = backups(testDatabase.control);
  const first = await begin();
  if (isRefusal(first)) throw new Error(first.message);
  expect(await begin()).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterMs: 10_000 });
  await first.cancel();
  const isWritten = async (): Promise<boolean> => {
    const next = await begin();
    return !isRefusal(next) && (await text(next)) !== '';
  };
  await expect.poll(isWritten, { timeout: 20_000 }).toBe(true);
  expect(await isWritten()).toBe(true);
});

test('a backup that cannot begin says why, and leaves room for the next', async () => {
  let isAway = true;
  const { database } = testDatabase;
  const begin = backups(
    controlOf({
      query: database.query.bind(database),
      transaction: (work, options) =>
        isAway ? Promise.reject(new DatabaseUnavailable('away')) : database.transaction(work, options),
    }),
  );
  await expect(begin()).rejects.toBeInstanceOf(DatabaseUnavailable);
  isAway = false;
  const stream = await begin();
  if (isRefusal(stream)) throw new Error(stream.message);
  expect(await text(stream)).not.toBe('');
});
