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

/** Several requests may find the session ended; the page that made them is left once, before what it shows is forgotten. */
async function leave(): Promise<void> {
  const { pathname, href } = router.latestLocation;
  if (pathname === '/sign-in') return;
  await router.navigate({ href: paths.signIn({ next: href }) });
  queries.clear();
}

guardSession({ ended: () => void leave() });
followLinks(router.history);

const place = document.getElementById('console');
if (place === null) throw new Error('the page has no #console');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
