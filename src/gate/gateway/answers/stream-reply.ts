import type { Refusal } from '../../../domain/refusals.ts';
import type { AnswerStream } from '../../dialects/dialect.ts';
import type { Settled } from '../../dialects/usage-cost.ts';
import type { Caller, ReplyHeaders } from '../caller.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import type { PingedStream } from './pulse.ts';

/**
 * A round trip: after this time, bytes sent to a caller that has left fail, because it has reset the connection on the
 * first ones.
 */
const ROUND_TRIP_MS = 100;

/**
 * The caller's side of a stream. The status 200 is sent with the first bytes: those of a data event, or of a ping after
 * too long a silence. Until then a refusal has its own status; afterwards it is one error event at the end of the
 * stream.
 */
export class StreamReply implements PingedStream {
  readonly #caller: Caller;
  readonly #gate: GatewayDeps;
  readonly #headers: ReplyHeaders;
  #expected: ReplyHeaders = [];
  #answer: AnswerStream;
  lastSentMs: number;
  #isOver = false;
  #isStalled = false;

  /** `answer`: how pings, the end and errors are written. */
  constructor(gate: GatewayDeps, caller: Caller, headers: ReplyHeaders, answer: AnswerStream) {
    this.#gate = gate;
    this.#caller = caller;
    this.#headers = headers;
    this.#answer = answer;
    this.lastSentMs = gate.clock.monotonicMs();
    gate.pulse.add(this);
    caller.onGone(() => this.#close());
    caller.onHalfClosed(() => {
      this.ping();
      gate.clock.after(ROUND_TRIP_MS, () => this.ping());
    });
    caller.onDrain(() => {
      this.#isStalled = false;
    });
  }

  get isDoubtful(): boolean {
    return this.#caller.isHalfClosed;
  }

  /** Not sent to a caller that doesn't read: the connection would never appear idle, and so never be closed. */
  ping(): void {
    if (!this.#isStalled) this.#write(this.#answer.ping());
  }

  /** Sets the headers for the current attempt, unless a ping during an earlier one has sent that one's. */
  expect(headers: ReplyHeaders): void {
    this.#expected = headers;
  }

  /** The answer begins: sets the form of all later events. */
  begin(answer: AnswerStream): void {
    this.#answer = answer;
  }

  /** Sends the text of one event; returns false to request a pause. */
  event(text: string): boolean {
    return this.#write(text);
  }

  /** Sends the end of a whole answer, with the charge, and ends the stream. */
  finish(settled: Settled): void {
    this.#write(this.#answer.end(settled));
    this.#end();
  }

  /** Ends a failed request: with the refusal's own status, or with an error event. */
  refuse(refusal: Refusal): void {
    if (this.#caller.hasStarted) {
      this.#write(this.#answer.broken(refusal));
      this.#end();
    } else {
      this.#close();
      this.#caller.refuse(refusal);
    }
  }

  #write(text: string): boolean {
    if (this.#isOver) return true;
    if (!this.#caller.hasStarted) this.#caller.startStream([...this.#headers, ...this.#expected]);
    this.lastSentMs = this.#gate.clock.monotonicMs();
    const wantsMore = this.#caller.write(text);
    this.#isStalled = !wantsMore;
    return wantsMore;
  }

  #end(): void {
    if (!this.#isOver) this.#caller.end();
    this.#close();
  }

  #close(): void {
    this.#isOver = true;
    this.#gate.pulse.remove(this);
  }
}
