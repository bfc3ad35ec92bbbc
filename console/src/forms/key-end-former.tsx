import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback } from 'react';
import { endFormerSecret, reloadKeys } from '../api/keys.ts';
import { keyCommand } from '../components/key-command.ts';
import { Banner } from '../ui/banner.tsx';
import { Countdown } from '../ui/countdown.tsx';
import { ConfirmAction } from './confirm-action.tsx';
import type { KeyActionProps } from './key-revoke.tsx';

/** Says until when two secrets open a rotated key, and ends the former one before that. */
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
          command={keyCommand.endFormer(id)}
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
