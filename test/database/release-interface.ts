import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from '../../src/lib/sql.ts';

// What the program of a release uses of its database: its statements, as its own code sent them in its tests, and its functions.
// It is stored once for each release, by `tools/store-release.ts`; a later schema is held to the last one's.

export interface ReleaseInterface {
  readonly statements: readonly Statement[];
  readonly functions: readonly SqlFunction[];
}

/** A statement, with the types of its parameters and results. Null: it can't be prepared, as calls of procedures can't. */
export interface Statement {
  readonly text: string;
  readonly types: { readonly parameters: readonly string[]; readonly results: readonly string[] } | null;
}

export interface SqlFunction {
  readonly name: string;
  /** Each with its type. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** How many of the last inputs have defaults. */
  readonly defaults: number;
  readonly result: string;
}

/** Where the interface of this version is stored. */
export function interfacePath(version: string): string {
  return join(import.meta.dirname, 'interfaces', `${version}.json`);
}

/** Reads a stored one. @throws ENOENT if there is none */
export async function readInterface(version: string): Promise<ReleaseInterface> {
  return JSON.parse(await readFile(interfacePath(version), 'utf8')) as ReleaseInterface;
}

/** What these statements and the functions are in a database. */
export async function interfaceOf(sql: Sql, texts: readonly string[]): Promise<ReleaseInterface> {
  const statements: Statement[] = [];
  for (const text of texts) statements.push({ text, types: await typesOf(sql, text) });
  return { statements, functions: await functionsOf(sql) };
}

async function typesOf(sql: Sql, text: string): Promise<Statement['types']> {
  return await sql
    .transaction(async (tx) => {
      await tx.query(`prepare former as ${text}`);
      const [types] = await tx.query<{ parameters: readonly string[]; results: readonly string[] }>(
        `select parameter_types::text[] as parameters, coalesce(result_types::text[], '{}') as results
           from pg_prepared_statements where name = 'former'`,
      );
      await tx.query('deallocate former');
      return types ?? null;
    })
    .catch(() => null);
}

async function functionsOf(sql: Sql): Promise<readonly SqlFunction[]> {
  return await sql.query<SqlFunction>(
    `select proname as name,
       array(select coalesce(a.name, '') || ' ' || a.type::regtype::text from unnest(proargnames, types, modes) with ordinality
         as a (name, type, mode, place) where a.mode not in ('o', 't') order by place) as inputs,
       array(select coalesce(a.name, '') || ' ' || a.type::regtype::text from unnest(proargnames, types, modes) with ordinality
         as a (name, type, mode, place) where a.mode in ('o', 't') order by place) as outputs,
       pronargdefaults::int as defaults,
       pg_get_function_result(oid) as result
     from pg_proc
     cross join lateral (select
       coalesce(proallargtypes, proargtypes::oid[]) as types,
       coalesce(proargmodes::text[], array_fill('i'::text, array[pronargs::int])) as modes
     ) given
     where pronamespace = 'public'::regnamespace order by proname collate "C"`,
  );
}

/** Whether a program that knows the former one may call the present one: what is new has a default, or is behind the rest. */
export function isCallableAs(present: SqlFunction | undefined, former: SqlFunction): boolean {
  if (present === undefined) return false;
  const isSameResult = former.outputs.length > 0 || former.result === present.result;
  const added = present.inputs.length - former.inputs.length;
  return (
    isSameResult &&
    added <= present.defaults &&
    begins(present.inputs, former.inputs) &&
    begins(present.outputs, former.outputs)
  );
}

/**
 * Whether a program that knows the former statement gets what it reads: results that are new to it stand behind the others, or
 * between them where it asks for all columns of a table. Programs read those by name, and prepare no such statement for long.
 */
export function isPreparedAs(
  text: string,
  present: Statement['types'],
  former: NonNullable<Statement['types']>,
): boolean {
  const keeps = /\bselect \w+\.\*/.test(text) ? contains : begins;
  return (
    present !== null && present.parameters.join() === former.parameters.join() && keeps(present.results, former.results)
  );
}

/** Whether all has these in their order, with others between them. */
function contains(all: readonly string[], some: readonly string[]): boolean {
  let at = -1;
  return some.every((each) => (at = all.indexOf(each, at + 1)) >= 0);
}

function begins(all: readonly string[], first: readonly string[]): boolean {
  return first.every((each, index) => all[index] === each);
}
