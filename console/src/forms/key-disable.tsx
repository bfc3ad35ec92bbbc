import type { ReactNode } from 'react';
import { reloadKeys, updateKey } from '../api/keys.ts';
import { keyCommand } from '../components/key-command.ts';
import { ConfirmAction } from './confirm-action.tsx';
import type { KeyActionProps } from './key-revoke.tsx';

/** Disables a key, or enables it again. */
export function KeyDisable({ apiKey, unavailable }: KeyActionProps): ReactNode {
  const { name, id, workspace_id: workspace } = apiKey;
  const disables = apiKey.disabled_at === null;
  return (
    <ConfirmAction
      action={disables ? 'Disable key' : 'Enable key'}
      unavailable={unavailable}
      title={`${disables ? 'Disable' : 'Enable'} ${name}?`}
      danger={disables}
      command={disables ? keyCommand.disable(id) : keyCommand.enable(id)}
      send={() => updateKey(apiKey, { disabled: disables })}
      done={(key) =>
        key.disabled_at === null ? `Key ${name} is enabled. It works again.` : `Key ${name} is disabled. It is refused.`
      }
      reload={(queries) => reloadKeys(queries, workspace)}
      isVersioned
    >
      {disables
        ? 'It is refused within a second. Requests that run are still served and charged. You can enable it again.'
        : 'It works again within a second, under the same limit.'}
    </ConfirmAction>
  );
}
