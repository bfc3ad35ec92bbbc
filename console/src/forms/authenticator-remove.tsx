import type { ReactNode } from 'react';
import { removeAuthenticator } from '../api/account.ts';
import { ConfirmAction } from './confirm-action.tsx';

/** Removes the authenticator app, after which the password alone signs in. */
export function AuthenticatorRemove(): ReactNode {
  return (
    <ConfirmAction
      action="Turn off"
      title="Turn off two-step sign-in?"
      send={removeAuthenticator}
      done={() => 'Two-step sign-in is off.'}
      reload={(queries) => queries.invalidateQueries({ queryKey: ['me'] })}
    >
      Your password alone signs you in then. The codes of the app and the recovery codes stop working.
    </ConfirmAction>
  );
}
