import type { ReactNode } from 'react';
import { setUp } from '../../api/sign-in.ts';
import { NewAccount } from '../../forms/new-account.tsx';
import { useLinkToken } from '../../session/link-token.ts';
import { BrokenLink } from './broken-link.tsx';
import { SessionFrame } from './session-frame.tsx';

const TITLE = 'Set up this instance';

export function SetUpPage(): ReactNode {
  const token = useLinkToken();
  if (token === null) return <BrokenLink title={TITLE} />;
  return (
    <SessionFrame
      title={TITLE}
      lead="Create the account of the owner, who operates the instance too. The first workspace becomes yours."
    >
      <NewAccount
        asks={['email', 'name']}
        action="Create account"
        send={({ email, name, password }) => setUp({ token, email, name, password })}
      />
    </SessionFrame>
  );
}
