import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CreatedInvitationJson, InvitationJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { createInvitation, revokeInvitation } from '../api/members.ts';
import { memberCommand } from '../components/member-command.ts';
import { useUnavailable } from '../session/access.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmAction } from './confirm-action.tsx';

interface InvitationProps {
  readonly workspace: string;
  readonly invitation: InvitationJson;
}

/** Why the invitation can't be touched: those of owners are for owners. */
function useInvitationLock(workspace: string, { role }: InvitationJson, verb: string): string | null {
  const members = useUnavailable(workspace, 'members:write', `${verb} invitations`);
  const owners = useUnavailable(workspace, 'owners:write', `${verb} the invitation of an owner`);
  return members ?? (role === 'owner' ? owners : null);
}

/** Makes a new link in place of the former one. */
export function InvitationResend(
  props: InvitationProps & { onSent: (sent: CreatedInvitationJson) => void },
): ReactNode {
  const { workspace, invitation, onSent } = props;
  const { email, role } = invitation;
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => createInvitation(workspace, { email, role }),
    onSuccess: async (sent) => {
      await queries.invalidateQueries({ queryKey: ['workspace', workspace, 'invitations'] });
      onSent(sent);
    },
    onError: (error) => showToast(error.message, 'failed'),
  });
  return (
    <Button
      kind="quiet"
      busy={isPending}
      onClick={() => mutate()}
      aria-label={`Resend the invitation of ${email}`}
      unavailable={useInvitationLock(workspace, invitation, 'resend')}
    >
      Resend
    </Button>
  );
}

/** Ends an invitation that nobody has accepted. */
export function InvitationRevoke({ workspace, invitation }: InvitationProps): ReactNode {
  const { id, email } = invitation;
  return (
    <ConfirmAction
      kind="quiet"
      label="Revoke"
      aria-label={`Revoke the invitation of ${email}`}
      unavailable={useInvitationLock(workspace, invitation, 'revoke')}
      title={`Revoke the invitation of ${email}?`}
      action="Revoke invitation"
      command={memberCommand.revoke(workspace, id)}
      send={() => revokeInvitation(workspace, id)}
      done={() => `The invitation of ${email} is revoked. Its link works no more.`}
      reload={(queries) => queries.invalidateQueries({ queryKey: ['workspace', workspace, 'invitations'] })}
    >
      Its link stops working. You can invite them again.
    </ConfirmAction>
  );
}
