import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ProjectJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import { allowsModel, matchesModel } from '../../../../src/domain/policy.ts';
import { projectsQuery } from '../../api/projects.ts';
import { LoadMore } from '../../components/load-more.tsx';
import { problemFrom } from '../../components/problem-panel.tsx';
import { paths } from '../../paths.ts';
import { useUnavailable } from '../../session/access.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table-types.ts';

interface ModelAccessProps {
  readonly workspace: string;
  readonly model: string;
}

/** For each project, whether its policy allows the model, and by which entry. */
export function ModelAccess({ workspace, model }: ModelAccessProps): ReactNode {
  const navigate = useNavigate();
  const hidesKeys = useUnavailable(workspace, 'keys:read', 'see keys') !== null;
  const projects = useInfiniteQuery(projectsQuery(workspace, { archived: false, search: '' }));
  return (
    <>
      <Table
        label="Which projects may call it"
        columns={accessColumns(model, hidesKeys)}
        rows={projects.data?.pages.flatMap(({ data }) => data)}
        rowKey={({ id }) => id}
        href={({ id }) => paths.project(workspace, id)}
        onNavigate={(href) => void navigate({ href })}
        expectedRows={3}
        error={problemFrom(projects.error)}
        onRetry={() => void projects.refetch()}
        empty={
          <EmptyState cause="There is no project yet." detail="Programs call models with a key, which a project has." />
        }
      />
      <LoadMore list={projects} />
    </>
  );
}

function accessColumns(model: string, hidesKeys: boolean): readonly Column<ProjectJson>[] {
  const columns: readonly (Column<ProjectJson> | null)[] = [
    { id: 'project', header: 'Project', grow: true, cell: ({ name }) => name },
    { id: 'may', header: 'May call it', cell: ({ models }) => <MayCall isAllowed={allowsModel([models], model)} /> },
    { id: 'why', header: 'Because it allows', from: 'md', cell: ({ models }) => reasonOf(models, model) },
    hidesKeys
      ? null
      : {
          id: 'keys',
          header: 'Keys',
          hideHeader: true,
          align: 'end',
          cell: ({ id, name, workspace_id: workspace }) => (
            <a
              href={paths.keys(workspace, { project: id })}
              aria-label={`Keys of ${name}`}
              className="underline underline-offset-2"
            >
              keys
            </a>
          ),
        },
  ];
  return columns.filter((column) => column !== null);
}

function MayCall({ isAllowed }: { readonly isAllowed: boolean }): ReactNode {
  return isAllowed ? <StatusWord status="open">yes</StatusWord> : <StatusWord status="off">no</StatusWord>;
}

function reasonOf(models: ProjectJson['models'], model: string): string {
  if (models === null) return 'all models';
  return models.find((entry) => matchesModel(entry, model)) ?? 'only others';
}
