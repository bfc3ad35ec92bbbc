import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type {
  CreatedInvitationJson,
  InvitationCreation,
} from '../../../src/control/admin/identity/identity-contract.ts';
import type { Role } from '../../../src/domain/roles.ts';
import { problemOf } from '../api/api-error.ts';
import { createInvitation } from '../api/members.ts';
import { useOnce } from '../api/once.ts';
import { CommandLine } from '../components/command-line.tsx';
import { memberCommand } from '../components/member-command.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { RoleChoice } from './role-choice.tsx';
import { FormFrame } from './form-frame.tsx';

interface InvitationCreateProps {
  readonly workspace: string;
  readonly onClose: () => void;
  readonly onCreated: (invitation: CreatedInvitationJson) => void;
}

const LIFETIMES = [
  { value: '1', label: 'a day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
] as const;

type Days = (typeof LIFETIMES)[number]['value'];

const NOTHING_TYPED = { email: '', role: 'developer' as Role, days: '7' as Days };

/** Invites somebody by their address. */
export function InvitationCreate({ workspace, onClose, onCreated }: InvitationCreateProps): ReactNode {
  const once = useOnce();
  const queries = useQueryClient();
  const [entry, setEntry] = useState(NOTHING_TYPED);
  const { email, role, days } = entry;
  const { mutate, error, isPending } = useMutation({
    mutationFn: (body: InvitationCreation) => createInvitation(workspace, body),
    onSuccess: async (invitation) => {
      await queries.invalidateQueries({ queryKey: ['workspace', workspace, 'invitations'] });
      onCreated(invitation);
    },
  });
  return (
    <FormFrame
      frame={Sheet}
      title="Invite member"
      description="They get a link, by which they join with an account of their own."
      onClose={onClose}
      dirty={email !== ''}
      action="Invite member"
      busy={isPending}
      onSubmit={() => mutate({ email: email.trim(), role, days: Number(days), once })}
    >
      <Field label="Email address" error={problemOf(error, 'email')}>
        <TextInput
          type="email"
          value={email}
          onChange={(text) => setEntry({ ...entry, email: text })}
          required
          autoComplete="off"
        />
      </Field>
      <RoleChoice workspace={workspace} role={role} onChange={(chosen) => setEntry({ ...entry, role: chosen })} />
      <Field label="Link works for" help="Once, and for this address alone." error={problemOf(error, 'days')}>
        <Select value={days} onChange={(chosen) => setEntry({ ...entry, days: chosen })} options={LIFETIMES} />
      </Field>
      <ProblemPanel error={error} except={['email', 'days']} />
      <CommandLine command={memberCommand.invite(workspace, email.trim(), role)} />
    </FormFrame>
  );
}
