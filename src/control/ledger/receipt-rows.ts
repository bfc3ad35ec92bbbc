import { type FieldTable, receiptColumn, type ReceiptField } from '../../domain/receipt-field.ts';
import type { AttemptRecord, ReceiptValues } from '../../domain/receipt.ts';
import { TOKEN_CLASSES, type Certainty, type TokenClass, type TokenCounts, type Usage } from '../../domain/usage.ts';
import { NO_USES, type Uses } from '../../domain/uses.ts';
import { assert } from '../../lib/assert.ts';

// The fields of receipts as their rows have them, each by its kind.

interface StoredExtra {
  readonly word: string | null;
  readonly words: readonly string[];
  readonly sign: boolean;
  readonly uses: Uses;
}

/** The values of fields as they are read: of an extra null, or nothing, if there is none. */
export type StoredValues<Table extends FieldTable> = {
  readonly [Name in keyof Table]: Table[Name]['kind'] extends keyof StoredExtra
    ? StoredExtra[Table[Name]['kind']]
    : ReceiptValues<Table>[Name];
};

/** An attempt in the receipt's column. */
interface AttemptJson {
  readonly provider: string;
  readonly upstream_model: string;
  readonly status: number | null;
  readonly duration_ms: number;
  readonly fault: string | null;
  readonly strategy?: string;
  readonly charged?: Usage;
}

/** What is read of the columns of fields that have several. */
interface SeveralColumns extends Readonly<Record<`${TokenClass}_tokens`, number>> {
  readonly usage_certainty: Certainty;
  /** Route and duration of the last attempt; null if there was none, and on receipts from before there were these columns. */
  readonly provider: string | null;
  readonly upstream_model: string | null;
  readonly attempt_ms: number | null;
  /** Null if the columns of the last attempt say as much. */
  readonly attempts: readonly AttemptJson[] | null;
}

const OK = 200;
/** The columns of fields that have several. */
const COLUMNS: Partial<Record<ReceiptField['kind'], readonly string[]>> = {
  usage: ['usage_certainty', ...TOKEN_CLASSES.map((tokenClass) => `${tokenClass}_tokens`)],
  attempts: ['attempts', 'provider', 'upstream_model', 'attempt_ms'],
};

/** The columns that the fields of a table are read from. */
export function columnsOf(table: FieldTable): readonly string[] {
  return Object.values(table).flatMap((field) => COLUMNS[field.kind] ?? [receiptColumn(field)]);
}

function tokensOf(row: SeveralColumns): TokenCounts {
  const counts = TOKEN_CLASSES.map((tokenClass) => [tokenClass, row[`${tokenClass}_tokens`]] as const);
  return Object.fromEntries(counts) as Record<TokenClass, number>;
}

/** The attempts as they were. What is known by its columns alone is one that succeeded and was charged with the answer. */
function attemptsOf(row: SeveralColumns): readonly AttemptRecord[] {
  const { provider, upstream_model: upstreamModel, attempt_ms: durationMs } = row;
  if (row.attempts !== null) return row.attempts.map(attemptOf);
  if (provider === null || upstreamModel === null || durationMs === null) return [];
  return [{ provider, upstreamModel, status: OK, durationMs, fault: null }];
}

function attemptOf({ upstream_model: upstreamModel, duration_ms: durationMs, ...attempt }: AttemptJson): AttemptRecord {
  return { ...attempt, upstreamModel, durationMs };
}

const NOTHING: Partial<Record<ReceiptField['kind'], unknown>> = { words: [], sign: false, uses: NO_USES };

/** The value of a field in a row. */
function valueOf(row: object, field: ReceiptField): unknown {
  const { kind } = field;
  const several = row as SeveralColumns;
  if (kind === 'usage') return { tokens: tokensOf(several), certainty: several.usage_certainty };
  if (kind === 'attempts') return attemptsOf(several);
  const value = (row as Readonly<Record<string, unknown>>)[receiptColumn(field)];
  assert(value !== undefined, `a row has the column of ${field.wire}`);
  return kind === 'time' ? (value as Date).getTime() : (value ?? NOTHING[kind] ?? null);
}

/** The fields of a table in a row that has their columns. */
export function readFields<Table extends FieldTable>(table: Table, row: object): StoredValues<Table> {
  const values = Object.entries(table).map(([name, field]) => [name, valueOf(row, field)]);
  return Object.fromEntries(values) as StoredValues<Table>;
}
