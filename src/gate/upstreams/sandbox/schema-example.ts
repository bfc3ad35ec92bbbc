import { isObject, type JsonObject } from '../../openai/json-object.ts';

// A value that fits a JSON schema, always the same one for the same schema and text.

/** Schemas may refer to themselves, and a few references can expand to billions of values. */
const DEPTH_MAX = 12;
const NODES_MAX = 5_000;
const ITEMS_MAX = 16;
const LENGTH_MIN_MAX = 1_000;

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'someone@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

interface Walk {
  readonly root: unknown;
  readonly text: string;
  nodesLeft: number;
}

/** A bound in a schema, or the fallback if it isn't a number. */
function bound(schema: JsonObject, keyword: string, fallback: number): number {
  const value = schema[keyword];
  return typeof value === 'number' ? value : fallback;
}

function decodePointerStep(step: string): string {
  let decoded = step;
  try {
    decoded = decodeURIComponent(step);
  } catch {
    // A stray percent sign is taken literally.
  }
  return decoded.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The target of a `$ref` within the schema; a reference to anywhere else allows anything. */
function referenceTarget(walk: Walk, reference: string): unknown {
  if (!reference.startsWith('#')) return {};
  let target: unknown = walk.root;
  for (const step of reference.slice(1).split('/').filter(Boolean)) {
    const name = decodePointerStep(step);
    if (!isObject(target) || !Object.hasOwn(target, name)) return {};
    target = target[name];
  }
  return target;
}

function stringExample(walk: Walk, schema: JsonObject): string {
  const format = schema['format'];
  if (typeof format === 'string' && Object.hasOwn(FORMATS, format)) return FORMATS[format] as string;
  const lengthMin = Math.min(bound(schema, 'minLength', 0), LENGTH_MIN_MAX);
  const lengthMax = bound(schema, 'maxLength', Number.POSITIVE_INFINITY);
  const text = walk.text.padEnd(lengthMin, '.');
  return text.length > lengthMax ? text.slice(0, lengthMax) : text;
}

function numberExample(schema: JsonObject, whole: boolean): number {
  const step = bound(schema, 'multipleOf', 1) || 1;
  const least = bound(schema, 'minimum', Number.NEGATIVE_INFINITY);
  const above = bound(schema, 'exclusiveMinimum', Number.NEGATIVE_INFINITY);
  const most = bound(schema, 'maximum', Number.POSITIVE_INFINITY);
  const below = bound(schema, 'exclusiveMaximum', Number.POSITIVE_INFINITY);
  const fits = (value: number): boolean => value >= least && value > above && value <= most && value < below;
  const floor = Math.max(least, above, 0);
  const candidates = [
    1,
    Math.ceil(floor / step) * step,
    Math.floor(floor / step + 1) * step,
    Math.min(most, below - step),
  ];
  const found = candidates.find((value) => fits(value) && value % step === 0);
  if (found !== undefined) return found;
  const middle = (Math.max(least, above) + Math.min(most, below)) / 2;
  return !whole && Number.isFinite(middle) ? middle : 0;
}

function objectExample(walk: Walk, schema: JsonObject, depth: number): JsonObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const example: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    if (!required.includes(name) && depth > DEPTH_MAX / 2) continue;
    Object.defineProperty(example, name, { value: exampleAt(walk, property, depth + 1), enumerable: true });
  }
  return example;
}

function typedExample(walk: Walk, schema: JsonObject, depth: number): unknown {
  const type: unknown = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  switch (type) {
    case 'string':
      return stringExample(walk, schema);
    case 'integer':
      return numberExample(schema, true);
    case 'number':
      return numberExample(schema, false);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array': {
      const usual = Math.min(1, bound(schema, 'maxItems', 1));
      const length = Math.min(Math.max(usual, bound(schema, 'minItems', 0)), ITEMS_MAX);
      return Array.from({ length }, () => exampleAt(walk, schema['items'] ?? {}, depth + 1));
    }
    default:
      return type === 'object' || isObject(schema['properties']) ? objectExample(walk, schema, depth) : walk.text;
  }
}

function exampleAt(walk: Walk, schema: unknown, depth: number): unknown {
  if (!isObject(schema) || depth > DEPTH_MAX || walk.nodesLeft-- <= 0) return null;
  if (typeof schema['$ref'] === 'string') return exampleAt(walk, referenceTarget(walk, schema['$ref']), depth + 1);
  if (Object.hasOwn(schema, 'const')) return schema['const'];
  for (const listed of [schema['enum'], schema['examples']]) {
    if (Array.isArray(listed) && listed.length > 0) return listed[0];
  }
  if (Object.hasOwn(schema, 'default')) return schema['default'];
  for (const alternatives of [schema['anyOf'], schema['oneOf']]) {
    if (Array.isArray(alternatives) && alternatives.length > 0) return exampleAt(walk, alternatives[0], depth + 1);
  }
  if (Array.isArray(schema['allOf'])) {
    const parts = schema['allOf'].map((part: unknown) => exampleAt(walk, part, depth + 1));
    if (parts.every(isObject)) return Object.assign({}, ...parts) as JsonObject;
    return parts[0];
  }
  return typedExample(walk, schema, depth);
}

/** A value that fits the schema as far as its types, enumerations and bounds go; its free strings are `text`. */
export function exampleOf(schema: unknown, text: string): unknown {
  return exampleAt({ root: schema, text, nodesLeft: NODES_MAX }, schema, 0);
}
