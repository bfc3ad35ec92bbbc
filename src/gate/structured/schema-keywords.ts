import { isObject, type JsonObject } from '../openai/json-object.ts';
import { type Dialect, ignoresBesideReference, isSince } from './dialects.ts';
import { appendPointer } from './strict-json.ts';

// The keywords with subschemas, and how those are applied. Everything else in a schema (constants, examples, unknown
// keywords) is data.

/**
 * How the schemas below a keyword are applied.
 * - `here`: to the same value as the schema with the keyword.
 * - `within`: to a part of that value.
 * - `not`: not at all, unless a reference leads to them.
 */
type Reach = 'here' | 'within' | 'not';

/** The value of a keyword: a schema, a list of them, an object of them, or either of the first two. */
type Shape = 'schema' | 'list' | 'members' | 'schema or list';

interface Keyword {
  readonly shape: Shape;
  readonly reach: Reach;
  /** The first and the last dialect in which it counts: drafts 4 and 6 are read with what draft 7 has added. */
  readonly since: Dialect;
  readonly until: Dialect;
}

function keyword(shape: Shape, reach: Reach, since: Dialect = 'draft-04', until: Dialect = '2020-12'): Keyword {
  return { shape, reach, since, until };
}

const KEYWORDS = new Map<string, Keyword>([
  ['allOf', keyword('list', 'here')],
  ['anyOf', keyword('list', 'here')],
  ['oneOf', keyword('list', 'here')],
  ['not', keyword('schema', 'here')],
  ['if', keyword('schema', 'here')],
  ['then', keyword('schema', 'here')],
  ['else', keyword('schema', 'here')],
  ['dependentSchemas', keyword('members', 'here', '2019-09')],
  // Its other members are lists of names, not schemas. Newer dialects allow this keyword only for compatibility, as it
  // is handled here.
  ['dependencies', keyword('members', 'here')],
  ['properties', keyword('members', 'within')],
  ['patternProperties', keyword('members', 'within')],
  ['additionalProperties', keyword('schema', 'within')],
  ['propertyNames', keyword('schema', 'within')],
  ['unevaluatedProperties', keyword('schema', 'within', '2019-09')],
  ['prefixItems', keyword('list', 'within', '2020-12')],
  ['items', keyword('schema or list', 'within')],
  ['additionalItems', keyword('schema', 'within', 'draft-04', '2019-09')],
  ['contains', keyword('schema', 'within')],
  ['unevaluatedItems', keyword('schema', 'within', '2019-09')],
  ['contentSchema', keyword('schema', 'not', '2019-09')],
  ['$defs', keyword('members', 'not')],
  ['definitions', keyword('members', 'not')],
]);

export interface Subschema {
  readonly pointer: string;
  /** An object or a boolean. */
  readonly schema: unknown;
  readonly reach: Reach;
}

/** Whether the value can be a schema. */
export function isSchema(value: unknown): boolean {
  return isObject(value) || typeof value === 'boolean';
}

/** How the schemas below a keyword are applied; null if the dialect has none below it. */
export function reachOf(name: string, dialect: Dialect): Reach | null {
  const known = KEYWORDS.get(name);
  if (known === undefined || !isSince(dialect, known.since) || !isSince(known.until, dialect)) return null;
  return known.reach;
}

/** A keyword's value, with each direct subschema replaced. */
export function mapSubschemas(
  name: string,
  value: unknown,
  pointer: string,
  map: (schema: unknown, pointer: string) => unknown,
): unknown {
  const shape = KEYWORDS.get(name)?.shape;
  const at = appendPointer(pointer, name);
  const each = (step: string | number, one: unknown): unknown =>
    isSchema(one) ? map(one, appendPointer(at, step)) : one;
  if (shape === 'members') {
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([step, one]) => [step, each(step, one)]));
  }
  if (Array.isArray(value) && shape !== 'schema') return value.map((one: unknown, index) => each(index, one));
  return isSchema(value) && shape !== 'list' ? map(value, at) : value;
}

/** The direct subschemas of a schema at `pointer`. */
export function subschemasOf(schema: JsonObject, pointer: string, dialect: Dialect): readonly Subschema[] {
  const found: Subschema[] = [];
  const isReference = ignoresBesideReference(dialect) && schema['$ref'] !== undefined;
  for (const [name, value] of Object.entries(schema)) {
    const reach = reachOf(name, dialect);
    if (reach === null) continue;
    mapSubschemas(name, value, pointer, (one, at) => {
      found.push({ pointer: at, schema: one, reach: isReference ? 'not' : reach });
      return one;
    });
  }
  return found;
}
