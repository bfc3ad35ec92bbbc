import type { QueryClient } from '@tanstack/react-query';
import { createBrowserHistory, createRouter, type RouterHistory } from '@tanstack/react-router';
import { FailedPage, UnknownPage } from './frame/failed-page.tsx';
import { routes } from './routes.tsx';
import { parseSearch, stringifySearch } from './search-params.ts';

/** The router of all pages; its history is the browser's, or a test's. */
export function createConsoleRouter(queries: QueryClient, history: RouterHistory = createBrowserHistory()) {
  return createRouter({
    history,
    routeTree: routes,
    context: { queries },
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
    defaultErrorComponent: FailedPage,
    defaultNotFoundComponent: UnknownPage,
    defaultPreloadStaleTime: 0,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    readonly router: ReturnType<typeof createConsoleRouter>;
  }
}
