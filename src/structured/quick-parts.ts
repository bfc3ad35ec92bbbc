import { matcherOf } from './quick-formats.ts';
import { isObject } from './schema-keywords.ts';

// What the short way looks at for each keyword. A check takes steps for whatever it looks at more than once, and fails
// where none are left; it says yes only where it is sure.

/** How many characters of a string may be looked at in one step, as a power of two. */
const CHARACTERS_PER_STEP_LOG2 = 3;

/** What is left of a check's bounds. */
export interface Bounds {
  steps: number;
  depth: number;
}

/** Whether a value is sure to be as a keyword, or a schema, wants it. */
export type Check = (value: unknown, bounds: Bounds) => boolean;

/** The check of the schema `true`. */
export function always(_value: unknown, bounds: Bounds): boolean {
  return takes(bounds, 1);
}

/** The check of the schema `false`. */
export function never(_value: unknown, bounds: Bounds): boolean {
  takes(bounds, 1);
  return false;
}

/** Takes so many steps from what is left; false where there are fewer. */
export function takes(bounds: Bounds, steps: number): boolean {
  bounds.steps -= steps;
  return bounds.steps >= 0;
}

function takesText(bounds: Bounds, text: string): boolean {
  return takes(bounds, text.length >> CHARACTERS_PER_STEP_LOG2);
}

/** `enum` and `const`, of constants that are no objects; null where one is. */
export function oneOf(constants: readonly unknown[]): Check | null {
  if (constants.some((constant) => typeof constant === 'object' && constant !== null)) return null;
  const known = new Set(constants);
  return (value, bounds) => (typeof value !== 'string' || takesText(bounds, value)) && known.has(value);
}

/** `required`. */
export function requiredCheck(names: readonly string[]): Check {
  return (value, bounds) => {
    if (!isObject(value)) return true;
    if (!takes(bounds, names.length)) return false;
    for (const name of names) if (!Object.hasOwn(value, name)) return false;
    return true;
  };
}

/** `type`, with one name or several. */
export function typeCheck(types: unknown): Check {
  if (Array.isArray(types)) return anyOf(types.map((type) => typeCheck(type)));
  switch (types) {
    case 'object':
      return isObject;
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

/** A keyword that only strings can fail. */
export function ofStrings(holds: (value: string) => boolean): Check {
  return (value, bounds) => typeof value !== 'string' || (takesText(bounds, value) && holds(value));
}

/** A keyword that only numbers can fail. */
export function ofNumbers(holds: (value: number) => boolean): Check {
  return (value) => typeof value !== 'number' || holds(value);
}

/** `minimum`, or `exclusiveMinimum` where the bound is excluded. */
export function aboveCheck(bound: unknown, isExcluded: boolean): Check {
  const least = bound as number;
  return ofNumbers(isExcluded ? (value) => value > least : (value) => value >= least);
}

/** `maximum`, or `exclusiveMaximum` where the bound is excluded. */
export function belowCheck(bound: unknown, isExcluded: boolean): Check {
  const most = bound as number;
  return ofNumbers(isExcluded ? (value) => value < most : (value) => value <= most);
}

/** Whether a string has so many characters, of which each has one unit or two. */
export function isAsLong(value: string, least: number): boolean {
  if (value.length < least || value.length >= 2 * least) return value.length >= least;
  return Array.from(value).length >= least;
}

/** `format`; null for one that isn't told at once. */
export function formatCheck(name: unknown): Check | null {
  const matches = matcherOf(String(name));
  return matches === null ? null : ofStrings(matches);
}

/** `items`, one schema for all. */
export function itemsCheck(check: Check): Check {
  return (value, bounds) => {
    if (!Array.isArray(value)) return true;
    if (!takes(bounds, value.length)) return false;
    for (const each of value) if (!check(each, bounds)) return false;
    return true;
  };
}

/** `properties`. */
export function propertiesCheck(members: readonly (readonly [string, Check])[]): Check {
  return (value, bounds) => {
    if (!isObject(value)) return true;
    if (!takes(bounds, members.length)) return false;
    for (const [name, check] of members) {
      if (Object.hasOwn(value, name) && !check(value[name], bounds)) return false;
    }
    return true;
  };
}

/** `additionalProperties` beside these properties. */
export function additionalCheck(properties: unknown, check: Check): Check {
  const known = new Set(isObject(properties) ? Object.keys(properties) : []);
  return (value, bounds) => {
    if (!isObject(value)) return true;
    const names = Object.keys(value);
    if (!takes(bounds, names.length)) return false;
    for (const name of names) if (!known.has(name) && !check(value[name], bounds)) return false;
    return true;
  };
}

/** `allOf`. */
export function allOf(all: readonly Check[]): Check {
  return (value, bounds) => {
    for (const check of all) if (!check(value, bounds)) return false;
    return true;
  };
}

/** `anyOf`. */
export function anyOf(all: readonly Check[]): Check {
  return (value, bounds) => {
    const { depth } = bounds;
    for (const check of all) {
      if (check(value, bounds)) return true;
      if (bounds.steps < 0) return false;
      bounds.depth = depth;
    }
    return false;
  };
}
