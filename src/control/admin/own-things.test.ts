import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, openAccount, openKey, Spender } from '../../../test/support/accounts.ts';
import { adminDependencies } from '../../../test/support/admin-dependencies.ts';
import { adminIdentity, sessionActor } from '../../../test/support/admin-identity.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { addMember, signedIn } from '../../../test/support/identity.ts';
import { principalOf, refusedRequest } from '../../../test/support/refused-requests.ts';
import { countUsageIn } from '../../../test/support/verify-ledger.ts';
import { type WorkspaceOperation, workspaceOperations } from '../../../test/support/workspace-operations.ts';
import type { Actor } from '../../domain/actor.ts';
import { homeDays, lastDay, lastMonthSoFar } from '../../domain/home-stretches.ts';
import { refuse } from '../../domain/refusals.ts';
import { reachOf, type Role, ROLES, SCOPES } from '../../domain/roles.ts';
import { USAGE_BUCKETS, WORKSPACE_GROUPINGS } from '../../domain/usage-groupings.ts';
import { recordOf } from '../refusals/recorded-refusal.ts';
import { writeRefusals } from '../refusals/refusal-store.ts';
import { createAdminApp } from './admin-app.ts';
import type { AdminApp } from './route-access.ts';

// Calls every operation that reads, of those that the document has, as a member who sees their own things alone, and looks for what
// is another's. A new operation needs nothing here unless its path has a parameter of a new kind.

/** What is of one user in the workspace. */
interface Belongings {
  readonly userId: string;
  readonly email: string;
  readonly keyIds: readonly string[];
  readonly requestId: string;
  readonly refusedId: string;
  /** All texts by which the user's things can be recognised in an answer. */
  readonly marks: readonly string[];
}

let db: TestDatabase;
let account: Account;
let reads: readonly WorkspaceOperation[];
let ada: Belongings;
let bob: Belongings;
let actor: Actor | null = null;

const ADA = { name: 'ada', charge: 1_111_111n, limit: 2_222_222_222n };
const BOB = { name: 'bob', charge: 7_777_777n, limit: 3_333_333_333n };
/** Sums of both, the project's budget and the workspace's credit. */
const OF_ALL = ['8888888', '4444444444', '5555555555', '0.008888888', '4.444444444', '5.555555555'];

beforeAll(async () => {
  db = await startTestDatabase();
  reads = (await workspaceOperations(newApp())).filter(({ method }) => method === 'GET');
  account = await openAccount(db.database, {
    credit: 5_555_555_555n,
    project: { budget: 4_444_444_444n, budgetPeriod: 'month' },
  });
  [ada, bob] = [await settle(ADA), await settle(BOB)];
  await countUsageIn(db.database)();
});
afterAll(() => db.stop());

/** An app in which nobody has called anything yet: one user sends more requests here than they may in a minute. */
function newApp(): AdminApp {
  return createAdminApp({
    ...adminDependencies(db.control),
    identity: adminIdentity(db.control),
    identify: () =>
      Promise.resolve(
        actor === null ? refuse('UNAUTHENTICATED', 'Sign in.') : { actor, address: null, requestId: null },
      ),
  });
}

/** Makes a member with a key, one of the playground, requests that were charged, and one that was refused. */
async function settle({ name, charge, limit }: typeof ADA): Promise<Belongings> {
  const { workspace, project } = account;
  const email = `${name}-${randomUUID()}@example.com`;
  const { userId } = await signedIn(db.database, { email });
  await addMember(db.database, workspace.id, userId, 'member');
  const [key, playground] = [
    await openKey(db.database, project, { name: `key-of-${name}`, expiresAt: new Date(Date.now() + 86_400_000) }),
    await openKey(db.database, project, { name: `playground-of-${name}` }),
  ];
  await db.database.query('update keys set created_by = $2 where id = any ($1)', [[key.id, playground.id], userId]);
  await db.database.query(`update keys set kind = 'console' where id = $1`, [playground.id]);
  await db.database.query('select set_member_limit($1, $2, $3)', [workspace.id, userId, limit]);
  const spender = await Spender.begin(db.database);
  const own = { session: `session-of-${name}`, model: `model-of-${name}` };
  const { requestId } = await spender.spend({ ...account, key }, { hold: charge, charge }, own);
  const tried = { model: `tried-by-${name}` };
  const { requestId: triedId } = await spender.spend({ ...account, key: playground }, { hold: 1n, charge: 0n }, tried);
  await spender.end();
  const caller = principalOf({ ...account, key });
  const refused = refusedRequest(caller, 'MODEL_NOT_FOUND', { model: `missed-by-${name}` });
  const record = recordOf(refused, caller, Date.now());
  await writeRefusals(db.database, { records: [record], unrecorded: new Map([[workspace.id, 3]]) });
  const { publicId } = (
    await db.database.query<{ publicId: string }>('select public_id as "publicId" from keys where id = $1', [key.id])
  )[0] ?? { publicId: '' };
  const { requestId: refusedId } = refused;
  const ids = [userId, key.id, playground.id, requestId, triedId, refusedId, publicId];
  const amounts = [
    String(charge),
    `0.00${charge}`,
    String(limit),
    `${limit / 1_000_000_000n}.${String(limit).slice(1)}`,
  ];
  const texts = [`key-of-${name}`, `-of-${name}`, `-by-${name}`, email, ...amounts];
  return { userId, email, keyIds: [key.id, playground.id], requestId, refusedId, marks: [...ids, ...texts] };
}

