import type { Model } from '../domain/model.ts';
import type { Principal } from '../domain/principal.ts';
import type { Quote } from '../domain/quote.ts';
import type { Refusal } from '../domain/refusals.ts';
import { Hold } from '../purses/hold.ts';
import { decide } from './decide.ts';
import type { Gate } from './gate.ts';
import type { Asked } from './read.ts';

/** Only this file makes one: a request that has an Admission has its money held, and nothing else may reach an upstream. */
export class Admission {
  readonly #hold: Hold;
  readonly principal: Principal;
  readonly model: Model;
  readonly asked: Asked;
  readonly quote: Quote;
  /** Wall time of admission; milliseconds since the epoch. */
  readonly atMs: number;

  constructor(parts: { hold: Hold; principal: Principal; model: Model; asked: Asked; quote: Quote; atMs: number }) {
    this.#hold = parts.hold;
    this.principal = parts.principal;
    this.model = parts.model;
    this.asked = parts.asked;
    this.quote = parts.quote;
    this.atMs = parts.atMs;
  }

  get hold(): Hold {
    return this.#hold;
  }
}

/** Quotes the request and holds the money for it: from memory where it is there, else drawing and waiting for it. */
export async function admit(
  gate: Gate,
  principal: Principal,
  model: Model,
  asked: Asked,
): Promise<Admission | Refusal> {
  const { purses } = gate;
  const decision = await decide<Hold>(gate, principal, model, asked, {
    now: (quote) => purses.drawHold(principal, quote.hold),
    async wait(quote) {
      const placed = await purses.hold(principal, quote.hold);
      return placed instanceof Hold ? { placed } : placed;
    },
  });
  if ('refusal' in decision) return decision.refusal;
  const { placed: hold, quote, atMs } = decision;
  return new Admission({ hold, principal, model, asked, quote, atMs });
}
