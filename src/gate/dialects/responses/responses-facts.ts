import { type AnswerFacts, INVALID_ANSWER } from '../../openai/chat-answer.ts';
import { readContentBytes } from '../../openai/content-bytes.ts';
import { describeError, type UpstreamError } from '../../openai/error-body.ts';
import { isObject } from '../../openai/json-object.ts';
import { NameTable } from '../../openai/json-names.ts';
import { JsonScan, type PassedValues } from '../../openai/json-scan.ts';
import { readUsage, type ReportedUsage } from '../../openai/usage.ts';
import type { EventFacts } from '../dialect.ts';
import type { EchoSpans } from './response-entry.ts';

// What the gate needs to know of a provider's own Responses: of one event of a stream, or of a whole answer. They are
// parsed in one pass, and pass on untouched.

/** Facts of an event that only this dialect needs. */
export interface ResponseEventFacts extends EventFacts {
  /** Empty if the event has none. */
  readonly type: string;
  /** The position of its `response`, and what that says about its request; null if it has none. */
  readonly response: ({ readonly start: number; readonly end: number } & EchoSpans) | null;
}

const EVENT_NAMES = new NameTable(['type', 'delta', 'response', 'error']);
const ERROR_OBJECT = new NameTable(['error']);
const RESPONSE_NAMES = new NameTable(['usage', 'error', 'output', 'object', 'store', 'previous_response_id']);

/** Members with text in the items of an output. */
const WRITTEN = new NameTable(['content', 'summary', 'arguments', 'input', 'text', 'refusal']);

/** The compacted conversation, in the output of a compaction. */
const COMPACTED = new NameTable(['encrypted_content']);

/** Events that end a response, and whether its answer may be passed on. */
const ENDS: Readonly<Record<string, boolean>> = {
  'response.completed': true,
  'response.incomplete': true,
  'response.failed': false,
};

/** More than any type, usage or error has; and more structure than any event. */
const TYPE_BYTES_MAX = 128;
const PARSED_BYTES_MAX = 65_536;
const STRUCTURE_MAX = 4_000_000;

/** More structure than a model's output has; the rest of a large answer was parsed before. */
const ANSWER_STRUCTURE_MAX = 16_000_000;

const FIRST_CHOICE: readonly number[] = Object.freeze([0]);
const NO_CHOICE: readonly number[] = Object.freeze([]);

const UNNAMED: UpstreamError = { message: 'an error without a message', type: null, param: null, code: null };

const INVALID: ResponseEventFacts = Object.freeze({
  valid: false,
  error: null,
  usage: null,
  usageChoice: null,
  isUsageInChoice: false,
  choices: 'none',
  finishedChoices: NO_CHOICE,
  hasContent: false,
  contentBytes: 0,
  audioBytes: 0,
  isLast: false,
  type: '',
  response: null,
});

/** Whether an event of this type may be an error or end its response. */
export function mayEnd(type: string): boolean {
  return type === 'error' || Object.hasOwn(ENDS, type);
}

/** Reads an event's payload, checking all of it. */
export function inspectResponseEvent(payload: Buffer): ResponseEventFacts {
  const scan = new JsonScan(payload, STRUCTURE_MAX);
  if (!scan.enterObject()) return INVALID;
  let type = '';
  let contentBytes = 0;
  let response: ResponseEventFacts['response'] = null;
  let error: UpstreamError | null = null;
  let usage: ReportedUsage | null = null;
  while (scan.nextMember()) {
    switch (scan.keyIn(EVENT_NAMES)) {
      case 'type':
        type = scan.kind() === 'string' && !scan.exceeds(TYPE_BYTES_MAX) ? scan.string() : (scan.skip(), '');
        break;
      case 'delta':
        if (scan.kind() === 'string') contentBytes = scan.decodedBytes();
        else scan.skip();
        break;
      case 'error':
        error = readError(scan) ?? error;
        break;
      case 'response': {
        const start = scan.at;
        const draft = readResponse(scan, null);
        const { inside, store, previous } = draft;
        response = { start, end: scan.at, inside, store, previous };
        usage = draft.usage;
        error = draft.error ?? error;
        break;
      }
      default:
        scan.skip();
    }
  }
  if (!scan.finish() || type === '') return INVALID;
  const isEnd = Object.hasOwn(ENDS, type);
  if (type === 'error' || ENDS[type] === false) error ??= describeError(JSON.parse(payload.toString())) ?? UNNAMED;
  return {
    valid: true,
    error: type === 'error' || isEnd ? error : null,
    usage,
    usageChoice: null,
    isUsageInChoice: false,
    choices: isEnd ? 'none' : 'some',
    finishedChoices: isEnd ? FIRST_CHOICE : NO_CHOICE,
    hasContent: contentBytes > 0,
    contentBytes,
    audioBytes: 0,
    isLast: isEnd,
    type,
    response,
  };
}

