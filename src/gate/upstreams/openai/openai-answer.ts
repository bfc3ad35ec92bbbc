import { readRerankAnswer } from '../../dialects/rerank/rerank-answer.ts';
import { readModerationsAnswer } from '../../dialects/moderations/moderations-answer.ts';
import { readChatAnswer, readEmbeddingsAnswer } from '../../openai/chat-answer.ts';
import { isJson, type PassedValues } from '../../openai/json-scan.ts';
import { isDone } from '../../openai/sse.ts';
import type { AnswerResult, AnswerTranslator, StreamOutlet } from '../answer-translator.ts';
import type { ResponseHeaders } from '../http/response-head.ts';
import { faultOfErrorPayload, faultOfResponse } from '../response-fault.ts';
import type { UpstreamFault } from '../upstream.ts';
import { errorPart, readErrorPayload } from './error-payload.ts';

const OPENING_BRACE = 0x7b;

function isJsonObject(body: Buffer): boolean {
  let at = 0;
  while (at < body.length && (body[at] as number) <= 0x20) at++;
  return body[at] === OPENING_BRACE && isJson(body);
}

/** One answer of a server with OpenAI's API: its bytes pass unchanged, and errors are separated from them. */
export class OpenAiAnswer implements AnswerTranslator {
  readonly parsedLimits = null;
  protected readonly factsOf: typeof readChatAnswer = readChatAnswer;
  readonly #secret: string | null;
  #isFirst = true;

  /** `secret` is the provider's key, which no fault repeats. */
  constructor(secret: string | null) {
    this.#secret = secret;
  }

  refused(status: number, headers: ResponseHeaders, body: Buffer): UpstreamFault {
    return faultOfResponse(status, headers, body, Date.now());
  }

  answer(status: number, body: Buffer, passed: PassedValues | null): AnswerResult {
    const error = readErrorPayload(passed === null ? body : errorPart(body, passed), this.#secret);
    if (error !== null) return { ok: false, fault: faultOfErrorPayload(error) };
    const facts = this.factsOf(body, passed);
    if (facts.valid) return { ok: true, body, facts };
    return {
      ok: false,
      fault: { kind: 'malformed', status, message: 'the answer has no choices, embeddings or results' },
    };
  }

  event(payload: Buffer, outlet: StreamOutlet): void {
    if (isDone(payload)) return outlet.done();
    const error = readErrorPayload(payload, this.#secret);
    if (error !== null) return outlet.error(faultOfErrorPayload(error));
    if (this.#isFirst) {
      if (!isJsonObject(payload)) return outlet.malformed('the first event is not a JSON object');
      this.#isFirst = false;
    }
    return outlet.pass(payload);
  }

  /** An unannounced end means nothing by itself: the events show whether the answer is whole. */
  end(): void {}
}

/** Embeddings of such a server, which are never streamed. */
export class EmbeddingsAnswer extends OpenAiAnswer {
  protected override readonly factsOf = readEmbeddingsAnswer;
}

/** Ranked documents of such a server, which are never streamed. */
export class RerankAnswer extends OpenAiAnswer {
  protected override readonly factsOf = readRerankAnswer;
}

/** Judgements of such a server, which are never streamed. */
export class ModerationsAnswer extends OpenAiAnswer {
  protected override readonly factsOf = readModerationsAnswer;
}
