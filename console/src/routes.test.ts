import { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory, createRouter } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { CONSOLE_PAGES } from '../../tools/console-pages.ts';
import { routes } from './routes.tsx';

/** They only lead elsewhere. */
const LEADING: readonly string[] = ['/', '/keys'];

test('every route of the console is among the pages that tests and screenshots go through, and no other', () => {
  const context = { queries: new QueryClient() };
  const { routesByPath } = createRouter({ routeTree: routes, history: createMemoryHistory(), context });
  const pictured = new Set(CONSOLE_PAGES.map(({ route }) => route));
  expect([...pictured].toSorted()).toEqual(
    Object.keys(routesByPath)
      .filter((path) => !LEADING.includes(path))
      .toSorted(),
  );
  expect(CONSOLE_PAGES).toHaveLength(new Set(CONSOLE_PAGES.map(({ name }) => name)).size);
});
