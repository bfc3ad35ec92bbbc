import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query-client.ts';
import { guardSession } from './api/session-gate.ts';
import { followLinks } from './frame/link-navigation.ts';
import { paths } from './paths.ts';
import { createConsoleRouter } from './router.ts';
import './styles/app.css';

const queries = createQueryClient();
const router = createConsoleRouter(queries);

/** Where the page stood when its session was found to be over. */
let next: string | null = null;

/**
 * Leads to the sign-in page by loading it: nothing that was read is kept, and nothing that somebody still chooses on this page
 * keeps it. Several requests may find the session ended.
 */
function leave(): void {
  if (location.pathname === '/sign-in') return;
  next ??= router.latestLocation.href;
  location.replace(paths.signIn({ next }));
}

guardSession({ ended: leave });

const place = document.getElementById('console');
if (place === null) throw new Error('the page has no #console');
const root = createRoot(place);
// Until the first page can be drawn, that of the document stays.
void router.load().then(() => {
  followLinks(router.history);
  root.render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
});
