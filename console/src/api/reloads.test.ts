import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { alertRulesQuery, alertsQuery, deliveriesQuery, deliveryQuery, reloadAlerts, webhooksQuery } from './alerts.ts';
import { keyChoicesQuery, keyQuery, keysQuery, reloadKeys } from './keys.ts';
import { settledReceiptQuery } from './playground.ts';
import { projectQuery, projectsQuery, projectChoicesQuery, reloadProjects } from './projects.ts';
import { workspaceQuery } from './workspaces.ts';

afterEach(() => vi.unstubAllGlobals());

const KEYS = { search: '', project: null, state: null, createdBy: null, sort: 'created', descending: false } as const;

// What is read again after a change, and what the change has nothing to do with.
test.each([
  [
    'a key',
    reloadKeys,
    [keyQuery('w', 'k'), keysQuery('w', KEYS), keyChoicesQuery('w', '')],
    [keyQuery('v', 'k'), projectQuery('w', 'p'), workspaceQuery('w')],
  ],
  [
    'a project',
    reloadProjects,
    [projectQuery('w', 'p'), projectsQuery('w', { archived: true, search: '' }), projectChoicesQuery('w', null)],
    [projectQuery('v', 'p'), keyQuery('w', 'k'), workspaceQuery('w')],
  ],
  [
    'an alert rule or an endpoint',
    reloadAlerts,
    [
      alertsQuery('w', { isOpen: true, rule: null }),
      alertRulesQuery('w'),
      webhooksQuery('w'),
      deliveriesQuery('w', { state: null, webhook: null }),
      deliveryQuery('w', 'd'),
    ],
    [alertRulesQuery('v'), alertRulesQuery(null), workspaceQuery('w')],
  ],
])('after a change of %s, all that shows it is read again, and nothing else', async (_, reload, shown, others) => {
  const queries = new QueryClient();
  const all = [...shown, ...others].map(({ queryKey }) => queryKey);
  for (const key of all) queries.setQueryData(key, {} as never);
  await reload(queries, 'w');
  const stale = all.filter((key) => queries.getQueryState(key)?.isInvalidated === true);
  expect(stale).toEqual(shown.map(({ queryKey }) => queryKey));
});

test('after a change of the operator’s alert rules, those of workspaces are left as they are', async () => {
  const queries = new QueryClient();
  const keys = [alertRulesQuery(null).queryKey, alertRulesQuery('w').queryKey];
  for (const key of keys) queries.setQueryData(key, {} as never);
  await reloadAlerts(queries, null);
  expect(keys.map((key) => queries.getQueryState(key)?.isInvalidated)).toEqual([true, false]);
});

/** What is asked to read the receipt of a request, of which this many lists do not have it yet. */
async function askedForReceipt(isWhole: boolean, lists: readonly (readonly string[])[]): Promise<readonly string[]> {
  const asked: string[] = [];
  const answers = [...lists];
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path.replace('/admin/v1/workspaces/w', ''));
    const ids = path.includes('/receipts?') ? (answers.shift() ?? []) : null;
    const data = ids?.map((id) => ({ request_id: id }));
    return Promise.resolve(Response.json(data === undefined ? { request_id: REQUEST } : { data, next_cursor: null }));
  });
  const query = settledReceiptQuery('w', { request: REQUEST, isWhole });
  await new QueryClient().query({ ...query, retryDelay: 0 });
  return asked;
}

// Its id begins with the time 2026-03-17T14:25:00.000Z.
const REQUEST = '019cfc3d-a460-7000-8000-000000000001';

test('the receipt of an answer that came whole is read by its id, without a search', async () => {
  expect(await askedForReceipt(true, [])).toEqual([`/receipts/${REQUEST}`]);
});

test('the receipt of an answer that was cut off is looked for until it is among those of its time', async () => {
  const from = new Date(Number.parseInt(REQUEST.replaceAll('-', '').slice(0, 12), 16) - 1_000).toISOString();
  const search = `/receipts?from=${encodeURIComponent(from)}&limit=200`;
  const asked = await askedForReceipt(false, [[], ['another'], ['another', REQUEST]]);
  expect(asked).toEqual([search, search, search, `/receipts/${REQUEST}`]);
});
