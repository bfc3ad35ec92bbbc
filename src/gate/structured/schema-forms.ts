import { isDeepStrictEqual } from 'node:util';
import { type Dialect, ignoresBesideReference } from './dialects.ts';
import { PROVIDER_RULES, type SchemaProvider } from './provider-rules.ts';
import { isAnnotation, rewriteFor } from './provider-schema.ts';
import type { CheckedSchema } from './schema-check.ts';
import { isObject, type JsonObject } from '../openai/json-object.ts';
import { subschemasOf } from './schema-keywords.ts';

/** A schema in the form for one provider. */
export interface SchemaForm {
  /** JSON. */
  readonly text: string;
  /** Whether it is equivalent to the caller's own. */
  readonly isOriginal: boolean;
}

/** A checked schema's forms for providers. */
export interface SchemaForms {
  /** `object`: it has the type object. `objects`: only objects conform. `any`: other values may conform too. */
  readonly root: 'object' | 'objects' | 'any';
  /** Whether it means the same in JSON Schema 2020-12, which most servers use, regardless of `$schema`. */
  readonly isCurrent: boolean;
  /** Its form for each provider that supports only a part of JSON Schema; null if it has none. */
  readonly byProvider: Readonly<Record<SchemaProvider, SchemaForm | null>>;
}

/** Longer chains of references aren't followed. */
const STEPS_MAX = 16;

/** The forms of a schema that has been checked. */
export function formsOf({ schema, dialect }: Pick<CheckedSchema, 'schema' | 'dialect'>): SchemaForms {
  const form = (provider: SchemaProvider): SchemaForm | null => {
    const rewritten = rewriteFor(PROVIDER_RULES[provider], schema, dialect);
    if (rewritten === null) return null;
    return { text: JSON.stringify(rewritten), isOriginal: isDeepStrictEqual(rewritten, schema) };
  };
  return {
    root: rootOf(schema),
    isCurrent: isCurrent(schema, dialect),
    byProvider: { openai: form('openai'), gemini: form('gemini') },
  };
}

/** Keywords that 2020-12 doesn't have, or reads otherwise. */
const FORMER = ['additionalItems', 'dependencies', 'id', '$id', '$recursiveRef', '$recursiveAnchor'];

function isCurrent(schema: unknown, dialect: Dialect): boolean {
  if (dialect === '2020-12' || !isObject(schema)) return true;
  if (FORMER.some((keyword) => schema[keyword] !== undefined) || Array.isArray(schema['items'])) return false;
  if ([schema['exclusiveMinimum'], schema['exclusiveMaximum']].some((bound) => typeof bound === 'boolean'))
    return false;
  const speaks = (keyword: string): boolean => !isAnnotation(keyword) && !CONTAINERS.includes(keyword);
  const isReference = schema['$ref'] !== undefined && ignoresBesideReference(dialect);
  if (isReference && Object.keys(schema).some((keyword) => keyword !== '$ref' && speaks(keyword))) return false;
  return subschemasOf(schema, '', dialect).every(({ schema: each }) => isCurrent(each, dialect));
}

const CONTAINERS = ['$defs', 'definitions'];

function rootOf(schema: JsonObject): SchemaForms['root'] {
  if (schema['type'] === 'object') return 'object';
  return takesObjectsOnly(schema, schema, STEPS_MAX) ? 'objects' : 'any';
}

function takesObjectsOnly(schema: unknown, root: JsonObject, steps: number): boolean {
  if (!isObject(schema) || steps === 0) return false;
  const { type, $ref, anyOf, oneOf, allOf } = schema;
  if (type !== undefined) return type === 'object';
  const takes = (each: unknown): boolean => takesObjectsOnly(each, root, steps - 1);
  if (Array.isArray(allOf) && allOf.some(takes)) return true;
  for (const alternatives of [anyOf, oneOf]) {
    if (Array.isArray(alternatives) && alternatives.length > 0 && alternatives.every(takes)) return true;
  }
  const name = typeof $ref === 'string' ? /^#\/(\$defs|definitions)\/([^/~%]+)$/.exec($ref) : null;
  if (name === null) return false;
  const definitions = root[name[1] ?? ''];
  return isObject(definitions) && takes(definitions[name[2] ?? '']);
}
