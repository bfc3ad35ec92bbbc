import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { Pacer } from '../lib/pacer.ts';
import type { Sql, SqlRunner } from '../lib/sql.ts';
import {
  type BackupHeader,
  type BackupMark,
  backupSchema,
  backupTables,
  formatName,
  formatVersion,
} from './backup-format.ts';

const rowsAtOnce = 500;
const statementMsMax = 600_000;

interface BackupParts {
  readonly sql: Sql;
  readonly pacer: Pacer;
  /** Called once the database answers. */
  readonly onBegun?: () => void;
}

/**
 * Writes the whole database, as it stands at one moment, and ends the stream. Nobody is kept from writing meanwhile, and
 * requests are hardly delayed: it is read in slices, and compressed fast rather than small.
 * @throws DatabaseUnavailable, SqlFault, and what the stream fails with.
 */
export async function writeBackup(
  { sql, pacer, onBegun = () => undefined }: BackupParts,
  destination: Writable,
): Promise<void> {
  await sql.transaction(
    async (tx) => {
      await tx.query('set transaction isolation level repeatable read, read only');
      const schema = await backupSchema(tx);
      onBegun();
      const lines = Readable.from(backupLines(tx, schema, pacer), { objectMode: true });
      await pipeline(lines, createGzip({ level: constants.Z_BEST_SPEED }), destination);
    },
    { statementMsMax, idleMsMax: statementMsMax },
  );
}

async function* backupLines(tx: SqlRunner, schema: BackupHeader['schema'], pacer: Pacer): AsyncGenerator<string> {
  yield mark(['header', { format: formatName, version: formatVersion, takenAt: new Date().toISOString(), schema }]);
  const counts: Record<string, number> = {};
  for (const table of await backupTables(tx)) {
    yield mark(['table', table]);
    let count = 0;
    await tx.query(`declare backup no scroll cursor for select to_jsonb(t)::text as line from ${table} t`);
    for (;;) {
      const rows = await pacer.slice(() => tx.query<{ line: string }>(`fetch ${rowsAtOnce} from backup`));
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
