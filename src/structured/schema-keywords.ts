import { appendPointer } from './strict-json.ts';

// Which keywords hold schemas of their own, and how those are applied. All that a schema holds elsewhere (constants,
// examples, keywords that nobody knows) is data.

export type JsonObject = Readonly<Record<string, unknown>>;

/** The versions of JSON Schema that are understood, by the URI that `$schema` names them with. */
export const DIALECTS = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema',
} as const;

export type Dialect = keyof typeof DIALECTS;

/**
 * How the schemas below a keyword are applied.
 * - `here`: to the same value as the schema that has the keyword.
 * - `within`: to a part of that value.
 * - `not`: not at all, unless something refers to them.
 */
type Reach = 'here' | 'within' | 'not';

/** Below a keyword stands a schema, a list of them, or an object of them. */
type Shape = 'schema' | 'list' | 'members';

const KEYWORDS = new Map<string, readonly (readonly [Shape, Reach])[]>([
  ['allOf', [['list', 'here']]],
  ['anyOf', [['list', 'here']]],
  ['oneOf', [['list', 'here']]],
  ['not', [['schema', 'here']]],
  ['if', [['schema', 'here']]],
  ['then', [['schema', 'here']]],
  ['else', [['schema', 'here']]],
  ['dependentSchemas', [['members', 'here']]],
  // Of draft 7: its other members are lists of names, which are no schemas.
  ['dependencies', [['members', 'here']]],
  ['properties', [['members', 'within']]],
  ['patternProperties', [['members', 'within']]],
  ['additionalProperties', [['schema', 'within']]],
  ['propertyNames', [['schema', 'within']]],
  ['unevaluatedProperties', [['schema', 'within']]],
  ['prefixItems', [['list', 'within']]],
  [
    'items',
    [
      ['schema', 'within'],
      ['list', 'within'],
    ],
  ],
  ['additionalItems', [['schema', 'within']]],
  ['contains', [['schema', 'within']]],
  ['unevaluatedItems', [['schema', 'within']]],
  ['contentSchema', [['schema', 'not']]],
  ['$defs', [['members', 'not']]],
  ['definitions', [['members', 'not']]],
]);

export interface Subschema {
  readonly pointer: string;
  /** An object or a boolean. */
  readonly schema: unknown;
  readonly keyword: string;
  readonly reach: Reach;
}

/** Whether the value is an object of JSON. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether the value can be a schema. */
export function isSchema(value: unknown): boolean {
  return isObject(value) || typeof value === 'boolean';
}

/** The schemas that stand directly within a schema at `pointer`. */
export function* subschemasOf(schema: JsonObject, pointer: string): Generator<Subschema, void> {
  for (const [keyword, value] of Object.entries(schema)) {
    for (const [shape, reach] of KEYWORDS.get(keyword) ?? []) {
      const at = appendPointer(pointer, keyword);
      if (shape === 'schema' && isSchema(value)) yield { pointer: at, schema: value, keyword, reach };
      else if (shape === 'list' && Array.isArray(value)) {
        for (const [index, each] of (value as unknown[]).entries()) {
          if (isSchema(each)) yield { pointer: appendPointer(at, index), schema: each, keyword, reach };
        }
      } else if (shape === 'members' && isObject(value)) {
        for (const [name, each] of Object.entries(value)) {
          if (isSchema(each)) yield { pointer: appendPointer(at, name), schema: each, keyword, reach };
        }
      }
    }
  }
}
