import { hash } from 'node:crypto';
import { type KeyFault, keyFault } from '../domain/key.ts';
import type { Principal } from '../domain/principal.ts';
import { assert } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import type { Turns } from '../turns/stages.ts';
import { DatabaseUnavailable } from '../lib/sql.ts';
import type { Change, ChangeFeed } from './changes.ts';
import { PrincipalStore } from './principal-store.ts';

// Turns a key into its principal from memory. A missing key is looked up once for all its requests, and keys
// requested during a look-up make the next one, so that a flood of unknown keys can't take the database from those who
// pay. A database that is away is an error, never an answer: cached keys go on working, and others are unknown, not
// wrong.

/**
 * The principals of keys by the SHA-256 of their secrets, in their order; null if no such key lives. One call at a
 * time.
 */
export type LookUp = (secrets: readonly Buffer[]) => Promise<readonly (Principal | null)[]>;

interface Options {
  /** @throws DatabaseUnavailable */
  readonly lookUp: LookUp;
  readonly clock: Clock;
  readonly turns: Turns;
  readonly feed: ChangeFeed;
  readonly capacity?: number;
}

const CAPACITY = 100_000;
const REFUSED_MAX = 10_000;
const REFUSED_FOR_MS = 1_000;
const ASKED_MAX = 1_000;
const KEYS_PER_LOOK_UP = 200;
/** How often a read that a change has overtaken is repeated before its answer is used once and not remembered. */
const READS_MAX = 3;

/** A key that is being looked up. */
interface KeyLookUp extends PromiseWithResolvers<Principal | null> {
  reads: number;
}

/** This process's cache of keys, kept current by the change feed. */
export class PrincipalCache {
  readonly #lookUp: LookUp;
  readonly #clock: Clock;
  readonly #turns: Turns;
  readonly #store: PrincipalStore;
  /** Keys that don't exist, and until when that is believed. The oldest belief stands first. */
  readonly #refusedUntilMs = new Map<string, number>();
  /** Awaited keys, in the order of their first request. */
  readonly #asked = new Map<string, KeyLookUp>();
  #running: Promise<void> | null = null;
  /** Moves with every change that a read under way may have missed. */
  #generation = 0;

  constructor({ lookUp, clock, turns, feed, capacity = CAPACITY }: Options) {
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
   * The principal of a key: synchronous if it is remembered, else a promise. Null if no such key lives, a fault
   * where its characters say so without a look-up; expiry is the caller's to check. @throws DatabaseUnavailable
   * (through the promise) if the database can't be asked
   */
  find(key: string): Principal | KeyFault | null | Promise<Principal | null> {
    const sha256 = hash('sha256', key, 'latin1');
    return this.#store.get(sha256) ?? this.#miss(key, sha256);
  }

  #miss(key: string, sha256: string): KeyFault | null | Promise<Principal | null> {
    const fault = keyFault(key);
    if (fault !== null) return fault;
    if (this.#isRefused(sha256)) return null;
    const shared = this.#asked.get(sha256);
    if (shared !== undefined) return shared.promise;
    if (this.#asked.size >= ASKED_MAX) {
      return Promise.reject(
        new DatabaseUnavailable('more keys are waiting to be looked up than the database keeps up with'),
      );
    }
    const asked: KeyLookUp = { ...Promise.withResolvers<Principal | null>(), reads: 0 };
    this.#asked.set(sha256, asked);
    if (this.#running === null) this.#running = this.#run();
    return asked.promise;
  }

  #isRefused(sha256: string): boolean {
    const untilMs = this.#refusedUntilMs.get(sha256);
    if (untilMs === undefined) return false;
    if (this.#clock.monotonicMs() < untilMs) return true;
    this.#refusedUntilMs.delete(sha256);
    return false;
  }

  async #run(): Promise<void> {
    // Keys that come with the same turn of the event loop share the look-up.
    await this.#turns.turn('statements');
    while (this.#asked.size > 0) await this.#lookUpOnce();
    this.#running = null;
  }

  async #lookUpOnce(): Promise<void> {
    const batch = [...this.#asked.entries().take(KEYS_PER_LOOK_UP)];
    const generation = this.#generation;
    let principals: readonly (Principal | null)[];
    try {
      principals = await this.#lookUp(batch.map(([sha256]) => Buffer.from(sha256, 'latin1')));
      assert(principals.length === batch.length, 'a look-up answers for every key');
    } catch (fault) {
      for (const [sha256, asked] of batch) {
        this.#asked.delete(sha256);
        asked.reject(fault);
      }
      return;
    }
    const isOvertaken = generation !== this.#generation;
    for (const [index, [sha256, asked]] of batch.entries()) {
      asked.reads += 1;
      if (isOvertaken && asked.reads < READS_MAX) continue;
      const principal = principals[index] ?? null;
      this.#asked.delete(sha256);
      asked.resolve(isOvertaken ? principal : this.#remember(sha256, principal));
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
