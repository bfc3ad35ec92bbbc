import type { SqlValue } from '../../lib/sql.ts';
import type { AttemptRecord, Receipt } from '../../domain/receipt.ts';
import type { Window } from '../../domain/window.ts';
import type { KeptAnswers } from '../../gate/purses/ports/database.ts';
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

/** A receipt's extras as the database takes them; null if it has none. */
export function extrasColumn({ extras }: Receipt): object | null {
  if (extras === undefined) return null;
  const { session, leftOut, retry, uses } = extras;
  return { session, left_out: leftOut && arrayLiteral(leftOut.map(textElement)), retry, uses };
}

/** Receipts as rows of JSON, with the windows of their purses, for settle_late_receipts. */
export function lateReceiptsJson(receipts: readonly Receipt[]): string {
  return JSON.stringify(
    receipts.map((receipt) => ({
      ...lastAttemptColumns(receipt),
      workspace: receipt.workspaceId,
      request: receipt.requestId,
      project: receipt.projectId,
      key: receipt.keyId,
      credit_purse: String(receipt.creditPurseId),
      project_purse: String(receipt.projectPurseId),
      key_purse: String(receipt.keyPurseId),
      dialect: receipt.dialect,
      model: receipt.model,
      price_version: String(receipt.priceVersionId),
      outcome: receipt.outcome,
      charge: String(receipt.charge),
      hold: String(receipt.hold),
      write_off: String(receipt.writeOff),
      fees: String(receipt.fees),
      certainty: receipt.usage.certainty,
      ...receipt.usage.tokens,
      shortened: receipt.shortenedToTokens,
      streamed: receipt.streamed,
      admitted_ms: receipt.admittedAtMs,
      duration_ms: Math.round(receipt.durationMs),
      first_event_ms: receipt.firstEventMs === null ? null : Math.round(receipt.firstEventMs),
      attempts: attemptsColumn(receipt),
      client_request: receipt.clientRequestId,
      idempotency_key: receipt.idempotencyKey,
      whole: receipt.isWhole,
      extras: extrasColumn(receipt),
      ...windowColumns('project', receipt.projectWindow),
      ...windowColumns('key', receipt.keyWindow),
    })),
  );
}

function lastAttemptColumns(receipt: Receipt): object {
  const last = lastAttempt(receipt);
  if (last === undefined) return {};
  return { provider: last.provider, upstream_model: last.upstreamModel, attempt_ms: Math.round(last.durationMs) };
}

function windowColumns(kind: 'project' | 'key', { period, startMs, endMs }: Window): object {
  return {
    [`${kind}_period`]: period,
    [`${kind}_start`]: new Date(startMs),
    [`${kind}_end`]: endMs === null ? null : new Date(endMs),
  };
}

/** A receipt as text for people, whatever is in it: JSON escapes what the database would refuse. */
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
