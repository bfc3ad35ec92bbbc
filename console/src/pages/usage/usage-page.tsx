import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { type AnsweredUsage, usageFile, usageQuery } from '../../api/usage.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { usageCommand } from '../../components/usage-command.ts';
import { formatNumberOf } from '../../format/count.ts';
import { MS_PER_DAY } from '../../format/day.ts';
import { paths } from '../../paths.ts';
import { useUnavailable } from '../../session/access.ts';
import { ActionLink } from '../../ui/action-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useHour } from '../../ui/use-hour.ts';
import { slotsOf, UsageChart } from './usage-chart.tsx';
import { UsageFilters } from './usage-filters.tsx';
import { type AskedUsage, questionOf, requestsOf, timeOf, type UsageSearch } from './usage-search.ts';
import { UsageTable } from './usage-table.tsx';

const route = getRouteApi('/in/workspaces/$workspace/usage');

export function UsagePage(): ReactNode {
  const { workspace } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const nowMs = useHour();
  const time = timeOf(search, nowMs);
  const asked = questionOf(search, time);
  const { data, error, refetch, isPlaceholderData } = useQuery(usageQuery(workspace, asked));
  const change = (given: Partial<UsageSearch>) => void navigate({ search: (former) => ({ ...former, ...given }) });
  return (
    <Page
      title="Usage"
      answers="What was used, by whom, and what it cost. Days and hours are those of UTC."
      actions={<Download workspace={workspace} asked={asked} />}
    >
      <UsageFilters
        workspace={workspace}
        search={search}
        time={time}
        asked={asked}
        nowMs={nowMs}
        shown={data !== undefined && !isPlaceholderData}
        onChange={change}
      />
      <ProblemPanel error={error} onRetry={() => void refetch()} />
      {data !== undefined && <Shown workspace={workspace} answer={data} loading={isPlaceholderData} nowMs={nowMs} />}
      {data === undefined && error === null && (
        <div aria-busy="true" className="h-96 pt-2 text-control text-text-2">
          Adding up {formatNumberOf(Math.round((time.toMs - time.fromMs) / MS_PER_DAY), 'day')} of usage.
        </div>
      )}
      <CommandLine className="mt-6" command={usageCommand(workspace, asked)} />
    </Page>
  );
}

interface ShownProps {
  readonly workspace: string;
  readonly answer: AnsweredUsage<AskedUsage>;
  readonly loading: boolean;
  readonly nowMs: number;
}

function Shown({ workspace, answer, loading, nowMs }: ShownProps): ReactNode {
  const { measure = 'charge', ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const slots = useMemo(() => slotsOf(answer, nowMs), [answer, nowMs]);
  const go = (href: string) => void navigate({ href });
  const isFiltered = search.project !== undefined || search.key !== undefined || search.model !== undefined;
  const longer = (
    <ActionLink href={paths.usage(workspace, { ...search, measure, period: '90d', from: null, to: null, month: null })}>
      Look at the last 90 days
    </ActionLink>
  );
  return (
    <>
      {answer.usage.total.requests > 0 && (
        <div className="mb-6">
          <UsageChart
            answer={answer}
            measure={measure}
            nowMs={nowMs}
            onOpen={(bar) => go(paths.requests(workspace, requestsOf(answer.question, bar)))}
          />
        </div>
      )}
      <UsageTable
        workspace={workspace}
        answer={answer}
        measure={measure}
        slots={slots}
        loading={loading}
        onNavigate={go}
        empty={
          <EmptyState
            cause={isFiltered ? 'No usage of this time matches these filters.' : 'Nothing was used in this time.'}
            detail="A request is counted within a second of its end, at the time at which it began."
            action={search.period === '90d' ? null : longer}
          />
        }
      />
    </>
  );
}

function Download({ workspace, asked }: { readonly workspace: string; readonly asked: AskedUsage }): ReactNode {
  const unavailable = useUnavailable(workspace, 'exports:read', 'download usage');
  return (
    <ActionLink href={usageFile(workspace, asked)} download="usage.csv" unavailable={unavailable}>
      Download CSV
    </ActionLink>
  );
}
