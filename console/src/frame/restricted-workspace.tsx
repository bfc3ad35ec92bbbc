import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import type { WorkspaceJson } from '../../../src/control/admin/accounts/account-contract.ts';
import type { MeJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { Page } from '../components/page.tsx';
import { AuthenticatorAdd } from '../forms/authenticator.tsx';
import { SecondFactor } from '../forms/second-factor.tsx';
import { paths } from '../paths.ts';
import { keepReturnPath } from '../session/return-path.ts';
import { useMe } from '../session/access.ts';
import { Banner } from '../ui/banner.tsx';
import { buttonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { TextLink } from '../ui/text-link.tsx';

const PasskeyConfirm = lazy(async () => ({ default: (await import('../forms/passkey-use.tsx')).PasskeyConfirm }));

interface WorkspaceBannerProps {
  /** "gone": it was closed, or is not the user's. */
  readonly state: WorkspaceJson['state'] | 'gone';
  /** What is known of it: where it lives, by whom and why it is suspended. */
  readonly workspace:
    | Pick<WorkspaceJson, 'id' | 'moved_to' | 'moved_to_url' | 'suspended_by' | 'suspension_reason'>
    | undefined;
}

/** Where the workspace lives, or why its keys are refused. */
export function WorkspaceBanner({ state, workspace }: WorkspaceBannerProps): ReactNode {
  if (state === 'gone') {
    return (
      <Banner
        tone="warn"
        action={
          <a href={paths.workspaces()} className={buttonClass()}>
            Go to your workspaces
          </a>
        }
      >
        <b className="font-medium">This workspace was closed</b>, or you are not a member of it. If it was closed, its
        keys are refused, and what was paid and not spent was refunded.
      </Banner>
    );
  }
  const movedTo = workspace?.moved_to ?? null;
  if (workspace !== undefined && movedTo !== null) {
    const { id, moved_to_url: url } = workspace;
    return (
      <Banner
        tone="warn"
        action={
          url !== null && (
            <a href={url + paths.home(id)} className={buttonClass()}>
              Go to cell {movedTo}
            </a>
          )
        }
      >
        <b className="font-medium">This workspace lives in cell {movedTo}.</b> Here you see what it had and did before
        it moved. It is changed there.
      </Banner>
    );
  }
  if (state === 'suspended') {
    return (
      <Banner tone="danger">
        <b className="font-medium">This workspace is suspended</b>
        {workspace !== undefined && `: ${workspace.suspension_reason}`}. Requests with its keys are refused until{' '}
        {workspace?.suspended_by === 'owner' ? 'an owner' : 'the operator of this instance'} resumes it. You can still
        read everything, and your credit stays.
      </Banner>
    );
  }
  return (
    <Banner tone="warn">
      <b className="font-medium">This workspace is closed for good.</b> Its keys are refused. Once its last requests are
      charged, what is left of its credit is taken out and its pages go.
    </Banner>
  );
}

interface RestrictedWorkspaceProps {
  /** The workspace, if the user's role in it does not count in this session. */
  readonly withheld: MeJson['workspaces'][number] | undefined;
}

/** Shown instead of a page of a workspace that the user does not see. */
export function RestrictedWorkspace({ withheld }: RestrictedWorkspaceProps): ReactNode {
  return withheld === undefined ? <BeyondOwn /> : <WithheldWorkspace workspace={withheld} />;
}

/** On the page the user has nothing of their own. */
function BeyondOwn(): ReactNode {
  return (
    <Page title="Not for your role" answers="Your role here shows what is your own.">
      <EmptyState
        cause="This page shows more than what is your own."
        detail="You see your own keys, usage and requests. An owner or an admin of the workspace can give you another role."
      />
    </Page>
  );
}

interface WithheldWorkspaceProps {
  readonly workspace: MeJson['workspaces'][number];
}

/** The session doesn't meet the workspace's conditions: leads to meeting them. */
function WithheldWorkspace({ workspace }: WithheldWorkspaceProps): ReactNode {
  const { id, name, withheld, moved_to: movedTo, moved_to_url: url } = workspace;
  const { user } = useMe();
  const queries = useQueryClient();
  if (movedTo !== null) {
    return (
      <Page title="In another cell" answers={`${name} lives in cell ${movedTo}.`}>
        <p className="mb-4 max-w-prose text-body">
          Its keys work as before. Its pages are in that cell: sign in there with this email address.
        </p>
        {url !== null && (
          <a href={url + paths.home(id)} className={`${buttonClass('primary')} self-start`}>
            Go to cell {movedTo}
          </a>
        )}
      </Page>
    );
  }
  if (withheld === 'company_sign_in') {
    return (
      <Page
        title="Sign in at your company"
        answers={`${name} takes people of your company from its own provider alone.`}
      >
        <a
          href={`/admin/v1/openid/begin?workspace=${id}`}
          className={`${buttonClass('primary')} self-start`}
          onClick={() => keepReturnPath(location.pathname + location.search)}
        >
          Go to your company’s sign-in
        </a>
      </Page>
    );
  }
  if (withheld === 'network') {
    return (
      <Page title="Not from here" answers={`${name} is not used from your network.`}>
        <p className="max-w-prose text-body">
          Connect from the network of your company, or ask an owner of the workspace to add your address.
        </p>
      </Page>
    );
  }
  return (
    <Page title="Second step" answers={`${name} asks its members for a second factor.`}>
      {user.has_passkey && (
        <Suspense fallback={null}>
          <PasskeyConfirm onUsed={() => queries.invalidateQueries()} />
        </Suspense>
      )}
      {user.has_authenticator && <SecondFactor />}
      {!user.has_authenticator && !user.has_passkey && (
        <div className="flex max-w-prose flex-col items-start gap-4 text-body">
          <p>
            Set up an app on your phone that shows a code every half minute. From then on you enter such a code when you
            sign in. It takes a minute, and you come to {name} right after it. Or add a passkey on the page{' '}
            <TextLink href={paths.security()}>Security</TextLink>.
          </p>
          <AuthenticatorAdd />
        </div>
      )}
    </Page>
  );
}
