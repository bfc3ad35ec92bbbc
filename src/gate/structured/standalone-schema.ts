import { type Dialect, ignoresBesideReference, isSince } from './dialects.ts';
import { unicodePattern } from './patterns.ts';
import { isObject, type JsonObject } from '../openai/json-object.ts';
import { mapSubschemas, reachOf } from './schema-keywords.ts';
import type { References } from './schema-references.ts';

// The form in which a schema is compiled: only its assertions. The validator recognises identifiers and references
// anywhere, even in constants and examples, and in older dialects drops everything next to a reference, including
// definitions. So references were resolved before, and lead directly to definitions in this form.

/** Assertions whose values contain no schemas. Keywords of no dialect are annotations. */
const ASSERTIONS = new Set([
  'type',
  'multipleOf',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'format',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxContains',
  'minContains',
  'maxProperties',
  'minProperties',
  'required',
  'dependentRequired',
]);

/** A schema with resolved references, in the form in which it is compiled. */
export function standaloneSchema(root: JsonObject, dialect: Dialect, references: References): JsonObject {
  // The targets of dynamic references depend on the identifiers.
  return references.areDynamic ? root : new Standalone(dialect, references).of(root);
}

class Standalone {
  readonly #dialect: Dialect;
  readonly #references: References;
  /** The names of the definitions, by the positions of their schemas in the original. */
  readonly #names = new Map<string, string>();
  /** The dialect's container of definitions; the validator doesn't know the other one. */
  readonly #container: '$defs' | 'definitions';

  constructor(dialect: Dialect, references: References) {
    this.#dialect = dialect;
    this.#references = references;
    this.#container = isSince(dialect, '2019-09') ? '$defs' : 'definitions';
    for (const { pointer } of references.targets) {
      if (pointer !== '' && !this.#names.has(pointer)) this.#names.set(pointer, String(this.#names.size));
    }
  }

  of(root: JsonObject): JsonObject {
    const targets = new Map([...this.#references.targets].map(({ pointer, schema }) => [pointer, schema]));
    const definitions = [...this.#names].map(([pointer, name]) => [name, this.#body(targets.get(pointer), pointer)]);
    const body = this.#body(root, '');
    const isReference = isObject(body) && body['$ref'] !== undefined && ignoresBesideReference(this.#dialect);
    const alone = isReference ? { allOf: [body] } : (body as JsonObject);
    return definitions.length === 0 ? alone : { ...alone, [this.#container]: Object.fromEntries(definitions) };
  }

  /** A schema at its position: a reference if it is also a definition. */
  #place(schema: unknown, pointer: string): unknown {
    return this.#names.has(pointer) ? this.#link(pointer) : this.#body(schema, pointer);
  }

  #link(pointer: string): JsonObject {
    const name = this.#names.get(pointer);
    return { $ref: name === undefined ? '#' : `#/${this.#container}/${name}` };
  }

  #body(given: unknown, pointer: string): unknown {
    if (!isObject(given)) return given;
    const schema = this.#dialect === 'draft-04' ? withNumericBounds(given) : given;
    const target = this.#references.targetOf(pointer);
    const link = target === undefined ? null : this.#link(target.pointer);
    if (link !== null && ignoresBesideReference(this.#dialect)) return link;
    const body: Record<string, unknown> = { ...link };
    const more: unknown[] = [];
    for (const [keyword, value] of Object.entries(schema)) {
      const reach = reachOf(keyword, this.#dialect);
      if (keyword === 'pattern') body[keyword] = unicodePattern(String(value)) ?? value;
      else if (ASSERTIONS.has(keyword)) body[keyword] = value;
      else if (keyword === 'const' || keyword === 'enum') this.#addConstants(keyword, value, body, more);
      else if (reach === 'here' || reach === 'within') {
        const mapped = mapSubschemas(keyword, value, pointer, (each, at) => this.#place(each, at));
        if (keyword === 'patternProperties' && isObject(mapped)) body[keyword] = withUnicodePatterns(mapped);
        else if (keyword === 'dependencies' && isObject(mapped)) this.#addDependencies(mapped, body, more);
        else body[keyword] = mapped;
      }
    }
    if (more.length === 0) return body;
    return { ...body, allOf: [...((body['allOf'] ?? []) as unknown[]), ...more] };
  }

  /** Newer dialects split it into two keywords. */
  #addDependencies(dependencies: JsonObject, body: Record<string, unknown>, more: unknown[]): void {
    if (ignoresBesideReference(this.#dialect)) {
      body['dependencies'] = dependencies;
      return;
    }
    const [names, schemas] = [true, false].map((isList) =>
      Object.fromEntries(Object.entries(dependencies).filter(([, each]) => Array.isArray(each) === isList)),
    );
    more.push({ dependentRequired: names, dependentSchemas: schemas });
  }

  #addConstants(keyword: 'const' | 'enum', value: unknown, body: Record<string, unknown>, more: unknown[]): void {
    if (!looksLikeSchema(value)) body[keyword] = value;
    else if (keyword === 'enum') more.push({ anyOf: (value as unknown[]).map((each) => this.#equalTo(each)) });
    else more.push(this.#equalTo(value));
  }

  /** The schema of all values that equal a constant. */
  #equalTo(constant: unknown): JsonObject {
    if (Array.isArray(constant)) {
      const elements = constant.map((each: unknown) => this.#equalTo(each));
      const keyword = isSince(this.#dialect, '2020-12') ? 'prefixItems' : 'items';
      const size = { minItems: elements.length, maxItems: elements.length };
      return { type: 'array', ...size, ...(elements.length === 0 ? {} : { [keyword]: elements }) };
    }
    if (!isObject(constant)) return { enum: [constant] };
    const members = Object.entries(constant).map(([name, each]) => [name, this.#equalTo(each)] as const);
    const names = members.map(([name]) => name);
    return {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(members),
      ...(names.length === 0 ? {} : { required: names }),
    };
  }
}

/** Converts a schema of draft 4, where a boolean next to a bound excludes it, to the bounds of all later dialects. */
export function withNumericBounds(schema: JsonObject): JsonObject {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
  const below = exclusiveMinimum === true ? { exclusiveMinimum: minimum } : { minimum };
  const above = exclusiveMaximum === true ? { exclusiveMaximum: maximum } : { maximum };
  const bounds = Object.entries({ ...below, ...above }).filter(([, bound]) => bound !== undefined);
  return { ...rest, ...Object.fromEntries(bounds) };
}

function withUnicodePatterns(members: JsonObject): JsonObject {
  const rewritten = new Map<string, unknown>();
  for (const [pattern, schema] of Object.entries(members)) {
    let unicode = unicodePattern(pattern) ?? pattern;
    // If two patterns become the same, both must still apply.
    while (rewritten.has(unicode)) unicode = `(?:${unicode})`;
    rewritten.set(unicode, schema);
  }
  return Object.fromEntries(rewritten);
}

const TAKEN_FOR_SCHEMAS = ['$id', 'id', '$ref', '$schema', '$anchor', '$dynamicAnchor', '$recursiveAnchor'];

/** Whether a constant contains an object that the validator would treat as a schema. */
function looksLikeSchema(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isObject(value) && TAKEN_FOR_SCHEMAS.some((name) => Object.hasOwn(value, name))) return true;
  return Object.values(value).some(looksLikeSchema);
}
