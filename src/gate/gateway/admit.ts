import type { Model } from '../../domain/model.ts';
import type { Principal } from '../../domain/principal.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { assert } from '../../lib/assert.ts';
import { andThen, type MaybeAsync } from '../../lib/maybe-async.ts';
import { Hold } from '../purses/leases/hold.ts';
import { decide, type HeldQuote, type HoldStrategy } from './decide.ts';
import { type FallbackModel, NO_FALLBACKS } from './fallback-models.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import type { ParsedRequest } from './read.ts';

interface AdmissionParts {
  readonly hold: Hold;
  readonly principal: Principal;
  readonly model: Model;
  readonly parsed: ParsedRequest;
  readonly quote: HeldQuote;
  readonly atMs: number;
  readonly fallbacks: readonly FallbackModel[];
  /** The requested model, if this is another one. */
  readonly requested: string | null;
  readonly refused: Refusal | null;
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
  readonly quote: HeldQuote;
  /** The same hold for each model that may answer in the place of this one, in order. */
  readonly fallbacks: readonly Admission[];
  /** The model that the caller requested; null if it is this one. */
  readonly requested: string | null;
  /** Why the requested model was not admitted; null if it was. */
  readonly refused: Refusal | null;
  /** Wall time of admission; milliseconds since the epoch. */
  readonly atMs: number;

  private constructor(parts: AdmissionParts) {
    this.#hold = parts.hold;
    this.principal = parts.principal;
    this.model = parts.model;
    this.parsed = parts.parsed;
    this.quote = parts.quote;
    this.atMs = parts.atMs;
    this.requested = parts.requested;
    this.refused = parts.refused;
    this.fallbacks =
      parts.fallbacks.length === 0
        ? NO_FALLBACKS
        : parts.fallbacks.map((fallback, at) => {
            const quote = parts.quote.others?.[at];
            assert(quote !== undefined, 'a hold covers each model that may answer');
            const requested = parts.model.id;
            return new Admission({ ...parts, ...fallback, quote, requested, fallbacks: NO_FALLBACKS });
          });
  }

  static {
    makeAdmission = (parts) => new Admission(parts);
  }

  get hold(): Hold {
    return this.#hold;
  }
}

/**
 * Quotes the request and places its hold, which covers its fallbacks too. `instead`: the model that the caller named and
 * why it was refused, if this is another one. Synchronous if the money is in memory, else after drawing or waiting.
 */
export function admit(
  gate: GatewayDeps,
  principal: Principal,
  model: Model,
  parsed: ParsedRequest,
  fallbacks: readonly FallbackModel[] = NO_FALLBACKS,
  instead: { readonly requested: string; readonly refused: Refusal } | null = null,
): MaybeAsync<Admission | Refusal> {
  const decision = decide(gate, principal, model, parsed, HOLDING, fallbacks);
  return andThen(decision, (decided) => {
    if ('refusal' in decided) return decided.refusal;
    const { placed: hold, quote, atMs } = decided;
    const { requested, refused } = instead ?? NOT_INSTEAD;
    return makeAdmission({ hold, principal, model, parsed, quote, atMs, fallbacks, requested, refused });
  });
}

const NOT_INSTEAD = { requested: null, refused: null } as const;

const HOLDING: HoldStrategy<Hold> = {
  fromMemory: ({ hold }, purses, principal) => purses.tryHold(principal, hold),
  now: ({ hold }, purses, principal) => purses.drawHold(principal, hold),
  async wait({ hold }, purses, principal) {
    const placed = await purses.hold(principal, hold);
    return placed instanceof Hold ? { placed } : placed;
  },
};
