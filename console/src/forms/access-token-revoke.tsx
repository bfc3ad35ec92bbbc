import type { ReactNode } from 'react';
import type { AccessTokenJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { accessTokensQuery, revokeAccessToken } from '../api/access-tokens.ts';
import { ConfirmAction } from './confirm-action.tsx';

export function AccessTokenRevoke({ token: { id, name } }: { readonly token: AccessTokenJson }): ReactNode {
  return (
    <ConfirmAction
      kind="quiet"
      label="Revoke"
      aria-label={`Revoke ${name}`}
      title={`Revoke ${name}?`}
      action="Revoke access token"
      send={() => revokeAccessToken(id)}
      done={() => `The access token ${name} is revoked.`}
      reload={(queries) => queries.invalidateQueries({ queryKey: accessTokensQuery.queryKey })}
    >
      Programs that use it are refused from now on. A revoked token does not come back.
    </ConfirmAction>
  );
}
