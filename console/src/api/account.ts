import { queryOptions } from '@tanstack/react-query';
import type { MeJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { ApiError } from './api-error.ts';
import { callApi } from './client.ts';

// The signed-in user's own account.

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => callApi('getMe', { signal }),
  staleTime: 60_000,
});

/** The signed-in user; null if nobody is. */
export async function maybeMe(): Promise<MeJson | null> {
  try {
    return await callApi('getMe', { answersSignIn: true });
  } catch (fault) {
    if (fault instanceof ApiError && fault.status === 401) return null;
    throw fault;
  }
}

export const signOut = () => callApi('signOut', { answersSignIn: true });

export const acceptInvitation = (token: string) => callApi('acceptInvitation', { body: { token } });

export const leaveWorkspace = (workspace: string) => callApi('leaveWorkspace', { id: workspace });

export const renameMe = (name: string) => callApi('renameMe', { body: { name } });

export const setMyPassword = (password: string) => callApi('setMyPassword', { body: { password } });

/** Begins to add an authenticator app, which counts once a code of it is confirmed. */
export const addAuthenticator = () => callApi('addAuthenticator');

export const confirmAuthenticator = (code: string) => callApi('confirmAuthenticator', { body: { code } });

export const removeAuthenticator = () => callApi('removeAuthenticator');

export const replaceRecoveryCodes = () => callApi('replaceRecoveryCodes');
