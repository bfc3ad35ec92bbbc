import type { Clock } from '../../../lib/clock.ts';
import { DatabaseUnavailable, type SqlFault } from '../../../lib/sql.ts';
import type { NanoUsd } from '../../../domain/money.ts';
import { type AnsweredCall, BatchedCalls, type Call } from '../../../lib/batched-calls.ts';
import type { Lease } from './lease.ts';
import type { EpochEvents } from '../ports/engine-events.ts';
import type { HoldNeeds } from './lease-registry.ts';
import { purseKey } from './purse-names.ts';
import { type DrawReply, type DrawRequest, LeaseGone, type LeaseRelease, type PurseStore } from '../ports/database.ts';

const LEASES_PER_DRAW = 1_000;
const LEASES_PER_RELEASE = 1_000;

/** Receives the outcomes of draws. */
export interface DrawsOwner {
  /** These leases have applied the replies to their draws. */
  drawn(leases: readonly Lease[]): void;
  /** Another transaction has had the purses of these leases locked for longer than a moment. */
  stuck(leases: readonly Lease[]): void;
  /** The database rejects a draw or a release of this lease, though it answers. */
  refused(lease: Lease, fault: SqlFault): void;
}

interface Wish {
  /** Whether slack is to be given back: it is idle, the purse is dry, or its limit has changed. */
  giveBack: boolean;
}

type DrawCall = Call<Lease, DrawRequest>;

/**
 * Draws and releases, batched. Numbers rise over all leases, so that a later lease of the same purse is never taken
 * for a repeat of an earlier one. A lease whose draw the database rejects rests for a while; one whose purse is locked
 * waits for it separately.
 */
export class Draws {
  readonly #needs: HoldNeeds;
  readonly #owner: DrawsOwner;
  readonly #draws: BatchedCalls<Lease, DrawRequest, DrawReply>;
  readonly #releases: BatchedCalls<Lease, LeaseRelease, true>;
  readonly #wishes = new Map<Lease, Wish>();
  readonly #releasing: Lease[] = [];
  /** Purses whose last lease isn't closed yet: the next lease is drawn after that. */
  readonly #closing = new Set<string>();
  readonly #leaseOf = new WeakMap<DrawRequest, Lease>();
  #sequence = 0n;

