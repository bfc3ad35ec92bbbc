import { type CompiledSchema, getKeyword } from '@hyperjump/json-schema/experimental';
import { fromJs } from '@hyperjump/json-schema/instance/experimental';

// A short way to see that a value conforms, for schemas of the keywords that most have. It goes by what the validator has
// compiled, over the value as it is: the validator itself makes a tree of every value first and looks each keyword up
// anew, which takes several times as long. A schema with any other keyword is left to the validator, and so is telling what
// is wrong with a value.

/** Whether a value conforms. */
export type QuickCheck = (value: unknown) => boolean;

type Values = Readonly<Record<string, unknown>>;

/** Makes a check of what a keyword was compiled to; null where it isn't decided here. */
type Making = (compiled: unknown, checks: Checks) => QuickCheck | null;

/** The check of a schema by its address: it need not have been made yet, as schemas may refer to themselves. */
type Checks = (address: unknown) => QuickCheck;

const ID = 'https://json-schema.org/keyword/';

/** How many names of members it remembers that a pattern took. */
const SEEN_MAX = 256;

/** Keywords that no value fails. */
const SILENT = [
  'comment',
  'default',
  'definitions',
  'deprecated',
  'description',
  'examples',
  'readOnly',
  'title',
  'unknown',
  'writeOnly',
];

/** Keywords of strings and numbers, which the validator's own code decides. */
const SCALAR = [
  'draft-07/format',
  'draft-2020-12/format',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'maxLength',
  'maximum',
  'minLength',
  'minimum',
  'multipleOf',
  'pattern',
];

const MAKINGS = new Map<string, Making>([
  ...SILENT.map((name) => [ID + name, (): QuickCheck => () => true] as const),
  ...SCALAR.map((name) => [ID + name, scalarCheck(ID + name)] as const),
  [`${ID}type`, (types) => typeCheck(types as string | readonly string[])],
  [`${ID}const`, (text) => oneOf([text as string])],
  [`${ID}enum`, (texts) => oneOf(texts as readonly string[])],
  [`${ID}required`, (names) => requiredCheck(names as readonly string[])],
  [`${ID}minItems`, (least) => (value) => !Array.isArray(value) || value.length >= (least as number)],
  [`${ID}maxItems`, (most) => (value) => !Array.isArray(value) || value.length <= (most as number)],
  [`${ID}ref`, (address, checks) => checks(address)],
  [`${ID}draft-04/ref`, (address, checks) => checks(address)],
  [`${ID}allOf`, (addresses, checks) => allOf((addresses as readonly unknown[]).map((address) => checks(address)))],
  [`${ID}anyOf`, (addresses, checks) => anyOf((addresses as readonly unknown[]).map((address) => checks(address)))],
  [`${ID}items`, (compiled, checks) => itemsCheck(compiled as readonly [number, unknown], checks)],
  [`${ID}draft-04/items`, (address, checks) => (Array.isArray(address) ? null : itemsCheck([0, address], checks))],
  [`${ID}properties`, (compiled, checks) => propertiesCheck(compiled as Values, checks)],
  [`${ID}additionalProperties`, (compiled, checks) => additionalCheck(compiled as readonly [RegExp, unknown], checks)],
]);

/** Makes the check of a schema; null where it has a keyword that isn't known here. */
export function quickCheckOf({ ast, schemaUri }: CompiledSchema): QuickCheck | null {
  if (ast.plugins.size > 0) return null;
  const { metaData: _metaData, plugins: _plugins, ...schemas } = ast;
  const made = new Map<string, QuickCheck>();
  const checks: Checks = (address) => {
    let check: QuickCheck | undefined;
    return (value) => (check ??= made.get(String(address)) ?? unsure)(value);
  };
  for (const [address, schema] of Object.entries(schemas)) {
    if (typeof schema === 'boolean') {
      made.set(address, () => schema);
      continue;
    }
    const parts: QuickCheck[] = [];
    for (const [id, , compiled] of schema as readonly (readonly [string, string, unknown])[]) {
      // A keyword that nobody knows has its name behind a `#`.
      const check = MAKINGS.get(id.replace(/#.*$/, ''))?.(compiled, checks) ?? null;
      if (check === null) return null;
      parts.push(check);
    }
    made.set(address, allOf(parts));
  }
  return made.get(schemaUri) ?? null;
}

function unsure(): boolean {
  return false;
}

/** Of constants, as texts, that are no objects. */
function oneOf(texts: readonly string[]): QuickCheck | null {
  const constants = new Set(texts.map((text): unknown => JSON.parse(text)));
  if ([...constants].some(isObject)) return null;
  return (value) => constants.has(value);
}

function requiredCheck(names: readonly string[]): QuickCheck {
  return (value) => {
    if (!isMap(value)) return true;
    for (const name of names) if (!has(value, name)) return false;
    return true;
  };
}

function scalarCheck(id: string): Making {
  return (compiled) => {
    const keyword = getKeyword<unknown>(id);
    const context = { ast: { metaData: {}, plugins: new Set() }, plugins: [] } as never;
    return (value) => isObject(value) || keyword.interpret(compiled, fromJs(value as string), context);
  };
}

function typeCheck(types: string | readonly string[]): QuickCheck {
  if (typeof types !== 'string') return anyOf(types.map((type) => typeCheck(type)));
  switch (types) {
    case 'object':
      return isMap;
    case 'array':
      return Array.isArray;
    case 'null':
      return (value) => value === null;
    case 'integer':
      return Number.isInteger;
    default:
      return (value) => typeof value === types;
  }
}

function itemsCheck([from, address]: readonly [number, unknown], checks: Checks): QuickCheck {
  const check = checks(address);
  return (value) => {
    if (!Array.isArray(value)) return true;
    for (let at = from; at < value.length; at++) if (!check(value[at])) return false;
    return true;
  };
}

function propertiesCheck(properties: Values, checks: Checks): QuickCheck {
  const members = Object.entries(properties).map(([name, address]) => [name, checks(address)] as const);
  return (value) => {
    if (!isMap(value)) return true;
    for (const [name, check] of members) if (has(value, name) && !check(value[name])) return false;
    return true;
  };
}

function additionalCheck([known, address]: readonly [RegExp, unknown], checks: Checks): QuickCheck {
  const check = checks(address);
  const seen = new Set<string>();
  const isKnown = (name: string): boolean => {
    if (seen.has(name)) return true;
    if (!known.test(name)) return false;
    if (seen.size < SEEN_MAX) seen.add(name);
    return true;
  };
  return (value) => {
    if (!isMap(value)) return true;
    for (const name of Object.keys(value)) if (!isKnown(name) && !check(value[name])) return false;
    return true;
  };
}

function allOf(all: readonly QuickCheck[]): QuickCheck {
  return (value) => {
    for (const check of all) if (!check(value)) return false;
    return true;
  };
}

function anyOf(all: readonly QuickCheck[]): QuickCheck {
  return (value) => {
    for (const check of all) if (check(value)) return true;
    return false;
  };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isMap(value: unknown): value is Values {
  return isObject(value) && !Array.isArray(value);
}

function has(value: Values, name: string): boolean {
  return Object.hasOwn(value, name);
}
