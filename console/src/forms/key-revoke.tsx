import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { KeyJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { reloadKeys, revokeKey } from '../api/keys.ts';
import { CommandLine } from '../components/command-line.tsx';
import { keyCommand } from '../components/key-command.ts';
import { problemFrom } from '../components/problem-panel.tsx';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

interface KeyRevokeProps {
  readonly apiKey: KeyJson;
  /** Why it can't be revoked; null if it can. */
  readonly unavailable: string | null;
}

/** Revokes a key by its typed name. */
export function KeyRevoke({ apiKey, unavailable }: KeyRevokeProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const queries = useQueryClient();
  const { name, id, workspace_id: workspace } = apiKey;
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => revokeKey(apiKey),
    onSuccess: async () => {
      setIsOpen(false);
      showToast(`Key ${name} is revoked. It is refused.`);
      await reloadKeys(queries, workspace);
    },
  });
  return (
    <>
      <Button onClick={() => setIsOpen(true)} unavailable={unavailable}>
        Revoke key
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Revoke ${name}?`}
        action="Revoke key"
        typedName={name}
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <p className="mb-4">
          It is refused within a second, and for good. Requests that run are still served and charged. To refuse it for
          a while, disable it instead.
        </p>
        <CommandLine command={keyCommand.revoke(id)} />
      </ConfirmDialog>
    </>
  );
}
