import { randomUUID } from 'node:crypto';
import { DatabaseUnavailable, SqlFault } from '../../src/lib/sql.ts';
import type { NanoUsd } from '../../src/domain/money.ts';
import { type Principal, type RateLimits, serving } from '../../src/domain/principal.ts';
import { Incarnation } from '../../src/gate/purses/incarnation.ts';
import { Hold } from '../../src/gate/purses/leases/hold.ts';
import type {
  DrawReply,
  DrawRequest,
  FirstDraw,
  HeartbeatReply,
  KeyStore,
  LeaseRelease,
  LookedUp,
  PermitDraw,
  PermitReply,
  PermitStore,
  PurseKind,
  PurseStore,
} from '../../src/gate/purses/ports/database.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import type { HoldFailure, Purses } from '../../src/gate/purses/leases/purses.ts';
import { ModelPermitStore } from '../support/model-permit-store.ts';
import { firstPermitDraws } from './first-permit-draws.ts';
import { MemoryStore } from './memory-store.ts';
import { type Raise } from './model-purses.ts';
import { receiptDraft } from './receipt-draft.ts';
import { VirtualClock } from './virtual-clock.ts';

const NO_RATES: RateLimits = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };

/** The way to the database, which takes effect half-way and does just what a test tells it to. */
export class Link implements PurseStore, KeyStore, PermitStore {
  readonly #model: MemoryStore;
  readonly #permits: ModelPermitStore;
  readonly #clock: VirtualClock;
  roundTripMs = 2;
  state: 'up' | 'down' | 'silent' = 'up';
  /** Heartbeats alone get no answer. */
  isDeaf = false;
  /** Subjects whose purses the database refuses to draw from. */
  readonly refused = new Set<string>();
  /** Projects whose rate limits another transaction has locked. */
  readonly locked = new Set<string>();
  /** How many replies get lost after their effect. */
  lost = 0;
  settlesLate: (receipts: readonly Receipt[]) => void = () => {
    throw new TypeError('nothing is late here');
  };
  #lookUp: () => LookedUp | null = () => null;
  #draw: () => unknown = () => null;
  readonly sent = { lookUps: 0, draws: 0, leasesDrawn: 0, settlements: 0, releases: 0 };

  constructor(model: MemoryStore, permits: ModelPermitStore, clock: VirtualClock) {
    this.#model = model;
    this.#permits = permits;
    this.#clock = clock;
  }

  formerEpochs(): Promise<readonly bigint[]> {
    return Promise.resolve([]);
  }

  beginEpoch(): Promise<bigint> {
    return Promise.resolve(this.#model.beginEpoch());
  }

  timeline(): Promise<string> {
    return Promise.resolve('1');
  }

  heartbeat(epochId: bigint): Promise<HeartbeatReply> {
    if (this.isDeaf) return new Promise(() => undefined);
    return this.#roundTrip(() => {
      this.#model.requireLive(epochId);
      return { databaseNowMs: this.#clock.nowMs(), timeline: '1', peers: [] };
    });
  }

  fence(epochId: bigint): Promise<void> {
    return this.#roundTrip(() => this.#model.fence(epochId));
  }

  find(secrets: readonly Buffer[]): Promise<readonly (Principal | null)[]> {
    this.sent.lookUps += 1;
    return this.#roundTrip(() => this.#model.find(secrets));
  }

