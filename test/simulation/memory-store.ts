import { SqlFault } from '../../src/lib/sql.ts';
import type { NanoUsd } from '../../src/domain/money.ts';
import type { Principal } from '../../src/domain/principal.ts';
import type { Receipt, ServedPurse } from '../../src/domain/receipt.ts';
import type { Period, Window } from '../../src/domain/window.ts';
import {
  type DrawReply,
  type DrawRequest,
  EpochFenced,
  type FirstDraw,
  isBriefKind,
  NO_ROW,
  type LeaseRelease,
  type LookedUp,
  type Peer,
  type PurseKind,
  type PurseName,
} from '../../src/gate/purses/ports/database.ts';
import { purseNamesOf } from '../../src/gate/purses/leases/purse-names.ts';
import { idsIn, type ModelPurse, purseIdsOf, type Raise } from './model-purses.ts';
import { DRAW_RULE } from '../../src/gate/purses/leases/draw-rule.ts';

// The purses' durable side as its rules say, without a database: what src/program/database/functions do, in a few lines each. A test
// holds the two against each other step by step.

export interface ModelLease {
  granted: NanoUsd;
  charged: NanoUsd;
  open: boolean;
  sequence: bigint;
}

interface ModelEpoch {
  readonly instanceId: string;
  readonly timeoutMs: number;
  /** Moves with every heartbeat. */
  heartbeat: number;
  fenced: boolean;
  reaped: boolean;
  readonly leases: Map<bigint, ModelLease>;
}

const ZERO = 0n;
const NOBODY = (_subjectId: string): boolean => false;
const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const most = (one: bigint, other: bigint): bigint => (one > other ? one : other);
const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((total, amount) => total + amount, ZERO);
const idOf = (name: PurseName): string => `${name.kind} ${name.subjectId} ${name.period} ${name.windowStartMs}`;

function copyOf(leases: ReadonlyMap<bigint, ModelLease>): Map<bigint, ModelLease> {
  return new Map([...leases].map(([id, lease]) => [id, { ...lease }]));
}

function refill<Id, Value>(map: Map<Id, Value>, entries: Iterable<readonly [Id, Value]>): void {
  map.clear();
  for (const [id, value] of entries) map.set(id, value);
}

function refused(constraint: string): SqlFault {
  return new SqlFault(`a row violates ${constraint}`, '23514', constraint);
}

function gone(): SqlFault {
  return new SqlFault('a lease is gone', 'FG002', null);
}

/** Each receipt that isn't there yet, once, however often it is in the batch: what is sent again may meet itself. */
function unsettledIn(receipts: readonly Receipt[], there: ReadonlyMap<string, Receipt>): readonly Receipt[] {
  const fresh = receipts.filter(({ requestId }) => !there.has(requestId));
  return [...new Map(fresh.map((receipt) => [receipt.requestId, receipt])).values()];
}

function windowIn({ windows }: FirstDraw, period: Period): Window {
  const window = windows.find((each) => each.period === period);
  if (window === undefined) throw new RangeError('a first draw has no window for a period');
  return window;
}

export class MemoryStore {
  readonly purses = new Map<string, ModelPurse>();
  readonly epochs = new Map<bigint, ModelEpoch>();
  readonly receipts = new Map<string, Receipt>();
  /** Ids of purses that have changed, oldest first. */
  readonly changes: bigint[] = [];
  /** Receipts that took what their purses had left, and the epochs that they are of. */
  readonly late = new Map<string, bigint>();
  /** The sum of all receipts, by purse. */
  readonly receiptsOf = new Map<bigint, NanoUsd>();
  readonly quarantined = new Set<string>();
  /** Whom keys belong to, by what stands for the SHA-256 of their secrets: their ids. */
  readonly keys = new Map<string, Principal>();
  readonly #limits = new Map<string, NanoUsd | null>();
  readonly #raises = new Map<string, Raise | null>();
  readonly #nowMs: () => number;
  readonly #names = new Map<bigint, string>();
  #heartbeats = 0;
  #purseId = ZERO;
  #epochId = ZERO;

  /** `nowMs`: the database's clock. */
  constructor(nowMs: () => number = () => 0) {
    this.#nowMs = nowMs;
  }

