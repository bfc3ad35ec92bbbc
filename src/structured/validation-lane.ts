import { Worker } from 'node:worker_threads';
import { assert } from '../lib/assert.ts';
import type { Cancel, Clock } from '../lib/clock.ts';
import type { ThreadMessage, ValidationResult, ValidationTask } from './validation-messages.ts';

/** What a thread may use; beyond it the thread ends, and nothing else with it. Megabytes. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/** A thread that has had nothing to do for so long is ended. */
const IDLE_MS_MAX = 60_000;

/** How much longer than its deadline a job may wait for the processor. */
const WAITS_MAX = 10;

/** In a millisecond. */
const MICROSECONDS = 1_000;

const THREAD = new URL('./validation-thread.ts', import.meta.url);

export interface LaneBounds {
  readonly threadsMax: number;
  readonly queueMax: number;
  /** How far its threads stand back for those that serve requests; 0 is not at all. */
  readonly niceness: number;
}

/** One task on its way through a lane. */
export interface Job {
  /** Whose it is: nobody has two jobs in threads at a time, so that nobody can have all threads. */
  readonly owner: string;
  readonly task: ValidationTask;
  /** How long it may compute. */
  readonly deadlineMs: number;
  /** Hears the result; null where the thread was ended for its sake, by the deadline or its use of memory. */
  readonly done: (result: ValidationResult | null) => void;
  /** Asked when its turn has come; false where it isn't to be done here any more. */
  readonly isWanted: () => boolean;
}

/**
 * A thread of a lane.
 * - `starting`: it loads the validator. Left by its first message.
 * - `idle`: it waits for a job; ended after a while.
 * - `busy`: it has a job. Left by the result, or by the thread's end.
 */
interface Thread {
  readonly worker: Worker;
  isReady: boolean;
  job: Job | null;
  /** How long it had computed when it last said something. */
  cpuMs: number;
  cancelTimer: Cancel;
}

/** Threads that do jobs, each bounded by its deadline, in the order in which they come as far as owners take turns. */
export class ValidationLane {
  readonly #clock: Clock;
  readonly #threadsMax: number;
  readonly #queueMax: number;
  readonly #niceness: number;
  readonly #threads = new Set<Thread>();
  readonly #idle: Thread[] = [];
  readonly #owners = new Set<string>();
  readonly #queue: Job[] = [];
  #isStopped = false;

  constructor(clock: Clock, { threadsMax, queueMax, niceness }: LaneBounds) {
    this.#clock = clock;
    this.#threadsMax = threadsMax;
    this.#queueMax = queueMax;
    this.#niceness = niceness;
  }

  /** Takes a job; false where too many wait. */
  submit(job: Job): boolean {
    if (this.#isStopped || this.#queue.length >= this.#queueMax) return false;
    this.#queue.push(job);
    this.#pump();
    return true;
  }

  /** Ends all threads; jobs under way have no result. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const waiting = this.#queue.splice(0);
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
    for (const { done } of waiting) done(null);
  }

  /** Gives idle threads what they may do, and starts a thread where more could be done. */
  #pump(): void {
    while (this.#idle.length > 0) {
      const job = this.#takeJob();
      if (job === null) return;
      const thread = this.#idle.pop();
      assert(thread !== undefined, 'an idle thread is there');
      this.#give(thread, job);
    }
    // All at once: when the first is ended over a job, the next one is there.
    while (this.#queue.length > 0 && this.#threads.size < this.#threadsMax && !this.#isStopped) this.#start();
  }

  /** The job whose turn it is: the first whose owner has none in a thread. */
  #takeJob(): Job | null {
    for (;;) {
      const index = this.#queue.findIndex(({ owner }) => !this.#owners.has(owner));
      const job = index === -1 ? undefined : this.#queue.splice(index, 1)[0];
      if (job === undefined) return null;
      if (job.isWanted()) return job;
    }
  }

  #start(): void {
    // Nothing that a thread prints is of use to anybody, and some of what validators print quotes values.
    const worker = new Worker(THREAD, {
      resourceLimits: RESOURCE_LIMITS,
      workerData: { niceness: this.#niceness },
      env: {},
      stdout: true,
      stderr: true,
    });
    const thread: Thread = { worker, isReady: false, job: null, cpuMs: 0, cancelTimer: () => undefined };
    this.#threads.add(thread);
    worker.unref();
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on('message', ({ result, cpuMs }: ThreadMessage) => {
      thread.isReady = true;
      thread.cpuMs = cpuMs;
      if (result !== null) this.#finish(thread, result);
      this.#rest(thread);
      this.#pump();
    });
    // What ends a thread is told by its exit, which follows.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      this.#remove(thread);
      this.#pump();
    });
  }

  #give(thread: Thread, job: Job): void {
    thread.cancelTimer();
    thread.job = job;
    this.#owners.add(job.owner);
    this.#watch(thread, job, job.deadlineMs, this.#clock.monotonicMs() + job.deadlineMs * WAITS_MAX);
    thread.worker.postMessage(job.task, []);
  }

  /** Ends the thread when its job has computed for too long. Where others keep it from computing, it isn't its fault. */
  #watch(thread: Thread, job: Job, leftMs: number, untilMs: number): void {
    thread.cancelTimer = this.#clock.after(leftMs, () => {
      thread.worker.cpuUsage().then(
        ({ user, system }) => {
          if (thread.job !== job) return;
          const stillMs = job.deadlineMs - ((user + system) / MICROSECONDS - thread.cpuMs);
          if (stillMs < 1 || this.#clock.monotonicMs() > untilMs) end(thread);
          else this.#watch(thread, job, stillMs, untilMs);
        },
        () => end(thread),
      );
    });
  }

  #finish(thread: Thread, result: ValidationResult | null): void {
    const { job } = thread;
    thread.cancelTimer();
    thread.job = null;
    if (job === null) return;
    this.#owners.delete(job.owner);
    job.done(result);
  }

  #rest(thread: Thread): void {
    assert(thread.job === null, 'a thread rests when its job is done');
    this.#idle.push(thread);
    thread.cancelTimer = this.#clock.after(IDLE_MS_MAX, () => {
      this.#forget(thread);
      end(thread);
    });
  }

  #remove(thread: Thread): void {
    this.#threads.delete(thread);
    this.#forget(thread);
    // The next job shall not have to wait for what this one did.
    if (thread.job !== null && !this.#isStopped) this.#start();
    this.#finish(thread, null);
    // A thread that can't even begin won't the next time either.
    if (!thread.isReady) for (const { done } of this.#queue.splice(0)) done(null);
  }

  #forget(thread: Thread): void {
    const idleAt = this.#idle.indexOf(thread);
    if (idleAt !== -1) this.#idle.splice(idleAt, 1);
  }
}

/** Ends a thread, whatever it does; its exit tells the rest. */
function end({ worker }: Thread): void {
  worker.terminate().catch(() => undefined);
}
