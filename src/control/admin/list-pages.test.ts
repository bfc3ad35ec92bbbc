import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { granted, Spender } from '../../../test/support/accounts.ts';
import { adminDependencies } from '../../../test/support/admin-dependencies.ts';
import { adminIdentity } from '../../../test/support/admin-identity.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { type DescribedOperation, describedOperations } from '../../../test/support/described-api.ts';
import { creatingOperations, exampleCreation } from '../../../test/support/example-creations.ts';
import { type FullTenant, openFullTenant, thingsOf } from '../../../test/support/full-tenant.ts';
import { openSession } from '../identity/sessions.ts';
import { signedIn, visitor } from '../../../test/support/identity.ts';
import { openTopUp } from '../../../test/support/payments.ts';
import { principalOf, refusedRequest } from '../../../test/support/refused-requests.ts';
import { operatorScope, scopeOf } from '../../../test/support/scopes.ts';
import { countUsageIn } from '../../../test/support/verify-ledger.ts';
import { INSTANCE_DEFAULTS } from '../alerts/alert-kinds.ts';
import { insertDefaultRules } from '../alerts/alert-rules.ts';
import { sendTestWebhook } from '../alerts/deliveries.ts';
import { INSTANCE_ID } from '../alerts/notice-owner.ts';
import { makeChange } from '../audit/change.ts';
import { adjustPrices } from '../catalogue/price-adjustments.ts';
import type { Actor } from '../../domain/actor.ts';
import { setEndUserLimit } from '../accounts/end-users.ts';
import { correctReceipt } from '../ledger/corrections.ts';
import { recordOf } from '../refusals/recorded-refusal.ts';
import { writeRefusals } from '../refusals/refusal-store.ts';
import { createAdminApp } from './admin-app.ts';
import type { AdminApp } from './route-access.ts';

// Every list of the document, read one by one: a list that is added is tested by being described. It needs three rows, which
// come from the examples of what creates something, and from `fillWhatNobodyCreates`.

const ROWS_MIN = 3;
/** The most items of a page: the lists here are shorter. */
const LIMIT_MAX = 200;

let db: TestDatabase;
let app: AdminApp;
let actor: Actor;
let tenant: FullTenant;
let operations: readonly DescribedOperation[];

beforeAll(async () => {
  db = await startTestDatabase();
  app = createAdminApp({
    ...adminDependencies(db.control),
    identity: adminIdentity(db.control, { sendMail: () => Promise.resolve(), allowsSignUp: true }),
    identify: () => Promise.resolve({ actor, address: null, requestId: randomUUID() }),
  });
  operations = describedOperations((await (await app.request('/admin/openapi.json')).json()) as object);
  for (let count = 1; count < ROWS_MIN; count += 1) await openFullTenant(db.database);
  tenant = await openFullTenant(db.database);
  for (let count = 0; count < ROWS_MIN; count += 1) {
    for (const operation of creatingOperations(operations)) await createByExample(operation);
    await fillWhatNobodyCreates(count);
  }
  await db.database.transaction((tx) => insertDefaultRules(tx, [INSTANCE_ID], INSTANCE_DEFAULTS));
  await countUsageIn(db.database)();
});
afterAll(() => db.stop());

/** The caller whose lists the operation shows: the operator, or for their own things the tenant's owner. */
function callerOf(operation: DescribedOperation): Actor {
  if (operation['x-access'] !== 'personal') {
    return { kind: 'operator', tokenId: null, name: 'operator', access: 'all' };
  }
  const roles = new Map([[tenant.workspace.id, 'owner' as const]]);
  return { ...tenant.owner.act.actor, authenticatedAtMs: Date.now(), roles };
}

async function createByExample(operation: DescribedOperation): Promise<void> {
  actor = callerOf(operation);
  const { path, method, headers, body } = exampleCreation(operation, tenant);
  const own = 'email' in body ? { email: `${randomUUID()}@example.com` } : {};
  const answer = await app.request(path, { method, headers, body: JSON.stringify({ ...body, ...own }) });
  expect({
    id: operation.operationId,
    status: answer.status,
    text: answer.status === 201 ? '' : await answer.text(),
  }).toEqual({ id: operation.operationId, status: 201, text: '' });
}

