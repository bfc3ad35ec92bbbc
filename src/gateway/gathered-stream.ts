import type { Cancel } from '../lib/clock.ts';
import { inspectChunk } from '../openai/chat-chunk.ts';
import { ChatTranscript } from '../openai/chat-transcript.ts';
import type { ReportedUsage } from '../openai/usage.ts';
import type { UpstreamFault, UsageSoFar } from '../upstreams/upstream.ts';
import type { EventStream, StreamListener } from './attempt.ts';
import { outputMaxOf } from './output-max.ts';
import type { AdmittedRequest } from './request.ts';
import { StreamMeter } from './stream-meter.ts';

/** Larger than any answer by a schema; anything beyond is malformed. */
const KEPT_BYTES_MAX = 32 * 1_024 * 1_024;

const MALFORMED_EVENT: UpstreamFault = {
  kind: 'malformed',
  status: 200,
  message: 'an event is not a chunk of an answer',
};
const OVERLONG: UpstreamFault = {
  kind: 'malformed',
  status: 200,
  message: 'the answer exceeds the largest allowed size',
};
const EARLY_END: UpstreamFault = { kind: 'broken', message: 'the stream ended before its answer was complete' };

/** A stream that was read to its end before any of it is sent to the caller. */
export interface GatheredStream {
  readonly transcript: ChatTranscript;
  readonly usage: ReportedUsage | null;
  readonly usageSoFar: UsageSoFar | null;
  readonly contentBytes: number;
  /** The fault that left it incomplete; null if it is complete, or its caller has left. */
  readonly fault: UpstreamFault | null;
}

/** The source of a stream, and its expected number of choices. */
interface StreamSource {
  readonly provider: string;
  readonly choices: number;
}

/**
 * Reads a stream to its end, and waits for its usage. Once the caller has left, it is read like any abandoned stream:
 * for a while, or to its end.
 */
export function gatherStream(
  request: AdmittedRequest,
  stream: EventStream,
  asked: StreamSource,
): Promise<GatheredStream> {
  return new Promise((resolve) => stream.listen(new StreamGatherer(request, stream, asked, resolve)));
}

class StreamGatherer implements StreamListener {
  readonly #request: AdmittedRequest;
  readonly #stream: EventStream;
  readonly #provider: string;
  readonly #meter: StreamMeter;
  readonly #outputMax: number;
  readonly #resolve: (gathered: GatheredStream) => void;
  readonly #transcript = new ChatTranscript();
  #cancelTimer: Cancel = () => undefined;
  #isFinishing = false;
  #isOver = false;

  constructor(
    request: AdmittedRequest,
    stream: EventStream,
    { provider, choices }: StreamSource,
    resolve: (gathered: GatheredStream) => void,
  ) {
    this.#request = request;
    this.#stream = stream;
    this.#provider = provider;
    this.#meter = new StreamMeter(choices);
    this.#outputMax = outputMaxOf(request.admission.asked, request.admission.quote);
    this.#resolve = resolve;
    request.caller.onGone(() => this.#drain());
  }

  event(payload: Buffer): boolean {
    if (this.#isOver) return true;
    const facts = inspectChunk(payload);
    if (!facts.valid || facts.error !== null) this.#cutOff(MALFORMED_EVENT);
    else {
      this.#meter.add(facts);
      this.#transcript.add(payload);
      const isLong = this.#meter.exceeds(this.#outputMax) || this.#transcript.bytes > KEPT_BYTES_MAX;
      if (isLong && !this.#meter.isWhole) this.#cutOff(OVERLONG);
      else if (this.#meter.isWhole) this.#finishSoon(facts.usage !== null && facts.choices === 'none');
    }
    return true;
  }

  over(done: boolean, fault: UpstreamFault | null): void {
    const isWhole = done || this.#meter.isWhole;
    this.#finish(isWhole ? null : (fault ?? EARLY_END));
  }

  /** Every choice has ended: only usage may follow. */
  #finishSoon(hasUsage: boolean): void {
    if (hasUsage) {
      this.#letGo(null);
    } else if (!this.#isFinishing) {
      this.#isFinishing = true;
      const { gate } = this.#request;
      this.#cancelTimer();
      this.#cancelTimer = gate.clock.after(gate.timeouts.finishMs, () => this.#letGo(null));
    }
  }

  #drain(): void {
    const { gate, claim, admission } = this.#request;
    if (this.#isOver || this.#isFinishing || claim !== null) return;
    if (admission.model.reasoning || gate.health.drains(this.#provider)) return;
    this.#cancelTimer = gate.clock.after(gate.timeouts.usageMs, () => this.#letGo(null));
  }

  #cutOff(fault: UpstreamFault): void {
    this.#stream.blame(fault);
    this.#letGo(fault);
  }

  #letGo(fault: UpstreamFault | null): void {
    if (this.#isOver) return;
    this.#finish(fault);
    this.#stream.abort();
  }

  #finish(fault: UpstreamFault | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelTimer();
    const { usage, contentBytes } = this.#meter;
    const { usageSoFar } = this.#stream;
    this.#resolve({ transcript: this.#transcript, usage, usageSoFar, contentBytes, fault });
  }
}
