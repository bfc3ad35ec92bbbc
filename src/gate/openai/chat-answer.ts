import { readMessageBytes } from './content-bytes.ts';
import { describeError, readUpstreamError, type UpstreamError } from './error-body.ts';
import { NameTable } from './json-names.ts';
import { JsonScan, type PassedValues } from './json-scan.ts';
import { readTimings, readUsage, type ReportedUsage } from './usage.ts';

/** Facts that the gate needs of a plain answer. */
export interface AnswerFacts {
  /** Whether the body is an answer. If not, the other members are meaningless. */
  readonly valid: boolean;
  /** An error sent with a success status, as by OpenRouter. */
  readonly error: UpstreamError | null;
  readonly usage: ReportedUsage | null;
  /** The number of choices; 0 if the model writes nothing. */
  readonly choices: number;
  /** Bytes of UTF-8 that the model wrote: content, reasoning, tool calls. */
  readonly contentBytes: number;
  /** Base64 bytes of its audio; absent if answers have no audio. */
  readonly audioBytes?: number;
  /** The number of requests that the provider bills; absent if it reports none. */
  readonly requests?: number;
}

const ANSWER_NAMES = new NameTable(['choices', 'data', 'usage', 'error', 'timings', 'object']);
const ERROR_OBJECT = new NameTable(['error']);
/** A legacy completion has its text in the choice itself. */
const CHOICE_NAMES = new NameTable(['message', 'text']);

/** Of a body that is no answer. */
export const INVALID_ANSWER: AnswerFacts = Object.freeze({
  valid: false,
  error: null,
  usage: null,
  choices: 0,
  contentBytes: 0,
});

interface Draft {
  error: UpstreamError | null;
  usage: ReportedUsage | null;
  timings: ReportedUsage | null;
  choices: number;
  contentBytes: number;
  audioBytes: number;
  /** Whether there is an array of it, as embeddings have. */
  hasData: boolean;
  isErrorObject: boolean;
}

/** More than any usage, timings or error has. */
const PARSED_BYTES_MAX = 65_536;

/** More structure than a model's output has; the rest of a large answer was skipped before. */
const STRUCTURE_MAX = 16_000_000;

/**
 * Reads an answer's body, checking all of it that hasn't been passed; DeepSeek's blank lines before it are white space
 * like any other.
 */
export function readAnswer(body: Buffer, passed: PassedValues | null = null): AnswerFacts {
  return readDraft(body, passed)?.facts ?? INVALID_ANSWER;
}

/** Reads an answer of chat or legacy completions, which is invalid without a choice. */
export function readChatAnswer(body: Buffer, passed: PassedValues | null = null): AnswerFacts {
  const facts = readAnswer(body, passed);
  return facts.choices > 0 ? facts : INVALID_ANSWER;
}

/** Reads an answer of embeddings, which is invalid without `data`. */
export function readEmbeddingsAnswer(body: Buffer, passed: PassedValues | null = null): AnswerFacts {
  const read = readDraft(body, passed);
  return read?.hasData === true ? read.facts : INVALID_ANSWER;
}

/** Null if the body isn't a JSON object. */
function readDraft(body: Buffer, passed: PassedValues | null): { facts: AnswerFacts; hasData: boolean } | null {
  const draft: Draft = {
    error: null,
    usage: null,
    timings: null,
    choices: 0,
    contentBytes: 0,
    audioBytes: 0,
    hasData: false,
    isErrorObject: false,
  };
  const scan = new JsonScan(body, STRUCTURE_MAX, passed);
  if (!scan.enterObject()) return null;
  while (scan.nextMember()) readMember(scan, draft);
  if (!scan.finish()) return null;
  const { choices, contentBytes, audioBytes, hasData } = draft;
  const error = draft.error ?? (draft.isErrorObject ? readUpstreamError(body) : null);
  const usage = draft.usage ?? draft.timings;
  return { facts: { valid: true, error, usage, choices, contentBytes, audioBytes }, hasData };
}

function readMember(scan: JsonScan, draft: Draft): void {
  switch (scan.keyIn(ANSWER_NAMES)) {
    case 'choices':
      if (!scan.enterArray()) return scan.skip();
      while (scan.nextElement()) readChoice(scan, draft);
      return;
    case 'data':
      draft.hasData = scan.kind() === 'array';
      return scan.skip();
    case 'usage':
      draft.usage = readUsage(scan.parsed(PARSED_BYTES_MAX)) ?? draft.usage;
      return;
    case 'error': {
      const error = scan.parsed(PARSED_BYTES_MAX);
      if (error === null) return;
      draft.error = describeError({ error }) ?? {
        message: 'an error without a message',
        type: null,
        param: null,
        code: null,
      };
      return;
    }
    case 'timings':
      draft.timings = readTimings(scan.parsed(PARSED_BYTES_MAX)) ?? draft.timings;
      return;
    case 'object':
      if (scan.kind() !== 'string') return scan.skip();
      draft.isErrorObject = scan.stringIn(ERROR_OBJECT) !== undefined;
      return;
    case undefined:
      return scan.skip();
  }
}

function readChoice(scan: JsonScan, draft: Draft): void {
  if (!scan.enterObject()) return scan.skip();
  draft.choices++;
  while (scan.nextMember()) {
    if (scan.keyIn(CHOICE_NAMES) !== undefined) draft.contentBytes += readMessageBytes(scan, draft);
    else scan.skip();
  }
}
