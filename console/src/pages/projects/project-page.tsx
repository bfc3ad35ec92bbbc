import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ProjectJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import { keysQuery } from '../../api/keys.ts';
import { projectQuery } from '../../api/projects.ts';
import { keyColumns } from '../../components/key-columns.tsx';
import { QueryTable } from '../../components/list-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { limitNow, RaiseButton, RaisedLimit } from '../../components/raised-limit.tsx';
import { ProjectArchive, ProjectRestore } from '../../forms/project-actions.tsx';
import { ProjectUpdateForm } from '../../forms/project-forms.tsx';
import { ProjectRaise } from '../../forms/raise-sheet.tsx';
import { paths } from '../../paths.ts';
import { useUnavailable } from '../../session/access.ts';
import { Button } from '../../ui/button.tsx';
import { Copied } from '../../ui/copied.tsx';
import { Count } from '../../ui/count.tsx';
import { type Definition, DefinitionList } from '../../ui/definition-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Money } from '../../ui/money.tsx';
import { Section } from '../../ui/section.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { ProjectEndUsers } from './project-end-users.tsx';

const route = getRouteApi('/in/workspaces/$workspace/projects/$project');

export function ProjectPage(): ReactNode {
  const { workspace, project: id } = route.useParams();
  const query = useQuery(projectQuery(workspace, id));
  if (query.data !== undefined) return <LoadedProject project={query.data} problem={<Loaded query={query} />} />;
  return (
    <Page title="Project">
      <Loaded query={query} back={{ label: 'See all projects', href: paths.projects(workspace) }} />
    </Page>
  );
}

interface LoadedProjectProps {
  readonly project: ProjectJson;
  /** What went wrong when it was read again. */
  readonly problem: ReactNode;
}

function LoadedProject({ project, problem }: LoadedProjectProps): ReactNode {
  const { change, raise, budget } = route.useSearch();
  const navigate = route.useNavigate();
  const setChanging = (isChanging: boolean) =>
    void navigate({ search: { change: isChanging ? 'true' : undefined }, replace: !isChanging });
  const setRaising = (isRaising: boolean) =>
    void navigate({ search: { raise: isRaising ? 'true' : undefined }, replace: !isRaising });
  const isArchived = project.archived_at !== null;
  const unavailable = useUnavailable(project.workspace_id, 'projects:write', 'change projects');
  const actions = isArchived ? (
    <ProjectRestore project={project} />
  ) : (
    <>
      <ProjectArchive project={project} />
      <Button kind="primary" onClick={() => setChanging(true)} unavailable={unavailable}>
        Change project
      </Button>
    </>
  );
  return (
    <Page
      title={project.name}
      answers={isArchived ? 'This project is archived: its keys are refused.' : 'What its keys may spend together.'}
      actions={actions}
    >
      {problem}
      <Facts project={project} unavailable={isArchived ? ARCHIVED : unavailable} onRaise={() => setRaising(true)} />
      <ProjectKeys project={project} onNavigate={(href) => void navigate({ href })} />
      <ProjectEndUsers project={project} unavailable={isArchived ? ARCHIVED : unavailable} />
      {change === 'true' && !isArchived && (
        <ProjectUpdateForm project={project} budget={budget} onClose={() => setChanging(false)} />
      )}
      {raise === 'true' && !isArchived && unavailable === null && project.budget_nano_usd !== null && (
        <ProjectRaise project={project} limit={budget} onClose={() => setRaising(false)} />
      )}
    </Page>
  );
}

const PERIOD_WORDS = { day: 'a day', week: 'a week', month: 'a month', never: 'once' } as const;

const ARCHIVED = 'This project is archived. Restore it first.';

interface FactsProps {
  readonly project: ProjectJson;
  /** Why its budget can't be raised; null if it can. */
  readonly unavailable: string | null;
  readonly onRaise: () => void;
}

