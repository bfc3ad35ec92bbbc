import { formatUsd, type NanoUsd } from '../domain/money.ts';

// Lines of CSV as RFC 4180 has them. A text that a spreadsheet would take for a formula gets an apostrophe in front:
// reasons and request ids are other people's input, and spreadsheets run what begins with "=".

/** A field; an amount of money is a bigint and stands there twice, in nano-USD and as decimal USD. */
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

/** A line of fields, its end included. */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(field).join(',')}\r\n`;
}

/** A column of a table: its name, without a unit where it holds amounts, and how to read it from a row. */
export interface CsvColumn<Row> {
  readonly name: string;
  readonly isAmount?: boolean;
  readonly read: (row: Row) => CsvValue;
}

/** The line of the columns' names; amounts have two. */
export function csvHeading<Row>(columns: readonly CsvColumn<Row>[]): string {
  return csvLine(columns.flatMap(({ name, isAmount }) => (isAmount ? [`${name}_nano_usd`, `${name}_usd`] : [name])));
}
