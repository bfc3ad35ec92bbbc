// The supported versions of JSON Schema, and their differences beyond keywords.

/** Their URIs, by which `$schema` names them: the oldest first. */
export const DIALECTS = {
  'draft-04': 'http://json-schema.org/draft-04/schema',
  'draft-06': 'http://json-schema.org/draft-06/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
} as const;

export type Dialect = keyof typeof DIALECTS;

const NAMES = Object.keys(DIALECTS) as readonly Dialect[];

/** The dialect that a schema declares, 2020-12 by default; null if it isn't supported. */
export function dialectOf({ $schema: named }: { readonly $schema?: unknown }): Dialect | null {
  if (named === undefined) return '2020-12';
  return NAMES.find((dialect) => isDialect(named, dialect)) ?? null;
}

/** Whether `$schema` names this dialect; an empty fragment, and http instead of https, make no difference. */
export function isDialect(named: unknown, dialect: Dialect): boolean {
  if (typeof named !== 'string') return false;
  return named.replace(/#$/, '').replace(/^https?:/, '') === DIALECTS[dialect].replace(/^https?:/, '');
}

/** Whether a dialect is at least as new as another one. */
export function isSince(dialect: Dialect, first: Dialect): boolean {
  return NAMES.indexOf(dialect) >= NAMES.indexOf(first);
}

/**
 * The dialect by whose keywords a schema of this one is compiled. Keywords of drafts 6 and 7, such as `const` and
 * `if`, are in many schemas that declare draft 4, and have the same meaning there.
 */
export function compiledAs(dialect: Dialect): Dialect {
  return isSince(dialect, 'draft-07') ? dialect : 'draft-07';
}

/** Whether everything next to a `$ref` is ignored. */
export function ignoresBesideReference(dialect: Dialect): boolean {
  return !isSince(dialect, '2019-09');
}

/** The keyword that gives a schema an address of its own. */
export function identifierOf(dialect: Dialect): 'id' | '$id' {
  return dialect === 'draft-04' ? 'id' : '$id';
}
