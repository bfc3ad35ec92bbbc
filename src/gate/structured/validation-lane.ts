import { Worker } from 'node:worker_threads';
import { assert } from '../../lib/assert.ts';
import type { Cancel, Clock } from '../../lib/clock.ts';
import { RecentMap } from '../../lib/recent-map.ts';
import { type Job, JobQueue } from './job-queue.ts';
import type { ThreadMessage, ValidationResult } from './validation-messages.ts';

/** A thread's memory limits, in megabytes. If they are exceeded, only the thread ends. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/** A thread that is idle for this long is ended, unless its lane keeps it. */
const IDLE_MS_MAX = 60_000;

/** A job waiting for a busy processor may take this many times its deadline. */
const WAITS_MAX = 10;

/** The target time of a batch of jobs; the number of owners whose times are kept. */
const TOGETHER_MS = 5;
const PACES_MAX = 10_000;

/** In a millisecond. */
const MICROSECONDS = 1_000;

const THREAD = new URL('./validation-thread.ts', import.meta.url);

export interface LaneBounds {
  readonly threadsMax: number;
  /** The number of idle threads that stay: starting one takes far longer than a job. */
  readonly threadsKept: number;
  readonly queueMax: number;
  /** The most jobs of one owner in a batch, if that owner's are quick. */
  readonly togetherMax: number;
  /** How far its threads yield to those that serve requests; 0 is not at all. */
  readonly niceness: number;
}

/**
 * A thread of a lane.
 * - `starting`: it loads the validator. Left by its first message.
 * - `idle`: it waits for jobs; ended after a while, if its lane keeps enough others.
 * - `busy`: it has jobs, of one owner. Left by their results, or by the thread's end.
 */
interface Thread {
  readonly worker: Worker;
  isReady: boolean;
  /** None if it is idle. */
  jobs: readonly Job[];
  /** The limit of their total CPU time. */
  deadlineMs: number;
  /** When it got these jobs, or became idle. */
  sinceMs: number;
  /** Its total CPU time in its last message. */
  cpuMs: number;
  /** When it is checked next, at the latest when its jobs should be done. */
  dueMs: number;
  cancelTimer: Cancel;
}

/** Threads for jobs, each bounded by its deadline. Jobs run in order of arrival, one thread per owner at a time. */
export class ValidationLane {
  readonly #clock: Clock;
  readonly #threadsMax: number;
  readonly #threadsKept: number;
  readonly #queueMax: number;
  readonly #togetherMax: number;
  readonly #niceness: number;
  readonly #threads = new Set<Thread>();
  readonly #idle: Thread[] = [];
  readonly #owners = new Set<string>();
  readonly #queue = new JobQueue();
  /** The recent CPU time of one job of an owner, in milliseconds. */
  readonly #paces = new RecentMap<string, number>(PACES_MAX);
  #isStopped = false;

  constructor(clock: Clock, { threadsMax, threadsKept, queueMax, togetherMax, niceness }: LaneBounds) {
    this.#clock = clock;
    this.#threadsMax = threadsMax;
    this.#threadsKept = threadsKept;
    this.#queueMax = queueMax;
    this.#togetherMax = togetherMax;
    this.#niceness = niceness;
  }

