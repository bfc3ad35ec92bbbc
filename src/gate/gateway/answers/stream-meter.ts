import type { EventFacts } from '../../dialects/dialect.ts';
import { preferUsage, type ReportedUsage } from '../../openai/usage.ts';
import { ChoiceUsage } from './choice-usage.ts';

/** No tokenizer in use has longer tokens, so an output has at least one token for this many bytes. */
const BYTES_PER_TOKEN_MAX = 128;

/** No token stands for more than half a second of uncompressed audio: ten times as long as OpenAI's. */
const BASE64_PER_TOKEN_MAX = 32_000;

/** Counts a stream's output event by event, without keeping any. */
export class StreamMeter {
  readonly #choices: number;
  readonly #finished = new Set<number>();
  #usage: ReportedUsage | null = null;
  #choiceUsage: ChoiceUsage | null = null;
  #contentBytes = 0;
  #audioBytes = 0;

  constructor(choices: number) {
    this.#choices = choices;
  }

  add(facts: EventFacts): void {
    this.#contentBytes += facts.contentBytes;
    this.#audioBytes += facts.audioBytes;
    if (facts.usage !== null) this.#addUsage(facts.usage, facts);
    for (const index of facts.finishedChoices) this.#finished.add(index);
  }

  get usage(): ReportedUsage | null {
    return this.#choiceUsage?.total() ?? this.#usage;
  }

  get contentBytes(): number {
    return this.#contentBytes;
  }

  get audioBytes(): number {
    return this.#audioBytes;
  }

  get hasContent(): boolean {
    return this.#contentBytes > 0 || this.#audioBytes > 0;
  }

  /** Whether every requested choice has its finish_reason. */
  get isWhole(): boolean {
    return this.#finished.size >= this.#choices;
  }

  /** Whether the output must exceed `tokensMax` tokens, by a lower bound of its tokens. */
  exceeds(tokensMax: number): boolean {
    const { usage } = this;
    const reported = usage === null ? 0 : usage.output + usage.audio_output;
    const produced = this.#contentBytes / BYTES_PER_TOKEN_MAX + this.#audioBytes / BASE64_PER_TOKEN_MAX;
    return reported > tokensMax || produced > tokensMax;
  }

  #addUsage(usage: ReportedUsage, facts: EventFacts): void {
    this.#usage = preferUsage(this.#usage, usage, facts.choices === 'none');
    if (this.#choices === 1) return;
    if (facts.usageChoice === null) this.#choiceUsage = null;
    else (this.#choiceUsage ??= new ChoiceUsage()).add(usage, facts.usageChoice, facts);
  }
}
