import { useQuery, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Printer } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { WorkspaceJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import type { PartyJson, StatementJson } from '../../../../src/control/admin/ledger/statement-contract.ts';
import { statementFile, statementQuery } from '../../api/credit.ts';
import { usageFile } from '../../api/usage.ts';
import { workspaceQuery } from '../../api/workspaces.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { addDays, dayOf, formatMonth, monthOf, MS_PER_DAY } from '../../format/day.ts';
import { paths } from '../../paths.ts';
import { useUnavailable } from '../../session/access.ts';
import { ActionLink } from '../../ui/action-link.tsx';
import { Button } from '../../ui/button.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { monthAsTime } from './month-as-time.ts';
import { StatementUsage } from './statement-usage.tsx';

const route = getRouteApi('/in/workspaces/$workspace/credit/statement');

/** The statement of a month, to be printed or kept as PDF: what was there, what was added, and what was charged for what. */
export function StatementPage(): ReactNode {
  const { workspace: id } = route.useParams();
  const hidden = useUnavailable(id, 'credit:read', 'see statements');
  const workspace = useQuery(workspaceQuery(id));
  const [present] = useState(() => monthOf(new Date()));
  const { month = present } = route.useSearch();
  const title = `Credit statement of ${formatMonth(month)}`;
  if (hidden !== null) {
    return (
      <Page title={title}>
        <EmptyState cause={hidden} />
      </Page>
    );
  }
  return (
    <Page title={title} actions={<Actions workspace={id} month={month} />}>
      <Loaded query={workspace} room="h-24 w-96">
        {(loaded) => <Document workspace={loaded} month={month} isOpen={month >= present} />}
      </Loaded>
    </Page>
  );
}

function Actions({ workspace, month }: { readonly workspace: string; readonly month: string }): ReactNode {
  const unavailable = useUnavailable(workspace, 'exports:read', 'download usage');
  const file = (second: 'project' | 'member'): string =>
    usageFile(workspace, { ...monthAsTime(month), group_by: second, and_by: 'model' });
  return (
    <span data-screen className="flex flex-wrap gap-2">
      <MonthLinks workspace={workspace} month={month} />
      <ActionLink href={statementFile(workspace, month)} download={`statement ${month}.csv`} unavailable={unavailable}>
        CSV
      </ActionLink>
      <ActionLink href={file('project')} download={`projects ${month}.csv`} unavailable={unavailable}>
        CSV by project and model
      </ActionLink>
      <ActionLink href={file('member')} download={`members ${month}.csv`} unavailable={unavailable}>
        CSV by member and model
      </ActionLink>
      <Button kind="primary" onClick={() => window.print()}>
        <Printer size={16} strokeWidth={1.5} aria-hidden="true" />
        Print
      </Button>
    </span>
  );
}

function MonthLinks({ workspace, month }: { readonly workspace: string; readonly month: string }): ReactNode {
  const [present] = useState(() => monthOf(new Date()));
  const former = monthOf(new Date(Date.parse(`${month}-01T00:00:00Z`) - 1));
  const next = monthOf(new Date(Date.parse(`${month}-01T00:00:00Z`) + 32 * MS_PER_DAY));
  return (
    <>
      <ActionLink href={paths.statement(workspace, { month: former })}>{formatMonth(former)}</ActionLink>
      {month < present && (
        <ActionLink href={paths.statement(workspace, { month: next })}>{formatMonth(next)}</ActionLink>
      )}
    </>
  );
}

interface DocumentProps {
  readonly workspace: WorkspaceJson;
  readonly month: string;
  /** The month has not ended. */
  readonly isOpen: boolean;
}

function Document({ workspace, month, isOpen }: DocumentProps): ReactNode {
  const { data, error, refetch } = useInfiniteQuery(statementQuery(workspace.id, month));
  const [statement] = data?.pages ?? [];
  if (statement === undefined) {
    if (error === null) return <Skeleton className="h-24 w-96" />;
    return <ProblemPanel error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <Facts workspace={workspace} statement={statement} month={month} isOpen={isOpen} />
      <StatementUsage
        workspace={workspace.id}
        month={month}
        opening={statement.opening_nano_usd}
        closing={statement.closing_nano_usd}
      />
      <p className="mt-8 text-meta text-text-2">
        Amounts are in USD, days and months those of UTC. Corrections of charges are among what was added and taken.
      </p>
    </>
  );
}

function PartyLines({ party: { name, address, tax_id: taxId } }: { readonly party: PartyJson }): ReactNode {
  return [name, address, taxId].map(
    (line) =>
      line !== null && (
        <span key={line} className="block">
          {line}
        </span>
      ),
  );
}

interface FactsProps extends DocumentProps {
  readonly statement: StatementJson;
}

function Facts({ workspace, statement, month, isOpen }: FactsProps): ReactNode {
  const { from, to } = monthAsTime(month);
  const last = addDays(dayOf(new Date(to)), -1);
  return (
    <DefinitionList
      items={[
        { term: 'Number', value: <span className="font-mono">{statement.number}</span> },
        statement.seller !== null && { term: 'Seller', value: <PartyLines party={statement.seller} /> },
        { term: 'Buyer', value: <PartyLines party={statement.buyer} /> },
        { term: 'Workspace', value: workspace.name },
        { term: 'Service', value: window.location.host },
        { term: 'Period', value: `${dayOf(new Date(from))} to ${last}, UTC` },
        isOpen && { term: 'State', value: 'The month has not ended: its figures still change.' },
      ]}
    />
  );
}