  /**
   * Sets the limit that a subject's purses open with, and that of those which are open; raised for a time, or not. Brief
   * ones have it from their next draw.
   */
  setLimit(kind: PurseKind, subjectId: string, limit: NanoUsd | null, raise: Raise | null = null): void {
    if (isBriefKind(kind)) return void this.#limits.set(`${kind} ${subjectId}`, limit);
    const purses = [...this.purses.values()].filter(({ name }) => name.kind === kind && name.subjectId === subjectId);
    for (const purse of purses) this.#check(purse, { limit });
    this.#limits.set(`${kind} ${subjectId}`, limit);
    this.#raises.set(`${kind} ${subjectId}`, raise);
    for (const purse of purses) {
      purse.limit = limit;
      purse.raise = raise;
      this.changes.push(purse.id);
    }
  }

  limitOf(kind: PurseKind, subjectId: string): NanoUsd | null {
    return this.#limits.get(`${kind} ${subjectId}`) ?? null;
  }

  /** The limit of a purse that holds now. */
  limitNow(purse: ModelPurse): NanoUsd | null {
    const { limit } = purse;
    return limit === null ? null : (this.#raiseNow(purse)?.limit ?? limit);
  }

  #raiseNow({ limit, raise }: ModelPurse): Raise | null {
    if (raise === null || limit === null) return null;
    return raise.untilMs > this.#nowMs() && raise.limit > limit ? raise : null;
  }

