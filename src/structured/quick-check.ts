import {
  aboveCheck,
  additionalCheck,
  allOf,
  always,
  anyOf,
  belowCheck,
  type Check,
  formatCheck,
  isAsLong,
  itemsCheck,
  never,
  ofNumbers,
  ofStrings,
  oneOf,
  propertiesCheck,
  requiredCheck,
  takes,
  typeCheck,
} from './quick-parts.ts';
import { dialectOf, ignoresBesideReference } from './dialects.ts';
import { isObject, type JsonObject } from './schema-keywords.ts';

// A short way to see that a value conforms, for schemas of the keywords that most have, on the thread that serves requests:
// handing an answer to another thread and hearing from it costs that thread more than this does. So whatever the schema
// and the value are, it takes few steps, and each step takes a bounded time: there are no patterns, and a check that has
// used up its steps is given up. It says yes or nothing: all that it isn't sure of is left to the validator.

/** Whether a value is sure to conform, one of so many that are looked at by the way. */
export type QuickCheck = (value: unknown, among: number) => boolean;

/** How many steps all of them may take. An answer of 2 KB takes some hundred. */
const STEPS_MAX = 5_000;

/** How many schemas there may be within one that has a check: so much is kept of each. */
const SCHEMAS_MAX = 500;

/** How many schemas may be applied within each other, to a value and to its parts. */
const DEPTH_MAX = 256;

/** Makes the check of a keyword; null where it can't be sure of anything. */
type Making = (operand: unknown, schema: JsonObject, checks: Checks) => Check | null;

/** Keywords that no value fails. */
const SILENT = new Set([
  '$schema',
  '$comment',
  '$defs',
  'default',
  'definitions',
  'deprecated',
  'description',
  'examples',
  'readOnly',
  'title',
  'writeOnly',
]);

/** What begins so is nobody's keyword. */
const PRIVATE = 'x-';

const LOCAL = /^#\/(\$defs|definitions)\/([^/~%]+)$/;

const MAKINGS = new Map<string, Making>([
  ['$ref', (reference, _schema, checks) => checks.referred(reference)],
  ['type', (types) => typeCheck(types)],
  ['const', (constant) => oneOf([constant])],
  ['enum', (constants) => oneOf(constants as readonly unknown[])],
  ['required', (names) => requiredCheck(names as readonly string[])],
  ['minItems', (least) => (value) => !Array.isArray(value) || value.length >= (least as number)],
  ['maxItems', (most) => (value) => !Array.isArray(value) || value.length <= (most as number)],
  ['minLength', (least) => ofStrings((value) => isAsLong(value, least as number))],
  // No string has more characters than units.
  ['maxLength', (most) => ofStrings((value) => value.length <= (most as number))],
  ['minimum', (least, { exclusiveMinimum }) => aboveCheck(least, exclusiveMinimum === true)],
  ['maximum', (most, { exclusiveMaximum }) => belowCheck(most, exclusiveMaximum === true)],
  // In draft 4 they say of the bound beside them whether it is excluded.
  ['exclusiveMinimum', (bound) => (typeof bound === 'boolean' ? always : aboveCheck(bound, true))],
  ['exclusiveMaximum', (bound) => (typeof bound === 'boolean' ? always : belowCheck(bound, true))],
  ['multipleOf', (unit) => ofNumbers((value) => Number.isInteger(unit) && value % (unit as number) === 0)],
  ['format', (name) => formatCheck(name)],
  ['allOf', (schemas, _schema, checks) => allOf(checks.all(schemas))],
  ['anyOf', (schemas, _schema, checks) => anyOf(checks.all(schemas))],
  ['items', (schema, _schema, checks) => (Array.isArray(schema) ? null : itemsCheck(checks.of(schema)))],
  ['properties', (schemas, _schema, checks) => propertiesCheck(checks.members(schemas))],
  ['additionalProperties', (rest, { properties }, checks) => additionalCheck(properties, checks.of(rest))],
]);

/** Makes the check of a schema that has been checked; null where it is left to the validator whatever the value. */
export function quickCheckOf(schema: JsonObject): QuickCheck | null {
  const checks = new Checks(schema);
  const check = checks.of(schema);
  return checks.isUnsure ? null : (value, among) => check(value, { steps: STEPS_MAX / among, depth: 0 });
}

/** The checks of a schema and of those within it: each is made once, so that schemas may refer to themselves. */
class Checks {
  /** Whether there is something that no check is made of. */
  isUnsure = false;
  readonly #root: JsonObject;
  /** Whether what stands beside a reference means nothing. */
  readonly #ignoresBeside: boolean;
  readonly #made = new Map<JsonObject, Check>();

  constructor(root: JsonObject) {
    this.#root = root;
    const dialect = dialectOf(root);
    this.#ignoresBeside = dialect !== null && ignoresBesideReference(dialect);
  }

  of(schema: unknown): Check {
    if (!isObject(schema)) return schema === true ? always : never;
    const known = this.#made.get(schema);
    if (known !== undefined) return known;
    const parts: Check[] = [];
    const check: Check = (value, bounds) => {
      if (!takes(bounds, 1 + parts.length) || bounds.depth === DEPTH_MAX) return false;
      bounds.depth++;
      for (const part of parts) if (!part(value, bounds)) return false;
      bounds.depth--;
      return true;
    };
    this.#made.set(schema, check);
    if (this.#made.size > SCHEMAS_MAX) this.isUnsure = true;
    else parts.push(...this.#partsOf(schema));
    return check;
  }

  all(schemas: unknown): Check[] {
    return (schemas as readonly unknown[]).map((schema) => this.of(schema));
  }

  members(schemas: unknown): (readonly [string, Check])[] {
    return Object.entries(schemas as JsonObject).map(([name, schema]) => [name, this.of(schema)]);
  }

  /** The check of the schema that a reference leads to; null where that isn't seen at once. */
  referred(reference: unknown): Check | null {
    if (reference === '#') return this.of(this.#root);
    const [, place = '', name = ''] = LOCAL.exec(String(reference)) ?? [];
    const definitions = this.#root[place];
    if (place === '' || !isObject(definitions) || !Object.hasOwn(definitions, name)) return null;
    return this.of(definitions[name]);
  }

  #partsOf(schema: JsonObject): Check[] {
    const speaking = Object.entries(schema).filter(([keyword]) => !SILENT.has(keyword) && !keyword.startsWith(PRIVATE));
    const parts = speaking.map(([keyword, operand]) => MAKINGS.get(keyword)?.(operand, schema, this) ?? null);
    const isAmbiguous = this.#ignoresBeside && schema['$ref'] !== undefined && speaking.length > 1;
    if (isAmbiguous || parts.includes(null)) this.isUnsure = true;
    return parts.filter((part) => part !== null);
  }
}
