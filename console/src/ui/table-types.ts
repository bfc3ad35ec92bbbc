import type { ReactNode } from 'react';
import type { Problem } from './error-panel.tsx';

export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are aligned to the end. */
  readonly align?: 'start' | 'end' | undefined;
  /** What `onSort` gets; without it the column does not sort. */
  readonly sort?: string | undefined;
  /** Shown only from this width of the window on, if the table has many columns. */
  readonly from?: 'md' | 'lg' | 'xl' | undefined;
  /** It takes what width the others leave, or two fifths of the table as its first column, and cuts text that is longer. */
  readonly grow?: boolean | undefined;
  /** The content of the foot, such as a total. */
  readonly total?: ReactNode;
  /** The header is for screen readers alone, as over a column of buttons. */
  readonly hideHeader?: boolean | undefined;
}

export interface Sort {
  readonly by: string;
  readonly descending: boolean;
}

export interface TableProps<Row> {
  /** What the rows are; the name of the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined until they are loaded. Older rows may stay while newer ones load. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** Where a row leads. Its first cell is the link. */
  readonly href?: ((row: Row) => string | undefined) | undefined;
  /** Gets plain clicks on links and rows, for a router; without it the browser follows the link. */
  readonly onNavigate?: ((href: string, row: Row) => void) | undefined;
  readonly selectedKey?: string | undefined;
  /** Moves the focus between rows by j and k, from anywhere except text fields. */
  readonly moveByKeys?: boolean | undefined;
  readonly sort?: Sort | undefined;
  readonly onSort?: ((sort: Sort) => void) | undefined;
  readonly loading?: boolean | undefined;
  /** Rows to keep room for while the first ones load. */
  readonly expectedRows?: number | undefined;
  /** An EmptyState. */
  readonly empty: ReactNode;
  readonly error?: Problem | null | undefined;
  readonly onRetry?: (() => void) | undefined;
}
