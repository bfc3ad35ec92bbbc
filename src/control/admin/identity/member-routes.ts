import { z } from '@hono/zod-openapi';
import { isRefusal } from '../../../domain/refusals.ts';
import { invite, listInvitations, revokeInvitation } from '../../identity/invitations.ts';
import { changeRole, listMembers, removeMember, showMember } from '../../identity/members.ts';
import { makeMemberResetLink } from '../../identity/passwords.ts';
import { answerRefusal, created, createdOrRepeated, json, ok } from '../answers.ts';
import { id } from '../contract-fields.ts';
import * as contract from './identity-contract.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { invitationJson, memberJson } from './identity-representations.ts';
import { pageJson, pageOf, pageQuery, requestedPage } from '../pages.ts';
import { type AdminApp, expectedVersion, inWorkspace, workspaceRoute } from '../route-access.ts';

const tags = ['Members'];
const done = ok(contract.done, 'It is done.');
const ofMember = z.object({ ...inWorkspace, user: id });
const ofInvitation = z.object({ ...inWorkspace, invitation: id });

const list = workspaceRoute('members:read', {
  operationId: 'listMembers',
  method: 'get',
  path: '/members',
  tags,
  summary: 'List the members of a workspace',
  request: { params: z.object(inWorkspace), query: pageQuery },
  responses: ok(pageOf(contract.member), 'The members.'),
});

const show = workspaceRoute('members:read', {
  operationId: 'getMember',
  method: 'get',
  path: '/members/{user}',
  tags,
  summary: 'Show a member',
  request: { params: ofMember },
  responses: ok(contract.member, 'The member.'),
});

const change = workspaceRoute('members:write', {
  operationId: 'changeMember',
  refuses: ['CONFLICT'],
  isVersioned: true,
  needsRecentSignIn: true,
  method: 'patch',
  path: '/members/{user}',
  tags,
  summary: 'Give a member another role; owners are made by owners',
  request: { params: ofMember, body: json(contract.memberChange, { role: 'developer' }) },
  responses: ok(contract.member, 'The changed member.'),
});

const remove = workspaceRoute('members:write', {
  operationId: 'removeMember',
  refuses: ['CONFLICT'],
  needsRecentSignIn: true,
  method: 'delete',
  path: '/members/{user}',
  tags,
  summary: 'Remove a member and their access tokens; the last owner stays',
  request: { params: ofMember },
  responses: done,
});

const resetLink = workspaceRoute('owners:write', {
  operationId: 'createMemberResetLink',
  needsRecentSignIn: true,
  method: 'post',
  path: '/members/{user}/reset-link',
  tags,
  summary: 'Make a link by which a member sets a new password',
  request: { params: ofMember },
  responses: created(contract.link, 'The link, to pass on to the member.'),
});

const invitations = workspaceRoute('members:read', {
  operationId: 'listInvitations',
  method: 'get',
  path: '/invitations',
  tags,
  summary: 'List the invitations that nobody has accepted',
  request: { params: z.object(inWorkspace), query: pageQuery },
  responses: ok(pageOf(contract.invitation), 'The invitations, expired ones included, oldest first.'),
});

const inviteOne = workspaceRoute('members:write', {
  operationId: 'createInvitation',
  refuses: ['CONFLICT'],
  needsRecentSignIn: true,
  method: 'post',
  path: '/invitations',
  tags,
  summary: 'Invite somebody by their email address; an earlier invitation of it ends',
  request: {
    params: z.object(inWorkspace),
    body: json(contract.invitationCreation, { email: 'grace@example.com', role: 'developer' }),
  },
  responses: createdOrRepeated(contract.createdInvitation, 'The invitation.'),
});

const revoke = workspaceRoute('members:write', {
  operationId: 'revokeInvitation',
  method: 'delete',
  path: '/invitations/{invitation}',
  tags,
  summary: 'Revoke an invitation',
  request: { params: ofInvitation },
  responses: done,
});

/** Adds the routes of members and invitations. */
export function addMemberRoutes(app: AdminApp, deps: IdentityDependencies): void {
  const { sql } = deps;
  app.openapi(list, async (c) => {
    const page = await listMembers(sql, c.var.scope, requestedPage(c.req.valid('query')));
    return c.json(pageJson(page, memberJson), 200);
  });
  app.openapi(show, async (c) => {
    const member = await showMember(sql, c.var.scope, c.req.valid('param').user);
    return isRefusal(member) ? answerRefusal(c, member) : c.json(memberJson(member), 200);
  });
  app.openapi(change, async (c) => {
    const version = expectedVersion(c);
    if (isRefusal(version)) return answerRefusal(c, version);
    const { role } = c.req.valid('json');
    const member = await changeRole(sql, c.var.scope, c.req.valid('param').user, { role, version });
    return isRefusal(member) ? answerRefusal(c, member) : c.json(memberJson(member), 200);
  });
  app.openapi(remove, async (c) => {
    const refused = await removeMember(sql, c.var.scope, c.req.valid('param').user);
    return refused === null ? c.json({ done: true as const }, 200) : answerRefusal(c, refused);
  });
  app.openapi(resetLink, async (c) => {
    const link = await makeMemberResetLink(deps, c.var.scope, c.req.valid('param').user);
    return isRefusal(link) ? answerRefusal(c, link) : c.json({ link }, 201);
  });
  app.openapi(invitations, async (c) => {
    const page = await listInvitations(sql, c.var.scope, requestedPage(c.req.valid('query')));
    return c.json(pageJson(page, invitationJson), 200);
  });
  app.openapi(inviteOne, async (c) => {
    const invitation = await invite(deps, c.var.scope, c.req.valid('json'));
    if (isRefusal(invitation)) return answerRefusal(c, invitation);
    return c.json({ ...invitationJson(invitation), link: invitation.link }, invitation.repeated ? 200 : 201);
  });
  app.openapi(revoke, async (c) => {
    const refused = await revokeInvitation(sql, c.var.scope, c.req.valid('param').invitation);
    return refused === null ? c.json({ done: true as const }, 200) : answerRefusal(c, refused);
  });
}
