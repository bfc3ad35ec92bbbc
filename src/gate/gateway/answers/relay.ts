import type { AttemptRecord, Outcome } from '../../../domain/receipt.ts';
import { type RefusalCode, refuse } from '../../../domain/refusals.ts';
import type { AnsweredTier } from '../../../domain/service-tier.ts';
import type { Usage } from '../../../domain/usage.ts';
import type { Cancel } from '../../../lib/clock.ts';
import type { AnswerStream, EventFacts } from '../../dialects/dialect.ts';
import type { Settled } from '../../dialects/usage-cost.ts';
import { preferUsage } from '../../openai/usage.ts';
import type { UpstreamFault } from '../../upstreams/upstream.ts';
import type { EventStream, StreamListener } from '../attempts/attempt.ts';
import { brokenOffRefusal } from '../attempts/fault-refusal.ts';
import { keepResponse } from '../keep-response.ts';
import { hasTiers, tierIn } from './answered-tier.ts';
import { outputMaxOf } from './output-max.ts';
import type { Keeping } from '../read.ts';
import type { AdmittedRequest } from '../request.ts';
import { NOTHING_USED, type RequestEnd, settle, usageOf } from '../settle.ts';
import { StreamMeter } from './stream-meter.ts';
import type { StreamReply } from './stream-reply.ts';

/** Bounds the events after the one that finishes the answer. */
const TAIL_EVENTS_MAX = 64;

/** How long an upstream may take to end its stream after the settlement, so that its connection can be reused. */
const LINGER_MS = 1_000;

const MALFORMED_EVENT: UpstreamFault = {
  kind: 'malformed',
  status: 200,
  message: 'an event is not a part of an answer',
};
const EARLY_END: UpstreamFault = { kind: 'broken', message: 'the stream ended before its answer was complete' };

/**
 * Relays a stream to the caller, from its first data event to its settlement.
 *
 * - `relaying`: events are sent to the caller as they arrive.
 * - `finishing`: the last choice has finished. Its event and all later ones are withheld until usage has arrived, the
 *   stream has ended, or the time for it is up.
 * - `draining`: the caller has left, and the upstream is read for its usage: for a while, or until the request's
 *   deadline if its output doesn't show its usage.
 * - `settled`: the hold is closed. Later events are ignored, and after a moment the stream is aborted.
 */
export class Relay implements StreamListener {
  readonly #request: AdmittedRequest;
  #attempts: readonly AttemptRecord[];
  readonly #stream: EventStream;
  readonly #reply: StreamReply;
  readonly #answer: AnswerStream;
  readonly #sent: Pick<RequestEnd, 'leftOut' | 'affinity'>;
  readonly #meter: StreamMeter;
  readonly #outputMax: number;
  readonly #settled = Promise.withResolvers<void>();
  readonly #firstEventMs: number;
  readonly #hasTiers: boolean;
  #tier: AnsweredTier = null;
  #state: 'relaying' | 'finishing' | 'draining' | 'settled' = 'relaying';
  #withheld = 0;
  #cancelTimer: Cancel = () => undefined;
  #isUpstreamOver = false;

  constructor(
    request: AdmittedRequest,
    attempts: readonly AttemptRecord[],
    stream: EventStream,
    reply: StreamReply,
    answer: AnswerStream,
    { choices, ...sent }: { readonly choices: number } & Pick<RequestEnd, 'leftOut' | 'affinity'>,
  ) {
    this.#request = request;
    this.#attempts = attempts;
    this.#stream = stream;
    this.#reply = reply;
    this.#answer = answer;
    this.#sent = sent;
    this.#meter = new StreamMeter(choices);
    this.#outputMax = outputMaxOf(request.admission.parsed, request.admission.quote);
    this.#hasTiers = hasTiers(request.admission);
    this.#firstEventMs = request.gate.clock.monotonicMs() - request.startedMs;
  }

