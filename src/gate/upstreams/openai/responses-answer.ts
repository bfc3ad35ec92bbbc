import { eventType } from '../../dialects/event-type.ts';
import {
  inspectResponseEvent,
  mayEnd,
  readCompactionAnswer,
  readResponseAnswer,
} from '../../dialects/responses/responses-facts.ts';
import { isObject } from '../../openai/json-object.ts';
import type { PassedValues } from '../../openai/json-scan.ts';
import { isDone } from '../../openai/sse.ts';
import type { AnswerResult, AnswerTranslator, StreamOutlet } from '../answer-translator.ts';
import type { ResponseHeaders } from '../http/response-head.ts';
import { faultOfErrorPayload, faultOfResponse } from '../response-fault.ts';
import type { UpstreamFault } from '../upstream.ts';
import { withoutSecret } from '../without-secret.ts';
import { errorPart, readErrorPayload } from './error-payload.ts';

/** Events that only announce that a response has begun. */
const OPENINGS: readonly string[] = ['response.created', 'response.queued', 'response.in_progress'];

/** The most that is kept before content arrives, and the memory of a kept event in addition to its payload. */
const OPENING_BYTES_MAX = 32 * 1_024 * 1_024;
const OPENING_EVENT_BYTES = 256;

/**
 * One answer of a server with Responses: its bytes pass unchanged, and errors are separated from them. Events that
 * only announce a response wait for the first other event, so that a failure until then counts as one before the
 * answer has begun, and another route can be tried.
 */
export class ResponsesAnswer implements AnswerTranslator {
  readonly parsedLimits = null;
  protected readonly factsOf: typeof readResponseAnswer = readResponseAnswer;
  readonly #secret: string | null;
  #openings: Buffer[] | null = [];
  #openingBytes = 0;

  /** `secret` is the provider's key, which no fault repeats. */
  constructor(secret: string | null) {
    this.#secret = secret;
  }

  refused(status: number, headers: ResponseHeaders, body: Buffer): UpstreamFault {
    return faultOfResponse(status, headers, body, Date.now());
  }

  answer(status: number, body: Buffer, passed: PassedValues | null): AnswerResult {
    const facts = this.factsOf(body, passed);
    if (facts.valid && facts.error === null) return { ok: true, body, facts };
    const error = readErrorPayload(passed === null ? body : errorPart(body, passed), this.#secret);
    if (error !== null) return { ok: false, fault: faultOfErrorPayload(error) };
    if (facts.valid) return { ok: true, body, facts };
    return { ok: false, fault: { kind: 'malformed', status, message: 'the answer is not a response' } };
  }

  event(payload: Buffer, outlet: StreamOutlet): void {
    if (isDone(payload)) return outlet.done();
    // The relay itself inspects every event; only those that it must not get matter here.
    if (this.#openings === null && !mayEnd(eventType(payload))) return outlet.pass(payload);
    const facts = inspectResponseEvent(payload);
    if (!facts.valid) return outlet.malformed('an event is not one of a response');
    if (facts.error !== null) return outlet.error(this.#faultOf(payload));
    if (this.#openings !== null) {
      if (OPENINGS.includes(facts.type)) {
        // The buffer may be a view of a chunk that is used again.
        this.#openings.push(Buffer.from(payload));
        this.#openingBytes += payload.length + OPENING_EVENT_BYTES;
        if (this.#openingBytes > OPENING_BYTES_MAX) {
          outlet.malformed('the answer begins with too many events that say nothing');
        }
        return undefined;
      }
      for (const opening of this.#openings) outlet.pass(opening);
      this.#openings = null;
    }
    outlet.pass(payload);
    if (facts.isLast) outlet.done();
    return undefined;
  }

  /** An unannounced end means nothing by itself: the events show whether the answer is whole. */
  end(): void {}

  /** The fault of an event that reports an error, at its top or in its response. */
  #faultOf(payload: Buffer): UpstreamFault {
    const event: unknown = JSON.parse(withoutSecret(payload, this.#secret).toString());
    const response = isObject(event) ? event['response'] : undefined;
    return faultOfErrorPayload(isObject(response) ? response : event);
  }
}

/** A compacted conversation of such a server, which is never streamed. */
export class CompactionAnswer extends ResponsesAnswer {
  protected override readonly factsOf = readCompactionAnswer;
}
