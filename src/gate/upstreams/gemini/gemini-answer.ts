import type { PassedValues } from '../../openai/json-scan.ts';
import { isDone } from '../../openai/sse.ts';
import { readUsage } from '../../openai/usage.ts';
import type { AnswerResult, AnswerTranslator, ParsedLimits, StreamOutlet } from '../answer-translator.ts';
import type { ResponseHeaders } from '../http/response-head.ts';
import { JsonView } from '../json-view.ts';
import type { UpstreamFault, UsageSoFar } from '../upstream.ts';
import { withoutSecret } from '../without-secret.ts';
import type { AnswerContext } from './answer-frame.ts';
import { ChatStream } from './chat-stream.ts';
import { faultOfError, faultOfRefusal } from './gemini-fault.ts';
import { faultOfBlockedPrompt, isPromptBlocked } from './prompt-block.ts';

/** Parses a whole body without an error. */
export type PlainReader = (view: JsonView, status: number) => AnswerResult;

const MEBIBYTE = 2 ** 20;
export const CHAT_LIMITS: ParsedLimits = {
  bodyBytesMax: 3 * MEBIBYTE,
  eventBytesMax: 3 * MEBIBYTE,
  structureMax: 1_200_000,
};
/** A hundred long vectors, which pass unchanged. */
export const EMBEDDINGS_LIMITS: ParsedLimits = {
  ...CHAT_LIMITS,
  bodyBytesMax: 8 * MEBIBYTE,
  structureMax: 12_000_000,
};

/** One answer of Gemini's API, plain or streamed: errors are separated from answers. */
export class GeminiAnswer implements AnswerTranslator {
  readonly parsedLimits: ParsedLimits;
  readonly #readPlain: PlainReader;
  readonly #secret: string | null;
  readonly #stream: ChatStream;

  /** `secret` is the provider's key, which no fault repeats. */
  constructor(context: AnswerContext, readPlain: PlainReader, secret: string | null, parsedLimits = CHAT_LIMITS) {
    this.parsedLimits = parsedLimits;
    this.#readPlain = readPlain;
    this.#secret = secret;
    this.#stream = new ChatStream(context);
  }

  refused(status: number, headers: ResponseHeaders, body: Buffer): UpstreamFault {
    return faultOfRefusal(status, headers, body, Date.now());
  }

  answer(status: number, body: Buffer, passed: PassedValues | null): AnswerResult {
    const view = JsonView.of(body, passed);
    if (view === null) return { ok: false, fault: { kind: 'malformed', status, message: 'the answer is not JSON' } };
    const fault = this.#faultOf(view, body, status);
    return fault === null ? this.#readPlain(view, status) : { ok: false, fault };
  }

  event(payload: Buffer, outlet: StreamOutlet): void {
    // Google doesn't send this marker at a stream's end, but a proxy in between may.
    if (isDone(payload)) return;
    const view = JsonView.of(payload);
    if (view === null) return outlet.malformed('an event is not JSON');
    const fault = this.#faultOf(view, payload, 200);
    if (fault !== null) outlet.error(fault);
    else if (view.kind === 'object') this.#stream.event(view, outlet);
    else outlet.malformed('an event is not a JSON object');
  }

  end(outlet: StreamOutlet): void {
    this.#stream.end(outlet);
  }

  usageSoFar(): UsageSoFar | null {
    const tokens = readUsage(this.#stream.usage);
    return tokens === null ? null : { tokens, countsOutput: true };
  }

  /** The fault in a body or an event; null if it is an answer. */
  #faultOf(view: JsonView, bytes: Buffer, status: number): UpstreamFault | null {
    // Some endpoints wrap an error in an array.
    const body = view.kind === 'array' ? (view.elements()[0] ?? view) : view;
    if (body.get('error') !== undefined) return faultOfError(withoutSecret(bytes, this.#secret));
    const isAnswered = this.#stream.hasBegun || body.get('candidates') !== undefined;
    return !isAnswered && isPromptBlocked(body) ? faultOfBlockedPrompt(body, status) : null;
  }
}