  /** Relays until the request is settled and, if the caller is still connected, answered. */
  run(): Promise<void> {
    const { caller } = this.#request;
    caller.onGone(() => this.#drain());
    caller.onDrain(() => this.#stream.resume());
    this.#stream.listen(this);
    return this.#settled.promise;
  }

  event(payload: Buffer): boolean {
    if (this.#state === 'settled') return true;
    const facts = this.#answer.inspect(payload);
    if (!facts.valid || facts.error !== null) return this.#cutOff(MALFORMED_EVENT);
    this.#meter.add(facts);
    if (this.#hasTiers) this.#tier = tierIn(payload) ?? this.#tier;
    if (facts.finishedChoices.length > 0) this.#request.trace.finished(payload);
    // A complete answer is not cut off.
    if (!this.#meter.isWhole && this.#meter.exceeds(this.#outputMax)) return this.#cutOff(null);
    return this.#pass(payload, facts);
  }

  over(done: boolean, fault: UpstreamFault | null): void {
    this.#isUpstreamOver = true;
    if (this.#state === 'settled') {
      this.#cancelTimer();
      return;
    }
    const isWhole = done || this.#meter.isWhole;
    if (fault !== null) this.#record(fault);
    else if (!isWhole) this.#blame(EARLY_END);
    if (this.#state === 'draining') this.#settle('abandoned', isWhole);
    else if (isWhole) this.#complete();
    else this.#break(fault);
  }

  get #provider(): string {
    return this.#attempts.at(-1)?.provider ?? '';
  }

  /** Records the result of the attempt on the receipt, and its reason in the log. */
  #record(fault: UpstreamFault): void {
    this.#attempts = this.#attempts.map((record, at, all) =>
      at === all.length - 1 ? { ...record, fault: fault.kind } : record,
    );
    this.#request.gate.observer.attemptFailed(this.#request.caller.requestId, this.#provider, fault);
  }

  /** Records a fault that the upstream didn't report: on the receipt, in the log, and in its route's health. */
  #blame(fault: UpstreamFault): void {
    this.#stream.blame(fault);
    this.#record(fault);
  }

  #pass(payload: Buffer, facts: EventFacts): boolean {
    if (this.#meter.isWhole) {
      this.#withhold(payload, facts);
      return true;
    }
    const outgoing = this.#answer.write(payload);
    if (outgoing !== '') {
      this.#request.claim?.keep(Buffer.from(outgoing, 'latin1'));
      this.#request.content?.answered(outgoing);
    }
    if (this.#state === 'relaying') return outgoing === '' || this.#reply.event(outgoing);
    if (facts.isLast) this.#settle('abandoned', false);
    return true;
  }

  /** The events of a complete answer wait for its charge. */
  #withhold(payload: Buffer, facts: EventFacts): void {
    this.#answer.withhold(payload);
    this.#withheld++;
    const isOver = facts.isLast || this.#withheld > TAIL_EVENTS_MAX;
    if (this.#state === 'draining') {
      if (isOver) this.#settle('abandoned', true);
      return;
    }
    if (this.#state === 'relaying') {
      this.#state = 'finishing';
      const { gate } = this.#request;
      this.#cancelTimer = gate.clock.after(gate.timeouts.finishMs, () => this.#complete());
      // The remaining events are few and buffered: a slow caller's pause must not delay the usage.
      this.#stream.resume();
    }
    if (isOver) this.#complete();
  }

  #cutOff(fault: UpstreamFault | null): true {
    if (fault !== null) this.#blame(fault);
    this.#abort();
    this.#break(null);
    return true;
  }

