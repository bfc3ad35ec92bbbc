import type { z } from '@hono/zod-openapi';
import { formatUsd, type NanoUsd } from '../../domain/money.ts';

// The JSON of a record whose properties are named as the fields of its schema, but for their case.

type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

/** The property that a field shows. `fee_nano_usd` and `fee_usd` show the same one. */
type PropertyOf<Name extends string> = Name extends `${infer Amount}_nano_usd`
  ? Camel<Amount>
  : Name extends `${infer Amount}_usd`
    ? Camel<Amount>
    : Camel<Name>;

type ValueOf<Name extends string, Json> = Name extends `${string}_usd`
  ? NanoUsd | Extract<Json, null | undefined>
  : Json extends readonly (infer Item)[]
    ? readonly Item[]
    : string extends Json
      ? string | Date
      : Json;

/** A record with the properties that the fields of a schema show: times as dates, amounts in nano-USD. */
export type Shown<Json> = {
  readonly [Name in keyof Json & string as PropertyOf<Name>]: ValueOf<Name, Json[Name]>;
};

function propertyOf(name: string): string {
  return name.replace(/(?:_nano)?_usd$/, '').replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function valueJson(name: string, value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'bigint') return value;
  return name.endsWith('_nano_usd') ? value.toString() : formatUsd(value);
}

const properties = new WeakMap<object, readonly (readonly [name: string, property: string])[]>();

/** The properties that the fields of a schema show. */
function propertiesOf(schema: z.ZodObject): readonly (readonly [name: string, property: string])[] {
  const known = properties.get(schema);
  if (known !== undefined) return known;
  const found = Object.keys(schema.shape).map((name) => [name, propertyOf(name)] as const);
  properties.set(schema, found);
  return found;
}

/** The fields of a schema, as the record has them. Whatever else the record has stays out. */
export function recordJson<Schema extends z.ZodObject>(
  schema: Schema,
  record: Shown<z.output<Schema>>,
): z.output<Schema> {
  const values = record as Readonly<Record<string, unknown>>;
  const fields = propertiesOf(schema).map(([name, property]) => [name, valueJson(name, values[property])]);
  return Object.fromEntries(fields) as z.output<Schema>;
}