  beginEpoch(instanceId = '', timeoutMs = 30_000): bigint {
    this.#epochId += 1n;
    const leases = new Map<bigint, ModelLease>();
    this.epochs.set(this.#epochId, { instanceId, timeoutMs, heartbeat: 0, fenced: false, reaped: false, leases });
    return this.#epochId;
  }

  /** Says that an epoch lives, and answers with those of others. */
  heartbeat(epochId: bigint): readonly Peer[] {
    // A time in the real one: never the same twice, whichever server says it.
    this.#heartbeats += 1;
    this.requireLive(epochId).heartbeat = this.#heartbeats;
    return [...this.epochs]
      .filter(([id, { reaped }]) => id !== epochId && !reaped)
      .map(([id, { heartbeat, timeoutMs, fenced }]) => ({
        epochId: id,
        heartbeat: String(heartbeat),
        timeoutMs,
        isFenced: fenced,
      }));
  }

  formerEpochs(instanceId: string): readonly bigint[] {
    return [...this.epochs].flatMap(([id, epoch]) => (epoch.instanceId === instanceId && !epoch.reaped ? [id] : []));
  }

  requireLive(epochId: bigint): ModelEpoch {
    const epoch = this.epochs.get(epochId);
    if (epoch === undefined || epoch.fenced) throw new EpochFenced('this process was declared dead by another');
    return epoch;
  }

  /** Fences an epoch and gives its leases back. */
  fence(epochId: bigint): void {
    if (this.declareDead(epochId)) this.reap(epochId);
  }

  /** Fences an epoch; with a heartbeat, only if it has not been heard of since. Answers whether it is fenced. */
  declareDead(epochId: bigint, heartbeat?: string): boolean {
    const epoch = this.epochs.get(epochId);
    if (epoch === undefined) return false;
    if (!epoch.fenced && heartbeat !== undefined && String(epoch.heartbeat) !== heartbeat) return false;
    epoch.fenced = true;
    return true;
  }

  /** Gives the leases of a fenced epoch back, but for those of purses that are busy; those of a live one stay. */
  reap(epochId: bigint, isBusy = NOBODY): void {
    const epoch = this.epochs.get(epochId);
    if (epoch === undefined || !epoch.fenced) return;
    for (const [purseId, lease] of epoch.leases) {
      if (isBusy(this.purseOf(purseId).name.subjectId)) continue;
      this.#giveBack(purseId, lease);
      epoch.leases.delete(purseId);
    }
    if (epoch.leases.size === 0) epoch.reaped = true;
  }

  draw(epochId: bigint, requests: readonly DrawRequest[]): DrawReply[] {
    const epoch = this.requireLive(epochId);
    const known = requests.filter(({ purse }) => !isBriefKind(purse.kind) || this.purses.has(idOf(purse)));
    const purses = new Map(known.map(({ purse }) => [idOf(purse), { ...this.purse(purse) }]));
    const leases = copyOf(epoch.leases);
    const changes = this.changes.length;
    try {
      return requests.map((request) => this.#drawOne(epoch, request));
    } catch (fault) {
      for (const { purse } of requests) if (!purses.has(idOf(purse))) this.purses.delete(idOf(purse));
      for (const [id, purse] of purses) this.purses.set(id, purse);
      epoch.leases.clear();
      for (const [id, lease] of leases) epoch.leases.set(id, lease);
      this.changes.length = changes;
      throw fault;
    }
  }

  find(secrets: readonly Buffer[]): readonly (Principal | null)[] {
    return secrets.map((secret) => {
      const principal = this.keys.get(secret.toString());
      if (principal === undefined) return null;
      const { memberLimitId: id } = principal;
      const memberLimitId = id === null || this.limitOf('member', id) === null ? null : id;
      return Object.freeze({ ...principal, memberLimitId });
    });
  }

  /** Looks keys up, and draws what the epoch has no lease of, or has drawn under the same number. */
  findAndDraw(epochId: bigint, secrets: readonly Buffer[], draw: FirstDraw, isBusy = NOBODY): LookedUp {
    const principals = this.find(secrets);
    const names = new Map<string, PurseName>();
    for (const principal of principals) {
      if (principal === null) continue;
      for (const name of purseNamesOf(principal, (period) => windowIn(draw, period))) names.set(idOf(name), name);
    }
    const wanted = [...names.values()].filter((name) => {
      if (isBusy(name.subjectId)) return false;
      const purse = this.purses.get(idOf(name));
      const lease = purse && this.epochs.get(epochId)?.leases.get(purse.id);
      return lease === undefined || lease.sequence === draw.sequence;
    });
    const { sequence, ahead } = draw;
    const requests = wanted.map((purse) => ({ purse, sequence, keep: ZERO, slack: ZERO, needs: [], ahead }));
    const replies = requests.length === 0 ? [] : this.draw(epochId, requests);
    const leases = new Map(wanted.map(({ subjectId }, index) => [subjectId, replies[index]] as [string, DrawReply]));
    return { principals, leases, permits: new Map() };
  }

  settle(epochId: bigint, receipts: readonly Receipt[]): void {
    const { leases } = this.requireLive(epochId);
    const fresh = unsettledIn(receipts, this.receipts);
    const charges = new Map<bigint, NanoUsd>();
    for (const receipt of fresh) {
      for (const id of purseIdsOf(receipt)) charges.set(id, (charges.get(id) ?? ZERO) + receipt.charge);
    }
    for (const [purseId, amount] of charges) {
      const lease = leases.get(purseId);
      if (lease === undefined) throw gone();
      if (!lease.open && lease.charged + amount > lease.granted) throw refused('leases_charged_within_grant');
    }
    for (const [purseId, amount] of charges) {
      const lease = leases.get(purseId);
      if (lease !== undefined) lease.charged += amount;
    }
    for (const receipt of fresh) this.#insert(receipt);
  }

  /**
   * Settles what has no lease any more: takes what is left in all its purses, and writes off the rest; all of it where it
   * is superseded.
   */
  settleLate(
    epochId: bigint,
    receipts: readonly Receipt[],
    isSuperseded: (receipt: Receipt) => boolean = () => false,
    isBusy = NOBODY,
  ): void {
    this.reap(epochId, isBusy);
    for (const receipt of receipts) {
      if (this.receipts.has(receipt.requestId)) continue;
      const purses = this.#pursesOf(receipt);
      let free = receipt.charge;
      for (const purse of purses) {
        const { id, spent, leased } = purse;
        const limit = this.limitNow(purse);
        if (limit === null) continue;
        const open = this.leasesOf(id).filter(({ lease }) => lease.open);
        free = least(free, limit - spent - leased - sum(open.map(({ lease }) => lease.charged)));
      }
      const taken = isSuperseded(receipt) ? ZERO : most(ZERO, free);
      for (const purse of purses) purse.spent += taken;
      this.late.set(receipt.requestId, epochId);
      const { memberPurseId: _held, ...others } = receipt;
      const ids = idsIn(purses, receipt);
      this.#insert({ ...others, ...ids, charge: taken, writeOff: receipt.writeOff + receipt.charge - taken });
    }
  }

  /** The purses of a receipt, credit first: those of its windows where the ids aren't there any more; that of its member always. */
  #pursesOf(receipt: Receipt): readonly ModelPurse[] {
    const { workspaceId, projectId, keyId, projectWindow, keyWindow } = receipt;
    const always = { period: 'never', startMs: 0, endMs: null } as const;
    const found = (id: bigint, kind: PurseKind, subjectId: string, window: Window): ModelPurse => {
      const { period, startMs: windowStartMs, endMs: windowEndMs } = window;
      const known = this.purses.get(this.#names.get(id) ?? '');
      return known ?? this.purse({ workspaceId, kind, subjectId, period, windowStartMs, windowEndMs });
    };
    const served = (kind: PurseKind, purse: ServedPurse | undefined): readonly ModelPurse[] =>
      purse === undefined ? [] : [found(purse.purseId, kind, purse.subjectId, purse.window)];
    return [
      found(receipt.creditPurseId, 'credit', workspaceId, always),
      found(receipt.projectPurseId, 'project', projectId, projectWindow),
      found(receipt.keyPurseId, 'key', keyId, keyWindow),
      ...this.#memberPurseOf(receipt),
      ...served('end_user', receipt.endUserPurse),
      ...served('session', receipt.sessionPurse),
    ];
  }

  #memberPurseOf({ workspaceId, keyId, keyWindow }: Receipt): readonly ModelPurse[] {
    const subjectId = [...this.keys.values()].find((principal) => principal.keyId === keyId)?.memberLimitId ?? null;
    if (subjectId === null) return [];
    const { period, startMs: windowStartMs, endMs: windowEndMs } = keyWindow;
    const name = { workspaceId, kind: 'member', subjectId, period, windowStartMs, windowEndMs } as const;
    return this.purses.has(idOf(name)) || this.limitOf('member', subjectId) !== null ? [this.purse(name)] : [];
  }

  /** Remembers everything as it is now. Calling the answer brings it back, as a server would that got nothing since. */
  snapshot(): () => void {
    const purses = [...this.purses].map(([name, purse]) => [name, { ...purse }] as const);
    const epochs = [...this.epochs].map(([id, epoch]) => [id, { ...epoch, leases: copyOf(epoch.leases) }] as const);
    const kept = [this.receipts, this.late, this.receiptsOf, this.#limits, this.#raises, this.#names] as Map<
      unknown,
      unknown
    >[];
    const copies = kept.map((map) => [...map]);
    const quarantined = [...this.quarantined];
    return () => {
      refill(this.purses, purses);
      refill(this.epochs, epochs);
      kept.forEach((map, index) => refill(map, copies[index] ?? []));
      this.quarantined.clear();
      for (const id of quarantined) this.quarantined.add(id);
    };
  }

  #insert(receipt: Receipt): void {
    this.receipts.set(receipt.requestId, receipt);
    for (const id of purseIdsOf(receipt)) this.receiptsOf.set(id, (this.receiptsOf.get(id) ?? ZERO) + receipt.charge);
  }

  release(epochId: bigint, releases: readonly LeaseRelease[]): readonly true[] {
    const { leases } = this.requireLive(epochId);
    for (const { purseId, charged, sequence } of releases) {
      const lease = leases.get(purseId);
      if (lease === undefined || lease.charged !== charged || lease.sequence !== sequence) continue;
      leases.delete(purseId);
      this.#giveBack(purseId, lease);
    }
    return releases.map(() => true);
  }

  /** The leases of a purse, with their epochs. */
  leasesOf(purseId: bigint): { epoch: ModelEpoch; lease: ModelLease }[] {
    const found: { epoch: ModelEpoch; lease: ModelLease }[] = [];
    for (const epoch of this.epochs.values()) {
      const lease = epoch.leases.get(purseId);
      if (lease !== undefined) found.push({ epoch, lease });
    }
    return found;
  }

  #giveBack(purseId: bigint, lease: ModelLease): void {
    const purse = this.purseOf(purseId);
    purse.spent += lease.charged;
    if (!lease.open) purse.leased -= lease.granted;
  }

