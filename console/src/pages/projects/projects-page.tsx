import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ProjectJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import { projectsQuery } from '../../api/projects.ts';
import { ListTable } from '../../components/list-table.tsx';
import { limitNow } from '../../components/raised-limit.tsx';
import { Page } from '../../components/page.tsx';
import { ProjectCreate } from '../../forms/project-forms.tsx';
import { paths } from '../../paths.ts';
import { useUnavailable } from '../../session/access.ts';
import { Button } from '../../ui/button.tsx';
import { countColumn } from '../../ui/columns.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Meter } from '../../ui/meter.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';

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
  const isEmpty = projects.data?.pages[0]?.data.length === 0 && !isArchived && search === '';
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
        <SearchInput
          className="mb-4 w-64 max-sm:w-full"
          label="Search projects"
          value={search}
          onChange={(text) =>
            void navigate({
              search: (former) => ({ ...former, search: text === '' ? undefined : text }),
              replace: true,
            })
          }
        />
        <ListTable
          list={projects}
          label={isArchived ? 'Archived projects' : 'Projects'}
          columns={PROJECT_COLUMNS}
          href={({ id }) => paths.project(workspace, id)}
          moveByKeys
          empty={<NoProjects isArchived={isArchived} search={search} action={createButton} />}
        />
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

const PROJECT_COLUMNS: readonly Column<ProjectJson>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name, grow: true },
  { id: 'budget', header: 'Spent of budget', cell: (project) => <Budget project={project} /> },
  { id: 'resets', header: 'Resets', cell: ({ resets_at: at }) => <Timestamp at={at} />, from: 'md' },
  countColumn('rpm', 'Requests / min', ({ requests_per_minute: count }) => count, { from: 'lg', none: 'no limit' }),
  {
    id: 'models',
    header: 'Models',
    from: 'lg',
    cell: ({ models }) =>
      models === null ? 'all' : models.length === 1 ? models[0] : `${models[0]} and ${models.length - 1} more`,
  },
];

function Budget({ project }: { readonly project: ProjectJson }): ReactNode {
  const { budget_nano_usd: budget, used_nano_usd: used, held_nano_usd: held, name } = project;
  return <Meter compact label={`Budget of ${name}`} spent={used} held={held} limit={limitNow(budget, project)} />;
}
