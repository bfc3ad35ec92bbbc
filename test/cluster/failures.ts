import { openDatabase } from '../../src/program/database/pool.ts';
import { proveRoll, type RollProof, secondsOf } from '../upgrade/roll-proof.ts';
import type { Machine } from './network.ts';
import { TTL_SECONDS } from './patroni.ts';
import { isForgotten, type Step, Trial, type TrialOptions } from './trial.ts';

// Everything that can fail fails once, and what callers, provider and ledger then say is held against each other.

/** What instances and the balancer may take after there is another primary, or after it was to be there. */
const AFTER_FAILOVER_MS = 5_000;
const SETTLED_MS_MAX = 90_000;

/** The failures by name, in their order. Each leaves the system whole. */
const FAILURES: Readonly<Record<string, (trial: Trial) => Promise<void>>> = {
  async instances(trial) {
    for (const instance of trial.instances) await trial.kill(instance);
  },
  async standbys(trial) {
    for (const machine of await trial.database.standbys()) {
      await trial.befall('a standby is killed', () => trial.database.killServer(machine));
      await trial.untilFollowed();
    }
  },
  primary: (trial) => ofPrimary(trial, 'the primary is killed', (machine) => trial.database.killServer(machine)),
  machine: (trial) =>
    ofPrimary(
      trial,
      'the primary’s machine is lost',
      (machine) => machine.lose(),
      (machine) => trial.database.startAgain(machine),
    ),
  cable: (trial) =>
    ofPrimary(
      trial,
      'the primary’s machine is cut off',
      (machine) => machine.cutOff(),
      (machine) => machine.reach(),
    ),
  disk: (trial) =>
    ofPrimary(
      trial,
      'the primary’s disk is full',
      (machine) => trial.database.fillDisk(machine),
      (machine) => trial.database.makeRoom(machine),
    ),
  async etcd(trial) {
    for (const machine of trial.servers) {
      await trial.befall(`etcd of ${machine.name} restarts`, () => trial.database.restartEtcd(machine));
      await trial.untilFollowed();
    }
  },
  async instances_replaced(trial) {
    for (const instance of trial.instances) {
      await trial.befall(`instance ${instance.name} is replaced`, () => trial.replace(instance));
    }
  },
};

export const FAILURE_NAMES = Object.keys(FAILURES);

async function ofPrimary(
  trial: Trial,
  what: string,
  event: (machine: Machine) => unknown,
  mend?: (machine: Machine) => unknown,
): Promise<void> {
  const machine = await trial.database.primary();
  await trial.befall(what, () => event(machine), mend === undefined ? null : machine);
  if (mend !== undefined) await trial.befall('it is there again', () => mend(machine));
  await trial.untilFollowed();
}

export interface TrialProof extends RollProof {
  readonly steps: readonly Step[];
}

/** Lets these failures befall a system that is started for it. Stops all that it has started. */
export async function tryFailures(names: readonly string[], options: TrialOptions): Promise<TrialProof> {
  const closing = new AsyncDisposableStack();
  try {
    const trial = await Trial.start(closing, options);
    const fromMs = performance.now();
    for (const name of names) await FAILURES[name]?.(trial);
    return await prove(closing, trial, performance.now() - fromMs);
  } finally {
    await closing.disposeAsync();
  }
}

async function prove(closing: AsyncDisposableStack, trial: Trial, durationMs: number): Promise<TrialProof> {
  await trial.load.stop();
  const connection = { url: trial.database.url };
  const database = openDatabase({ connection, connectionsMax: 3, applicationName: 'faregate-test' });
  closing.defer(() => database.close());
  const { load, provider, kills, steps } = trial;
  // What docs/failures.md says of answers that can't be kept for as long as there is no database.
  const forgotten = load.seen.filter(isForgotten);
  const { lines, faults } = await proveRoll({
    database,
    seen: load.seen.filter((one) => !isForgotten(one)),
    answered: provider.answered,
    kills,
    durationMs,
    settledMsMax: SETTLED_MS_MAX,
  });
  // Patroni itself takes longer than its time-out if its machine is busy, or if etcd has lost its leader, too.
  const late = steps.filter(
    ({ primaryAfterMs, wholeAfterMs }) =>
      wholeAfterMs > Math.max(TTL_SECONDS * 1_000, primaryAfterMs ?? 0) + AFTER_FAILOVER_MS,
  );
  return {
    steps,
    lines: [...lines, `${forgotten.length} answers of Responses could not be kept, and were not continued`],
    faults: [
      ...late.map(({ what, wholeAfterMs }) => `${what}: whole only after ${secondsOf(wholeAfterMs)} s`),
      ...faults,
    ],
  };
}
