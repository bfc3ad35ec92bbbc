import type { Principal } from '../../domain/principal.ts';
import { PERIODS, type Period, type Window, windowAt } from '../../domain/window.ts';
import { assert } from '../../lib/assert.ts';
import type { Clock } from '../../lib/clock.ts';
import { inParts } from '../../lib/in-parts.ts';
import { pause } from '../../lib/pause.ts';
import { DatabaseUnavailable, SqlFault } from '../../lib/sql.ts';
import type { Allocator } from './leases/allocator.ts';
import type { EpochEvents } from './ports/engine-events.ts';
import {
  type DrawReply,
  EpochFenced,
  type FirstDraw,
  type KeyStore,
  LeaseGone,
  type LookedUp,
  type PurseName,
  type SpendingEpoch,
} from './ports/database.ts';
import { purseNamesOf } from './leases/purse-names.ts';
import type { RateLimiter } from './permits/rate-limiter.ts';

const RETRY_MS = 50;

/**
 * Looks up keys that this process meets for the first time, and draws what they will need in the same round trip. Only
 * the reply says what was drawn, so a look-up whose outcome is unknown is repeated unchanged until it is known.
 */
export class FirstDraws {
  readonly #store: KeyStore;
  readonly #clock: Clock;
  readonly #epoch: SpendingEpoch;
  readonly #allocator: Allocator;
  readonly #permits: RateLimiter;
  readonly #events: EpochEvents;
  /** The next repeat of a look-up whose outcome is unknown; resolves to whether the outcome is known. */
  #attempt: Promise<boolean> | null = null;

  constructor(parts: {
    store: KeyStore;
    clock: Clock;
    epoch: SpendingEpoch;
    allocator: Allocator;
    permits: RateLimiter;
    events: EpochEvents;
  }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#epoch = parts.epoch;
    this.#allocator = parts.allocator;
    this.#permits = parts.permits;
    this.#events = parts.events;
  }

  /**
   * The principals of the keys, by the SHA-256 of their secrets; null if there is no such live key. Draws nothing if
   * this process may not spend. @throws DatabaseUnavailable
   */
  async lookUp(secrets: readonly Buffer[]): Promise<readonly (Principal | null)[]> {
    while (this.#attempt !== null) {
      if (!(await this.#attempt)) throw new DatabaseUnavailable('the outcome of an earlier look-up is not known yet');
    }
    if (!this.#epoch.isLive || this.#allocator.isEnded) return await this.#store.find(secrets);
    const draw = this.#begin();
    try {
      return await this.#findAndDraw(secrets, draw, { isRepeat: false });
    } catch (fault) {
      if (fault instanceof DatabaseUnavailable)
        this.#repeat(secrets, draw).catch((failure: unknown) => this.#events.failed(failure));
      if (!(fault instanceof EpochFenced || fault instanceof LeaseGone)) throw fault;
      this.#events.failed(fault);
      return await this.#store.find(secrets);
    }
  }

  /** Halves a batch that the database rejects; all parts have the same draw, and each takes effect once. */
  async #findAndDraw(
    secrets: readonly Buffer[],
    draw: FirstDraw,
    { isRepeat }: { readonly isRepeat: boolean },
  ): Promise<readonly (Principal | null)[]> {
    const found = new Map<Buffer, Principal | null>();
    await inParts(
      secrets,
      async (part) => {
        try {
          const principals = this.#learn(draw, await this.#store.findAndDraw(this.#epoch.id, part, draw), { isRepeat });
          for (const [index, secret] of part.entries()) found.set(secret, principals[index] ?? null);
          return null;
        } catch (fault) {
          if (fault instanceof SqlFault) return fault;
          throw fault;
        }
      },
      async (secret) => void found.set(secret, await this.#findApart(secret, draw)),
    );
    return secrets.map((secret) => found.get(secret) ?? null);
  }

  /**
   * Looks up a key whose first draw the database rejects, and draws each of its purses and its project separately: an
   * earlier copy of the statement may still take effect, and must then find a later draw.
   */
  async #findApart(secret: Buffer, draw: FirstDraw): Promise<Principal | null> {
    const [principal = null] = await this.#store.find([secret]);
    if (principal === null) return null;
    this.#allocator.outrunFirst(namesIn(draw, principal));
    this.#permits.outrunFirst(principal);
    return principal;
  }

  #begin(): FirstDraw {
    const nowMs = this.#clock.nowMs();
    return {
      windows: PERIODS.map((period) => windowAt(period, nowMs)),
      ...this.#allocator.beginFirstDraw(),
      ...this.#permits.beginFirstDraw(),
    };
  }

  /**
   * Applies the reply to a look-up. What a repeat leaves out, because it is locked or has no limits, may still be
   * drawn by the original statement.
   */
  #learn(
    draw: FirstDraw,
    { principals, leases, permits }: LookedUp,
    { isRepeat }: { readonly isRepeat: boolean },
  ): readonly (Principal | null)[] {
    const drawn: { name: PurseName; reply: DrawReply }[] = [];
    for (const principal of principals) {
      if (principal === null) continue;
      for (const name of namesIn(draw, principal)) {
        const reply = leases.get(name.subjectId);
        if (reply !== undefined) drawn.push({ name, reply });
      }
      const reply = permits.get(principal.projectId);
      if (reply !== undefined) this.#permits.learnFirst(principal, draw.permitSequence, reply);
      else if (isRepeat) this.#permits.outrunFirst(principal);
    }
    this.#allocator.learnFirst(draw.sequence, drawn);
    // Purses that were busy are drawn separately, before a request needs them. Those of a workspace in another cell are drawn by
    // none here, unless the original statement has.
    for (const principal of principals) {
      const isHere = (principal?.movedTo ?? null) === null;
      if (principal !== null && (isHere || isRepeat)) this.#allocator.outrunFirst(namesIn(draw, principal));
    }
    return principals;
  }

  async #repeat(secrets: readonly Buffer[], draw: FirstDraw): Promise<void> {
    let isKnown = false;
    try {
      while (!isKnown && !this.#allocator.isEnded) {
        this.#attempt = this.#tryAgain(secrets, draw);
        isKnown = await this.#attempt;
      }
    } finally {
      this.#attempt = null;
    }
  }

  async #tryAgain(secrets: readonly Buffer[], draw: FirstDraw): Promise<boolean> {
    await pause(this.#clock, RETRY_MS);
    try {
      await this.#findAndDraw(secrets, draw, { isRepeat: true });
    } catch (fault) {
      if (fault instanceof DatabaseUnavailable) return false;
      this.#events.failed(fault);
    }
    return true;
  }
}

/** The purses of a draw, in the windows at the time it was sent: the clock may have gone back since. */
function namesIn(draw: FirstDraw, principal: Principal): readonly PurseName[] {
  return purseNamesOf(principal, (period) => windowIn(draw, period));
}

function windowIn({ windows }: FirstDraw, period: Period): Window {
  const window = windows.find((each) => each.period === period);
  assert(window !== undefined, 'a first draw has a window for each period');
  return window;
}
