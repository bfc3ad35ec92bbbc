import type { NanoUsd } from '../../../domain/money.ts';
import type { Principal, RateLimits } from '../../../domain/principal.ts';
import type { Period, Window } from '../../../domain/window.ts';
import type { Receipt } from '../../../domain/receipt.ts';

// The ports to the database: the store of purses, that of permits, and that of keys with what their first requests
// need. database/ implements them with PostgreSQL; simulation replaces them.

/**
 * Kinds of purses of which there are many, each for a short time: what a hold needs is drawn when it needs it, and a purse has no
 * row before. Their limits are the project's, as it is when they are drawn.
 */
export const BRIEF_KINDS = ['end_user', 'session'] as const;

export type BriefKind = (typeof BRIEF_KINDS)[number];

export type PurseKind = 'credit' | 'project' | 'member' | 'key' | BriefKind;

export function isBriefKind(kind: PurseKind): kind is BriefKind {
  return BRIEF_KINDS.some((each) => each === kind);
}

/** Names one purse: a workspace's credit, a project's or an end user's window, or a member's, a key's or a session's month. */
export interface PurseName {
  readonly workspaceId: string;
  readonly kind: PurseKind;
  readonly subjectId: string;
  readonly period: Period;
  readonly windowStartMs: number;
  readonly windowEndMs: number | null;
  /** The project whose end user or session it is. */
  readonly projectId?: string;
}

/** Sets a lease to `keep` plus what the purse can add. Numbered, so that a repeat changes nothing. */
export interface DrawRequest {
  readonly purse: PurseName;
  readonly sequence: bigint;
  /** The part of the present grant that stays: held + charged + the slack that isn't given back. */
  readonly keep: NanoUsd;
  /** The part of `keep` that is neither held nor charged. */
  readonly slack: NanoUsd;
  /** The whole amounts of the waiting holds, oldest first. */
  readonly needs: readonly NanoUsd[];
  /** What to draw in addition while the purse is wet. */
  readonly ahead: NanoUsd;
}

/** The id in the place of that of a brief purse from which nothing was ever drawn: it has no row. */
export const NO_ROW = 0n;

/** A lease and its purse after a draw. */
export interface DrawReply {
  readonly purseId: bigint;
  /** Null: the purse is unlimited. */
  readonly limit: NanoUsd | null;
  /** All charges against the purse except those of this lease. */
  readonly spentByOthers: NanoUsd;
  /** The part in no lease: limit − spent − leased; null if unlimited. */
  readonly available: NanoUsd | null;
  readonly granted: NanoUsd;
  /** Whether the lease has no bound. If a repeat is answered after the limit was changed, this and `limit` differ. */
  readonly open: boolean;
  /** Shut: nothing more is granted, because the workspace moves to another cell. */
  readonly mode: 'wet' | 'dry' | 'shut';
  /** The number of the lease's last draw: the one that is answered, unless another has taken precedence. */
  readonly sequence: bigint;
  /** Until when `limit` holds, by the database's clock, if it is raised for a time. */
  readonly raisedUntilMs?: number | null;
}

/** Names a lease to close: one that was drawn again since, or follows it, is not meant. */
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

/** Options of a statement on rows that other transactions may have locked. */
export interface Waiting {
  /**
   * Whether the statement waits a moment for the first busy row, and for all others in the same time. Otherwise, and
   * after that, busy rows are left unchanged and reported.
   */
  readonly waits: boolean;
}

/** This process's epoch was declared dead: it may not spend or settle any more. */
export class EpochFenced extends Error {
  override readonly name = 'EpochFenced';
}

/** A charge's lease is gone, or too small for it, although its epoch is live: the result of an unclean failover. */
export class LeaseGone extends Error {
  override readonly name = 'LeaseGone';
}

/** A receipt can't complete its Idempotency-Key's claim: another request has it, or it is lost. It is charged late. */
export class ClaimGone extends Error {
  override readonly name = 'ClaimGone';
}

/** Answers to requests with an Idempotency-Key, by request id; stored in the transaction that settles them. */
export type KeptAnswers = ReadonlyMap<string, Buffer>;

/** Another process's epoch, as the database knows it. */
export interface Peer {
  readonly epochId: bigint;
  /** Changes with every heartbeat, and with the server; only a difference has a meaning. */
  readonly heartbeat: string;
  readonly timeoutMs: number;
  /** The epoch is declared dead, but its leases still exist: the process that did so has not finished. */
  readonly isFenced: boolean;
}

/**
 * By purse, held + charged amount of a process's lease. Subtracting what the database has settled since leaves what is
 * held; no charge counts both as held and as settled. Only leases with holds or unsettled charges. Null if there are
 * too many of them.
 */
export type LeasesInUse = ReadonlyMap<bigint, NanoUsd> | null;

