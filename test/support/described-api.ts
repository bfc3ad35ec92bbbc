import { type Schema, Validator } from '@cfworker/json-schema';
import { definedFields } from '../../src/lib/defined-fields.ts';

// The admin API as its OpenAPI document describes it, for tests that are generated from the document.

/** A JSON schema, as far as requests are generated from it; references are resolved. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

export interface DescribedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

interface Content {
  readonly schema?: JsonSchema;
  readonly example?: unknown;
}

interface DescribedAnswer {
  readonly description: string;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly summary?: string;
  readonly 'x-access': 'public' | 'personal' | 'workspace' | 'operator';
  readonly 'x-permission'?: string;
  readonly parameters: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': Required<Content> } };
  readonly responses: Readonly<Record<string, DescribedAnswer>>;
}

/** The operations of a document. */
export function describedOperations(document: object): readonly DescribedOperation[] {
  const { paths } = resolved(document) as { paths: Record<string, Record<string, DescribedOperation>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      parameters: operation.parameters ?? [],
      method: method.toUpperCase(),
      path,
    })),
  );
}

/** The document with all its references replaced by what they name. */
function resolved(document: object): unknown {
  const known = new Map<string, unknown>();
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const reference = '$ref' in value ? String(value.$ref) : null;
    if (reference === null) {
      const { allOf, ...own } = Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, resolve(inner)]),
      );
      return Array.isArray(allOf) ? allOf.reduce(merged, own) : own;
    }
    if (!known.has(reference)) known.set(reference, resolve(at(document, reference)));
    return known.get(reference);
  };
  return resolve(document);
}

/** What both say together: lists are joined, and where two values differ the second stands. */
function merged(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return [...(one as unknown[]), ...(other as unknown[])];
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return other;
  const known = one as Readonly<Record<string, unknown>>;
  const added = Object.entries(other).map(([name, value]) => [
    name,
    name in known ? merged(known[name], value) : value,
  ]);
  return { ...known, ...(Object.fromEntries(added) as object) };
}

function at(document: object, reference: string): unknown {
  const names = reference.replace(/^#\//, '').split('/');
  const found = names.reduce<unknown>(
    (value, name) => (value as Record<string, unknown> | undefined)?.[name],
    document,
  );
  if (found === undefined) throw new Error(`${reference} is not in the document`);
  return found;
}

/** How an answer differs from what the operation's description allows; null: it does not. */
export function deviationOf(
  { responses }: DescribedOperation,
  answer: { readonly status: number; readonly type: string; readonly text: string },
): string | null {
  const described = responses[String(answer.status)];
  if (described === undefined) return `the status ${answer.status} is not documented: ${answer.text.slice(0, 300)}`;
  const content = Object.entries(described.content ?? {}).find(([type]) => answer.type.startsWith(type));
  if (content === undefined) {
    return described.content === undefined ? null : `the type "${answer.type}" is not documented`;
  }
  const [type, { schema }] = content;
  if (type !== 'application/json' || schema === undefined) return null;
  const difference = differenceFrom(schema, JSON.parse(answer.text));
  return difference === null ? null : `${difference} in ${answer.text.slice(0, 500)}`;
}

/** How a value differs from a schema, in which fields without a name are wrong; null: it does not. */
export function differenceFrom(schema: JsonSchema, value: unknown): string | null {
  const { valid, errors } = validatorOf(schema).validate(value);
  return valid ? null : JSON.stringify(errors.slice(-2));
}

const validators = new Map<JsonSchema, Validator>();

function validatorOf(schema: JsonSchema): Validator {
  const validator = validators.get(schema) ?? new Validator(closed(schema) as Schema, '2020-12');
  validators.set(schema, validator);
  return validator;
}

/** The schema, without room for fields that it doesn't name. */
function closed(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf, oneOf } = schema;
  const { additionalProperties = properties === undefined ? undefined : false } = schema;
  return definedFields({
    ...schema,
    properties:
      properties && Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, closed(field)])),
    items: items && closed(items),
    anyOf: anyOf?.map(closed),
    oneOf: oneOf?.map(closed),
    additionalProperties,
  });
}
