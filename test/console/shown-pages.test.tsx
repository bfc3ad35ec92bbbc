import { type Query, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import type * as React from 'react';
import { prerender } from 'react-dom/static';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { DescribedOperation } from '../support/described-api.ts';
import { answerByExample, operationsOfDocument } from '../support/described-operations.ts';
import { ANSWERED_MS, exampleId, type Fullness } from '../support/example-answers.ts';
import { wordsOfPage } from '../support/words-of-page.ts';
import type { MeJson } from '../../src/control/admin/identity/identity-contract.ts';
import { createQueryClient } from '../../console/src/api/query-client.ts';
import { createConsoleRouter } from '../../console/src/router.ts';

// What every page shows of what it has read, in words: compared with the files of `shown/`, which `npm test -- test/console -u` writes again.
// A change of theirs is looked at like one of the code.

// Where there is no browser, React asks for the value of a store at the server, which no part of the console has.
vi.mock('react', async (original) => ({
  ...(await original<typeof React>()),
  useSyncExternalStore: (_subscribe: unknown, read: () => unknown) => read(),
}));

const SITE = 'http://gateway.test';
const W = 'w';
const HOME = `/workspaces/${W}`;

interface Visitor {
  readonly name: string;
  readonly role: MeJson['workspaces'][number]['role'];
  readonly isOperator: boolean;
  readonly fullness: Fullness;
  readonly withheld?: MeJson['workspaces'][number]['withheld'];
}

const OWNER: Visitor = { name: 'an owner', role: 'owner', isOperator: false, fullness: 'full' };
const NEWCOMER: Visitor = { name: 'a newcomer', role: 'owner', isOperator: false, fullness: 'bare' };
const VIEWER: Visitor = { name: 'a viewer', role: 'viewer', isOperator: false, fullness: 'full' };
const OPERATOR: Visitor = { name: 'an operator', role: 'owner', isOperator: true, fullness: 'full' };
const WITHOUT_APP: Visitor = { ...NEWCOMER, name: 'a member without a second factor', withheld: 'second_factor' };
const WITHOUT_CODE: Visitor = { ...OWNER, name: 'a member who has an app', withheld: 'second_factor' };
const BY_PASSWORD: Visitor = { ...OWNER, name: 'a member by password', withheld: 'company_sign_in' };
const ELSEWHERE: Visitor = { ...OWNER, name: 'a member elsewhere', withheld: 'network' };
const FIRST_OPERATOR: Visitor = { name: 'the first operator', role: 'owner', isOperator: true, fullness: 'bare' };

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
  vi.stubGlobal('document', { documentElement: { dataset: {} }, addEventListener: none, removeEventListener: none });
  vi.stubGlobal('self', globalThis);
  vi.stubGlobal('window', globalThis);
});
afterAll(() => vi.useRealTimers());

/** An answer all of whose things belong to the workspace of the page, as what the visitor may do depends on it. */
function inWorkspace(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (name, value: unknown) => (name === 'workspace_id' ? W : value)) as unknown;
}

function answerTo(method: string, url: URL, { fullness, role, isOperator, withheld = null }: Visitor): unknown {
  const { operationId, answer } = answerByExample(operations, { method, url, fullness });
  if (operationId === 'showWorkspace') return { ...(answer as object), id: W };
  if (operationId !== 'getMe') return inWorkspace(answer);
  const { user, ...me } = answer as MeJson;
  const workspaces = [{ id: W, name: 'acme', role, state: 'active', withheld }];
  return { ...me, user: { ...user, is_operator: isOperator }, workspaces };
}

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
    Promise.resolve(Response.json(answerTo(method, new URL(path, SITE), visitor))),
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

const ALL = [OWNER, NEWCOMER, VIEWER];
const ALONE = [OWNER, NEWCOMER];
const OPERATORS = [OPERATOR, FIRST_OPERATOR];

const inside = (rest: string, visitors: readonly Visitor[] = ALL): readonly [string, readonly Visitor[]] => [
  `/workspaces/${W}${rest}`,
  visitors,
];

