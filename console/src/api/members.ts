import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type {
  CreatedInvitationJson,
  InvitationCreation,
  InvitationJson,
  LinkJson,
  MemberChange,
  MemberJson,
} from '../../../src/control/admin/identity/identity-contract.ts';
import type { KeyJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { pathOf } from '../paths.ts';
import { callApi, type Page } from './client.ts';

export const membersQuery = (workspace: string) =>
  infiniteQueryOptions({
    queryKey: ['workspace', workspace, 'members'],
    queryFn: ({ signal, pageParam }) =>
      callApi<Page<MemberJson>>('GET', pathOf`/workspaces/${workspace}/members`, {
        signal,
        query: { cursor: pageParam },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

export const memberQuery = (workspace: string, user: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'members', user],
    queryFn: ({ signal }) => callApi<MemberJson>('GET', pathOf`/workspaces/${workspace}/members/${user}`, { signal }),
  });

export const invitationsQuery = (workspace: string) =>
  infiniteQueryOptions({
    queryKey: ['workspace', workspace, 'invitations'],
    queryFn: ({ signal, pageParam }) =>
      callApi<Page<InvitationJson>>('GET', pathOf`/workspaces/${workspace}/invitations`, {
        signal,
        query: { cursor: pageParam },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

/** The first of the keys that a member has created and that work. */
export const keysOfMemberQuery = (workspace: string, user: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'keys', { createdBy: user }],
    queryFn: ({ signal }) =>
      callApi<Page<KeyJson>>('GET', pathOf`/workspaces/${workspace}/keys`, {
        signal,
        query: { created_by: user, state: 'active', limit: 100 },
      }),
  });

export const changeMember = (workspace: string, { id, version }: MemberJson, body: MemberChange) =>
  callApi<MemberJson>('PATCH', pathOf`/workspaces/${workspace}/members/${id}`, { body, version });

export const removeMember = (workspace: string, user: string) =>
  callApi<{ done: true }>('DELETE', pathOf`/workspaces/${workspace}/members/${user}`);

export const createMemberResetLink = (workspace: string, user: string) =>
  callApi<LinkJson>('POST', pathOf`/workspaces/${workspace}/members/${user}/reset-link`);

/** Invites an address. An earlier invitation of it ends, so that the same call sends one again. */
export const createInvitation = (workspace: string, body: InvitationCreation) =>
  callApi<CreatedInvitationJson>('POST', pathOf`/workspaces/${workspace}/invitations`, { body });

export const revokeInvitation = (workspace: string, invitation: string) =>
  callApi<{ done: true }>('DELETE', pathOf`/workspaces/${workspace}/invitations/${invitation}`);
