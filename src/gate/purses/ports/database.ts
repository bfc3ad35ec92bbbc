import type { NanoUsd } from '../../../domain/money.ts';
import type { Principal, RateLimits } from '../../../domain/principal.ts';
import type { Period, Window } from '../../../domain/window.ts';
import type { Receipt } from '../../../domain/receipt.ts';

// The ports behind which the database sits: the store of purses, that of permits, and that of keys with what their first
// requests will need. database/ implements them with PostgreSQL; simulation replaces them.

export type PurseKind = 'credit' | 'project' | 'key';

/** Names one purse: a workspace's credit, a project's window or a key's month. */
export interface PurseName {
  readonly workspaceId: string;
  readonly kind: PurseKind;
  readonly subjectId: string;
  readonly period: Period;
  readonly windowStartMs: number;
  readonly windowEndMs: number | null;
}

/** Sets a lease to `keep` plus what the purse can add. Numbered, so that a repeat changes nothing. */
export interface DrawRequest {
  readonly purse: PurseName;
  readonly sequence: bigint;
  /** What of the present grant stays: held + charged + the slack that isn't given back. */
  readonly keep: NanoUsd;
  /** The part of `keep` that is neither held nor charged. */
  readonly slack: NanoUsd;
  /** The whole amounts of the holds that wait, oldest first. */
  readonly needs: readonly NanoUsd[];
  /** What to draw beyond that while the purse is wet. */
  readonly ahead: NanoUsd;
}

/** A lease and its purse as they stand after a draw. */
export interface DrawReply {
  readonly purseId: bigint;
  /** Null: the purse is unlimited. */
  readonly limit: NanoUsd | null;
  /** All charges against the purse but those of this lease. */
  readonly spentByOthers: NanoUsd;
  /** What no lease has: limit − spent − leased; null where unlimited. */
  readonly available: NanoUsd | null;
  readonly granted: NanoUsd;
  /** The lease has no bound. Where a repeat is answered after the limit has changed, this and `limit` differ. */
  readonly open: boolean;
  readonly mode: 'wet' | 'dry';
  /** The number of the draw that the lease stands by: the one that is answered, unless another has taken its place. */
  readonly sequence: bigint;
}

/** Names a lease that is to be closed: one that has gone on since, or follows it, is not meant. */
export interface LeaseRelease {
  readonly purseId: bigint;
  readonly charged: NanoUsd;
  /** The number of its last draw. */
  readonly sequence: bigint;
}

/** The epoch that a part of the engine spends in. */
export interface SpendingEpoch {
  readonly id: bigint;
  /** Whether this process may still spend in it. */
  readonly isLive: boolean;
}

/** Of a statement about rows that other transactions may have locked. */
export interface Waiting {
  /**
   * Whether it waits for them a moment: for the first that is busy, and all others then with it. Otherwise, and after that
   * moment, what is busy is left as it is, and said to be.
   */
  readonly waits: boolean;
}

/** This process's epoch was declared dead: it may not spend or settle any more. */
export class EpochFenced extends Error {
  override readonly name = 'EpochFenced';
}

/** A charge's lease is gone, or too small for it, though its epoch lives: what an unclean failover leaves behind. */
export class LeaseGone extends Error {
  override readonly name = 'LeaseGone';
}

/** A receipt can't complete the claim of its Idempotency-Key: another request has it, or it is lost. Only late charges remain. */
export class ClaimGone extends Error {
  override readonly name = 'ClaimGone';
}

/** Answers to requests with an Idempotency-Key, by request id; stored in the transaction that settles them. */
export type KeptAnswers = ReadonlyMap<string, Buffer>;

/** Another process's epoch, as the database knows it. */
export interface Peer {
  readonly epochId: bigint;
  /** Moves with every heartbeat, and with the server; means nothing but that it has moved. */
  readonly heartbeat: string;
  readonly timeoutMs: number;
  /** Declared dead, but its leases are still there: the process that did it has not finished. */
  readonly isFenced: boolean;
}

/**
 * By purse, what a process's lease has held and charged, together: less what the database has settled since, that is held,
 * and no charge counts as held and as settled. Only of leases that hold something, or whose charges are not all settled.
 * Null: there are too many of them to say.
 */
export type LeasesInUse = ReadonlyMap<bigint, NanoUsd> | null;

/** What a heartbeat brings back. */
export interface HeartbeatReply {
  readonly databaseNowMs: number;
  /** Changes when another server takes over: then commits may have been lost. */
  readonly timeline: string;
  readonly peers: readonly Peer[];
}

