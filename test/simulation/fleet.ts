import type { NanoUsd } from '../../src/domain/money.ts';
import type { Principal } from '../../src/domain/principal.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import { PERIODS, windowAt } from '../../src/domain/window.ts';
import { DatabaseUnavailable } from '../../src/lib/sql.ts';
import { Hold } from '../../src/purses/hold.ts';
import { purseNamesOf } from '../../src/purses/leases.ts';
import { LeaseGone, type PurseKind } from '../../src/purses/purse-store.ts';
import type { Purses } from '../../src/purses/purses.ts';
import type { HoldFailure } from '../../src/purses/shortage.ts';
import type { Spending } from '../../src/purses/spending.ts';
import { checkReceipts, type Closed, type OpenHold } from './fleet-receipts.ts';
import { FleetOracle, type Pending, REFUSED_MS, TAKE_OVER_MS } from './fleet-oracle.ts';
import { HOLD_WAIT_MS, Machine, type Process } from './machine.ts';
import type { ModelPurse } from './memory-store.ts';
import { must } from './must.ts';
import { Random } from './random.ts';
import { receiptDraft } from './receipt-draft.ts';
import { SharedDatabase } from './shared-database.ts';
import { MOODS, POISON } from './simulated-store.ts';
import { VirtualClock } from './virtual-clock.ts';

/** A Sunday that ends a month, so that days, weeks and months all turn at its midnight. */
const MIDNIGHT_MS = Date.UTC(2027, 1, 1);
const LARGEST = 1_000n;
/** Long enough for every time-out: of epochs, journals and waits. */
const CALM_MS = 9_000;
const LONG_MS = 11 * 60_000;

/** Several machines with a process each, the database that they share, and their callers, all out of one seed. */
export class Fleet {
  readonly random: Random;
  readonly time: VirtualClock;
  readonly database: SharedDatabase;
  readonly #oracle: FleetOracle;
  readonly #faults: unknown[] = [];
  readonly #machines: Machine[] = [];
  readonly #principals: Principal[] = [];
  readonly #open = new Set<OpenHold>();
  readonly #closed = new Map<string, Closed>();
  readonly #unsettled = new Map<Process, number>();
  /** By how much limited purses exceed their limits, and the limits of then. */
  readonly #excess = new Map<bigint, { excess: NanoUsd; limit: NanoUsd | null; isLoose: boolean }>();
  #ids = 0;
  /** The latest that the database's clock has said; it may have gone back since. */
  #latestMs = 0;
  readonly happened = {
    held: 0,
    final: 0,
    transient: 0,
    unavailable: 0,
    crashes: 0,
    fenced: 0,
    late: 0,
    writtenOff: 0,
    sentAgain: 0,
  };

  constructor(seed: number) {
    this.random = new Random(seed);
    this.time = new VirtualClock(MIDNIGHT_MS - this.random.between(1, 30) * 1_000);
    this.database = new SharedDatabase(this.time, {
      onFenced: (epochId) => this.#fenced(epochId),
      onLate: (epochId) => this.#late(epochId),
    });
    this.#oracle = new FleetOracle(this.database, () => this.#isCalm());
    for (let count = this.random.between(1, 2); count > 0; count--) this.#addWorkspace();
  }

