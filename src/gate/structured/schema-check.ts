import { type Dialect, dialectOf } from './dialects.ts';
import { unicodePattern } from './patterns.ts';
import { isObject, type JsonObject } from '../openai/json-object.ts';
import { subschemasOf } from './schema-keywords.ts';
import type { SchemaFault } from './schema-fault.ts';
import { type SchemaLocation, References } from './schema-references.ts';
import { standaloneSchema } from './standalone-schema.ts';
import { appendPointer, pointerSteps, readStrictJson } from './strict-json.ts';

// Conditions on a schema, checked before anything is spent: bounds, references within it, and no infinite recursion on
// the same value. The meta-schema checks the values of keywords.

/** The bounds of a schema. Schemas that SDKs generate from types are far smaller. */
export const SCHEMA_BYTES_MAX = 256 * 1_024;
const DEPTH_MAX = 64;
const NODES_MAX = 20_000;
const PATTERN_LENGTH_MAX = 8_192;

/** The most schemas that may be applied to the same value. */
const APPLIED_MAX = 5_000;

/** A schema that has passed. */
export interface CheckedSchema {
  readonly schema: JsonObject;
  readonly dialect: Dialect;
  /** The schema in the form in which it is compiled. */
  readonly standalone: JsonObject;
  /**
   * The integers that can be validated, since validation uses doubles: all, if no keyword compares numbers; those that
   * a double represents; or those up to ±(2⁵³ − 1), if the schema itself compares with one that no double represents.
   */
  readonly integers: 'all' | 'exact' | 'safe';
  /** The names of properties in the schema: they reveal nothing of an answer that has them. */
  readonly names: ReadonlySet<string>;
}

/** Reads and checks a schema. */
export function checkSchema(text: string): CheckedSchema | SchemaFault {
  const json = readStrictJson(text);
  if (!json.ok) return { pointer: json.fault.pointer, message: JSON_SAYS[json.fault.keyword] };
  const { value: schema, largeIntegers } = json;
  if (!isObject(schema)) return { pointer: '', message: 'must be an object' };
  const dialect = dialectOf(schema);
  if (dialect === null) {
    return {
      pointer: '/$schema',
      message: 'must be the URI of JSON Schema draft 4, 6, 7, 2019-09 or 2020-12, or left out',
    };
  }
  const inexact = largeIntegers.filter(({ isExact }) => !isExact);
  const unmatched = inexact.find(({ pointer }) => pointerSteps(pointer).some((step) => UNROUNDED.includes(step)));
  if (unmatched !== undefined) {
    return { pointer: unmatched.pointer, message: 'is an integer that many readers round to another one' };
  }
  const extent = measure(schema);
  if (extent !== null) return extent;
  const references = new References(dialect);
  const fault = references.learn(schema) ?? new Applications(references, dialect).check(schema);
  if (fault !== null) return fault;
  const traits = new Traits(dialect);
  traits.add(schema, '');
  if (traits.fault !== null) return traits.fault;
  const integers = !traits.comparesNumbers ? 'all' : inexact.length === 0 ? 'exact' : 'safe';
  const standalone = standaloneSchema(schema, dialect, references);
  return { schema, dialect, standalone, integers, names: traits.names };
}

/** Keywords whose numbers must be exact; bounds may be rounded. */
const UNROUNDED = ['const', 'enum', 'multipleOf'];

const JSON_SAYS = {
  json: 'must be valid JSON',
  duplicate_key: 'is given twice',
  depth: `is nested more than ${DEPTH_MAX} levels deep`,
  number_range: 'is a number out of range',
  size: `has more than ${NODES_MAX} values`,
} as const;

/** Counts all values of the document, and finds what no place in it may have. */
function measure(root: unknown): SchemaFault | null {
  let nodes = 0;
  const visit = (value: unknown, pointer: string, depth: number): SchemaFault | null => {
    nodes++;
    if (nodes > NODES_MAX) return { pointer: '', message: `has more than ${NODES_MAX} values` };
    if (typeof value !== 'object' || value === null) return null;
    if (depth > DEPTH_MAX) return { pointer: '', message: JSON_SAYS.depth };
    for (const [key, each] of Object.entries(value)) {
      if (key === '$vocabulary') return { pointer: appendPointer(pointer, key), message: 'is not supported' };
      // A position below it couldn't be a URI, and the validator names all positions by URIs.
      if (!key.isWellFormed()) return { pointer, message: 'has a name with half of a surrogate pair in it' };
      const fault = visit(each, appendPointer(pointer, key), depth + 1);
      if (fault !== null) return fault;
    }
    return null;
  };
  return visit(root, '', 1);
}

