import { randomUUID } from 'node:crypto';
import type { NanoUsd } from '../../src/domain/money.ts';
import type { Principal } from '../../src/domain/principal.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import { PERIODS } from '../../src/domain/window.ts';
import { Life } from '../../src/purses/life.ts';
import { Hold } from '../../src/purses/leases/hold.ts';
import type { PurseKind } from '../../src/purses/ports/database.ts';
import type { HoldFailure, Purses } from '../../src/purses/leases/purses.ts';
import { MemoryStore, type ModelPurse } from './memory-store.ts';
import { Random } from './random.ts';
import { receiptDraft } from './receipt-draft.ts';
import { MOODS, POISON, SimulatedStore } from './simulated-store.ts';
import { VirtualClock } from './virtual-clock.ts';

/** A Sunday that ends a month, so that days, weeks and months all turn at its midnight. */
const MIDNIGHT_MS = Date.UTC(2027, 1, 1);
const EPOCH_MS = 30_000;
const HOLD_WAIT_MS = 2_000;
const POLL_MS = 250;
const LARGEST = 1_000n;

const neverAsked = (): Promise<never> => Promise.reject(new TypeError('nothing of the kind is asked here'));

interface Process {
  readonly store: SimulatedStore;
  readonly life: Life;
  readonly purses: Purses;
  changesSeen: number;
}

/** What a purse bounds, as the oracle counts it: on its own, from what requests were told. */
interface Subject {
  readonly kind: PurseKind;
  readonly id: string;
  limit: NanoUsd | null;
  /** By open holds, whatever their window. */
  held: NanoUsd;
}

interface Spending {
  readonly subject: Subject;
  charged: NanoUsd;
}

/** A request that has no answer yet, and what has been true since it came. */
interface Pending {
  readonly principal: Principal;
  readonly process: Process;
  readonly amount: NanoUsd;
  /** What it may charge: that of the windows when it came, and when it was answered. */
  spendings: ReadonlySet<Spending>;
  everUnwell: boolean;
  /** Some process was, so that what it had leased was out of reach. */
  everDisturbed: boolean;
  everShort: boolean;
  alwaysAffordable: boolean;
}

interface OpenHold {
  readonly hold: Hold;
  readonly principal: Principal;
  readonly spendings: ReadonlySet<Spending>;
}

/** Workspaces, their callers, the processes that serve them and the database, all in one place and out of one seed. */
export class World {
  readonly random: Random;
  readonly clock: VirtualClock;
  readonly model = new MemoryStore();
  readonly faults: unknown[] = [];
  readonly #processes: Process[] = [];
  readonly #principals: Principal[] = [];
  readonly #pending = new Set<Pending>();
  readonly #open = new Set<OpenHold>();
  readonly #subjects = new Map<string, Subject>();
  readonly #spendings = new Map<string, Spending>();
  readonly #closed = new Map<string, { readonly charge: NanoUsd; readonly spendings: ReadonlySet<Spending> }>();
  readonly #byPurse = new Map<bigint, NanoUsd>();
  #receiptsCounted = 0;
  #settling = 0;
  answered = { held: 0, final: 0, transient: 0, unavailable: 0 };

  constructor(seed: number) {
    this.random = new Random(seed);
    this.clock = new VirtualClock(MIDNIGHT_MS - this.random.between(1, 60) * 1_000);
    for (let count = 0; count < 2; count++) this.#addWorkspace();
  }

  async start(processes: number): Promise<void> {
    for (let count = 0; count < processes; count++) await this.#addProcess();
  }

