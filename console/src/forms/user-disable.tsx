import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ListedUserJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { changeUser } from '../api/users.ts';
import { CommandLine } from '../components/command-line.tsx';
import { instanceCommand } from '../components/instance-command.ts';
import { problemFrom } from '../components/problem-panel.tsx';
import { useMe } from '../session/access.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

/** Lets nobody sign in as a user any more, or again. */
export function UserDisable({
  user: { id, email, disabled_at: disabledAt },
}: {
  readonly user: ListedUserJson;
}): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const queries = useQueryClient();
  const isOwn = useMe().user.id === id;
  const disables = disabledAt === null;
  const verb = disables ? 'Disable' : 'Enable';
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => changeUser(id, { disabled: disables }),
    onSuccess: async () => {
      setIsOpen(false);
      showToast(disables ? `${email} is disabled and signed out.` : `${email} may sign in again.`);
      await queries.invalidateQueries({ queryKey: ['operator', 'users'] });
    },
  });
  return (
    <>
      <Button
        kind="quiet"
        aria-label={`${verb} ${email}`}
        onClick={() => setIsOpen(true)}
        unavailable={isOwn ? 'You would lock yourself out. Another operator can do this.' : null}
      >
        {verb}
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={`${verb} ${email}?`}
        action={`${verb} user`}
        danger={disables}
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <p className="mb-4 whitespace-normal">
          {disables
            ? 'Their sessions end and nobody can sign in as them. Keys that they made keep working.'
            : 'They can sign in again, with the roles that they have.'}
        </p>
        <CommandLine command={instanceCommand.disableUser(email, disables)} />
      </ConfirmDialog>
    </>
  );
}
