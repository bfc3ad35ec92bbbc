import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { projectsQuery } from '../../api/projects.ts';
import { LoadMore } from '../../components/load-more.tsx';
import { Page } from '../../components/page.tsx';
import { problemFrom } from '../../components/problem-panel.tsx';
import { ProjectCreate } from '../../forms/project-create.tsx';
import { paths } from '../../paths.ts';
import { useUnavailable } from '../../session/access.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Table } from '../../ui/table.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { PROJECT_COLUMNS } from './project-columns.tsx';

const route = getRouteApi('/in/workspaces/$workspace/projects');

const TABS = [
  { id: 'active', label: 'Active' },
  { id: 'archived', label: 'Archived' },
] as const;

export function ProjectsPage(): ReactNode {
  const { workspace } = route.useParams();
  const { search = '', archived, create } = route.useSearch();
  const navigate = route.useNavigate();
  const isArchived = archived === 'true';
  const projects = useInfiniteQuery(projectsQuery(workspace, { archived: isArchived, search }));
  const rows = projects.data?.pages.flatMap(({ data }) => data);
  const isEmpty = rows?.length === 0 && !isArchived && search === '';
  const setCreating = (isCreating: boolean) =>
    void navigate({
      search: (former) => ({ ...former, create: isCreating ? 'true' : undefined }),
      replace: !isCreating,
    });
  const createButton = (
    <Button
      kind="primary"
      onClick={() => setCreating(true)}
      unavailable={useUnavailable(workspace, 'projects:write', 'create projects')}
    >
      Create project
    </Button>
  );
  return (
    <Page
      title="Projects"
      answers="Who shares which budget, limits and models."
      actions={isEmpty ? undefined : createButton}
    >
      <Tabs
        label="Projects"
        tabs={TABS}
        selected={isArchived ? 'archived' : 'active'}
        onSelect={(tab) =>
          void navigate({ search: (former) => ({ ...former, archived: tab === 'archived' ? 'true' : undefined }) })
        }
      >
        <div className="mb-4 max-w-80">
          <SearchInput
            label="Search projects"
            value={search}
            onChange={(text) =>
              void navigate({
                search: (former) => ({ ...former, search: text === '' ? undefined : text }),
                replace: true,
              })
            }
          />
        </div>
        <Table
          label={isArchived ? 'Archived projects' : 'Projects'}
          columns={PROJECT_COLUMNS}
          rows={rows}
          rowKey={({ id }) => id}
          href={({ id }) => paths.project(workspace, id)}
          onNavigate={(href) => void navigate({ href })}
          moveByKeys
          loading={projects.isPlaceholderData}
          error={problemFrom(projects.error)}
          onRetry={() => void projects.refetch()}
          empty={<NoProjects isArchived={isArchived} search={search} action={createButton} />}
        />
        <LoadMore list={projects} />
      </Tabs>
      {create === 'true' && <ProjectCreate workspace={workspace} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function NoProjects(props: {
  readonly isArchived: boolean;
  readonly search: string;
  readonly action: ReactNode;
}): ReactNode {
  if (props.search !== '') return <EmptyState cause={`No project here has "${props.search}" in its name.`} />;
  if (props.isArchived) return <EmptyState cause="No project is archived." />;
  return (
    <EmptyState
      cause="There is no project yet."
      detail="Every key belongs to a project, whose budget and limits it shares with the other keys there."
      action={props.action}
    />
  );
}
