import { TOKEN_CLASSES } from '../../domain/usage.ts';
import type { NanoUsd } from '../../domain/money.ts';
import { receiptColumn, type ReceiptField } from '../../domain/receipt-field.ts';
import { EXTRA_FIELDS, RECEIPT_FIELDS } from '../../domain/receipt.ts';
import { USE_CLASSES, type Uses } from '../../domain/uses.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { Pacer } from '../../lib/pacer.ts';
import type { SqlRunner, StatementLimits } from '../../lib/sql.ts';
import { ID_BEFORE_ALL, leastUuid7At } from '../../lib/uuid7.ts';
import { csvHeading, csvLine, type CsvColumn, type CsvValue } from './csv.ts';
import { jsonFields, jsonLine } from './json-lines.ts';
import {
  CHOICE_COLUMNS,
  choiceSql,
  choiceValues,
  type ReceiptChoice,
  sessionSql,
  sessionValues,
} from './receipt-search.ts';

// A workspace's receipts and ledger entries as CSV. They are read in slices, each from the end of the last one, so an
// export of any length takes bounded memory in the database and in the program, and never blocks the event loop for
// more than a few milliseconds.

/** From `from`, inclusive, to `to`, exclusive; null: unbounded on that side. */
export interface ExportRange {
  readonly from: Date | null;
  readonly to: Date | null;
}

/** A range of receipts, and which of them are wanted; all by default. */
export interface ReceiptRange extends ExportRange {
  readonly choice?: ReceiptChoice;
}

/** The dependencies of an export. */
interface ExportParts {
  readonly sql: SqlRunner;
  readonly pacer: Pick<Pacer, 'slice'>;
}

const ROWS_PER_SLICE = 250;
/** Receipts that a slice scans; few or none of them may match. */
const SCANNED_PER_SLICE = 5_000;
const LIMITS: StatementLimits = { statementMsMax: 60_000 };

interface EntryRow {
  readonly number: bigint;
  readonly postingId: string;
  readonly postedAt: Date;
  readonly kind: string;
  readonly account: string;
  readonly amount: NanoUsd;
  readonly actor: string;
  readonly reason: string;
  readonly receiptRequestId: string | null;
  readonly once: string | null;
  readonly expiresAt: Date | null;
}

const ENTRY_COLUMNS: readonly CsvColumn<EntryRow>[] = [
  { name: 'posting_id', read: (row) => row.postingId },
  { name: 'posted_at', read: (row) => row.postedAt },
  { name: 'kind', read: (row) => row.kind },
  { name: 'account', read: (row) => row.account },
  { name: 'amount', isAmount: true, read: (row) => row.amount },
  { name: 'actor', read: (row) => row.actor },
  { name: 'reason', read: (row) => row.reason },
  { name: 'receipt_request_id', read: (row) => row.receiptRequestId },
  { name: 'once', read: (row) => row.once },
  { name: 'expires_at', read: (row) => row.expiresAt },
];

const ENTRIES = `
  select posting.number, posting.id as "postingId", posting.posted_at as "postedAt", posting.kind, entry.account,
    entry.amount_nano_usd as amount, posting.actor, posting.reason,
    posting.receipt_request_id as "receiptRequestId", posting.once, expiring.expires_at as "expiresAt"
  from ledger_postings posting join ledger_entries entry on entry.posting_id = posting.id
  left join expiring_grants expiring on expiring.workspace_id = posting.workspace_id and expiring.posting_id = posting.id
  where posting.workspace_id = $1 and (posting.number, entry.account) > ($2::bigint, $3)
    and ($4::timestamptz is null or posting.posted_at >= $4) and ($5::timestamptz is null or posting.posted_at < $5)
  order by posting.number, entry.account limit ${ROWS_PER_SLICE}`;

/** A row has a column for each field, and these. */
interface ReceiptRow {
  readonly request_id: string;
  readonly settled_at: Date;
  readonly project: string | null;
  readonly key: string | null;
  readonly price_version: number | null;
  readonly charge_nano_usd: NanoUsd;
  readonly corrections: NanoUsd;
  readonly late: boolean;
  readonly superseded_by: string | null;
}

/** Such as "request 1 web_search 3", in the order of their names; null if there were none. */
function usesText(uses: Uses | null): string | null {
  if (uses === null) return null;
  return USE_CLASSES.flatMap((useClass) =>
    uses[useClass] === undefined ? [] : [`${useClass} ${uses[useClass]}`],
  ).join(' ');
}

/** A field as exports have it. */
function fieldValue(kind: ReceiptField['kind'], value: unknown): CsvValue {
  if (kind === 'words') return (value as readonly string[] | null)?.join(', ') ?? null;
  if (kind === 'sign') return value === true;
  return kind === 'uses' ? usesText(value as Uses | null) : (value as CsvValue);
}

