import type { NanoUsd } from '../../domain/money.ts';
import type { Period } from '../../domain/window.ts';
import type { Receipt } from '../../domain/receipt.ts';

// The port behind which the purses' durable side sits. PostgreSQL implements it in database/; simulation replaces it.

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
  /** Says that the epoch lives. */
  heartbeat(epochId: bigint): Promise<HeartbeatReply>;
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
