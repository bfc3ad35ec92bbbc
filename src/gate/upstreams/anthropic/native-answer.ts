import { eventType } from '../../dialects/event-type.ts';
import { inspectMessageEvent } from '../../dialects/messages/message-event.ts';
import { readUpstreamError } from '../../openai/error-body.ts';
import { parseExactly } from '../../openai/exact-json.ts';
import { isObject, type JsonObject } from '../../openai/json-object.ts';
import { isJson, type PassedValues } from '../../openai/json-scan.ts';
import { readUsage } from '../../openai/usage.ts';
import type { AnswerResult, AnswerTranslator, StreamOutlet } from '../answer-translator.ts';
import type { ResponseHeaders } from '../http/response-head.ts';
import type { UpstreamFault, UsageSoFar } from '../upstream.ts';
import { withoutSecret } from '../without-secret.ts';
import { faultOfError, faultOfRefusal } from './fault.ts';
import { readMessageAnswer } from './message-answer.ts';
import { chatUsage, laterUsage } from './usage.ts';

/** More than any error; a longer whole answer isn't an error. */
const ERROR_BYTES_MAX = 65_536;

/** The most that is kept before content arrives, and the memory of a kept event in addition to its payload. */
const OPENING_BYTES_MAX = 32 * 1_024 * 1_024;
const OPENING_EVENT_BYTES = 256;

/**
 * One answer of the Messages API for a caller of that API: its bytes pass unchanged, and errors are separated from
 * them.
 *
 * - the message's start is kept until content arrives, so that an error until then counts as one before the answer has
 *   begun.
 * - after that every event passes as it arrives; usage is added up on the way.
 */
export class NativeAnswer implements AnswerTranslator {
  readonly parsedLimits = null;
  readonly #secret: string | null;
  #early: Buffer[] | null = [];
  #openingBytes = 0;
  #usage: JsonObject = {};
  #countsOutput = false;

  /** `secret` is the provider's key, which no fault repeats. */
  constructor(secret: string | null) {
    this.#secret = secret;
  }

  /** In the provider's own words: clients adapt their next request to them. */
  refused(status: number, headers: ResponseHeaders, body: Buffer): UpstreamFault {
    return inItsWords(faultOfRefusal(status, headers, body, Date.now()), body);
  }

  answer(status: number, body: Buffer, passed: PassedValues | null): AnswerResult {
    if (body.length <= ERROR_BYTES_MAX && eventType(body) === 'error') return { ok: false, fault: this.#errorOf(body) };
    const facts = readMessageAnswer(body, passed);
    if (facts.valid) return { ok: true, body, facts };
    return { ok: false, fault: { kind: 'malformed', status, message: 'the answer is not a message' } };
  }

  event(payload: Buffer, outlet: StreamOutlet): void {
    const type = eventType(payload);
    if (type === 'error') return outlet.error(this.#errorOf(payload));
    if (type === 'message_start' || type === 'message_delta') {
      const event = isJson(payload) ? parseExactly(payload.toString()) : null;
      if (!isObject(event)) return outlet.malformed('an event is not a JSON object');
      const message = isObject(event['message']) ? event['message'] : event;
      this.#usage = laterUsage(this.#usage, message['usage']);
      const delta = isObject(event['delta']) ? event['delta'] : {};
      if (typeof delta['stop_reason'] === 'string') this.#countsOutput = true;
    }
    if (this.#early !== null) {
      // Copied, since the payload may be a view of a chunk that is much larger.
      if (type === 'message_start' || type === 'ping') {
        this.#early.push(Buffer.from(payload));
        this.#openingBytes += payload.length + OPENING_EVENT_BYTES;
        if (this.#openingBytes > OPENING_BYTES_MAX)
          outlet.malformed('the answer begins with too many events that say nothing');
        return undefined;
      }
      // The relay inspects the later ones itself, when no other route can be tried any more.
      if (!inspectMessageEvent(payload).valid) return outlet.malformed('the first event is not a JSON object');
      for (const early of this.#early) outlet.pass(early);
      this.#early = null;
    }
    outlet.pass(payload);
    if (type === 'message_stop') outlet.done();
  }

  /** An unannounced end means nothing by itself: the events show whether the answer is whole. */
  end(): void {}

  usageSoFar(): UsageSoFar | null {
    const tokens = readUsage(chatUsage(this.#usage));
    return tokens === null ? null : { tokens, countsOutput: this.#countsOutput };
  }

  #errorOf(payload: Buffer): UpstreamFault {
    const safe = withoutSecret(payload, this.#secret);
    const parsed = isJson(safe) ? parseExactly(safe.toString()) : null;
    return inItsWords(faultOfError(parsed), safe);
  }
}

function inItsWords(fault: UpstreamFault, body: Buffer): UpstreamFault {
  if (fault.kind !== 'rejected_request') return fault;
  const callerMessage = readUpstreamError(body)?.message ?? fault.callerMessage;
  return { ...fault, callerMessage, code: null, param: null };
}
