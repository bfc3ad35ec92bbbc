import type { UpstreamError } from '../openai/error-body.ts';

// Rejections that callers' programs act on: they shorten the conversation, or give up. They recognise OpenAI's codes
// and wording, whichever provider has rejected the request.

/** A rejection as callers get it: its code is OpenAI's or the provider's own, null if neither has one. */
export interface Rejection {
  readonly code: string | null;
  readonly message: string;
  /** The field at fault, as OpenAI names it. */
  readonly param: string | null;
}

/** Codes of providers that are passed on: lower-case words, unlike the gateway's codes. */
const WORD = /^[a-z][a-z\d_.-]{1,63}$/;

const CONTEXT_LENGTH = 'context_length_exceeded';
const CONTENT_POLICY = 'content_policy_violation';

/** Providers' messages for a conversation that is longer than the model's context; with the length if they name it. */
const TOO_LONG: readonly RegExp[] = [
  /maximum context length is (?<most>\d+)/i,
  /with (?<most>\d+) maximum context length/i,
  /maximum prompt length is (?<most>\d+)/i,
  /prompt is too long: \d+ tokens > (?<most>\d+)/i,
  /exceed context limit: \d+ \+ \d+ > (?<most>\d+)/i,
  /exceeds the maximum number of tokens allowed \((?<most>\d+)\)/i,
  /exceed the configured limit of (?<most>\d+) tokens/i,
  /current length is \d+ while limit is (?<most>\d+)/i,
  /`inputs` tokens \+ `max_new_tokens` must be <= (?<most>\d+)/i,
  /prompt is too long|input is too long for|reduce the length of the (?:messages|prompt|input)/i,
  /exceeds? (?:the )?(?:available |model's |maximum )?context (?:size|length|window|limit)/i,
  /context (?:size|length|window|limit) (?:is |was |has been )?exceeded/i,
];

/** OpenAI's own wording, which clients search for. */
const OPENAI_SAYS = /this model's maximum context length is|input tokens exceed the configured limit/i;

const BLOCKED = /content filtering policy|content_policy_violation|violating our usage policy/i;

/** The caller's message and code for a rejected request. */
export function knownRejection(error: UpstreamError): Rejection {
  const { message, param } = error;
  const code = error.code !== null && WORD.test(error.code) ? error.code : null;
  const match = TOO_LONG.map((words) => words.exec(message)).find((found) => found !== null);
  if (match !== undefined || code === CONTEXT_LENGTH) {
    const said = OPENAI_SAYS.test(message) ? message : inOpenAisWords(message, match);
    return { code: CONTEXT_LENGTH, message: said, param: param ?? 'messages' };
  }
  return { code: code ?? (BLOCKED.test(message) ? CONTENT_POLICY : null), message, param };
}

/** The rejection of a prompt for its content. */
export function blockedPrompt(message: string): Rejection {
  return { code: CONTENT_POLICY, message, param: 'messages' };
}

function inOpenAisWords(message: string, match: RegExpExecArray | undefined): string {
  const most = match?.groups?.['most'];
  const length = most === undefined ? 'shorter than this request' : `${most} tokens`;
  return `This model's maximum context length is ${length}. Its provider says: ${message}`;
}
