import type { ReactNode } from 'react';
import type { OperatorTokenJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { operatorTokensQuery, revokeOperatorToken } from '../api/instance.ts';
import { instanceCommand } from '../components/instance-command.ts';
import { ConfirmAction } from './confirm-action.tsx';

export function OperatorTokenRevoke({ token: { id, name } }: { readonly token: OperatorTokenJson }): ReactNode {
  return (
    <ConfirmAction
      kind="quiet"
      label="Revoke"
      aria-label={`Revoke ${name}`}
      title={`Revoke ${name}?`}
      action="Revoke token"
      typedName={name}
      command={instanceCommand.revokeToken(name)}
      send={() => revokeOperatorToken(id)}
      done={() => `Token ${name} is revoked. It is refused.`}
      reload={(queries) => queries.invalidateQueries({ queryKey: operatorTokensQuery.queryKey })}
    >
      Programs that use it are refused from now on. This cannot be undone.
    </ConfirmAction>
  );
}
