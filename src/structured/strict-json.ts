import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from '../openai/json-grammar.ts';
import { JsonScan } from '../openai/json-scan.ts';

// JSON that every reader understands alike. What two readers may take for two different values is a fault here: a
// member that is given twice, or a number that a double turns into another one.

/**
 * Why a text isn't taken, in words that callers see as `keyword`.
 * - `json`: it isn't JSON.
 * - `duplicate_key`: some readers take the first of two members, some the last.
 * - `depth`: nested deeper than any reader is sure to follow.
 * - `number_range`: a number that doubles don't reach.
 */
export type JsonFaultKeyword = 'json' | 'duplicate_key' | 'depth' | 'number_range';

/** A fault, and where: a JSON pointer, empty for the whole. */
export interface StrictJsonFault {
  readonly keyword: JsonFaultKeyword;
  readonly pointer: string;
}

/** An integer that other readers may read as another one. */
export interface LargeInteger {
  readonly pointer: string;
  /** Whether a double holds it. */
  readonly isExact: boolean;
}

export interface StrictJsonValue {
  readonly value: unknown;
  /** The integers beyond ±(2⁵³ − 1), where doubles begin to leave some out: the first few. */
  readonly largeIntegers: readonly LargeInteger[];
}

export type StrictJson =
  | ({ readonly ok: true } & StrictJsonValue)
  | { readonly ok: false; readonly fault: StrictJsonFault };

/** Deeper documents overflow the stacks of some readers. */
const DEPTH_MAX = 128;

/** How many large integers are told. */
const LARGE_MAX = 64;

interface Walk {
  readonly scan: JsonScan;
  fault: StrictJsonFault | null;
  readonly largeIntegers: LargeInteger[];
}

/** Reads one JSON document, white space around it allowed. */
export function readStrictJson(text: string): StrictJson {
  const members = plainMembers(text);
  if (members === null) return readClosely(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return readClosely(text);
  }
  // As many members as names: none was given twice.
  return namesIn(value) === members ? { ok: true, value, largeIntegers: [] } : readClosely(text);
}

/** The same with the places of what is wrong, and of large integers. */
function readClosely(text: string): StrictJson {
  const scan = new JsonScan(Buffer.from(text));
  const walk: Walk = { scan, fault: null, largeIntegers: [] };
  visit(walk, '', 0);
  const { fault } = walk;
  if (!scan.finish() && fault?.keyword !== 'depth') return { ok: false, fault: { keyword: 'json', pointer: '' } };
  if (fault !== null) return { ok: false, fault };
  return { ok: true, value: valueAt(new JsonScan(scan.bytes)), largeIntegers: walk.largeIntegers };
}

/** The value here, name by name: JSON.parse may take an escaped name for one that is written like it with backslashes. */
function valueAt(scan: JsonScan): unknown {
  if (scan.enterObject()) {
    const members: [string, unknown][] = [];
    while (scan.nextMember()) members.push([scan.key(), valueAt(scan)]);
    return Object.fromEntries(members);
  }
  if (!scan.enterArray()) return scan.parsed();
  const elements: unknown[] = [];
  while (scan.nextElement()) elements.push(valueAt(scan));
  return elements;
}

/** Numbers of no more characters than this, and without an exponent, are held exactly enough by doubles. */
const SHORT_NUMBER = 15;

const [ZERO, NINE, DOT, MINUS, LOWER_E, UPPER_E] = [0x30, 0x39, 0x2e, 0x2d, 0x65, 0x45];

/**
 * How many members a text has, if it is JSON; null where it needs a closer look for its depth, or for a number that is
 * long or has an exponent.
 */
function plainMembers(text: string): number | null {
  let members = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COLON) members++;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > DEPTH_MAX) return null;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
    else if (isOfNumber(code)) {
      const start = at;
      while (isOfNumber(text.charCodeAt(at + 1))) at++;
      const next = text.charCodeAt(at + 1);
      if (at - start >= SHORT_NUMBER || next === LOWER_E || next === UPPER_E) return null;
    }
  }
  return members;
}

/** Where the string that begins at a quote has its other one; the text's length where it has none. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return at;
}

function isOfNumber(code: number): boolean {
  return (code >= ZERO && code <= NINE) || code === MINUS || code === DOT;
}

/** How many names the objects in a value have; not a number where one has a backslash, which need not be its own. */
function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let names = 0;
  if (Array.isArray(value)) {
    for (const each of value) names += namesIn(each);
  } else {
    for (const [name, each] of Object.entries(value)) names += name.includes('\\') ? Number.NaN : 1 + namesIn(each);
  }
  return names;
}

/** Appends a member's name or an element's index to a JSON pointer. */
export function appendPointer(pointer: string, step: string | number): string {
  if (typeof step === 'number') return `${pointer}/${step}`;
  return `${pointer}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The steps of a JSON pointer. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function visit(walk: Walk, pointer: string, depth: number): void {
  const { scan } = walk;
  const kind = scan.kind();
  if (depth === DEPTH_MAX && (kind === 'object' || kind === 'array')) {
    walk.fault = { keyword: 'depth', pointer: '' };
    scan.skip();
  } else if (scan.enterObject()) {
    const seen = new Set<string>();
    while (scan.nextMember()) {
      const key = scan.key();
      const within = appendPointer(pointer, key);
      if (seen.has(key)) walk.fault ??= { keyword: 'duplicate_key', pointer: within };
      seen.add(key);
      visit(walk, within, depth + 1);
    }
  } else if (scan.enterArray()) {
    for (let index = 0; scan.nextElement(); index++) visit(walk, appendPointer(pointer, index), depth + 1);
  } else if (kind === 'number') {
    visitNumber(walk, pointer);
  } else {
    scan.skip();
  }
}

function visitNumber(walk: Walk, pointer: string): void {
  const { scan } = walk;
  const start = scan.at;
  scan.skip();
  if (scan.fault !== null) return;
  const text = scan.bytes.toString('latin1', start, scan.at);
  const value = Number(text);
  if (!Number.isFinite(value)) walk.fault ??= { keyword: 'number_range', pointer };
  else if (!Number.isSafeInteger(value) && /^-?\d+$/.test(text) && walk.largeIntegers.length < LARGE_MAX) {
    walk.largeIntegers.push({ pointer, isExact: BigInt(text) === BigInt(value) });
  }
}
