import type { SqlValue } from '../lib/sql.ts';
import type { AttemptRecord, Receipt } from '../domain/receipt.ts';
import type { Window } from '../domain/window.ts';
import type { KeptAnswers } from '../purses/ports/database.ts';

// Receipts as the database takes them beside settle_receipts: as rows of JSON, as text, and the claims that they
// complete.

/** A receipt's attempts as the column of that name has them. */
export function attemptsJson({ attempts }: Receipt): string {
  return JSON.stringify(attempts.map(attemptColumn));
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

/** Receipts as rows of JSON, with the windows of their purses, for settle_late_receipts. */
export function lateReceiptsJson(receipts: readonly Receipt[]): string {
  return JSON.stringify(
    receipts.map((receipt) => ({
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
      attempts: receipt.attempts.map(attemptColumn),
      client_request: receipt.clientRequestId,
      idempotency_key: receipt.idempotencyKey,
      whole: receipt.isWhole,
      ...windowColumns('project', receipt.projectWindow),
      ...windowColumns('key', receipt.keyWindow),
    })),
  );
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
