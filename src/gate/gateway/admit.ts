import type { Model } from '../../domain/model.ts';
import type { Principal } from '../../domain/principal.ts';
import type { Quote } from '../../domain/quote.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { andThen, type MaybeAsync } from '../../lib/maybe-async.ts';
import { Hold } from '../purses/leases/hold.ts';
import { decide } from './decide.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import type { ParsedRequest } from './read.ts';

interface AdmissionParts {
  readonly hold: Hold;
  readonly principal: Principal;
  readonly model: Model;
  readonly parsed: ParsedRequest;
  readonly quote: Quote;
  readonly atMs: number;
}

// Assigned in the class's static block, since its constructor is private.
let makeAdmission: (parts: AdmissionParts) => Admission;

/**
 * Proof that a request's money is held, without which nothing is sent to an upstream. Only `admit` makes it, so code that
 * skips the hold does not compile.
 */
export class Admission {
  readonly #hold: Hold;
  readonly principal: Principal;
  readonly model: Model;
  readonly parsed: ParsedRequest;
  readonly quote: Quote;
  /** Wall time of admission; milliseconds since the epoch. */
  readonly atMs: number;

  private constructor(parts: AdmissionParts) {
    this.#hold = parts.hold;
    this.principal = parts.principal;
    this.model = parts.model;
    this.parsed = parts.parsed;
    this.quote = parts.quote;
    this.atMs = parts.atMs;
  }

  static {
    makeAdmission = (parts) => new Admission(parts);
  }

  get hold(): Hold {
    return this.#hold;
  }
}

/** Quotes the request and places its hold: synchronously if the money is in memory, else after drawing or waiting. */
export function admit(
  gate: GatewayDeps,
  principal: Principal,
  model: Model,
  parsed: ParsedRequest,
): MaybeAsync<Admission | Refusal> {
  const { purses } = gate;
  const decision = decide<Hold>(gate, principal, model, parsed, {
    fromMemory: (quote) => purses.tryHold(principal, quote.hold),
    now: (quote) => purses.drawHold(principal, quote.hold),
    async wait(quote) {
      const placed = await purses.hold(principal, quote.hold);
      return placed instanceof Hold ? { placed } : placed;
    },
  });
  return andThen(decision, (decided) => {
    if ('refusal' in decided) return decided.refusal;
    const { placed: hold, quote, atMs } = decided;
    return makeAdmission({ hold, principal, model, parsed, quote, atMs });
  });
}
