import { backupTables } from '../../src/program/database/backup-format.ts';
import { readSchemaFiles, schemaDirectory } from '../../src/program/database/schema-files.ts';
import { SCHEMA_RECORD } from '../../src/program/database/schema-record.ts';
import type { SqlRunner } from '../../src/lib/sql.ts';

const RECORD_TABLES = ['schema_migrations', 'schema_functions', 'schema_files', 'schema_programs'];

const MIGRATION = /^\\i migrations\/(\w+)\.sql$/gm;

/**
 * The SQL that makes a database like this one, which has this program's schema. Migrations, which never change once they have
 * landed, are included by their names.
 */
export async function dumpDatabase(db: SqlRunner): Promise<string> {
  const { migrations, functions } = await readSchemaFiles(schemaDirectory);
  const tables = [...(await backupTables(db)), ...RECORD_TABLES];
  const rows: string[] = [];
  for (const table of tables) rows.push(...(await insertsOf(db, table)));
  return [
    'set local check_function_bodies = off;\n',
    SCHEMA_RECORD,
    ...migrations.map(({ name }) => `\\i migrations/${name}.sql`),
    ...functions.map(({ sql }) => sql),
    ...(await linesOf(db, PARTITIONS)),
    '',
    ...rows,
    '',
    ...(await linesOf(db, TRIGGERS)),
    ...(await linesOf(db, SEQUENCES)),
    '',
  ].join('\n');
}

/** The SQL of a stored database, with its migrations in their places. @throws Error if one of them is missing */
export async function withMigrations(stored: string): Promise<string> {
  const { migrations } = await readSchemaFiles(schemaDirectory);
  const texts = new Map(migrations.map(({ name, sql }) => [name, sql]));
  return stored.replace(MIGRATION, (_, name: string) => {
    const text = texts.get(name);
    if (text === undefined) throw new Error(`the stored database has the migration ${name}, which is missing`);
    return text;
  });
}

async function insertsOf(db: SqlRunner, table: string): Promise<readonly string[]> {
  const rows = await linesOf(db, `select (to_jsonb(t) - 'settled_xid')::text as line from ${table} t order by t::text`);
  return rows.map((row) => {
    const quoted = row.replaceAll("'", "''");
    return `insert into ${table} overriding system value select * from jsonb_populate_record(null::${table}, '${quoted}');`;
  });
}

async function linesOf(db: SqlRunner, query: string): Promise<readonly string[]> {
  return (await db.query<{ line: string }>(query)).map(({ line }) => line);
}

const PARTITION = `c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relispartition`;

const PARTITIONS = `
  select format('create table %I partition of receipts %s;', c.relname, pg_get_expr(c.relpartbound, c.oid)) as line
    from pg_class c where ${PARTITION} and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT' order by c.relname`;

const TRIGGERS = `
  select pg_get_triggerdef(t.oid) || ';' as line from pg_trigger t join pg_class c on c.oid = t.tgrelid
   where ${PARTITION} and not t.tgisinternal and t.tgparentid = 0 order by c.relname, t.tgname`;

const SEQUENCES = `
  select format('select setval(%L, %s);', sequencename, last_value) as line
    from pg_sequences where schemaname = 'public' and last_value is not null order by sequencename`;