/** All of them may throw DatabaseUnavailable; those that spend for a live epoch, EpochFenced. */
export interface PurseStore {
  /** The unreaped epochs of a data directory, oldest first. */
  formerEpochs(instanceId: string): Promise<readonly bigint[]>;
  /** Begins an epoch. */
  beginEpoch(instanceId: string, processName: string, timeoutMs: number): Promise<bigint>;
  /** The present server's, as heartbeats bring it back. */
  timeline(): Promise<string>;
  /** Says that the epoch lives, and what its leases have in use. */
  heartbeat(epochId: bigint, inUse: LeasesInUse): Promise<HeartbeatReply>;
  /**
   * Declares an epoch dead, whose process can change nothing any more once this has returned, and gives its leases back.
   * With `heartbeat`, only if the epoch has sent no other since, and the server is the one that returned it.
   */
  fence(epochId: bigint, heartbeat?: string): Promise<void>;
  /** One round trip for all purses asked for, replies in the same order. Null: the purse or the lease is busy. */
  draw(epochId: bigint, requests: readonly DrawRequest[], options?: Waiting): Promise<readonly (DrawReply | null)[]>;
  /**
   * Inserts receipts and charges their leases, each once however often it is sent. Receipts of whole answers complete the
   * claims of their idempotency keys; if another request has one of them, or it is lost, nothing of the batch takes
   * effect. @throws LeaseGone, ClaimGone
   */
  settle(epochId: bigint, receipts: readonly Receipt[], answers: KeptAnswers): Promise<void>;
  /**
   * Inserts receipts of an epoch that is fenced, or whose leases or claims are gone, each once: takes what their purses
   * still have and writes off the rest. A receipt is charged nothing if another request has the claim of its
   * idempotency key by then, unless that claim is free (its epoch is fenced, and it isn't completed) or was made a day or
   * more after the receipt's request. Else a whole answer takes the claim, also if it is lost, and completes it.
   */
  settleLate(epochId: bigint, receipts: readonly Receipt[], answers: KeptAnswers): Promise<void>;
  /** Closes leases whose charges are all settled; repeating it changes nothing. Null: the purse or the lease is busy. */
  release(epochId: bigint, leases: readonly LeaseRelease[], options?: Waiting): Promise<readonly (true | null)[]>;
  /** Keeps a receipt that the database refuses, for an operator to look at, and releases its Idempotency-Key. */
  quarantine(receipt: Receipt, reason: string): Promise<void>;
}

/** What a process has at hand of one project's limits: whole permits, and places among the concurrent requests. */
export interface PermitStock {
  readonly requests: number;
  readonly tokens: number;
  readonly slots: number;
}

export const NO_STOCK: PermitStock = { requests: 0, tokens: 0, slots: 0 };

/** One project's draw. Numbered, and numbers rise over all draws of an epoch, so that a repeat changes nothing. */
export interface PermitDraw {
  readonly workspaceId: string;
  readonly projectId: string;
  readonly sequence: number;
  /** Requests let through from stock since the last draw; what the process's share is reckoned by. */
  readonly taken: number;
  /** Requests that run, each in a slot. */
  readonly running: number;
  /** All that was in stock when the draw was made. */
  readonly stock: PermitStock;
  /** The part of it that this process goes on taking from during the draw; the rest is offered for the needs, or goes back. */
  readonly keep: PermitStock;
  /** What goes back beyond the stock; below zero: what was taken without having been drawn. */
  readonly returned: { readonly requests: number; readonly tokens: number };
  /** The tokens of each request that waits, oldest first. */
  readonly needs: readonly number[];
  /** The stock that is wished for afterwards, while the limits are ample. */
  readonly target: PermitStock;
}

/** Why a request may not run now, and when it may. */
export interface PermitShortage {
  readonly shortOf: 'requests' | 'tokens' | 'concurrency';
  readonly waitMs: number;
}

/** How a project's limits stand after a draw. */
export interface PermitReply {
  /** As the database has them. */
  readonly limits: RateLimits;
  /** What the process has in stock from now on, what it kept included. */
  readonly stock: PermitStock;
  /** For each need: null where it was met. */
  readonly shortages: readonly (PermitShortage | null)[];
  /** What lies in the buckets, in no process's stock; 60,000 parts are a permit. Null: no limit. */
  readonly left: {
    readonly requestParts: number | null;
    readonly tokenParts: number | null;
    readonly slots: number | null;
  };
  /** This process's part of all requests of the last minute, 0 to 1. */
  readonly share: number;
}

export interface PermitStore {
  /**
   * One round trip for all projects, replies in the same order. Null: the project's limits are busy, as draws of purses
   * report it. @throws EpochFenced, DatabaseUnavailable
   */
  drawPermits(
    epochId: bigint,
    draws: readonly PermitDraw[],
    options?: Waiting,
  ): Promise<readonly (PermitReply | null)[]>;
}

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
