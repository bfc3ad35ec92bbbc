import type { ReactNode } from 'react';
import type { AccessTokenJson, OperatorTokenJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { accessTokensQuery, revokeAccessToken } from '../api/access-tokens.ts';
import { operatorTokensQuery, revokeOperatorToken } from '../api/instance.ts';
import { ConfirmAction } from './confirm-action.tsx';
import { commandWords } from '../components/command-words.ts';
import { TOKEN_COMMANDS } from '../../../src/control/operations/access-commands.ts';

/** Revokes an access token. */
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

/** Revokes an operator token by its typed name. */
export function OperatorTokenRevoke({ token: { id, name } }: { readonly token: OperatorTokenJson }): ReactNode {
  return (
    <ConfirmAction
      kind="quiet"
      label="Revoke"
      aria-label={`Revoke ${name}`}
      title={`Revoke ${name}?`}
      action="Revoke token"
      typedName={name}
      command={commandWords(TOKEN_COMMANDS, 'token revoke', { token: name })}
      send={() => revokeOperatorToken(id)}
      done={() => `Token ${name} is revoked. It is refused.`}
      reload={(queries) => queries.invalidateQueries({ queryKey: operatorTokensQuery.queryKey })}
    >
      Programs that use it are refused from now on. This cannot be undone.
    </ConfirmAction>
  );
}
