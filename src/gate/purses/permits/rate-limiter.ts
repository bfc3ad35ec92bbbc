import type { Clock } from '../../../lib/clock.ts';
import type { MaybeAsync } from '../../../lib/maybe-async.ts';
import { orAfter } from '../../../lib/pause.ts';
import type { SqlFault } from '../../../lib/sql.ts';
import type { Principal, RateLimits } from '../../../domain/principal.ts';
import { Permit, type PermitWaiter, type RateExceeded, type RateUnknown } from './permit.ts';
import { PermitDraws, type PermitDrawsOwner } from './permit-draws.ts';
import { PermitLease, type PermitLeaseOwner } from './permit-lease.ts';
import type { EpochEvents } from '../ports/engine-events.ts';
import type { FirstDraw, PermitReply, PermitStore, SpendingEpoch } from '../ports/database.ts';

const SWEEP_MS = 250;
const FORGET_MS = 60_000;
/** Bounds the work of one sweep; the next one continues from there. */
const LEASES_PER_SWEEP = 5_000;
/** The assumed quote of a request before there has been one. */
const FIRST_TOKENS = 1_000;

/** Outcome of a request at its rate limits. */
export type PermitOutcome = Permit | RateExceeded | RateUnknown;

type Caller = Pick<Principal, 'workspaceId' | 'projectId' | 'rateLimits'>;

type PermitEvents = Pick<EpochEvents, 'projectRefused' | 'failed'>;

interface Waiter extends PermitWaiter {
  /** The limits of its principal. */
  readonly limits: RateLimits;
  readonly answer: (answer: PermitOutcome) => void;
}

function isLimited({ rateLimits: { requestsPerMinute, tokensPerMinute, concurrency } }: Caller): boolean {
  return requestsPerMinute !== null || tokensPerMinute !== null || concurrency !== null;
}

const UNKNOWN: RateUnknown = { kind: 'unavailable' };

/**
 * The rate limits of the projects that this process serves, shared by all processes. Permits are taken from stock in
 * memory. Stock is drawn in batches while the limits are ample; if they are not, exactly what is needed is drawn.
 */
export class RateLimiter implements PermitDrawsOwner, PermitLeaseOwner {
  readonly #clock: Clock;
  readonly #epoch: SpendingEpoch;
  readonly #answerMs: number;
  readonly #events: PermitEvents;
  readonly #draws: PermitDraws;
  readonly #leases = new Map<string, PermitLease>();
  #unswept: Iterator<[string, PermitLease]> | null = null;
  #isStopped = false;
  #lastTokens = FIRST_TOKENS;