  findAndDraw(epochId: bigint, secrets: readonly Buffer[], draw: FirstDraw): Promise<LookedUp> {
    this.sent.lookUps += 1;
    const lookUp = (): LookedUp => {
      const found = this.#model.find(secrets).filter((principal) => principal !== null);
      this.#refuse(found.flatMap(({ workspaceId, projectId, keyId }) => [workspaceId, projectId, keyId]));
      const looked = this.#model.findAndDraw(epochId, secrets, draw);
      const draws = firstPermitDraws(looked, draw).filter(({ projectId }) => !this.locked.has(projectId));
      return { ...looked, permits: this.#permits.drawFirst(epochId, draws) };
    };
    this.#lookUp = lookUp;
    return this.#roundTrip(lookUp);
  }

  /** The last look-up takes effect now, though nobody waits for it any more. */
  lookUpLate(): void {
    this.#lookUp();
  }

  /** The last draw takes effect once more, though it has been answered. */
  drawLate(): void {
    this.#draw();
  }

  draw(epochId: bigint, requests: readonly DrawRequest[]): Promise<readonly (DrawReply | null)[]> {
    this.sent.draws += 1;
    this.sent.leasesDrawn += requests.length;
    this.#draw = () => this.#model.draw(epochId, requests);
    return this.#roundTrip(() => {
      this.#refuse(requests.map(({ purse }) => purse.subjectId));
      return this.#model.draw(epochId, requests);
    });
  }

  drawPermits(epochId: bigint, draws: readonly PermitDraw[]): Promise<readonly (PermitReply | null)[]> {
    return this.#roundTrip(() => {
      const free = draws.filter(({ projectId }) => !this.locked.has(projectId));
      const replies = this.#permits.drawAll(epochId, free);
      return draws.map((draw) => replies[free.indexOf(draw)] ?? null);
    });
  }

  settle(epochId: bigint, receipts: readonly Receipt[]): Promise<void> {
    this.sent.settlements += 1;
    return this.#roundTrip(() => this.#model.settle(epochId, receipts));
  }

  /** Charges are late only where `model.settle` refuses them. */
  settleLate(_epochId: bigint, receipts: readonly Receipt[]): Promise<void> {
    return this.#roundTrip(() => this.settlesLate(receipts));
  }

  quarantine(): Promise<void> {
    return Promise.resolve();
  }

  release(epochId: bigint, leases: readonly LeaseRelease[]): Promise<readonly true[]> {
    this.sent.releases += 1;
    return this.#roundTrip(() => this.#model.release(epochId, leases));
  }

  #refuse(subjectIds: readonly string[]): void {
    if (subjectIds.some((id) => this.refused.has(id))) throw new SqlFault('no', '22003', null);
  }

  #roundTrip<Reply>(work: () => Reply): Promise<Reply> {
    const half = (task: () => void): void => void this.#clock.after(this.roundTripMs / 2, task);
    return new Promise((resolve, reject) => {
      half(() => {
        if (this.state === 'silent') return;
        if (this.state === 'down') return half(() => reject(new DatabaseUnavailable('cut')));
        const outcome = attempt(work);
        const isLost = this.lost > 0;
        if (isLost) this.lost -= 1;
        half(() => {
          if (isLost) reject(new DatabaseUnavailable('cut'));
          else outcome.then(resolve, reject);
        });
      });
    });
  }
}

/** Does it now; how it went is told later. */
function attempt<Reply>(work: () => Reply): Promise<Reply> {
  const outcome = (async () => work())();
  outcome.catch(() => undefined);
  return outcome;
}

/** One process with its purses, and one workspace with a project and some keys of one maker, for tests that say what happens when. */
export class Bench {
  readonly clock: VirtualClock;
  readonly model: MemoryStore;
  readonly permits: ModelPermitStore;
  readonly link: Link;
  readonly faults: unknown[] = [];
  /** The subjects of purses that the process was told it can't have. */
  readonly refusedPurses: string[] = [];
  readonly workspaceId: string;
  readonly projectId: string;
  readonly key: Principal;
  readonly otherKey: Principal;
  #life: Incarnation | null = null;
  #changesTold = 0;

  /** With `beside`, another process of the same callers on the same database. */
  constructor(
    limits: Readonly<Partial<Record<PurseKind, NanoUsd>>>,
    { beside, startMs = Date.UTC(2027, 0, 15) }: { beside?: Bench; startMs?: number } = {},
  ) {
    this.clock = beside?.clock ?? new VirtualClock(startMs);
    this.model = beside?.model ?? new MemoryStore(() => this.clock.nowMs());
    this.permits = beside?.permits ?? new ModelPermitStore(() => this.clock.nowMs());
    this.link = new Link(this.model, this.permits, this.clock);
    this.workspaceId = beside?.workspaceId ?? randomUUID();
    this.projectId = beside?.projectId ?? randomUUID();
    const memberLimitId = limits.member === undefined ? null : randomUUID();
    this.key = beside?.key ?? this.#principal(memberLimitId);
    this.otherKey = beside?.otherKey ?? this.#principal(memberLimitId);
    if (limits.credit !== undefined) this.setLimit('credit', limits.credit);
    if (limits.project !== undefined) this.setLimit('project', limits.project);
    if (limits.member !== undefined) this.setLimit('member', limits.member);
    if (limits.key !== undefined) this.setLimit('key', limits.key);
    if (limits.end_user !== undefined) this.setLimit('end_user', limits.end_user);
    if (limits.session !== undefined) this.setLimit('session', limits.session);
  }

