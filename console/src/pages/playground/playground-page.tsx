import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ProjectJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import type { ModelJson } from '../../../../src/control/admin/catalogue/model-contract.ts';
import { modelsQuery } from '../../api/models.ts';
import { projectChoicesQuery } from '../../api/projects.ts';
import { Page } from '../../components/page.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { paths } from '../../paths.ts';
import { useUnavailable } from '../../session/access.ts';
import { Banner } from '../../ui/banner.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { chosenFor } from './chosen-for.ts';
import { Workbench } from './workbench.tsx';

const route = getRouteApi('/in/workspaces/$workspace/playground');

export function PlaygroundPage(): ReactNode {
  const { workspace } = route.useParams();
  const models = useQuery(modelsQuery(workspace));
  const { project } = route.useSearch();
  const projects = useQuery(projectChoicesQuery(workspace, project ?? null));
  const unavailable = useUnavailable(workspace, 'playground:use', 'use the playground');
  const error = models.error ?? projects.error;
  const retry = (): void => void Promise.all([models.refetch(), projects.refetch()]);
  const callable = models.data?.data.filter(({ kind, on_sale: isOnSale }) => kind === 'chat' && isOnSale);
  const payers = projects.data?.filter(({ archived_at: archivedAt }) => archivedAt === null);
  return (
    <Page title="Playground" answers="What a model answers, and what that costs.">
      {unavailable !== null && <Banner tone="info">{unavailable}</Banner>}
      <ProblemPanel error={error} onRetry={retry} />
      {callable === undefined || payers === undefined ? (
        error === null && <Skeleton className="w-80" />
      ) : (
        <Content workspace={workspace} models={callable} projects={payers} unavailable={unavailable} />
      )}
    </Page>
  );
}

interface ContentProps {
  readonly workspace: string;
  readonly models: readonly ModelJson[];
  readonly projects: readonly ProjectJson[];
  readonly unavailable: string | null;
}

function Content({ workspace, models, projects, unavailable }: ContentProps): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { model, project } = chosenFor(models, projects, search);
  if (model === undefined) return <EmptyState cause="No chat model is on sale." />;
  if (project === undefined) {
    return (
      <EmptyState
        cause="There is no project yet."
        detail="A request is paid from the budget of a project."
        action={
          <a href={paths.projects(workspace)} className={buttonClass()}>
            Go to projects
          </a>
        }
      />
    );
  }
  return (
    <Workbench
      key={workspace}
      workspace={workspace}
      models={models}
      projects={projects}
      model={model.id}
      project={project}
      showsCode={search.code === 'true'}
      onChoose={(choice) => void navigate({ search: (former) => ({ ...former, ...choice }), replace: true })}
      onShowCode={(shows) =>
        void navigate({ search: (former) => ({ ...former, code: shows ? 'true' : undefined }), replace: !shows })
      }
      unavailable={unavailable}
    />
  );
}
