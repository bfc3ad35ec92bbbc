import { formatUsd, type NanoUsd } from '../domain/money.ts';

// Lines of CSV by RFC 4180. A text that a spreadsheet would take for a formula is prefixed with an apostrophe: reasons
// and request ids are untrusted input, and spreadsheets evaluate text that begins with "=".

/** A field. An amount of money is a bigint and becomes two fields, in nano-USD and as decimal USD. */
export type CsvValue = string | number | NanoUsd | boolean | Date | null;

const NEEDS_QUOTES = /[",\r\n]/;
const LOOKS_LIKE_FORMULA = /^[=+\-@\t\r]/;

function field(value: CsvValue): string {
  if (value === null) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return `${value},${formatUsd(value)}`;
  if (typeof value !== 'string') return String(value);
  const text = LOOKS_LIKE_FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
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
