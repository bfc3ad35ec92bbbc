import type { NanoUsd } from './money.ts';
import type { FieldTable, Parameter, ReceiptField } from './receipt-field.ts';
import type { Usage } from './usage.ts';
import type { ToolUses, Uses } from './uses.ts';
import type { Window } from './window.ts';

/**
 * How a request ended.
 * - `completed`: the answer is whole.
 * - `interrupted`: the stream broke off after its first data event.
 * - `abandoned`: the caller left before the answer was whole.
 * - `failed`: no data event ever reached the caller; nothing is charged except non-conforming answers beyond the bound
 *   on free ones.
 */
export const OUTCOMES = ['completed', 'interrupted', 'abandoned', 'failed'] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** The API that a caller spoke. */
export const DIALECTS = [
  'chat_completions',
  'embeddings',
  'rerank',
  'moderations',
  'messages',
  'responses',
  'completions',
] as const;

export type Dialect = (typeof DIALECTS)[number];

/** One try at one route. `status` is the upstream's HTTP status, null if none was received. */
export interface AttemptRecord {
  readonly provider: string;
  readonly upstreamModel: string;
  readonly status: number | null;
  readonly durationMs: number;
  /** The fault, as in the fault catalogue; null if there was none. */
  readonly fault: string | null;
  /** The strategy for an answer by the caller's JSON schema; absent if there is no schema. */
  readonly strategy?: string;
  /** Billed usage of a non-conforming answer; absent if it is free. */
  readonly charged?: Usage;
  /** Uses of tools that are billed with it, which the receipt has among its own; absent if there are none. */
  readonly chargedUses?: ToolUses;
}

/**
 * The fields of each receipt. Rows, lines of files, JSON and its document, lists, exports and the arguments of its
 * settlement are derived from this table and those below. JSON has this order, and so have the parts of a parameter of
 * `settle_receipts`. A new field belongs among the extras: it needs no place, and no other version of the lines of files.
 */
export const RECEIPT_FIELDS = {
  requestId: { kind: 'id', wire: 'request_id', in: 'requests', listed: true },
  workspaceId: { kind: 'id', wire: 'workspace_id', in: 'context_ids' },
  projectId: { kind: 'id', wire: 'project_id', in: 'context_ids', listed: true },
  keyId: { kind: 'id', wire: 'key_id', in: 'context_ids', listed: true },
  creditPurseId: { kind: 'purse', wire: 'credit_purse_id', in: 'context_numbers' },
  projectPurseId: { kind: 'purse', wire: 'project_purse_id', in: 'context_numbers' },
  keyPurseId: { kind: 'purse', wire: 'key_purse_id', in: 'context_numbers' },
  dialect: {
    kind: 'choice',
    of: DIALECTS,
    wire: 'dialect',
    in: 'context_texts',
    listed: true,
    description: 'The API that the caller used.',
  },
  model: { kind: 'text', wire: 'model', in: 'context_texts', listed: true },
  priceVersionId: { kind: 'version', wire: 'price_version_id', in: 'context_numbers' },
  outcome: { kind: 'choice', of: OUTCOMES, wire: 'outcome', in: 'context_texts', listed: true },
  charge: { kind: 'usd', wire: 'charge', in: 'charges', listed: true },
  hold: { kind: 'usd', wire: 'hold', in: 'numbers' },
  writeOff: { kind: 'usd', wire: 'write_off', in: 'numbers' },
  fees: {
    kind: 'usd',
    wire: 'fees',
    in: 'numbers',
    description: 'The part of charge and write-off that pays for uses, such as searches, rather than tokens.',
  },
  /** Its certainty is among the texts of the context. */
  usage: { kind: 'usage', wire: 'usage', in: 'numbers', listed: true },
  /** The output cap, if it was lowered to what the money covers. */
  shortenedToTokens: { kind: 'optional_count', wire: 'shortened_to_tokens', in: 'numbers' },
  streamed: { kind: 'flag', wire: 'streamed', in: 'numbers', listed: true },
  admittedAtMs: { kind: 'time', wire: 'admitted_at', in: 'numbers', listed: true },
  durationMs: { kind: 'ms', wire: 'duration_ms', in: 'numbers', listed: true },
  firstEventMs: { kind: 'optional_ms', wire: 'first_event_ms', in: 'numbers', listed: true },
  /** The duration of the last is among the numbers, its route among the texts of the context. */
  attempts: { kind: 'attempts', wire: 'attempts', in: 'attempts' },
  clientRequestId: { kind: 'optional_text', wire: 'client_request_id', in: 'client_requests', listed: true },
} as const satisfies FieldTable;

