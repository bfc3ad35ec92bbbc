import type { ChunkFacts } from '../openai/chat-chunk.ts';
import { preferUsage, type ReportedUsage } from '../openai/usage.ts';

/** No tokenizer in use has a token of more bytes, so fewer bytes than this a token is a sure sign of more tokens. */
const BYTES_PER_TOKEN_MAX = 128;

/** What a stream has brought so far, chunk by chunk and without keeping any. */
export class StreamMeter {
  readonly #choices: number;
  readonly #finished = new Set<number>();
  #usage: ReportedUsage | null = null;
  #contentBytes = 0;

  constructor(choices: number) {
    this.#choices = choices;
  }

  add(facts: ChunkFacts): void {
    this.#contentBytes += facts.contentBytes;
    if (facts.usage !== null) this.#usage = preferUsage(this.#usage, facts.usage, facts.choices === 'none');
    for (const index of facts.finishedChoices) this.#finished.add(index);
  }

  get usage(): ReportedUsage | null {
    return this.#usage;
  }

  get contentBytes(): number {
    return this.#contentBytes;
  }

  get hasContent(): boolean {
    return this.#contentBytes > 0;
  }

  /** Whether every choice that was asked for has its finish_reason. */
  get isWhole(): boolean {
    return this.#finished.size >= this.#choices;
  }

  /** Whether more has come than `tokensMax` output tokens can be, by a lower bound of what it was. */
  exceeds(tokensMax: number): boolean {
    const reported = this.#usage === null ? 0 : this.#usage.output + this.#usage.audio_output;
    return reported > tokensMax || this.#contentBytes > tokensMax * BYTES_PER_TOKEN_MAX;
  }
}
