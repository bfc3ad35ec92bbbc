import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { columnClass } from './column-class.ts';
import { followRow, RowLink } from './row-link.tsx';
import { Skeleton } from './skeleton.tsx';
import type { Column, Sort, TableProps } from './table-types.ts';

function Body<Row>(props: TableProps<Row>): ReactNode {
  const { columns, rows = [], rowKey, href, onNavigate, selectedKey } = props;
  return rows.map((row) => {
    const to = href?.(row);
    const navigate = onNavigate && ((target: string): void => onNavigate(target, row));
    const follow = navigate ?? ((target: string): void => window.location.assign(target));
    return (
      <tr
        key={rowKey(row)}
        data-selected={rowKey(row) === selectedKey || undefined}
        onClick={(event) => followRow(event, to, follow)}
        onAuxClick={(event) => followRow(event, to, follow)}
        className={`group h-9 transition-colors data-selected:bg-sunken lg:data-selected:shadow-bleed ${to === undefined ? '' : 'cursor-pointer hover:bg-sunken lg:hover:shadow-bleed'}`}
      >
        {columns.map((column, index) => {
          const content = (
            <RowLink href={index === 0 ? to : undefined} onNavigate={navigate}>
              {column.cell(row)}
            </RowLink>
          );
          return (
            <td key={column.id} className={`first:font-medium ${columnClass(column)}`}>
              {column.grow ? <div className="truncate">{content}</div> : content}
            </td>
          );
        })}
      </tr>
    );
  });
}

function LoadingBody<Row>({ columns, expectedRows = 8 }: TableProps<Row>): ReactNode {
  return Array.from({ length: expectedRows }, (_, index) => (
    <tr key={index} className="h-9">
      {columns.map((column) => (
        <td key={column.id} className={columnClass(column)}>
          <Skeleton className={column.grow ? 'w-48' : 'w-16'} />
        </td>
      ))}
    </tr>
  ));
}

/** The rows as a table with a sticky header. */
export function TableGrid<Row>(props: TableProps<Row>): ReactNode {
  const { columns, rows, label } = props;
  return (
    <div className="max-lg:-mr-2 max-lg:overflow-x-auto max-lg:pr-2">
      <table aria-label={label} className="w-full border-separate border-spacing-0 text-control">
        <TableHead {...props} />
        <tbody className="[&>tr>td]:border-b [&>tr>td]:border-line">
          {rows === undefined ? <LoadingBody {...props} /> : <Body {...props} />}
        </tbody>
        {rows !== undefined && columns.some(({ total }) => total !== undefined) && (
          <tfoot>
            <tr className="h-9 font-medium">
              {columns.map((column) => (
                <td key={column.id} className={columnClass(column)}>
                  {column.total}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

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

/**
 * Sticky headers below the page's own header; `--sticky-top` is its height. Narrower than that, the table scrolls sideways in a
 * box of its own, in which a header with that distance to its top would cover the first row.
 */
function TableHead<Row>({ columns, sort, onSort }: TableProps<Row>): ReactNode {
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
              className={`z-1 h-9 border-b border-line bg-(--ground) text-meta font-medium whitespace-nowrap text-text-3 lg:sticky lg:top-(--sticky-top,0px) ${columnClass(column)}`}
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
