import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router';
import { maybeMe, meQuery } from './api/account.ts';
import { UnknownPage } from './frame/failed-page.tsx';
import { Frame } from './frame/frame.tsx';
import { Root } from './frame/root.tsx';
import { paths } from './paths.ts';

// The routes that contain all pages.

export const root = createRootRouteWithContext<{ readonly queries: QueryClient }>()({
  component: Root,
  notFoundComponent: UnknownPage,
});

/** Around the pages of signed-in users; others are led to the sign-in page and back. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'in',
  component: Frame,
  beforeLoad: async ({ context: { queries }, location }) => {
    if (queries.getQueryData(meQuery.queryKey) !== undefined) return;
    const me = await maybeMe();
    if (me === null) redirect({ href: paths.signIn({ next: location.href }), throw: true });
    else queries.setQueryData(meQuery.queryKey, me);
  },
});
