import { formatUsd, type NanoUsd } from '../../domain/money.ts';

// Lines of CSV by RFC 4180. A text that a spreadsheet would take for a formula is prefixed with an apostrophe: reasons
// and request ids are untrusted input, and spreadsheets evaluate text that begins with "=".

/** A field. An amount of money is a bigint and becomes two fields, in nano-USD and as decimal USD. */
export type CsvValue = string | number | NanoUsd | boolean | Date | null;

const NEEDS_QUOTES = /[",;\t\r\n]/;
/**
 * Begins with one of "=+-@", as a full-width, small or mathematical character too, behind any blanks and invisible characters,
 * which spreadsheets drop; or with a tab or a line end, which moves what follows into a cell of its own.
 */
const LOOKS_LIKE_FORMULA = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212])/u;

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
