import { paths } from '../paths.ts';

/** The pages of the signed-in user's own account, as listed in the user menu and on each of them. */
export const ACCOUNT_PLACES = [
  { label: 'Profile', href: paths.profile() },
  { label: 'Security', href: paths.security() },
  { label: 'Sessions', href: paths.sessions() },
  { label: 'Access tokens', href: paths.accessTokens() },
] as const;
