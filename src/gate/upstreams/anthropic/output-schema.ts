import { isObject, type JsonObject } from '../../openai/json-object.ts';

// JSON schemas in the form of Anthropic's structured outputs: every object is closed, and bounds on numbers, lengths
// and the like are put into the description of the values that they bound, as in its own SDKs.

/** The keywords that are enforced without a closer look. */
const ENFORCED: ReadonlySet<string> = new Set(['type', 'title', 'default', '$ref', 'required']);

/** Keywords that restrict a value; a schema without any allows everything. */
const LIMITING: readonly string[] = ['type', 'properties', 'enum', 'const', 'anyOf', 'allOf', 'oneOf', '$ref'];

/** The keywords that may be next to a reference, which determines everything else. */
const BESIDE_REFERENCE: ReadonlySet<string> = new Set(['$ref', '$defs', 'definitions']);

/** Keywords that don't affect validity. */
const IDLE: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$comment',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

const FORMATS: ReadonlySet<unknown> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
]);

/** Signals a value that may be anything, or an object with any members, which can't be enforced. */
class OpenSchema extends Error {}

/**
 * The schema in the enforced subset; null if it allows anything, or allows objects with any members, of which only the
 * empty one would be left.
 */
export function enforceableSchema(schema: JsonObject): JsonObject | null {
  try {
    return adapt(schema) as JsonObject;
  } catch (error) {
    if (error instanceof OpenSchema) return null;
    throw error;
  }
}

function adapt(schema: unknown): unknown {
  if (!isObject(schema)) {
    if (schema === true) throw new OpenSchema();
    return schema;
  }
  if (!LIMITING.some((key) => schema[key] !== undefined)) throw new OpenSchema();
  const kept: Record<string, unknown> = {};
  const described: string[] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'description' || key === 'additionalProperties' || IDLE.has(key)) continue;
    if (schema['$ref'] !== undefined && !BESIDE_REFERENCE.has(key)) continue;
    const adapted = adaptKeyword(key, value);
    if (adapted === null) described.push(`${key}: ${JSON.stringify(value)}`);
    else kept[adapted.key] = adapted.value;
  }
  if (schema['$ref'] !== undefined) return kept;
  if (isObjectSchema(schema)) {
    if (isOpen(schema)) throw new OpenSchema();
    kept['additionalProperties'] = false;
  }
  const description = describe(schema['description'], described);
  return description === null ? kept : { description, ...kept };
}

/** The keyword as it is enforced, with adapted subschemas; null if it can only be described. */
function adaptKeyword(key: string, value: unknown): { readonly key: string; readonly value: unknown } | null {
  if (ENFORCED.has(key)) return { key, value };
  switch (key) {
    case 'properties':
    case '$defs':
    case 'definitions':
      if (!isObject(value)) return { key, value };
      return { key, value: Object.fromEntries(Object.entries(value).map(([name, each]) => [name, adapt(each)])) };
    case 'items':
      return { key, value: adapt(value) };
    case 'anyOf':
    case 'allOf':
      return { key, value: adaptAll(value) };
    case 'oneOf':
      return { key: 'anyOf', value: adaptAll(value) };
    case 'enum':
      return Array.isArray(value) && value.every(isPlain) ? { key, value } : null;
    case 'const':
      return isPlain(value) ? { key, value } : null;
    case 'format':
      return FORMATS.has(value) ? { key, value } : null;
    case 'minItems':
      return value === 0 || value === 1 ? { key, value } : null;
    default:
      return null;
  }
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function adaptAll(schemas: unknown): unknown {
  return Array.isArray(schemas) ? schemas.map(adapt) : schemas;
}

function isObjectSchema({ type, properties }: JsonObject): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object')) || properties !== undefined;
}

function isOpen({ properties, additionalProperties }: JsonObject): boolean {
  if (additionalProperties === false) return false;
  return additionalProperties !== undefined || !isObject(properties) || Object.keys(properties).length === 0;
}

function describe(description: unknown, described: readonly string[]): string | null {
  const own = typeof description === 'string' ? [description] : [];
  const parts = described.length === 0 ? own : [...own, `{${described.join(', ')}}`];
  return parts.length === 0 ? null : parts.join('\n\n');
}
