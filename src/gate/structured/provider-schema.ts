import { type Dialect, identifierOf, ignoresBesideReference } from './dialects.ts';
import type { ProviderRules } from './provider-rules.ts';
import { isObject, type JsonObject } from '../openai/json-object.ts';
import { withNumericBounds } from './standalone-schema.ts';

// A schema in one provider's form. It may allow less than the original, but never more in the enforced part: objects
// are closed, `oneOf` becomes `anyOf`, and unsupported keywords are put into the description, where the model reads
// them. Validation uses the original.

/** Raised within the rewriting of a schema that the provider has no form for. */
class NoForm extends Error {}

/** Put into descriptions for the model, not enforced by the provider. */
const DESCRIBED = new Set([
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'contains',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
  'propertyNames',
  'dependentRequired',
  'not',
  'default',
  'examples',
  'contentEncoding',
  'contentMediaType',
]);

/** Keywords that would have to be enforced together with the rest, so that a description of them isn't enough. */
const UNFIT = new Set([
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  'if',
  'then',
  'else',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
]);

/** Keywords that describe a value without restricting it. */
const ANNOTATIONS = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  '$schema',
]);

/** Whether a keyword describes a value without restricting it. */
export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword);
}

const DEFS = '#/$defs/';

const REFERENCE = /^#(?:\/(?:\$defs|definitions)\/([^/]+))?$/;

/** The schema in the provider's form; null if it has none. */
export function rewriteFor(rules: ProviderRules, schema: JsonObject, dialect: Dialect): JsonObject | null {
  try {
    return new SchemaRewriter(rules, schema, dialect).root();
  } catch (error) {
    if (error instanceof NoForm) return null;
    throw error;
  }
}

class SchemaRewriter {
  readonly #rules: ProviderRules;
  readonly #root: JsonObject;
  readonly #dialect: Dialect;
  #properties = 0;
  #enumValues = 0;

  constructor(rules: ProviderRules, root: JsonObject, dialect: Dialect) {
    this.#rules = rules;
    this.#root = root;
    this.#dialect = dialect;
  }

