import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TableProps } from '../ui/table-types.ts';
import { Table } from '../ui/table.tsx';
import { LoadMore, type LoadMoreProps } from './load-more.tsx';
import { problemFrom } from './problem-panel.tsx';

/** How far a query is. */
interface Reading {
  readonly error: Error | null;
  readonly isPlaceholderData?: boolean;
  readonly refetch: () => Promise<unknown>;
}

interface Identified {
  readonly id: string;
}

type QueryTableProps<Row> = Omit<TableProps<Row>, 'rowKey' | 'error' | 'onRetry' | 'loading'> & {
  readonly query: Reading;
  /** By default its id. */
  readonly rowKey?: (row: Row) => string;
};

const idOf = ({ id }: Identified): string => id;

/** A table of what a query has read. */
export function QueryTable<Row extends Identified>(props: QueryTableProps<Row>): ReactNode;
export function QueryTable<Row>(
  props: QueryTableProps<Row> & { readonly rowKey: NonNullable<QueryTableProps<Row>['rowKey']> },
): ReactNode;
export function QueryTable<Row extends Identified>({
  query,
  rowKey = idOf,
  ...table
}: QueryTableProps<Row>): ReactNode {
  const navigate = useNavigate();
  return (
    <Table
      onNavigate={(href) => void navigate({ href })}
      {...table}
      rowKey={rowKey}
      loading={query.isPlaceholderData ?? false}
      error={problemFrom(query.error)}
      onRetry={() => void query.refetch()}
    />
  );
}

interface Pages<Row> {
  readonly data: { readonly pages: readonly { readonly data: readonly Row[] }[] } | undefined;
}

/** The rows of all pages that are read; undefined until the first one is. */
export function rowsOf<Row>({ data }: Pages<Row>): readonly Row[] | undefined {
  return data?.pages.flatMap((page) => page.data);
}

type ListTableProps<Row> = Omit<QueryTableProps<Row>, 'query' | 'rows'> & {
  /** An infinite query. */
  readonly list: Pages<Row> & Reading & LoadMoreProps['list'];
  /** All that are read by default. */
  readonly rows?: readonly Row[] | undefined;
};

/** A table of a list that is read page by page. */
export function ListTable<Row extends Identified>({
  list,
  rows = rowsOf(list),
  ...table
}: ListTableProps<Row>): ReactNode {
  return (
    <>
      <QueryTable {...table} query={list} rows={rows} />
      <LoadMore list={list} />
    </>
  );
}
