import { assert } from '../../../lib/assert.ts';
import type { RateStanding } from '../../../domain/token-bucket.ts';
import type { PermitShortage } from '../ports/database.ts';

/** Why a request may not run now, and when it may. */
export interface RateExceeded {
  readonly kind: 'exceeded';
  readonly limit: PermitShortage['shortOf'];
  /** The value of the exceeded limit: per minute, or concurrent. */
  readonly most: number;
  readonly retryAfterMs: number;
  readonly standing: RateStanding;
}

/** The limits can't be checked: the database doesn't answer, and this process can't decide alone. */
export interface RateUnknown {
  readonly kind: 'unavailable';
}

/** Called by a permit when it ends. */
export interface PermitSource {
  /** The request was refused by a later stage: all is given back. */
  takeBack(tokens: number, hasSlot: boolean): void;
  /** The request has ended and used this many tokens. */
  correct(tokens: number, tokensUsed: number, hasSlot: boolean): void;
  standing(): RateStanding;
}

const NO_LIMITS: RateStanding = { requests: null, tokens: null };

const UNLIMITED: PermitSource = {
  takeBack: () => undefined,
  correct: () => undefined,
  standing: () => NO_LIMITS,
};

/** The right to run one request under its project's rate limits. Ends exactly once. */
export class Permit {
  readonly kind = 'permit';
  readonly #source: PermitSource;
  readonly #tokens: number;
  readonly #hasSlot: boolean;
  #ended = false;

  constructor(source: PermitSource, tokens: number, hasSlot: boolean) {
    this.#source = source;
    this.#tokens = tokens;
    this.#hasSlot = hasSlot;
  }

  /** A permit of a project that has no limits. */
  static unlimited(): Permit {
    return new Permit(UNLIMITED, 0, false);
  }

  /** State of the project's limits, as far as this process knows. */
  get standing(): RateStanding {
    return this.#source.standing();
  }

  /** The request was refused by a later stage: all is given back. */
  giveBack(): void {
    this.#end();
    this.#source.takeBack(this.#tokens, this.#hasSlot);
  }

  /** The request has ended: what it used replaces what it was quoted. */
  finish(tokensUsed: number): void {
    this.#end();
    this.#source.correct(this.#tokens, tokensUsed, this.#hasSlot);
  }

  /** Gives all back unless the permit has ended. */
  release(): void {
    if (!this.#ended) this.giveBack();
  }

  #end(): void {
    assert(!this.#ended, 'a permit ends once');
    this.#ended = true;
  }
}

export type PermitAnswer = Permit | RateExceeded;

/** A request that waits for a draw. `isOver`: it was answered without the draw, which came too late. */
export interface PermitWaiter {
  readonly tokens: number;
  readonly isOver: boolean;
  answer(answer: PermitAnswer): void;
}