const PAGES: readonly (readonly [address: string, visitors: readonly Visitor[]])[] = [
  inside(''),
  inside('/projects?create=true'),
  inside('/projects?search=n&archived=true'),
  inside('/projects/p'),
  inside('/projects/p?change=true', [OWNER]),
  inside('/projects/p?budget=5', [OWNER]),
  inside('/members'),
  inside('/members?invite=true', [OWNER]),
  inside('/members?tab=invitations'),
  inside(`/members?member=${exampleId('listMembers.data.1.id')}`),
  inside('/keys'),
  inside('/keys?create=true&state=revoked&sort=spend&owner=me&search=n', [OWNER]),
  inside('/keys/k'),
  inside('/keys/k?change=true', [OWNER]),
  inside('/keys/k?limit=5', [OWNER]),
  inside('/models'),
  inside('/models?kind=chat&capability=tools&former=true&sort=input&direction=desc&search=m', [OWNER]),
  inside('/models/acme/one'),
  inside('/credit'),
  inside('/credit?add=true&amount=25', [OWNER]),
  inside('/credit?redeem=true', [OWNER]),
  inside('/credit?auto=true', [OWNER]),
  inside('/credit?post=true', [OPERATOR]),
  inside('/credit?month=2026-02', [OWNER]),
  inside('/credit?tab=top-ups'),
  inside(`/credit?tab=top-ups&top_up=${exampleId('listTopUps.data.0.id')}`),
  inside('/credit?result=success&top_up=t', [OWNER]),
  inside('/credit?result=cancel&top_up=t', [OWNER]),
  inside('/settings'),
  inside('/access', [OWNER, NEWCOMER, OPERATOR]),
  inside('/settings?withheld=true', [WITHOUT_APP, WITHOUT_CODE, BY_PASSWORD, ELSEWHERE]),
  inside('/playground?code=true'),
  inside('/requests'),
  inside('/requests?range=24h&outcome=completed&model=m&min_charge=1&dialect=messages&session=s', [OWNER]),
  inside('/requests/refused?code=MODEL_NOT_FOUND'),
  inside('/requests/r'),
  inside('/usage'),
  inside('/usage?period=24h&measure=requests&by=key&compare=true&model=m', [OWNER]),
  inside('/usage?month=2026-02&measure=tokens&by=model&bucket=day', [OWNER]),
  inside('/alerts'),
  inside('/alerts?tab=rules'),
  inside('/alerts?tab=rules&create=rule', [OWNER]),
  inside(`/alerts?tab=rules&change=${exampleId('listAlertRules.data.0.id')}`, [OWNER]),
  inside(`/alerts?tab=rules&change=${exampleId('listAlertRules.data.3.id')}`, [OWNER]),
  inside('/alerts?tab=webhooks'),
  inside('/alerts?tab=webhooks&create=webhook', [OWNER]),
  inside('/alerts?tab=deliveries&state=given_up'),
  inside(`/alerts?tab=deliveries&delivery=${exampleId('listDeliveries.data.0.id')}`, [OWNER]),
  inside(`/alerts/webhooks/${exampleId('listWebhooks.data.0.id')}`),
  inside('/audit'),
  inside('/audit?action=key.create&user=u&from=2026-03-01&to=2026-03-02&event=e', [OWNER]),
  ['/workspaces', ALL],
  ['/account', ALONE],
  ['/account/security', ALONE],
  ['/account/sessions', ALONE],
  ['/account/access-tokens', ALONE],
  ['/account/access-tokens?create=true', [OWNER, VIEWER]],
  ['/sign-in', ALONE],
  ['/sign-in?need=password', ALONE],
  ['/sign-in?need=account', ALONE],
  ['/sign-in?need=company', [OWNER]],
  ['/sign-in?error=no_sign_ups', [OWNER]],
  ['/set-up', [OWNER]],
  ['/invitation', ALONE],
  ['/reset-password', [OWNER]],
  ['/sign-up', [OWNER]],
  ['/operator/workspaces', OPERATORS],
  ['/operator/workspaces?state=suspended&sort=name&direction=desc&period=7d&create=true', [OPERATOR]],
  [`/operator/workspaces/${W}`, OPERATORS],
  [`/operator/workspaces/${W}?post=true`, [OPERATOR]],
  [`/operator/workspaces/${W}?price=true&model=m`, [OPERATOR]],
  ['/operator/providers', OPERATORS],
  ['/operator/refusals', OPERATORS],
  ['/operator/refusals?workspace=w&code=FORBIDDEN&model=m&status=4xx', [OPERATOR]],
  ['/operator/codes', OPERATORS],
  ['/operator/codes?create=true', [OPERATOR]],
  [`/operator/codes?batch=${exampleId('listCodeBatches.data.0.id')}`, [OPERATOR]],
  [`/operator/codes?batch=${exampleId('listCodeBatches.data.1.id')}`, [OPERATOR]],
  [`/operator/codes?batch=${exampleId('listCodeBatches.data.2.id')}`, [OPERATOR]],
  ['/operator/prices', OPERATORS],
  ['/operator/prices?apply=true', OPERATORS],
  ['/operator/prices?search=m&model=m', [OPERATOR]],
  ['/operator/ledger', OPERATORS],
  ['/operator/ledger?tab=seals', OPERATORS],
  ['/operator/ledger?tab=corrections', OPERATORS],
  ['/operator/ledger?tab=export', OPERATORS],
  ['/operator/instance', OPERATORS],
  ['/operator/instance?create=true', [OPERATOR]],
  ['/operator/instance?tab=settings', OPERATORS],
  ['/operator/alerts', OPERATORS],
  ['/operator/alerts?tab=rules', OPERATORS],
  ['/operator/alerts?tab=webhooks&create=webhook', [OPERATOR]],
  ['/operator/alerts/webhooks/w', OPERATORS],
];

/** The lines of one that the other has not, as often as they stand there. */
function linesWithout(one: readonly string[], other: readonly string[]): readonly string[] {
  const left = [...other];
  return one.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

test('every page is looked at', () => {
  const router = createConsoleRouter(createQueryClient(), createMemoryHistory());
  const seen = PAGES.map(([address]) => router.getMatchedRoutes(new URL(address, SITE).pathname)[2]?.id);
  const pages = Object.values(router.routesById).filter(({ children }) => children === undefined);
  // It leads to another at once.
  const start = '/';
  expect(new Set([start, ...seen])).toEqual(new Set(pages.map(({ id }) => id)));
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
