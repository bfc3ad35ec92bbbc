import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ProjectJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import { projectQuery } from '../../api/projects.ts';
import { Page } from '../../components/page.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { ProjectArchive, ProjectRestore } from '../../forms/project-archive.tsx';
import { ProjectUpdateForm } from '../../forms/project-update.tsx';
import { paths } from '../../paths.ts';
import { useUnavailable } from '../../session/access.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Count } from '../../ui/count.tsx';
import { type Definition, DefinitionList } from '../../ui/definition-list.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { ProjectKeys } from './project-keys.tsx';

const route = getRouteApi('/in/workspaces/$workspace/projects/$project');

export function ProjectPage(): ReactNode {
  const { workspace, project: id } = route.useParams();
  const { data: project, error, refetch } = useQuery(projectQuery(workspace, id));
  if (project !== undefined) return <LoadedProject project={project} error={error} onRetry={() => void refetch()} />;
  return (
    <Page title="Project">
      {error === null ? (
        <Skeleton className="w-80" />
      ) : (
        <ProblemPanel
          error={error}
          onRetry={() => void refetch()}
          back={{ label: 'See all projects', href: paths.projects(workspace) }}
        />
      )}
    </Page>
  );
}

interface LoadedProjectProps {
  readonly project: ProjectJson;
  readonly error: Error | null;
  readonly onRetry: () => void;
}

function LoadedProject({ project, error, onRetry }: LoadedProjectProps): ReactNode {
  const { change, budget } = route.useSearch();
  const navigate = route.useNavigate();
  const setChanging = (isChanging: boolean) =>
    void navigate({ search: { change: isChanging ? 'true' : undefined }, replace: !isChanging });
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
      <ProblemPanel error={error} onRetry={onRetry} />
      <Facts project={project} />
      <ProjectKeys project={project} onNavigate={(href) => void navigate({ href })} />
      {change === 'true' && !isArchived && (
        <ProjectUpdateForm project={project} budget={budget} onClose={() => setChanging(false)} />
      )}
    </Page>
  );
}

const PERIOD_WORDS = { day: 'a day', week: 'a week', month: 'a month', never: 'once' } as const;

function Facts({ project }: { readonly project: ProjectJson }): ReactNode {
  const { budget_nano_usd: budget, used_nano_usd: used, held_nano_usd: held, leased_nano_usd: leased } = project;
  return (
    <>
      <Section title={budget === null ? 'Budget' : `Budget ${PERIOD_WORDS[project.budget_period]}`}>
        <Meter label={`Budget of ${project.name}`} spent={used} held={held} leased={leased} limit={budget} />
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

function factsOf(project: ProjectJson): readonly Definition[] {
  const limit = (count: number | null): ReactNode => <Count count={count} none="no limit" />;
  return [
    { term: 'Status', value: <State archivedAt={project.archived_at} /> },
    { term: 'Resets', value: <Timestamp at={project.resets_at} /> },
    { term: 'Requests per minute', value: limit(project.requests_per_minute) },
    { term: 'Tokens per minute', value: limit(project.tokens_per_minute) },
    { term: 'Requests at the same time', value: limit(project.concurrency) },
    { term: 'Models', value: project.models === null ? 'all on sale' : project.models.join(', ') },
    { term: 'Cost in answers', value: project.report_cost ? 'as usage.cost' : 'no' },
    { term: 'Created', value: <Timestamp at={project.created_at} /> },
    {
      term: 'Id',
      value: (
        <span className="inline-flex items-center gap-1">
          <code className="font-mono">{project.id}</code>
          <CopyButton text={project.id} label="Copy project id" />
        </span>
      ),
    },
  ];
}
