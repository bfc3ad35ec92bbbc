import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ListedUserJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { signUserOut } from '../api/users.ts';
import { CommandLine } from '../components/command-line.tsx';
import { instanceCommand } from '../components/instance-command.ts';
import { problemFrom } from '../components/problem-panel.tsx';
import { formatNumberOf } from '../format/count.ts';
import { useMe } from '../session/access.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

/** Ends all sessions of a user. */
export function UserSignOut({ user: { id, email, sessions } }: { readonly user: ListedUserJson }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const queries = useQueryClient();
  const isOwn = useMe().user.id === id;
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => signUserOut(id),
    onSuccess: async ({ ended }) => {
      setIsOpen(false);
      showToast(`${formatNumberOf(ended, 'session')} of ${email} ended.`);
      await queries.invalidateQueries({ queryKey: ['operator', 'users'] });
    },
  });
  const whyNot = sessions === 0 ? 'They are signed in nowhere.' : null;
  return (
    <>
      <Button
        kind="quiet"
        aria-label={`Sign out ${email}`}
        onClick={() => setIsOpen(true)}
        unavailable={isOwn ? 'Sign yourself out in your account.' : whyNot}
      >
        Sign out
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Sign out ${email}?`}
        action="Sign out"
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <p className="mb-4 whitespace-normal">
          {formatNumberOf(sessions, 'session')} of theirs {sessions === 1 ? 'ends' : 'end'} now. They can sign in again.
        </p>
        <CommandLine command={instanceCommand.signOut(email)} />
      </ConfirmDialog>
    </>
  );
}
