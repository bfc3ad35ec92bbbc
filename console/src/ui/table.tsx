import { type ReactNode, useRef } from 'react';
import { ErrorPanel } from './error-panel.tsx';
import { TableCards } from './table-cards.tsx';
import { TableGrid } from './table-grid.tsx';
import type { TableProps } from './table-types.ts';
import { NARROW, useMedia } from './use-media.ts';
import { useRowKeys } from './use-row-keys.ts';

/** So few columns fit on a phone as they are. */
const COLUMNS_OF_NARROW_TABLES = 2;

/** Rows of one kind: a table, or below 640 px a list of cards. The server sorts, filters and pages. */
export function Table<Row>(props: TableProps<Row>): ReactNode {
  const { rows, error, loading = false } = props;
  const element = useRef<HTMLDivElement>(null);
  const asCards = useMedia(NARROW) && props.columns.length > COLUMNS_OF_NARROW_TABLES;
  useRowKeys(element, props.moveByKeys ?? false);
  const failed = error !== null && error !== undefined;
  const isFirstLoad = rows === undefined && !failed;
  return (
    <div ref={element} aria-busy={loading || isFirstLoad}>
      {failed && (
        <div className="mb-3">
          <ErrorPanel
            {...error}
            message={rows === undefined ? error.message : `${error.message} These rows are from before.`}
            onRetry={props.onRetry}
          />
        </div>
      )}
      {rows?.length === 0 ? props.empty : null}
      {isFirstLoad || (rows !== undefined && rows.length > 0) ? (
        asCards ? (
          <TableCards {...props} />
        ) : (
          <TableGrid {...props} />
        )
      ) : null}
    </div>
  );
}