/** Fields of few receipts: absent if there is no value. `settle_receipts` finds them by name. */
export const EXTRA_FIELDS = {
  session: {
    kind: 'word',
    wire: 'session',
    in: 'extras',
    listed: true,
    description:
      'The agent’s session that the request was part of, from its header `session-id`, `session_id`, `x-claude-code-session-id` or `x-session-id`; null if it sent none.',
  },
  leftOut: {
    kind: 'words',
    wire: 'left_out',
    in: 'extras',
    description: 'What of the request the provider was not sent, as the header `x-faregate-left-out` says.',
  },
  retry: {
    kind: 'sign',
    wire: 'retry',
    in: 'extras',
    listed: true,
    description: 'It repeated a request with the same body and key that had failed within the minute before.',
  },
  uses: {
    kind: 'uses',
    wire: 'uses',
    in: 'extras',
    description: 'What was used beside tokens, if the price or the provider has a fee for any of it.',
  },
  serviceTier: {
    kind: 'word',
    wire: 'service_tier',
    in: 'extras',
    listed: true,
    description:
      'The service tier that it was served and charged in: `flex`, `priority` or `fast`; null if it was the standard one.',
  },
  requestedModel: {
    kind: 'word',
    wire: 'requested_model',
    in: 'extras',
    listed: true,
    description: 'The model that the caller requested, if another one answered in its place; else null.',
  },
  affinity: {
    kind: 'word',
    wire: 'affinity',
    in: 'extras',
    description:
      'What it had in common with requests that go to the same route, for the provider’s cache: `session`, `prompt_cache_key`, `user_id` of its metadata, or the beginning of its `messages`; null: its route was chosen by chance, or as listed.',
  },
  affinityMissed: {
    kind: 'sign',
    wire: 'affinity_missed',
    in: 'extras',
    description:
      'Another route answered than the one that requests with this in common go to: that one rested, failed, or could not be sent the request.',
  },
} as const satisfies FieldTable;

/** Fields that a receipt needs until it is settled, without columns. */
export const SETTLEMENT_FIELDS = {
  /** The windows of the last two purses, by which they are found if their ids are not. */
  projectWindow: { kind: 'window', wire: 'project', in: null },
  keyWindow: { kind: 'window', wire: 'key', in: null },
  /** The Idempotency-Key that the request held a claim on; null if it had none. */
  idempotencyKey: { kind: 'optional_text', wire: 'idempotency_key', in: null },
  /** The answer is whole: the receipt completes the claim, and a repeat gets the same answer. */
  isWhole: { kind: 'flag', wire: 'whole', in: null },
} as const satisfies FieldTable;

type Fields = typeof RECEIPT_FIELDS;

/** The fields that are passed in this parameter of `settle_receipts`. */
type FieldsIn<Name extends Parameter> = {
  [Property in keyof Fields]: Fields[Property]['in'] extends Name ? Property : never;
}[keyof Fields];

/** The properties of a receipt that are passed in a parameter of `settle_receipts`, in its order. */
export function fieldsIn<Name extends Parameter>(parameter: Name): readonly FieldsIn<Name>[] {
  const fields = Object.entries<ReceiptField>(RECEIPT_FIELDS).filter(([, field]) => field.in === parameter);
  const names: unknown = fields.map(([property]) => property);
  return names as readonly FieldsIn<Name>[];
}

interface KindValues {
  readonly id: string;
  readonly purse: bigint;
  readonly version: bigint;
  readonly text: string;
  readonly usd: NanoUsd;
  readonly usage: Usage;
  readonly optional_count: number | null;
  readonly flag: boolean;
  readonly time: number;
  readonly ms: number;
  readonly optional_ms: number | null;
  readonly attempts: readonly AttemptRecord[];
  readonly optional_text: string | null;
  readonly window: Window;
  readonly word: string;
  readonly words: readonly string[];
  readonly sign: true;
  readonly uses: Uses;
}

type ValueOf<Field extends ReceiptField> = Field extends { readonly of: readonly (infer Choice)[] }
  ? Choice
  : Field['kind'] extends keyof KindValues
    ? KindValues[Field['kind']]
    : never;

/** The values of fields: amounts in nano-USD, times in milliseconds since the epoch. */
export type ReceiptValues<Table extends FieldTable> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> };

export type ReceiptExtras = Partial<ReceiptValues<typeof EXTRA_FIELDS>>;

/** The stored record of one request that reached an attempt. */
export interface Receipt extends ReceiptValues<typeof RECEIPT_FIELDS>, ReceiptValues<typeof SETTLEMENT_FIELDS> {
  /** Absent if there are none, so that the receipt's line in a file is the same as before extras existed. */
  readonly extras?: ReceiptExtras;
  /**
   * The purse of the member who made the key, if they have a limit. It stays off the receipt's line: what is settled late
   * finds it by the key.
   */
  readonly memberPurseId?: bigint;
  /** The purses of the end user and of the session that it was for, if the project limits them. */
  readonly endUserPurse?: ServedPurse;
  readonly sessionPurse?: ServedPurse;
}

/** The purse of an end user or a session, and by what it is found if its id is not. */
export interface ServedPurse {
  readonly purseId: bigint;
  readonly subjectId: string;
  readonly window: Window;
}
