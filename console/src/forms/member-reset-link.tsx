import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { MemberJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { createMemberResetLink } from '../api/members.ts';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { problemFrom } from '../components/problem-panel.tsx';
import { useUnavailable } from '../session/access.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

interface MemberResetLinkProps {
  readonly workspace: string;
  readonly member: MemberJson;
}

/** Makes a link by which a member sets a new password. */
export function MemberResetLink({ workspace, member }: MemberResetLinkProps): ReactNode {
  const { id, name, email } = member;
  const [isOpen, setIsOpen] = useState(false);
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: () => createMemberResetLink(workspace, id),
    onSuccess: () => setIsOpen(false),
  });
  return (
    <>
      <Button
        onClick={() => setIsOpen(true)}
        unavailable={useUnavailable(workspace, 'owners:write', 'make links for a new password')}
      >
        Reset password
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Reset the password of ${name}?`}
        action="Make the link"
        danger={false}
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <p>
          You get a link to pass on to {email}. Their password stays as it is until the link is used; then all their
          sessions end.
        </p>
      </ConfirmDialog>
      {data !== undefined && (
        <SecretDialog
          title={`Link for ${name}`}
          description={`Anyone who opens it sets the password of ${email}. It works once, for two hours, and is not shown again.`}
          what="link for a new password"
          secret={data.link}
          onSaved={reset}
        />
      )}
    </>
  );
}