function Facts({ project, unavailable, onRaise }: FactsProps): ReactNode {
  const { budget_nano_usd: budget, used_nano_usd: used, held_nano_usd: held, leased_nano_usd: leased } = project;
  return (
    <>
      <Section
        title={budget === null ? 'Budget' : `Budget ${PERIOD_WORDS[project.budget_period]}`}
        lead={project.raised_until !== null && <RaisedLimit ordinary={budget} raise={project} />}
        actions={budget !== null && <RaiseButton unavailable={unavailable} onRaise={onRaise} />}
      >
        <Meter
          label={`Budget of ${project.name}`}
          spent={used}
          held={held}
          leased={leased}
          limit={limitNow(budget, project)}
        />
      </Section>
      <Section title="About this project">
        <DefinitionList items={factsOf(project)} />
      </Section>
    </>
  );
}

function State({ archivedAt }: { readonly archivedAt: string | null }): ReactNode {
  if (archivedAt === null) return <StatusWord status="open">active</StatusWord>;
  return (
    <StatusWord status="off">
      archived <Timestamp at={archivedAt} />
    </StatusWord>
  );
}

/** "$5.00 a month". */
function limitIn(limit: string | null, period: keyof typeof PERIOD_WORDS): ReactNode {
  if (limit === null) return <Count count={null} none="no limit" />;
  return (
    <>
      <Money amount={limit} /> {PERIOD_WORDS[period]}
    </>
  );
}

function factsOf(project: ProjectJson): readonly (Definition | false)[] {
  const limit = (count: number | null): ReactNode => <Count count={count} none="no limit" />;
  return [
    { term: 'Status', value: <State archivedAt={project.archived_at} /> },
    { term: 'Resets', value: <Timestamp at={project.resets_at} /> },
    { term: 'Requests per minute', value: limit(project.requests_per_minute) },
    { term: 'Tokens per minute', value: limit(project.tokens_per_minute) },
    { term: 'Requests at the same time', value: limit(project.concurrency) },
    { term: 'Limit of each end user', value: limitIn(project.end_user_limit_nano_usd, project.end_user_period) },
    { term: 'Limit of each session', value: limitIn(project.session_limit_nano_usd, 'month') },
    { term: 'Models', value: project.models === null ? 'all on sale' : project.models.join(', ') },
    project.model_when_spent !== null && { term: 'Model when a limit is reached', value: project.model_when_spent },
    { term: 'Cost in answers', value: project.report_cost ? 'as usage.cost' : 'no' },
    { term: 'Created', value: <Timestamp at={project.created_at} /> },
    { term: 'Id', value: <Copied text={project.id} label="Copy project id" /> },
  ];
}

const ROWS = 10;

interface ProjectKeysProps {
  readonly project: ProjectJson;
  readonly onNavigate: (href: string) => void;
}

/** The keys of a project that have spent most this month. */
function ProjectKeys({ project, onNavigate }: ProjectKeysProps): ReactNode {
  const { workspace_id: workspace, id } = project;
  const hidden = useUnavailable(workspace, 'keys:read', 'see keys');
  const unavailable = useUnavailable(workspace, 'keys:write', 'create keys');
  const keys = useInfiniteQuery({
    ...keysQuery(workspace, { project: id, search: '', state: null, createdBy: null, sort: 'spend', descending: true }),
    enabled: hidden === null,
  });
  const rows = keys.data?.pages[0]?.data.slice(0, ROWS);
  const createButton = (
    <Button
      unavailable={project.archived_at === null ? unavailable : ARCHIVED}
      onClick={() => onNavigate(paths.keys(workspace, { project: id, create: true }))}
    >
      Create key
    </Button>
  );
  return (
    <Section
      title="Keys"
      lead={hidden === null ? 'Those that have spent most this month.' : undefined}
      actions={
        <>
          {hidden === null && (
            <TextLink href={paths.keys(workspace, { project: id, sort: 'spend' })} className="text-control">
              All keys
            </TextLink>
          )}
          {createButton}
        </>
      }
    >
      {hidden === null ? (
        <QueryTable
          query={keys}
          label={`Keys of ${project.name}`}
          columns={keyColumns({ withProject: false })}
          rows={rows}
          href={(key) => paths.key(workspace, key.id)}
          expectedRows={3}
          empty={<EmptyState cause="This project has no key yet." />}
        />
      ) : (
        <EmptyState cause={hidden} />
      )}
    </Section>
  );
}
