import type { Cancel } from '../../../lib/clock.ts';
import type { EventFacts } from '../../dialects/dialect.ts';
import { preferUsage, type ReportedUsage } from '../../openai/usage.ts';
import type { UpstreamFault, UsageSoFar } from '../../upstreams/upstream.ts';
import type { EventStream, StreamListener } from '../attempts/attempt.ts';
import { outputMaxOf } from '../answers/output-max.ts';
import type { AdmittedRequest } from '../request.ts';
import { StreamMeter } from '../answers/stream-meter.ts';

/** Larger than any answer by a schema; anything beyond is malformed. */
const KEPT_BYTES_MAX = 32 * 1_024 * 1_024;
/** Memory of a kept event in addition to its payload. */
const EVENT_BYTES = 256;

const MALFORMED_EVENT: UpstreamFault = {
  kind: 'malformed',
  status: 200,
  message: 'an event is not a part of an answer',
};
const OVERLONG: UpstreamFault = {
  kind: 'malformed',
  status: 200,
  message: 'the answer exceeds the largest allowed size',
};
const EARLY_END: UpstreamFault = { kind: 'broken', message: 'the stream ended before its answer was complete' };

/** Keeps the events of a stream in one dialect. */
export interface Transcript {
  /** The facts of the next event. */
  inspect(payload: Buffer): EventFacts;
  /** Adds the event that was inspected last, a part of the answer. */
  add(payload: Buffer): void;
}

/** A stream that was read to its end before any of it is sent to the caller. */
export interface GatheredStream {
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
 * Reads a stream to its end into the transcript, and waits for its usage. After the caller has left, it is read like
 * any abandoned stream: for a while, or to its end.
 */
export function gatherStream(
  request: AdmittedRequest,
  stream: EventStream,
  source: StreamSource,
  transcript: Transcript,
): Promise<GatheredStream> {
  return new Promise((resolve) => stream.listen(new StreamGatherer({ request, stream, source, transcript }, resolve)));
}

interface Gathering {
  readonly request: AdmittedRequest;
  readonly stream: EventStream;
  readonly source: StreamSource;
  readonly transcript: Transcript;
}

class StreamGatherer implements StreamListener {
  readonly #request: AdmittedRequest;
  readonly #stream: EventStream;
  readonly #provider: string;
  readonly #meter: StreamMeter;
  readonly #outputMax: number;
  readonly #resolve: (gathered: GatheredStream) => void;
  readonly #transcript: Transcript;
  #cancelTimer: Cancel = () => undefined;
  #keptBytes = 0;
  #isFinishing = false;
  #isOver = false;

  constructor({ request, stream, source, transcript }: Gathering, resolve: (gathered: GatheredStream) => void) {
    this.#request = request;
    this.#stream = stream;
    this.#provider = source.provider;
    this.#transcript = transcript;
    this.#meter = new StreamMeter(source.choices);
    this.#outputMax = outputMaxOf(request.admission.parsed, request.admission.quote);
    this.#resolve = resolve;
    request.caller.onGone(() => this.#drain());
  }

  event(payload: Buffer): boolean {
    if (this.#isOver) return true;
    const facts = this.#transcript.inspect(payload);
    if (!facts.valid || facts.error !== null) this.#cutOff(MALFORMED_EVENT);
    else {
      this.#meter.add(facts);
      // Copied, since the payload may be a view of a chunk that is much larger.
      this.#transcript.add(Buffer.from(payload));
      this.#keptBytes += payload.length + EVENT_BYTES;
      const isLong = this.#meter.exceeds(this.#outputMax) || this.#keptBytes > KEPT_BYTES_MAX;
      if (isLong && !this.#meter.isWhole) this.#cutOff(OVERLONG);
      else if (this.#meter.isWhole) this.#finishSoon(facts.usage !== null && facts.choices === 'none');
    }
    return true;
  }

  over(done: boolean, fault: UpstreamFault | null): void {
    const isWhole = done || this.#meter.isWhole;
    if (!isWhole && fault === null) this.#stream.blame(EARLY_END);
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
    const { contentBytes } = this.#meter;
    const { usageSoFar } = this.#stream;
    const counted = usageSoFar?.countsOutput === true ? usageSoFar.tokens : null;
    const usage = preferUsage(this.#meter.usage, counted, false);
    this.#resolve({ usage, usageSoFar, contentBytes, fault });
  }
}
