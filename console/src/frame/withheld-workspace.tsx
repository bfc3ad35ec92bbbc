import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import type { MeJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { Page } from '../components/page.tsx';
import { AuthenticatorAdd } from '../forms/authenticator.tsx';
import { SecondFactor } from '../forms/second-factor.tsx';
import { paths } from '../paths.ts';
import { keepReturnPath } from '../session/return-path.ts';
import { useMe } from '../session/access.ts';
import { buttonClass } from '../ui/button.tsx';
import { TextLink } from '../ui/text-link.tsx';

const PasskeyConfirm = lazy(async () => ({ default: (await import('../forms/passkey-use.tsx')).PasskeyConfirm }));

interface WithheldWorkspaceProps {
  readonly workspace: MeJson['workspaces'][number];
}

/** Shown instead of a workspace's pages if the session doesn't meet its conditions; leads to meeting them. */
export function WithheldWorkspace({ workspace: { id, name, withheld } }: WithheldWorkspaceProps): ReactNode {
  const { user } = useMe();
  const queries = useQueryClient();
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
