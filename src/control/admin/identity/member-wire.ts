import { created, createdOrRepeated, json, ok } from '../answers.ts';
import * as contract from './identity-contract.ts';
import { pageOf, pageQuery } from '../pages.ts';

const done = ok(contract.done, 'It is done.');

/** Requests and answers of the operations on members and invitations. */
export const memberWire = {
  listMembers: { query: pageQuery, responses: ok(pageOf(contract.member), 'The members.') },
  getMember: { responses: ok(contract.member, 'The member.') },
  changeMember: {
    body: json(contract.memberChange, { role: 'developer' }),
    responses: ok(contract.member, 'The changed member.'),
  },
  removeMember: { responses: done },
  createMemberResetLink: { responses: created(contract.link, 'The link, to pass on to the member.') },
  listInvitations: {
    query: pageQuery,
    responses: ok(pageOf(contract.invitation), 'The invitations, expired ones included, oldest first.'),
  },
  createInvitation: {
    body: json(contract.invitationCreation, { email: 'grace@example.com', role: 'developer' }),
    responses: createdOrRepeated(contract.createdInvitation, 'The invitation.'),
  },
  inviteColleagues: {
    body: json(contract.colleagues, {
      emails: ['grace@example.com', 'ada@example.com'],
      role: 'member',
      monthly_limit_usd: '20',
    }),
    responses: createdOrRepeated(contract.invitedColleagues, 'The invitations, in the order of the addresses.'),
  },
  revokeInvitation: { responses: done },
};
