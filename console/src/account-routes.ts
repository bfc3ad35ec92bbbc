import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedIn } from './root-routes.ts';
import { flag, search } from './search-params.ts';

// Pages of the signed-in user's own account.

const profile = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyRouteComponent(() => import('./pages/account/profile-page.tsx'), 'ProfilePage'),
});

const security = createRoute({
  getParentRoute: () => signedIn,
  path: '/account/security',
  component: lazyRouteComponent(() => import('./pages/account/security-page.tsx'), 'SecurityPage'),
});

const sessions = createRoute({
  getParentRoute: () => signedIn,
  path: '/account/sessions',
  component: lazyRouteComponent(() => import('./pages/account/sessions-page.tsx'), 'SessionsPage'),
});

const accessTokens = createRoute({
  getParentRoute: () => signedIn,
  path: '/account/access-tokens',
  validateSearch: search({ create: flag }),
  component: lazyRouteComponent(() => import('./pages/account/access-tokens-page.tsx'), 'AccessTokensPage'),
});

export const accountRoutes = [profile, security, sessions, accessTokens] as const;
