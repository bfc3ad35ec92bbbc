import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type {
  Colleagues,
  InvitationCreation,
  MemberChange,
  MemberJson,
} from '../../../src/control/admin/identity/identity-contract.ts';
import { callApi } from './client.ts';
import { pagedQuery } from './paged.ts';

export const membersQuery = (workspace: string) =>
  pagedQuery(['workspace', workspace, 'members'], ({ signal, cursor }) =>
    callApi('GET /workspaces/{workspace}/members', { workspace, signal, query: { cursor } }),
  );

export const memberQuery = (workspace: string, user: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'members', user],
    queryFn: ({ signal }) => callApi('GET /workspaces/{workspace}/members/{user}', { workspace, user, signal }),
  });

export const invitationsQuery = (workspace: string) =>
  pagedQuery(['workspace', workspace, 'invitations'], ({ signal, cursor }) =>
    callApi('GET /workspaces/{workspace}/invitations', { workspace, signal, query: { cursor } }),
  );

/** The first of the keys that a member has created and that work. */
export const keysOfMemberQuery = (workspace: string, user: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'keys', { createdBy: user }],
    queryFn: ({ signal }) =>
      callApi('GET /workspaces/{workspace}/keys', {
        workspace,
        signal,
        query: { created_by: user, state: 'active', limit: 100 },
      }),
  });

export const changeMember = (workspace: string, { id, version }: MemberJson, body: MemberChange) =>
  callApi('PATCH /workspaces/{workspace}/members/{user}', { workspace, user: id, body, version });

export const removeMember = (workspace: string, user: string) =>
  callApi('DELETE /workspaces/{workspace}/members/{user}', { workspace, user });

export const createMemberResetLink = (workspace: string, user: string) =>
  callApi('POST /workspaces/{workspace}/members/{user}/reset-link', { workspace, user });

/** Invites an address. An earlier invitation of it ends, so that the same call sends one again. */
export const createInvitation = (workspace: string, body: InvitationCreation) =>
  callApi('POST /workspaces/{workspace}/invitations', { workspace, body });

/** Invites several together: all of them, or none. */
export const inviteColleagues = (workspace: string, body: Colleagues) =>
  callApi('POST /workspaces/{workspace}/invitations/batch', { workspace, body });

export const reloadInvitations = (workspace: string) => (queries: QueryClient) =>
  queries.invalidateQueries({ queryKey: ['workspace', workspace, 'invitations'] });

export const revokeInvitation = (workspace: string, invitation: string) =>
  callApi('DELETE /workspaces/{workspace}/invitations/{invitation}', { workspace, invitation });
