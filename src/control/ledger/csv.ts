import { formatUsd, type NanoUsd } from '../../domain/money.ts';
import { csvText } from '../../domain/csv-text.ts';

// Lines of CSV by RFC 4180.

/** A field. An amount of money is a bigint and becomes two fields, in nano-USD and as decimal USD. */
export type CsvValue = string | number | NanoUsd | boolean | Date | null;

function field(value: CsvValue): string {
  if (value === null) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return `${value},${formatUsd(value)}`;
  if (typeof value !== 'string') return String(value);
  return csvText(value);
}

/** A line of fields, including its line end. */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(field).join(',')}\r\n`;
}

/** A column of a table: its name (without the unit if it holds amounts), and its value in a row. */
export interface CsvColumn<Row> {
  readonly name: string;
  readonly isAmount?: boolean;
  readonly read: (row: Row) => CsvValue;
}

/** The header line; amounts have two columns. */
export function csvHeading<Row>(columns: readonly CsvColumn<Row>[]): string {
  return csvLine(columns.flatMap(({ name, isAmount }) => (isAmount ? [`${name}_nano_usd`, `${name}_usd`] : [name])));
}