  root(): JsonObject {
    const { $defs, definitions, ...others } = this.#root;
    if ($defs !== undefined && definitions !== undefined) throw new NoForm();
    const named = $defs ?? definitions ?? {};
    if (!isObject(named)) throw new NoForm();
    // References are accepted only within the document, whatever its address.
    const rest = without(others, identifierOf(this.#dialect));
    const out = this.#schema(rest['$ref'] === undefined ? rest : this.#definition(rest, named), 1);
    if (out['type'] !== 'object') throw new NoForm();
    const defs = Object.entries(named).map(([name, each]) => [name, this.#schema(each, 1)] as const);
    if (!this.#rules.takesRecursion && isRecursive(new Map([['', out], ...defs]))) throw new NoForm();
    return defs.length === 0 ? out : { ...out, $defs: Object.fromEntries(defs) };
  }

  /** The definition that the root refers to; providers require it inline. */
  #definition(rest: JsonObject, named: JsonObject): unknown {
    const { $ref } = this.#reference(without(rest, 'description'));
    const name = String($ref).slice(DEFS.length);
    return Object.hasOwn(named, name) ? named[name] : null;
  }

  #schema(given: unknown, depth: number): JsonObject {
    if (!isObject(given) || depth > this.#rules.depthMax) throw new NoForm();
    if (given['$ref'] !== undefined) return this.#reference(given);
    const schema = this.#dialect === 'draft-04' ? withNumericBounds(given) : given;
    if (schema[identifierOf(this.#dialect)] !== undefined) throw new NoForm();
    if (schema['allOf'] !== undefined) return this.#schema(withOnlyPart(schema), depth);
    const described: string[] = [];
    const out: Record<string, unknown> = {};
    const type = typeOf(schema);
    if (type !== null) out['type'] = type;
    for (const [keyword, value] of Object.entries(schema)) {
      if (UNFIT.has(keyword)) throw new NoForm();
      if (this.#isEnforced(keyword, value)) out[keyword] = value;
      else if (DESCRIBED.has(keyword)) described.push(`${keyword}: ${JSON.stringify(value)}`);
      else if (keyword === 'title') out[keyword] = value;
    }
    this.#addValues(schema, out);
    this.#addAlternatives(schema, out, depth);
    if (type === null && out['anyOf'] === undefined) throw new NoForm();
    if (includes(type, 'object')) this.#addProperties(schema, out, depth);
    if (includes(type, 'array')) out['items'] = this.#schema(schema['items'], depth + 1);
    const description = describe(schema['description'], described);
    return description === null ? out : { ...out, description };
  }

  #isEnforced(keyword: string, value: unknown): boolean {
    const { formats, enforced } = this.#rules;
    if (keyword === 'format') return typeof value === 'string' && formats.has(value);
    // Grammars don't support look-around.
    if (keyword === 'pattern') return enforced.has(keyword) && typeof value === 'string' && !value.includes('(?');
    return enforced.has(keyword);
  }

  /** A reference has no other members; its description is put around it. */
  #reference(schema: JsonObject): JsonObject {
    const { $ref, description, ...others } = schema;
    const name = typeof $ref === 'string' ? REFERENCE.exec($ref) : null;
    const isAlone = ignoresBesideReference(this.#dialect) || Object.keys(others).every(isAnnotation);
    if (name === null || !isAlone) throw new NoForm();
    const alone = { $ref: name[1] === undefined ? '#' : `${DEFS}${name[1]}` };
    return typeof description === 'string' ? { description, anyOf: [alone] } : alone;
  }

  #addValues({ const: only, enum: listed }: JsonObject, out: Record<string, unknown>): void {
    const values = only === undefined ? listed : [only];
    if (values === undefined) return;
    if (!Array.isArray(values) || !values.every(isScalar)) throw new NoForm();
    this.#enumValues += values.length;
    if (this.#enumValues > this.#rules.enumValuesMax) throw new NoForm();
    out['enum'] = values;
  }

  #addAlternatives({ anyOf, oneOf }: JsonObject, out: Record<string, unknown>, depth: number): void {
    if (anyOf !== undefined && oneOf !== undefined) throw new NoForm();
    const alternatives = anyOf ?? oneOf;
    if (alternatives === undefined) return;
    // A type next to alternatives would have to be merged into each of them.
    if (!Array.isArray(alternatives) || out['type'] !== undefined) throw new NoForm();
    out['anyOf'] = alternatives.map((each: unknown) => this.#schema(each, depth));
  }

  #addProperties(schema: JsonObject, out: Record<string, unknown>, depth: number): void {
    const { properties = {}, required = [], additionalProperties, unevaluatedProperties = false } = schema;
    if (!isObject(properties) || !Array.isArray(required)) throw new NoForm();
    const names = Object.keys(properties);
    this.#properties += names.length;
    if (this.#properties > this.#rules.propertiesMax || unevaluatedProperties !== false) throw new NoForm();
    const isMap = isObject(additionalProperties);
    if (additionalProperties === true || (isMap && !this.#rules.takesMaps)) throw new NoForm();
    // Closed, an object without properties would be empty.
    if (names.length === 0 && !isMap && additionalProperties !== false) throw new NoForm();
    if (!required.every((name) => typeof name === 'string' && Object.hasOwn(properties, name))) throw new NoForm();
    if (!this.#rules.takesOptional && new Set(required).size < names.length) throw new NoForm();
    out['properties'] = Object.fromEntries(names.map((name) => [name, this.#schema(properties[name], depth + 1)]));
    out['required'] = required;
    out['additionalProperties'] = isMap ? this.#schema(additionalProperties, depth + 1) : false;
  }
}

function without(schema: JsonObject, keyword: string): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== keyword));
}

/** The schema merged with the only part of its `allOf`: generators write references with a description that way. */
function withOnlyPart({ allOf, ...rest }: JsonObject): JsonObject {
  const [part, ...more] = (Array.isArray(allOf) ? allOf : []) as unknown[];
  if (!isObject(part) || more.length > 0) throw new NoForm();
  const clash = Object.keys(rest).find((keyword) => !isAnnotation(keyword) && Object.hasOwn(part, keyword));
  if (clash !== undefined) throw new NoForm();
  return { ...part, ...rest };
}

/** The schema's type, or the one that its keywords leave; null if they leave several. */
function typeOf({ type, properties, items, enum: listed, const: only }: JsonObject): unknown {
  if (type !== undefined) return type;
  if (properties !== undefined) return 'object';
  if (items !== undefined) return 'array';
  const values = only === undefined ? listed : [only];
  if (!Array.isArray(values)) return null;
  const types = new Set(values.map((value: unknown) => (value === null ? 'null' : typeof value)));
  return types.size === 1 ? [...types][0] : [...types];
}

function includes(type: unknown, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function describe(description: unknown, described: readonly string[]): string | null {
  const own = typeof description === 'string' ? description : null;
  if (described.length === 0) return own;
  return `${own === null ? '' : `${own}\n\n`}It must have: ${described.join('; ')}.`;
}

/** Whether a definition refers to itself, directly or not; the root has the empty name. */
function isRecursive(definitions: ReadonlyMap<string, JsonObject>): boolean {
  const state = new Map<string, 'open' | 'done'>();
  const visit = (name: string): boolean => {
    if (state.has(name)) return state.get(name) === 'open';
    state.set(name, 'open');
    const targets = JSON.stringify(definitions.get(name) ?? {}).matchAll(/"\$ref":"#(?:\/\$defs\/([^"]+))?"/g);
    const isLoop = [...targets].some(([, target]) => visit(target ?? ''));
    state.set(name, 'done');
    return isLoop;
  };
  return [...definitions.keys()].some(visit);
}
