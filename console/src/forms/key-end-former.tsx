import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import type { KeyJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { endFormerSecret, reloadKeys } from '../api/keys.ts';
import { CommandLine } from '../components/command-line.tsx';
import { keyCommand } from '../components/key-command.ts';
import { problemFrom } from '../components/problem-panel.tsx';
import { showToast } from '../ui/announcements.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Countdown } from '../ui/countdown.tsx';

interface KeyEndFormerProps {
  readonly apiKey: KeyJson;
  /** Why the former secret can't be ended; null if it can. */
  readonly unavailable: string | null;
}

/** Says until when two secrets open a rotated key, and ends the former one before that. */
export function KeyEndFormer({ apiKey, unavailable }: KeyEndFormerProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const queries = useQueryClient();
  const { name, id, workspace_id: workspace, former_secret_until: until } = apiKey;
  const reload = useCallback(() => reloadKeys(queries, workspace), [queries, workspace]);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => endFormerSecret(apiKey),
    onSuccess: async () => {
      setIsOpen(false);
      showToast(`The former secret of ${name} has ended.`);
      await reload();
    },
  });
  if (until === null) return null;
  return (
    <>
      <Banner
        tone="info"
        action={
          <Button onClick={() => setIsOpen(true)} unavailable={unavailable}>
            End former secret
          </Button>
        }
      >
        Two secrets open this key. The former one works for another{' '}
        <span className="font-medium">
          <Countdown until={until} onEnd={() => void reload()} />
        </span>
        .
      </Banner>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={`End the former secret of ${name}?`}
        action="End former secret"
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <p className="mb-4">Programs that still use it are refused within a second. The present secret goes on.</p>
        <CommandLine command={keyCommand.endFormer(id)} />
      </ConfirmDialog>
    </>
  );
}
