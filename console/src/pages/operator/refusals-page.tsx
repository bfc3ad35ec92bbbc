import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { RefusalChoice, RefusalJson } from '../../../../src/control/admin/requests/refusal-contract.ts';
import { allRefusalsQuery, refusalCountsQuery } from '../../api/requests.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { Page } from '../../components/page.tsx';
import { requestCommand } from '../../components/request-command.ts';
import { paths } from '../../paths.ts';
import { nameColumn } from '../../ui/columns.tsx';
import type { Column } from '../../ui/table-types.ts';
import { useHour } from '../../ui/use-hour.ts';
import { FindRequest } from '../../components/find-request.tsx';
import { RefusalTable } from '../requests/refusal-table.tsx';
import { refusedColumns } from '../requests/refused-columns.tsx';
import { chosenIn, windowOf } from '../requests/request-search.ts';
import { FoundRequest } from './found-request.tsx';
import { RefusalCounts } from './refusal-counts.tsx';
import { InstanceRefusalFilters, NO_REFUSAL_FILTER, type RefusalsSearch } from './refusal-filters.tsx';

const route = getRouteApi('/in/operators/operator/refusals');

const WORKSPACE = nameColumn<RefusalJson>('workspace', 'Workspace', ({ workspace_name: name }) => name);

/** What the address says, as the API asks for it. */
function choiceOf(search: RefusalsSearch): RefusalChoice {
  const { workspace, code, model, status } = search;
  const chosen = chosenIn(search);
  const wanted = {
    workspace,
    code,
    model,
    status,
    from: chosen === null ? undefined : new Date(chosen.fromMs).toISOString(),
    to: chosen === null ? undefined : new Date(chosen.toMs).toISOString(),
  };
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) as RefusalChoice;
}

const [TIME, REASON, ...OTHERS] = refusedColumns(false);

/** The columns of a workspace's list, with the workspace, which takes the place of the project on smaller screens. */
const COLUMNS = [TIME, REASON, WORKSPACE, ...OTHERS]
  .filter((column) => column !== undefined)
  .map((column): Column<RefusalJson> => (column.id === 'project' ? { ...column, from: 'xl' } : column));

export function RefusalsPage(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const nowMs = useHour();
  const { since, until } = search;
  const time = useMemo(() => windowOf({ range: '24h', since, until }, nowMs), [since, until, nowMs]);
  const choice = choiceOf(search);
  const { workspace, model, status } = choice;
  const refusals = useInfiniteQuery(allRefusalsQuery(choice));
  const counts = useQuery(refusalCountsQuery({ workspace, model, status }));
  const change = (given: RefusalsSearch): void =>
    void navigate({ search: (former) => ({ ...former, ...given }), resetScroll: false });
  return (
    <Page
      title="Refusals"
      answers="Which requests this instance refused, in all workspaces."
      actions={<FindRequest onFind={(id) => void navigate({ href: paths.operatorRequest(id) })} />}
    >
      {search.request !== undefined && <FoundRequest request={search.request} />}
      <InstanceRefusalFilters search={search} onChange={change} />
      <RefusalCounts counts={counts} search={search} time={time} onChange={change} />
      <RefusalTable
        refusals={refusals}
        columns={COLUMNS}
        href={({ workspace_id: id, request_id: request }) => paths.request(id, request, { list: 'refused' })}
        isFiltered={Object.keys(choice).length > 0}
        onClear={() => change(NO_REFUSAL_FILTER)}
      />
      <CommandLine className="mt-6" command={requestCommand.refusedOfAll(choice)} />
    </Page>
  );
}
