import type * as people from './identity-contract.ts';

// The calls of the admin API's client about the members of a workspace and who is invited to it.

type Call = <Answer>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', at: string, body?: object) => Promise<Answer>;

interface ListPage<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}

interface ListQuery {
  readonly cursor?: string;
  readonly limit?: number;
}

function at(workspace: string, list: 'members' | 'invitations', id: string | null = null, query: object = {}): string {
  const given = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const words = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
  return `/workspaces/${encodeURIComponent(workspace)}/${list}${id === null ? '' : `/${encodeURIComponent(id)}`}${words}`;
}

/** The calls, by a function that makes one. Each @throws AdminRefused, AdminUnreachable */
export function memberCalls(call: Call) {
  return {
    listMembers: (workspace: string, page: ListQuery = {}) =>
      call<ListPage<people.MemberJson>>('GET', at(workspace, 'members', null, page)),
    changeMember: (workspace: string, user: string, body: people.MemberChange) =>
      call<people.MemberJson>('PATCH', at(workspace, 'members', user), body),
    removeMember: (workspace: string, user: string) =>
      call<{ readonly done: true }>('DELETE', at(workspace, 'members', user)),
    listInvitations: (workspace: string, page: ListQuery = {}) =>
      call<ListPage<people.InvitationJson>>('GET', at(workspace, 'invitations', null, page)),
    createInvitation: (workspace: string, body: people.InvitationCreation) =>
      call<people.CreatedInvitationJson>('POST', at(workspace, 'invitations'), body),
    revokeInvitation: (workspace: string, id: string) =>
      call<{ readonly done: true }>('DELETE', at(workspace, 'invitations', id)),
  };
}