/** Reads a whole answer's body, checking all of it that hasn't been passed. */
export function readResponseAnswer(body: Buffer, passed: PassedValues | null = null): AnswerFacts {
  return readAnswer(body, passed, WRITTEN);
}

/** The same for a compaction, which also contains the messages of its request. */
export function readCompactionAnswer(body: Buffer, passed: PassedValues | null = null): AnswerFacts {
  return readAnswer(body, passed, COMPACTED);
}

function readAnswer(body: Buffer, passed: PassedValues | null, written: NameTable<string>): AnswerFacts {
  const scan = new JsonScan(body, ANSWER_STRUCTURE_MAX, passed);
  const draft = scan.kind() === 'object' ? readResponse(scan, written) : null;
  if (draft === null || !draft.hasOutput || !scan.finish()) return INVALID_ANSWER;
  const { error, usage, contentBytes } = draft;
  return { valid: true, error, usage, choices: 1, contentBytes };
}

interface ResponseDraft {
  error: UpstreamError | null;
  usage: ReportedUsage | null;
  contentBytes: number;
  /** Whether it has an array of output. */
  hasOutput: boolean;
  inside: EchoSpans['inside'];
  store: EchoSpans['store'];
  previous: EchoSpans['previous'];
}

/** Reads a response, measuring the text of the members `written`; null in a stream, which has counted the pieces. */
function readResponse(scan: JsonScan, written: NameTable<string> | null): ResponseDraft {
  const draft: ResponseDraft = {
    error: null,
    usage: null,
    contentBytes: 0,
    hasOutput: false,
    inside: null,
    store: null,
    previous: null,
  };
  if (!scan.enterObject()) {
    scan.skip();
    return draft;
  }
  const begin = scan.at;
  while (scan.nextMember()) {
    draft.inside = begin;
    switch (scan.keyIn(RESPONSE_NAMES)) {
      case 'usage':
        draft.usage = readResponsesUsage(scan.parsed(PARSED_BYTES_MAX)) ?? draft.usage;
        break;
      case 'error':
        draft.error = readError(scan) ?? draft.error;
        break;
      case 'object':
        // An older vLLM sends an error's fields at the top.
        if (scan.kind() !== 'string') scan.skip();
        else if (scan.stringIn(ERROR_OBJECT) !== undefined) draft.error ??= UNNAMED;
        break;
      case 'output':
        draft.hasOutput = scan.kind() === 'array';
        if (written === null) scan.skip();
        else draft.contentBytes += readContentBytes(scan, written);
        break;
      case 'store':
        draft.store = passedSpan(scan);
        break;
      case 'previous_response_id':
        draft.previous = passedSpan(scan);
        break;
      default:
        scan.skip();
    }
  }
  return draft;
}

function passedSpan(scan: JsonScan): { start: number; end: number } {
  const start = scan.at;
  scan.skip();
  return { start, end: scan.at };
}

function readError(scan: JsonScan): UpstreamError | null {
  const error = scan.parsed(PARSED_BYTES_MAX);
  return error === null || error === undefined ? null : (describeError({ error }) ?? UNNAMED);
}

/** Converts Responses' usage to disjoint classes by the rules for chat's. Null if there is none. */
export function readResponsesUsage(usage: unknown): ReportedUsage | null {
  if (!isObject(usage)) return null;
  return readUsage({
    prompt_tokens: usage['input_tokens'],
    completion_tokens: usage['output_tokens'],
    total_tokens: usage['total_tokens'],
    prompt_tokens_details: usage['input_tokens_details'],
    completion_tokens_details: usage['output_tokens_details'],
  });
}
