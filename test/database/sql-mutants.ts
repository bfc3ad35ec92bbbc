import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSchemaFiles, schemaDirectory, type SqlFile } from '../../src/program/database/schema-files.ts';
import { changesOf, type SqlChange } from './sql-changes.ts';

// Mistakes in the functions and tables of the database, one at a time: what `changesOf` makes of each function, and each check
// of a table left out. A test should notice every one. They are made of the files of functions and of the snapshot, so that
// new ones have theirs.

export interface SqlMutant {
  /** What is changed, in which line of what. No two have the same. */
  readonly name: string;
  /** The statement that makes the change in a database. */
  readonly sql: string;
}

/** The mutants of one function, or of the checks of all tables. */
export interface MutantGroup {
  readonly name: string;
  /** Changes with any of its mutants. */
  readonly sha256: string;
  readonly mutants: readonly SqlMutant[];
}

/** The group of the checks of tables. */
export const CHECKS = 'checks of tables';

/** A group for each function, in alphabetical order, and one for the checks of tables. */
export async function sqlMutants(): Promise<readonly MutantGroup[]> {
  const { functions } = await readSchemaFiles(schemaDirectory);
  const schema = await readFile(join(schemaDirectory, 'schema.sql'), 'utf8');
  return [...functions.map((each) => groupOf(each.name, mutantsOf(each))), groupOf(CHECKS, mutantsOfChecks(schema))];
}

function groupOf(name: string, mutants: readonly SqlMutant[]): MutantGroup {
  const hash = createHash('sha256');
  for (const { sql } of mutants) hash.update(sql);
  return { name, sha256: hash.digest('hex').slice(0, 16), mutants };
}

function mutantsOf({ name, sql }: SqlFile): readonly SqlMutant[] {
  const seen = new Map<string, number>();
  const made = new Set<string>();
  const isNew = ({ at, former, replacement }: SqlChange): boolean => {
    // A condition on a line of its own is found with its line and without.
    const words = (sql.slice(0, at) + replacement + sql.slice(at + former.length)).replaceAll(/\s+/g, ' ');
    return made.size < made.add(words).size;
  };
  return changesOf(sql, sql.indexOf('$$'))
    .filter(isNew)
    .map((change) => {
      const described = `${name}, "${lineAt(sql, change.at)}": ${descriptionOf(change)}`;
      const count = (seen.get(described) ?? 0) + 1;
      seen.set(described, count);
      return {
        name: count === 1 ? described : `${described} (${count})`,
        sql: sql.slice(0, change.at) + change.replacement + sql.slice(change.at + change.former.length),
      };
    });
}

function lineAt(sql: string, at: number): string {
  // An omission may begin with the blanks of its line, or with the end of the line before.
  const start = at + sql.slice(at).search(/\S/);
  const end = sql.indexOf('\n', start);
  return sql.slice(sql.lastIndexOf('\n', start) + 1, end === -1 ? sql.length : end).trim();
}

function descriptionOf({ former, replacement }: SqlChange): string {
  const [from, to] = [former, replacement].map((text) => text.trim().replaceAll(/\s+/g, ' '));
  return to === '' ? `without "${from}"` : `"${to}" for "${from}"`;
}

function mutantsOfChecks(schema: string): readonly SqlMutant[] {
  return [...schema.matchAll(/^CREATE TABLE (\w+) \(([^;]*)/gm)].flatMap(([, table, columns = '']) =>
    [...columns.matchAll(/CONSTRAINT (\w+) CHECK/g)].map(([, check]) => ({
      name: `${table}: without ${check}`,
      sql: `alter table ${table} drop constraint ${check}`,
    })),
  );
}
