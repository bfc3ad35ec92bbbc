import type { SqlValue } from '../lib/sql.ts';
import type { AttemptRecord, Receipt } from '../domain/receipt.ts';
import type { Window } from '../domain/window.ts';
import type { KeptAnswers } from '../purses/purse-store.ts';

// Receipts as the arrays that settle_receipts unnests: one array a column, in the order of its parameters. They are
// written as PostgreSQL's array literals here, because the driver would escape each number as if it were text, which
// doubles what a receipt costs.

type ColumnValue = string | number | bigint | boolean | null;

const COLUMNS: readonly (readonly [name: string, read: (receipt: Receipt) => ColumnValue])[] = [
  ['workspace', (receipt) => receipt.workspaceId],
  ['request', (receipt) => receipt.requestId],
  ['project', (receipt) => receipt.projectId],
  ['key', (receipt) => receipt.keyId],
  ['credit_purse', (receipt) => receipt.creditPurseId],
  ['project_purse', (receipt) => receipt.projectPurseId],
  ['key_purse', (receipt) => receipt.keyPurseId],
  ['model', (receipt) => receipt.model],
  ['price_version', (receipt) => receipt.priceVersionId],
  ['outcome', (receipt) => receipt.outcome],
  ['charge', (receipt) => receipt.charge],
  ['hold', (receipt) => receipt.hold],
  ['write_off', (receipt) => receipt.writeOff],
  ['certainty', (receipt) => receipt.usage.certainty],
  ['input', (receipt) => receipt.usage.tokens.input],
  ['cached_input', (receipt) => receipt.usage.tokens.cached_input],
  ['cache_write_5m', (receipt) => receipt.usage.tokens.cache_write_5m],
  ['cache_write_1h', (receipt) => receipt.usage.tokens.cache_write_1h],
  ['audio_input', (receipt) => receipt.usage.tokens.audio_input],
  ['output', (receipt) => receipt.usage.tokens.output],
  ['audio_output', (receipt) => receipt.usage.tokens.audio_output],
  ['shortened', (receipt) => receipt.shortenedToTokens],
  ['streamed', (receipt) => receipt.streamed],
  ['admitted_ms', (receipt) => receipt.admittedAtMs],
  ['duration_ms', (receipt) => Math.round(receipt.durationMs)],
  ['first_event_ms', (receipt) => (receipt.firstEventMs === null ? null : Math.round(receipt.firstEventMs))],
  ['attempts', (receipt) => JSON.stringify(receipt.attempts.map(attemptColumn))],
  ['client_request', (receipt) => receipt.clientRequestId],
];

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

/** The arguments of settle_receipts after the epoch: an array literal for each column. */
export function settleArguments(receipts: readonly Receipt[]): string[] {
  return COLUMNS.map(([, read]) => `{${receipts.map((receipt) => elementOf(read(receipt))).join(',')}}`);
}

const NEEDS_ESCAPE = /["\\]/;

/** A value as an element of an array literal. */
function elementOf(value: ColumnValue): string {
  if (value === null) return 'NULL';
  if (typeof value !== 'string') return String(value);
  return `"${NEEDS_ESCAPE.test(value) ? value.replaceAll(/["\\]/g, '\\$&') : value}"`;
}

/** The same as rows of JSON, with the windows of their purses, for settle_late_receipts. */
export function lateReceiptsJson(receipts: readonly Receipt[]): string {
  return JSON.stringify(
    receipts.map((receipt) => ({
      ...Object.fromEntries(
        COLUMNS.map(([name, read]) => {
          const value = read(receipt);
          if (name === 'attempts') return [name, JSON.parse(String(value))];
          return [name, typeof value === 'bigint' ? String(value) : value];
        }),
      ),
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

/** The arguments of complete_idempotent_requests; null where no receipt completes a claim. */
export function claimArguments(receipts: readonly Receipt[], answers: KeptAnswers): readonly SqlValue[] | null {
  const claiming = receipts.filter(({ idempotencyKey }) => idempotencyKey !== null);
  if (claiming.length === 0) return null;
  return [
    claiming.map(({ workspaceId }) => workspaceId),
    claiming.map(({ keyId }) => keyId),
    claiming.map(({ idempotencyKey }) => idempotencyKey),
    claiming.map(({ requestId }) => requestId),
    claiming.map(({ requestId }) => answers.get(requestId) ?? null),
  ];
}
