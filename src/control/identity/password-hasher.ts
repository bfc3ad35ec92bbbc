import { Worker } from 'node:worker_threads';
import { assert } from '../../lib/assert.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import { FairQueue } from '../../lib/fair-queue.ts';
import { isOutdated } from './password-hash.ts';
import type { PasswordResult, PasswordTask } from './password-thread.ts';

const THREAD = new URL('./password-thread.ts', import.meta.url);

/** How many hashes may wait. Strangers leave the places of known clients alone, and the two kinds take turns. */
export const HASH_QUEUES = {
  known: { most: 24, mostPerKey: 2 },
  strangers: { most: 40, mostPerKey: 8 },
} as const;
const RETRY_AFTER_MS = 1_000;
/** A thread that has had nothing to do for so long is ended, for the sake of its memory. */
const IDLE_MS_MAX = 60_000;

/** Any hash at today's cost: a password is compared with it if there is none, so that this takes the same time. */
const DECOY = '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

interface Job {
  readonly task: PasswordTask;
  readonly resolve: (result: PasswordResult | Refusal) => void;
  readonly reject: (fault: unknown) => void;
}

/** For whom a hash is computed: clients take turns. */
export interface HashClient {
  /** A user with a session or a link, or at a network where they have signed in before. */
  readonly isKnown: boolean;
  /** The user's or link's id, or the site of a stranger. */
  readonly key: string;
}

/** The result of comparing a password. */
export interface PasswordCheck {
  readonly isRight: boolean;
  /** The hash was made at another cost than hashes are made at now. */
  readonly isOutdated: boolean;
}

/**
 * Computes password hashes one at a time, in one thread of low priority, so that sign-ins never delay requests. What finds
 * no place in its queue is refused.
 */
export class PasswordHasher {
  readonly #known = new FairQueue<Job>(HASH_QUEUES.known);
  readonly #strangers = new FairQueue<Job>(HASH_QUEUES.strangers);
  #running: Job | null = null;
  #isTurnOfKnown = true;
  #thread: Worker | null = null;
  #idleTimer: NodeJS.Timeout | undefined;

  /** The hash of a new password; or 503. */
  async hash(password: string, by: HashClient): Promise<string | Refusal> {
    const result = await this.#run({ kind: 'hash', password }, by);
    assert(typeof result !== 'boolean', 'a hash is a text');
    return result;
  }

  /** Compares a password with the hash of one; null: there is none, which takes as long to find out. Or 503. */
  async check(password: string, hash: string | null, by: HashClient): Promise<PasswordCheck | Refusal> {
    const result = await this.#run({ kind: 'check', password, hash: hash ?? DECOY }, by);
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

  #run(task: PasswordTask, { isKnown, key }: HashClient): Promise<PasswordResult | Refusal> {
    return new Promise((resolve, reject) => {
      const queue = isKnown ? this.#known : this.#strangers;
      queue.push(key, { task, resolve, reject })?.resolve(tooMany());
      if (this.#running === null) this.#begin();
    });
  }

  /** Sends the next job to the thread. */
  #begin(): void {
    clearTimeout(this.#idleTimer);
    this.#thread ??= this.#start();
    this.#running = this.#next();
    if (this.#running === null) {
      this.#idleTimer = setTimeout(() => this.#endIdle(), IDLE_MS_MAX).unref();
      this.#thread.unref();
      return;
    }
    this.#thread.ref();
    this.#thread.postMessage(this.#running.task, []);
  }

  #next(): Job | null {
    const [first, second] = this.#isTurnOfKnown ? [this.#known, this.#strangers] : [this.#strangers, this.#known];
    this.#isTurnOfKnown = !this.#isTurnOfKnown;
    return first.shift() ?? second.shift() ?? null;
  }

  #start(): Worker {
    const thread = new Worker(THREAD, { env: {}, stdout: true, stderr: true });
    thread.stdout.resume();
    thread.stderr.resume();
    thread.on('message', (result: PasswordResult) => {
      this.#running?.resolve(result);
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
    const running = this.#running === null ? [] : [this.#running];
    this.#running = null;
    for (const { reject } of [...running, ...this.#known.clear(), ...this.#strangers.clear()]) reject(fault);
  }
}

function tooMany(): Refusal {
  const message = 'Too many people are signing in: try again in a moment.';
  return refuse('SERVICE_UNAVAILABLE', message, { retryAfterMs: RETRY_AFTER_MS });
}
