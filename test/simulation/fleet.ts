import type { NanoUsd } from '../../src/domain/money.ts';
import type { Principal } from '../../src/domain/principal.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import { type Period, type Window, windowAt } from '../../src/domain/window.ts';
import { DatabaseUnavailable } from '../../src/lib/sql.ts';
import { Hold } from '../../src/gate/purses/leases/hold.ts';
import { briefNamesOf, purseNamesOf } from '../../src/gate/purses/leases/purse-names.ts';
import { LeaseGone } from '../../src/gate/purses/ports/database.ts';
import type { HoldFailure, Purses } from '../../src/gate/purses/leases/purses.ts';
import type { Spending } from '../../src/gate/purses/spending.ts';
import { Admissions, type Admitted } from './admissions.ts';
import { Callers, LARGEST, sameServed } from './callers.ts';
import { Disturbances } from './disturbances.ts';
import { FleetOracle, type Pending, TAKE_OVER_MS } from './fleet-oracle.ts';
import { checkReceipts, type Closed, type OpenHold, refusesToClose } from './fleet-receipts.ts';
import { Invariants } from './invariants.ts';
import { HOLD_WAIT_MS, Machine, type Process } from './machine.ts';
import { must } from './must.ts';
import { Outstanding } from './outstanding.ts';
import { POISON } from './process-store.ts';
import { Random } from './random.ts';
import { type Claimed, releaseSoon, Repeats } from './repeats.ts';
import { RateOracle } from './rate-oracle.ts';
import { receiptDraft } from './receipt-draft.ts';
import { SharedDatabase } from './shared-database.ts';
import { TieredModels, type TieredRequest } from './tiered-requests.ts';
import { VirtualClock } from './virtual-clock.ts';

/** A Sunday that ends a month, so that days, weeks and months all turn at its midnight. */
const MIDNIGHT_MS = Date.UTC(2027, 1, 1);
/** Long enough for every time-out: of epochs, journals and waits. */
const CALM_MS = 9_000;
/** Long enough for any disturbance to come to its end. */
const DISTURBED_MS = 20_000;
const LONG_MS = 11 * 60_000;
/** Long enough for a few round trips. */
const PLACES_MS = 100;
/** How many requests come with an Idempotency-Key. */
const CLAIMING = 0.25;
/** How many requests only want to know first whether their hold would be placed. */
const PROBING = 0.1;
/** How many want what their purses have left now, before they wait. */
const DRAWING = 0.2;
/** One seed in so many has more projects than one statement draws for. */
const LARGE_SEEDS = 1_000;

/** Several machines with a process each, the database that they share, and their callers, all out of one seed. */
export class Fleet {
  readonly random: Random;
  readonly time: VirtualClock;
  readonly database: SharedDatabase;
  readonly #oracle: FleetOracle;
  readonly #rates: RateOracle;
  readonly #outstanding = new Outstanding();
  readonly #invariants: Invariants;
  readonly #admissions: Admissions;
  readonly #repeats: Repeats;
  readonly #callers: Callers;
  readonly #models: TieredModels;
  readonly #disturbances: Disturbances;
  readonly #isLarge: boolean;
  readonly #faults: unknown[] = [];
  readonly #machines: Machine[] = [];
  readonly #open = new Set<OpenHold>();
  readonly #closed = new Map<string, Closed>();
  readonly #unsettled = new Map<Process, number>();
  #ids = 0;
  readonly happened = {
    held: 0,
    final: 0,
    transient: 0,
    unavailable: 0,
    exceeded: 0,
    crashes: 0,
    fenced: 0,
    late: 0,
    writtenOff: 0,
    sentAgain: 0,
    superseded: 0,
    estimated: 0,
  };