/** The reply to a heartbeat. */
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
  /** The timeline of the present server, as in heartbeats' replies. */
  timeline(): Promise<string>;
  /** Keeps the epoch alive, and reports what its leases have in use. */
  heartbeat(epochId: bigint, inUse: LeasesInUse): Promise<HeartbeatReply>;
  /**
   * Declares an epoch dead and gives its leases back; its process can change nothing after this has resolved. With
   * `heartbeat`, only if the epoch has sent no other since, and the server is the one that returned it.
   */
  fence(epochId: bigint, heartbeat?: string): Promise<void>;
  /** One round trip for all purses, replies in the same order. Null: the purse or the lease is busy. */
  draw(epochId: bigint, requests: readonly DrawRequest[], options?: Waiting): Promise<readonly (DrawReply | null)[]>;
  /**
   * Inserts receipts and charges their leases, each once however often it is sent. Receipts of whole answers complete
   * the claims of their idempotency keys; if any claim is lost or belongs to another request, the batch has no effect.
   * @throws LeaseGone, ClaimGone
   */
  settle(epochId: bigint, receipts: readonly Receipt[], answers: KeptAnswers): Promise<void>;
  /**
   * Inserts receipts of a fenced epoch, or whose leases or claims are gone, each once: charges what their purses still
   * have and writes off the rest. If another request has the claim of the idempotency key by then, the charge is zero,
   * unless that claim is free (its epoch is fenced, and it isn't completed) or was made a day or more after the
   * receipt's request. Otherwise a whole answer takes the claim, even a lost one, and completes it.
   */
  settleLate(epochId: bigint, receipts: readonly Receipt[], answers: KeptAnswers): Promise<void>;
  /** Closes leases whose charges are all settled; repeating it changes nothing. Null: the purse or the lease is busy. */
  release(epochId: bigint, leases: readonly LeaseRelease[], options?: Waiting): Promise<readonly (true | null)[]>;
  /** Sets a receipt that the database rejects aside for the operator, and releases its Idempotency-Key. */
  quarantine(receipt: Receipt, reason: string): Promise<void>;
}

/** A process's stock of one project's limits: whole permits, and slots for concurrent requests. */
export interface PermitStock {
  readonly requests: number;
  readonly tokens: number;
  readonly slots: number;
}

export const NO_STOCK: PermitStock = { requests: 0, tokens: 0, slots: 0 };

/** One project's draw. Its number rises over all draws of an epoch, so that a repeat changes nothing. */
export interface PermitDraw {
  readonly workspaceId: string;
  readonly projectId: string;
  readonly sequence: number;
  /** Requests let through from stock since the last draw; determines the process's share. */
  readonly taken: number;
  /** Running requests, each in a slot. */
  readonly running: number;
  /** The whole stock when the draw was made. */
  readonly stock: PermitStock;
  /** The stock that this process keeps using during the draw; the rest is offered for the needs, or given back. */
  readonly keep: PermitStock;
  /** Permits given back in addition to the stock; negative: permits taken without a draw. */
  readonly returned: { readonly requests: number; readonly tokens: number };
  /** The tokens of each waiting request, oldest first. */
  readonly needs: readonly number[];
  /** The desired stock after the draw, while the limits are ample. */
  readonly target: PermitStock;
}

/** Why a request may not run now, and when it may. */
export interface PermitShortage {
  readonly shortOf: 'requests' | 'tokens' | 'concurrency';
  readonly waitMs: number;
}

/** A project's limits after a draw. */
export interface PermitReply {
  /** As the database has them. */
  readonly limits: RateLimits;
  /** The process's new stock, including what it kept. */
  readonly stock: PermitStock;
  /** For each need; null if it was met. */
  readonly shortages: readonly (PermitShortage | null)[];
  /** What the buckets hold, outside of any process's stock; 60,000 parts are a permit. Null: no limit. */
  readonly left: {
    readonly requestParts: number | null;
    readonly tokenParts: number | null;
    readonly slots: number | null;
  };
  /** This process's share of all requests of the last minute, 0 to 1. */
  readonly share: number;
}

export interface PermitStore {
  /**
   * One round trip for all projects, replies in the same order. Null: the project's limits are busy, as with draws of
   * purses. @throws EpochFenced, DatabaseUnavailable
   */
  drawPermits(
    epochId: bigint,
    draws: readonly PermitDraw[],
    options?: Waiting,
  ): Promise<readonly (PermitReply | null)[]>;
}

/**
 * The draw for keys whose principals are unknown yet: from each purse and project of which the epoch has nothing. What
 * it already has is unchanged. Numbered like other draws, so that a repeat changes nothing and returns the same.
 */
export interface FirstDraw {
  /** The current windows, one for each period. */
  readonly windows: readonly Window[];
  readonly sequence: bigint;
  /** The amount drawn from each purse, as far as it is ample. */
  readonly ahead: NanoUsd;
  readonly permitSequence: number;
  /** Tokens drawn from each project's limit for each of its keys and once more, besides one request and one slot. */
  readonly tokens: number;
}

/** The principals of the keys, and what was drawn for them. */
export interface LookedUp {
  /** In the order of the keys; null if there is no such live key. */
  readonly principals: readonly (Principal | null)[];
  /** The new leases, by the id of their purse's workspace, project, limit of a member, or key. */
  readonly leases: ReadonlyMap<string, DrawReply>;
  /** The new stock of permits, by the ids of the projects. */
  readonly permits: ReadonlyMap<string, PermitReply>;
}

/** Looks up keys by the SHA-256 of their secrets. */
export interface KeyStore {
  /** The principals of the keys; null if there is no such live key. @throws DatabaseUnavailable */
  find(secrets: readonly Buffer[]): Promise<readonly (Principal | null)[]>;
  /** `find`, and first draws in the same round trip. @throws EpochFenced, LeaseGone, DatabaseUnavailable */
  findAndDraw(epochId: bigint, secrets: readonly Buffer[], draw: FirstDraw): Promise<LookedUp>;
}
