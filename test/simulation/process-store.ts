import { DatabaseUnavailable, SqlFault } from '../../src/lib/sql.ts';
import type { Principal } from '../../src/domain/principal.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import type { IdempotencyStore } from '../../src/gate/gateway/claims/idempotency-store.ts';
import {
  type DrawReply,
  type DrawRequest,
  type FirstDraw,
  type HeartbeatReply,
  type KeptAnswers,
  type KeyStore,
  LeaseGone,
  type LeaseRelease,
  type LookedUp,
  type PermitDraw,
  type PermitReply,
  type PermitStore,
  type PurseStore,
  type Waiting,
} from '../../src/gate/purses/ports/database.ts';
import type { ProcessClock } from './process-clock.ts';
import type { Random } from './random.ts';
import type { SharedDatabase } from './shared-database.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** How the way to the database is: as it should be, slow, losing statements or answers, or cut. */
export const MOODS = ['well', 'slow', 'lossy', 'down'] as const;
type Mood = (typeof MOODS)[number];

/** Receipts of this model are refused by the database for good. */
export const POISON = 'poison';

/** The longest that a statement may be on its way. */
const LATE_MS_MAX = 240_000;
/** How long a statement waits for a row that is locked. */
const LOCK_MS_MAX = 250;
const WAITING: Waiting = { waits: true };
/** How long a process waits at most for an answer that doesn't come. */
export const UNANSWERED_MS_MAX = 400;
/** How long after that what it asks again may still be on its way. */
const ASKED_AGAIN_MS = 500;

/** How long a process leaves a purse alone at most, once it has heard that it is refused: five seconds by a slow clock. */
const REST_MS_MAX = 5_500;

/** What a purse or a lease would break that has lost what a process counts on. */
const BROKEN_BY_LOSS: readonly (string | null)[] = ['leases_charged_within_grant', 'purses_credit_never_overdrawn'];

/** Nothing can be drawn from the purses of these subjects. */
class PursesRefused extends SqlFault {
  readonly subjectIds: readonly string[];

  constructor(subjectIds: readonly string[]) {
    super('a number is too large', '22003', null);
    this.subjectIds = subjectIds;
  }
}

/**
 * The way from one of many processes to the database that they share. What is sent takes effect there at its own time,
 * whatever has become of its sender; the answer reaches the sender when it runs.
 */
export class ProcessStore implements PurseStore, KeyStore, PermitStore {
  /** What the gateway keeps its claims in. */
  readonly idempotency: IdempotencyStore = {
    // A claim that is answered never takes effect again; one that isn't may, and its request says that it is in doubt.
    claim: (epochId, request, bodySha256) =>
      this.#roundTrip(() => this.#database.claim(epochId, request, bodySha256), { mayRepeat: false }),
    isClaimed: (use) => this.#roundTrip(() => this.#database.claims.isClaimed(use)),
    release: (request, isInDoubt) => this.#roundTrip(() => this.#database.claims.release(request, isInDoubt)),
  };
  readonly #database: SharedDatabase;
  readonly #time: VirtualClock;
  readonly #clock: ProcessClock;
  readonly #random: Random;
  readonly #instanceId: string;
  mood: Mood = 'well';
  /** After how long the next look-up takes effect, which gets no answer; null where it is like any other. */
  #lostLookUpMs: number | null = null;
  /** Until when what was sent in bad times may still have consequences, in everybody's time. */
  unwellUntilMs = 0;
  /** When this process last heard that a subject's purses are refused, in everybody's time. */
  readonly #refusalsMs = new Map<string, number>();

  constructor(
    database: SharedDatabase,
    clocks: { time: VirtualClock; process: ProcessClock },
    random: Random,
    instanceId: string,
  ) {
    this.#database = database;
    this.#time = clocks.time;
    this.#clock = clocks.process;
    this.#random = random;
    this.#instanceId = instanceId;
  }

  /** Whether this process may be leaving a subject's purses alone, because it has heard that they are refused. */
  mayRest(subjectId: string): boolean {
    return this.#time.monotonicMs() - (this.#refusalsMs.get(subjectId) ?? -Infinity) < REST_MS_MAX;
  }

