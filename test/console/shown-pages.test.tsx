import { type Query, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import type * as React from 'react';
import { prerender } from 'react-dom/static';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { DescribedOperation } from '../support/described-api.ts';
import { operationsOfDocument } from '../support/described-operations.ts';
import { ANSWERED_MS } from '../support/example-answers.ts';
import { wordsOfPage } from '../support/words-of-page.ts';
import { createQueryClient } from '../../console/src/api/query-client.ts';
import { createConsoleRouter } from '../../console/src/router.ts';
import { answerTo } from './example-server.ts';
import { linesWithout } from './press-words.ts';
import { HOME, OWNER, PAGES, SITE, type Visitor } from './visited-pages.ts';

// What every page shows of what it has read, in words: compared with the files of `shown/`, which `npm test -- test/console -u` writes again.
// A change of theirs is looked at like one of the code.

// Where there is no browser, React asks for the value of a store at the server, which no part of the console has.
vi.mock('react', async (original) => ({
  ...(await original<typeof React>()),
  useSyncExternalStore: (_subscribe: unknown, read: () => unknown) => read(),
}));

let operations: readonly DescribedOperation[];

beforeAll(async () => {
  operations = await operationsOfDocument();
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: ANSWERED_MS });
  vi.stubEnv('TZ', 'UTC');
  const none = () => undefined;
  for (const name of ['addEventListener', 'removeEventListener', 'scrollTo']) vi.stubGlobal(name, none);
  const media = { matches: false, addEventListener: none, removeEventListener: none };
  const storage = { getItem: () => null, setItem: none, removeItem: none };
  vi.stubGlobal('matchMedia', () => media);
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('sessionStorage', storage);
  vi.stubGlobal('history', {});
  vi.stubGlobal('document', {
    documentElement: { dataset: {} },
    querySelector: none,
    addEventListener: none,
    removeEventListener: none,
  });
  vi.stubGlobal('self', globalThis);
  vi.stubGlobal('window', globalThis);
});
afterAll(() => vi.useRealTimers());

/** Whether a page asks for a query, and has no answer yet. It doesn't if something else must be known or chosen first. */
function isWaiting({ state, options }: Query): boolean {
  return state.status === 'pending' && !('enabled' in options && options.enabled === false);
}

/** The words of a page; what stands around all pages is looked at once, at home. */
function shownBy(html: string, address: string): string {
  const page = address === HOME ? html : (/<main\b.*<\/main>/s.exec(html)?.[0] ?? html);
  return wordsOfPage(page);
}

/** The page at an address, once it has read all that it asks for. */
async function shownAt(address: string, visitor: Visitor): Promise<string> {
  vi.stubGlobal('location', new URL(address, SITE));
  vi.stubGlobal('fetch', (path: string, { method = 'GET' }: RequestInit) =>
    Promise.resolve(Response.json(answerTo(operations, { method, url: new URL(path, SITE) }, visitor))),
  );
  const queries = createQueryClient();
  const router = createConsoleRouter(queries, createMemoryHistory({ initialEntries: [address] }));
  await router.load();
  for (let round = 0; round < 12; round += 1) {
    const faults: unknown[] = [];
    const { prelude } = await prerender(
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
      // Whatever a part of the page was waiting for, it stands where it belongs.
      { onError: (fault) => void faults.push(fault), progressiveChunkSize: Number.MAX_SAFE_INTEGER },
    );
    if (faults.length > 0) throw faults[0];
    const waiting = queries.getQueryCache().findAll({ predicate: isWaiting });
    if (waiting.length === 0) return shownBy(await new Response(prelude).text(), address);
    await Promise.all(waiting.map((query) => query.fetch()));
  }
  throw new Error(`${address} asks again and again`);
}

test('every page is looked at', () => {
  const router = createConsoleRouter(createQueryClient(), createMemoryHistory());
  const seen = PAGES.map(([address]) => router.getMatchedRoutes(new URL(address, SITE).pathname)[2]?.id);
  const pages = Object.values(router.routesById).filter(({ children }) => children === undefined);
  const leadElsewhere = ['/', '/in/keys'];
  expect(new Set([...leadElsewhere, ...seen])).toEqual(new Set(pages.map(({ id }) => id)));
});

test.each(PAGES)('%s shows what was read', async (address, [first = OWNER, ...others]) => {
  const seen = (await shownAt(address, first)).split('\n');
  const parts = [`${address}, to ${first.name}`, '', ...seen];
  for (const other of others) {
    const theirs = (await shownAt(address, other)).split('\n');
    const missing = linesWithout(seen, theirs).map((line) => `- ${line}`);
    const difference = [...missing, ...linesWithout(theirs, seen).map((line) => `+ ${line}`), ''];
    parts.push(`To ${other.name}`, '', ...(difference.length < theirs.length ? difference : theirs));
  }
  const name = address
    .replaceAll(/0199a9a2-[\d-]+-0*/g, '')
    .replaceAll(/[^\w=.-]+/g, '_')
    .replace(/^_/, '');
  await expect(parts.join('\n')).toMatchFileSnapshot(`shown/${name}.txt`);
});