function session(role: Role, userId: string): Actor {
  return sessionActor({ sessionId: randomUUID(), userId, roles: new Map([[account.workspace.id, role]]) });
}

function token(role: Role, userId: string): Actor {
  const of = { tokenId: randomUUID(), userId, email: 'x@example.com', workspaceId: account.workspace.id, role };
  return { kind: 'access_token', ...of, withheld: null, scopes: new Set(SCOPES) };
}

/** The queries with which an operation is called; none besides the empty one unless named. */
function queriesOf(operationId: string, { keyIds, userId, email }: Belongings): readonly string[] {
  const byKey = keyIds.map((id) => `key=${id}`);
  const lists = [
    'kind=api',
    'kind=console',
    `created_by=${userId}`,
    `search=${email}`,
    'search=-of-',
    'sort=spend',
    'sort=last_use',
  ];
  const queries: Readonly<Record<string, readonly string[]>> = {
    listKeys: lists,
    listProjectKeys: lists,
    listProjects: ['sort=name'],
    showEndUser: ['name=ada'],
    listReceipts: [...byKey, 'session=session-of-bob', 'model=model-of-bob', 'limit=1'],
    listRefusals: [...byKey, 'model=missed-by-bob', 'limit=1'],
    showOverview: ['figures=true'],
    showUsage: [
      ...WORKSPACE_GROUPINGS.map((by) => `group_by=${by}&compare=true`),
      ...USAGE_BUCKETS.flatMap((bucket) => ['key', 'member', 'session'].map((by) => `group_by=${by}&bucket=${bucket}`)),
      ...byKey.map((key) => `group_by=model&${key}`),
      'latency=true',
    ],
  };
  return ['', ...(queries[operationId] ?? [])];
}

/** The answers of an operation about things of this user. */
async function answersOf(operation: WorkspaceOperation, as: Actor, about: Belongings): Promise<readonly string[]> {
  const nowhere = randomUUID();
  const ids: Readonly<Record<string, readonly string[]>> = {
    key: about.keyIds,
    user: [about.userId],
    request_id: [about.requestId, about.refusedId],
    project: [account.project.id],
    what: ['receipts'],
  };
  const paths = Object.entries(ids).reduce<readonly string[]>(
    (all, [name, values]) =>
      all.flatMap((path) => (path.includes(`{${name}}`) ? values.map((id) => path.replace(`{${name}}`, id)) : [path])),
    [operation.path.replaceAll(/\{(invitation|domain|rule|webhook|event|delivery|sink|top_up|model)\}/g, nowhere)],
  );
  const answers: string[] = [];
  const app = newApp();
  for (const path of paths) {
    expect(path, `${operation.operationId} has a parameter of a new kind: name a thing for it above`).not.toContain(
      '{',
    );
    for (const query of queriesOf(operation.operationId, about)) {
      actor = as;
      const address = `/admin/v1/workspaces/${account.workspace.id}${path}?${query}`;
      const response = await app.request(address, {}, { outgoing: SOCKET });
      answers.push(await textOf(response));
    }
  }
  return answers;
}

/** The part of a server's response that long answers use. */
const SOCKET = {
  setTimeout: () => undefined,
  destroy: () => undefined,
  getHeader: () => undefined,
  setHeader: () => undefined,
  once: () => undefined,
};

/** The body of an answer; of a stream of events, what it begins with. */
async function textOf(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return await response.text();
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let chunks = 0; chunks < 2 || !text.includes('"is_first"'); chunks++) {
    text += (await reader?.read())?.value ?? '';
  }
  await reader?.cancel();
  return text;
}

/** The marks of a user that the answers contain, without the addresses that asked for them. */
function found({ marks }: Pick<Belongings, 'marks'>, answers: readonly string[]): readonly string[] {
  return marks.filter((mark) => answers.some((answer) => answer.includes(mark)));
}

test('a member gets nothing of another member or of the workspace’s money through any operation that reads', async () => {
  for (const operation of reads.filter(({ permission }) => reachOf('member', permission) !== 'none')) {
    for (const as of [session('member', ada.userId), token('member', ada.userId)]) {
      const answers = await answersOf(operation, as, bob);
      const own = await answersOf(operation, as, ada);
      const seen = found({ marks: [...bob.marks, ...OF_ALL] }, [...answers, ...own]);
      expect({ operation: operation.operationId, seen }).toEqual({ operation: operation.operationId, seen: [] });
    }
  }
}, 300_000);

