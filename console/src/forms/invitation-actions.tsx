import type { ReactNode } from 'react';
import type { CreatedInvitationJson, InvitationJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { createInvitation, reloadInvitations, revokeInvitation } from '../api/members.ts';
import { useUnavailable } from '../session/access.ts';
import { ConfirmAction } from './confirm-action.tsx';
import { SendButton } from './send-button.tsx';
import { commandWords } from '../components/command-words.ts';
import { INVITATION_COMMANDS } from '../../../src/control/operations/people-commands.ts';

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

/** Replaces the link by a new one. */
export function InvitationResend(
  props: InvitationProps & { onSent: (sent: CreatedInvitationJson) => void },
): ReactNode {
  const { workspace, invitation, onSent } = props;
  const { email, role } = invitation;
  return (
    <SendButton
      kind="quiet"
      aria-label={`Resend the invitation of ${email}`}
      unavailable={useInvitationLock(workspace, invitation, 'resend')}
      send={() => createInvitation(workspace, { email, role })}
      reload={reloadInvitations(workspace)}
      onDone={onSent}
    >
      Resend
    </SendButton>
  );
}

/** Ends an open invitation. */
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
      command={commandWords(INVITATION_COMMANDS, 'invitation revoke', { workspace, invitation: id })}
      send={() => revokeInvitation(workspace, id)}
      done={() => `The invitation of ${email} is revoked. Its link works no more.`}
      reload={reloadInvitations(workspace)}
    >
      Its link stops working. You can invite them again.
    </ConfirmAction>
  );
}
