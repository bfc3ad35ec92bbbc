import type { NanoUsd } from '../../domain/money.ts';
import type { Principal } from '../../domain/principal.ts';
import type { Window } from '../../domain/window.ts';
import type { PermitReply } from './permit-store.ts';
import type { DrawReply } from './purse-store.ts';

// The port behind which keys are looked up and what they will need is drawn with it. PostgreSQL implements it in
// database/; simulation replaces it.

/**
 * What a process draws for keys before it knows whose they are: of each purse and project that its epoch has nothing of.
 * What it has already stays as it is. Numbered as other draws are, so that a repeat changes nothing and returns it again.
 */
export interface FirstDraw {
  /** The windows that run now, one for each period. */
  readonly windows: readonly Window[];
  readonly sequence: bigint;
  /** How much of each purse, as far as it is ample. */
  readonly ahead: NanoUsd;
  readonly permitSequence: number;
  /** How many tokens of each project's limit, for each of its keys and once more, beside one request and one place. */
  readonly tokens: number;
}

/** Whose keys they are, and what was drawn for them. */
export interface LookedUp {
  /** In the order of the keys; null where no such key lives. */
  readonly principals: readonly (Principal | null)[];
  /** The new leases, by the ids of the workspaces, projects and keys whose purses they are of. */
  readonly leases: ReadonlyMap<string, DrawReply>;
  /** The new stock of permits, by the ids of the projects. */
  readonly permits: ReadonlyMap<string, PermitReply>;
}

/** Keys are asked for by the SHA-256 of their secrets. */
export interface KeyStore {
  /** Whose they are; null where no such key lives. @throws DatabaseUnavailable */
  find(secrets: readonly Buffer[]): Promise<readonly (Principal | null)[]>;
  /** The same, and the first draws for them, in one round trip. @throws EpochFenced, LeaseGone, DatabaseUnavailable */
  findAndDraw(epochId: bigint, secrets: readonly Buffer[], draw: FirstDraw): Promise<LookedUp>;
}
