import type * as people from '../identity/identity-contract.ts';
import { type Call, type Page, type PageQuery, path, queryOf } from './call.ts';

/** The calls about the members of a workspace and who is invited to it. Each @throws AdminRefused, AdminUnreachable */
export function memberCalls(call: Call) {
  return {
    listMembers: (workspace: string, page: PageQuery = {}) =>
      call<Page<people.MemberJson>>('GET', path`/workspaces/${workspace}/members` + queryOf(page)),
    getMember: (workspace: string, user: string) =>
      call<people.MemberJson>('GET', path`/workspaces/${workspace}/members/${user}`),
    changeMember: (workspace: string, user: string, body: people.MemberChange) =>
      call<people.MemberJson>('PATCH', path`/workspaces/${workspace}/members/${user}`, body),
    removeMember: (workspace: string, user: string) =>
      call<{ readonly done: true }>('DELETE', path`/workspaces/${workspace}/members/${user}`),
    createMemberResetLink: (workspace: string, user: string) =>
      call<people.LinkJson>('POST', path`/workspaces/${workspace}/members/${user}/reset-link`),
    listInvitations: (workspace: string, page: PageQuery = {}) =>
      call<Page<people.InvitationJson>>('GET', path`/workspaces/${workspace}/invitations` + queryOf(page)),
    createInvitation: (workspace: string, body: people.InvitationCreation) =>
      call<people.CreatedInvitationJson>('POST', path`/workspaces/${workspace}/invitations`, body),
    revokeInvitation: (workspace: string, id: string) =>
      call<{ readonly done: true }>('DELETE', path`/workspaces/${workspace}/invitations/${id}`),
  };
}
