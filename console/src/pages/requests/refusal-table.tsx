import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RefusalJson, RefusalListJson } from '../../../../src/control/admin/requests/refusal-contract.ts';
import { QueryTable, rowsOf } from '../../components/list-table.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { formatNumberOf } from '../../format/count.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Column } from '../../ui/table-types.ts';

interface RefusalTableProps {
  readonly refusals: UseInfiniteQueryResult<InfiniteData<RefusalListJson>>;
  readonly columns: readonly Column<RefusalJson>[];
  readonly href: (refusal: RefusalJson) => string;
  readonly onNavigate?: (href: string) => void;
  /** The request that is open next to it. */
  readonly open?: string | null;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

/** Refused requests, newest first: of a workspace, or of all. */
export function RefusalTable(props: RefusalTableProps): ReactNode {
  const { refusals, columns, href, onNavigate, open = null, isFiltered, onClear } = props;
  const unrecorded = refusals.data?.pages[0]?.unrecorded ?? 0;
  return (
    <>
      {unrecorded > 0 && (
        <Banner tone="info">
          {`At most ${formatNumberOf(unrecorded, 'more request was', 'more requests were')} refused without a record: of one reason, 100 a minute are kept.`}
        </Banner>
      )}
      <QueryTable
        query={refusals}
        label="Refused requests"
        columns={columns}
        rows={rowsOf(refusals)}
        rowKey={({ request_id: id }) => id}
        href={href}
        {...(onNavigate === undefined ? {} : { onNavigate })}
        selectedKey={open ?? undefined}
        moveByKeys
        empty={
          <EmptyState
            cause={isFiltered ? 'No refused request matches these filters.' : 'No request was refused.'}
            detail="Refused requests cost nothing. The last 1,000 of a workspace are kept, for as long as the operator has set."
            action={isFiltered ? <Button onClick={onClear}>Show all refused requests</Button> : null}
          />
        }
      />
      <LoadMore list={refusals} />
    </>
  );
}
