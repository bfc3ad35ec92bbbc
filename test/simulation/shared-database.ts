import { DatabaseUnavailable } from '../../src/lib/sql.ts';
import type { RateLimits } from '../../src/domain/principal.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import {
  type DrawReply,
  type DrawRequest,
  type FirstDraw,
  type HeartbeatReply,
  type KeptAnswers,
  type LeaseRelease,
  type LookedUp,
  type PermitDraw,
  type PermitReply,
} from '../../src/gate/purses/ports/database.ts';
import type { ClaimResult, IdempotentRequest } from '../../src/gate/gateway/claims/idempotency-store.ts';
import { ModelPermitStore } from '../support/model-permit-store.ts';
import { firstPermitDraws } from './first-permit-draws.ts';
import { LeaseBounds } from './lease-bounds.ts';
import { MemoryStore } from './memory-store.ts';
import { purseIdsOf } from './model-purses.ts';
import { ModelClaims } from './model-claims.ts';
import { Spells } from './spells.ts';
import type { VirtualClock } from './virtual-clock.ts';

export interface DatabaseEvents {
  /** This epoch has been declared dead, by itself or by another. */
  readonly onDead: (epochId: bigint) => void;
  /** A peer has declared this epoch dead. */
  readonly onFenced: (epochId: bigint) => void;
  /** This epoch charges late. */
  readonly onLate: (epochId: bigint) => void;
  /** This receipt has been settled, or set aside for good. */
  readonly onKnown: (requestId: string) => void;
}

/**
 * The database that all processes share: its rows, its wall clock, and what becomes of both when another server takes
 * over. It also sees what processes must never do to each other, and says so in `violations`.
 */
export class SharedDatabase {
  readonly model = new MemoryStore(() => this.nowMs);
  readonly permits = new ModelPermitStore(() => this.nowMs);
  readonly claims = new ModelClaims((epochId) => this.model.epochs.get(epochId)?.fenced !== false);
  /** Receipts whose idempotency keys other requests had when they came late. */
  readonly superseded = new Set<string>();
  readonly violations: string[] = [];
  /** Rises with every change of rate limits. */
  ratesVersion = 0;
  /** Receipts that were there before another server took over, whether or not they were sent again. */
  readonly lost = new Set<string>();
  readonly #time: VirtualClock;
  readonly #heardMs = new Map<bigint, number>();
  /** Epochs that were declared dead, and not heard of since. They are, though another server may have forgotten it. */
  readonly #dead = new Set<bigint>();
  /** All that ever were: their processes have heard of it. */
  readonly #everDead = new Set<bigint>();
  readonly #bounds = new LeaseBounds();
  /** Epochs that have lived through a change of servers: their leases may be gone. */
  readonly #shaken = new Set<bigint>();
  readonly #events: DatabaseEvents;
  /** Subjects from whose purses nobody can draw. */
  readonly refused: Spells;
  /** Subjects whose rows, purses and rate limits, a connection that stands still has locked. */
  readonly busy: Spells;
  #wallOffsetMs: number;
  #timeline = 1;
  #takeOver: (() => void) | null = null;
  #tookOverMs = -Infinity;
  #heardUntilMs = 0;

  constructor(time: VirtualClock, events: DatabaseEvents) {
    this.#time = time;
    this.refused = new Spells(time);
    this.busy = new Spells(time);
    this.#events = events;
    this.#wallOffsetMs = time.nowMs();
  }

  get nowMs(): number {
    return this.#wallOffsetMs + this.#time.monotonicMs();
  }