  purseOf(purseId: bigint): ModelPurse {
    const purse = this.purses.get(this.#names.get(purseId) ?? '');
    if (purse === undefined) throw new SqlFault('a charge names a purse that is not there', 'P0001', null);
    return purse;
  }

  /** The purse of that name, opened if it isn't. */
  purse(name: PurseName): ModelPurse {
    let purse = this.purses.get(idOf(name));
    if (purse === undefined) {
      this.#purseId += 1n;
      const limit = this.limitOf(name.kind, name.subjectId);
      const raise = this.#raises.get(`${name.kind} ${name.subjectId}`) ?? null;
      purse = { id: this.#purseId, name, limit, raise, spent: ZERO, leased: ZERO, mode: 'wet' };
      this.purses.set(idOf(name), purse);
      this.#names.set(purse.id, idOf(name));
    }
    return purse;
  }

  /** What is said of a brief purse from which nothing is granted, so that it gets no lease; null: it is drawn from like any other. */
  #ask(epoch: ModelEpoch, { purse: name, keep, needs, sequence }: DrawRequest): DrawReply | null {
    if (!isBriefKind(name.kind)) return null;
    const limit = this.limitOf(name.kind, name.subjectId);
    const known = this.purses.get(idOf(name));
    if (known !== undefined) known.limit = limit;
    const purse = known ?? { id: NO_ROW, spent: ZERO, leased: ZERO, mode: 'wet' as const };
    if (keep > ZERO || epoch.leases.has(purse.id)) return null;
    const others = this.leasesOf(purse.id);
    const open = others.filter(({ lease }) => lease.open);
    const isBlocked = open.some((each) => !each.epoch.fenced);
    const available =
      limit === null ? null : limit - purse.spent - purse.leased - sum(open.map(({ lease }) => lease.charged));
    if (needs.some((need) => available === null || (need <= available && !isBlocked))) return null;
    const spentByOthers = purse.spent + sum(others.map(({ lease }) => lease.charged));
    const { id: purseId, mode } = purse;
    return {
      purseId,
      limit,
      spentByOthers,
      available,
      granted: ZERO,
      open: false,
      mode,
      sequence,
      raisedUntilMs: null,
    };
  }

  #drawOne(epoch: ModelEpoch, request: DrawRequest): DrawReply {
    const asked = this.#ask(epoch, request);
    if (asked !== null) return asked;
    const purse = this.purse(request.purse);
    const lease = epoch.leases.get(purse.id) ?? { granted: ZERO, charged: ZERO, open: false, sequence: ZERO };
    epoch.leases.set(purse.id, lease);
    const others = this.leasesOf(purse.id).filter((each) => each.epoch !== epoch);
    const chargedByOthers = sum(others.map((each) => each.lease.charged));
    const limit = this.limitNow(purse);
    if (lease.sequence < request.sequence) {
      if (limit === null) {
        if (!lease.open) purse.leased -= lease.granted;
        Object.assign(lease, { open: true, granted: ZERO, sequence: request.sequence });
      } else {
        this.#grant(purse, limit, lease, others, request);
      }
    }
    const openCharges = sum(others.filter((each) => each.lease.open).map((each) => each.lease.charged));
    return {
      purseId: purse.id,
      limit,
      spentByOthers: purse.spent + chargedByOthers,
      available: limit === null ? null : limit - purse.spent - purse.leased - openCharges,
      granted: lease.granted,
      open: lease.open,
      mode: purse.mode,
      sequence: lease.sequence,
      raisedUntilMs: this.#raiseNow(purse)?.untilMs ?? null,
    };
  }

