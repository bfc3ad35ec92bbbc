import type { ReactNode } from 'react';
import type { OperatorTokenJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { operatorTokensQuery, revokeOperatorToken } from '../api/instance.ts';
import { instanceCommand } from '../components/instance-command.ts';
import { RevokeButton } from './revoke-button.tsx';

export function OperatorTokenRevoke({ token: { id, name } }: { readonly token: OperatorTokenJson }): ReactNode {
  return (
    <RevokeButton
      what={name}
      action="Revoke token"
      words="Programs that use it are refused from now on. This cannot be undone."
      done={`Token ${name} is revoked. It is refused.`}
      typedName={name}
      command={instanceCommand.revokeToken(name)}
      revoke={() => revokeOperatorToken(id)}
      queryKey={operatorTokensQuery.queryKey}
    />
  );
}