  /** Whether it may be leaving any alone. */
  get mayRestAny(): boolean {
    for (const subjectId of this.#refusalsMs.keys()) if (this.mayRest(subjectId)) return true;
    return false;
  }

  formerEpochs(): Promise<readonly bigint[]> {
    return this.#roundTrip(() => this.#database.model.formerEpochs(this.#instanceId));
  }

  beginEpoch(instanceId: string, _processName: string, timeoutMs: number): Promise<bigint> {
    return this.#roundTrip(() => this.#database.beginEpoch(instanceId, timeoutMs));
  }

  timeline(): Promise<string> {
    return this.#roundTrip(() => this.#database.timeline);
  }

  heartbeat(epochId: bigint): Promise<HeartbeatReply> {
    return this.#roundTrip(() => this.#database.heartbeat(epochId));
  }

  async fence(epochId: bigint, heartbeat?: string): Promise<void> {
    if (await this.#roundTrip(() => this.#database.declareDead(epochId, heartbeat))) {
      await this.#roundTrip(() => this.#database.reap(epochId));
    }
  }

  find(secrets: readonly Buffer[]): Promise<readonly (Principal | null)[]> {
    return this.#roundTrip(() => this.#database.model.find(secrets));
  }

  /** The next look-up gets no answer, and takes effect so many milliseconds later. */
  loseLookUp(lateMs: number): void {
    this.#lostLookUpMs = lateMs;
  }

  /** From now on all that is sent gets an answer soon. */
  heal(): void {
    this.mood = 'well';
    this.#lostLookUpMs = null;
  }

  findAndDraw(epochId: bigint, secrets: readonly Buffer[], draw: FirstDraw): Promise<LookedUp> {
    const work = (): LookedUp => {
      const known = this.#database.model.find(secrets).filter((principal) => principal !== null);
      this.#refuse(known.flatMap(({ workspaceId, projectId, keyId }) => [workspaceId, projectId, keyId]));
      return withLeases(() => this.#database.findAndDraw(epochId, secrets, draw));
    };
    const lateMs = this.#lostLookUpMs;
    this.#lostLookUpMs = null;
    return lateMs === null ? this.#roundTrip(work) : this.#lose(work, lateMs);
  }

  draw(epochId: bigint, requests: readonly DrawRequest[], { waits } = WAITING): Promise<readonly (DrawReply | null)[]> {
    const subjectIds = requests.map(({ purse }) => purse.subjectId);
    const work = (): readonly (DrawReply | null)[] => {
      this.#refuse(subjectIds);
      return withLeases(() => this.#database.draw(epochId, requests));
    };
    return this.#roundTrip(work, { waitsFor: waits ? subjectIds : [] });
  }

  drawPermits(
    epochId: bigint,
    draws: readonly PermitDraw[],
    { waits } = WAITING,
  ): Promise<readonly (PermitReply | null)[]> {
    const waitsFor = waits ? draws.map(({ projectId }) => projectId) : [];
    return this.#roundTrip(() => this.#database.drawPermits(epochId, draws), { waitsFor });
  }

  settle(epochId: bigint, receipts: readonly Receipt[], answers: KeptAnswers): Promise<void> {
    return this.#roundTrip(() => {
      refusePoison(receipts);
      withLeases(() => this.#database.settle(epochId, receipts, answers));
    });
  }

  settleLate(epochId: bigint, receipts: readonly Receipt[], answers: KeptAnswers): Promise<void> {
    const work = (): void => {
      refusePoison(receipts);
      this.#database.settleLate(epochId, receipts, answers);
    };
    return this.#roundTrip(work, {
      waitsFor: receipts.flatMap(({ workspaceId, projectId, keyId }) => [workspaceId, projectId, keyId]),
    });
  }