  /** Draws from a purse with a limit: what is kept, what is needed as far as it goes, oldest first, and something ahead. */
  #grant(
    purse: ModelPurse,
    limit: NanoUsd,
    lease: ModelLease,
    others: readonly { epoch: ModelEpoch; lease: ModelLease }[],
    { keep, slack, needs, ahead, sequence }: DrawRequest,
  ): void {
    const leasedByOthers = purse.leased - (lease.open ? ZERO : lease.granted);
    const open = others.filter((each) => each.lease.open);
    const available = limit - purse.spent - leasedByOthers - sum(open.map((each) => each.lease.charged)) - keep;
    const isBlocked = open.some((each) => !each.epoch.fenced);
    const closed = others.filter((each) => !each.lease.open).map((each) => each.lease.charged);
    const inUse = leasedByOthers + keep - sum(closed) - lease.charged;
    let taken = ZERO;
    let unmet = false;
    for (const need of needs) {
      if (!isBlocked && taken + need <= available + slack) taken += need;
      else unmet = true;
    }
    const needed = most(ZERO, taken - slack);
    const further = isBlocked ? ZERO : least(ahead, most(ZERO, available / DRAW_RULE.aheadPart));
    if (
      purse.mode === 'wet' &&
      (unmet || available - needed - further < DRAW_RULE.dryBelow * (inUse + needed + further))
    ) {
      purse.mode = 'dry';
      this.changes.push(purse.id);
    } else if (purse.mode === 'dry' && !unmet && available - needed > DRAW_RULE.wetAbove * (inUse + needed)) {
      purse.mode = 'wet';
    }
    const granted = keep + needed + (purse.mode === 'wet' ? further : ZERO);
    if (lease.charged > granted) throw refused('leases_charged_within_grant');
    this.#check(purse, { leased: leasedByOthers + granted });
    purse.leased = leasedByOthers + granted;
    Object.assign(lease, { granted, open: false, sequence });
  }

  #check(purse: ModelPurse, change: Partial<Pick<ModelPurse, 'limit' | 'leased'>>): void {
    const { name, spent, limit, leased } = { ...purse, ...change };
    if (name.kind !== 'credit') return;
    if (limit === null) throw refused('purses_credit_is_limited');
    if (spent + leased > limit) throw refused('purses_credit_never_overdrawn');
  }
}
