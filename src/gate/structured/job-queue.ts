import type { ValidationResult, ValidationTask } from './validation-messages.ts';

/** The most text that is validated together, in characters: far less than a deadline allows. */
const TOGETHER_CHARACTERS_MAX = 64 * 1_024;

/** One task on its way through a lane. */
export interface Job {
  /** Its workspace: none has jobs in two threads at a time, so that none can have all threads. */
  readonly owner: string;
  readonly task: ValidationTask;
  /** Its limit of CPU time. */
  readonly deadlineMs: number;
  /** Called with the result; null if the job's thread was ended by the deadline or the bound on memory. */
  readonly done: (result: ValidationResult | null) => void;
  /** Called at its turn; false if it has moved to another lane. */
  readonly isWanted: () => boolean;
}

/** A waiting job, and its share of a thread's batch. */
interface QueuedJob {
  readonly job: Job;
  readonly characters: number;
}

/**
 * Jobs that wait for a thread, in order of arrival. Small ones of one owner form a batch: waking a thread and
 * receiving its message costs more than validating an answer of a few kilobytes.
 */
export class JobQueue {
  readonly #waiting: QueuedJob[] = [];

  get size(): number {
    return this.#waiting.length;
  }

  add(job: Job): void {
    this.#waiting.push({ job, characters: charactersOf(job) });
  }

  /** Returns the jobs of a failed batch to the front: each is then taken alone. */
  putBack(jobs: readonly Job[]): void {
    this.#waiting.unshift(...jobs.map((job) => ({ job, characters: Infinity })));
  }

  /** Empties the queue, and returns its jobs. */
  clear(): readonly Job[] {
    return this.#waiting.splice(0).map(({ job }) => job);
  }

  /**
   * Takes the first job whose owner isn't busy, and as many more as fit into that owner's batch; none if none waits.
   */
  take(busy: ReadonlySet<string>, togetherMax: (owner: string) => number): readonly Job[] {
    const first = this.#take(({ job }) => !busy.has(job.owner));
    if (first === undefined) return [];
    const { owner } = first.job;
    const jobs = [first.job];
    const max = togetherMax(owner);
    let left = TOGETHER_CHARACTERS_MAX - first.characters;
    while (jobs.length < max) {
      const next = this.#take(({ job, characters }) => job.owner === owner && characters <= left);
      if (next === undefined) break;
      jobs.push(next.job);
      left -= next.characters;
    }
    return jobs;
  }

  /** Takes the first job that matches and is still wanted. */
  #take(isMeant: (waiting: QueuedJob) => boolean): QueuedJob | undefined {
    for (;;) {
      const index = this.#waiting.findIndex(isMeant);
      const waiting = index === -1 ? undefined : this.#waiting.splice(index, 1)[0];
      if (waiting === undefined || waiting.job.isWanted()) return waiting;
    }
  }
}

/** A job that first compiles its schema takes too long for a batch. */
function charactersOf({ task }: Job): number {
  return task.kind === 'judge' && task.schema === null ? task.text.length : Infinity;
}
