import type { BodyFault } from '../openai/body-fault.ts';
import { failedAttempt } from './failed-attempt.ts';
import { translateApart } from './translate-apart.ts';
import type { TranslatedRequest } from './translated-request.ts';
import { translate, type Translation } from './translation.ts';
import type { AnswerSink, RunningAttempt, UpstreamFault, UsageSoFar } from './upstream.ts';

// An attempt whose request is translated before it is sent: synchronously, or in a thread if it is large.

/** Larger bodies are translated in a thread: this size takes 30 ms if it is thousands of short messages. */
export const APART_BYTES = 256 * 1_024;

/** Sends a translated body. */
type Send = (body: Buffer) => RunningAttempt;

/** Translates a request and sends it; the sink gets a fault for a request that the provider's API can't express. */
export function startTranslated(translation: Translation, sink: AnswerSink, send: Send): RunningAttempt {
  if (translation.body.length > APART_BYTES) return new LargeAttempt(translation, sink, send);
  return goOn(translate(translation), sink, send);
}

function goOn(translated: TranslatedRequest, sink: AnswerSink, send: Send): RunningAttempt {
  return translated.ok ? send(translated.made) : failedAttempt(faultOfRequest(translated.fault), sink);
}

/** The fault of a request that can't be translated to the provider's API. */
function faultOfRequest({ message: callerMessage, param }: BodyFault): UpstreamFault {
  const message = `the provider's API has no equivalent for the request: ${param ?? 'its body'}`;
  return { kind: 'rejected_request', status: 400, callerMessage, code: null, param, message, isUnsayable: true };
}

/**
 * An attempt at a large request. It is `#running` once its request has been translated; until then nothing has been
 * sent, so there is nothing to pause.
 */
class LargeAttempt implements RunningAttempt {
  #running: RunningAttempt | null = null;
  #isAborted = false;

  constructor(translation: Translation, sink: AnswerSink, send: Send) {
    translateApart(translation, () => !this.#isAborted).then(
      (translated) => {
        if (translated !== null && !this.#isAborted) this.#running = goOn(translated, sink, send);
      },
      (cause: unknown) => {
        if (this.#isAborted) return;
        // An error's message may quote the request.
        const name = cause instanceof Error ? cause.name : 'no error';
        sink.fault({ kind: 'failed', status: 500, message: `the request's translation failed: ${name}` });
      },
    );
  }

  pause(): void {
    this.#running?.pause();
  }

  resume(): void {
    this.#running?.resume();
  }

  abort(): void {
    this.#isAborted = true;
    this.#running?.abort();
  }

  usageSoFar(): UsageSoFar | null {
    return this.#running?.usageSoFar?.() ?? null;
  }
}
