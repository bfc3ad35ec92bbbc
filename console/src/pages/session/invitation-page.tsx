import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { InvitationOfferJson } from '../../../../src/control/admin/identity/identity-contract.ts';
import { acceptInvitation, maybeMe } from '../../api/account.ts';
import { invitationQuery, joinAsNewUser } from '../../api/sign-in.ts';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { NewAccount } from '../../forms/new-account.tsx';
import { paths } from '../../paths.ts';
import { useEnter } from '../../session/enter.ts';
import { useLinkToken } from '../../session/link-token.ts';
import { keepReturnPath } from '../../session/return-path.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { BrokenLink } from './broken-link.tsx';
import { SessionFrame } from './session-frame.tsx';

export function InvitationPage(): ReactNode {
  const token = useLinkToken();
  return token === null ? <BrokenLink title="Join a workspace" /> : <Invitation token={token} />;
}

function Invitation({ token }: { readonly token: string }): ReactNode {
  const { data: offer, error, refetch } = useQuery(invitationQuery(token));
  if (offer === undefined) {
    return (
      <SessionFrame title="Join a workspace">
        {error === null ? (
          <Skeleton className="w-48" />
        ) : (
          <div className="flex flex-col gap-4">
            <ProblemPanel error={error} onRetry={() => void refetch()} />
            <a href={paths.signIn()} className={buttonClass('primary')}>
              Sign in
            </a>
          </div>
        )}
      </SessionFrame>
    );
  }
  return (
    <SessionFrame
      title={`Join ${offer.workspace}`}
      lead={
        <>
          {offer.email} is invited as {offer.role === 'owner' || offer.role === 'admin' ? 'an' : 'a'} {offer.role}. The
          invitation expires <Timestamp at={offer.expires_at} />.
        </>
      }
    >
      {offer.has_account ? (
        <JoinWithAccount offer={offer} token={token} />
      ) : (
        <NewAccount
          asks={['name']}
          action="Create account and join"
          send={({ name, password }) => joinAsNewUser({ token, name, password })}
        />
      )}
    </SessionFrame>
  );
}

/** The address has an account, so the person has to sign in with it to join. */
function JoinWithAccount({ offer, token }: { readonly offer: InvitationOfferJson; readonly token: string }): ReactNode {
  const enter = useEnter();
  const me = useQuery({ queryKey: ['maybe-me'], queryFn: maybeMe, retry: false });
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => acceptInvitation(token),
    onSuccess: () => enter(),
  });
  const email = me.data?.user.email;
  if (me.isPending) return <Skeleton className="w-48" />;
  if (email === offer.email) {
    return (
      <div className="flex flex-col gap-4">
        <ProblemPanel error={error} />
        <Button kind="primary" busy={isPending} onClick={() => mutate()}>
          Join as {email}
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <p className="text-body">
        {email === undefined
          ? 'This address has an account. Sign in with it, and you come back here.'
          : `You are signed in as ${email}. Sign in as ${offer.email} instead, and you come back here.`}
      </p>
      <a
        href={paths.signIn()}
        className={buttonClass('primary')}
        onClick={() => keepReturnPath(`/invitation#${token}`)}
      >
        Sign in
      </a>
    </div>
  );
}
