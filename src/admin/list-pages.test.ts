import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { granted, Spender } from '../../test/support/accounts.ts';
import { adminDependencies } from '../../test/support/admin-dependencies.ts';
import { adminIdentity } from '../../test/support/admin-identity.ts';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { type DescribedOperation, describedOperations } from '../../test/support/described-api.ts';
import { creatingOperations, exampleCreation } from '../../test/support/example-creations.ts';
import { type FullTenant, openFullTenant, thingsOf } from '../../test/support/full-tenant.ts';
import { openSession } from '../identity/sessions.ts';
import { signedIn, visitor } from '../../test/support/identity.ts';
import { openTopUp } from '../../test/support/payments.ts';
import { principalOf, refusedRequest } from '../../test/support/refused-requests.ts';
import { operatorScope, scopeOf } from '../../test/support/scopes.ts';
import { countUsageIn } from '../../test/support/verify-ledger.ts';
import { INSTANCE_DEFAULTS } from '../alerts/alert-kinds.ts';
import { insertDefaultRules } from '../alerts/alert-rules.ts';
import { sendTestWebhook } from '../alerts/deliveries.ts';
import { INSTANCE_ID } from '../alerts/notice-owner.ts';
import { makeChange } from '../audit/change.ts';
import { adjustPrices } from '../catalogue/price-adjustments.ts';
import type { Actor } from '../domain/actor.ts';
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

test('every list of the admin API, read one by one, has each of its items once and in its order, in each order it can have', async () => {
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
