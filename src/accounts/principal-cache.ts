import { hash } from 'node:crypto';
import { isWellFormedKey } from '../domain/key.ts';
import type { Principal } from '../domain/principal.ts';
import { assert } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { DatabaseUnavailable, type SqlRunner } from '../lib/sql.ts';
import type { Change, ChangeFeed } from './changes.ts';
import { PrincipalStore } from './principal-store.ts';
import { findPrincipal } from './principals.ts';

// Turns a key into its principal from memory. What isn't there is looked up once for all who ask, a few keys at a time,
// so that a flood of unknown keys can't take the database from those who pay. A database that is away is an error,
// never an answer: what is remembered goes on working, and what isn't is unknown, not wrong.

interface Options {
  readonly sql: SqlRunner;
  readonly clock: Clock;
  readonly feed: ChangeFeed;
  readonly capacity?: number;
}

const CAPACITY = 100_000;
const REFUSED_MAX = 10_000;
const REFUSED_FOR_MS = 1_000;
const LOOK_UPS_MAX = 4;
const WAITING_MAX = 1_000;
/** How often a read that a change has overtaken is repeated before its answer is used once and not remembered. */
const READS_MAX = 3;

/** What is known of keys in this process, kept current by the change feed. */
export class PrincipalCache {
  readonly #sql: SqlRunner;
  readonly #clock: Clock;
  readonly #store: PrincipalStore;
  /** Keys that don't exist, and until when that is believed. The oldest belief stands first. */
  readonly #refusedUntilMs = new Map<string, number>();
  readonly #lookUps = new Map<string, Promise<Principal | null>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  /** Moves with every change that a read under way may have missed. */
  #generation = 0;

  constructor({ sql, clock, feed, capacity = CAPACITY }: Options) {
    this.#sql = sql;
    this.#clock = clock;
    this.#store = new PrincipalStore(capacity);
    feed.subscribe(
      (change) => this.#apply(change),
      () => this.#reset(),
    );
  }

  /**
   * The principal of a key: at once where it is remembered, else a promise. Null where no such key lives; expiry is
   * the caller's to check. @throws DatabaseUnavailable (through the promise) where nobody can tell
   */
  find(key: string): Principal | null | Promise<Principal | null> {
    const sha256 = hash('sha256', key, 'hex');
    return this.#store.get(sha256) ?? this.#miss(key, sha256);
  }

  #miss(key: string, sha256: string): null | Promise<Principal | null> {
    if (!isWellFormedKey(key) || this.#isRefused(sha256)) return null;
    const shared = this.#lookUps.get(sha256);
    if (shared !== undefined) return shared;
    const lookUp = this.#lookUp(sha256).finally(() => this.#lookUps.delete(sha256));
    this.#lookUps.set(sha256, lookUp);
    return lookUp;
  }

  #isRefused(sha256: string): boolean {
    const untilMs = this.#refusedUntilMs.get(sha256);
    if (untilMs === undefined) return false;
    if (this.#clock.monotonicMs() < untilMs) return true;
    this.#refusedUntilMs.delete(sha256);
    return false;
  }

  async #lookUp(sha256: string): Promise<Principal | null> {
    await this.#enter();
    try {
      return await this.#read(sha256);
    } finally {
      this.#leave();
    }
  }

  async #read(sha256: string): Promise<Principal | null> {
    const secretSha256 = Buffer.from(sha256, 'hex');
    for (let reads = 1; ; reads++) {
      const generation = this.#generation;
      const principal = await findPrincipal(this.#sql, secretSha256);
      if (generation === this.#generation) return this.#remember(sha256, principal);
      if (reads === READS_MAX) return principal;
    }
  }

  #remember(sha256: string, principal: Principal | null): Principal | null {
    if (principal !== null) {
      this.#store.put(sha256, principal);
      return principal;
    }
    const [oldest] = this.#refusedUntilMs.keys();
    if (this.#refusedUntilMs.size >= REFUSED_MAX && oldest !== undefined) this.#refusedUntilMs.delete(oldest);
    this.#refusedUntilMs.set(sha256, this.#clock.monotonicMs() + REFUSED_FOR_MS);
    return null;
  }

  async #enter(): Promise<void> {
    if (this.#running < LOOK_UPS_MAX) {
      this.#running++;
      return;
    }
    if (this.#waiting.length >= WAITING_MAX) {
      throw new DatabaseUnavailable('more keys are waiting to be looked up than the database keeps up with');
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Hands the place to the look-up that has waited longest, if there is one. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running--;
    else next();
    assert(this.#running >= 0, 'a look-up leaves once');
  }

  #apply({ kind, subjectId }: Change): void {
    if (kind === 'key') this.#store.dropKey(subjectId);
    else if (kind === 'project') this.#store.dropProject(subjectId);
    else if (kind === 'workspace') this.#store.dropWorkspace(subjectId);
    else return;
    this.#generation++;
  }

  #reset(): void {
    this.#generation++;
    this.#store.clear();
    this.#refusedUntilMs.clear();
  }
}
