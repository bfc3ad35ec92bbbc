import type { Principal } from '../../src/domain/principal.ts';
import type { Callers } from './callers.ts';
import { BUSY_MS } from './fleet-oracle.ts';
import type { Machine, Process } from './machine.ts';
import { MOODS, UNANSWERED_MS_MAX } from './process-store.ts';
import type { Random } from './random.ts';
import type { RateOracle } from './rate-oracle.ts';
import type { SharedDatabase } from './shared-database.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** What disturbances happen to, and who carries out what needs more than a word. */
interface Disturbed {
  readonly random: Random;
  readonly time: VirtualClock;
  readonly database: SharedDatabase;
  readonly machines: readonly Machine[];
  readonly callers: Callers;
  readonly rates: RateOracle;
  readonly crash: (machine: Machine) => void;
  readonly stop: (machine: Machine) => void;
  readonly takeOver: () => void;
  /** Has some process serve a request of this caller. */
  readonly request: (principal: Principal) => void;
  /** Closes one of the holds that the process has open, if it has any. */
  readonly closeOne: (process: Process) => void;
  /** Has the process look a caller up that it knows nothing of. */
  readonly lookUp: (process: Process, principal: Principal) => void;
}

/** All that may go wrong, one at a time, each with its own odds. */
export class Disturbances {
  readonly #disturbed: Disturbed;
  readonly #all: readonly ((machine: Machine) => void)[];
  #isOver = false;

  constructor(disturbed: Disturbed) {
    this.#disturbed = disturbed;
    const { crash, random } = disturbed;
    const spoil = ({ process }: Machine): void => this.#spoil(process);
    const pause = ({ process }: Machine): void => this.#pause(process);
    const all = [
      spoil,
      spoil,
      spoil,
      pause,
      pause,
      crash,
      crash,
      (machine: Machine) => this.#outage(machine),
      (machine: Machine) => this.#jump(machine.process),
      () => this.#changeServers(),
      () => this.#refuse(),
      () => this.#lock(),
      (machine: Machine) => this.#loseLookUp(machine),
      (machine: Machine) => this.#restart(machine),
    ];
    // What one of them brings about is excused where others come along all the time.
    this.#all = random.chance(0.3) ? [random.pick(all), random.pick(all)] : all;
  }

  /** Lets one of them happen. */
  next(): void {
    const { random, machines, rates } = this.#disturbed;
    rates.lostTrack();
    random.pick(this.#all)(random.pick(machines));
  }

  /** What has begun goes on, but no more commits are lost. */
  end(): void {
    this.#isOver = true;
  }

  #spoil(process: Process): void {
    const { random, time, rates } = this.#disturbed;
    process.store.mood = random.pick(MOODS);
    time.after(random.pick([100, 1_000, 3_000, 8_000]), () => {
      rates.lostTrack();
      process.store.mood = 'well';
    });
  }

  #pause({ clock }: Process): void {
    const { random, time } = this.#disturbed;
    clock.pause();
    time.after(random.pick([10, 500, 2_300, 2_600, 6_000]), () => clock.resume());
  }

  /**
   * The database is away for so long that answers go out with their charges in the journal, and then the process is gone
   * before it has settled them all, or any: then another server takes over that lacks what the next process makes of them.
   */
  #outage(machine: Machine): void {
    const { random, time, crash, closeOne } = this.#disturbed;
    const { process } = machine;
    process.store.mood = 'down';
    // More than can be under way at a time, so that the journal alone has the last of them.
    for (const ms of [0, 600, 1_200, 1_800, 2_400]) time.after(ms, () => closeOne(process));
    time.after(random.between(6_200, 7_500), () => {
      const isLost = random.chance(0.5);
      if (!isLost) process.store.mood = 'slow';
      time.after(isLost ? 0 : random.between(0, 2_500), () => {
        if (machine.process !== process) return;
        if (isLost) this.#loseWhatFollows();
        crash(machine);
      });
    });
  }

  /** Another server takes over that lacks what the next process here settles of its journal. */
  #loseWhatFollows(): void {
    const { random, time, database, takeOver } = this.#disturbed;
    if (this.#isOver) return;
    if (!database.isLagging) database.lag();
    time.after(random.between(1_000, 8_000), () => {
      if (database.isLagging) takeOver();
    });
  }

  /** The database's clock jumps, or a process's, until it hears of the database's again. */
  #jump({ clock }: Process): void {
    const { random, database } = this.#disturbed;
    const byMs = random.pick([-1, 1]) * random.pick([5, 1_000, 40_000, 7_200_000]);
    if (random.chance(0.7)) database.jump(byMs);
    else clock.jump(byMs);
  }

  #changeServers(): void {
    const { database, takeOver } = this.#disturbed;
    if (database.isLagging) takeOver();
    else database.lag();
  }

  #refuse(): void {
    const { random, database, callers } = this.#disturbed;
    const { workspaceId, projectId, keyId } = callers.any();
    database.refused.begin(random.pick([workspaceId, projectId, keyId]), random.pick([100, 1_000, 7_000]));
  }

  /** A connection that stands still in the middle of a statement keeps rows from all others until the server ends it. */
  #lock(): void {
    const { random, time, database, callers, rates, request } = this.#disturbed;
    const principal = callers.any();
    const { workspaceId, projectId, keyId } = principal;
    const lockedMs = random.pick([30, 300, 2_000, 5_000]);
    database.busy.begin(random.pick([workspaceId, projectId, projectId, keyId]), lockedMs);
    time.after(lockedMs + BUSY_MS, () => rates.lostTrack());
    const neighbours = callers.all.filter((other) => other.workspaceId === workspaceId);
    for (let ms = 0; ms < lockedMs; ms += 150) {
      time.after(ms, () => request(principal));
      time.after(ms, () => request(random.pick(neighbours)));
    }
  }

  /** A look-up gets no answer, its repeats are refused, and then, when nothing is refused any more, it takes effect. */
  #loseLookUp({ process }: Machine): void {
    const { random, database, callers, lookUp } = this.#disturbed;
    if (!process.canServe) return;
    const principal = callers.any();
    const refusedMs = random.pick([2 * UNANSWERED_MS_MAX, 3_000]);
    database.refused.begin(random.pick([principal.workspaceId, principal.projectId, principal.keyId]), refusedMs);
    process.store.loseLookUp(refusedMs + random.between(1, 500));
    lookUp(process, principal);
  }

  #restart(machine: Machine): void {
    const { machines, stop } = this.#disturbed;
    if (machine.process.canServe) return stop(machine);
    for (const { process } of machines) process.store.mood = 'well';
  }
}