  constructor(parts: {
    store: PurseStore;
    clock: Clock;
    epochId: bigint;
    needs: HoldNeeds;
    owner: DrawsOwner;
    events: Pick<EpochEvents, 'failed'>;
  }) {
    const { store, clock, epochId, owner, events } = parts;
    this.#needs = parts.needs;
    this.#owner = owner;
    const groupOf = ({ name }: Lease): string => name.workspaceId;
    const onRefused = (lease: Lease, fault: SqlFault): void => owner.refused(lease, fault);
    const onFault = (fault: unknown): void => events.failed(fault);
    this.#draws = new BatchedCalls({
      clock,
      next: () => this.#nextDraws(),
      send: (requests, options) => this.#knowingDoubt(requests, store.draw(epochId, requests, options)),
      groupOf,
      onAnswered: (calls) => this.#learn(calls),
      onStuck: (leases) => owner.stuck(leases),
      onRefused,
      // The slack that the rejected draw was to give back is no longer in memory.
      onRested: (lease) => this.want(lease, { giveBack: true }),
      onFault,
    });
    this.#releases = new BatchedCalls({
      clock,
      next: () => this.#nextReleases(),
      send: (releases, options) => store.release(epochId, releases, options),
      groupOf,
      onAnswered: (calls) => this.#closed(calls.map(({ item }) => item)),
      onRefused,
      onRested: (lease) => this.release([lease]),
      onFault,
    });
  }

  /** Marks the leases of draws whose outcome is unknown: each is sent again, and both may take effect. */
  async #knowingDoubt<Reply>(requests: readonly DrawRequest[], reply: Promise<Reply>): Promise<Reply> {
    try {
      return await reply;
    } catch (fault) {
      if (fault instanceof DatabaseUnavailable) {
        for (const request of requests) {
          const lease = this.#leaseOf.get(request);
          if (lease !== undefined) lease.isInDoubt = true;
        }
      }
      throw fault;
    }
  }

  /** Whether the database failed to answer when it was last asked. */
  get isUnavailable(): boolean {
    return this.#draws.hasFailed;
  }

  /** The number of the last draw that was made. */
  get lastSequence(): bigint {
    return this.#sequence;
  }

  /** A number above those of all draws so far. */
  nextSequence(): bigint {
    this.#sequence += 1n;
    return this.#sequence;
  }

  /** Whether this lease was rejected a moment ago, so that it isn't drawn now. */
  isResting(lease: Lease): boolean {
    return this.#draws.isResting(lease);
  }

  /** Whether another transaction has had this lease's purse locked for longer than a moment. */
  isStuck(lease: Lease): boolean {
    return this.#draws.isStuck(lease);
  }

  /** Whether this lease is waiting to be drawn. */
  isWanted(lease: Lease): boolean {
    return this.#wishes.has(lease);
  }

  /** Draws this lease with the next round trip, unless it rests. */
  want(lease: Lease, { giveBack = false } = {}): void {
    if (this.isResting(lease)) return;
    const wish = this.#wishes.get(lease);
    if (wish === undefined) this.#wishes.set(lease, { giveBack });
    else wish.giveBack ||= giveBack;
    this.#draws.wake();
  }

  /** Closes quiet leases for good. A later lease of the purse is a new one. */
  release(leases: readonly Lease[]): void {
    this.#releasing.push(...leases);
    for (const lease of leases) {
      this.#wishes.delete(lease);
      this.#closing.add(purseKey(lease.name));
    }
    this.#releases.wake();
  }

  /** The epoch is over: draws nothing more. */
  halt(): void {
    this.#draws.halt();
    this.#releases.halt();
  }

  /** Draws nothing more, and resolves when the last round trip is over. */
  async stop(): Promise<void> {
    this.halt();
    await Promise.all([this.#draws.drain(), this.#releases.drain()]);
  }

  #nextDraws(): readonly DrawCall[] {
    const chosen: { lease: Lease; giveBack: boolean; needs: readonly NanoUsd[] }[] = [];
    for (const [lease, { giveBack }] of this.#wishes) {
      if (chosen.length === LEASES_PER_DRAW) break;
      if (!this.#mayDraw(lease)) continue;
      this.#wishes.delete(lease);
      const needs = this.#needs.needsOf(lease);
      // The previous draw may have brought it already.
      const isNeeded = needs.some((need) => !lease.fits(need));
      if (giveBack || isNeeded || lease.runsLow || this.#needs.isAsked(lease)) chosen.push({ lease, giveBack, needs });
    }
    // A hold's need of one purse depends on its slack in the others, so no lease changes until all needs are known.
    return chosen.map(({ lease, giveBack, needs }) => ({
      item: lease,
      request: this.#requestFor(lease, giveBack, needs),
    }));
  }

  /** Whether no other draw of the lease, and no release of an earlier one, is in progress. */
  #mayDraw(lease: Lease): boolean {
    if (!this.#draws.mayAsk(lease)) return false;
    return this.#closing.size === 0 || !this.#closing.has(purseKey(lease.name));
  }

  #learn(calls: readonly AnsweredCall<Lease, DrawRequest, DrawReply>[]): void {
    for (const { item: lease, request, reply } of calls) {
      // First draws only create leases, so none can have taken precedence over this draw of an existing one.
      if (lease.isKnown && reply.sequence !== request.sequence) {
        throw new LeaseGone('the database has made a lease again that it had lost');
      }
      lease.learn(reply);
    }
    this.#owner.drawn(calls.map(({ item }) => item));
  }

  #nextReleases(): readonly Call<Lease, LeaseRelease>[] {
    return this.#releasing.splice(0, LEASES_PER_RELEASE).map((lease) => {
      const { purseId, charged, sequence } = lease;
      return { item: lease, request: { purseId, charged, sequence } };
    });
  }

  #closed(leases: readonly Lease[]): void {
    for (const { name } of leases) this.#closing.delete(purseKey(name));
    if (this.#wishes.size > 0) this.#draws.wake();
  }

  /** In a dry purse every draw gives all slack back, so that it brings exactly what the waiting holds need. */
  #requestFor(lease: Lease, giveBack: boolean, needs: readonly NanoUsd[]): DrawRequest {
    const sequence = this.nextSequence();
    lease.beginDraw(sequence, giveBack || lease.isDry);
    const request = {
      purse: lease.name,
      sequence,
      keep: lease.granted,
      slack: lease.slack,
      needs,
      ahead: giveBack ? 0n : lease.ahead,
    };
    if (lease.isBrief) this.#leaseOf.set(request, lease);
    return request;
  }
}