  release(epochId: bigint, leases: readonly LeaseRelease[], { waits } = WAITING): Promise<readonly (true | null)[]> {
    const waitsFor = waits ? leases.map(({ purseId }) => this.#database.subjectOf(purseId)) : [];
    return this.#roundTrip(() => this.#database.release(epochId, leases), { waitsFor });
  }

  quarantine(receipt: Receipt): Promise<void> {
    return this.#roundTrip(() => this.#database.quarantine(receipt));
  }

  #unwellFor(durationMs: number): void {
    this.unwellUntilMs = Math.max(this.unwellUntilMs, this.#time.monotonicMs() + durationMs + ASKED_AGAIN_MS);
  }

  #refuse(subjectIds: readonly string[]): void {
    const refused = subjectIds.filter((id) => this.#database.refused.has(id));
    if (refused.length > 0) throw new PursesRefused(refused);
  }

  #noteRefusal(fault: Error): void {
    if (!(fault instanceof PursesRefused)) return;
    for (const subjectId of fault.subjectIds) this.#refusalsMs.set(subjectId, this.#time.monotonicMs());
  }

  /** Gets no answer. The statement may take effect all the same, after everybody has given it up, and been asked again. */
  #lose(work: () => unknown, lateMs: number | null): Promise<never> {
    if (lateMs !== null) {
      this.#database.hearUntil(this.#time.monotonicMs() + lateMs);
      this.#time.after(lateMs, () => ignoringFaults(work));
    }
    const unansweredMs = this.#random.between(1, UNANSWERED_MS_MAX);
    this.#unwellFor(unansweredMs);
    return new Promise((_, reject) => {
      this.#clock.after(unansweredMs, () => {
        // Its process may have stood still until now, and asks again a little later.
        this.#unwellFor(0);
        reject(new DatabaseUnavailable('no answer'));
      });
    });
  }

  #roundTrip<Reply>(
    work: () => Reply,
    { mayRepeat = true, waitsFor = [] }: { mayRepeat?: boolean; waitsFor?: readonly string[] } = {},
  ): Promise<Reply> {
    const random = this.#random;
    const isSlow = this.mood === 'slow';
    const busyMs = waitsFor.reduce((longest, id) => Math.max(longest, this.#database.busy.leftMs(id)), 0);
    const thereMs = Math.min(LOCK_MS_MAX, busyMs) + (isSlow ? random.between(0, 1_500) : random.between(0, 2));
    const backMs = isSlow ? random.between(0, 1_500) : random.between(0, 2);
    const isLost = this.mood === 'down' || (this.mood === 'lossy' && random.chance(0.6));
    const hasEffect = this.mood !== 'down' && random.chance(0.7);
    const isRepeated = mayRepeat && this.mood === 'lossy' && random.chance(0.5);
    if (this.mood !== 'well') this.#unwellFor(thereMs + backMs);
    if (isLost) return this.#lose(work, hasEffect ? lateBy(random) : null);
    return new Promise((resolve, reject) => {
      this.#time.after(thereMs, () => {
        const answer = answerOf(work);
        this.#clock.after(backMs, () => {
          if (answer.isReply) return resolve(answer.reply);
          this.#noteRefusal(answer.fault);
          reject(answer.fault);
        });
      });
      if (isRepeated) this.#time.after(thereMs + random.between(0, 500), () => ignoringFaults(work));
    });
  }
}

/** After how long a statement takes effect whose sender has got no answer: in rare cases after minutes. */
function lateBy(random: Random): number {
  return random.chance(0.001) ? random.between(20_000, LATE_MS_MAX) : random.pick([0, 0, 300, 3_000]);
}

type Answer<Reply> =
  | { readonly isReply: true; readonly reply: Reply }
  | { readonly isReply: false; readonly fault: Error };

function answerOf<Reply>(work: () => Reply): Answer<Reply> {
  try {
    return { isReply: true, reply: work() };
  } catch (fault) {
    return { isReply: false, fault: fault instanceof Error ? fault : new TypeError('no error', { cause: fault }) };
  }
}

function ignoringFaults(work: () => unknown): void {
  try {
    work();
  } catch {
    // Nobody hears of it.
  }
}

function refusePoison(receipts: readonly Receipt[]): void {
  if (receipts.some(({ model }) => model === POISON)) throw new SqlFault('the text is refused', '22021', null);
}

function withLeases<Reply>(work: () => Reply): Reply {
  try {
    return work();
  } catch (fault) {
    const isGone =
      fault instanceof SqlFault && (fault.sqlState === 'FG002' || BROKEN_BY_LOSS.includes(fault.constraint));
    throw isGone ? new LeaseGone('the database no longer knows what was leased', { cause: fault }) : fault;
  }
}
