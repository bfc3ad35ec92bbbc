import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSchemaFiles, schemaDirectory, type SqlFile } from '../../src/database/schema-files.ts';

// Mistakes that a tired colleague would make in the functions and tables of money: each lock, each call that guards a
// statement and each condition on a line of its own left out, one at a time, and each check of a table. A test should
// notice every one. They are made of the files of functions and of the snapshot, so that new ones have theirs.

export interface SqlMutant {
  /** What is left out, and of what. */
  readonly name: string;
  /** The statement that leaves it out. */
  readonly sql: string;
}

/** What may be left out of a function without leaving it in pieces. */
const OMISSIONS: readonly RegExp[] = [
  / *\bfor (?:no key update|key share|update|share)\b(?: of \w+)?(?: skip locked)?/g,
  /\bskip locked\b/g,
  /perform (?:require_live_epoch|bound_transaction|wait_briefly|lock_claims|pg_advisory_xact_lock)\([^;]*\)[^;]*;/g,
  /^ +and (?!.*\bbetween\b)[^\n]*?[^\n,(](?=;$| then\b.*$|$)/gm,
  / and (?:not \w+ )?[\w.]+ is (?:not )?null\b/g,
  /^ +or [^\n]*?(?=;$| then\b.*$|$)/gm,
  /^ +commit;$/gm,
];

/** Functions that move money and claims; the others only read, or compute. */
const isMoving = ({ name, sql }: SqlFile): boolean =>
  name !== 'fresh_id' && !/\b(?:stable|immutable)\b[^$]*\$\$/.test(sql);

/** All of them, in the order of functions and lines. */
export async function sqlMutants(): Promise<readonly SqlMutant[]> {
  const { functions } = await readSchemaFiles(schemaDirectory);
  const schema = await readFile(join(schemaDirectory, 'schema.sql'), 'utf8');
  return [...functions.filter(isMoving).flatMap(mutantsOf), ...mutantsOfChecks(schema)];
}

function mutantsOf({ name, sql }: SqlFile): readonly SqlMutant[] {
  const start = sql.indexOf('$$');
  const found = OMISSIONS.flatMap((omission) => [...sql.slice(start).matchAll(omission)]);
  return found.map((match) => {
    const at = start + match.index;
    const line = sql.slice(0, at).split('\n').length;
    const [omitted] = match;
    return {
      name: `${name}, line ${line}: without "${omitted.trim()}"`,
      sql: sql.slice(0, at) + sql.slice(at + omitted.length),
    };
  });
}

function mutantsOfChecks(schema: string): readonly SqlMutant[] {
  return [...schema.matchAll(/^CREATE TABLE (\w+) \(([^;]*)/gm)].flatMap(([, table, columns = '']) =>
    [...columns.matchAll(/CONSTRAINT (\w+) CHECK/g)].map(([, check]) => ({
      name: `${table}: without ${check}`,
      sql: `alter table ${table} drop constraint ${check}`,
    })),
  );
}