/** What requests, people and jobs leave, and what is set rather than created. */
async function fillWhatNobodyCreates(count: number): Promise<void> {
  const { workspace, owner } = tenant;
  const scope = scopeOf(workspace.id);
  const spender = await Spender.begin(db.database);
  const { requestId } = await spender.spend(tenant, { hold: 3n, charge: 2n });
  await spender.end();
  await correctReceipt(db.database, scope, { requestId, charge: 1n, reason: 'a test' });
  const caller = principalOf(tenant);
  const refusal = recordOf(refusedRequest(caller, 'MODEL_NOT_FOUND'), caller, Date.now());
  await writeRefusals(db.database, { records: [refusal], unrecorded: new Map() });
  const limited = { projectId: tenant.project.id, name: `user ${count}`, limit: 5n };
  granted(await makeChange(db.database, (tx) => setEndUserLimit(tx, scope, limited)));
  await openTopUp(db.database, workspace.id);
  await signedIn(db.database, { roles: { [workspace.id]: 'viewer' } });
  const ownedBy = [
    { ownerId: workspace.id, ownScope: scope },
    { ownerId: INSTANCE_ID, ownScope: operatorScope() },
  ];
  for (const { ownerId, ownScope } of ownedBy) {
    const [endpoint] = await db.database.query<{ id: string }>(
      'select id from webhook_endpoints where workspace_id = $1 order by id desc limit 1',
      [ownerId],
    );
    granted(await sendTestWebhook(db.database, ownScope, endpoint?.id ?? ''));
  }
  await db.database.transaction((tx) => openSession(tx, owner.userId, visitor()));
  await makeChange(db.database, (tx) => adjustPrices(tx, scope, { model: null, basisPoints: -100 * (count + 1) }));
  for (const { ownerId } of ownedBy) {
    await db.database.query(
      `insert into alerts (workspace_id, id, rule_id, kind, subject_kind, subject_id, subject_name, summary)
       values ($1::uuid, gen_random_uuid(), gen_random_uuid(), 'balance_below', 'workspace', $1::uuid::text, 'a name', 'a summary')`,
      [ownerId],
    );
  }
  await db.database.query(
    `insert into sealed_partitions (name, from_id, up_to, receipts, write_off_nano_usd)
     values ('receipts_' || $1::integer, gen_random_uuid(), gen_random_uuid(), 0, 0)`,
    [count],
  );
}

interface Listed {
  readonly data: readonly unknown[];
  readonly next_cursor: string | null;
}

