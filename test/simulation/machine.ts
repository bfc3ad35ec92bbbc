import type { Principal } from '../../src/domain/principal.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import { pause } from '../../src/lib/pause.ts';
import { untilKnown } from '../../src/lib/until-known.ts';
import { recover, retrace } from '../../src/gate/purses/settlement/recovery.ts';
import { Spending } from '../../src/gate/purses/spending.ts';
import { MemoryJournals } from './memory-journals.ts';
import { MemoryTrails } from './memory-trails.ts';
import { ProcessClock } from './process-clock.ts';
import { ProcessStore } from './process-store.ts';
import type { Random } from './random.ts';
import type { SharedDatabase } from './shared-database.ts';
import type { VirtualClock } from './virtual-clock.ts';

export const TIMEOUT_MS = 2_400;
export const HOLD_WAIT_MS = 1_000;
const RETRY_MS = 100;
const DRIFT = 0.009;
/** How long after it has stood still a process may still find what failed in the past. */
const AWAKE_MS = 100;
/** How fast processes' clocks run: most as the others, some by nearly as much too fast or too slow as peers allow for. */
const RATES = [1, 1, 1, 1 - DRIFT, 1 + DRIFT];
/** How long after a change the process hears of it at most. */
const POLL_MS = 100;

export interface MachineEvents {
  readonly onFault: (fault: unknown) => void;
  readonly onPoison: (receipt: Receipt, fault: unknown) => void;
}

/** What a machine needs of the world around it. */
export interface Surroundings extends MachineEvents {
  readonly time: VirtualClock;
  readonly database: SharedDatabase;
  readonly random: Random;
}

/** One run of the program: what is gone with it is its memory. */
export class Process {
  readonly clock: ProcessClock;
  readonly store: ProcessStore;
  spending: Spending | null = null;
  /** Callers whose keys it has looked up, and the look-up under way: there is one at a time. */
  readonly #known = new Map<string, Principal>();
  /** How many times it has heard of changes. */
  #heard = 0;
  #lookingUp: Promise<unknown> = Promise.resolve();
  readonly #surroundings: Surroundings;
  #changesSeen: number;
  #callBacksSeen: number;
  #ratesSeen: number;
  #takeOversSeen: number;

  constructor(surroundings: Surroundings, instanceId: string) {
    const { time, database, random } = surroundings;
    this.#surroundings = surroundings;
    this.clock = new ProcessClock(time, database.nowMs, random.pick(RATES));
    this.store = new ProcessStore(database, { time, process: this.clock }, random, instanceId);
    this.#changesSeen = database.model.changes.length;
    this.#callBacksSeen = database.permits.callBacks.length;
    this.#ratesSeen = database.ratesVersion;
    this.#takeOversSeen = database.takeOvers;
  }

  get canServe(): boolean {
    return this.clock.isRunning && this.spending !== null;
  }

  get isWell(): boolean {
    const { store, clock, spending } = this;
    const isInTouch = store.mood === 'well' && this.#surroundings.time.monotonicMs() > store.unwellUntilMs;
    const isAwake = clock.isRunning && clock.sinceResumedMs > AWAKE_MS;
    return isInTouch && isAwake && spending !== null && spending.isLive;
  }

