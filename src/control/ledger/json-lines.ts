import { formatUsd } from '../../domain/money.ts';
import type { CsvColumn, CsvValue } from './csv.ts';

/** A row as one line of JSON with the columns' names as keys; an amount of money has two keys, as in CSV. */
export function jsonLine<Row>(columns: readonly CsvColumn<Row>[], row: Row): string {
  const fields = columns.flatMap(({ name, read }) => fieldsOf(name, read(row)));
  return `${JSON.stringify(Object.fromEntries(fields))}\n`;
}

function fieldsOf(name: string, value: CsvValue): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'bigint') return [[name, value]];
  return [
    [`${name}_nano_usd`, value.toString()],
    [`${name}_usd`, formatUsd(value)],
  ];
}
