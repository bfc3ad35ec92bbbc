import { refuse, type Refusal } from './refusals.ts';

// Why a sign-in at an OpenID provider failed. The provider redirects the browser, so the reason reaches the console in
// a URL, which anyone can write: it is a name from this list, never a text.

export const SIGN_IN_FAILURES = {
  account_disabled: 'Your account is disabled.',
  account_has_authenticator:
    'There is an account with your email address that asks for the code of an authenticator app: sign in to it with its password and the code, and add your provider there.',
  account_has_password:
    'There is an account with your email address: sign in to it with its password, and add your provider there.',
  account_of_another: 'Another user signs in with that account of your provider.',
  address_not_vouched_for: 'Your provider does not vouch for your email address, so no account is found by it.',
  another_account: 'That is not the account of your provider that you sign in with here.',
  address_not_of_workspace: 'Your email address is not of a domain that the workspace has proven to be its own.',
  company_alone: 'People with your email address sign in at the provider of their company alone.',
  company_after_code:
    'Your account here asks for the code of an authenticator app: sign in to it with your password and a code first, then sign in with your company.',
  failed: 'The sign-in at your provider failed: try again.',
  left_company:
    'The directory of your company says that you have left it, or are suspended: ask an administrator of your company.',
  lost: 'The sign-in took too long, or was begun in another browser: try again.',
  no_role: 'Your provider names no group that has a role here: ask an administrator of your company.',
  no_sign_ups: 'This instance takes no sign-ups: ask for an invitation.',
  operator_account: 'Operators of this instance do not sign in at the provider of a workspace.',
  provider_away: 'Your provider can not be reached: try again in a moment.',
  recent_sign_in: 'Enter your password again: this needs a sign-in of the last 15 minutes.',
  session_ended: 'Your session has ended: sign in again.',
  too_many_attempts: 'There were too many attempts: wait a minute, then try again.',
} as const;

export type SignInFailure = keyof typeof SIGN_IN_FAILURES;

/** The names of all failures. */
export const SIGN_IN_FAILURE_NAMES = Object.keys(SIGN_IN_FAILURES) as [SignInFailure, ...SignInFailure[]];

/** The refusal of a sign-in that failed so. */
export function signInFailure(code: 'UNAUTHENTICATED' | 'FORBIDDEN' | 'CONFLICT', failure: SignInFailure): Refusal {
  return refuse(code, SIGN_IN_FAILURES[failure], { param: failure });
}

/** The failure with this name; undefined if there is none. */
export function failureNamed(text: string | null | undefined): SignInFailure | undefined {
  return SIGN_IN_FAILURE_NAMES.find((name) => name === text);
}

/** The failure for a refusal. */
export function failureOf({ code, param }: Refusal): SignInFailure {
  const named = failureNamed(param);
  if (named !== undefined) return named;
  if (code === 'RATE_LIMITED') return 'too_many_attempts';
  return code === 'SERVICE_UNAVAILABLE' ? 'provider_away' : 'failed';
}
