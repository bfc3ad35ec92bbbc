import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { KeyJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { reloadKeys, updateKey } from '../api/keys.ts';
import { CommandLine } from '../components/command-line.tsx';
import { keyCommand } from '../components/key-command.ts';
import { problemFrom } from '../components/problem-panel.tsx';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

interface KeyDisableProps {
  readonly apiKey: KeyJson;
  /** Why it can't be disabled or enabled; null if it can. */
  readonly unavailable: string | null;
}

/** Disables a key, or enables it again. */
export function KeyDisable({ apiKey, unavailable }: KeyDisableProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const queries = useQueryClient();
  const { name, id, workspace_id: workspace } = apiKey;
  const disables = apiKey.disabled_at === null;
  const reload = (): Promise<void> => reloadKeys(queries, workspace);
  const { mutate, error, isPending } = useMutation({
    mutationFn: (disabled: boolean) => updateKey(apiKey, { disabled }),
    onSuccess: async (_key, disabled) => {
      setIsOpen(false);
      showToast(disabled ? `Key ${name} is disabled. It is refused.` : `Key ${name} is enabled. It works again.`);
      await reload();
    },
    // It may have been changed since it was read: confirming again changes it as it is then.
    onError: reload,
  });
  const action = disables ? 'Disable key' : 'Enable key';
  return (
    <>
      <Button onClick={() => setIsOpen(true)} unavailable={unavailable}>
        {action}
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={`${disables ? 'Disable' : 'Enable'} ${name}?`}
        action={action}
        danger={disables}
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate(disables)}
      >
        <p className="mb-4">
          {disables
            ? 'It is refused within a second. Requests that run are still served and charged. You can enable it again.'
            : 'It works again within a second, under the same limit.'}
        </p>
        <CommandLine command={disables ? keyCommand.disable(id) : keyCommand.enable(id)} />
      </ConfirmDialog>
    </>
  );
}
