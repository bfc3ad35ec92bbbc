import { queryOptions } from '@tanstack/react-query';
import type {
  AuthenticatorJson,
  MeJson,
  RecoveryCodesJson,
  SignedInJson,
  UserJson,
} from '../../../src/control/admin/identity/identity-contract.ts';
import { ApiError } from './api-error.ts';
import { pathOf } from '../paths.ts';
import { callApi } from './client.ts';

// The signed-in user's own account.

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => callApi<MeJson>('GET', '/me', { signal }),
  staleTime: 60_000,
});

/** The signed-in user; null if nobody is. */
export async function maybeMe(): Promise<MeJson | null> {
  try {
    return await callApi<MeJson>('GET', '/me', { answersSignIn: true });
  } catch (fault) {
    if (fault instanceof ApiError && fault.status === 401) return null;
    throw fault;
  }
}

export const signOut = () => callApi<{ done: true }>('DELETE', '/session', { answersSignIn: true });

export const acceptInvitation = (token: string) =>
  callApi<SignedInJson>('POST', '/me/invitations', { body: { token } });

export const leaveWorkspace = (workspace: string) =>
  callApi<{ done: true }>('DELETE', pathOf`/me/workspaces/${workspace}`);

export const renameMe = (name: string) => callApi<UserJson>('PATCH', '/me', { body: { name } });

export const setMyPassword = (password: string) =>
  callApi<SignedInJson>('POST', '/me/password', { body: { password } });

/** Begins to add an authenticator app, which counts once a code of it is confirmed. */
export const addAuthenticator = () => callApi<AuthenticatorJson>('POST', '/me/authenticator');

export const confirmAuthenticator = (code: string) =>
  callApi<RecoveryCodesJson>('POST', '/me/authenticator/confirm', { body: { code } });

export const removeAuthenticator = () => callApi<{ done: true }>('DELETE', '/me/authenticator');

export const replaceRecoveryCodes = () => callApi<RecoveryCodesJson>('POST', '/me/recovery-codes');