  /** The answer is complete: its last bytes are sent once it is settled. */
  #complete(): void {
    if (this.#state === 'settled') return;
    this.#settle('completed', true, (settled) => {
      if (settled !== null) this.#reply.finish(settled);
      else
        this.#reply.refuse(
          refuse('INTERNAL_ERROR', 'The charge could not be recorded, so the end of the answer is withheld.'),
        );
    });
  }

  /** The upstream has failed after its first data event. */
  #break(fault: UpstreamFault | null): void {
    if (this.#state === 'draining') {
      this.#settle('abandoned', false);
      return;
    }
    const refusal = brokenOffRefusal(this.#request.admission.model.id, fault);
    this.#settle('interrupted', false, () => this.#reply.refuse(refusal), refusal.code);
  }

  /**
   * The caller has left. The upstream's output so far is charged; the stream is read further for its usage, and to its
   * end if a repeat of the request is to get the answer. A reasoning model may have used far more than its output, and
   * some providers generate and charge even after an abort: their streams are read until the request's deadline.
   */
  #drain(): void {
    if (this.#state === 'settled' || this.#state === 'draining') return;
    this.#state = 'draining';
    this.#cancelTimer();
    const { gate, claim, admission } = this.#request;
    this.#stream.resume();
    if (claim !== null || admission.model.reasoning || gate.health.drains(this.#provider)) return;
    this.#cancelTimer = gate.clock.after(gate.timeouts.usageMs, () => {
      this.#abort();
      this.#settle('abandoned', false);
    });
  }

  /** Closes the hold, once. Calls `goOn` with the charge once the receipt is durable; with null if it was rejected. */
  #settle(
    outcome: Outcome,
    isWhole: boolean,
    goOn: (settled: Settled | null) => void = () => undefined,
    code?: RefusalCode,
  ): void {
    this.#state = 'settled';
    this.#cancelTimer();
    this.#letGo();
    // A stream that broke off, or whose caller left, before any content is free, unless repeats of the request get it.
    const isRepeatable = isWhole && this.#request.claim !== null;
    const isFree = outcome !== 'completed' && !this.#meter.hasContent && !isRepeatable;
    const usage = isFree ? NOTHING_USED : this.#usage();
    const ending = {
      outcome,
      ...(code !== undefined && { code }),
      usage,
      ...(!isFree && { uses: this.#answer.uses }),
      ...(this.#hasTiers && { tier: this.#tier }),
      attempts: this.#attempts,
      firstEventMs: this.#firstEventMs,
      isWhole,
      ...this.#sent,
      lastBytes: (settled: Settled) => Buffer.from(this.#answer.end(settled), 'latin1'),
    };
    const { keeping } = this.#request.admission.parsed;
    const whole = isWhole && keeping !== null ? (this.#answer.kept?.whole() ?? null) : null;
    const settling =
      keeping === null || whole === null ? settle(this.#request, ending) : this.#settleKept(ending, keeping, whole);
    settling
      .then(
        (settled) => goOn(settled),
        () => goOn(null),
      )
      .then(this.#settled.resolve, this.#settled.reject);
  }

  /**
   * Settles a response that is stored concurrently for later requests. If it isn't stored, the stream's end says so.
   */
  async #settleKept(ending: RequestEnd, goesOnFrom: Keeping, whole: Buffer): Promise<Settled> {
    const { isKept } = await keepResponse(this.#request, goesOnFrom, whole);
    const keeping = isKept.then((wasKept) => {
      if (!wasKept) this.#answer.kept?.unkept();
      return wasKept;
    });
    // The receipt stores that end for repeats of the request.
    if (this.#request.claim !== null) await keeping;
    return await settle(this.#request, { ...ending, keeping });
  }

  #usage(): Usage {
    const soFar = this.#stream.usageSoFar;
    const reported = preferUsage(this.#meter.usage, soFar?.countsOutput === true ? soFar.tokens : null, false);
    return usageOf(this.#request, reported, this.#meter, soFar?.tokens);
  }

  /** The upstream's further output isn't needed; it gets a moment to end by itself. */
  #letGo(): void {
    if (this.#isUpstreamOver) return;
    this.#cancelTimer = this.#request.gate.clock.after(LINGER_MS, () => this.#abort());
    this.#stream.resume();
  }

  #abort(): void {
    this.#isUpstreamOver = true;
    this.#stream.abort();
  }
}
