import type { ReactNode } from 'react';
import { columnClass } from './column-class.ts';
import { followRow, RowLink } from './row-link.tsx';
import { Skeleton } from './skeleton.tsx';
import { TableHead } from './table-head.tsx';
import type { TableProps } from './table-types.ts';

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

/** The rows as a table whose header stays in sight. */
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
