import type { UsageSoFar } from '../upstreams/upstream.ts';
import type { EventStream, StreamListener } from './attempt.ts';

/**
 * A stream that has been read, passed on as if it came now, as fast as its listener takes it. Its end is always
 * announced: a stream without an end is passed on only if its caller has left.
 */
export class ReplayedStream implements EventStream {
  readonly #payloads: readonly Buffer[];
  readonly usageSoFar: UsageSoFar | null;
  #listener: StreamListener | null = null;
  #next = 0;
  #isFeeding = false;
  #isOver = false;

  constructor(payloads: readonly Buffer[], usageSoFar: UsageSoFar | null) {
    this.#payloads = payloads;
    this.usageSoFar = usageSoFar;
  }

  listen(listener: StreamListener): void {
    this.#listener = listener;
    this.resume();
  }

  resume(): void {
    // A listener that asks for more while it is given some gets it in its turn.
    if (this.#isFeeding || this.#isOver || this.#listener === null) return;
    this.#isFeeding = true;
    let wantsMore = true;
    while (wantsMore && !this.#isOver) {
      const payload = this.#payloads[this.#next];
      if (payload === undefined) break;
      this.#next++;
      wantsMore = this.#listener.event(payload);
    }
    this.#isFeeding = false;
    if (this.#next < this.#payloads.length || this.#isOver) return;
    this.#isOver = true;
    this.#listener.over(true, null);
  }

  abort(): void {
    this.#isOver = true;
  }

  blame(): void {
    // Its upstream was judged while it was read.
  }
}
