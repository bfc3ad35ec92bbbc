import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type RefusalFilter, refusalsQuery } from '../../api/requests.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { problemFrom } from '../../components/problem-panel.tsx';
import { requestCommand } from '../../components/request-command.ts';
import { formatNumberOf } from '../../format/count.ts';
import { Banner } from '../../ui/banner.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table } from '../../ui/table.tsx';
import { refusedColumns } from './request-columns.tsx';
import { RefusedFilters } from './request-filters.tsx';
import { windowOf } from './request-search.ts';
import type { useRequestSearch } from './use-request-search.ts';

/** The requests of the last day that left no receipt. */
export function RefusedRequests({ place }: { readonly place: ReturnType<typeof useRequestSearch> }): ReactNode {
  const { workspace, search, open, requestHref, go } = place;
  const [nowMs] = useState(() => Date.now());
  const { code, model, key, project } = search;
  const filter = Object.fromEntries(
    Object.entries({ code, model, key, project }).filter(([, value]) => value !== undefined),
  ) as RefusalFilter;
  const refusals = useInfiniteQuery(refusalsQuery(workspace, filter));
  const unrecorded = refusals.data?.pages[0]?.unrecorded ?? 0;
  return (
    <>
      <RefusedFilters place={place} time={windowOf({ range: '90d' }, nowMs)} />
      {unrecorded > 0 && (
        <Banner tone="info">
          {`At most ${formatNumberOf(unrecorded, 'more request was', 'more requests were')} refused without a record: of one reason, 100 a minute are kept.`}
        </Banner>
      )}
      <Table
        label="Refused requests"
        columns={refusedColumns(open !== null)}
        rows={refusals.data?.pages.flatMap(({ data }) => data)}
        rowKey={({ request_id: id }) => id}
        href={({ request_id: id }) => requestHref(id)}
        onNavigate={(href) => go(href)}
        selectedKey={open ?? undefined}
        moveByKeys
        loading={refusals.isPlaceholderData}
        error={problemFrom(refusals.error)}
        onRetry={() => void refusals.refetch()}
        empty={
          <EmptyState
            cause={
              Object.keys(filter).length === 0
                ? 'No request was refused in the last 24 hours.'
                : 'No refused request of the last 24 hours matches these filters.'
            }
            detail="Refused requests cost nothing. The last 1,000 are kept for a day."
          />
        }
      />
      <LoadMore list={refusals} />
      <div className="mt-6">
        <CommandLine command={requestCommand.refused(workspace, filter)} />
      </div>
    </>
  );
}
