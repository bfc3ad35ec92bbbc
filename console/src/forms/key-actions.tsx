import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback } from 'react';
import type { KeyJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { endFormerSecret, reloadKeys, revokeKey, rotateKey, updateKey } from '../api/keys.ts';
import { KeySecret } from '../components/key-secret.tsx';
import { Banner } from '../ui/banner.tsx';
import { Countdown } from '../ui/countdown.tsx';
import { ConfirmAction } from './confirm-action.tsx';
import { SecretRotate } from './secret-rotate.tsx';
import { commandWords } from '../components/command-words.ts';
import { KEY_COMMANDS } from '../../../src/control/operations/key-commands.ts';

interface KeyActionProps {
  readonly apiKey: KeyJson;
  /** Why it can't be done; null if it can. */
  readonly unavailable: string | null;
}

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
      command={
        disables
          ? commandWords(KEY_COMMANDS, 'key disable', { key: id })
          : commandWords(KEY_COMMANDS, 'key enable', { key: id })
      }
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

/** Revokes a key by its typed name. */
export function KeyRevoke({ apiKey, unavailable }: KeyActionProps): ReactNode {
  const { name, id, workspace_id: workspace } = apiKey;
  return (
    <ConfirmAction
      action="Revoke key"
      unavailable={unavailable}
      title={`Revoke ${name}?`}
      typedName={name}
      command={commandWords(KEY_COMMANDS, 'key revoke', { key: id })}
      send={() => revokeKey(apiKey)}
      done={() => `Key ${name} is revoked. It is refused.`}
      reload={(queries) => reloadKeys(queries, workspace)}
    >
      It is refused within a second, and for good. Requests that run are still served and charged. To refuse it for a
      while, disable it instead.
    </ConfirmAction>
  );
}

/** Gives a key another secret. */
export function KeyRotate({ apiKey, unavailable }: KeyActionProps): ReactNode {
  const { workspace_id: workspace, id, name } = apiKey;
  return (
    <SecretRotate
      action="Rotate key"
      unavailable={unavailable}
      title={`Rotate ${name}?`}
      verb="works"
      hasFormer={apiKey.former_secret_until !== null}
      hoursMax={720}
      commandOf={(overlap) => commandWords(KEY_COMMANDS, 'key rotate', { key: id, overlap_hours: overlap })}
      rotate={(hours) => rotateKey(apiKey, { overlap_hours: hours })}
      reload={(queries) => reloadKeys(queries, workspace)}
      renderSecret={(rotated, note, close) => (
        <KeySecret apiKey={rotated} title={`Key ${name} has another secret`} onSaved={close}>
          {note}
        </KeySecret>
      )}
    >
      It gets another secret. Both work until the former one ends, and spend under the one limit.
    </SecretRotate>
  );
}

/** Says until when both secrets of a rotated key work, and can end the previous one earlier. */
export function KeyEndFormer({ apiKey, unavailable }: KeyActionProps): ReactNode {
  const queries = useQueryClient();
  const { name, id, workspace_id: workspace, former_secret_until: until } = apiKey;
  const reload = useCallback(() => reloadKeys(queries, workspace), [queries, workspace]);
  if (until === null) return null;
  return (
    <Banner
      tone="info"
      action={
        <ConfirmAction
          action="End former secret"
          unavailable={unavailable}
          title={`End the former secret of ${name}?`}
          command={commandWords(KEY_COMMANDS, 'key end-former', { key: id })}
          send={() => endFormerSecret(apiKey)}
          done={() => `The former secret of ${name} has ended.`}
          reload={reload}
        >
          Programs that still use it are refused within a second. The present secret goes on.
        </ConfirmAction>
      }
    >
      Two secrets open this key. The former one works for another{' '}
      <span className="font-medium">
        <Countdown until={until} onEnd={() => void reload()} />
      </span>
      .
    </Banner>
  );
}