  constructor(parts: {
    store: PermitStore;
    clock: Clock;
    epoch: SpendingEpoch;
    /** How long a request waits for a draw before this process decides by itself; milliseconds. */
    answerMs: number;
    events: PermitEvents;
  }) {
    this.#clock = parts.clock;
    this.#epoch = parts.epoch;
    this.#events = parts.events;
    this.#answerMs = parts.answerMs;
    this.#draws = new PermitDraws({
      store: parts.store,
      clock: parts.clock,
      epochId: parts.epoch.id,
      answerMs: parts.answerMs,
      owner: this,
      events: parts.events,
    });
    this.#sweepLater();
  }

  /** Projects that this process remembers. */
  get size(): number {
    return this.#leases.size;
  }

  /** Takes one request and its quoted tokens: synchronously if they are in stock, else with the next draw. */
  take(caller: Caller, quotedTokens: number): MaybeAsync<PermitOutcome> {
    if (!isLimited(caller)) return Permit.unlimited();
    const lease = this.#lease(caller);
    lease.note(caller.rateLimits, quotedTokens);
    if (quotedTokens > 0) this.#lastTokens = quotedTokens;
    const { awaySinceMs } = this.#draws;
    if (awaySinceMs !== null) return this.#takeAlone(lease, { limits: caller.rateLimits, tokens: quotedTokens });
    // The stock was drawn under the limits last seen. If the caller's are different, the database must decide.
    if (lease.isUnder(caller.rateLimits)) {
      const answer = lease.tryTake(quotedTokens) ?? lease.remembered(quotedTokens);
      if (answer instanceof Permit && lease.runsLow) this.#draws.want(lease);
      if (answer !== null) return answer;
    }
    return this.#wait(lease, caller.rateLimits, quotedTokens);
  }

  /** The number of a first draw, and the tokens that it draws for each key. */
  beginFirstDraw(): Pick<FirstDraw, 'permitSequence' | 'tokens'> {
    return { permitSequence: this.#draws.nextSequence(), tokens: this.#lastTokens };
  }

  /**
   * Applies the first draw of a project's limits. If the project has a lease by then, that stays, and the newly drawn
   * stock is given back, because slots don't regrow.
   */
  learnFirst(caller: Caller, sequence: number, reply: PermitReply): void {
    if (this.#isStopped) return;
    const known = this.#leases.get(caller.projectId);
    if (known !== undefined) {
      const { requests, tokens, slots } = reply.stock;
      if (requests + tokens + slots > 0) this.#draws.want(known, { giveBack: true });
      return;
    }
    const lease = this.#lease(caller);
    lease.beginDraw(sequence, false);
    lease.learn(reply);
  }

  /**
   * Makes a first draw without effect: if it arrives late, the database has a later draw of the project. A project
   * without limits is drawn too, because it may have some by then.
   */
  outrunFirst(caller: Omit<Caller, 'rateLimits'>): void {
    if (!this.#isStopped) this.#draws.want(this.#lease(caller), { giveBack: true });
  }

  /** Another process is short of this project's permits: the stock here is given back. */
  callBack(projectId: string): void {
    const lease = this.#leases.get(projectId);
    if (lease === undefined) return;
    lease.callBack();
    if (lease.hasExcess) this.#draws.want(lease, { giveBack: true });
  }

  drawn(leases: readonly PermitLease[]): void {
    for (const lease of leases) this.#serve(lease);
  }

  refused(lease: PermitLease, fault: SqlFault): void {
    for (const waiter of lease.waiting.splice(0)) (waiter as Waiter).answer(UNKNOWN);
    this.#events.projectRefused(lease.projectId, fault);
  }

  away(): void {
    this.#decideAlone();
  }

  due(lease: PermitLease, wish: { giveBack: boolean }): void {
    this.#draws.want(lease, wish);
  }

  /** Gives all stock back, if the database answers. Permits that end later are forgotten. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const lease of this.#leases.values()) {
      lease.callBack();
      if (lease.hasExcess || lease.isUnbalanced) this.#draws.want(lease, { giveBack: true });
    }
    await orAfter(this.#clock, this.#draws.stop(), this.#answerMs);
    this.#decideAlone();
  }

  #lease({ workspaceId, projectId }: Omit<Caller, 'rateLimits'>): PermitLease {
    let lease = this.#leases.get(projectId);
    if (lease === undefined) {
      lease = new PermitLease({
        workspaceId,
        projectId,
        owner: this,
        clock: this.#clock,
      });
      this.#leases.set(projectId, lease);
    }
    return lease;
  }

  #wait(lease: PermitLease, limits: RateLimits, tokens: number): MaybeAsync<PermitOutcome> {
    if (this.#draws.isResting(lease)) return UNKNOWN;
    return new Promise((resolve) => {
      const sinceMs = this.#clock.monotonicMs();
      const cancel = this.#clock.after(this.#answerMs, () => waiter.answer(this.#takeAlone(lease, waiter, sinceMs)));
      const waiter: Waiter & { isOver: boolean } = {
        tokens,
        limits,
        isOver: false,
        answer: (answer) => {
          cancel();
          waiter.isOver = true;
          resolve(answer);
        },
      };
      lease.waiting.push(waiter);
      this.#draws.want(lease);
    });
  }

  /** Gives stock to requests that arrived during the draw, except those under other limits than the draw's. */
  #serve(lease: PermitLease): void {
    const waiters = lease.waiting.splice(0).filter((waiter) => !waiter.isOver);
    for (const waiter of waiters) {
      const permit = lease.isUnder((waiter as Waiter).limits) ? lease.tryTake(waiter.tokens) : null;
      if (permit === null) lease.waiting.push(waiter);
      else waiter.answer(permit);
    }
    if (lease.waiting.length > 0) this.#draws.want(lease);
  }

  /** While the database is away, no request waits for it. */
  #decideAlone(): void {
    for (const lease of this.#leases.values()) {
      for (const waiter of [...lease.drawing, ...lease.waiting.splice(0)]) {
        if (!waiter.isOver) (waiter as Waiter).answer(this.#takeAlone(lease, waiter as Waiter));
      }
    }
  }

  /** `sinceMs`: the time from which this lease has had no answer, at the latest; other leases may have had one. */
  #takeAlone(
    lease: PermitLease,
    { limits, tokens }: Pick<Waiter, 'limits' | 'tokens'>,
    sinceMs = this.#clock.monotonicMs(),
  ): PermitOutcome {
    if (!this.#epoch.isLive || !lease.isKnown || lease.share === 0) return UNKNOWN;
    return lease.takeAway(tokens, limits, this.#draws.awaySinceMs ?? sinceMs) ?? UNKNOWN;
  }

  #sweepLater(): void {
    this.#clock.after(SWEEP_MS, () => {
      if (this.#isStopped) return;
      this.#sweep();
      this.#sweepLater();
    });
  }

  /** Gives back unneeded stock, reports corrections, and forgets idle projects. */
  #sweep(): void {
    if (this.#draws.awaySinceMs !== null) return;
    this.#unswept ??= this.#leases.entries();
    for (let swept = 0; swept < LEASES_PER_SWEEP; swept++) {
      const next = this.#unswept.next();
      if (next.done === true) {
        this.#unswept = null;
        return;
      }
      const [projectId, lease] = next.value;
      if (lease.hasExcess) this.#draws.want(lease, { giveBack: true });
      else if (lease.isUnbalanced) this.#draws.want(lease);
      else if (lease.isForgettable(FORGET_MS) && !this.#draws.concern(lease)) this.#leases.delete(projectId);
    }
  }
}
