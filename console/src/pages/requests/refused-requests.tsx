import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type RefusalFilter, refusalsQuery } from '../../api/requests.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { requestCommand } from '../../components/request-command.ts';
import { RefusalTable } from './refusal-table.tsx';
import { refusedColumns } from './refused-columns.tsx';
import { RefusedFilters } from './request-filters.tsx';
import { windowOf } from './request-search.ts';
import type { useRequestSearch } from './use-request-search.ts';

/** The requests that left no receipt, as long as they are kept. */
export function RefusedRequests({ place }: { readonly place: ReturnType<typeof useRequestSearch> }): ReactNode {
  const { workspace, search, open, requestHref, go, change } = place;
  const [nowMs] = useState(() => Date.now());
  const { code, model, key, project } = search;
  const filter = Object.fromEntries(
    Object.entries({ code, model, key, project }).filter(([, value]) => value !== undefined),
  ) as RefusalFilter;
  const refusals = useInfiniteQuery(refusalsQuery(workspace, filter));
  return (
    <>
      <RefusedFilters place={place} time={windowOf({ range: '90d' }, nowMs)} />
      <RefusalTable
        refusals={refusals}
        columns={refusedColumns(open !== null)}
        href={({ request_id: id }) => requestHref(id)}
        onNavigate={go}
        open={open}
        isFiltered={Object.keys(filter).length > 0}
        onClear={() => change({ code: undefined, model: undefined, key: undefined, project: undefined })}
      />
      <CommandLine className="mt-6" command={requestCommand.refused(workspace, filter)} />
    </>
  );
}