  async start({ epochMs = 30_000, holdWaitMs = 2_000 } = {}): Promise<this> {
    const { clock, link } = this;
    const onFault = (fault: unknown): void => void this.faults.push(fault);
    const id = await link.beginEpoch();
    const begunAtMs = clock.monotonicMs();
    this.#life = new Incarnation(
      {
        store: link,
        permitStore: link,
        keyStore: link,
        clock,
        turns: clock,
        timeoutMs: epochMs,
        holdWaitMs,
        journal: { write: () => Promise.resolve(), clear: () => Promise.resolve() },
        trail: null,
        events: {
          failed: onFault,
          warned: (_message, fault) => onFault(fault),
          receiptRefused: (_receipt, fault) => onFault(fault),
          purseRefused: ({ subjectId }) => void this.refusedPurses.push(subjectId),
          projectRefused: (_projectId, fault) => onFault(fault),
        },
      },
      { id, begunAtMs, timeline: '1' },
      { over: onFault, mustEnd: (why) => onFault(new Error(why)) },
    );
    const started = this.#life.epoch.start();
    await this.pass(10);
    await started;
    return this;
  }

  /** Looks callers up by their keys, lets time pass, and answers with what was said by then; null: nothing. */
  async lookUp(
    principals: readonly Pick<Principal, 'keyId'>[],
    { passMs = 10 } = {},
  ): Promise<readonly (Principal | null)[] | Error | null> {
    let answer: readonly (Principal | null)[] | Error | null = null;
    this.life.firstDraws.lookUp(principals.map(({ keyId }) => Buffer.from(keyId))).then(
      (found) => {
        answer = found;
      },
      (fault: unknown) => {
        answer = fault instanceof Error ? fault : new Error('it failed without an error', { cause: fault });
      },
    );
    await this.pass(passMs);
    return answer;
  }

  get life(): Incarnation {
    if (this.#life === null) throw new Error('the process has not been started');
    return this.#life;
  }

  get purses(): Purses {
    return this.life.purses;
  }

  /** Sets the limit of the workspace, its project, the maker of its keys or its first key, without a word to the process. */
  setLimit(kind: PurseKind, limit: NanoUsd | null, raise: Raise | null = null): void {
    this.model.setLimit(kind, this.#subjectOf(kind), limit, raise);
  }

  /** Sets the rate limits of the project, as every later look-up of its keys finds them. */
  setRates(limits: Partial<RateLimits>): void {
    const rateLimits = { ...NO_RATES, ...limits };
    this.permits.setLimits(this.projectId, rateLimits);
    for (const [secret, principal] of this.model.keys) this.model.keys.set(secret, { ...principal, rateLimits });
  }

  /** Tells the process of the changes since it was told last. */
  tellChanges(): void {
    for (const purseId of this.model.changes.slice(this.#changesTold)) this.purses.purseChanged(purseId);
    this.#changesTold = this.model.changes.length;
  }

  async pass(durationMs: number): Promise<void> {
    await this.clock.pass(durationMs);
  }

  /** Draws the key's leases, with enough for a few holds of that amount. */
  async acquaint(likely: NanoUsd): Promise<void> {
    const acquainted = this.purses.acquaint(this.key, likely);
    await this.pass(10);
    await acquainted;
  }

  /** Asks for a hold, lets time pass, and answers with what was said by then; null: nothing. */
  async ask(amount: NanoUsd, { passMs = 10, by = this.key } = {}): Promise<Hold | HoldFailure | null> {
    let answer: Hold | HoldFailure | null = null;
    this.purses.hold(by, amount).then(
      (said) => {
        answer = said;
      },
      (fault: unknown) => this.faults.push(fault),
    );
    await this.pass(passMs);
    return answer;
  }

  /** Places a hold that there is money for. */
  async hold(amount: NanoUsd, by = this.key): Promise<Hold> {
    const answer = await this.ask(amount, { by });
    if (!(answer instanceof Hold)) throw new Error('the hold was not placed');
    return answer;
  }

  /** Closes a hold and waits until its charge is durable. */
  async close(hold: Hold, charge: NanoUsd, by = this.key): Promise<void> {
    const closed = hold.close(receiptDraft(by, charge));
    await this.pass(2 * this.link.roundTripMs + 10);
    await closed;
  }

  purse(kind: PurseKind): { limit: NanoUsd | null; spent: NanoUsd; leased: NanoUsd; mode: string } {
    const id = this.#subjectOf(kind);
    const found = [...this.model.purses.values()].find(({ name }) => name.subjectId === id);
    if (found === undefined) throw new Error('there is no such purse');
    return found;
  }

  #subjectOf(kind: PurseKind): string {
    const { keyId: key, memberLimitId: member } = this.key;
    const subjects = { credit: this.workspaceId, project: this.projectId, member: member ?? '', key };
    return { ...subjects, end_user: this.#nameOf('end user'), session: this.#nameOf('session') }[kind];
  }

  #nameOf(served: string): string {
    return `${served} of ${this.projectId}`;
  }

  /** The key's caller, for the end user and the session that have the limits, or for others. */
  serving({
    endUser = 'end user',
    session = 'session',
  }: {
    endUser?: string | null;
    session?: string | null;
  }): Principal {
    const name = (served: string | null): string | null => (served === null ? null : this.#nameOf(served));
    return serving(this.key, name(endUser), name(session));
  }

  #principal(memberLimitId: string | null): Principal {
    const principal = Object.freeze({
      workspaceId: this.workspaceId,
      projectId: this.projectId,
      keyId: randomUUID(),
      policies: [],
      expiresAtMs: null,
      rateLimits: NO_RATES,
      budgetPeriod: 'never',
      memberLimitId,
      servedLimits: { endUserPeriod: 'day', sessions: true },
      served: null,
      reportsCost: false,
      isAllowedFrom: null,
      suspension: null,
    } as const);
    this.model.keys.set(principal.keyId, principal);
    return principal;
  }
}
