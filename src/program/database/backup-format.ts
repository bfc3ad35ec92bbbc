import type { SqlRunner } from '../../lib/sql.ts';

// A backup is gzipped text in lines: the header, then for each table its name and its rows, then the number of rows of
// each table. A row is a JSON object and is never parsed here, because its amounts don't fit a JavaScript number; every
// other line is a JSON array.

/** The backup can't be written or restored. The message is one line with the reason and the remedy. */
export class BackupFault extends Error {
  override readonly name = 'BackupFault';
}

export const formatName = 'faregate-backup';
export const formatVersion = 1;

/** The first line of a backup. */
export interface BackupHeader {
  readonly format: typeof formatName;
  readonly version: number;
  readonly takenAt: string;
  /** The migrations that made the schema, as recorded in schema_files. */
  readonly schema: readonly { readonly name: string; readonly sha256: string }[];
}

/** A line that is not a row. */
export type BackupMark =
  | readonly ['header', BackupHeader]
  | readonly ['table', string]
  | readonly ['end', Readonly<Record<string, number>>];

// The record of the schema goes in the header. Changes only inform running processes, by transaction numbers of this
// server. Notices are sent once: a restored instance must not send them again, and some hold links that are secrets.
// A restore counts usage from the receipts, except for hours of dropped receipts. Unlogged tables are working tables.
const tablesLeftOut = [
  'schema_files',
  'schema_programs',
  'schema_migrations',
  'schema_functions',
  'changes',
  'notices',
  'usage_folding',
  'usage_days',
  'usage_key_days',
  'usage_key_months',
  'usage_member_days',
];

/** The tables of a backup, each after the tables that it references. @throws SqlFault, DatabaseUnavailable */
export async function backupTables(db: SqlRunner): Promise<readonly string[]> {
  const tables = await db.query<{ name: string; needs: string[] }>(
    `select c.relname as name,
            array(select distinct f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
                   where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as needs
       from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and c.relpersistence = 'p'
        and c.relname <> all ($1)
      order by c.relname collate "C"`,
    [tablesLeftOut],
  );
  const ordered: string[] = [];
  const place = (name: string): void => {
    if (ordered.includes(name)) return;
    for (const needed of tables.find((table) => table.name === name)?.needs ?? []) place(needed);
    ordered.push(name);
  };
  for (const { name } of tables) place(name);
  return ordered;
}

/** The record of the schema, for the header. @throws SqlFault, DatabaseUnavailable */
export async function backupSchema(db: SqlRunner): Promise<BackupHeader['schema']> {
  return db.query<{ name: string; sha256: string }>(
    `select name, sha256 from schema_files where kind = 'migration' order by name collate "C"`,
  );
}
