import { type CsvColumn, csvHeading, csvLine } from '../ledger/csv.ts';
import type { ExportFormat } from '../ledger/export.ts';
import { jsonLine } from '../ledger/json-lines.ts';

/** Rows as the text of an export, slice by slice: CSV with a header line, or one JSON object per line. */
export async function* exportedRows<Row>(
  slices: AsyncGenerator<readonly Row[], void, undefined>,
  columns: readonly CsvColumn<Row>[],
  format: ExportFormat,
): AsyncGenerator<string, void, undefined> {
  if (format === 'csv') yield csvHeading(columns);
  const line = (row: Row): string =>
    format === 'csv' ? csvLine(columns.map(({ read }) => read(row))) : jsonLine(columns, row);
  for await (const rows of slices) yield rows.map(line).join('');
}
