import { queryOptions } from '@tanstack/react-query';
import type { MeJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { callApi } from './client.ts';

// The signed-in user's own account.

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => callApi('GET /me', { signal }),
  staleTime: 60_000,
});

/** The signed-in user; null if there is none, which is no error. */
export async function maybeMe(): Promise<MeJson | null> {
  return (await callApi('GET /session')).me;
}

export const signOut = () => callApi('DELETE /session', { answersSignIn: true });

export const acceptInvitation = (token: string) => callApi('POST /me/invitations', { body: { token } });

export const leaveWorkspace = (workspace: string) => callApi('DELETE /me/workspaces/{id}', { id: workspace });

export const renameMe = (name: string) => callApi('PATCH /me', { body: { name } });

export const setMyPassword = (password: string) => callApi('POST /me/password', { body: { password } });
