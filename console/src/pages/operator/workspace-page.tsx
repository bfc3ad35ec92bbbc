import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import type { WorkspaceJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import { workspaceQuery } from '../../api/workspaces.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { PriceAdjust } from '../../forms/price-adjust.tsx';
import { WorkspaceClose, WorkspaceResume, WorkspaceSuspend } from '../../forms/workspace-actions.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { DEFAULT_PERIOD } from './margin.tsx';
import { WorkspaceFacts } from './workspace-facts.tsx';
import { WorkspaceMargins } from './workspace-margins.tsx';
import { WorkspacePrices } from './workspace-prices.tsx';

const PostingCreate = lazy(async () => ({
  default: (await import('../../forms/posting-create.tsx')).PostingCreate,
}));

const route = getRouteApi('/in/operators/operator/workspaces/$workspace');

/** A workspace as its operator sees it: what it has, what it brings, and what it pays. */
export function WorkspacePage(): ReactNode {
  const { workspace: id } = route.useParams();
  const query = useQuery(workspaceQuery(id));
  if (query.data !== undefined) return <LoadedWorkspace workspace={query.data} problem={<Loaded query={query} />} />;
  return (
    <Page title="Workspace" answers={ANSWERS}>
      <Loaded query={query} room="h-10 w-48" back={{ label: 'See all workspaces', href: paths.operatorWorkspaces() }} />
    </Page>
  );
}

const ANSWERS = 'What this workspace has left, what it brings, and what it pays.';

interface LoadedWorkspaceProps {
  readonly workspace: WorkspaceJson;
  /** What went wrong when it was read again. */
  readonly problem: ReactNode;
}

function LoadedWorkspace({ workspace, problem }: LoadedWorkspaceProps): ReactNode {
  const { id, name, state, moved_to: movedTo } = workspace;
  const { period = DEFAULT_PERIOD, post, price, model } = route.useSearch();
  const navigate = route.useNavigate();
  // One that lives in another cell is changed there.
  const isOpen = movedTo === null && (state === 'active' || state === 'suspended');
  const open = (form: 'post' | 'price', of?: string) =>
    void navigate({ search: (former) => ({ ...former, [form]: 'true', model: of }) });
  const close = () =>
    void navigate({
      search: (former) => ({ ...former, post: undefined, price: undefined, model: undefined }),
      replace: true,
    });
  return (
    <Page
      title={name}
      answers={ANSWERS}
      actions={
        <>
          {isOpen && state === 'active' && <WorkspaceSuspend workspace={workspace} />}
          {isOpen && state === 'suspended' && <WorkspaceResume workspace={workspace} />}
          {isOpen && (
            <Button kind="primary" onClick={() => open('post')}>
              Post credit
            </Button>
          )}
        </>
      }
    >
      {problem}
      <WorkspaceFacts workspace={workspace} />
      <WorkspaceMargins
        workspace={id}
        period={period}
        onPeriod={(chosen) => void navigate({ search: (former) => ({ ...former, period: chosen }) })}
      />
      {isOpen && (
        <>
          <WorkspacePrices workspace={id} onAdjust={(of) => open('price', of)} />
          <Section
            title="Close"
            lead="Its keys stop for good, what was paid in and not spent is refunded, and credit that was granted lapses."
          >
            <WorkspaceClose workspace={workspace} />
          </Section>
        </>
      )}
      <Suspense>{isOpen && post === 'true' && <PostingCreate workspace={workspace} onClose={close} />}</Suspense>
      {isOpen && price === 'true' && <PriceAdjust workspace={workspace} model={model ?? null} onClose={close} />}
    </Page>
  );
}
