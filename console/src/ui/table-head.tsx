import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { columnClass } from './column-class.ts';
import type { Column, Sort, TableProps } from './table-types.ts';

interface SortButtonProps<Row> {
  readonly column: Column<Row>;
  readonly by: string;
  readonly sort: Sort | undefined;
  readonly onSort: (sort: Sort) => void;
}

function SortButton<Row>({ column, by, sort, onSort }: SortButtonProps<Row>): ReactNode {
  const isSorted = sort?.by === by;
  const Arrow = isSorted && !sort.descending ? ArrowUp : ArrowDown;
  // Numbers are wanted largest first, names from A on.
  const descending = isSorted ? !sort.descending : column.align === 'end';
  return (
    <button
      type="button"
      onClick={() => onSort({ by, descending })}
      className={`group/sort -mx-1 inline-flex h-7 items-center gap-1 rounded-control px-1 font-medium hover:text-text ${isSorted ? 'text-text' : ''} ${column.align === 'end' ? 'flex-row-reverse' : ''}`}
    >
      {column.header}
      <Arrow
        size={12}
        strokeWidth={2}
        aria-hidden="true"
        className={isSorted ? '' : 'opacity-0 group-hover/sort:opacity-100 group-focus-visible/sort:opacity-100'}
      />
    </button>
  );
}

/** Headers that stay in sight below the page's own header, whose height `--sticky-top` is. */
export function TableHead<Row>({ columns, sort, onSort }: TableProps<Row>): ReactNode {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const sorted = column.sort !== undefined && sort?.by === column.sort ? sort : undefined;
          return (
            <th
              key={column.id}
              scope="col"
              aria-sort={sorted && (sorted.descending ? 'descending' : 'ascending')}
              className={`sticky top-(--sticky-top,0px) z-1 h-9 border-b border-line bg-(--ground) text-meta font-medium whitespace-nowrap text-text-3 ${columnClass(column)}`}
            >
              {column.sort !== undefined && onSort !== undefined ? (
                <SortButton column={column} by={column.sort} sort={sort} onSort={onSort} />
              ) : (
                <span className={column.hideHeader ? 'sr-only' : ''}>{column.header}</span>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
