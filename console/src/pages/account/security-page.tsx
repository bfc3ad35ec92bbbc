import type { ReactNode } from 'react';
import { AccountPage } from '../../components/account-page.tsx';
import { AuthenticatorAdd, AuthenticatorRemove, RecoveryCodesReplace } from '../../forms/authenticator.tsx';
import { PasswordSet } from '../../forms/own-account.tsx';
import { Passkeys } from '../../forms/passkeys.tsx';
import { paths } from '../../paths.ts';
import { useMe } from '../../session/access.ts';
import { Section } from '../../ui/section.tsx';
import { StatusWord } from '../../ui/status-word.tsx';

export function SecurityPage(): ReactNode {
  const { user } = useMe();
  return (
    <AccountPage title="Security" answers="What you sign in with." current={paths.security()}>
      <Section
        title="Password"
        lead={
          user.has_password
            ? 'All your other sessions end when you change it.'
            : 'You sign in at your provider. With a password you can sign in without it.'
        }
      >
        <PasswordSet />
      </Section>
      <Section title="Two-step sign-in" lead="A code from an app on your phone, in addition to the password.">
        <div className="flex flex-col items-start gap-4">
          <StatusWord status={user.has_authenticator ? 'open' : 'off'}>
            {user.has_authenticator ? 'on' : 'off'}
          </StatusWord>
          {user.has_authenticator ? (
            <div className="flex flex-wrap gap-2">
              <RecoveryCodesReplace />
              <AuthenticatorRemove />
            </div>
          ) : (
            <AuthenticatorAdd />
          )}
        </div>
      </Section>
      <Section
        title="Passkeys"
        lead="A device or a security key signs you in by its lock: a finger, a face or a PIN. It counts as both steps."
      >
        <Passkeys />
      </Section>
    </AccountPage>
  );
}
