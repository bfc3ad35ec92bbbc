import { queryOptions } from '@tanstack/react-query';
import type {
  InvitationOfferJson,
  SignedInJson,
  SignInOptionsJson,
} from '../../../src/control/admin/identity/identity-contract.ts';
import { callApi } from './client.ts';

// What people without a session may ask for.

export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: ({ signal }) => callApi<SignInOptionsJson>('GET', '/sign-in-options', { signal }),
  staleTime: 60_000,
});

function post<Answer>(path: string, body: object): Promise<Answer> {
  return callApi<Answer>('POST', path, { body, answersSignIn: true });
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly code?: string;
}

export const signIn = (credentials: Credentials) => post<SignedInJson>('/session', credentials);

export const confirmSession = (given: Omit<Credentials, 'email'>) => post<SignedInJson>('/session/confirm', given);

export const requestPasswordReset = (email: string) => post<{ accepted: true }>('/password-resets', { email });

export const requestSignUp = (email: string) => post<{ accepted: true }>('/sign-ups', { email });

export interface NewAccount {
  readonly token: string;
  readonly name: string;
  readonly password: string;
}

export const setUp = (given: NewAccount & { readonly email: string }) => post<SignedInJson>('/set-up', given);

export const signUp = (given: NewAccount & { readonly workspace?: string }) =>
  post<SignedInJson>('/sign-ups/complete', given);

export const resetPassword = (given: Omit<NewAccount, 'name'>) =>
  post<SignedInJson>('/password-resets/complete', given);

export const joinAsNewUser = (given: NewAccount) => post<SignedInJson>('/invitations/join', given);

/** The invitation of a link; the same answer is kept while its page is open. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: () => post<InvitationOfferJson>('/invitations/show', { token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
