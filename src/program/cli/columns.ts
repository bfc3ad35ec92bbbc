import { type Cell, table } from './text-layout.ts';

type CellName<Each> = { [Name in keyof Each]: Each[Name] extends Cell ? Name : never }[keyof Each];

/** A column of a list: its heading, the field that it shows or what it makes of an item; numbers are right-aligned. */
export type Column<Each> = readonly [heading: string, cell: CellName<Each> | ((each: Each) => Cell), align?: 'right'];

/** A list in columns; `empty` if it has no items. */
export function columnsText<Each>(items: readonly Each[], empty: string, columns: readonly Column<Each>[]): string {
  const cellOf = (each: Each, [, cell]: Column<Each>): Cell =>
    // By its type, the name is one of a field that a cell can hold.
    typeof cell === 'function' ? cell(each) : (each[cell] as Cell);
  return table(
    columns.map(([heading]) => heading),
    items.map((each) => columns.map((column) => cellOf(each, column))),
    empty,
    columns.filter(([, , align]) => align === 'right').map(([heading]) => heading),
  );
}