  /** One thing that may happen, then some time. */
  async step(): Promise<void> {
    const { random } = this;
    const process = random.pick(this.#processes);
    const kind = random.between(0, 99);
    if (kind < 55) this.#request(process);
    else if (kind < 80) this.#closeOne();
    else if (kind < 87) this.#changeLimit();
    else if (kind < 91) process.store.mood = random.pick(MOODS);
    else if (kind < 97) process.store.mood = 'well';
    else for (let count = 0; count < 20; count++) this.#request(process);
    const durationMs = random.pick([0, 0, 1, 5, 20, 20, 100, 400, 3_000]);
    await this.pass(random.chance(0.002) ? 11 * 60_000 : durationMs);
    this.check();
  }

  async pass(durationMs: number): Promise<void> {
    await this.clock.pass(durationMs, () => this.#observe());
    if (this.faults.length > 0) throw new AggregateError(this.faults, String(this.faults[0]));
  }

  /** Brings everything to its end, and says what was left hanging. */
  async quiet(): Promise<void> {
    for (const { store } of this.#processes) store.mood = 'well';
    await this.pass(9_000);
    must(this.#pending.size === 0, 'a request is without an answer');
    while (this.#open.size > 0) this.#closeOne();
    await this.pass(6_000);
    must(this.#settling === 0, 'a charge is neither settled nor refused');
    this.check();
    this.#checkReceipts();
    this.#checkIdle();
    const ends = this.#processes.map(async ({ life, store }) => {
      await life.stop();
      await store.fence(life.epoch.id);
    });
    await this.pass(6_000);
    await Promise.all(ends);
    for (const purse of this.model.purses.values()) {
      must(purse.leased === 0n, 'something is leased when all leases are back');
      must(purse.spent === this.#receiptsOf(purse), 'spent is not what receipts say when all leases are back');
    }
  }

  /** What has to hold at any time. */
  check(): void {
    for (const purse of this.model.purses.values()) {
      const leases = this.model.leasesOf(purse.id).map(({ lease }) => lease);
      const charged = leases.reduce((sum, lease) => sum + lease.charged, 0n);
      const granted = leases.reduce((sum, lease) => sum + lease.granted, 0n);
      const { kind } = purse.name;
      must(kind !== 'credit' || purse.spent + purse.leased <= (purse.limit ?? 0n), 'credit below zero');
      must(purse.leased === granted, 'leased is what closed leases have been granted');
      must(purse.spent + charged === this.#receiptsOf(purse), 'spent is what receipts say');
      for (const lease of leases) must(lease.open || lease.charged <= lease.granted, 'a lease overdrawn');
    }
  }

  #addWorkspace(): void {
    const { random } = this;
    const workspaceId = randomUUID();
    this.#setLimit('credit', workspaceId, random.amount(5n * LARGEST) * BigInt(random.pick([1, 1, 20])));
    for (let projects = random.between(1, 2); projects > 0; projects--) {
      const projectId = randomUUID();
      const budgetPeriod = random.pick(PERIODS);
      this.#setLimit('project', projectId, this.#anyLimit());
      for (let keys = random.between(1, 3); keys > 0; keys--) {
        const keyId = randomUUID();
        this.#setLimit('key', keyId, this.#anyLimit());
        const rateLimits = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };
        this.#principals.push(
          Object.freeze({
            workspaceId,
            projectId,
            keyId,
            policies: [],
            expiresAtMs: null,
            rateLimits,
            budgetPeriod,
          }),
        );
      }
    }
  }

  #anyLimit(): NanoUsd | null {
    return this.random.chance(0.4) ? null : this.random.amount(4n * LARGEST);
  }

  async #addProcess(): Promise<void> {
    const { clock, model } = this;
    const store = new SimulatedStore(model, clock, this.random);
    const id = await store.beginEpoch();
    const onFault = (fault: unknown): void => {
      this.faults.push(fault);
    };
    const begunAtMs = clock.monotonicMs();
    const life = new Life(
      {
        store,
        // No request here has rate limits, or a key that was never seen.
        permitStore: { drawPermits: neverAsked },
        keyStore: { find: neverAsked, findAndDraw: neverAsked },
        clock,
        turns: clock,
        timeoutMs: EPOCH_MS,
        holdWaitMs: HOLD_WAIT_MS,
        // A disk that never fails and is never read again, because no process ends here before it has settled all.
        journal: { write: () => Promise.resolve(), clear: () => Promise.resolve() },
        trail: null,
        events: {
          failed: onFault,
          warned: (_message, fault) => onFault(fault),
          receiptRefused: (receipt, fault) => this.#poisoned(receipt, fault),
          purseRefused: (_purse, fault) => onFault(fault),
          projectRefused: (_projectId, fault) => onFault(fault),
        },
      },
      { id, begunAtMs, timeline: '1' },
      { over: onFault, mustEnd: (why) => onFault(new Error(why)) },
    );
    const started = life.epoch.start();
    await this.pass(10);
    await started;
    const { purses } = life;
    const process: Process = { store, life, purses, changesSeen: model.changes.length };
    this.#processes.push(process);
    const poll = (): void => {
      clock.after(POLL_MS, () => {
        if (store.mood !== 'down') {
          for (const purseId of model.changes.slice(process.changesSeen)) purses.purseChanged(purseId);
          process.changesSeen = model.changes.length;
        }
        poll();
      });
    };
    poll();
  }

  #request(process: Process): void {
    const { random } = this;
    const principal = random.pick(this.#principals);
    const amount = 1n + random.amount(LARGEST) / BigInt(random.pick([1, 1, 10]));
    const pending: Pending = {
      principal,
      process,
      amount,
      spendings: new Set(this.#spendingsOf(principal)),
      everUnwell: false,
      everDisturbed: false,
      everShort: false,
      alwaysAffordable: true,
    };
    this.#pending.add(pending);
    this.#observe();
    this.#ask(pending).catch((fault: unknown) => this.faults.push(fault));
  }

  async #ask(pending: Pending): Promise<void> {
    const { principal, process, amount } = pending;
    const { purses } = process;
    let answer: Hold | HoldFailure | null = null;
    if (!purses.knows(principal)) answer = await purses.acquaint(principal, amount);
    if (answer === null && this.random.chance(0.1)) await purses.probe(principal, amount);
    if (answer === null && this.random.chance(0.2)) {
      answer = await purses.drawHold(principal, amount);
      this.#observe();
      if (answer === null && pending.alwaysAffordable && !pending.everUnwell && this.#isAlone(pending)) {
        throw new Error('nothing was drawn although it was there');
      }
    }
    const sinceMs = this.clock.monotonicMs();
    answer ??= await purses.hold(principal, amount);
    this.#observe();
    this.#pending.delete(pending);
    if (answer instanceof Hold) {
      const { spendings } = pending;
      this.#open.add({ hold: answer, principal, spendings });
      for (const subject of subjectsOf(spendings)) subject.held += amount;
      this.answered.held += 1;
    } else {
      this.#judge(pending, answer, this.clock.monotonicMs() - sinceMs);
    }
  }

  /** A refusal has its reason in what has been true while the request waited. */
  #judge(pending: Pending, failure: HoldFailure, waitedMs: number): void {
    const { everUnwell, everDisturbed, everShort, alwaysAffordable } = pending;
    if (failure.kind === 'unavailable') {
      this.answered.unavailable += 1;
      if (!everUnwell) throw new Error('a verdict was there to be had');
    } else if (failure.transient) {
      this.answered.transient += 1;
      if (waitedMs < HOLD_WAIT_MS) throw new Error(`waited for ${waitedMs} ms only`);
      if (alwaysAffordable && !everDisturbed) throw new Error('refused although the money was there');
    } else {
      this.answered.final += 1;
      if (!everShort) throw new Error('refused for good although the money was not spent');
    }
    if (failure.kind === 'short' && failure.levels.length === 0) throw new Error('a refusal names what is short');
  }

