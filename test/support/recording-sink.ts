import { vi } from 'vitest';
import type { AnswerSink, UpstreamFault } from '../../src/gate/upstreams/upstream.ts';

/** What ended an attempt. */
export type AttemptEnding =
  | { readonly kind: 'answer'; readonly body: Buffer }
  | { readonly kind: 'end'; readonly done: boolean }
  | { readonly kind: 'fault'; readonly fault: UpstreamFault };

/** A sink that keeps all it hears, and holds an attempt to ending once. */
export class RecordingSink implements AnswerSink {
  readonly payloads: Buffer[] = [];
  readonly endings: AttemptEnding[] = [];
  /** What `event` answers: false asks for a pause. */
  wantsMore = true;

  answer(body: Buffer): void {
    this.endings.push({ kind: 'answer', body });
  }

  event(payload: Buffer): boolean {
    this.payloads.push(payload);
    return this.wantsMore;
  }

  end(done: boolean): void {
    this.endings.push({ kind: 'end', done });
  }

  fault(fault: UpstreamFault): void {
    this.endings.push({ kind: 'fault', fault });
  }

  get texts(): readonly string[] {
    return this.payloads.map((payload) => payload.toString());
  }

  /** The ending, once there is one; the only one. */
  async ended(): Promise<AttemptEnding> {
    await vi.waitUntil(() => this.endings.length > 0, { timeout: 10_000, interval: 5 });
    if (this.endings.length > 1) throw new Error(`ended more than once: ${JSON.stringify(this.endings)}`);
    return this.endings[0] as AttemptEnding;
  }
}