/** A column of an export, from a column of the same name, but for the unit. */
function columnOf(field: ReceiptField): ReceiptColumn {
  const { kind, wire } = field;
  const column = receiptColumn(field);
  const read = (row: ReceiptRow): CsvValue =>
    fieldValue(kind, (row as unknown as Readonly<Record<string, unknown>>)[column]);
  return { name: wire, isAmount: kind === 'usd', column, read };
}

interface ReceiptColumn extends CsvColumn<ReceiptRow> {
  /** The column of receipts that it is read from; left out if it is none of theirs. */
  readonly column?: string;
}

/** A row of a slice: a receipt, or nothing but where the slice ended. */
type SliceRow = { readonly sliceEnd: string | null } & (ReceiptRow | { readonly request_id: null });

/** The columns in their promised order: new ones are added at the end, and so are new extras by themselves. */
const RECEIPT_COLUMNS: readonly ReceiptColumn[] = [
  columnOf(RECEIPT_FIELDS.requestId),
  columnOf(RECEIPT_FIELDS.admittedAtMs),
  { name: 'settled_at', column: 'settled_at', read: (row) => row.settled_at },
  columnOf(RECEIPT_FIELDS.projectId),
  { name: 'project', read: (row) => row.project },
  columnOf(RECEIPT_FIELDS.keyId),
  { name: 'key', read: (row) => row.key },
  columnOf(RECEIPT_FIELDS.model),
  { name: 'price_version', read: (row) => row.price_version },
  columnOf(RECEIPT_FIELDS.outcome),
  ...['usage_certainty', ...TOKEN_CLASSES.map((each) => `${each}_tokens`)].map((wire) =>
    columnOf({ kind: 'text', wire, in: null }),
  ),
  columnOf(RECEIPT_FIELDS.charge),
  { name: 'correction', isAmount: true, read: (row) => -row.corrections },
  { name: 'net_charge', isAmount: true, read: (row) => row.charge_nano_usd - row.corrections },
  columnOf(RECEIPT_FIELDS.hold),
  columnOf(RECEIPT_FIELDS.writeOff),
  { name: 'late', column: 'late', read: (row) => row.late },
  columnOf(RECEIPT_FIELDS.streamed),
  columnOf(RECEIPT_FIELDS.durationMs),
  columnOf(RECEIPT_FIELDS.firstEventMs),
  columnOf(RECEIPT_FIELDS.clientRequestId),
  { name: 'superseded_by', column: 'superseded_by', read: (row) => row.superseded_by },
  columnOf(RECEIPT_FIELDS.dialect),
  columnOf(RECEIPT_FIELDS.fees),
  ...Object.values(EXTRA_FIELDS).map(columnOf),
];

const COLUMNS_OF_RECEIPTS = RECEIPT_COLUMNS.flatMap(({ column }) =>
  column === undefined ? [] : [`receipts.${column}`],
).join(', ');

/** SQL for the receipts of workspace $1 with these ids. */
function receiptsIn(ids: string): string {
  return `
    select ${COLUMNS_OF_RECEIPTS}, projects.name as project, keys.name as key, price_versions.version as price_version,
      (select coalesce(sum(entry.amount_nano_usd), 0)::bigint from ledger_postings posting
       join ledger_entries entry on entry.posting_id = posting.id and entry.account in ('credit', 'owed')
       where posting.workspace_id = $1 and posting.receipt_request_id = receipts.request_id) as corrections
    from receipts
    left join projects on projects.workspace_id = $1 and projects.id = receipts.project_id
    left join keys on keys.workspace_id = $1 and keys.id = receipts.key_id
    left join price_versions on price_versions.id = receipts.price_version_id
    where receipts.workspace_id = $1 and receipts.request_id = any(${ids})`;
}

// A slice looks at $4 receipts, and has as many as are wanted of them, or ROWS_PER_SLICE. It has one row at least, which says
// where the next slice begins.
const receiptsOf = (choice: ReceiptChoice): string => `
  with scanned as materialized (
    select ${CHOICE_COLUMNS} from receipts
    where workspace_id = $1 and request_id > $2::uuid and request_id < $3::uuid ${sessionSql(choice, 11)}
    order by request_id limit $4
  ), wanted as materialized (
    select request_id from scanned where ${choiceSql(5)} order by request_id limit ${ROWS_PER_SLICE}
  ), slice as (
    select case
      when (select count(*) from wanted) = ${ROWS_PER_SLICE}
        then (select request_id from wanted order by request_id desc limit 1)
      when (select count(*) from scanned) = $4 then (select request_id from scanned order by request_id desc limit 1)
    end as "sliceEnd"
  ), found as (
    ${receiptsIn('array(select request_id from wanted)')}
  )
  select * from slice left join found on true order by found.request_id`;

