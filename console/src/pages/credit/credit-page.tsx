import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import type { WorkspaceJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import type { PaymentSettingsJson } from '../../../../src/control/admin/payments/payment-contract.ts';
import { paymentSettingsQuery } from '../../api/credit.ts';
import { workspaceQuery } from '../../api/workspaces.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { AutoTopUpUpdate } from '../../forms/auto-top-up-update.tsx';
import { CodeRedeem } from '../../forms/code-redeem.tsx';
import { TopUpCreate } from '../../forms/top-up-create.tsx';
import { useMe, useMovedAway, useUnavailable } from '../../session/access.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AutoTopUp, AutoTopUpStopped } from './auto-top-up.tsx';
import { CreditStanding } from './credit-standing.tsx';
import { LimitedCredit } from './limited-credit.tsx';
import { NoPayments } from './no-payments.tsx';
import { PromptKept } from './prompt-kept.tsx';
import { Statement } from './statement.tsx';
import { TopUpResult } from './top-up-result.tsx';
import { TopUpSheet } from './top-up-sheet.tsx';
import { TopUps } from './top-ups.tsx';

/** Operators alone post credit. */
const PostingCreate = lazy(async () => ({
  default: (await import('../../forms/posting-create.tsx')).PostingCreate,
}));

const route = getRouteApi('/in/workspaces/$workspace/credit');

const ANSWERS = 'What you can spend, how long it lasts, and where it came from.';

const TABS = [
  { id: 'statement', label: 'Statement' },
  { id: 'top-ups', label: 'Top-ups' },
] as const;

export function CreditPage(): ReactNode {
  const { workspace: id } = route.useParams();
  const query = useQuery(workspaceQuery(id));
  const workspace = query.data;
  const hidden = useUnavailable(id, 'credit:read', 'see where credit came from');
  const settings = useQuery({ ...paymentSettingsQuery(id), enabled: hidden === null });
  if (workspace === undefined) {
    return (
      <Page title="Credit" answers={ANSWERS}>
        <Loaded query={query} room="h-10 w-48" />
      </Page>
    );
  }
  if (hidden !== null) {
    return (
      <Page title="Credit" answers={ANSWERS}>
        <CreditStanding workspace={workspace} />
        <EmptyState cause={hidden} />
      </Page>
    );
  }
  return (
    <LoadedCredit
      workspace={workspace}
      settings={settings.data}
      problem={<ProblemPanel error={settings.error} onRetry={() => void settings.refetch()} />}
    />
  );
}

interface LoadedCreditProps {
  readonly workspace: WorkspaceJson;
  readonly settings: PaymentSettingsJson | undefined;
  readonly problem: ReactNode;
}

/** The search parameters that open a form or a sheet. */
const CLOSED = {
  add: undefined,
  amount: undefined,
  redeem: undefined,
  post: undefined,
  auto: undefined,
  top_up: undefined,
  result: undefined,
};

function LoadedCredit({ workspace, settings, problem }: LoadedCreditProps): ReactNode {
  const { id } = workspace;
  const { tab, top_up: topUp, result } = route.useSearch();
  const navigate = route.useNavigate();
  const open = (form: 'add' | 'redeem' | 'post' | 'auto') => () =>
    void navigate({ search: (former) => ({ ...former, ...CLOSED, [form]: 'true' }) });
  const close = () => void navigate({ search: (former) => ({ ...former, ...CLOSED }), replace: true });
  const add = <AddButton workspace={workspace} onOpen={open('add')} />;
  const takesPayments = settings !== undefined && settings.provider !== null;
  return (
    <Page
      title="Credit"
      answers={ANSWERS}
      actions={
        <Actions workspace={workspace} onPost={open('post')} onRedeem={open('redeem')} add={takesPayments && add} />
      }
    >
      {topUp !== undefined && result !== undefined && (
        <TopUpResult workspace={workspace} topUp={topUp} wasLeft={result === 'cancel'} again={add} onDismiss={close} />
      )}
      <PromptKept key={id} workspace={id} />
      {takesPayments && <AutoTopUpStopped workspace={id} settings={settings} onChange={open('auto')} />}
      <CreditStanding workspace={workspace} />
      <LimitedCredit workspace={id} />
      {problem}
      {takesPayments && <AutoTopUp workspace={id} settings={settings} onChange={open('auto')} />}
      {takesPayments && settings.has_tax && (
        <p className="mt-2 text-control text-text-2">
          Payments have tax, which is computed on their page: automatic top-ups charge nothing.
        </p>
      )}
      {settings?.provider === null && <NoPayments workspace={workspace} />}
      <section aria-label="History" className="mt-8">
        <Tabs
          label="History"
          tabs={TABS}
          selected={tab ?? 'statement'}
          onSelect={(next) =>
            void navigate({ search: (former) => ({ ...former, tab: next === 'top-ups' ? next : undefined }) })
          }
        >
          {tab === 'top-ups' ? <TopUps workspace={id} /> : <Statement workspace={workspace} />}
        </Tabs>
      </section>
      <OpenForm workspace={workspace} settings={settings} onClose={close} />
    </Page>
  );
}

interface ActionsProps {
  readonly workspace: WorkspaceJson;
  readonly onPost: () => void;
  readonly onRedeem: () => void;
  readonly add: ReactNode;
}

function Actions({ workspace, onPost, onRedeem, add }: ActionsProps): ReactNode {
  const { user } = useMe();
  const movedAway = useMovedAway(workspace.id);
  const notRedeeming = useUnavailable(workspace.id, 'payments:write', 'redeem codes');
  return (
    <>
      {user.is_operator && (
        <Button onClick={onPost} unavailable={movedAway}>
          Post credit
        </Button>
      )}
      <Button onClick={onRedeem} unavailable={notRedeeming ?? whyClosed(workspace)}>
        Redeem code
      </Button>
      {add}
    </>
  );
}

interface AddButtonProps {
  readonly workspace: WorkspaceJson;
  readonly onOpen: () => void;
}

function AddButton({ workspace, onOpen }: AddButtonProps): ReactNode {
  const unavailable = useUnavailable(workspace.id, 'payments:write', 'add credit');
  return (
    <Button kind="primary" onClick={onOpen} unavailable={unavailable ?? whyClosed(workspace)}>
      Add credit
    </Button>
  );
}

/** Why nothing can be added any more; null if it can. */
function whyClosed({ state }: WorkspaceJson): string | null {
  return state === 'closing' || state === 'closed' ? 'This workspace is closed for good.' : null;
}

interface OpenFormProps {
  readonly workspace: WorkspaceJson;
  readonly settings: PaymentSettingsJson | undefined;
  readonly onClose: () => void;
}

/** The form or sheet that the address names. */
function OpenForm({ workspace, settings, onClose }: OpenFormProps): ReactNode {
  const { add, amount, redeem, post, auto, top_up: topUp, result } = route.useSearch();
  const { user } = useMe();
  const mayPay = useUnavailable(workspace.id, 'payments:write', 'add credit') === null;
  const takesPayments = settings !== undefined && settings.provider !== null;
  if (topUp !== undefined && result === undefined) {
    return <TopUpSheet workspace={workspace.id} topUp={topUp} onClose={onClose} />;
  }
  if (post === 'true' && user.is_operator && workspace.moved_to === null) {
    return (
      <Suspense>
        <PostingCreate workspace={workspace} onClose={onClose} />
      </Suspense>
    );
  }
  if (!mayPay) return null;
  if (redeem === 'true') return <CodeRedeem workspace={workspace} onClose={onClose} />;
  if (!takesPayments) return null;
  if (add === 'true')
    return <TopUpCreate workspace={workspace} settings={settings} amount={amount} onClose={onClose} />;
  if (auto === 'true' && settings.has_saved_method) {
    return <AutoTopUpUpdate workspace={workspace.id} settings={settings} onClose={onClose} />;
  }
  return null;
}
