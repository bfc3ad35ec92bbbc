import { readMessageBytes } from './content-bytes.ts';
import { describeError, readUpstreamError, type UpstreamError } from './error-body.ts';
import { applySplices, readObject, spliceObject, type ObjectEdit } from './json-edit.ts';
import { NameTable } from './json-names.ts';
import { JsonScan } from './json-scan.ts';
import { preferUsage, readTimings, readUsage, type ReportedUsage } from './usage.ts';

// One data event of a stream of chat or of legacy completions: the facts that the gate needs, parsed in one pass, and
// the removal of members that not every caller should see.

export interface ChunkFacts {
  /** Whether the payload is a JSON object. If not, the other members are meaningless. */
  readonly valid: boolean;
  readonly error: UpstreamError | null;
  readonly usage: ReportedUsage | null;
  /** The index of the chunk's choice, if the chunk has usage and exactly one choice; else null. */
  readonly usageChoice: number | null;
  /** Whether the usage is in the choice, so that it counts only that one. */
  readonly isUsageInChoice: boolean;
  readonly choices: 'none' | 'some';
  /** Indices of the choices that end with this chunk. */
  readonly finishedChoices: readonly number[];
  readonly hasContent: boolean;
  /** Bytes of UTF-8 that the model wrote: content, reasoning, tool calls. */
  readonly contentBytes: number;
  /** Base64 bytes of its audio. */
  readonly audioBytes: number;
  readonly usageMember: 'absent' | 'null' | 'value';
  /** The span of the `usage` member, with the comma before it; null if it can't be cut that simply. */
  readonly usageSpan: Span | null;
  /** Whether there is an `error` member that is null. */
  readonly hasNullError: boolean;
  /** Whether the chunk has nothing but usage, which comes last. */
  readonly isLast: boolean;
  /** The span of the delta in a chunk without anything else: one unfinished choice, and no usage. */
  readonly deltaSpan: Span | null;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

const CHUNK_NAMES = new NameTable(['choices', 'usage', 'error', 'x_groq', 'timings', 'object']);
const ERROR_OBJECT = new NameTable(['error']);
const CHOICE_NAMES = new NameTable(['index', 'delta', 'message', 'text', 'finish_reason', 'usage', 'logprobs']);
const GROQ_NAMES = new NameTable(['usage']);

/** More than any usage, timings or error has; and more structure than any chunk. */
const PARSED_BYTES_MAX = 65_536;
const STRUCTURE_MAX = 4_000_000;

/** More members than any chunk has. */
const MAX_MEMBERS = 256;

/** The first byte of null. */
const SMALL_N = 0x6e;

interface Draft {
  error: UpstreamError | null;
  usage: ReportedUsage | null;
  /** Usage in the places of single vendors: `x_groq`, `timings`, a choice. Used if there is no other. */
  sideUsage: ReportedUsage | null;
  isSideUsageInChoice: boolean;
  choices: number;
  /** The position of the latest choice's index. */
  indexStart: number;
  indexEnd: number;
  finished: number[] | null;
  contentBytes: number;
  audioBytes: number;
  usageMember: 'absent' | 'null' | 'value';
  usageSpan: Span | null;
  hasNullError: boolean;
  isErrorObject: boolean;
  deltaSpan: Span | null;
  /** Whether a choice has more than its delta. */
  saysMore: boolean;
}

const NONE_FINISHED: readonly number[] = Object.freeze([]);

const INVALID: ChunkFacts = Object.freeze({
  valid: false,
  error: null,
  usage: null,
  usageChoice: null,
  isUsageInChoice: false,
  choices: 'none',
  finishedChoices: NONE_FINISHED,
  hasContent: false,
  contentBytes: 0,
  audioBytes: 0,
  usageMember: 'absent',
  usageSpan: null,
  hasNullError: false,
  isLast: false,
  deltaSpan: null,
});

/** Reads one payload, checking all of it. */
export function inspectChunk(payload: Buffer): ChunkFacts {
  const draft: Draft = {
    error: null,
    usage: null,
    sideUsage: null,
    isSideUsageInChoice: false,
    choices: 0,
    indexStart: 0,
    indexEnd: 0,
    finished: null,
    contentBytes: 0,
    audioBytes: 0,
    usageMember: 'absent',
    usageSpan: null,
    hasNullError: false,
    isErrorObject: false,
    deltaSpan: null,
    saysMore: false,
  };
  const scan = new JsonScan(payload, STRUCTURE_MAX);
  if (!scan.enterObject()) return INVALID;
  for (let previousEnd = 0; scan.nextMember(); previousEnd = scan.at) readMember(scan, draft, previousEnd);
  if (!scan.finish()) return INVALID;
  const usage = draft.usage ?? draft.sideUsage;
  return {
    valid: true,
    // An older vLLM sends an error's fields at the top.
    error: draft.error ?? (draft.isErrorObject ? readUpstreamError(payload) : null),
    usage,
    usageChoice: usage !== null && draft.choices === 1 ? indexOf(draft, payload) : null,
    isUsageInChoice: draft.usage === null && draft.isSideUsageInChoice,
    choices: draft.choices > 0 ? 'some' : 'none',
    finishedChoices: draft.finished ?? NONE_FINISHED,
    hasContent: draft.contentBytes > 0 || draft.audioBytes > 0,
    contentBytes: draft.contentBytes,
    audioBytes: draft.audioBytes,
    usageMember: draft.usageMember,
    usageSpan: draft.usageSpan,
    hasNullError: draft.hasNullError,
    isLast: usage !== null && draft.choices === 0,
    deltaSpan: draft.choices === 1 && !draft.saysMore && usage === null ? draft.deltaSpan : null,
  };
}

/** Reads one member; `previousEnd` is the end of the one before it, 0 for the first. */
function readMember(scan: JsonScan, draft: Draft, previousEnd: number): void {
  switch (scan.keyIn(CHUNK_NAMES)) {
    case 'choices':
      if (!scan.enterArray()) return scan.skip();
      while (scan.nextElement()) readChoice(scan, draft);
      return;
    case 'usage':
      return readTopUsage(scan, draft, previousEnd);
    case 'error':
      return readError(scan, draft);
    case 'x_groq':
      if (!scan.enterObject()) return scan.skip();
      while (scan.nextMember()) {
        if (scan.keyIn(GROQ_NAMES) === 'usage') draft.sideUsage = readUsageHere(scan) ?? draft.sideUsage;
        else scan.skip();
      }
      return;
    case 'timings':
      draft.sideUsage = readTimings(scan.parsed(PARSED_BYTES_MAX)) ?? draft.sideUsage;
      return;
    case 'object':
      if (scan.kind() !== 'string') return scan.skip();
      draft.isErrorObject = scan.stringIn(ERROR_OBJECT) !== undefined;
      return;
    case undefined:
      return scan.skip();
  }
}

function readTopUsage(scan: JsonScan, draft: Draft, previousEnd: number): void {
  const needsCloserLook = previousEnd === 0 || draft.usageMember !== 'absent';
  if (scan.kind() !== 'null') draft.usageMember = 'value';
  else if (draft.usageMember === 'absent') draft.usageMember = 'null';
  draft.usage = readUsageHere(scan) ?? draft.usage;
  draft.usageSpan = needsCloserLook ? null : { start: previousEnd, end: scan.at };
}

function readError(scan: JsonScan, draft: Draft): void {
  if (scan.kind() === 'null') {
    draft.hasNullError = true;
    return scan.skip();
  }
  const error = scan.parsed(PARSED_BYTES_MAX);
  if (scan.fault !== null) return;
  draft.error = describeError({ error }) ?? {
    message: 'an error without a message',
    type: null,
    param: null,
    code: null,
  };
}

function readChoice(scan: JsonScan, draft: Draft): void {
  draft.choices++;
  draft.indexEnd = 0;
  if (!scan.enterObject()) return scan.skip();
  let isFinished = false;
  let deltaBytes = 0;
  let messageBytes = 0;
  while (scan.nextMember()) {
    switch (scan.keyIn(CHOICE_NAMES)) {
      case 'index':
        draft.indexStart = scan.at;
        scan.skip();
        draft.indexEnd = scan.at;
        break;
      case 'delta': {
        const start = scan.at;
        deltaBytes = readMessageBytes(scan, draft);
        draft.saysMore ||= draft.deltaSpan !== null;
        draft.deltaSpan = { start, end: scan.at };
        break;
      }
      // A legacy completion has its text in the choice itself.
      case 'text':
      case 'message':
        draft.saysMore = true;
        messageBytes = readMessageBytes(scan, draft);
        break;
      case 'logprobs':
        draft.saysMore ||= scan.kind() !== 'null';
        scan.skip();
        break;
      case 'finish_reason': {
        const start = scan.at;
        const isString = scan.kind() === 'string';
        scan.skip();
        // Some send an empty reason until there is one.
        isFinished = isString && scan.at - start > 2;
        break;
      }
      case 'usage':
        draft.sideUsage = preferUsage(draft.sideUsage, readUsageHere(scan), false);
        draft.isSideUsageInChoice = true;
        break;
      case undefined:
        scan.skip();
    }
  }
  // Perplexity repeats all text so far in `message`.
  draft.contentBytes += deltaBytes > 0 ? deltaBytes : messageBytes;
  if (isFinished) {
    draft.saysMore = true;
    (draft.finished ??= []).push(indexOf(draft, scan.bytes));
  }
}

/** The index of the latest choice; its position if it has none. */
function indexOf({ choices, indexStart, indexEnd }: Draft, bytes: Buffer): number {
  const index = indexEnd === 0 ? Number.NaN : Number.parseInt(bytes.toString('latin1', indexStart, indexEnd), 10);
  return Number.isNaN(index) ? choices - 1 : index;
}

function readUsageHere(scan: JsonScan): ReportedUsage | null {
  return scan.kind() === 'object' ? readUsage(scan.parsed(PARSED_BYTES_MAX)) : skipped(scan);
}

function skipped(scan: JsonScan): null {
  scan.skip();
  return null;
}

/**
 * The payload for a caller that did not request usage: without its `usage` and a null `error`; the same buffer if it
 * has neither. Null if the chunk has no choices and only usage.
 */
export function withoutUsage(payload: Buffer, facts: ChunkFacts): Buffer | null {
  if (facts.usageMember === 'absent') return withoutNullError(payload, facts);
  if (facts.usageMember === 'value' && facts.choices === 'none' && facts.error === null) return null;
  if (facts.usageSpan === null || facts.hasNullError) return cutMembers(payload, ['usage']);
  const { start, end } = facts.usageSpan;
  const rest = Buffer.allocUnsafe(payload.length - (end - start));
  payload.copy(rest, 0, 0, start);
  payload.copy(rest, start, end);
  return rest;
}

/** The payload without a null `error`, which some clients take for an error; the same buffer if it has none. */
export function withoutNullError(payload: Buffer, facts: ChunkFacts): Buffer {
  return facts.hasNullError ? cutMembers(payload, []) : payload;
}

/** Cuts out the members of these names, and every null `error`. */
function cutMembers(payload: Buffer, names: readonly string[]): Buffer {
  const object = readObject(new JsonScan(payload), MAX_MEMBERS);
  if (object === null) return payload;
  const edits = object.members
    .filter(
      (member) => names.includes(member.key) || (member.key === 'error' && payload[member.valueStart] === SMALL_N),
    )
    .map((member): ObjectEdit => ({ kind: 'remove', member }));
  return applySplices(payload, spliceObject(object, edits));
}
