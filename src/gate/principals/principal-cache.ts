import { hash } from 'node:crypto';
import { FIRST_SHARD, type KeyFault, keyFault, shardOf } from '../../domain/key.ts';
import type { Principal } from '../../domain/principal.ts';
import { assert } from '../../lib/assert.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Turns } from '../turns/stages.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import type { Change, ChangeFeed } from './changes.ts';
import { PrincipalStore } from './principal-store.ts';

// Resolves keys to principals from memory. A missing key is looked up once for all its requests, and keys requested
// during a look-up share the next one, so that a flood of unknown keys can't starve paying callers of the database.
// While the database is unreachable, cached keys continue to work; the look-up of any other key fails with an error,
// which doesn't mean that the key is wrong.

/**
 * Loads the principals of keys by the SHA-256 of their secrets, in their order; null if there is no such live key. One
 * call at a time.
 */
export type LookUp = (secrets: readonly Buffer[]) => Promise<readonly (Principal | null)[]>;

interface Options {
  /** @throws DatabaseUnavailable */
  readonly lookUp: LookUp;
  readonly clock: Clock;
  readonly turns: Turns;
  readonly feed: Pick<ChangeFeed, 'subscribe'>;
  /** Of the keys that there may be; by default the first one. */
  readonly shard?: string;
  /** Whether a workspace of another shard may live in this database. By default none does. */
  readonly mayHave?: (shard: string) => boolean;
  readonly capacity?: number;
}

const CAPACITY = 100_000;
const REFUSED_MAX = 10_000;
const REFUSED_FOR_MS = 1_000;
const LOOK_UPS_MAX = 1_000;
const KEYS_PER_LOOK_UP = 200;
/**
 * The number of times that a read overtaken by a change is repeated. After that, its result is used once and not
 * cached.
 */
const READS_MAX = 3;

/** A look-up of one key that is waiting or in progress. */
interface KeyLookUp extends PromiseWithResolvers<Principal | null> {
  reads: number;
}

/** This process's cache of keys, kept current by the change feed. */
export class PrincipalCache {
  readonly #lookUp: LookUp;
  readonly #clock: Clock;
  readonly #turns: Turns;
  readonly #store: PrincipalStore;
  readonly #shard: string;
  readonly #mayHave: (shard: string) => boolean;
  /** Unknown keys, and until when they are cached as unknown; the oldest entry first. */
  readonly #refusedUntilMs = new Map<string, number>();
  /** Keys to be looked up, in the order of their first request. */
  readonly #lookUps = new Map<string, KeyLookUp>();
  #running: Promise<void> | null = null;
  /** Increases with every change that a read in progress may have missed. */
  #generation = 0;

  constructor({
    lookUp,
    clock,
    turns,
    feed,
    shard = FIRST_SHARD,
    mayHave = () => false,
    capacity = CAPACITY,
  }: Options) {
    this.#shard = shard;
    this.#mayHave = mayHave;
    this.#lookUp = lookUp;
    this.#clock = clock;
    this.#turns = turns;
    this.#store = new PrincipalStore(capacity);
    feed.subscribe(
      (change) => this.#apply(change),
      () => this.#reset(),
    );
  }

  /**
   * Resolves a key to its principal: synchronous if it is cached, else a promise. Null if there is no such live key; a
   * fault if the key's own characters show that it is invalid. The caller checks the expiry. @throws
   * DatabaseUnavailable (through the promise) if the database can't be queried
   */
  find(key: string): Principal | KeyFault | null | Promise<Principal | null> {
    const sha256 = hash('sha256', key, 'latin1');
    return this.#store.get(sha256) ?? this.#miss(key, sha256);
  }

  #miss(key: string, sha256: string): KeyFault | null | Promise<Principal | null> {
    const fault = keyFault(key, this.#shard);
    if (fault !== null && !(fault === 'foreign' && this.#mayHave(shardOf(key)))) return fault;
    if (this.#isRefused(sha256)) return null;
    const shared = this.#lookUps.get(sha256);
    if (shared !== undefined) return shared.promise;
    if (this.#lookUps.size >= LOOK_UPS_MAX) {
      return Promise.reject(new DatabaseUnavailable('too many keys are waiting to be looked up in the database'));
    }
    const lookUp: KeyLookUp = { ...Promise.withResolvers<Principal | null>(), reads: 0 };
    this.#lookUps.set(sha256, lookUp);
    if (this.#running === null) this.#running = this.#run();
    return lookUp.promise;
  }

  #isRefused(sha256: string): boolean {
    const untilMs = this.#refusedUntilMs.get(sha256);
    if (untilMs === undefined) return false;
    if (this.#clock.monotonicMs() < untilMs) return true;
    this.#refusedUntilMs.delete(sha256);
    return false;
  }

  async #run(): Promise<void> {
    // Keys that arrive in the same turn of the event loop share the look-up.
    await this.#turns.turn('statements');
    while (this.#lookUps.size > 0) await this.#lookUpOnce();
    this.#running = null;
  }

  async #lookUpOnce(): Promise<void> {
    const batch = [...this.#lookUps.entries().take(KEYS_PER_LOOK_UP)];
    const generation = this.#generation;
    let principals: readonly (Principal | null)[];
    try {
      principals = await this.#lookUp(batch.map(([sha256]) => Buffer.from(sha256, 'latin1')));
      assert(principals.length === batch.length, 'a look-up returns a result for every key');
    } catch (fault) {
      for (const [sha256, lookUp] of batch) {
        this.#lookUps.delete(sha256);
        lookUp.reject(fault);
      }
      return;
    }
    const isOvertaken = generation !== this.#generation;
    for (const [index, [sha256, lookUp]] of batch.entries()) {
      lookUp.reads += 1;
      if (isOvertaken && lookUp.reads < READS_MAX) continue;
      const principal = principals[index] ?? null;
      this.#lookUps.delete(sha256);
      lookUp.resolve(isOvertaken ? principal : this.#remember(sha256, principal));
    }
  }

  #remember(sha256: string, principal: Principal | null): Principal | null {
    if (principal !== null) return this.#store.put(sha256, principal);
    const [oldest] = this.#refusedUntilMs.keys();
    if (this.#refusedUntilMs.size >= REFUSED_MAX && oldest !== undefined) this.#refusedUntilMs.delete(oldest);
    this.#refusedUntilMs.set(sha256, this.#clock.monotonicMs() + REFUSED_FOR_MS);
    return null;
  }

  #apply({ kind, subjectId }: Change): void {
    if (kind === 'key') this.#store.dropKey(subjectId);
    else if (kind === 'project') this.#store.dropProject(subjectId);
    else if (kind === 'workspace') this.#dropWorkspace(subjectId);
    else return;
    this.#generation++;
  }

  /** It may have come from another cell, with keys that were unknown here. */
  #dropWorkspace(id: string): void {
    this.#store.dropWorkspace(id);
    this.#refusedUntilMs.clear();
  }

  #reset(): void {
    this.#generation++;
    this.#store.clear();
    this.#refusedUntilMs.clear();
  }
}