  constructor(seed: number) {
    const random = new Random(seed);
    this.random = random;
    this.time = new VirtualClock(MIDNIGHT_MS - random.between(1, 30) * 1_000);
    this.database = new SharedDatabase(this.time, {
      onDead: (epochId) => this.#rates.fenced(epochId),
      onFenced: (epochId) => this.#fenced(epochId),
      onLate: (epochId) => this.#late(epochId),
      onKnown: (requestId) => this.#outstanding.known(requestId),
    });
    const { database, time } = this;
    this.#oracle = new FleetOracle(database, () => this.#isCalm());
    this.#rates = new RateOracle({
      nowMs: () => time.monotonicMs(),
      freeSinceMs: (projectId) => database.busy.untilMs(projectId),
    });
    const oracles = { money: this.#oracle, rates: this.#rates };
    this.#invariants = new Invariants(database);
    this.#admissions = new Admissions(random, database, oracles);
    this.#repeats = new Repeats(random, database, (fault) => this.#faults.push(fault));
    this.#isLarge = seed % LARGE_SEEDS === LARGE_SEEDS - 1;
    const idOf = (kind: string): string => this.#id(kind);
    this.#callers = new Callers(random, database, oracles, { isLarge: this.#isLarge, idOf });
    this.#models = new TieredModels(random);
    this.#disturbances = new Disturbances({
      random,
      time,
      database,
      machines: this.#machines,
      callers: this.#callers,
      rates: this.#rates,
      crash: (machine) => this.#crash(machine),
      stop: (machine) => this.#stop(machine),
      takeOver: () => this.#takeOver(),
      request: (principal) => this.#request(principal),
      closeOne: (process) => this.#closeOne((open) => open.process === process),
      lookUp: (process, principal) => this.#lookUp(process, principal),
    });
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
    for (let count = random.between(1, 4); count > 0; count--) {
      const machine = new Machine(surroundings, this.#id('machine'));
      this.#machines.push(machine);
      machine.start();
    }
    await this.#pass(20);
    if (!this.#isLarge) return;
    const meetings = this.#machines.map(({ process }) => process.meetAll());
    await this.#pass(20);
    await Promise.all(meetings);
  }

  /** One thing that may happen, then some time. */
  async step(): Promise<void> {
    const { random } = this;
    const kind = random.between(0, 99);
    if (kind < 50) this.#request();
    else if (kind < 76) this.#closeOne();
    else if (kind < 82) this.#callers.changeLimit();
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
    if (this.random.chance(0.2)) await this.#pass(DISTURBED_MS);
    this.#disturbances.end();
    this.database.catchUp();
    this.database.heal();
    for (const machine of this.#machines) {
      machine.process.store.heal();
      if (machine.process.clock.isGone) machine.start();
      else machine.process.clock.resume();
    }
    await this.#pass(CALM_MS);
    // The last disturbance may have sent requests in the midst of that: they have as long.
    if (this.#oracle.pending.size > 0) await this.#pass(CALM_MS);
    must(this.#oracle.pending.size === 0, 'a request is without an answer');
    while (this.#open.size > 0) this.#closeOne();
    await this.#pass(CALM_MS + this.database.msUntilAllIsHeard);
    this.#check();
    this.#invariants.checkIdle();
    this.#admissions.checkIdle();
    this.#repeats.check();
    for (const { process } of this.#machines) must(process.isWell, 'a process has not come back');
    const callers = this.#isLarge ? this.#callers.all.slice(0, 4) : this.#callers.all;
    for (const principal of onePerProject(callers)) {
      const { spending } = this.random.pick(this.#machines).process;
      if (spending !== null) await this.#admissions.takeAllPlaces(spending, principal, () => this.#pass(PLACES_MS));
    }
    for (const principal of callers) await this.#holdAll(this.#callers.serve(principal));
    for (const count of this.#unsettled.values()) must(count === 0, 'a charge is neither settled nor refused');
    const stops = this.#machines.map(({ process }) => process.spending?.stop() ?? Promise.resolve());
    await this.#pass(CALM_MS);
    await Promise.all(stops);
    this.#check();
    this.#invariants.checkEnded();
    checkReceipts(this.database, this.#closed, this.happened);
    this.happened.superseded = this.database.superseded.size;
    this.happened.exceeded = this.#admissions.answered.exceeded;
  }

  /** When all is quiet, all that a caller has left can be held by any process: nothing lies where nobody knows of it. */
  async #holdAll(principal: Principal): Promise<void> {
    const { process } = this.random.pick(this.#machines);
    const amount = this.#left(principal, process.clock.nowMs());
    if (amount <= 0n) return;
    const pending = this.#oracle.ask(principal, process, amount);
    this.#ask(pending, null).catch((fault: unknown) => this.#faults.push(fault));
    await this.#pass(HOLD_WAIT_MS);
    const open = [...this.#open].find((each) => each.pending === pending);
    must(open !== undefined, 'what is left can not be held');
    this.#close(open);
    await this.#pass(HOLD_WAIT_MS);
  }

  /** What the tightest of a caller's purses has not charged. */
  #left(principal: Principal, nowMs: number): NanoUsd {
    const windowOf = (period: Period): Window => windowAt(period, nowMs);
    const names = [...purseNamesOf(principal, windowOf), ...briefNamesOf(principal, windowOf)];
    if (names.some(({ windowEndMs }) => this.#invariants.wasOver(windowEndMs))) return 0n;
    const left = names.map((name) => {
      const { id, spent } = this.database.model.purse(name);
      const limit = this.database.model.limitOf(name.kind, name.subjectId);
      const charged = this.database.model.leasesOf(id).reduce((sum, { lease }) => sum + lease.charged, 0n);
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

  #disturb(): void {
    this.#admissions.isUndisturbed = false;
    this.#disturbances.next();
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
    this.database.takeOver();
    this.#invariants.tookOver();
    this.#rates.lostPlaces();
    this.#callers.tookOver();
  }

  /** The process is gone, with all that it had in memory. */
  #crash(machine: Machine): void {
    const { process } = machine;
    if (process.clock.isGone) return;
    this.happened.crashes += 1;
    process.clock.end();
    this.#rates.lostTrack();
    this.#unsettled.delete(process);
    for (const pending of this.#oracle.pending) if (pending.process === process) this.#oracle.pending.delete(pending);
    for (const open of this.#open) {
      if (open.process !== process) continue;
      this.#open.delete(open);
      const { hold, pending, epochId } = open;
      this.#oracle.hold(pending.spendings, -hold.amount);
      this.#outstanding.dropped(epochId, pending.principal, hold.amount);
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

  #request(caller = this.#callers.any()): void {
    const { random } = this;
    const principal = this.#callers.serve(caller);
    const { process } = random.pick(this.#machines);
    const tiered = this.#models.request();
    if (!process.canServe) return;
    const pending = this.#oracle.ask(principal, process, tiered.hold);
    this.#ask(pending, tiered).catch((fault: unknown) => this.#faults.push(fault));
  }

  /** `tiered`: null for what only holds an amount, past all rate limits. */
  async #ask(pending: Pending, tiered: TieredRequest | null): Promise<void> {
    const { process, amount } = pending;
    const { spending } = process;
    if (spending === null) return;
    const met = await this.#meet(spending, pending);
    const principal = met === null ? pending.principal : sameServed(met, pending.principal);
    let claimed: Claimed | null = null;
    if (tiered !== null && met !== null && this.random.chance(CLAIMING)) {
      claimed = await this.#repeats.claim(spending, principal, pending, this.#id('request'));
      if (claimed === null) return void this.#oracle.pending.delete(pending);
    }
    let admitted: Admitted | null = null;
    if (tiered !== null && met !== null) {
      admitted = await this.#admissions.admit(spending, principal, pending, this.#machines.length);
      if (admitted === null) {
        releaseSoon(claimed?.claim);
        return void this.#oracle.pending.delete(pending);
      }
    }
    if (claimed?.claim.isSure === false) {
      if (admitted !== null) this.#admissions.giveBack(admitted);
      releaseSoon(claimed.claim);
      return void this.#oracle.pending.delete(pending);
    }
    const { purses } = spending;
    const { epochId } = purses;
    const sinceMs = process.clock.monotonicMs();
    const failure = await acquaint(purses, met === null ? null : principal, amount);
    const heldSinceMs = process.clock.monotonicMs();
    const answer = failure ?? (await this.#draw(purses, principal, pending)) ?? (await purses.hold(principal, amount));
    this.#oracle.observe();
    this.#oracle.pending.delete(pending);
    if (answer instanceof Hold) {
      this.#held({ hold: answer, process, pending, epochId, admitted, claimed, tiered });
    } else {
      if (admitted !== null) this.#admissions.giveBack(admitted);
      releaseSoon(claimed?.claim);
      const waitedMs = process.clock.monotonicMs() - (failure === null ? heldSinceMs : sinceMs);
      this.#refused(pending, answer, waitedMs);
    }
  }

  /** Some only want to know whether their hold would be placed, and some rather take less than wait. */
  async #draw(purses: Purses, principal: Principal, pending: Pending): Promise<Hold | null> {
    const { random } = this;
    const { amount } = pending;
    if (random.chance(PROBING)) await purses.probe(principal, amount);
    if (!random.chance(DRAWING)) return null;
    const drawn = await purses.drawHold(principal, amount);
    this.#oracle.observe();
    if (drawn === null && this.#isAlone(pending) && this.#oracle.isAffordable(pending))
      throw new Error('nothing was drawn although it was there');
    return drawn;
  }

  /** Whether no other request waits and no other process runs that could have taken the money first. */
  #isAlone({ principal }: Pending): boolean {
    const rivals = [...this.#oracle.pending].filter((other) => other.principal.workspaceId === principal.workspaceId);
    return this.#machines.length === 1 && rivals.length === 1;
  }

  #held(open: OpenHold): void {
    const { hold, pending, epochId } = open;
    this.happened.held += 1;
    const isFenced = this.database.model.epochs.get(epochId)?.fenced === true;
    must(!isFenced, 'a hold is placed in an epoch that is fenced');
    this.#open.add(open);
    this.#oracle.hold(pending.spendings, hold.amount);
    this.#outstanding.held(epochId, pending.principal, hold.amount);
  }

  #refused(pending: Pending, answer: HoldFailure, waitedMs: number): void {
    const fault = this.#oracle.faultOf(pending, answer, waitedMs);
    if (fault !== null) throw new Error(fault);
    this.happened[answer.kind === 'unavailable' ? 'unavailable' : answer.transient ? 'transient' : 'final'] += 1;
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

  #lookUp(process: Process, principal: Principal): void {
    if (process.spending === null) return;
    process.meet(process.spending, principal, true).catch((fault: unknown) => {
      if (!(fault instanceof DatabaseUnavailable)) this.#faults.push(fault);
    });
  }

  #closeOne(which: (open: OpenHold) => boolean = () => true): void {
    const running = [...this.#open].filter((open) => open.process.clock.isRunning && which(open));
    if (running.length > 0) this.#close(this.random.pick(running));
  }

  #close(open: OpenHold): void {
    const { random } = this;
    const { hold, process, pending, epochId, admitted, claimed, tiered } = open;
    this.#open.delete(open);
    const answer = tiered === null || random.chance(0.2) ? null : this.#models.answer(tiered);
    const charge = answer?.charge ?? random.pick([hold.amount, 0n]);
    must(charge <= hold.amount, 'an answer costs more than was held for it');
    if (answer?.isEstimated === true) this.happened.estimated += 1;
    const isPoison = random.chance(0.01);
    const draft = {
      ...receiptDraft(pending.principal, charge, isPoison ? POISON : undefined),
      requestId: claimed?.requestId ?? this.#id('request'),
      idempotencyKey: claimed?.claim.idempotencyKey ?? null,
      isWhole: random.chance(0.8),
    };
    this.#oracle.hold(pending.spendings, -hold.amount);
    this.#oracle.charge(pending.spendings, charge);
    this.#outstanding.closed(epochId, pending.principal, hold.amount, draft.requestId, charge);
    if (admitted !== null) this.#admissions.finish(admitted, process);
    const closed: Closed = { charge, open, isPoison, isPaid: false, isRefused: false };
    this.#closed.set(draft.requestId, closed);
    this.#unsettled.set(process, (this.#unsettled.get(process) ?? 0) + 1);
    const ended = (): void => {
      if (this.#unsettled.has(process)) this.#unsettled.set(process, (this.#unsettled.get(process) ?? 0) - 1);
    };
    hold.close(draft, claimed === null ? null : Buffer.from(draft.requestId)).then(
      () => {
        ended();
        closed.isPaid = true;
        if (draft.isWhole) claimed?.claim.complete();
        releaseSoon(claimed?.claim);
      },
      (fault: unknown) => {
        ended();
        releaseSoon(claimed?.claim);
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

  /** Every process is well, nobody's leases wait to be taken back, and no other server has just taken over. */
  #isCalm(): boolean {
    const { database } = this;
    if (database.sinceTakeOverMs < TAKE_OVER_MS || database.refused.hasAny) return false;
    if (!this.#machines.every(({ process }) => process.isWell && !process.store.mayRestAny)) return false;
    let unreaped = 0;
    for (const { reaped } of database.model.epochs.values()) if (!reaped) unreaped += 1;
    return unreaped === this.#machines.length;
  }

  /** What has to hold at any time. */
  #check(): void {
    const { model, hasBeenShaken } = this.database;
    const clocks = this.#machines.map(({ process }) => process.clock.nowMs());
    this.#invariants.check(Math.max(this.database.nowMs, ...clocks));
    this.#outstanding.check(model, hasBeenShaken);
  }
}

function onePerProject(principals: readonly Principal[]): Iterable<Principal> {
  return new Map(principals.map((principal) => [principal.projectId, principal])).values();
}

/** Makes sure, as the gateway does, that this process has leases of all the caller's purses. */
async function acquaint(purses: Purses, principal: Principal | null, amount: NanoUsd): Promise<HoldFailure | null> {
  if (principal === null) return { kind: 'unavailable' };
  return purses.knows(principal) ? null : await purses.acquaint(principal, amount);
}
