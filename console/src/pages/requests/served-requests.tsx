import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { lastRequestQuery } from '../../api/home.ts';
import { receiptsCsv, receiptsQuery } from '../../api/requests.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { rowsOf } from '../../components/list-table.tsx';
import { problemFrom } from '../../components/problem-panel.tsx';
import { requestCommand } from '../../components/request-command.ts';
import { servedColumns } from '../../components/served-columns.tsx';
import { useUnavailable } from '../../session/access.ts';
import { ActionLink } from '../../ui/action-link.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table } from '../../ui/table.tsx';
import { useHour } from '../../ui/use-hour.ts';
import { ServedFilters } from './request-filters.tsx';
import { RequestHistogram } from './request-histogram.tsx';
import { filterOf, windowOf } from './request-search.ts';
import { SearchProgress, useSearchOn } from './search-progress.tsx';
import type { useRequestSearch } from './use-request-search.ts';

/** The requests that have receipts. */
export function ServedRequests({ place }: { readonly place: ReturnType<typeof useRequestSearch> }): ReactNode {
  const { workspace, search, open, requestHref, go } = place;
  const nowMs = useHour();
  const searchText = JSON.stringify(search);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- what the address says, not the object that says it
  const time = useMemo(() => windowOf(search, nowMs), [searchText, nowMs]);
  const filter = filterOf(search, time);
  const receipts = useInfiniteQuery(receiptsQuery(workspace, filter));
  const rows = rowsOf(receipts);
  const progress = useSearchOn(receipts);
  const { data: last } = useQuery(lastRequestQuery(workspace));
  const isBehind =
    (receipts.data?.pages.length ?? 0) > 1 &&
    last !== undefined &&
    time.isOpen &&
    Date.parse(last.settled_at) > receipts.dataUpdatedAt;
  const isSearching = progress.state === 'searching' && rows?.length === 0;
  return (
    <>
      <ServedFilters place={place} time={time} />
      {search.session === undefined && <RequestHistogram place={place} time={time} />}
      {isBehind && (
        <p className="mb-2 flex items-center gap-3 text-control text-text-2">
          There are newer requests.
          <Button onClick={() => void receipts.refetch()} busy={receipts.isRefetching}>
            Show them
          </Button>
        </p>
      )}
      <Table
        label="Requests"
        columns={servedColumns(rows ?? [], open !== null)}
        rows={isSearching ? undefined : rows}
        rowKey={({ request_id: id }) => id}
        href={({ request_id: id }) => requestHref(id)}
        onNavigate={(href) => go(href)}
        selectedKey={open ?? undefined}
        moveByKeys
        loading={receipts.isPlaceholderData}
        expectedRows={12}
        error={problemFrom(receipts.error)}
        onRetry={() => void (receipts.isFetchNextPageError ? receipts.fetchNextPage() : receipts.refetch())}
        empty={progress.state === 'complete' ? <NoRequests place={place} range={time.range} /> : null}
      />
      <SearchProgress progress={progress} found={rows?.length ?? 0} />
      <div className="mt-6 flex flex-col gap-3">
        <DownloadCsv workspace={workspace} href={receiptsCsv(workspace, filter)} />
        <CommandLine command={requestCommand.served(workspace, search, filter)} />
      </div>
    </>
  );
}

function DownloadCsv({ workspace, href }: { readonly workspace: string; readonly href: string }): ReactNode {
  const unavailable = useUnavailable(workspace, 'exports:read', 'download receipts');
  return (
    <div>
      <ActionLink href={href} download="requests.csv" unavailable={unavailable}>
        Download CSV
      </ActionLink>
    </div>
  );
}

function NoRequests({
  place: { search, change },
  range,
}: {
  readonly place: ReturnType<typeof useRequestSearch>;
  readonly range: string | null;
}): ReactNode {
  const { range: _range, from: _from, to: _to, code: _code, ...filters } = search;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const action =
    range === '90d' ? null : (
      <Button
        onClick={() => change({ range: '90d', from: undefined, to: undefined, since: undefined, until: undefined })}
      >
        Look at the last 90 days
      </Button>
    );
  if (isFiltered) return <EmptyState cause="No request of this time matches these filters." action={action} />;
  return (
    <EmptyState
      cause="No request was served in this time."
      detail="A request is here within a second of its end. Requests that were refused stand under Refused."
      action={action}
    />
  );
}
