import type { SqlRunner } from '../../src/lib/sql.ts';

// Mistakes that a tired colleague would make in the functions and tables of money: each lock, each call that guards a
// statement and each condition on a line of its own left out, one at a time, and each check of a table. A test should
// notice every one. They are made of what the database has, so that new functions have theirs.

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
  /^ +and (?!.*\bbetween\b)[^\n]*[^\n,(]$/gm,
  / and (?:not \w+ )?[\w.]+ is (?:not )?null\b/g,
  /^ +or [^\n]*$/gm,
];

/** Functions of money and claims; the others only read, or reckon. */
const FUNCTIONS = `
  select p.proname as name, pg_get_functiondef(p.oid) as text from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.provolatile = 'v' and p.proname <> 'fresh_id'
  order by p.proname`;

const CHECKS = `
  select c.conrelid::regclass::text as table, c.conname as name from pg_constraint c
  where c.contype = 'c' and c.connamespace = 'public'::regnamespace and c.conislocal
    and c.conrelid::regclass::text in ('purses', 'leases', 'receipts', 'ledger_entries', 'ledger_postings', 'free_answers')
  order by 1, 2`;

/** All of them, in the order of functions and lines. */
export async function sqlMutants(sql: SqlRunner): Promise<readonly SqlMutant[]> {
  const functions = await sql.query<{ name: string; text: string }>(FUNCTIONS);
  const checks = await sql.query<{ table: string; name: string }>(CHECKS);
  return [
    ...functions.flatMap(({ name, text }) => mutantsOf(name, text)),
    ...checks.map(({ table, name }) => ({
      name: `${table}: without ${name}`,
      sql: `alter table ${table} drop constraint ${name}`,
    })),
  ];
}

function mutantsOf(name: string, text: string): readonly SqlMutant[] {
  const start = text.indexOf('AS $function$');
  const found = OMISSIONS.flatMap((omission) => [...text.slice(start).matchAll(omission)]);
  return found.map((match) => {
    const at = start + match.index;
    const line = text.slice(start, at).split('\n').length;
    const [omitted] = match;
    return {
      name: `${name}, line ${line}: without "${omitted.trim()}"`,
      sql: text.slice(0, at) + text.slice(at + omitted.length),
    };
  });
}
