import type { ApiDocument } from '../api-document.ts';

// A body's schema as a table of its fields, so that people need not read JSON Schema.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export interface Field {
  /** With dots between levels; `[]` is each item of an array, `{}` each name of a record. */
  readonly name: string;
  readonly values: string;
  readonly isRequired: boolean;
  readonly description: string;
}

const DEPTH_MAX = 5;

/** The schema itself, if it is a reference, with the parts that it is made of put together. */
function resolved(document: ApiDocument, schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    const named = document.components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''] as Schema | undefined;
    return named === undefined ? {} : resolved(document, named);
  }
  if (schema.allOf === undefined) return schema;
  const parts = [...schema.allOf.map((part) => resolved(document, part)), schema];
  return {
    ...(Object.fromEntries(parts.flatMap((part) => Object.entries(part))) as Schema),
    properties: Object.fromEntries(parts.flatMap(({ properties = {} }) => Object.entries(properties))),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

/** What a value may be, in words: its type or values, and its bounds. */
export function valuesOf(document: ApiDocument, given: Schema): string {
  const schema = resolved(document, given);
  const { type, format, pattern, minimum, maximum, minLength, maxLength } = schema;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map((choice) => valuesOf(document, choice)).join(' or ');
  if (schema.enum !== undefined) return schema.enum.map(String).join(', ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const types = (typeof type === 'string' ? [type] : (type ?? ['any value'])).join(' or ');
  const of = schema.items === undefined ? '' : `of ${valuesOf(document, schema.items)}`;
  const length = [bound('from', minLength), bound('to', maxLength)].filter(Boolean).join(' ');
  const bounds = [format, pattern, bound('from', minimum), bound('to', maximum), length && `${length} characters`];
  return [types, of, ...bounds].filter(Boolean).join(' ');
}

function bound(word: string, value: number | undefined): string {
  return value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? '' : `${word} ${value}`;
}

/** The fields of a body, each with those within it. */
export function fieldsOf(document: ApiDocument, given: Schema, prefix = '', depth = 0): readonly Field[] {
  const schema = resolved(document, given);
  if (depth > DEPTH_MAX) return [];
  const choices = (schema.anyOf ?? schema.oneOf ?? []).filter((choice) => resolved(document, choice).type !== 'null');
  if (choices.length > 0) {
    const fields = choices.flatMap((choice) => fieldsOf(document, choice, prefix, depth));
    return [...new Map(fields.map((field) => [field.name, field])).values()];
  }
  if (schema.items !== undefined) return fieldsOf(document, schema.items, `${prefix}[]`, depth + 1);
  if (typeof schema.additionalProperties === 'object' && schema.properties === undefined) {
    return fieldsOf(document, schema.additionalProperties, `${prefix}{}`, depth + 1);
  }
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const { description = '' } = { ...resolved(document, inner), ...inner };
    const isRequired = schema.required?.includes(name) ?? false;
    const field = { name: path, values: valuesOf(document, inner), isRequired, description };
    return [field, ...fieldsOf(document, inner, path, depth + 1)];
  });
}
