import type { ReactNode } from 'react';
import { RowLink } from './row-link.tsx';
import { Skeleton } from './skeleton.tsx';
import type { TableProps } from './table-types.ts';

/** The rows of a table as cards: the first column is the title, the others stand below it with their headers. */
export function TableCards<Row>(props: TableProps<Row>): ReactNode {
  const { columns, rows, label, rowKey, href, onNavigate, selectedKey, expectedRows = 5 } = props;
  const [title, ...others] = columns;
  if (rows === undefined) {
    return (
      <ul aria-label={label} className="-mt-3">
        {Array.from({ length: expectedRows }, (_, index) => (
          <li key={index} className="border-b border-line py-3">
            <Skeleton className="w-40" />
            {others.map(({ id }) => (
              <Skeleton key={id} className="mt-1 w-full" />
            ))}
          </li>
        ))}
      </ul>
    );
  }
  return (
    <ul aria-label={label} className="-mt-3">
      {rows.map((row) => {
        const to = href?.(row);
        const navigate = onNavigate && ((target: string): void => onNavigate(target, row));
        return (
          <li
            key={rowKey(row)}
            data-selected={rowKey(row) === selectedKey || undefined}
            className="group relative border-b border-line py-3 text-control data-selected:bg-sunken data-selected:shadow-bleed"
          >
            <div className="flex min-h-6 items-center font-medium wrap-anywhere">
              <RowLink href={to} onNavigate={navigate} covers>
                {title?.cell(row)}
              </RowLink>
            </div>
            <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
              {/* An empty cell says something in a column of others; in a card it doesn't. */}
              {others.map((column) => (
                <div
                  key={column.id}
                  className="col-span-2 grid grid-cols-subgrid items-baseline has-[>dd:empty]:hidden"
                >
                  <dt className={column.hideHeader ? 'sr-only' : 'text-meta text-text-3'}>{column.header}</dt>
                  <dd
                    className={`tabular flex min-w-0 [&_:is(a,button,input)]:relative [&_:is(a,button,input)]:z-1 justify-end text-right wrap-anywhere ${column.hideHeader ? 'col-span-2' : ''}`}
                  >
                    {column.cell(row)}
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        );
      })}
      {columns.some(({ total }) => total !== undefined) && (
        <li className="py-3 text-control font-medium">
          {title?.total !== undefined && <p className="mb-1">{title.total}</p>}
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
            {others.map(
              ({ id, header, total }) =>
                total !== undefined && (
                  <div key={id} className="col-span-2 grid grid-cols-subgrid items-baseline">
                    <dt className="text-meta text-text-3">{header}</dt>
                    <dd className="tabular text-right">{total}</dd>
                  </div>
                ),
            )}
          </dl>
        </li>
      )}
    </ul>
  );
}
