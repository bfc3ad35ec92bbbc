import type { UsageSoFar } from '../../upstreams/upstream.ts';
import type { EventStream, StreamListener } from '../attempts/attempt.ts';

/**
 * Replays a gathered stream at its listener's pace. Its end is always announced: an incomplete stream is replayed only
 * if the caller has left.
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
    // If the listener resumes while it is being called, the outer loop continues.
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
    // The upstream's health was recorded while the stream was read.
  }
}
