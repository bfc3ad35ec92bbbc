import type { SqlRunner } from '../lib/sql.ts';

// A backup is gzipped text, a line for each thing: the header, then for each table its name and its rows, then the
// number of rows of each table. A row is a JSON object and is never parsed here, because its amounts don't fit a
// JavaScript number; what isn't a row is a JSON array.

/** The backup can't be written or restored. The message is one line that says why and what to do. */
export class BackupFault extends Error {
  override readonly name = 'BackupFault';
}

export const formatName = 'faregate-backup';
export const formatVersion = 1;

/** What a backup begins with. */
export interface BackupHeader {
  readonly format: typeof formatName;
  readonly version: number;
  readonly takenAt: string;
  /** The migrations that made the schema, as they stand in schema_migrations. */
  readonly schema: readonly { readonly name: string; readonly sha256: string }[];
}

/** Anything but a row. */
export type BackupMark =
  | readonly ['header', BackupHeader]
  | readonly ['table', string]
  | readonly ['end', Readonly<Record<string, number>>];

// The schema's own record goes in the header. Changes inform running processes of what happened a moment ago, by
// transaction numbers of this very server. Notices are sent once: a restored instance must not send them again, and some
// hold links that are secrets. Unlogged tables are working tables.
const tablesLeftOut = ['schema_migrations', 'schema_functions', 'changes', 'notices'];

/** The tables that a backup holds, each after those that its rows refer to. @throws SqlFault, DatabaseUnavailable */
export async function backupTables(db: SqlRunner): Promise<readonly string[]> {
  const tables = await db.query<{ name: string; needs: string[] }>(
    `select c.relname as name,
            array(select distinct f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
                   where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as needs
       from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
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

/** The schema's record, as a header holds it. @throws SqlFault, DatabaseUnavailable */
export async function backupSchema(db: SqlRunner): Promise<BackupHeader['schema']> {
  return db.query<{ name: string; sha256: string }>('select name, sha256 from schema_migrations order by name');
}
