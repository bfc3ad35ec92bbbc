import type { ReactNode } from 'react';
import type { AccessTokenJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { accessTokensQuery, revokeAccessToken } from '../api/access-tokens.ts';
import { RevokeButton } from './revoke-button.tsx';

export function AccessTokenRevoke({ token: { id, name } }: { readonly token: AccessTokenJson }): ReactNode {
  return (
    <RevokeButton
      what={name}
      action="Revoke access token"
      words="Programs that use it are refused from now on. A revoked token does not come back."
      done={`The access token ${name} is revoked.`}
      revoke={() => revokeAccessToken(id)}
      queryKey={accessTokensQuery.queryKey}
    />
  );
}
