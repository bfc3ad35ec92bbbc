import { clearImmediate, clearTimeout, setImmediate, setTimeout } from 'node:timers';
import { readAnswer } from '../../openai/chat-answer.ts';
import type { AnswerSink, RunningAttempt, UpstreamFault } from '../upstream.ts';

// Plays a prepared answer to a sink, a piece at a time, like a network: never inside the call that started it.

/** The end of an answer after its pieces. */
export type PlaybackEnd =
  | { readonly kind: 'answer'; readonly body: Buffer }
  | { readonly kind: 'end'; readonly done: boolean }
  | { readonly kind: 'fault'; readonly fault: UpstreamFault };

export interface Score {
  readonly events: Iterator<Buffer, void>;
  readonly ending: PlaybackEnd;
  /** Milliseconds before each piece and before the ending; 0 gives way to other work for a moment only. */
  readonly stepMs: number;
}

export class Playback implements RunningAttempt {
  readonly #score: Score;
  readonly #sink: AnswerSink;
  readonly #onOver: (playback: Playback) => void;
  #cancelStep: (() => void) | null = null;
  #paused = false;
  #over = false;

  constructor(score: Score, sink: AnswerSink, onOver: (playback: Playback) => void) {
    this.#score = score;
    this.#sink = sink;
    this.#onOver = onOver;
    this.#schedule();
  }

  pause(): void {
    this.#paused = true;
    this.#cancelStep?.();
    this.#cancelStep = null;
  }

  resume(): void {
    this.#paused = false;
    if (!this.#over && this.#cancelStep === null) this.#schedule();
  }

  abort(): void {
    if (this.#over) return;
    this.pause();
    this.#leave();
  }

  #schedule(): void {
    if (this.#score.stepMs > 0) {
      const timer = setTimeout(() => this.#step(), this.#score.stepMs);
      this.#cancelStep = () => clearTimeout(timer);
    } else {
      const immediate = setImmediate(() => this.#step());
      this.#cancelStep = () => clearImmediate(immediate);
    }
  }

  #step(): void {
    this.#cancelStep = null;
    const next = this.#score.events.next();
    if (next.done === true) {
      this.#finish();
      return;
    }
    if (!this.#sink.event(next.value)) this.#paused = true;
    if (!this.#paused && !this.#over && this.#cancelStep === null) this.#schedule();
  }

  #finish(): void {
    this.#leave();
    const ending = this.#score.ending;
    if (ending.kind === 'answer') this.#sink.answer(ending.body, readAnswer(ending.body));
    else if (ending.kind === 'end') this.#sink.end(ending.done);
    else this.#sink.fault(ending.fault);
  }

  #leave(): void {
    this.#over = true;
    this.#onOver(this);
  }
}
