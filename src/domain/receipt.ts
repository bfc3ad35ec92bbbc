import type { NanoUsd } from './money.ts';
import type { Usage } from './usage.ts';
import type { ToolUses, Uses } from './uses.ts';
import type { Window } from './window.ts';

/**
 * How a request ended.
 * - `completed`: the answer is whole.
 * - `interrupted`: the stream broke off after its first data event.
 * - `abandoned`: the caller left before the answer was whole.
 * - `failed`: no data event ever reached the caller; nothing is charged but for answers beyond the bound on free
 *   ones that conform to no schema.
 */
export const OUTCOMES = ['completed', 'interrupted', 'abandoned', 'failed'] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** The API that a caller spoke. */
export const DIALECTS = ['chat_completions', 'embeddings', 'messages', 'responses', 'completions'] as const;

export type Dialect = (typeof DIALECTS)[number];

/** One try at one route. `status` is the upstream's HTTP status, null where none came. */
export interface AttemptRecord {
  readonly provider: string;
  readonly upstreamModel: string;
  readonly status: number | null;
  readonly durationMs: number;
  /** Why it failed, in the words of the fault catalogue; null where it didn't. */
  readonly fault: string | null;
  /** How it was asked for an answer by the caller's JSON schema; absent where there is none. */
  readonly strategy?: string;
  /** Billed usage of a non-conforming answer; absent if it is free. */
  readonly charged?: Usage;
  /** Uses of tools that are billed with it, which the receipt has among its own; absent if there are none. */
  readonly chargedUses?: ToolUses;
}

/** What few receipts have to say. A field is absent where there is nothing of it. */
export interface ReceiptExtras {
  /** The agent's session that the request was part of, as its client named it. */
  readonly session?: string;
  /** What of the caller's request its answer's provider was not sent, by the caller's names. */
  readonly leftOut?: readonly string[];
  /** The request repeated one of the same key that had failed within the minute before. */
  readonly retry?: true;
  /** What was charged beside the tokens, or cost the provider something. */
  readonly uses?: Uses;
}

/** The stored record of one request that reached an attempt. Amounts in nano-USD, times in milliseconds since the epoch. */
export interface Receipt {
  readonly requestId: string;
  readonly workspaceId: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly creditPurseId: bigint;
  readonly projectPurseId: bigint;
  readonly keyPurseId: bigint;
  /** The windows of the last two purses, by which they are found where their ids are not. */
  readonly projectWindow: Window;
  readonly keyWindow: Window;
  readonly dialect: Dialect;
  readonly model: string;
  readonly priceVersionId: bigint;
  readonly outcome: Outcome;
  readonly charge: NanoUsd;
  readonly hold: NanoUsd;
  readonly writeOff: NanoUsd;
  /** The part of charge and write-off that is for uses, such as searches, and not for tokens: `extras.uses` has them. */
  readonly fees: NanoUsd;
  readonly usage: Usage;
  /** The output cap that the money covered, where it was lowered for it. */
  readonly shortenedToTokens: number | null;
  readonly streamed: boolean;
  readonly admittedAtMs: number;
  readonly durationMs: number;
  readonly firstEventMs: number | null;
  readonly attempts: readonly AttemptRecord[];
  readonly clientRequestId: string | null;
  /** The Idempotency-Key that the request held a claim on; null if it had none. */
  readonly idempotencyKey: string | null;
  /** The answer is whole: the receipt completes the claim, and a repeat gets the same answer. */
  readonly isWhole: boolean;
  /** Absent from a receipt that has none, so that its line in a file stays as it was before there were any. */
  readonly extras?: ReceiptExtras;
}
