import type { ReactNode } from 'react';
import { resetPassword } from '../../api/sign-in.ts';
import { NewAccount } from '../../forms/new-account.tsx';
import { useLinkToken } from '../../session/link-token.ts';
import { BrokenLink } from './broken-link.tsx';
import { SessionFrame } from './session-frame.tsx';

const TITLE = 'Set a new password';

export function ResetPasswordPage(): ReactNode {
  const token = useLinkToken();
  if (token === null) return <BrokenLink title={TITLE} />;
  return (
    <SessionFrame title={TITLE} lead="All sessions of the account end.">
      <NewAccount asks={[]} action="Set the password" send={({ password }) => resetPassword({ token, password })} />
    </SessionFrame>
  );
}
