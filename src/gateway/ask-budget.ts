import type { NanoUsd } from '../domain/money.ts';
import { quoteChat } from '../domain/quote.ts';
import type { Admission } from './admit.ts';

/** The most tokens of an additional message beside its text. */
const TOKENS_BESIDE_TEXT = 64;

/** An upstream's count of the input of an earlier request. */
export interface CountedAsk {
  readonly inputTokens: number;
  readonly bodyBytes: number;
}

/** The one hold of a request that may be asked several times: how much of it earlier answers have used up. */
export class AskBudget {
  readonly #admission: Admission;
  #spent: NanoUsd = 0n;

  constructor(admission: Admission) {
    this.#admission = admission;
  }

  /** The charge of earlier answers. */
  get spent(): NanoUsd {
    return this.#spent;
  }

  spend(amount: NanoUsd): void {
    this.#spent += amount;
  }

  /** Whether the rest of the hold covers the caller's own request once more. */
  coversAgain(): boolean {
    return this.#covers(this.#admission.quote.inputTokensMax);
  }

  /** Whether it covers a longer one: by what its upstream has counted before, and the bytes that came to it since. */
  coversLonger(counted: CountedAsk, bodyBytes: number): boolean {
    return this.#covers(counted.inputTokens + Math.max(0, bodyBytes - counted.bodyBytes) + TOKENS_BESIDE_TEXT);
  }

  #covers(inputTokens: number): boolean {
    const { model, asked, quote, hold } = this.#admission;
    const choices = asked.endpoint === 'chat' ? asked.request.choices : 1;
    const inputMax = Math.min(inputTokens, model.terms.contextWindow);
    const [{ hold: needed }] = quoteChat(model.terms, inputMax, choices, quote.cap, null);
    return needed <= hold.amount - this.#spent;
  }
}