  /** Takes a job; false if too many wait. */
  submit(job: Job): boolean {
    if (this.#isStopped || this.#queue.size >= this.#queueMax) return false;
    this.#queue.add(job);
    this.#pump();
    return true;
  }

  /** Ends all threads; jobs in progress get no result. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const waiting = this.#queue.clear();
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
    for (const { done } of waiting) done(null);
  }

  /** Gives jobs to idle threads, and starts a thread if more could run. */
  #pump(): void {
    while (this.#idle.length > 0) {
      const jobs = this.#queue.take(this.#owners, (owner) => this.#togetherFor(owner));
      if (jobs.length === 0) return;
      const thread = this.#idle.pop();
      assert(thread !== undefined, 'an idle thread is there');
      this.#give(thread, jobs);
    }
    // All together: when the first is ended because of a job, the next one is ready.
    while (this.#queue.size > 0 && this.#threads.size < this.#threadsMax && !this.#isStopped) this.#start();
  }

  #start(): void {
    // A thread's output is dropped: it is of no use, and validators may quote values in it.
    const worker = new Worker(THREAD, {
      resourceLimits: RESOURCE_LIMITS,
      workerData: { niceness: this.#niceness },
      env: {},
      stdout: true,
      stderr: true,
    });
    const thread: Thread = {
      worker,
      isReady: false,
      jobs: [],
      deadlineMs: 0,
      sinceMs: this.#clock.monotonicMs(),
      cpuMs: 0,
      dueMs: Infinity,
      cancelTimer: () => undefined,
    };
    this.#threads.add(thread);
    worker.unref();
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on('message', ({ results, cpuMs }: ThreadMessage) => {
      thread.isReady = true;
      this.#notePace(thread, cpuMs - thread.cpuMs);
      thread.cpuMs = cpuMs;
      this.#finish(thread, results);
      this.#rest(thread);
      this.#pump();
    });
    // The exit event follows, with the reason.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      this.#remove(thread);
      this.#pump();
    });
  }

  #give(thread: Thread, jobs: readonly Job[]): void {
    const nowMs = this.#clock.monotonicMs();
    for (const { owner } of jobs) this.#owners.add(owner);
    thread.jobs = jobs;
    thread.deadlineMs = Math.max(...jobs.map(({ deadlineMs }) => deadlineMs));
    thread.sinceMs = nowMs;
    this.#lookIn(thread, thread.deadlineMs);
    const tasks = jobs.map(({ task }) => task);
    thread.worker.postMessage(tasks, []);
  }

  /** The size of an owner's batch: one, until its jobs are known to be quick. */
  #togetherFor(owner: string): number {
    return Math.min(this.#togetherMax, TOGETHER_MS / (this.#paces.get(owner) ?? TOGETHER_MS));
  }

  #notePace({ jobs }: Thread, tookMs: number): void {
    const owner = jobs[0]?.owner;
    if (owner !== undefined) this.#paces.set(owner, tookMs / jobs.length);
  }

  /** Checks a thread after `inMs`, or earlier: an earlier timer is kept, since most jobs need none. */
  #lookIn(thread: Thread, inMs: number): void {
    const dueMs = this.#clock.monotonicMs() + inMs;
    if (thread.dueMs <= dueMs) return;
    thread.cancelTimer();
    thread.dueMs = dueMs;
    thread.cancelTimer = this.#clock.after(inMs, () => {
      thread.dueMs = Infinity;
      if (thread.jobs.length === 0) this.#endIdle(thread);
      else this.#endLate(thread);
    });
  }

  #endIdle(thread: Thread): void {
    const stillMs = IDLE_MS_MAX - (this.#clock.monotonicMs() - thread.sinceMs);
    if (stillMs >= 1) return this.#lookIn(thread, stillMs);
    if (this.#threads.size <= this.#threadsKept) return;
    this.#forget(thread);
    // Removed before its exit, so that a thread checked in between counts as one of those to keep.
    this.#threads.delete(thread);
    end(thread);
  }

  /** Ends a thread whose jobs have used too much CPU time. If other threads keep it from running, it may continue. */
  #endLate(thread: Thread): void {
    const { jobs, deadlineMs, sinceMs } = thread;
    const stillMs = deadlineMs - (this.#clock.monotonicMs() - sinceMs);
    if (stillMs >= 1) return this.#lookIn(thread, stillMs);
    thread.worker.cpuUsage().then(
      ({ user, system }) => {
        if (thread.jobs !== jobs) return;
        const leftMs = deadlineMs - ((user + system) / MICROSECONDS - thread.cpuMs);
        if (leftMs < 1 || this.#clock.monotonicMs() > sinceMs + deadlineMs * WAITS_MAX) end(thread);
        else this.#lookIn(thread, leftMs);
      },
      () => end(thread),
    );
  }

  #finish(thread: Thread, results: readonly ValidationResult[]): void {
    const { jobs } = thread;
    thread.jobs = [];
    for (const { owner } of jobs) this.#owners.delete(owner);
    for (const [at, { done }] of jobs.entries()) done(results[at] ?? null);
  }

  #rest(thread: Thread): void {
    assert(thread.jobs.length === 0, 'a thread rests when its jobs are done');
    this.#idle.push(thread);
    thread.sinceMs = this.#clock.monotonicMs();
    this.#lookIn(thread, IDLE_MS_MAX);
  }

  #remove(thread: Thread): void {
    const { jobs } = thread;
    thread.cancelTimer();
    this.#threads.delete(thread);
    this.#forget(thread);
    // The next job should not have to wait because of these.
    if (jobs.length > 0 && !this.#isStopped) this.#start();
    if (jobs.length > 1 && !this.#isStopped) this.#separate(thread);
    else this.#finish(thread, []);
    // A thread that can't even begin won't the next time either.
    if (!thread.isReady) for (const { done } of this.#queue.clear()) done(null);
  }

  /** Requeues jobs whose thread was ended: running each alone shows which was too much. */
  #separate(thread: Thread): void {
    const { jobs } = thread;
    this.#notePace(thread, Infinity);
    thread.jobs = [];
    for (const { owner } of jobs) this.#owners.delete(owner);
    this.#queue.putBack(jobs);
  }

  #forget(thread: Thread): void {
    const idleAt = this.#idle.indexOf(thread);
    if (idleAt !== -1) this.#idle.splice(idleAt, 1);
  }
}

/** Ends a thread, whatever it does; its exit event does the rest. */
function end({ worker }: Thread): void {
  worker.terminate().catch(() => undefined);
}
