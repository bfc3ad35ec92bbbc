import { formatUsd } from '../../domain/money.ts';
import type { CsvColumn, CsvValue } from './csv.ts';

/** A row as one line of JSON. */
export function jsonLine<Row>(columns: readonly CsvColumn<Row>[], row: Row): string {
  return `${JSON.stringify(jsonFields(columns, row))}\n`;
}

/** A row with the columns' names as keys; an amount of money has two keys, as in CSV. */
export function jsonFields<Row>(columns: readonly CsvColumn<Row>[], row: Row): object {
  return Object.fromEntries(columns.flatMap(({ name, read }) => fieldsOf(name, read(row))));
}

function fieldsOf(name: string, value: CsvValue): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'bigint') return [[name, value]];
  return [
    [`${name}_nano_usd`, value.toString()],
    [`${name}_usd`, formatUsd(value)],
  ];
}