  async start(): Promise<void> {
    const { time, database, random } = this;
    const surroundings = {
      time,
      database,
      random,
      onFault: (fault: unknown): void => {
        if (!this.#mayFail(fault)) this.#faults.push(fault);
      },
      onPoison: (receipt: Receipt, fault: unknown): void => this.#poisoned(receipt, fault),
    };
    for (let count = random.between(2, 4); count > 0; count--) {
      const machine = new Machine(surroundings, this.#id('machine'));
      this.#machines.push(machine);
      machine.start();
    }
    await this.#pass(20);
  }

  /** One thing that may happen, then some time. */
  async step(): Promise<void> {
    const { random } = this;
    const kind = random.between(0, 99);
    if (kind < 50) this.#request();
    else if (kind < 76) this.#closeOne();
    else if (kind < 82) this.#changeLimit();
    else if (kind < 94) this.#disturb();
    else for (let count = 0; count < 12; count++) this.#request();
    if (random.chance(0.0005)) {
      this.database.catchUp();
      await this.#pass(LONG_MS);
    } else {
      await this.#pass(random.pick([0, 0, 0, 1, 3, 10, 10, 30, 100, random.chance(0.1) ? 3_000 : 0]));
    }
    this.#check();
  }

  /** Puts everything right, brings it to its end, and says what was left hanging. */
  async quiet(): Promise<void> {
    this.database.catchUp();
    this.database.heal();
    for (const machine of this.#machines) {
      machine.process.store.mood = 'well';
      if (machine.process.clock.isGone) machine.start();
      else machine.process.clock.resume();
    }
    await this.#pass(CALM_MS);
    must(this.#oracle.pending.size === 0, 'a request is without an answer');
    while (this.#open.size > 0) this.#closeOne();
    await this.#pass(CALM_MS);
    this.#check();
    for (const { process } of this.#machines) must(process.isWell, 'a process has not come back');
    for (const principal of this.#principals) await this.#holdAll(principal);
    for (const count of this.#unsettled.values()) must(count === 0, 'a charge is neither settled nor refused');
    const stops = this.#machines.map(({ process }) => process.spending?.stop() ?? Promise.resolve());
    await this.#pass(CALM_MS);
    await Promise.all(stops);
    this.#check();
    for (const purse of this.database.model.purses.values()) this.#checkEnded(purse);
    checkReceipts(this.database, this.#closed, this.happened);
  }

  /** When all is quiet, all that a caller has left can be held by any process: nothing lies where nobody knows of it. */
  async #holdAll(principal: Principal): Promise<void> {
    const { process } = this.random.pick(this.#machines);
    const amount = this.#left(principal, process.clock.nowMs());
    if (amount <= 0n) return;
    const pending = this.#oracle.ask(principal, process, amount);
    this.#ask(pending).catch((fault: unknown) => this.#faults.push(fault));
    await this.#pass(HOLD_WAIT_MS);
    const open = [...this.#open].find((each) => each.pending === pending);
    must(open !== undefined, 'what is left can not be held');
    this.#close(open);
    await this.#pass(HOLD_WAIT_MS);
  }

  /** What the tightest of a caller's purses has not charged. */
  #left(principal: Principal, nowMs: number): NanoUsd {
    const { model } = this.database;
    const left = purseNamesOf(principal, (period) => windowAt(period, nowMs)).map((name) => {
      const { id, limit, spent } = model.purse(name);
      const charged = model.leasesOf(id).reduce((sum, { lease }) => sum + lease.charged, 0n);
      return limit === null ? LARGEST : limit - spent - charged;
    });
    return left.reduce((least, amount) => (amount < least ? amount : least));
  }

  async #pass(durationMs: number): Promise<void> {
    await this.time.pass(durationMs, () => {
      for (const { process } of this.#machines) process.poll();
      this.#oracle.observe();
    });
    if (this.#faults.length > 0) throw new AggregateError(this.#faults, String(this.#faults[0]));
    const [violation] = this.database.violations;
    must(violation === undefined, violation ?? '');
  }

  #id(kind: string): string {
    this.#ids += 1;
    return `${kind}-${String(this.#ids).padStart(6, '0')}`;
  }

  #addWorkspace(): void {
    const { random } = this;
    const workspaceId = this.#id('workspace');
    this.#setLimit('credit', workspaceId, random.amount(5n * LARGEST) * BigInt(random.pick([1, 1, 20])));
    for (let projects = random.between(1, 2); projects > 0; projects--) {
      const projectId = this.#id('project');
      const budgetPeriod = random.pick(PERIODS);
      this.#setLimit('project', projectId, this.#anyLimit());
      for (let keys = random.between(1, 2); keys > 0; keys--) {
        const keyId = this.#id('key');
        this.#setLimit('key', keyId, this.#anyLimit());
        const rateLimits = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };
        const caller = { workspaceId, projectId, keyId, policies: [], expiresAtMs: null, rateLimits, budgetPeriod };
        this.#principals.push(Object.freeze(caller));
        this.database.model.keys.set(keyId, caller);
      }
    }
  }

  #anyLimit(): NanoUsd | null {
    return this.random.chance(0.4) ? null : this.random.amount(4n * LARGEST);
  }

  #disturb(): void {
    const { random, database, time } = this;
    const machine = random.pick(this.#machines);
    const { process } = machine;
    switch (random.between(0, 11)) {
      case 0:
      case 1:
      case 2: {
        process.store.mood = random.pick(MOODS);
        time.after(random.pick([100, 1_000, 3_000, 8_000]), () => {
          process.store.mood = 'well';
        });
        return;
      }
      case 3:
      case 4: {
        process.clock.pause();
        time.after(random.pick([10, 500, 2_300, 2_600, 6_000]), () => process.clock.resume());
        return;
      }
      case 5:
      case 6:
        return this.#crash(machine);
      case 7: {
        // The database is away for so long that answers go out with their charges in the journal, and then the process
        // is gone before it has settled them all.
        process.store.mood = 'down';
        time.after(random.between(6_200, 7_500), () => {
          process.store.mood = 'slow';
          time.after(random.between(0, 2_500), () => {
            if (machine.process === process) this.#crash(machine);
          });
        });
        return;
      }
      case 10: {
        const { workspaceId, projectId, keyId } = random.pick(this.#principals);
        return database.refuse(random.pick([workspaceId, projectId, keyId]), random.pick([100, 1_000, 7_000]));
      }
      case 8:
        return database.jump(random.pick([-1, 1]) * random.pick([5, 1_000, 40_000, 7_200_000]));
      case 9: {
        if (database.isLagging) this.#takeOver();
        else database.lag();
        return;
      }
      default: {
        if (process.canServe) return this.#stop(machine);
        for (const each of this.#machines) each.process.store.mood = 'well';
      }
    }
  }

  /** A process stops holding before any other may call it dead, even where it stands still. */
  #fenced(epochId: bigint): void {
    for (const { process } of this.#machines) {
      const { clock, spending } = process;
      if (clock.isGone || spending === null || spending.purses.epochId !== epochId) continue;
      if (spending.isLive) this.#faults.push(new Error('a process is fenced that may still hold'));
    }
  }

  /** A process ends its epoch before it charges late: else what it charges counts in its leases as well. */
  #late(epochId: bigint): void {
    const lives = ({ process }: Machine): boolean =>
      !process.clock.isGone && process.spending?.purses.epochId === epochId && process.spending.isLive;
    if (this.#machines.some(lives))
      this.#faults.push(new Error('a process charges late in the epoch that it lives in'));
  }

  #takeOver(): void {
    const { database } = this;
    database.takeOver();
    this.#excess.clear();
    for (const { workspaceId, projectId, keyId } of this.#principals) {
      this.#oracle.setLimit('credit', workspaceId, database.model.limitOf('credit', workspaceId));
      this.#oracle.setLimit('project', projectId, database.model.limitOf('project', projectId));
      this.#oracle.setLimit('key', keyId, database.model.limitOf('key', keyId));
    }
  }

  /** The process is gone, with all that it had in memory. */
  #crash(machine: Machine): void {
    const { process } = machine;
    if (process.clock.isGone) return;
    this.happened.crashes += 1;
    process.clock.end();
    this.#unsettled.delete(process);
    for (const pending of this.#oracle.pending) if (pending.process === process) this.#oracle.pending.delete(pending);
    for (const open of this.#open) {
      if (open.process !== process) continue;
      this.#open.delete(open);
      this.#oracle.hold(open.pending.spendings, -open.hold.amount);
    }
    this.time.after(this.random.pick([1, 100, 1_000, 5_000]), () => {
      if (machine.process === process) machine.start();
    });
  }

  /** The process ends as it should: it serves nobody any more, closes what is open, and settles it. */
  #stop(machine: Machine): void {
    const { process } = machine;
    const { spending } = process;
    if (spending === null) return;
    for (const open of this.#open) if (open.process === process) this.#close(open);
    process.spending = null;
    spending.stop().then(
      () => this.#crash(machine),
      (fault: unknown) => this.#faults.push(fault),
    );
  }

  #request(): void {
    const { random } = this;
    const { process } = random.pick(this.#machines);
    const principal = random.pick(this.#principals);
    const amount = 1n + random.amount(LARGEST) / BigInt(random.pick([1, 1, 10]));
    if (!process.canServe) return;
    const pending = this.#oracle.ask(principal, process, amount);
    this.#ask(pending).catch((fault: unknown) => this.#faults.push(fault));
  }

  async #ask(pending: Pending): Promise<void> {
    const { process, amount } = pending;
    const { spending } = process;
    if (spending === null) return;
    const sinceMs = this.time.monotonicMs();
    const principal = await this.#meet(spending, pending);
    const { purses } = spending;
    const failure = await acquaint(purses, principal, amount);
    const heldSinceMs = this.time.monotonicMs();
    const answer = failure ?? (await purses.hold(principal ?? pending.principal, amount));
    this.#oracle.observe();
    this.#oracle.pending.delete(pending);
    if (!(answer instanceof Hold)) {
      const fault = this.#oracle.faultOf(
        pending,
        answer,
        this.time.monotonicMs() - (failure === null ? heldSinceMs : sinceMs),
      );
      if (fault !== null) throw new Error(fault);
      this.happened[answer.kind === 'unavailable' ? 'unavailable' : answer.transient ? 'transient' : 'final'] += 1;
      return;
    }
    this.happened.held += 1;
    const isFenced = this.database.model.epochs.get(purses.epochId)?.fenced === true;
    must(!isFenced, 'a hold is placed in an epoch that is fenced');
    this.#open.add({ hold: answer, process, pending });
    this.#oracle.hold(pending.spendings, amount);
  }

  /** The caller as its process knows it; null where that can't be told. */
  async #meet(spending: Spending, { principal, process }: Pending): Promise<Principal | null> {
    try {
      return await process.meet(spending, principal, this.random.chance(0.1));
    } catch (fault) {
      if (!(fault instanceof DatabaseUnavailable)) throw fault;
      return null;
    }
  }

  #closeOne(): void {
    const running = [...this.#open].filter(({ process }) => process.clock.isRunning);
    if (running.length > 0) this.#close(this.random.pick(running));
  }

  #close(open: OpenHold): void {
    const { random } = this;
    const { hold, process, pending } = open;
    this.#open.delete(open);
    const charge = random.pick([hold.amount, hold.amount, 0n, random.amount(hold.amount)]);
    const isPoison = random.chance(0.01);
    const draft = {
      ...receiptDraft(pending.principal, charge, isPoison ? POISON : undefined),
      requestId: this.#id('request'),
    };
    this.#oracle.hold(pending.spendings, -hold.amount);
    this.#oracle.charge(pending.spendings, charge);
    const closed: Closed = { charge, open, isPoison, isPaid: false, isRefused: false };
    this.#closed.set(draft.requestId, closed);
    this.#unsettled.set(process, (this.#unsettled.get(process) ?? 0) + 1);
    const ended = (): void => {
      if (this.#unsettled.has(process)) this.#unsettled.set(process, (this.#unsettled.get(process) ?? 0) - 1);
    };
    hold.close(draft).then(
      () => {
        ended();
        closed.isPaid = true;
      },
      (fault: unknown) => {
        ended();
        closed.isRefused = true;
        if (!closed.isPoison) this.#faults.push(fault);
      },
    );
    if (random.chance(0.05))
      must(refusesToClose(hold, { ...draft, requestId: this.#id('request') }), 'a hold closes twice');
  }

  /** A lease that was lost with a server, and whose money others have drawn since, can't be had again. */
  #mayFail(fault: unknown): boolean {
    return this.database.takeOvers > 0 && fault instanceof LeaseGone;
  }

  #poisoned({ requestId }: Receipt, fault: unknown): void {
    const closed = this.#closed.get(requestId);
    if (closed === undefined || !closed.isPoison) this.#faults.push(fault);
  }

  #changeLimit(): void {
    const { random } = this;
    const { model } = this.database;
    const { workspaceId, projectId, keyId } = random.pick(this.#principals);
    const kind = random.between(0, 2);
    if (kind === 1) return this.#setLimit('project', projectId, this.#anyLimit());
    if (kind === 2) return this.#setLimit('key', keyId, this.#anyLimit());
    // Credit is granted, or refunded as far as nobody has leased or spent it.
    const purse = [...model.purses.values()].find(({ name }) => name.subjectId === workspaceId);
    const limit = model.limitOf('credit', workspaceId) ?? 0n;
    const free = limit - (purse === undefined ? 0n : purse.spent + purse.leased);
    const change = random.chance(0.7) ? random.amount(LARGEST) : -random.amount(free);
    this.#setLimit('credit', workspaceId, limit + change);
  }

  #setLimit(kind: PurseKind, id: string, limit: NanoUsd | null): void {
    this.database.model.setLimit(kind, id, limit);
    this.#oracle.setLimit(kind, id, limit);
  }

  /** Every process is well, nobody's leases wait to be taken back, and no other server has just taken over. */
  #isCalm(): boolean {
    const { database } = this;
    if (database.sinceTakeOverMs < TAKE_OVER_MS || database.isRefusing(REFUSED_MS)) return false;
    if (!this.#machines.every(({ process }) => process.isWell)) return false;
    let unreaped = 0;
    for (const { reaped } of database.model.epochs.values()) if (!reaped) unreaped += 1;
    return unreaped === this.#machines.length;
  }

  /** What has to hold at any time. */
  #check(): void {
    const { model, nowMs } = this.database;
    this.#latestMs = Math.max(this.#latestMs, nowMs);
    // What was lost with a server may have been leased to others before its holders ask to keep it.
    const { isShaken } = this.database;
    for (const purse of model.purses.values()) {
      let [charged, granted, open] = [0n, 0n, 0n];
      let isLoose = isShaken;
      for (const { lease } of model.leasesOf(purse.id)) {
        must(lease.open || lease.charged <= lease.granted, 'a lease is overdrawn');
        charged += lease.charged;
        granted += lease.granted;
        if (lease.open) open += lease.charged;
        isLoose ||= lease.open;
      }
      must(purse.leased === granted, 'leased is what closed leases have been granted');
      must(purse.spent + charged === (model.receiptsOf.get(purse.id) ?? 0n), 'spent is what receipts say');
      this.#checkExcess(purse, open, isLoose);
    }
  }

  /** A purse exceeds its limit only after the limit has come down, and never by more than it has come down. */
  #checkExcess({ id, name, limit, spent, leased }: ModelPurse, openCharges: NanoUsd, isLoose: boolean): void {
    const before = this.#excess.get(id);
    const beyond = limit === null ? 0n : spent + leased + openCharges - limit;
    const excess = beyond > 0n ? beyond : 0n;
    this.#excess.set(id, { excess, limit, isLoose });
    must(name.kind !== 'credit' || excess === 0n, 'credit below zero');
    // A draw that takes effect after its lease has been closed leaves a new one, which nobody will spend: leases are
    // closed when their window is over.
    if (name.windowEndMs !== null && name.windowEndMs <= this.#latestMs) return;
    // What an open lease takes has no bound until it is closed.
    if (limit === null || before === undefined || before.limit === null || isLoose || before.isLoose) return;
    const lowered = before.limit > limit ? before.limit - limit : 0n;
    must(excess <= before.excess + lowered, 'a limit is oversold');
  }

  #checkEnded(purse: ModelPurse): void {
    const { model } = this.database;
    must(
      model.leasesOf(purse.id).length === 0 && purse.leased === 0n,
      'something is leased when all epochs have ended',
    );
    must(purse.spent === (model.receiptsOf.get(purse.id) ?? 0n), 'spent is not what receipts say when all has ended');
  }
}

/** Makes sure, as the gateway does, that this process has leases of all the caller's purses. */
async function acquaint(purses: Purses, principal: Principal | null, amount: NanoUsd): Promise<HoldFailure | null> {
  if (principal === null) return { kind: 'unavailable' };
  return purses.knows(principal) ? null : await purses.acquaint(principal, amount);
}

function refusesToClose(hold: Hold, draft: ReturnType<typeof receiptDraft>): boolean {
  try {
    hold.close(draft).catch(() => undefined);
    return false;
  } catch {
    return true;
  }
}
