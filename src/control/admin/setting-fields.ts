import { z } from '@hono/zod-openapi';
import { bodyName } from '../resources/setting-values.ts';
import type { Setting, SettingsBody, SettingsJson, SettingTable } from '../resources/setting.ts';
import { isNetwork } from '../../lib/network-range.ts';
import { decimal, limitUsd, nano, time, timestamp } from './contract-fields.ts';

// The contract's fields of settings: what a request may give, and what an answer has.

const NAME_HELP = 'must be 1 to 100 characters, without "/", control characters, or blanks at either end';
export const name = z.string({ error: NAME_HELP }).regex(/^(?!\s)[^\p{Cc}\p{Cs}/]{1,100}(?<!\s)$/u, NAME_HELP);

const POLICY_HELP =
  'must be a list of 1 to 100 model ids, or beginnings of ids that end in "*"; null allows every model';
const models = z
  .array(
    z
      .string()
      .regex(/^[^\p{C}\s*]{0,200}\*?$/u, POLICY_HELP)
      .min(1, POLICY_HELP),
    { error: POLICY_HELP },
  )
  .min(1, POLICY_HELP)
  .max(100, POLICY_HELP);

const NOTES_HELP = 'must have 16 names of 1 to 40 characters at most, each with a text of up to 200 characters';
const notes = z
  .record(z.string().min(1, NOTES_HELP).max(40, NOTES_HELP), z.string().max(200, NOTES_HELP), { error: NOTES_HELP })
  .refine((given) => Object.keys(given).length <= 16, NOTES_HELP)
  .openapi({ example: { team: 'search' } });

const NETWORKS_HELP =
  'must be a list of 1 to 100 networks such as "203.0.113.0/24" or "2001:db8::/32"; null allows any address';
const networks = z
  .array(
    z
      .string({ error: NETWORKS_HELP })
      .max(60, NETWORKS_HELP)
      // Without a flag, which the document would have as a part of the pattern.
      .regex(/^[0-9A-Fa-f.:]{2,45}\/\d{1,3}$/, NETWORKS_HELP)
      .refine(isUnmappedNetwork, NETWORKS_HELP),
    {
      error: NETWORKS_HELP,
    },
  )
  .min(1, NETWORKS_HELP)
  .max(100, NETWORKS_HELP);

/** Addresses of IPv4 are compared as such, so a network of them is written so. */
function isUnmappedNetwork(network: string): boolean {
  return isNetwork(network) && !/^::ffff:/i.test(network);
}

function text(max: number) {
  const error = `must be 1 to ${max} characters of text in one line, without marks that turn its direction, or null`;
  return z
    .string({ error })
    .max(max, error)
    .regex(/^(?!\s)[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_C}]+(?<!\s)$/u, error)
    .nullable();
}

function mapping(to: readonly string[]) {
  const error = `must have up to 100 names of 1 to 200 characters, each with one of ${to.join(', ')}`;
  return z
    .record(z.string().min(1, error).max(200, error), z.enum(to, { error }), { error })
    .refine((given) => Object.keys(given).length <= 100, error);
}

function count(max: number) {
  const error = `must be a whole number from 1 to ${max}, or null for no limit`;
  return z.int({ error }).min(1, error).max(max, error).nullable();
}

function requested(setting: Setting): z.ZodType {
  switch (setting.kind) {
    case 'name':
      return name;
    case 'usd':
      return limitUsd.nullable();
    case 'models':
      return models.nullable();
    case 'time':
      return time.nullable();
    case 'notes':
      return notes;
    case 'networks':
      return networks.nullable();
    case 'text':
      return text(setting.max);
    case 'mapping':
      return mapping(setting.to);
    case 'count':
      return count(setting.max);
    case 'choice':
      return z.enum(setting.of, { error: `must be one of ${setting.of.join(', ')}` });
    case 'flag':
      return z.boolean();
  }
}

type Fields<Values> = { [Name in keyof Values]-?: z.ZodType<Values[Name], Values[Name]> };
type OptionalFields<Values> = {
  [Name in keyof Values]-?: z.ZodOptional<
    z.ZodType<Exclude<Values[Name], undefined>, Exclude<Values[Name], undefined>>
  >;
};

/** The fields in which a request gives settings, each of which it may leave out. */
export function requestedFields<Table extends SettingTable>(table: Table): OptionalFields<SettingsBody<Table>> {
  const fields = Object.values(table).map((setting) => {
    const field = requested(setting).optional();
    const { description } = setting;
    return [bodyName(setting), description === undefined ? field : field.openapi({ description })];
  });
  return Object.fromEntries(fields) as OptionalFields<SettingsBody<Table>>;
}

function answered(setting: Setting): Readonly<Record<string, z.ZodType>> {
  const { wire } = setting;
  switch (setting.kind) {
    case 'name':
      return { [wire]: z.string() };
    case 'usd':
      return { [`${wire}_nano_usd`]: nano.nullable(), [`${wire}_usd`]: decimal.nullable() };
    case 'models':
    case 'networks':
      return { [wire]: z.array(z.string()).nullable() };
    case 'time':
      return { [wire]: timestamp.nullable() };
    case 'notes':
    case 'mapping':
      return { [wire]: z.record(z.string(), z.string()) };
    case 'text':
      return { [wire]: z.string().nullable() };
    case 'count':
      return { [wire]: z.int().nullable() };
    case 'choice':
      return { [wire]: z.enum(setting.of) };
    case 'flag':
      return { [wire]: z.boolean() };
  }
}

/** The fields of an answer. */
export function answeredFields<Table extends SettingTable>(table: Table): Fields<SettingsJson<Table>> {
  return Object.assign({}, ...Object.values(table).map(answered)) as Fields<SettingsJson<Table>>;
}
