import type { Clock } from '../../../lib/clock.ts';
import type { SqlFault } from '../../../lib/sql.ts';
import type { NanoUsd } from '../../../domain/money.ts';
import { type AnsweredCall, BatchedCalls, type Call } from '../../../lib/batched-calls.ts';
import type { Lease } from './lease.ts';
import type { EpochEvents } from '../ports/engine-events.ts';
import { type HoldNeeds, purseKey } from './lease-registry.ts';
import { type DrawReply, type DrawRequest, LeaseGone, type LeaseRelease, type PurseStore } from '../ports/database.ts';

const LEASES_PER_DRAW = 1_000;

/** What leases are drawn for. */
export interface DrawsOwner {
  /** These leases have learned what their draws have brought. */
  drawn(leases: readonly Lease[]): void;
  /** Somebody else has had the purses of these leases locked for longer than a moment. */
  stuck(leases: readonly Lease[]): void;
  /** The database refuses to draw this lease, or to close it, though it answers. */
  refused(lease: Lease, fault: SqlFault): void;
}

interface Wish {
  /** Slack is to go back: the purse is dry, idle, or its limit has changed. */
  giveBack: boolean;
}

type DrawCall = Call<Lease, DrawRequest>;

/**
 * Draws and returns, batched. Numbers rise over all leases, so that a lease that follows another one of the same purse is
 * never taken for a repeat of it. A lease that the database refuses to draw rests for a while; one whose purse is locked
 * waits for it alone.
 */
export class Draws {
  readonly #needs: HoldNeeds;
  readonly #owner: DrawsOwner;
  readonly #draws: BatchedCalls<Lease, DrawRequest, DrawReply>;
  readonly #releases: BatchedCalls<Lease, LeaseRelease, true>;
  readonly #wishes = new Map<Lease, Wish>();
  readonly #releasing: Lease[] = [];
  /** The purses whose former leases aren't closed yet: the next ones are drawn after that. */
  readonly #closing = new Set<string>();
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
      send: (requests, options) => store.draw(epochId, requests, options),
      groupOf,
      onAnswered: (calls) => this.#learn(calls),
      onStuck: (leases) => owner.stuck(leases),
      onRefused,
      // What it was to give back is in no memory any more.
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

  /** Whether this lease was refused a moment ago, so that nothing is drawn for it now. */
  isResting(lease: Lease): boolean {
    return this.#draws.isResting(lease);
  }

  /** Whether somebody else has had this lease's purse locked for longer than a moment. */
  isStuck(lease: Lease): boolean {
    return this.#draws.isStuck(lease);
  }

  /** Whether this lease is to be drawn as soon as it may. */
  isWanted(lease: Lease): boolean {
    return this.#wishes.has(lease);
  }

  /** Asks for this lease to be drawn with the next round trip, unless it rests. */
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

  /** Draws no more: the epoch is over. */
  halt(): void {
    this.#draws.halt();
    this.#releases.halt();
  }

  /** Draws no more, and resolves when the last round trip is over. */
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
      // What was wished for may have come with the draw before.
      const isNeeded = needs.some((need) => !lease.fits(need));
      if (giveBack || isNeeded || lease.runsLow || this.#needs.isAsked(lease)) chosen.push({ lease, giveBack, needs });
    }
    // What a hold needs of one purse depends on what it has of the others, so no lease changes until all have been asked.
    return chosen.map(({ lease, giveBack, needs }) => ({
      item: lease,
      asked: this.#requestFor(lease, giveBack, needs),
    }));
  }

  /** Whether nothing is under way that has to be known before. */
  #mayDraw(lease: Lease): boolean {
    if (!this.#draws.mayAsk(lease)) return false;
    return this.#closing.size === 0 || !this.#closing.has(purseKey(lease.name));
  }

  #learn(calls: readonly AnsweredCall<Lease, DrawRequest, DrawReply>[]): void {
    for (const { item: lease, asked, reply } of calls) {
      // A first draw makes new leases alone, so it can't have taken the place of one that was there.
      if (lease.isKnown && reply.sequence !== asked.sequence) {
        throw new LeaseGone('the database has made a lease again that it had lost');
      }
      lease.learn(reply);
    }
    this.#owner.drawn(calls.map(({ item }) => item));
  }

  #nextReleases(): readonly Call<Lease, LeaseRelease>[] {
    return this.#releasing.splice(0).map((lease) => {
      const { purseId, charged, sequence } = lease;
      return { item: lease, asked: { purseId, charged, sequence } };
    });
  }

  #closed(leases: readonly Lease[]): void {
    for (const { name } of leases) this.#closing.delete(purseKey(name));
    if (this.#wishes.size > 0) this.#draws.wake();
  }

  /** In a dry purse all slack goes back with every draw, so that what comes is just what the waiting holds need. */
  #requestFor(lease: Lease, giveBack: boolean, needs: readonly NanoUsd[]): DrawRequest {
    const sequence = this.nextSequence();
    lease.beginDraw(sequence, giveBack || lease.isDry);
    return {
      purse: lease.name,
      sequence,
      keep: lease.granted,
      slack: lease.slack,
      needs,
      ahead: giveBack ? 0n : lease.ahead,
    };
  }
}
