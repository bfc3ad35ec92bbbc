import type { NanoUsd } from '../../../domain/money.ts';
import type { CompletionRequest } from '../../dialects/dialect.ts';
import { quoteChat, usesInputMax } from '../../../domain/quote.ts';
import { quotedTerms } from '../../../domain/tier-price.ts';
import type { UsesBound } from '../../../domain/uses.ts';
import type { Admission } from '../admit.ts';
import { quotedContentOf } from '../quoted-content.ts';
import { textOf } from '../text-of.ts';

/** The most tokens that an additional message takes in addition to its text. */
const TOKENS_BESIDE_TEXT = 64;

/** An upstream's token count of an earlier request's input. */
export interface CountedAsk {
  readonly inputTokens: number;
  readonly bodyBytes: number;
}

/** The hold of a request that may be sent to upstreams several times, minus the most that earlier answers may be charged. */
export class AskBudget {
  readonly #admission: Admission;
  readonly #completion: CompletionRequest;
  #spent: NanoUsd = 0n;

  constructor(admission: Admission, completion: CompletionRequest) {
    this.#admission = admission;
    this.#completion = completion;
  }

  /** Takes the most that an earlier answer may be charged. */
  spend(amount: NanoUsd): void {
    this.#spent += amount;
  }

  /** Whether the rest of the hold covers the same request again. `hasTools`: with its provider's tools. */
  coversAgain(hasTools = true): boolean {
    return this.#covers(this.#admission.quote.inputTokensMax, hasTools ? this.#bound : null);
  }

  /** Whether the rest of the hold covers a longer request: by the upstream's earlier count plus the added bytes. */
  coversLonger(counted: CountedAsk, bodyBytes: number, hasTools = true): boolean {
    const { terms } = this.#admission.model;
    const usesBound = hasTools ? this.#bound : null;
    const read = usesBound === null ? 0 : usesInputMax(terms, usesBound);
    const longer = counted.inputTokens + Math.max(0, bodyBytes - counted.bodyBytes) + TOKENS_BESIDE_TEXT;
    return this.#covers(Math.min(longer, terms.contextWindow) + read, usesBound);
  }

  get #bound(): UsesBound | null {
    return this.#completion.tools?.bound ?? null;
  }

  /** The fee of a request is due once for all its asks, and part of both holds; fees of tools are due for each ask. */
  #covers(inputMax: number, usesBound: UsesBound | null): boolean {
    const { model, quote } = this.#admission;
    const text = textOf(this.#completion);
    const beside = { usesBound, ...quotedContentOf(text, this.#completion.audio) };
    const terms = quotedTerms(model.terms, this.#completion.tier);
    const [{ hold }] = quoteChat(terms, inputMax, text.choices, quote.cap, null, beside);
    return hold <= this.#admission.hold.amount - this.#spent;
  }
}
