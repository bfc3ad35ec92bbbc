import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { ControlSql } from '../../lib/control-sql.ts';
import { SystemClock } from '../../lib/clock.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import type { Log } from '../telemetry/log.ts';
import { openKeyring } from './keyring.ts';

/** The warnings about a keyring whose database answers with a fault, before or after its process has begun to close. */
async function warningsOf(closesFirst: boolean): Promise<readonly string[]> {
  const { promise: answer, reject: fail } = Promise.withResolvers<never>();
  const sql = { query: () => answer, transaction: () => answer };
  const warnings: string[] = [];
  const closing = new AsyncDisposableStack();
  openKeyring({
    config: { secrets: { kind: 'given', keys: randomBytes(32).toString('base64') } },
    home: { path: '/nowhere' },
    sql: new ControlSql(sql, { clock: new SystemClock(), connectionsMax: 2 }),
    log: { warn: (_: object, text: string) => warnings.push(text) } as unknown as Log,
    closing,
  });
  if (closesFirst) await closing.disposeAsync();
  fail(new DatabaseUnavailable('nothing answers'));
  await expect(answer).rejects.toThrow('nothing answers');
  await new Promise((resolve) => setImmediate(resolve));
  await closing.disposeAsync();
  return warnings;
}

test('keys of secrets that could not be loaded are reported by a process that runs, and not by one that closes', async () => {
  expect(await warningsOf(false)).toEqual(['the keys of secrets could not be loaded; will retry']);
  expect(await warningsOf(true)).toEqual([]);
});