test('the same operations show a member their own things, and those of everybody to an admin', async () => {
  const shown: string[] = [];
  for (const operation of reads.filter(({ servesOwn }) => servesOwn)) {
    const own = found(ada, await answersOf(operation, session('member', ada.userId), ada));
    const others = { marks: [...bob.marks, ...OF_ALL] };
    const ofAll = found(others, await answersOf(operation, session('admin', randomUUID()), bob));
    shown.push(`${operation.operationId} ${own.length > 0} ${ofAll.length > 0}`);
  }
  // Projects are nobody's.
  expect(shown.filter((line) => !line.endsWith('true true')).toSorted()).toEqual([
    'listProjects false true',
    'showProject false true',
  ]);
});

test('a member changes their own keys, and to them there are no others', async () => {
  const changes = (await workspaceOperations(newApp())).filter(
    ({ method, path, permission }) => method !== 'GET' && permission === 'keys:write' && path.includes('{key}'),
  );
  expect(changes.length).toBeGreaterThan(3);
  const spare = await openKey(db.database, account.project, { name: 'spare' });
  await db.database.query('update keys set created_by = $2 where id = $1', [spare.id, ada.userId]);
  for (const as of [session('member', ada.userId), token('member', ada.userId)]) {
    for (const { method, path } of changes) {
      const statusFor = async (keyId = ''): Promise<number> => {
        actor = as;
        const address = `/admin/v1/workspaces/${account.workspace.id}${path.replace('{key}', keyId)}`;
        const headers = { 'content-type': 'application/json', 'if-match': '*', 'sec-fetch-site': 'same-origin' };
        return (await newApp().request(address, { method, headers, body: '{}' })).status;
      };
      expect([path, await statusFor(bob.keyIds[0])]).toEqual([path, 404]);
      // The last of them revokes it, after which it cannot be rotated.
      expect([200, 409]).toContain(await statusFor(spare.id));
    }
  }
});

test('an operation that does not say that it keeps to own things refuses those who have the right to these alone', async () => {
  const others = reads.filter(({ permission, servesOwn }) => reachOf('member', permission) === 'own' && !servesOwn);
  expect(others.map(({ operationId }) => operationId).toSorted()).toEqual([
    'listEndUserLimits',
    'listInvitations',
    'listSinks',
    'showEndUser',
    'showMove',
    'showWorkspace',
  ]);
  for (const operation of others) {
    for (const answer of await answersOf(operation, session('member', ada.userId), ada)) {
      expect(answer).toMatch(/for what is your own alone.*"code":"FORBIDDEN"/);
    }
  }
});

test('each operation that keeps to own things is of a permission that some role has for these alone', async () => {
  const own = (await workspaceOperations(newApp())).filter(({ servesOwn }) => servesOwn);
  expect(own.length).toBeGreaterThan(15);
  for (const { operationId, permission } of own) {
    expect([operationId, ROLES.some((role) => reachOf(role, permission) === 'own')]).toEqual([operationId, true]);
  }
});

test('usage of a member is that of their own requests, to the last unit', async () => {
  actor = session('member', ada.userId);
  const answer = await newApp().request(`/admin/v1/workspaces/${account.workspace.id}/usage`);
  expect(await answer.json()).toMatchObject({
    total: { requests: 2, charge_nano_usd: String(ADA.charge), latency: null },
  });
});

test.each(['member', 'admin'] as const)(
  'the figures of an overview are those of the single operations to the role %s',
  async (role) => {
    actor = session(role, ada.userId);
    const app = newApp();
    const get = async (below: string): Promise<unknown> => {
      const response = await app.request(
        `/admin/v1/workspaces/${account.workspace.id}${below}`,
        {},
        { outgoing: SOCKET },
      );
      return response.status === 200 ? await response.json() : null;
    };
    const usage = async (query: object): Promise<unknown> =>
      await get(`/usage?${new URLSearchParams(query as Record<string, string>).toString()}`);
    const nowMs = Date.now();
    const single = {
      workspace: await get(''),
      receipts: await get('/receipts?limit=5'),
      days: await usage({ ...homeDays(nowMs), bucket: 'day' }),
      last_day: await usage({ ...lastDay(nowMs), latency: 'true' }),
      last_month: await usage(lastMonthSoFar(nowMs)),
    };
    expect(await get('/overview?figures=true')).toMatchObject({ figures: single });
    expect([single.workspace === null, single.days === null]).toEqual([role === 'member', false]);
    expect(await get('/overview')).toMatchObject({ figures: null });
  },
);
