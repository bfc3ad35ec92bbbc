import { type Change, changedFields, type Connect, type SectionPlan, silently } from './change.ts';
import type { CurrentWorkspace, Member } from './current.ts';
import type { DeclaredMember } from './read-file.ts';

/** Members are found by their addresses. Who is none yet is invited; an invitation for the same role is enough. */
export function planMembers(
  { reference, members, invitations }: CurrentWorkspace,
  declared: readonly DeclaredMember[],
): SectionPlan {
  const roles = new Map(declared.map(({ email, role }) => [email.toLowerCase(), role]));
  // The last owner stays one until another is made an owner.
  const ownersFirst = [...roles].toSorted(([, one], [, other]) => Number(other === 'owner') - Number(one === 'owner'));
  const invited = new Map(invitations.map((each) => [each.email, each]));
  const changes = ownersFirst.flatMap(([email, role]): readonly Change[] => {
    const member = members.find((each) => each.email === email);
    if (member !== undefined) return changed(reference, member, role);
    const fields = changedFields({ role: invited.get(email)?.role }, { role });
    if (fields.length === 0) return [];
    const make: Change['make'] = async (connect) => {
      const { link } = await connect().createInvitation(reference, { email, role });
      return link === null ? `${email} was sent an invitation.` : `${email} is invited by this link: ${link}`;
    };
    return [{ kind: 'member', name: email, change: 'invite', fields, make }];
  });
  const revocations = invitations.map(({ id, email }) =>
    removal(email, (connect) => connect().revokeInvitation(reference, id)),
  );
  const removals = members.map(({ id, email }) => removal(email, (connect) => connect().removeMember(reference, id)));
  return { changes, removals: [...revocations, ...removals].filter(({ name }) => !roles.has(name)) };
}

function changed(workspace: string, member: Member, role: DeclaredMember['role']): readonly Change[] {
  const { id, email, version } = member;
  const fields = changedFields({ role: member.role }, { role });
  const make = silently((connect) => connect(version).changeMember(workspace, id, { role }));
  return fields.length === 0 ? [] : [{ kind: 'member', name: email, change: 'update', fields, make }];
}

function removal(email: string, remove: (connect: Connect) => Promise<unknown>): Change {
  return { kind: 'member', name: email, change: 'remove', fields: [], make: silently(remove) };
}
