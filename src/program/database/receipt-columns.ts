import type { SqlValue } from '../../lib/sql.ts';
import type { ReceiptField } from '../../domain/receipt-field.ts';
import {
  type AttemptRecord,
  EXTRA_FIELDS,
  type Receipt,
  RECEIPT_FIELDS,
  type ServedPurse,
  SETTLEMENT_FIELDS,
} from '../../domain/receipt.ts';
import type { Usage } from '../../domain/usage.ts';
import type { Window } from '../../domain/window.ts';
import type { BriefKind, KeptAnswers } from '../../gate/purses/ports/database.ts';
import { arrayLiteral, textElement } from './array-literal.ts';

// Receipts as the database takes them beside settle_receipts: as rows of JSON, as text, and the claims that they
// complete.

const OK = 200;

/** The last attempt of a receipt, which columns of its own hold; undefined if there was none. */
export function lastAttempt({ attempts }: Receipt): AttemptRecord | undefined {
  return attempts.at(-1);
}

/** A receipt's attempts as the column of that name has them; null if the columns of the last attempt say as much. */
export function attemptsColumn({ attempts }: Receipt): readonly object[] | null {
  const isAllSaid = attempts.length <= 1 && attempts.every(isPlainSuccess);
  return isAllSaid ? null : attempts.map(attemptColumn);
}

/** Whether route and duration are all there is to say. */
function isPlainSuccess({ status, fault, strategy, charged }: AttemptRecord): boolean {
  return status === OK && fault === null && strategy === undefined && charged === undefined;
}

function attemptColumn(attempt: AttemptRecord): object {
  return {
    provider: attempt.provider,
    upstream_model: attempt.upstreamModel,
    status: attempt.status,
    duration_ms: Math.round(attempt.durationMs),
    fault: attempt.fault,
    strategy: attempt.strategy,
    charged: attempt.charged,
  };
}

/** The duration of a receipt's last attempt; undefined if there was none. */
export function lastAttemptMs(receipt: Receipt): number | undefined {
  const last = lastAttempt(receipt);
  return last === undefined ? undefined : Math.round(last.durationMs);
}

/** A receipt's extras as the database takes them, by their columns; null if it has none. */
export function extrasColumn({ extras }: Receipt): object | null {
  if (extras === undefined) return null;
  const given: Values = extras;
  const columns = Object.entries<ReceiptField>(EXTRA_FIELDS).map(([name, { kind, wire }]) => {
    const value = given[name];
    const isList = kind === 'words' && value !== undefined;
    return [wire, isList ? arrayLiteral((value as readonly string[]).map(textElement)) : value];
  });
  return Object.fromEntries(columns) as object;
}

type Values = Readonly<Record<string, unknown>>;

/** Attributes of the database's type that aren't named like their fields. */
const LATE_NAMES: Readonly<Record<string, string>> = { admitted_at: 'admitted_ms', shortened_to_tokens: 'shortened' };

/** A field of a receipt as attributes of the database's type `late_receipt`. */
function lateAttributes({ kind, wire }: ReceiptField, value: unknown): object {
  if (kind === 'usage') {
    const { tokens, certainty } = value as Usage;
    return { certainty, ...tokens };
  }
  if (kind === 'window') return windowAttributes(wire, value as Window);
  const name = LATE_NAMES[wire] ?? wire.replace(/_id$/, '');
  if (typeof value === 'bigint') return { [name]: String(value) };
  if (kind === 'ms' || kind === 'optional_ms') return { [name]: value === null ? null : Math.round(value as number) };
  return { [name]: value };
}

const LATE_FIELDS = Object.entries<ReceiptField>({ ...RECEIPT_FIELDS, ...SETTLEMENT_FIELDS });

/** Receipts as rows of JSON, with the windows of their purses, for settle_late_receipts. */
export function lateReceiptsJson(receipts: readonly Receipt[]): string {
  return JSON.stringify(
    receipts.map((receipt) => {
      const values = receipt as unknown as Values;
      const attributes = LATE_FIELDS.map(([name, field]) => lateAttributes(field, values[name]));
      const others = { attempts: attemptsColumn(receipt), extras: lateExtras(receipt) };
      return Object.assign({}, ...attributes, lastAttemptAttributes(receipt), others) as object;
    }),
  );
}

/** Extras, and the purses of the end user and the session, which the database opens again if they are not there. */
function lateExtras(receipt: Receipt): object | null {
  const purses = [
    ['end_user', receipt.endUserPurse],
    ['session', receipt.sessionPurse],
  ] as const;
  const served = purses.flatMap(([kind, purse]) => (purse === undefined ? [] : [servedAttributes(kind, purse)]));
  const extras = extrasColumn(receipt);
  return served.length === 0 ? extras : { ...extras, served };
}

function servedAttributes(kind: BriefKind, { purseId, subjectId, window }: ServedPurse): object {
  return {
    kind,
    id: String(purseId),
    subject: subjectId,
    ...windowAttributes('window', window),
    period: window.period,
  };
}

function lastAttemptAttributes(receipt: Receipt): object {
  const { provider, upstreamModel } = lastAttempt(receipt) ?? {};
  return { provider, upstream_model: upstreamModel, attempt_ms: lastAttemptMs(receipt) };
}

function windowAttributes(kind: string, { period, startMs, endMs }: Window): object {
  return {
    [`${kind}_period`]: period,
    [`${kind}_start`]: new Date(startMs),
    [`${kind}_end`]: endMs === null ? null : new Date(endMs),
  };
}

/** A receipt as readable text. JSON escapes characters that the database would refuse. */
export function receiptText(receipt: Receipt): string {
  return JSON.stringify(receipt, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

/** The claims of receipts that complete none. */
export const NO_CLAIMS: readonly SqlValue[] = [[], [], [], [], []];

/** The claims that receipts complete, as SQL functions take them, with their answers; null if they complete none. */
export function claimArguments(receipts: readonly Receipt[], answers: KeptAnswers): readonly SqlValue[] | null {
  const claiming = receipts.filter(({ idempotencyKey, isWhole }) => idempotencyKey !== null && isWhole);
  if (claiming.length === 0) return null;
  return [
    claiming.map(({ workspaceId }) => workspaceId),
    claiming.map(({ keyId }) => keyId),
    claiming.map(({ idempotencyKey }) => idempotencyKey),
    claiming.map(({ requestId }) => requestId),
    claiming.map(({ requestId }) => answers.get(requestId) ?? null),
  ];
}
