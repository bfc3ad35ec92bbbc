import { Worker } from 'node:worker_threads';
import { assert } from '../lib/assert.ts';
import { refuse, type Refusal } from '../domain/refusals.ts';
import { isOutdated } from './password-hash.ts';
import type { PasswordResult, PasswordTask } from './password-thread.ts';

const THREAD = new URL('./password-thread.ts', import.meta.url);

/** How many hashes may wait or be computed. */
export const QUEUE_MAX = 16;
const RETRY_AFTER_MS = 1_000;
/** A thread that has had nothing to do for so long is ended, for the sake of its memory. */
const IDLE_MS_MAX = 60_000;

/** Any hash at today's cost: a password is compared with it if there is none, so that this takes the same time. */
const DECOY = '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

interface Job {
  readonly task: PasswordTask;
  readonly resolve: (result: PasswordResult) => void;
  readonly reject: (fault: unknown) => void;
}

/** The result of comparing a password. */
export interface PasswordCheck {
  readonly isRight: boolean;
  /** The hash was made at another cost than hashes are made at now. */
  readonly isOutdated: boolean;
}

/**
 * Computes password hashes one at a time, in one thread of low priority, so that sign-ins never delay requests. What finds
 * the queue full is refused.
 */
export class PasswordHasher {
  readonly #jobs: Job[] = [];
  #thread: Worker | null = null;
  #idleTimer: NodeJS.Timeout | undefined;

  /** The hash of a new password; or 503. */
  async hash(password: string): Promise<string | Refusal> {
    const result = await this.#run({ kind: 'hash', password });
    assert(typeof result !== 'boolean', 'a hash is a text');
    return result;
  }

  /** Compares a password with the hash of one; null: there is none, which takes as long to find out. Or 503. */
  async check(password: string, hash: string | null): Promise<PasswordCheck | Refusal> {
    const result = await this.#run({ kind: 'check', password, hash: hash ?? DECOY });
    if (typeof result === 'object') return result;
    const isRight = result === true && hash !== null;
    return { isRight, isOutdated: isRight && isOutdated(hash) };
  }

  /** Ends the thread. Hashes that wait for it fail. */
  async stop(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const thread = this.#thread;
    this.#thread = null;
    await thread?.terminate();
    this.#fail(new Error('the password thread was stopped'));
  }

  #run(task: PasswordTask): Promise<PasswordResult | Refusal> {
    if (this.#jobs.length >= QUEUE_MAX) {
      const message = 'Too many people are signing in: try again in a moment.';
      return Promise.resolve(refuse('SERVICE_UNAVAILABLE', message, { retryAfterMs: RETRY_AFTER_MS }));
    }
    return new Promise((resolve, reject) => {
      this.#jobs.push({ task, resolve, reject });
      if (this.#jobs.length === 1) this.#begin();
    });
  }

  /** Sends the first job to the thread. */
  #begin(): void {
    clearTimeout(this.#idleTimer);
    const [job] = this.#jobs;
    this.#thread ??= this.#start();
    if (job === undefined) {
      this.#idleTimer = setTimeout(() => this.#endIdle(), IDLE_MS_MAX).unref();
      this.#thread.unref();
      return;
    }
    this.#thread.ref();
    this.#thread.postMessage(job.task, []);
  }

  #start(): Worker {
    const thread = new Worker(THREAD, { env: {}, stdout: true, stderr: true });
    thread.stdout.resume();
    thread.stderr.resume();
    thread.on('message', (result: PasswordResult) => {
      this.#jobs.shift()?.resolve(result);
      this.#begin();
    });
    thread.on('error', (fault) => {
      if (this.#thread === thread) this.#thread = null;
      this.#fail(new Error('the password thread failed', { cause: fault }));
    });
    return thread;
  }

  #endIdle(): void {
    this.#thread?.terminate().catch(() => undefined);
    this.#thread = null;
  }

  #fail(fault: Error): void {
    for (const { reject } of this.#jobs.splice(0)) reject(fault);
  }
}