  /** Until when it stood still, or may have waited for what it sent in bad times; everybody's milliseconds. */
  get wellSinceMs(): number {
    return Math.max(this.store.unwellUntilMs, this.#surroundings.time.monotonicMs() - this.clock.sinceResumedMs);
  }

  /** Settles what former processes have left here, then begins. Tries until the database answers. */
  async boot(instanceId: string, { journals, trails }: Directory): Promise<void> {
    const { clock, store } = this;
    const { onFault, onPoison } = this.#surroundings;
    const ownEpochs = new Set<bigint>();
    const again = async (): Promise<true> => {
      await pause(clock, RETRY_MS);
      return true;
    };
    const retraceUntilKnown = (): Promise<unknown> =>
      untilKnown(() => retrace(store, trails.left(ownEpochs), onPoison), again);
    await untilKnown(async () => {
      await recover(store, await store.formerEpochs(), journals.left(), {
        trailOf: (epochId) => trails.of(epochId, clock),
        onPoison,
      });
      await retrace(store, trails.left(ownEpochs), onPoison);
      this.spending = await Spending.start({
        store,
        keyStore: store,
        permitStore: store,
        clock,
        turns: clock,
        instanceId,
        processName: 'simulated',
        timeoutMs: TIMEOUT_MS,
        holdWaitMs: HOLD_WAIT_MS,
        journalOf: (epochId) => {
          ownEpochs.add(epochId);
          return journals.of(epochId, clock);
        },
        trailOf: (epochId) => trails.of(epochId, clock),
        events: {
          serverBegun: () => {
            retraceUntilKnown().catch(onFault);
          },
          failed: onFault,
          warned: () => undefined,
          receiptRefused: onPoison,
          // Only what the database was told to refuse is refused, which the requests tell.
          purseRefused: () => undefined,
          projectRefused: () => undefined,
        },
      });
    }, again);
  }

  /** The caller as this process knows it; looked up where it doesn't, or, `anew`, where it has forgotten. */
  async meet(spending: Spending, { keyId }: Principal, anew: boolean): Promise<Principal> {
    const known = this.#known.get(keyId);
    if (known !== undefined && !anew) return known;
    // Another key comes along, and one that nobody has.
    const other = this.#surroundings.random.pick([...this.#surroundings.database.model.keys.keys()]);
    const secrets = [keyId, 'nobody', other].map((secret) => Buffer.from(secret));
    const lookUp = this.#lookingUp.then(() => spending.lookUp(secrets));
    this.#lookingUp = lookUp.catch(() => undefined);
    const heard = this.#heard;
    const [principal, nobody] = await lookUp;
    if (principal === undefined || principal === null || nobody !== null) throw new TypeError('a look-up is wrong');
    // What it has read may be from before a change that was heard meanwhile.
    if (heard === this.#heard) this.#known.set(keyId, principal);
    return principal;
  }

  /** Learns of all keys at once, as one does who serves many. */
  async meetAll(): Promise<void> {
    const { spending } = this;
    if (spending === null) return;
    const { keys } = this.#surroundings.database.model;
    const lookUp = this.#lookingUp.then(() => spending.lookUp([...keys.keys()].map((secret) => Buffer.from(secret))));
    this.#lookingUp = lookUp.catch(() => undefined);
    const heard = this.#heard;
    for (const principal of await lookUp) {
      if (principal !== null && heard === this.#heard) this.#known.set(principal.keyId, principal);
    }
  }

  /** Hears of changes, some time after they were made. */
  poll(): void {
    const { database, random } = this.#surroundings;
    const { changes } = database.model;
    const { callBacks } = database.permits;
    const hasTakenOver = database.takeOvers !== this.#takeOversSeen;
    const hasChanged =
      changes.length !== this.#changesSeen ||
      callBacks.length !== this.#callBacksSeen ||
      database.ratesVersion !== this.#ratesSeen;
    if (this.spending === null || !(hasChanged || hasTakenOver)) return;
    const changed = new Set(changes.slice(this.#changesSeen));
    const calledBack = new Set(callBacks.slice(this.#callBacksSeen));
    this.#changesSeen = changes.length;
    this.#callBacksSeen = callBacks.length;
    this.#ratesSeen = database.ratesVersion;
    this.#takeOversSeen = database.takeOvers;
    const hear = (): void => {
      // Out of touch nobody polls; what was missed comes with the first poll that is answered.
      if (this.store.mood === 'down') return void this.clock.after(POLL_MS, hear);
      this.#known.clear();
      this.#heard += 1;
      if (hasTakenOver) this.spending?.purses.everyPurseChanged();
      else for (const purseId of changed) this.spending?.purses.purseChanged(purseId);
      for (const projectId of calledBack) this.spending?.permits.callBack(projectId);
    };
    this.clock.after(random.between(0, POLL_MS), hear);
  }
}

/** What a data directory keeps. */
interface Directory {
  readonly journals: MemoryJournals;
  readonly trails: MemoryTrails;
}

/** One data directory, and the process that runs there. */
export class Machine {
  readonly instanceId: string;
  readonly #surroundings: Surroundings;
  readonly #directory: Directory;
  process: Process;

  constructor(surroundings: Surroundings, instanceId: string) {
    this.#surroundings = surroundings;
    this.#directory = { journals: new MemoryJournals(), trails: new MemoryTrails(surroundings.time) };
    this.instanceId = instanceId;
    this.process = new Process(surroundings, instanceId);
  }

  /** Starts a process where the former one is gone. */
  start(): void {
    if (this.process.clock.isGone) this.process = new Process(this.#surroundings, this.instanceId);
    this.process.boot(this.instanceId, this.#directory).catch((fault: unknown) => this.#surroundings.onFault(fault));
  }
}
