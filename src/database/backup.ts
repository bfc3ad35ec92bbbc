import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Sql, SqlRunner } from '../lib/sql.ts';
import { backupSchema, backupTables, formatName, formatVersion, type BackupMark } from './backup-format.ts';

const rowsAtOnce = 500;
const statementMsMax = 600_000;

/**
 * Writes the whole database, as it stands at one moment, and ends the stream. Nobody is kept from writing meanwhile.
 * @throws DatabaseUnavailable, SqlFault, and what the stream fails with.
 */
export async function writeBackup(sql: Sql, destination: Writable): Promise<void> {
  await sql.transaction(
    async (tx) => {
      await tx.query('set transaction isolation level repeatable read, read only');
      await pipeline(Readable.from(backupLines(tx), { objectMode: true }), createGzip(), destination);
    },
    { statementMsMax, idleMsMax: statementMsMax },
  );
}

async function* backupLines(tx: SqlRunner): AsyncGenerator<string> {
  const schema = await backupSchema(tx);
  yield mark(['header', { format: formatName, version: formatVersion, takenAt: new Date().toISOString(), schema }]);
  const counts: Record<string, number> = {};
  for (const table of await backupTables(tx)) {
    yield mark(['table', table]);
    let count = 0;
    await tx.query(`declare backup no scroll cursor for select to_jsonb(t)::text as line from ${table} t`);
    for (;;) {
      const rows = await tx.query<{ line: string }>(`fetch ${rowsAtOnce} from backup`);
      if (rows.length === 0) break;
      count += rows.length;
      yield rows.map(({ line }) => `${line}\n`).join('');
    }
    await tx.query('close backup');
    counts[table] = count;
  }
  yield mark(['end', counts]);
}

function mark(content: BackupMark): string {
  return `${JSON.stringify(content)}\n`;
}
