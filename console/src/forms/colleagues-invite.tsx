import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { InvitedColleaguesJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { csvText } from '../../../src/domain/csv-text.ts';
import { MEMBER_COMMANDS } from '../../../src/control/operations/people-commands.ts';
import type { Role } from '../../../src/domain/roles.ts';
import { inviteColleagues, reloadInvitations } from '../api/members.ts';
import { projectChoicesQuery } from '../api/projects.ts';
import { commandWords } from '../components/command-words.ts';
import { InvitationLink } from '../components/invitation-link.tsx';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { formatNumberOf } from '../format/count.ts';
import { reloadKeys } from '../api/keys.ts';
import { Button } from '../ui/button.tsx';
import { MoneyInput } from '../ui/money-input.tsx';
import { saveCsv } from '../ui/save-csv.ts';
import { Select } from '../ui/select.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { ParamField } from './param-field.tsx';
import { ResourceForm } from './resource-form.tsx';
import { RoleChoice } from './role-choice.tsx';

const LIFETIMES = [
  { value: '1', label: 'a day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
] as const;

type Days = (typeof LIFETIMES)[number]['value'];

const NOTHING_TYPED = { typed: '', role: 'developer' as Role, days: '7' as Days, limit: '', project: '' };

/**
 * The addresses in what was typed or pasted: between commas, semicolons, spaces and lines, also as `Ada <ada@example.com>`.
 * A part of the list without any is one too, which is refused and named.
 */
function addressesIn(typed: string): readonly string[] {
  const parts = typed.split(/[,;\n]/).filter((part) => part.trim() !== '');
  return [...new Set(parts.flatMap(addressesInPart))];
}

function addressesInPart(part: string): readonly string[] {
  const found = part.split(/[\s<>]+/).filter((word) => word.includes('@'));
  return found.length === 0 ? [part.trim()] : found;
}

interface ColleaguesInviteProps {
  readonly workspace: string;
  readonly onClose: () => void;
  /** They are invited; what they have to be given was saved. */
  readonly onInvited: () => void;
}

/** Invites people by their email addresses, with a limit and a key for each if wanted. */
export function ColleaguesInvite({ workspace, onClose, onInvited }: ColleaguesInviteProps): ReactNode {
  const [entry, setEntry] = useState(NOTHING_TYPED);
  const { data: projects } = useQuery(projectChoicesQuery(workspace, null));
  const { typed, role, days, limit, project } = entry;
  const emails = addressesIn(typed);
  const given = {
    ...(limit.trim() === '' ? {} : { monthly_limit_usd: limit.trim() }),
    ...(project === '' ? {} : { key_project: project }),
  };
  return (
    <ResourceForm
      title="Invite members"
      description="Each gets a link, by which they join with an account of their own."
      onClose={onClose}
      dirty={typed !== ''}
      action={emails.length > 1 ? `Invite ${emails.length} members` : 'Invite member'}
      command={commandWords(MEMBER_COMMANDS, 'member invite-all', { workspace, emails, role, ...given })}
      // An address that is none is refused by the server, which names it.
      send={(once) =>
        inviteColleagues(workspace, {
          emails: [...emails],
          role,
          days: Number(days),
          ...given,
          once,
        })
      }
      reload={(queries) => Promise.all([reloadInvitations(workspace)(queries), reloadKeys(queries, workspace)])}
      done={({ data }) =>
        data.every(({ mailed }) => mailed)
          ? `${formatNumberOf(data.length, 'invitation')} on the way.`
          : 'They are invited already. Resend an invitation for a new link.'
      }
      onDone={onInvited}
      renderSecret={({ data }) =>
        data.some(({ link, key }) => link !== null || key !== null) ? <Invited all={data} onSaved={onInvited} /> : null
      }
    >
      <ParamField
        param="emails"
        label="Email addresses"
        help="One or more, as a list from anywhere: between commas, spaces or lines."
      >
        <TextArea
          value={typed}
          onChange={(text) => setEntry({ ...entry, typed: text })}
          required
          rows={3}
          autoComplete="off"
        />
      </ParamField>
      <RoleChoice workspace={workspace} role={role} onChange={(chosen) => setEntry({ ...entry, role: chosen })} />
      <ParamField
        param="monthly_limit_usd"
        label="Limit a month"
        help="For each, over all their keys. Empty: what the settings give those who join."
        optional
      >
        <MoneyInput
          value={limit}
          onChange={(text) => setEntry({ ...entry, limit: text })}
          mayBeEmpty
          placeholder="as in the settings"
        />
      </ParamField>
      <ParamField
        param="key_project"
        label="A key for each"
        help="It works immediately, up to the limit, and becomes theirs when they join."
      >
        <Select
          value={project}
          onChange={(chosen) => setEntry({ ...entry, project: chosen })}
          options={[
            { value: '', label: 'No keys' },
            ...(projects ?? []).map(({ id, name }) => ({ value: id, label: `In project ${name}` })),
          ]}
        />
      </ParamField>
      <ParamField param="days" label="Links work for" help="Once, and for their address alone.">
        <Select value={days} onChange={(chosen) => setEntry({ ...entry, days: chosen })} options={LIFETIMES} />
      </ParamField>
    </ResourceForm>
  );
}

interface InvitedProps {
  readonly all: InvitedColleaguesJson['data'];
  readonly onSaved: () => void;
}

/** What the invited have to be given: links and keys, which are shown once. */
function Invited({ all, onSaved }: InvitedProps): ReactNode {
  const [first] = all;
  const hasKeys = all.some(({ key }) => key !== null);
  if (typeof first?.link === 'string' && all.length === 1 && !hasKeys) {
    const { email, role, link, expires_at: expiresAt } = first;
    return <InvitationLink email={email} role={role} link={link} expiresAt={expiresAt} onSaved={onSaved} />;
  }
  const lines = [
    hasKeys ? 'email,link,key' : 'email,link',
    ...all.map(({ email, link, key }) => [csvText(email), link ?? 'mailed', ...(hasKeys ? [key ?? ''] : [])].join(',')),
  ];
  return (
    <SecretDialog
      title={`${formatNumberOf(all.length, 'member')} ${all.length === 1 ? 'is' : 'are'} invited.`}
      description={`Give each their line${hasKeys ? ': the link to join, and the key for their programs' : ''}. It is shown only this once.`}
      what="list of invitations"
      secret={lines.join('\n')}
      onSaved={onSaved}
    >
      <div>
        <Button onClick={() => saveCsv('invitations.csv', lines)}>Download CSV</Button>
      </div>
    </SecretDialog>
  );
}
