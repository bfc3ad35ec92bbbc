import { applySplices, type Splice } from '../../openai/json-edit.ts';
import { NameTable } from '../../openai/json-names.ts';
import { JsonScan } from '../../openai/json-scan.ts';
import type { KeptAnswer, ResponseEntry } from '../dialect.ts';

// The stored form of a response: the whole, and its items as the next request sends them.

/** Corrections to a provider's response, whose request asked it to store nothing and continued nothing. */
export interface Echo {
  readonly isKept: boolean;
  /** Whether the caller asked for it to be kept. */
  readonly isWished: boolean;
  readonly previous: string | null;
}

/** The positions of those members in a response; null if missing. */
export interface EchoSpans {
  /** Just behind its opening brace, where a missing member can be written; null if it has no member to follow. */
  readonly inside: number | null;
  readonly store: Span | null;
  readonly previous: Span | null;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The edits that correct these members of a provider's response, and write those of one that is kept, or goes on, if it left them out. */
export function echoSplices({ inside, store, previous }: EchoSpans, echo: Echo): Splice[] {
  const splices: Splice[] = [];
  let missing = '';
  const say = (span: Span | null, name: string, text: string) => {
    if (span === null) missing += `"${name}":${text},`;
    else splices.push({ ...span, text });
  };
  if (echo.isWished && (echo.isKept || store !== null)) say(store, 'store', String(echo.isKept));
  if (echo.previous !== null) say(previous, 'previous_response_id', JSON.stringify(echo.previous));
  if (missing !== '' && inside !== null) splices.push({ start: inside, end: inside, text: missing });
  return splices;
}

/** The edits for a response that was to be kept, but could not be. */
export function unkeptSplices(spans: EchoSpans, echo: Echo): Splice[] {
  return echoSplices(spans, { ...echo, isKept: false, isWished: true });
}

const RESPONSE_NAMES = new NameTable(['id', 'output', 'store', 'previous_response_id']);
const ITEM_NAMES = new NameTable(['id', 'type', 'encrypted_content', 'content']);
const REASONING = new NameTable(['reasoning']);
const STRUCTURE_MAX = 16_000_000;
const EMPTY_ARRAY_BYTES = 2;

/** More than any id has. */
const ID = /^[\x21-\x7e]{1,256}$/;
const ID_BYTES_MAX = 1_024;

interface OutputItem extends Span {
  readonly id: string | null;
  /** Reasoning without its content: the provider was asked to store nothing, so it can't look it up. */
  readonly isShell: boolean;
}

/** Reads a whole answer, which has been checked as JSON. `input`: the items of its request. */
export function readKeptAnswer(answer: Buffer, input: readonly Buffer[], echo: Echo): KeptAnswer {
  const scan = new JsonScan(answer, STRUCTURE_MAX);
  let id: string | null = null;
  let items: OutputItem[] | null = null;
  let store: Span | null = null;
  let previous: Span | null = null;
  let inside: number | null = null;
  if (scan.enterObject()) {
    const begin = scan.at;
    while (scan.nextMember()) {
      inside = begin;
      const name = scan.keyIn(RESPONSE_NAMES);
      const start = scan.at;
      if (name === 'id') id = readId(scan);
      else if (name === 'output' && scan.enterArray()) items = readOutput(scan);
      else scan.skip();
      if (name === 'store') store = { start, end: scan.at };
      else if (name === 'previous_response_id') previous = { start, end: scan.at };
    }
  }
  const spans = { inside, store, previous };
  const sent = scan.fault === null ? applySplices(answer, echoSplices(spans, echo)) : answer;
  const unkept = () => (scan.fault === null ? applySplices(answer, unkeptSplices(spans, echo)) : answer);
  if (scan.fault !== null || id === null || items === null) return { answer: sent, unkept, entry: null };
  return { answer: sent, unkept, entry: { responseId: id, input, ...outputOf(answer, items), response: sent } };
}

/** A provider's whole answer, which has been checked as JSON, with these corrections. */
export function echoIn(answer: Buffer, echo: Echo): Buffer {
  return readKeptAnswer(answer, [], echo).answer;
}

function readId(scan: JsonScan): string | null {
  if (scan.kind() !== 'string' || scan.exceeds(ID_BYTES_MAX)) {
    scan.skip();
    return null;
  }
  const id = scan.string();
  return ID.test(id) ? id : null;
}

function readOutput(scan: JsonScan): OutputItem[] {
  const items: OutputItem[] = [];
  while (scan.nextElement()) items.push(readItem(scan));
  return items;
}

function readItem(scan: JsonScan): OutputItem {
  const start = scan.at;
  let id: string | null = null;
  let isReasoning = false;
  let hasContent = false;
  if (!scan.enterObject()) {
    scan.skip();
    return { start, end: scan.at, id: null, isShell: false };
  }
  while (scan.nextMember()) {
    const name = scan.keyIn(ITEM_NAMES);
    if (name === 'id') id = readId(scan);
    else if (name === 'type' && scan.kind() === 'string') isReasoning = scan.stringIn(REASONING) !== undefined;
    else {
      const holds = scan.kind() === 'string' || (scan.kind() === 'array' && scan.exceeds(EMPTY_ARRAY_BYTES));
      hasContent ||= (name === 'encrypted_content' || name === 'content') && holds;
      scan.skip();
    }
  }
  return { start, end: scan.at, id, isShell: isReasoning && !hasContent };
}

/** The items separated by commas, and the position of each. */
function outputOf(answer: Buffer, items: readonly OutputItem[]): Pick<ResponseEntry, 'output' | 'outputItems'> {
  const pieces: Buffer[] = [];
  const outputItems: { id: string; start: number; length: number }[] = [];
  let at = 0;
  for (const { start, end, id, isShell } of items) {
    const length = isShell ? 0 : end - start;
    if (length > 0) {
      if (pieces.length > 0) {
        pieces.push(COMMA);
        at += COMMA.length;
      }
      pieces.push(answer.subarray(start, end));
    }
    if (id !== null) outputItems.push({ id, start: at, length });
    at += length;
  }
  return { output: Buffer.concat(pieces), outputItems };
}

const COMMA = Buffer.from(',');
