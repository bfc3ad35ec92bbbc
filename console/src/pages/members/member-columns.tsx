import type { ReactNode } from 'react';
import type { MemberJson } from '../../../../src/control/admin/identity/identity-contract.ts';
import { useMe } from '../../session/access.ts';
import type { Column } from '../../ui/table-types.ts';
import { StatusWord } from '../../ui/status-word.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { TwoStep } from './two-step.tsx';

export const MEMBER_COLUMNS: readonly Column<MemberJson>[] = [
  { id: 'name', header: 'Name', cell: (member) => <Name member={member} />, grow: true },
  {
    id: 'email',
    header: 'Email address',
    cell: ({ email }) => <span title={email}>{email}</span>,
    from: 'md',
    grow: true,
  },
  { id: 'role', header: 'Role', cell: ({ role }) => role },
  { id: 'seen', header: 'Last seen', cell: (member) => <LastSeen member={member} /> },
  { id: 'two-step', header: 'Two-step sign-in', cell: (member) => <TwoStep member={member} />, from: 'md' },
];

function Name({ member: { id, name } }: { readonly member: MemberJson }): ReactNode {
  const isOwn = useMe().user.id === id;
  return isOwn ? (
    <>
      {name} <Tag>you</Tag>
    </>
  ) : (
    name
  );
}

function LastSeen({ member }: { readonly member: MemberJson }): ReactNode {
  if (member.disabled_at !== null) return <StatusWord status="closed">account disabled</StatusWord>;
  return <Timestamp at={member.last_seen_at} />;
}
