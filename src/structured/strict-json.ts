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
  const bytes = Buffer.from(text);
  const scan = new JsonScan(bytes);
  const survey = { members: 0, isPlain: true };
  look(scan, survey, 0);
  if (scan.finish() && survey.isPlain) {
    const value: unknown = JSON.parse(text);
    // As many members as names: none was given twice, so nothing needs a closer look.
    if (namesIn(value) === survey.members) return { ok: true, value, largeIntegers: [] };
  }
  return readClosely(text, bytes);
}

/** The same with the places of what is wrong, and of large integers. */
function readClosely(text: string, bytes: Buffer): StrictJson {
  const scan = new JsonScan(bytes);
  const walk: Walk = { scan, fault: null, largeIntegers: [] };
  visit(walk, '', 0);
  const { fault } = walk;
  if (!scan.finish() && fault?.keyword !== 'depth') return { ok: false, fault: { keyword: 'json', pointer: '' } };
  if (fault !== null) return { ok: false, fault };
  return { ok: true, value: JSON.parse(text) as unknown, largeIntegers: walk.largeIntegers };
}

/** Numbers of no more characters than this, and without an exponent, are held exactly enough by doubles. */
const SHORT_NUMBER = 15;
const EXPONENT = /[eE]/;

/** Counts members, and looks for what needs a closer look: depth, and numbers that are long or have an exponent. */
function look(scan: JsonScan, survey: { members: number; isPlain: boolean }, depth: number): void {
  const kind = scan.kind();
  if (depth >= DEPTH_MAX) survey.isPlain = false;
  if (!survey.isPlain || (kind !== 'object' && kind !== 'array' && kind !== 'number')) {
    scan.skip();
  } else if (scan.enterObject()) {
    while (scan.nextMember()) {
      survey.members++;
      look(scan, survey, depth + 1);
    }
  } else if (scan.enterArray()) {
    while (scan.nextElement()) look(scan, survey, depth + 1);
  } else {
    const start = scan.at;
    scan.skip();
    const isShort = scan.at - start <= SHORT_NUMBER;
    if (!isShort || EXPONENT.test(scan.bytes.toString('latin1', start, scan.at))) survey.isPlain = false;
  }
}

function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + namesIn(each), 0);
  const members = Object.values(value) as readonly unknown[];
  return members.reduce<number>((sum, each) => sum + namesIn(each), members.length);
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