  get timeline(): string {
    return String(this.#timeline);
  }

  get takeOvers(): number {
    return this.#timeline - 1;
  }

  /** Virtual milliseconds since the last change of servers. */
  get sinceTakeOverMs(): number {
    return this.#time.monotonicMs() - this.#tookOverMs;
  }

  /** Whether any process may still count on what another server has lost. */
  get isShaken(): boolean {
    for (const id of this.#shaken) if (this.model.epochs.get(id)?.reaped === false) return true;
    return false;
  }

  readonly hasBeenShaken = (epochId: bigint): boolean => this.#shaken.has(epochId);

  get isLagging(): boolean {
    return this.#takeOver !== null;
  }

  setRates(projectId: string, limits: RateLimits): void {
    this.permits.setLimits(projectId, limits);
    this.ratesVersion += 1;
  }

  jump(byMs: number): void {
    this.#wallOffsetMs += byMs;
  }

  /** A statement that was sent already may take effect until then; virtual milliseconds. */
  hearUntil(ms: number): void {
    this.#heardUntilMs = Math.max(this.#heardUntilMs, ms);
  }

  /** How long from now until nothing is on its way any more. */
  get msUntilAllIsHeard(): number {
    return Math.max(0, this.#heardUntilMs - this.#time.monotonicMs());
  }

  beginEpoch(instanceId: string, timeoutMs: number): bigint {
    const id = this.model.beginEpoch(instanceId, timeoutMs);
    this.#heardMs.set(id, this.#time.monotonicMs());
    return id;
  }

  heartbeat(epochId: bigint): HeartbeatReply {
    const peers = this.model
      .heartbeat(epochId)
      .map((peer) => ({ ...peer, heartbeat: `${this.timeline} ${peer.heartbeat}` }));
    this.#heardMs.set(epochId, this.#time.monotonicMs());
    this.#dead.delete(epochId);
    return { databaseNowMs: this.nowMs, timeline: this.timeline, peers };
  }

  declareDead(epochId: bigint, seen?: string): boolean {
    const [timeline, heartbeat] = seen?.split(' ') ?? [];
    if (timeline !== undefined && timeline !== this.timeline) return false;
    const epoch = this.model.epochs.get(epochId);
    const wasLive = epoch?.fenced === false;
    const isDead = this.model.declareDead(epochId, heartbeat);
    if (epoch === undefined || !isDead || !wasLive) return isDead;
    const silentMs = this.#time.monotonicMs() - (this.#heardMs.get(epochId) ?? 0);
    if (heartbeat !== undefined && silentMs < epoch.timeoutMs && !this.#dead.has(epochId))
      this.violations.push('a peer is fenced that was heard of');
    this.#dead.add(epochId);
    this.#everDead.add(epochId);
    this.permits.fence(epochId);
    this.#events.onDead(epochId);
    if (heartbeat !== undefined) this.#events.onFenced(epochId);
    return isDead;
  }

  draw(epochId: bigint, requests: readonly DrawRequest[]): readonly (DrawReply | null)[] {
    const free = requests.filter(({ purse }) => !this.#isBusy(purse.subjectId));
    const replies = this.model.draw(epochId, free);
    this.#bounds.drawn(epochId, replies);
    return requests.map((request) => replies[free.indexOf(request)] ?? null);
  }

  findAndDraw(epochId: bigint, secrets: readonly Buffer[], draw: FirstDraw): LookedUp {
    const found = this.model.findAndDraw(epochId, secrets, draw, this.#isBusy);
    this.#bounds.drawn(epochId, found.leases.values());
    const draws = firstPermitDraws(found, draw).filter(({ projectId }) => !this.#isBusy(projectId));
    return { ...found, permits: this.permits.drawFirst(epochId, draws) };
  }

  drawPermits(epochId: bigint, draws: readonly PermitDraw[]): readonly (PermitReply | null)[] {
    this.model.requireLive(epochId);
    const free = draws.filter(({ projectId }) => !this.#isBusy(projectId));
    const replies = this.permits.drawAll(epochId, free);
    return draws.map((draw) => replies[free.indexOf(draw)] ?? null);
  }

  /** Whose purse it is. */
  subjectOf(purseId: bigint): string {
    return this.model.purseOf(purseId).name.subjectId;
  }

  release(epochId: bigint, releases: readonly LeaseRelease[]): readonly (true | null)[] {
    const before = new Set(this.model.epochs.get(epochId)?.leases.keys());
    const free = releases.filter(({ purseId }) => !this.#isBusy(this.subjectOf(purseId)));
    this.model.release(epochId, free);
    const released = releases.map((release) => (free.includes(release) ? true : null));
    const after = this.model.requireLive(epochId).leases;
    for (const release of free) {
      if (before.has(release.purseId) && !after.has(release.purseId)) this.#bounds.released(epochId, release);
    }
    return released;
  }

  claim(epochId: bigint, request: IdempotentRequest, bodySha256: Buffer): ClaimResult {
    this.model.requireLive(epochId);
    return this.claims.claim(epochId, request, bodySha256);
  }

  settle(epochId: bigint, receipts: readonly Receipt[], answers: KeptAnswers): void {
    const isLive = this.model.epochs.get(epochId)?.fenced === false;
    if (isLive) this.claims.requireHeld(receipts);
    this.model.settle(epochId, receipts);
    if (!isLive) this.violations.push('a fenced epoch settles');
    this.claims.complete(receipts, answers);
    this.#settled(epochId, receipts);
  }

  /** Gives the leases of a fenced epoch back, but for those whose purses are busy. */
  reap(epochId: bigint): void {
    this.model.reap(epochId, this.#isBusy);
  }

  settleLate(epochId: bigint, receipts: readonly Receipt[], answers: KeptAnswers): void {
    this.reap(epochId);
    if (receipts.some((receipt) => subjectsOf(receipt).some(this.#isBusy)))
      throw new DatabaseUnavailable('a purse is locked', { reason: 'contended' });
    // One whose claim is gone can't be settled in time, whatever its epoch.
    const unsettled = receipts.filter(({ requestId }) => !this.model.receipts.has(requestId));
    const fresh = unsettled.filter((receipt) => this.#hasClaim(receipt));
    if (fresh.length > 0) this.#events.onLate(epochId);
    if (fresh.some((receipt) => this.#hasLeasesFor(epochId, receipt)))
      this.violations.push('a charge is late though its epoch lives');
    this.model.settleLate(
      epochId,
      receipts,
      (receipt) => {
        const isSuperseded = this.claims.isSuperseded(epochId, receipt);
        if (isSuperseded) this.superseded.add(receipt.requestId);
        // At once: another one of the batch may have the same key.
        else this.claims.complete([receipt], answers);
        return isSuperseded;
      },
      this.#isBusy,
    );
    // What others have the claims of is charged to no lease.
    for (const receipt of unsettled) if (!fresh.includes(receipt)) this.#bounds.settledElsewhere(epochId, receipt);
    this.#settled(epochId, receipts, new Set(fresh));
  }

  quarantine(receipt: Receipt): void {
    const { requestId, idempotencyKey, workspaceId, keyId } = receipt;
    this.model.quarantined.add(requestId);
    if (idempotencyKey !== null) this.claims.release({ workspaceId, keyId, idempotencyKey, requestId }, false);
    this.#events.onKnown(requestId);
  }

  /** From now on the server that may take over gets nothing any more. */
  lag(): void {
    const restore = [this.model.snapshot(), this.permits.snapshot(), this.claims.snapshot()];
    this.#takeOver = () => {
      for (const each of restore) each();
    };
  }

  /** The server that lags takes over, without the commits since. */
  takeOver(): void {
    if (this.#takeOver === null) return;
    const before = [...this.model.receipts.keys()];
    for (const id of this.model.epochs.keys()) this.#shaken.add(id);
    this.#takeOver();
    this.#takeOver = null;
    this.#timeline += 1;
    this.#tookOverMs = this.#time.monotonicMs();
    for (const id of before) {
      if (this.model.receipts.has(id)) continue;
      this.lost.add(id);
      this.superseded.delete(id);
    }
  }

  catchUp(): void {
    this.#takeOver = null;
  }

  /** Refuses nothing more, and nothing is locked. */
  heal(): void {
    this.refused.end();
    this.busy.end();
  }

  readonly #isBusy = (subjectId: string): boolean => this.busy.has(subjectId);

  #hasClaim(receipt: Receipt): boolean {
    try {
      this.claims.requireHeld([receipt]);
      return true;
    } catch {
      return false;
    }
  }

  #settled(epochId: bigint, receipts: readonly Receipt[], leased: ReadonlySet<Receipt> = new Set(receipts)): void {
    for (const receipt of receipts) {
      const fault = leased.has(receipt) ? this.#bounds.settled(epochId, receipt) : null;
      if (fault !== null) this.violations.push(fault);
      this.#events.onKnown(receipt.requestId);
    }
  }

  /** Whether an epoch could be charged in time: nobody has declared it dead, and its leases are there and have the money. */
  #hasLeasesFor(epochId: bigint, receipt: Receipt): boolean {
    const epoch = this.model.epochs.get(epochId);
    if (epoch === undefined || epoch.fenced || this.#everDead.has(epochId)) return false;
    return purseIdsOf(receipt).every((purseId) => {
      const lease = epoch.leases.get(purseId);
      return lease !== undefined && (lease.open || lease.charged + receipt.charge <= lease.granted);
    });
  }
}

function subjectsOf({ workspaceId, projectId, keyId }: Receipt): readonly string[] {
  return [workspaceId, projectId, keyId];
}
