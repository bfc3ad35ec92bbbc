import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ExaminationJson, StatusJson } from '../../../../src/control/admin/contract.ts';
import { examinationQuery, statusQuery } from '../../api/instance.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { QueryTable } from '../../components/list-table.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { OperatorTokenCreate } from '../../forms/operator-token-create.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { statusColumn } from '../../ui/columns.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Status, StatusWord } from '../../ui/status-word.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { OperatorTokens } from './operator-tokens.tsx';
import { Processes } from './processes.tsx';
import { Settings } from './settings.tsx';
import { Users } from './users.tsx';
import { commandWords } from '../../components/command-words.ts';
import { INSTANCE_COMMANDS } from '../../../../src/control/operations/instance-commands.ts';

const route = getRouteApi('/in/operators/operator/instance');

const TABS = [
  { id: 'state', label: 'State' },
  { id: 'settings', label: 'Settings' },
] as const;

export function InstancePage(): ReactNode {
  const { tab = 'state', search = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const setSearch = (typed: string): void =>
    void navigate({
      search: (former) => ({ ...former, search: typed === '' ? undefined : typed }),
      replace: true,
    });
  return (
    <Page title="Instance" answers="Whether it is well, what needs you, how it is set, and which programs may run it.">
      <Tabs
        label="Parts"
        tabs={TABS}
        selected={tab}
        onSelect={(chosen) => void navigate({ search: { tab: chosen === 'state' ? undefined : chosen } })}
      >
        {tab === 'state' ? (
          <State search={search} onSearch={setSearch} />
        ) : (
          <Settings search={search} onSearch={setSearch} />
        )}
      </Tabs>
    </Page>
  );
}

interface StateProps {
  readonly search: string;
  readonly onSearch: (search: string) => void;
}

function State({ search, onSearch }: StateProps): ReactNode {
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  const setCreating = (isCreating: boolean) =>
    void navigate({
      search: (former) => ({ ...former, create: isCreating ? 'true' : undefined }),
      replace: !isCreating,
    });
  const status = useQuery(statusQuery);
  return (
    <>
      <ProblemPanel error={status.error} onRetry={() => void status.refetch()} />
      <Section title="Status">
        {status.data === undefined ? (
          status.error === null && <Skeleton className="w-80" />
        ) : (
          <Standing status={status.data} />
        )}
      </Section>
      <Section title="Processes" lead="All that serve on this database, each with its version.">
        <Processes />
      </Section>
      <Section title="Doctor" lead="What the instance finds when it looks at its surroundings.">
        <Findings />
      </Section>
      <Section
        title="Operator tokens"
        lead="One for each program that runs this instance, beside the instance's own."
        actions={<Button onClick={() => setCreating(true)}>Create token</Button>}
      >
        <OperatorTokens />
      </Section>
      <Section title="Users" lead="People with accounts, over all workspaces.">
        <Users search={search} onSearch={onSearch} />
      </Section>
      <Section
        title="Backup"
        lead="Of the whole database as of one moment; requests do not wait for it. The instance keeps none and knows of none: run this where the file is to be."
      >
        <CommandLine command={commandWords(INSTANCE_COMMANDS, 'backup', { file: 'faregate.backup' })} />
      </Section>
      {create === 'true' && <OperatorTokenCreate onClose={() => setCreating(false)} />}
    </>
  );
}

function Standing({ status }: { readonly status: StatusJson }): ReactNode {
  const { ready, problems, version, started_at: startedAt, database } = status;
  return (
    <>
      {problems.map((problem) => (
        <Banner key={problem} tone="warn">
          {problem}
        </Banner>
      ))}
      <DefinitionList
        items={[
          {
            term: 'Requests',
            value: <StatusWord status={ready ? 'open' : 'closed'}>{ready ? 'served' : 'not served now'}</StatusWord>,
          },
          { term: 'Problems', value: problems.length === 0 ? 'none' : problems.length },
          { term: 'Version', value: <code className="font-mono">{version}</code> },
          { term: 'Started', value: <Timestamp at={startedAt} /> },
          { term: 'Database', value: database },
        ]}
      />
    </>
  );
}

type Finding = ExaminationJson['data'][number];

const VERDICTS: Readonly<Record<Finding['status'], readonly [Status, string]>> = {
  ok: ['open', 'well'],
  warn: ['low', 'look at it'],
  fail: ['closed', 'failed'],
};

const FINDING_COLUMNS: readonly Column<Finding>[] = [
  { id: 'check', header: 'Check', cell: ({ check }) => check },
  statusColumn(({ status }) => VERDICTS[status], { header: 'Result' }),
  {
    id: 'message',
    header: 'Finding',
    cell: ({ message, advice }) => (
      <span className="inline-block py-1.5 wrap-anywhere whitespace-normal">
        {message}
        {advice !== null && <span className="block text-text-2">{advice}</span>}
      </span>
    ),
  },
];

function Findings(): ReactNode {
  const query = useQuery(examinationQuery);
  return (
    <QueryTable
      query={query}
      label="Findings"
      columns={FINDING_COLUMNS}
      rows={query.data?.data}
      rowKey={({ check, message }) => `${check} ${message}`}
      empty={<EmptyState cause="The doctor has found nothing to say." />}
    />
  );
}