/** Follows the schemas that are applied to the same value: a cycle would never end. */
class Applications {
  readonly #references: References;
  readonly #dialect: Dialect;
  /** The number of schemas that each one applies to a value, including itself; 0 while it is being counted. */
  readonly #counts = new Map<JsonObject, number>();
  /** Schemas that are applied to parts of values: each is a new start. */
  readonly #pending: SchemaLocation[] = [];

  constructor(references: References, dialect: Dialect) {
    this.#references = references;
    this.#dialect = dialect;
  }

  check(root: JsonObject): SchemaFault | null {
    this.#pending.push({ pointer: '', schema: root });
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      const counted = this.#count(next);
      if (typeof counted !== 'number') return counted;
    }
    return null;
  }

  #count({ pointer, schema }: SchemaLocation): number | SchemaFault {
    if (!isObject(schema)) return 1;
    const known = this.#counts.get(schema);
    if (known === 0) return { pointer, message: 'applies itself to the same value without end' };
    if (known !== undefined) return known;
    this.#counts.set(schema, 0);
    let applied = 1;
    for (const target of this.#references.follow(schema, pointer)) {
      if ('message' in target) return target;
      const counted = this.#count(target);
      if (typeof counted !== 'number') return counted;
      applied += counted;
    }
    for (const each of subschemasOf(schema, pointer, this.#dialect)) {
      if (each.reach === 'within') this.#pending.push(each);
      // An unreferenced schema is never applied, unless references are dynamic.
      else if (each.reach === 'not') {
        if (this.#references.areDynamic) this.#pending.push(each);
      } else {
        const counted = this.#count(each);
        if (typeof counted !== 'number') return counted;
        applied += counted;
      }
    }
    if (applied > APPLIED_MAX) return { pointer, message: `applies more than ${APPLIED_MAX} schemas to one value` };
    this.#counts.set(schema, applied);
    return applied;
  }
}

const NUMBER_KEYWORDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'uniqueItems'];

/** Collects how the keywords of all schemas in a document use numbers and names, and checks their patterns. */
class Traits {
  comparesNumbers = false;
  readonly names = new Set<string>();
  fault: SchemaFault | null = null;
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  add(schema: JsonObject, pointer: string): void {
    if (NUMBER_KEYWORDS.some((keyword) => schema[keyword] !== undefined)) this.comparesNumbers = true;
    for (const values of [schema['const'], schema['enum']]) if (holdsNumber(values)) this.comparesNumbers = true;
    this.#addNames(schema);
    this.#checkPatterns(schema, pointer);
    for (const { schema: each, pointer: at } of subschemasOf(schema, pointer, this.#dialect)) {
      if (isObject(each)) this.add(each, at);
    }
  }

  #addNames({ properties, required, dependentRequired, dependentSchemas, dependencies }: JsonObject): void {
    for (const named of [properties, dependentRequired, dependentSchemas, dependencies]) {
      if (isObject(named)) for (const name of Object.keys(named)) this.names.add(name);
    }
    const lists = [
      required,
      ...[dependentRequired, dependencies].flatMap((each) => (isObject(each) ? Object.values(each) : [])),
    ];
    for (const list of lists) {
      if (Array.isArray(list)) for (const name of list as unknown[]) if (typeof name === 'string') this.names.add(name);
    }
  }

  #checkPatterns({ pattern, patternProperties }: JsonObject, pointer: string): void {
    const patterns = isObject(patternProperties) ? Object.keys(patternProperties) : [];
    for (const each of patterns)
      this.#checkPattern(each, appendPointer(appendPointer(pointer, 'patternProperties'), each));
    if (typeof pattern === 'string') this.#checkPattern(pattern, appendPointer(pointer, 'pattern'));
  }

  #checkPattern(pattern: string, pointer: string): void {
    if (pattern.length > PATTERN_LENGTH_MAX) {
      this.fault ??= { pointer, message: `is longer than ${PATTERN_LENGTH_MAX} characters` };
      return;
    }
    if (unicodePattern(pattern) === null) {
      this.fault ??= { pointer, message: 'is not a regular expression of ECMAScript with the flag u' };
    }
  }
}

function holdsNumber(value: unknown): boolean {
  if (typeof value === 'number') return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsNumber);
}
