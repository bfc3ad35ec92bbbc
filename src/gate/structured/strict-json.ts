import { JsonScan } from '../openai/json-scan.ts';

// JSON that every reader interprets in the same way. An ambiguous text is a fault here: a member that is given twice,
// or a number that a double changes.

/**
 * Why a text is rejected; callers see this as `keyword`.
 * - `json`: it isn't JSON.
 * - `duplicate_key`: some readers take the first of two members, some the last.
 * - `depth`: it is nested deeper than every reader supports.
 * - `number_range`: a number is outside of the range of doubles.
 * - `size`: it has more values than any answer.
 */
export type JsonFaultKeyword = 'json' | 'duplicate_key' | 'depth' | 'number_range' | 'size';

/** A fault and its position: a JSON pointer, empty for the whole document. */
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
  /** The first few integers beyond ±(2⁵³ − 1), where doubles begin to skip some. */
  readonly largeIntegers: readonly LargeInteger[];
}

export type StrictJson =
  | ({ readonly ok: true } & StrictJsonValue)
  | { readonly ok: false; readonly fault: StrictJsonFault };

/** The most large integers that are reported. */
const LARGE_MAX = 64;

/** Deeper documents overflow the stacks of some readers. */
const DEPTH_MAX = 128;

interface Walk {
  readonly scan: JsonScan;
  fault: StrictJsonFault | null;
  readonly largeIntegers: LargeInteger[];
}

/**
 * The most structure of a document, as `json-grammar.ts` counts it: some 140,000 values. JSON.parse can't be
 * interrupted, and its result must fit a thread's memory: far exceeding it in one step ends the process.
 */
const STRUCTURE_MAX = 2_000_000;

/** The most structure that one character can count. */
const STRUCTURE_PER_CHARACTER = 16;

/** Reads one JSON document, white space around it allowed. */
export function readStrictJson(text: string): StrictJson {
  if (hasTooMuchStructure(text)) return { ok: false, fault: { keyword: 'size', pointer: '' } };
  const scan = new JsonScan(Buffer.from(text));
  const walk: Walk = { scan, fault: null, largeIntegers: [] };
  visit(walk, '', 0);
  const { fault } = walk;
  if (!scan.finish() && fault?.keyword !== 'depth') return { ok: false, fault: { keyword: 'json', pointer: '' } };
  if (fault !== null) return { ok: false, fault };
  return { ok: true, value: valueAt(new JsonScan(scan.bytes)), largeIntegers: walk.largeIntegers };
}

/** Whether there is too much before the document ends, or is at fault. */
function hasTooMuchStructure(text: string): boolean {
  if (text.length * STRUCTURE_PER_CHARACTER <= STRUCTURE_MAX) return false;
  const scan = new JsonScan(Buffer.from(text), STRUCTURE_MAX);
  scan.skip();
  return scan.structureLeft < 0;
}

/** The value, read name by name: JSON.parse may confuse an escaped name with one that is written with backslashes. */
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
