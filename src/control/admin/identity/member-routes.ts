import { checkedUsd } from '../../../domain/money.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import type { WorkspaceScope } from '../../../domain/workspace-scope.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import { MEMBER_SETTINGS } from '../../resources/member-settings.ts';
import { RAISE_SETTINGS } from '../../resources/raise-settings.ts';
import { settingsFromBody } from '../../resources/setting-values.ts';
import { invite, listInvitations, revokeInvitation } from '../../identity/invitations.ts';
import { readMemberStandings } from '../../accounts/member-standings.ts';
import { changeMember, listMembers, type Member, removeMember, showMember } from '../../identity/members.ts';
import { makeMemberResetLink } from '../../identity/passwords.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { inviteColleagues } from './invite-colleagues.ts';
import { invitationJson, memberJson } from './identity-representations.ts';
import { pagesOf, requestedPage } from '../pages.ts';
import type { AdminApp } from '../route-access.ts';
import { serve, repeatedIf } from '../serve.ts';

/** Adds the routes of members and invitations. */
export function addMemberRoutes(app: AdminApp, deps: IdentityDependencies): void {
  const { sql } = deps;
  const withStanding = async (scope: WorkspaceScope, member: Member | Refusal) => {
    if (isRefusal(member)) return member;
    const standings = await readMemberStandings(sql, scope, [member.id]);
    return memberJson(member, standings.get(member.id));
  };
  serve(app, 'listMembers', async ({ scope, query }) => {
    const page = await listMembers(sql, scope, requestedPage(query));
    const standings = await readMemberStandings(
      sql,
      scope,
      page.items.map(({ id }) => id),
    );
    return pagesOf((member: Member) => memberJson(member, standings.get(member.id)))(page);
  });
  serve(app, 'getMember', async ({ scope, params }) => withStanding(scope, await showMember(sql, scope, params.user)));
  serve(app, 'changeMember', async ({ scope, params, body: { role, ...body }, version }) => {
    const change = { ...definedFields({ role }), ...settingsFromBody({ ...MEMBER_SETTINGS, ...RAISE_SETTINGS }, body) };
    return withStanding(scope, await changeMember(sql, scope, params.user, { version, change }));
  });
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
  serve(app, 'inviteColleagues', async ({ scope, body }) => {
    const { monthly_limit_usd: limit, key_project: keyProject = null, once = null, ...given } = body;
    const monthlyLimit = limit === undefined ? null : checkedUsd(limit);
    const invited = await inviteColleagues(deps, scope, { ...given, monthlyLimit, keyProject, once });
    if (isRefusal(invited)) return invited;
    const data = invited.colleagues.map((each) => ({ ...invitationJson(each), link: each.link, key: each.key }));
    return repeatedIf(invited.repeated, { data });
  });
  serve(app, 'revokeInvitation', async ({ scope, params }) => {
    const refused = await revokeInvitation(sql, scope, params.invitation);
    return refused === null ? { done: true as const } : refused;
  });
}
