import type { ReactNode } from 'react';
import { decimalsOf, formatMoney, formatMoneyExactly } from '../format/money.ts';
import { Count } from './count.tsx';
import { Money } from './money.tsx';
import { type Status, StatusWord } from './status-word.tsx';
import type { Column } from './table-types.ts';
import { Timestamp } from './timestamp.tsx';

// Columns that many tables have.

type More<Row> = Partial<Omit<Column<Row>, 'id' | 'header' | 'cell'>>;

/** Amounts of nano-USD; where all rows are given, their points stand below each other. */
export function moneyColumn<Row>(
  id: string,
  header: string,
  of: (row: Row) => string | bigint | null,
  { rows, exact, ...more }: More<Row> & { readonly rows?: readonly Row[]; readonly exact?: boolean } = {},
): Column<Row> {
  const write = exact === true ? formatMoneyExactly : formatMoney;
  const decimals =
    rows &&
    decimalsOf(
      rows.map(of).filter((amount) => amount !== null),
      write,
    );
  return {
    id,
    header,
    align: 'end',
    cell: (row) => <Money amount={of(row)} decimals={decimals} exact={exact} />,
    ...more,
  };
}

export function countColumn<Row>(
  id: string,
  header: string,
  of: (row: Row) => number | bigint | string | null,
  { none, ...more }: More<Row> & { readonly none?: string } = {},
): Column<Row> {
  return { id, header, align: 'end', cell: (row) => <Count count={of(row)} none={none} />, ...more };
}

export function timeColumn<Row>(
  id: string,
  header: string,
  of: (row: Row) => string | null,
  { none, daysAlone, ...more }: More<Row> & { readonly none?: string; readonly daysAlone?: boolean } = {},
): Column<Row> {
  return { id, header, cell: (row) => <Timestamp at={of(row)} none={none} daysAlone={daysAlone} />, ...more };
}

/** Names, which are cut where they are long. */
export function nameColumn<Row>(
  id: string,
  header: string,
  of: (row: Row) => string,
  more: More<Row> = {},
): Column<Row> {
  const cell = (row: Row): ReactNode => <span className="block max-w-40 truncate xl:max-w-64">{of(row)}</span>;
  return { id, header, cell, ...more };
}

/** What can be done with a row, at its end. */
export function actionsColumn<Row>(cell: (row: Row) => ReactNode): Column<Row> {
  return { id: 'actions', header: 'Actions', hideHeader: true, align: 'end', cell };
}

/** How things are: a shape and a word. */
export function statusColumn<Row>(of: (row: Row) => readonly [Status, string], more: Partial<Column<Row>> = {}) {
  const cell = (row: Row): ReactNode => {
    const [status, word] = of(row);
    return <StatusWord status={status}>{word}</StatusWord>;
  };
  return { id: 'state', header: 'Status', cell, ...more } satisfies Column<Row>;
}