const ID_AFTER_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The format of an export: CSV with a header line, or one JSON object per line. */
export type ExportFormat = 'csv' | 'ndjson';

/** Yields the entries of the workspace's postings in order, as lines of text, a slice at a time. */
export async function* exportEntries(
  { sql, pacer }: ExportParts,
  { workspaceId }: WorkspaceScope,
  { from, to }: ExportRange,
  format: ExportFormat = 'csv',
): AsyncGenerator<string, void, undefined> {
  if (format === 'csv') yield csvHeading(ENTRY_COLUMNS);
  let last: Pick<EntryRow, 'number' | 'account'> | undefined = { number: 0n, account: '' };
  while (last !== undefined) {
    const { number, account }: Pick<EntryRow, 'number' | 'account'> = last;
    const values = [workspaceId, number, account, from, to];
    const rows: readonly EntryRow[] = await pacer.slice(() => sql.query<EntryRow>(ENTRIES, values, LIMITS));
    if (rows.length > 0) yield linesOf(ENTRY_COLUMNS, rows, format);
    last = rows.length < ROWS_PER_SLICE ? undefined : rows.at(-1);
  }
}

/** Yields the chosen receipts of the workspace in the order of admission, as lines of text, a slice at a time. */
export async function* exportReceipts(
  parts: ExportParts,
  { workspaceId }: WorkspaceScope,
  { from, to, choice = {} }: ReceiptRange,
  format: ExportFormat = 'csv',
): AsyncGenerator<string, void, undefined> {
  if (format === 'csv') yield csvHeading(RECEIPT_COLUMNS);
  const ids = {
    after: from === null ? ID_BEFORE_ALL : leastUuid7At(from.getTime()),
    before: to === null ? ID_AFTER_ALL : leastUuid7At(to.getTime()),
  };
  for await (const rows of receiptSlices(parts, workspaceId, ids, choice)) {
    yield linesOf(RECEIPT_COLUMNS, rows, format);
  }
}

/** Some receipts of a workspace as lines of JSON, which name it. */
export interface ReceiptLines {
  readonly lines: string;
  readonly receipts: number;
  readonly charges: NanoUsd;
}

/** Yields the receipts of a workspace in a range of ids, both ends excluded, a slice at a time. */
export async function* receiptLines(
  parts: ExportParts,
  { workspaceId }: WorkspaceScope,
  ids: IdRange,
): AsyncGenerator<ReceiptLines, void, undefined> {
  const columns = [{ name: 'workspace_id', read: () => workspaceId }, ...RECEIPT_COLUMNS];
  for await (const rows of receiptSlices(parts, workspaceId, ids, {})) {
    const charges = rows.reduce((sum, { charge_nano_usd: charge }) => sum + charge, 0n);
    yield { lines: linesOf(columns, rows, 'ndjson'), receipts: rows.length, charges };
  }
}

/** The ids between two, both excluded. */
interface IdRange {
  readonly after: string;
  readonly before: string;
}

async function* receiptSlices(
  { sql, pacer }: ExportParts,
  workspaceId: string,
  { after, before }: IdRange,
  choice: ReceiptChoice,
): AsyncGenerator<readonly ReceiptRow[], void, undefined> {
  const scanned = Object.keys(choice).length === 0 ? ROWS_PER_SLICE : SCANNED_PER_SLICE;
  const text = receiptsOf(choice);
  let last: string | null = after;
  while (last !== null) {
    const values = [workspaceId, last, before, scanned, ...choiceValues(choice), ...sessionValues(choice)];
    const slice: readonly SliceRow[] = await pacer.slice(() => sql.query<SliceRow>(text, values, LIMITS));
    const rows = slice.filter((row) => row.request_id !== null);
    if (rows.length > 0) yield rows;
    last = slice[0]?.sliceEnd ?? null;
  }
}

/** These receipts of a workspace, in the order of admission, with the fields of an export. */
export async function exportedReceipts(
  sql: SqlRunner,
  workspaceId: string,
  requestIds: readonly string[],
): Promise<readonly object[]> {
  const text = `select * from (${receiptsIn('$2::uuid[]')}) found order by request_id`;
  const rows = await sql.query<ReceiptRow>(text, [workspaceId, requestIds], LIMITS);
  return rows.map((row) => jsonFields(RECEIPT_COLUMNS, row));
}

function linesOf<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[], format: ExportFormat): string {
  const line = (row: Row): string =>
    format === 'csv' ? csvLine(columns.map(({ read }) => read(row))) : jsonLine(columns, row);
  return rows.map(line).join('');
}
