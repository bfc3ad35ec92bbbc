import { queryOptions } from '@tanstack/react-query';
import { callApi } from './client.ts';

// What people without a session may ask for.

export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: ({ signal }) => callApi('GET /sign-in-options', { signal }),
  staleTime: 60_000,
});

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly code?: string;
}

export const signIn = (credentials: Credentials) =>
  callApi('POST /session', { body: credentials, answersSignIn: true });

export const confirmSession = (given: Omit<Credentials, 'email'>) =>
  callApi('POST /session/confirm', { body: given, answersSignIn: true });

/** The workspace at whose own provider people with this address sign in. */
export const findOwnProvider = (email: string) =>
  callApi('POST /sign-in-options/provider', { body: { email }, answersSignIn: true });

export const requestPasswordReset = (email: string) =>
  callApi('POST /password-resets', { body: { email }, answersSignIn: true });

export const requestSignUp = (email: string) => callApi('POST /sign-ups', { body: { email }, answersSignIn: true });

export interface NewAccount {
  readonly token: string;
  readonly name: string;
  readonly password: string;
}

export const setUp = (given: NewAccount & { readonly email: string }) =>
  callApi('POST /set-up', { body: given, answersSignIn: true });

export const signUp = (given: NewAccount & { readonly workspace?: string }) =>
  callApi('POST /sign-ups/complete', { body: given, answersSignIn: true });

export const resetPassword = (given: Omit<NewAccount, 'name'>) =>
  callApi('POST /password-resets/complete', { body: given, answersSignIn: true });

export const joinAsNewUser = (given: NewAccount) =>
  callApi('POST /invitations/join', { body: given, answersSignIn: true });

/** The invitation of a link; the same answer is kept while its page is open. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: () => callApi('POST /invitations/show', { body: { token }, answersSignIn: true }),
    staleTime: Number.POSITIVE_INFINITY,
  });
