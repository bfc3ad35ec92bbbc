import type { ReactNode } from 'react';
import type { KeyJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { reloadKeys, revokeKey } from '../api/keys.ts';
import { keyCommand } from '../components/key-command.ts';
import { ConfirmAction } from './confirm-action.tsx';

export interface KeyActionProps {
  readonly apiKey: KeyJson;
  /** Why it can't be done; null if it can. */
  readonly unavailable: string | null;
}

/** Revokes a key by its typed name. */
export function KeyRevoke({ apiKey, unavailable }: KeyActionProps): ReactNode {
  const { name, id, workspace_id: workspace } = apiKey;
  return (
    <ConfirmAction
      action="Revoke key"
      unavailable={unavailable}
      title={`Revoke ${name}?`}
      typedName={name}
      command={keyCommand.revoke(id)}
      send={() => revokeKey(apiKey)}
      done={() => `Key ${name} is revoked. It is refused.`}
      reload={(queries) => reloadKeys(queries, workspace)}
    >
      It is refused within a second, and for good. Requests that run are still served and charged. To refuse it for a
      while, disable it instead.
    </ConfirmAction>
  );
}
