import type { NanoUsd } from '../domain/money.ts';
import type { Period } from '../domain/window.ts';
import type { Receipt } from '../domain/receipt.ts';

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
  /** The purse's mode number that this process has heard of. */
  readonly modeNumber: bigint;
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
  readonly modeNumber: bigint;
}

/** This process's epoch was declared dead: it may not spend or settle any more. */
export class EpochFenced extends Error {
  override readonly name = 'EpochFenced';
}

export interface PurseStore {
  /** Fences and reaps every live epoch of this data directory, then begins a new one. */
  beginEpoch(instanceId: string, processName: string): Promise<bigint>;
  /** Says that the epoch lives; answers with the database's clock. @throws EpochFenced, DatabaseUnavailable */
  heartbeat(epochId: bigint): Promise<{ databaseNowMs: number }>;
  /** One round trip for all purses asked for, replies in the same order. @throws EpochFenced, DatabaseUnavailable */
  draw(epochId: bigint, requests: readonly DrawRequest[]): Promise<readonly DrawReply[]>;
  /** Inserts receipts and charges their leases, each once however often it is sent. @throws EpochFenced, DatabaseUnavailable */
  settle(epochId: bigint, receipts: readonly Receipt[]): Promise<void>;
  /** Closes leases whose charges are all settled; repeating it changes nothing. @throws EpochFenced, DatabaseUnavailable */
  release(epochId: bigint, leases: readonly { readonly purseId: bigint; readonly charged: NanoUsd }[]): Promise<void>;
  /** Gives every lease back and closes the epoch, at a clean stop. */
  endEpoch(epochId: bigint): Promise<void>;
}
