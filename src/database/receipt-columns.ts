import type { SqlValue } from '../lib/sql.ts';
import type { AttemptRecord, Receipt } from '../domain/receipt.ts';

// Receipts as the arrays that settle_receipts unnests: one array a column, in the order of its parameters.

const column = (read: (receipt: Receipt) => SqlValue) => read;

const COLUMNS = [
  column((receipt) => receipt.workspaceId),
  column((receipt) => receipt.requestId),
  column((receipt) => receipt.projectId),
  column((receipt) => receipt.keyId),
  column((receipt) => receipt.creditPurseId),
  column((receipt) => receipt.projectPurseId),
  column((receipt) => receipt.keyPurseId),
  column((receipt) => receipt.model),
  column((receipt) => receipt.priceVersionId),
  column((receipt) => receipt.outcome),
  column((receipt) => receipt.charge),
  column((receipt) => receipt.hold),
  column((receipt) => receipt.writeOff),
  column((receipt) => receipt.usage.certainty),
  column((receipt) => receipt.usage.tokens.input),
  column((receipt) => receipt.usage.tokens.cached_input),
  column((receipt) => receipt.usage.tokens.cache_write_5m),
  column((receipt) => receipt.usage.tokens.cache_write_1h),
  column((receipt) => receipt.usage.tokens.audio_input),
  column((receipt) => receipt.usage.tokens.output),
  column((receipt) => receipt.usage.tokens.audio_output),
  column((receipt) => receipt.shortenedToTokens),
  column((receipt) => receipt.streamed),
  column((receipt) => receipt.admittedAtMs),
  column((receipt) => Math.round(receipt.durationMs)),
  column((receipt) => (receipt.firstEventMs === null ? null : Math.round(receipt.firstEventMs))),
  column((receipt) => JSON.stringify(receipt.attempts.map(attemptColumn))),
  column((receipt) => receipt.clientRequestId),
];

function attemptColumn(attempt: AttemptRecord): object {
  return {
    provider: attempt.provider,
    upstream_model: attempt.upstreamModel,
    status: attempt.status,
    duration_ms: Math.round(attempt.durationMs),
    fault: attempt.fault,
  };
}

/** The arguments of settle_receipts after the epoch: an array for each column. */
export function settleArguments(receipts: readonly Receipt[]): SqlValue[] {
  return COLUMNS.map((read) => receipts.map(read));
}
