import { isRefusal } from '../../../domain/refusals.ts';
import { invite, listInvitations, revokeInvitation } from '../../identity/invitations.ts';
import { changeRole, listMembers, removeMember, showMember } from '../../identity/members.ts';
import { makeMemberResetLink } from '../../identity/passwords.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { invitationJson, memberJson } from './identity-representations.ts';
import { pagesOf, requestedPage } from '../pages.ts';
import type { AdminApp } from '../route-access.ts';
import { serve, repeatedIf } from '../serve.ts';

/** Adds the routes of members and invitations. */
export function addMemberRoutes(app: AdminApp, deps: IdentityDependencies): void {
  const { sql } = deps;
  serve(app, 'listMembers', pagesOf(memberJson), ({ scope, query }) => listMembers(sql, scope, requestedPage(query)));
  serve(app, 'getMember', memberJson, ({ scope, params }) => showMember(sql, scope, params.user));
  serve(app, 'changeMember', memberJson, ({ scope, params, body: { role }, version }) =>
    changeRole(sql, scope, params.user, { role, version }),
  );
  serve(app, 'removeMember', async ({ scope, params }) => {
    const refused = await removeMember(sql, scope, params.user);
    return refused === null ? { done: true as const } : refused;
  });
  serve(app, 'createMemberResetLink', async ({ scope, params }) => {
    const link = await makeMemberResetLink(deps, scope, params.user);
    return isRefusal(link) ? link : { link };
  });
  serve(app, 'listInvitations', pagesOf(invitationJson), ({ scope, query }) =>
    listInvitations(sql, scope, requestedPage(query)),
  );
  serve(app, 'createInvitation', async ({ scope, body }) => {
    const invitation = await invite(deps, scope, body);
    if (isRefusal(invitation)) return invitation;
    return repeatedIf(invitation.repeated, { ...invitationJson(invitation), link: invitation.link });
  });
  serve(app, 'revokeInvitation', async ({ scope, params }) => {
    const refused = await revokeInvitation(sql, scope, params.invitation);
    return refused === null ? { done: true as const } : refused;
  });
}