async function read(operation: DescribedOperation, query: Readonly<Record<string, string>>): Promise<Listed> {
  const things = thingsOf(tenant);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => things[name] ?? '');
  actor = callerOf(operation);
  const answer = await app.request(`${path}?${new URLSearchParams(query).toString()}`);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${operation.operationId}: ${answer.status} ${text}`);
  return JSON.parse(text) as Listed;
}

/** All items, by pages of one. Ends as well if pages begin again. */
async function readOneByOne(operation: DescribedOperation, query: Readonly<Record<string, string>>) {
  const items: unknown[] = [];
  let cursor: string | null = null;
  do {
    const page: Listed = await read(operation, { ...query, limit: '1', ...(cursor === null ? {} : { cursor }) });
    items.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null && items.length < LIMIT_MAX);
  return items;
}

const isList = ({ method, responses }: DescribedOperation): boolean => {
  const { properties = {} } = responses['200']?.content?.['application/json']?.schema ?? {};
  return method === 'GET' && 'data' in properties && 'next_cursor' in properties;
};

/** The orders of a list; one without a name if it has no other. */
function ordersOf({ parameters }: DescribedOperation): readonly string[] {
  const sort = parameters.find(({ name }) => name === 'sort');
  return sort === undefined ? [''] : (sort.schema.enum ?? []).map(String);
}

const idsOf = (items: readonly unknown[]): readonly string[] => items.map((item) => JSON.stringify(item));

test('every list of the admin API, read one by one, has each of its items once, in each order that it can have', async () => {
  const lists = operations.filter(isList);
  expect(lists.length).toBeGreaterThan(25);
  const found: string[] = [];
  for (const operation of lists) {
    for (const sort of ordersOf(operation)) {
      const directions = sort === '' ? [''] : ['asc', 'desc'];
      const whole: (readonly string[])[] = [];
      for (const direction of directions) {
        const query = sort === '' ? {} : { sort, direction };
        const { data, next_cursor: next } = await read(operation, { ...query, limit: String(LIMIT_MAX) });
        const name = `${operation.operationId} ${sort} ${direction}`.trim();
        const items = idsOf(data);
        whole.push(items);
        if (items.length < ROWS_MIN) found.push(`${name} has only ${items.length} items here`);
        if (next !== null) found.push(`${name} has more items than a page, or says so`);
        if (new Set(items).size !== items.length) found.push(`${name} repeats an item in one page`);
        const one = idsOf(await readOneByOne(operation, query));
        if (one.join('\n') !== items.join('\n')) found.push(`${name} differs: ${one.length} and ${items.length} items`);
      }
      const [up, down] = whole;
      if (down !== undefined && up?.toReversed().join('\n') !== down.join('\n')) {
        found.push(`${operation.operationId} ${sort} is not turned round by its direction`);
      }
    }
  }
  expect(found).toEqual([]);
});

/** Parameters of what is read that choose no items. */
const NO_FILTERS = new Set(['cursor', 'limit', 'sort', 'direction', 'format', 'history', 'month', 'purpose']);
const SHAPES_OF_USAGE = new Set(['bucket', 'group_by', 'and_by', 'compare', 'latency']);

const NOWHERE = '0193a7a0-0000-7000-8000-00000000dead';
/** For each filter without a list of values, one that nothing has. */
const OF_NOTHING: Readonly<Record<string, string>> = {
  action: 'no.such',
  batch: NOWHERE,
  created_by: NOWHERE,
  end_user: 'no such name',
  from: '2099-01-01',
  key: NOWHERE,
  min_charge_usd: '1000',
  model: 'no/such',
  project: NOWHERE,
  provider: 'no-such',
  rule: NOWHERE,
  search: 'no such name',
  session: 'no-such',
  status: '5xx',
  target: NOWHERE,
  to: '2001-01-01',
  user: NOWHERE,
  webhook: NOWHERE,
  workspace: NOWHERE,
  workspaces: NOWHERE,
};

/** The fields of items that filters are about. */
const FIELDS: Readonly<Record<string, (item: Readonly<Record<string, unknown>>) => unknown>> = {
  action: ({ action }) => action,
  batch: ({ batch_id: batch }) => batch,
  created_by: ({ created_by: user }) => user,
  key: ({ key_id: key }) => key,
  model: ({ model }) => model,
  project: ({ project_id: project }) => project,
  provider: ({ provider }) => provider,
  rule: ({ rule_id: rule }) => rule,
  target: ({ target }) => (target as { readonly id: string }).id,
  user: ({ actor: by }) => (by as { readonly user_id: string | null }).user_id,
  webhook: ({ webhook_id: webhook }) => webhook,
  workspace: ({ workspace_id: workspace }) => workspace,
};

/** Whether it reads several things: a list, an export, counts, or usage. */
const isRead = ({ method, operationId, responses }: DescribedOperation): boolean => {
  const { content = {} } = responses['200'] ?? {};
  const { properties = {} } = content['application/json']?.schema ?? {};
  return method === 'GET' && ('data' in properties || 'text/csv' in content || operationId.startsWith('showUsage'));
};

/** More values of one filter would only take longer. */
const VALUES_MAX = 3;

/** What reads of other cells: none is known here. */
const ELSEWHERE = new Set(['searchCells']);

function filtersOf({ operationId, parameters }: DescribedOperation): DescribedOperation['parameters'] {
  return parameters.filter(
    ({ name, in: place }) =>
      place === 'query' && !NO_FILTERS.has(name) && !(operationId.includes('Usage') && SHAPES_OF_USAGE.has(name)),
  );
}

/** What exports use of a connection. */
const CONNECTION = {
  outgoing: { getHeader: () => undefined, setTimeout: () => undefined, destroy: () => undefined, destroyed: false },
};

/** What is read with these parameters, an entry for each item; none if it is refused. */
async function itemsOf(
  operation: DescribedOperation,
  query: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const things = { ...thingsOf(tenant), what: 'receipts' };
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => things[name as keyof typeof things] ?? '');
  actor = callerOf(operation);
  const answer = await app.request(`${path}?${new URLSearchParams(query).toString()}`, {}, CONNECTION);
  const text = await answer.text();
  expect(answer.status, `${operation.operationId} ${JSON.stringify(query)}: ${text}`).toBeLessThan(500);
  if (answer.status !== 200) return [];
  if (answer.headers.get('content-type')?.startsWith('text/csv') === true) return text.trim().split('\n').slice(1);
  const { data, total } = JSON.parse(text) as Partial<Listed> & { readonly total?: { readonly requests: number } };
  return data === undefined ? Array.from({ length: total?.requests ?? 0 }, String) : idsOf(data);
}

/** What is read by this operation with each of a filter's values does not overlap, and is all that there is. */
async function overlapOf(operation: DescribedOperation, name: string, values: readonly string[]): Promise<string[]> {
  const all = await itemsOf(operation, {});
  const parts = await inTurn(values, async (value) => await itemsOf(operation, { [name]: value }));
  const [whole, length] = [new Set(parts.flat()), parts.flat().length];
  const isCount = operation.operationId.includes('showUsage');
  const isSplit = isCount ? length === all.length : whole.size === length && all.every((item) => whole.has(item));
  return isSplit ? [] : [`${operation.operationId} is not split by ${name}: ${length} of ${all.length}`];
}

/** What is read by this operation with the values of a filter that its items have, is what has them. */
async function strangersOf(operation: DescribedOperation, name: string): Promise<string[]> {
  const field = FIELDS[name];
  if (field === undefined || !isList(operation)) return [];
  const all = (await itemsOf(operation, {})).map((item) => JSON.parse(item) as Readonly<Record<string, unknown>>);
  const values = [...new Set(all.map(field))].filter((value) => typeof value === 'string').slice(0, VALUES_MAX);
  const found = await inTurn(values, async (value) => {
    const expected = idsOf(all.filter((item) => field(item) === value));
    const chosen = await itemsOf(operation, { [name]: value });
    return chosen.join('\n') === expected.join('\n') ? [] : [`${operation.operationId} has others with ${name}`];
  });
  return found.flat();
}

async function inTurn<Item, Result>(items: readonly Item[], each: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await each(item));
  return results;
}

test('every filter of what the admin API reads leaves what it says: nothing, exactly one value, or one part of all', async () => {
  const filtered = operations.filter(
    (each) => isRead(each) && !ELSEWHERE.has(each.operationId) && filtersOf(each).length > 0,
  );
  expect(filtered.length).toBeGreaterThan(15);
  const found: string[] = [];
  for (const operation of filtered) {
    if ((await itemsOf(operation, {})).length === 0)
      found.push(`${operation.operationId} has nothing here to choose from`);
    for (const { name, schema } of filtersOf(operation)) {
      if (schema.enum === undefined) {
        const { [name]: value } = OF_NOTHING;
        if (value === undefined) found.push(`${operation.operationId}: no value of ${name} is known that nothing has`);
        else if ((await itemsOf(operation, { [name]: value })).length > 0)
          found.push(`${operation.operationId} does not heed ${name}`);
        found.push(...(await strangersOf(operation, name)));
      } else found.push(...(await overlapOf(operation, name, schema.enum.map(String))));
    }
  }
  expect(found).toEqual([]);
});
