import { readAnswer } from '../../openai/chat-answer.ts';
import { readUsage } from '../../openai/usage.ts';
import { isJson } from '../../openai/json-scan.ts';
import type { AnswerResult, AnswerTranslator, StreamOutlet } from '../answer-translator.ts';
import { parseExactly } from '../../openai/exact-json.ts';
import type { ResponseHeaders } from '../http/response-head.ts';
import { isObject } from '../../openai/json-object.ts';
import type { UpstreamFault, UsageSoFar } from '../upstream.ts';
import { withoutSecret } from '../without-secret.ts';
import { ChunkStream } from './chunk-stream.ts';
import { completionOf, parseMessage } from './completion.ts';
import { faultOfError, faultOfRefusal } from './fault.ts';

const MEBIBYTE = 2 ** 20;
const PARSED_LIMITS = { bodyBytesMax: 2 * MEBIBYTE, eventBytesMax: 2 * MEBIBYTE, structureMax: 3_000_000 };

/** One answer of the Messages API. */
export class AnthropicAnswer implements AnswerTranslator {
  readonly parsedLimits = PARSED_LIMITS;
  readonly #secret: string | null;
  readonly #created: number;
  readonly #chunks: ChunkStream;

  /** `secret` is the provider's key, which no fault repeats; `created` is in seconds since the epoch. */
  constructor(secret: string | null, created: number) {
    this.#secret = secret;
    this.#created = created;
    this.#chunks = new ChunkStream(created);
  }

  refused(status: number, headers: ResponseHeaders, body: Buffer): UpstreamFault {
    return faultOfRefusal(status, headers, body, Date.now());
  }

  answer(status: number, body: Buffer): AnswerResult {
    const message = parseMessage(body);
    if (message?.['type'] === 'error' || isObject(message?.['error'])) {
      return { ok: false, fault: faultOfError(parseMessage(withoutSecret(body, this.#secret))) };
    }
    const completion = message === null ? null : completionOf(message, this.#created);
    if (completion === null) {
      return { ok: false, fault: { kind: 'malformed', status, message: 'the answer is not a message' } };
    }
    return { ok: true, body: completion, facts: readAnswer(completion) };
  }

  event(payload: Buffer, outlet: StreamOutlet): void {
    const event = isJson(payload) ? parseExactly(payload.toString()) : null;
    if (!isObject(event)) return outlet.malformed('an event is not a JSON object');
    if (event['type'] === 'error' || isObject(event['error'])) {
      return outlet.error(faultOfError(parseExactly(withoutSecret(payload, this.#secret).toString())));
    }
    return this.#chunks.take(event, outlet);
  }

  /** The connection may be cut between the stop reason and the stop event; the answer is complete by then. */
  end(outlet: StreamOutlet): void {
    this.#chunks.finish(outlet);
  }

  usageSoFar(): UsageSoFar | null {
    const tokens = readUsage(this.#chunks.usage);
    return tokens === null ? null : { tokens, countsOutput: this.#chunks.countsOutput };
  }
}