  /** Sees, whenever something has happened, what may excuse a refusal of those who wait. */
  #observe(): void {
    for (const pending of this.#pending) {
      pending.everUnwell ||= this.#isUnwell(pending.process);
      pending.everDisturbed ||= this.#processes.some((process) => this.#isUnwell(process));
      const now = this.#spendingsOf(pending.principal);
      if (!now.every((spending) => pending.spendings.has(spending))) {
        pending.spendings = new Set([...pending.spendings, ...now]);
      }
      for (const { subject, charged } of pending.spendings) {
        if (subject.limit === null) continue;
        if (pending.amount > subject.limit - charged) pending.everShort = true;
        if (pending.amount > subject.limit - charged - subject.held) pending.alwaysAffordable = false;
      }
    }
  }

  #isUnwell({ store, life }: Process): boolean {
    return store.mood !== 'well' || this.clock.monotonicMs() <= store.unwellUntilMs || !life.epoch.isLive;
  }

  /** Whether no other request waits and no other process runs that could have taken the money first. */
  #isAlone({ principal }: Pending): boolean {
    if (this.#processes.length > 1) return false;
    const rivals = [...this.#pending].filter((other) => other.principal.workspaceId === principal.workspaceId);
    return rivals.length === 1;
  }

  #closeOne(): void {
    const { random } = this;
    if (this.#open.size === 0) return;
    const open = random.pick([...this.#open]);
    this.#open.delete(open);
    const { amount } = open.hold;
    const charge = random.pick([amount, amount, 0n, random.amount(amount)]);
    const draft = receiptDraft(open.principal, charge, random.chance(0.02) ? POISON : 'small-chat');
    for (const subject of subjectsOf(open.spendings)) subject.held -= amount;
    for (const spending of open.spendings) spending.charged += charge;
    this.#closed.set(draft.requestId, { charge, spendings: open.spendings });
    this.#settling += 1;
    open.hold.close(draft).then(
      () => {
        this.#settling -= 1;
      },
      (fault: unknown) => {
        this.#settling -= 1;
        if (draft.model !== POISON) this.faults.push(fault);
      },
    );
  }

  #poisoned({ requestId, model }: Receipt, fault: unknown): void {
    if (model !== POISON) this.faults.push(fault);
    const closed = this.#closed.get(requestId);
    must(closed !== undefined, 'a receipt is refused once');
    for (const spending of closed?.spendings ?? []) spending.charged -= closed?.charge ?? 0n;
    this.#closed.delete(requestId);
  }

  #changeLimit(): void {
    const { random, model } = this;
    const { workspaceId, projectId, keyId } = random.pick(this.#principals);
    const kind = random.between(0, 2);
    if (kind === 1) return this.#setLimit('project', projectId, this.#anyLimit());
    if (kind === 2) return this.#setLimit('key', keyId, this.#anyLimit());
    // Credit is given, or taken as far as nobody has leased or spent it.
    const purse = [...model.purses.values()].find(({ name }) => name.subjectId === workspaceId);
    const limit = model.limitOf('credit', workspaceId) ?? 0n;
    const free = limit - (purse === undefined ? 0n : purse.spent + purse.leased);
    const change = random.chance(0.7) ? random.amount(LARGEST) : -random.amount(free);
    this.#setLimit('credit', workspaceId, limit + change);
  }

  #setLimit(kind: PurseKind, id: string, limit: NanoUsd | null): void {
    this.model.setLimit(kind, id, limit);
    const subject = this.#subjects.get(id);
    if (subject === undefined) this.#subjects.set(id, { kind, id, limit, held: 0n });
    else subject.limit = limit;
  }

  #spendingsOf({ workspaceId, projectId, keyId, budgetPeriod }: Principal): readonly Spending[] {
    const nowMs = this.clock.nowMs();
    const turned = nowMs >= MIDNIGHT_MS;
    return [
      this.#spending(workspaceId, false),
      this.#spending(projectId, turned && budgetPeriod !== 'never'),
      this.#spending(keyId, turned),
    ];
  }

  /** What a subject spends in the window before or after the turn. */
  #spending(id: string, turned: boolean): Spending {
    const key = turned ? `${id} turned` : id;
    let spending = this.#spendings.get(key);
    if (spending === undefined) {
      const subject = this.#subjects.get(id);
      if (subject === undefined) throw new Error('there is no such subject');
      spending = { subject, charged: 0n };
      this.#spendings.set(key, spending);
    }
    return spending;
  }

  #receiptsOf({ id }: ModelPurse): NanoUsd {
    const { receipts } = this.model;
    if (receipts.size !== this.#receiptsCounted) {
      this.#receiptsCounted = receipts.size;
      this.#byPurse.clear();
      for (const { charge, creditPurseId, projectPurseId, keyPurseId } of receipts.values()) {
        for (const purseId of [creditPurseId, projectPurseId, keyPurseId]) {
          this.#byPurse.set(purseId, (this.#byPurse.get(purseId) ?? 0n) + charge);
        }
      }
    }
    return this.#byPurse.get(id) ?? 0n;
  }

  /** Each hold that was closed has left one receipt with its charge, and no receipt is without one. */
  #checkReceipts(): void {
    const stored = this.model.receipts;
    must(stored.size === this.#closed.size, 'as many receipts as holds that were closed');
    for (const [requestId, { charge }] of this.#closed) {
      must(stored.get(requestId)?.charge === charge, 'a hold that was closed has its receipt');
    }
    for (const { life } of this.#processes) must(life.unsettled === 0, 'nothing is unsettled');
  }

  /**
   * Nobody has anything open: of what may still be spent, little beside what its purse has left lies in leases. What was
   * a 64th of it when its process asked may be somewhat more, once others have spent.
   */
  #checkIdle(): void {
    for (const purse of this.model.purses.values()) {
      const { windowEndMs } = purse.name;
      if (purse.limit === null || (windowEndMs !== null && windowEndMs <= this.clock.nowMs())) continue;
      for (const { lease } of this.model.leasesOf(purse.id)) {
        if (lease.open) continue;
        const available = purse.limit - purse.spent - purse.leased;
        const idle = lease.granted - lease.charged;
        must(idle * 32n <= (available > 0n ? available : 0n) + idle, 'money lies idle');
      }
    }
  }
}

const subjectsOf = (spendings: Iterable<Spending>): ReadonlySet<Subject> =>
  new Set([...spendings].map(({ subject }) => subject));

/** Checked after every step, where a matcher would cost more than the step. */
function must(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}
