import type { ReactNode } from 'react';
import { signUp } from '../../api/sign-in.ts';
import { NewAccount } from '../../forms/new-account.tsx';
import { useLinkToken } from '../../session/link-token.ts';
import { BrokenLink } from './broken-link.tsx';
import { SessionFrame } from './session-frame.tsx';

const TITLE = 'Finish signing up';

export function SignUpPage(): ReactNode {
  const token = useLinkToken();
  if (token === null) return <BrokenLink title={TITLE} />;
  return (
    <SessionFrame title={TITLE} lead="Your email address is confirmed by this link.">
      <NewAccount
        asks={['name', 'workspace']}
        action="Create account"
        send={({ name, password, workspace }) =>
          signUp({ token, name, password, ...(workspace === '' ? {} : { workspace }) })
        }
      />
    </SessionFrame>
  );
}
