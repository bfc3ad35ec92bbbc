import type { QueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { CreatedInvitationJson, InvitationJson } from '../../../src/control/admin/identity/identity-contract.ts';
import type { Role } from '../../../src/domain/roles.ts';
import { createInvitation, revokeInvitation } from '../api/members.ts';
import { useUnavailable } from '../session/access.ts';
import { Select } from '../ui/select.tsx';
import { ConfirmAction } from './confirm-action.tsx';
import { ParamField } from './param-field.tsx';
import { ResourceForm } from './resource-form.tsx';
import { RoleChoice } from './role-choice.tsx';
import { SendButton } from './send-button.tsx';
import { TextField } from './text-field.tsx';
import { commandWords } from '../components/command-words.ts';
import { INVITATION_COMMANDS, MEMBER_COMMANDS } from '../../../src/control/operations/people-commands.ts';

interface InvitationCreateProps {
  readonly workspace: string;
  readonly onClose: () => void;
  readonly onCreated: (invitation: CreatedInvitationJson) => void;
}

const reloadInvitations = (workspace: string) => (queries: QueryClient) =>
  queries.invalidateQueries({ queryKey: ['workspace', workspace, 'invitations'] });

const LIFETIMES = [
  { value: '1', label: 'a day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
] as const;

type Days = (typeof LIFETIMES)[number]['value'];

const NOTHING_TYPED = { email: '', role: 'developer' as Role, days: '7' as Days };

/** Invites a person by email address. */
export function InvitationCreate({ workspace, onClose, onCreated }: InvitationCreateProps): ReactNode {
  const [entry, setEntry] = useState(NOTHING_TYPED);
  const { email, role, days } = entry;
  return (
    <ResourceForm
      title="Invite member"
      description="They get a link, by which they join with an account of their own."
      onClose={onClose}
      dirty={email !== ''}
      action="Invite member"
      command={commandWords(MEMBER_COMMANDS, 'member invite', { workspace, email: email.trim(), role })}
      send={(once) => createInvitation(workspace, { email: email.trim(), role, days: Number(days), once })}
      reload={reloadInvitations(workspace)}
      onDone={onCreated}
    >
      <TextField
        param="email"
        label="Email address"
        type="email"
        value={email}
        onChange={(text) => setEntry({ ...entry, email: text })}
      />
      <RoleChoice workspace={workspace} role={role} onChange={(chosen) => setEntry({ ...entry, role: chosen })} />
      <ParamField param="days" label="Link works for" help="Once, and for this address alone.">
        <Select value={days} onChange={(chosen) => setEntry({ ...entry, days: chosen })} options={LIFETIMES} />
      </ParamField>
    </ResourceForm>
  );
}

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
