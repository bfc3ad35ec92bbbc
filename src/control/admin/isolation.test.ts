import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminDependencies } from '../../../test/support/admin-dependencies.ts';
import { adminIdentity, sessionActor } from '../../../test/support/admin-identity.ts';
import { type FullTenant, openFullTenant, thingsOf } from '../../../test/support/full-tenant.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { addMember, signedIn } from '../../../test/support/identity.ts';
import { countUsageIn } from '../../../test/support/verify-ledger.ts';
import { type WorkspaceOperation, workspaceOperations } from '../../../test/support/workspace-operations.ts';
import { textOfAnswer } from '../../../test/support/text-of-answer.ts';
import type { Actor, SessionActor } from '../../domain/actor.ts';
import { refuse } from '../../domain/refusals.ts';
import type { Price, Rates } from '../../domain/price.ts';
import { type Permission, PERMISSIONS, reachOf, type Role, ROLES, SCOPES } from '../../domain/roles.ts';
import { TOKEN_CLASSES } from '../../domain/usage.ts';
import type { OfferedModel } from '../catalogue/catalogue-diff.ts';
import { applyCatalogue } from '../catalogue/price-versions.ts';
import { createAdminApp } from './admin-app.ts';
import type { AdminApp } from './route-access.ts';

// Calls every route of a workspace that the document has, as everybody. A new route needs nothing here unless it has a
// parameter or a body of a new kind: then the test fails until it is named below.

/** Bodies that each operation takes; the empty object unless named. */
const BODIES: Readonly<Record<string, object>> = {
  get changeWorkspace() {
    return { name: `renamed ${randomUUID()}` };
  },
  suspendWorkspace: { reason: 'a test' },
  changeAccess: { second_factor: false },
  addDomain: { domain: 'another.example' },
  createProject: { name: 'Another' },
  setEndUserLimit: { name: 'ada', limit_usd: '5' },
  adjustPrices: { change_percent: '-10' },
  postCredit: { kind: 'grant', amount_usd: '1', reason: 'a test' },
  correctReceipt: { charge_usd: '0', reason: 'a test' },
  changeMember: { role: 'viewer' },
  createAlertRule: { name: 'Low', kind: 'balance_below', threshold_usd: '1' },
  createWebhook: { url: 'https://hooks.example/faregate' },
  createTopUp: { amount_usd: '5' },
  redeemCode: { code: 'fg-unknown' },
  createInvitation: { email: 'someone@example.com', role: 'viewer' },
  inviteColleagues: { emails: ['one@example.com', 'other@example.com'], role: 'viewer' },
};

/** What the query of an operation names, by its path parameter of the same kind. */
const QUERIES: Readonly<Record<string, string>> = {
  playgroundChat: 'project',
  playgroundQuote: 'project',
  showEndUser: 'name',
};
/** A model whose provider asks 18 × 4.321987 USD for a tenant's one request, less than a millionth of which the tenant pays. */
const COSTED_MODEL: OfferedModel = {
  id: 'small-chat',
  terms: {
    kind: 'chat',
    price: flat(1n),
    contextWindow: 100,
    maxOutput: 10,
    media: { imageTokens: null, audioTokens: null, fileTokens: null },
  },
  routes: [{ provider: 'local', upstreamModel: 'qwen3', cost: flat(4_321_987_000_000n) }],
  reasoning: false,
};

function flat(perMillion: bigint): Price {
  return { rates: Object.fromEntries(TOKEN_CLASSES.map((name) => [name, perMillion])) as Rates, tiers: [] };
}

/** The cost of the request, its margin, and the rates that they follow from, in any unit; and the names of such fields. */
const COSTS = /7779576|7779574|4321\.?987|cost_nano_usd|cost_usd|costed|margin/;

let db: TestDatabase;
let app: AdminApp;
let operations: readonly WorkspaceOperation[];
let one: FullTenant;
let other: FullTenant;
/** Operations that also take a provider of payments, a code, a delivery that has ended or a model: of them only the rights are checked here. */
const RIGHTS_ONLY: ReadonlySet<string> = new Set([
  'createTopUp',
  'showTopUp',
  'refundTopUp',
  'redeemCode',
  'resendDelivery',
  'showModel',
  // There is no record.
  'proveDomain',
  // It has never moved.
  'showMove',
  // No sink is declared.
  'updateSink',
]);

/** The part of a server's response that long answers, and those of the gate, use. */
const SOCKET = {
  outgoing: {
    setTimeout: () => undefined,
    destroy: () => undefined,
    getHeader: () => undefined,
    setHeader: () => undefined,
    once: () => undefined,
  },
};

const USERS = 20;

/** The users behind sessions and tokens, in turn: one alone would exceed its rate. */
const users: string[] = [];
let calls = 0;
let actor: Actor | null = null;

beforeAll(async () => {
  db = await startTestDatabase();
  await applyCatalogue(db.database, [COSTED_MODEL], { accept: [] });
  app = createAdminApp({
    ...adminDependencies(db.control),
    identity: adminIdentity(db.control),
    identify: () =>
      Promise.resolve(
        actor === null ? refuse('UNAUTHENTICATED', 'Sign in.') : { actor, address: null, requestId: null },
      ),
  });
  operations = await workspaceOperations(app);
  for (let n = 0; n < USERS; n++) users.push((await signedIn(db.database)).userId);
  [one, other] = [await openFullTenant(db.database), await openFullTenant(db.database)];
  await countUsageIn(db.database)();
});
afterAll(() => db.stop());

function nextUser(): string {
  calls += 1;
  return users[calls % USERS] ?? '';
}

function session(workspaceId: string, role: Role): SessionActor {
  return sessionActor({ sessionId: randomUUID(), userId: nextUser(), roles: new Map([[workspaceId, role]]) });
}

function token(workspaceId: string, role: Role, scopes: readonly Permission[]): Actor {
  return {
    kind: 'access_token',
    tokenId: randomUUID(),
    userId: nextUser(),
    email: 'ada@example.com',
    workspaceId,
    role,
    withheld: null,
    scopes: new Set(scopes),
  };
}

interface Target {
  readonly workspaceId: string;
  readonly things: FullTenant;
  /** Other things than the tenant's, by the names of their parameters. */
  readonly others?: Readonly<Record<string, string>>;
}

/** Sends a request of the operation about the things of a tenant. */
async function send(
  { operationId, method, path, hasBody }: WorkspaceOperation,
  as: Actor,
  { workspaceId, things, others = {} }: Target,
): Promise<{ readonly status: number; readonly text: string }> {
  const ids: Readonly<Record<string, string>> = { ...thingsOf(things), what: 'receipts', ...others };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`${operationId} has a parameter "${name}": name a thing for it above`);
    return id;
  });
  const named = QUERIES[operationId];
  const query = named === undefined ? '' : `?${named}=${ids[named] ?? ''}`;
  actor = as;
  const response = await app.request(
    `/admin/v1/workspaces/${workspaceId}${filled}${query}`,
    {
      method,
      headers: {
        'if-match': '*',
        'sec-fetch-site': 'same-origin',
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
      },
      ...(hasBody ? { body: JSON.stringify(BODIES[operationId] ?? {}) } : {}),
    },
    SOCKET,
  );
  return { status: response.status, text: await textOfAnswer(response) };
}

/** The same, with what a refusal says. */
async function call(
  operation: WorkspaceOperation,
  as: Actor,
  target: Target,
): Promise<{ readonly status: number; readonly code: string | null; readonly message: string }> {
  const { status, text } = await send(operation, as, target);
  const { error } = (text.startsWith('{') ? JSON.parse(text) : {}) as { error?: { code: string; message: string } };
  return { status, code: error?.code ?? null, message: error?.message ?? '' };
}

const own = (tenant: FullTenant) => ({ workspaceId: tenant.workspace.id, things: tenant });

test('the document has the routes of all that a workspace has', () => {
  expect(operations.length).toBeGreaterThan(30);
});

test('an owner of one workspace gets the same 404 from every route of another as from one that does not exist', async () => {
  const nowhere = { workspaceId: randomUUID(), things: other };
  for (const operation of operations) {
    for (const as of [session(one.workspace.id, 'owner'), token(one.workspace.id, 'owner', SCOPES)]) {
      const foreign = await call(operation, as, own(other));
      expect({ operation: operation.operationId, ...foreign }).toMatchObject({ status: 404, code: 'NOT_FOUND' });
      expect(foreign).toEqual(await call(operation, as, nowhere));
    }
  }
});

test('an owner finds nothing of another workspace by its id in a route of the own one', async () => {
  for (const operation of operations.filter(
    ({ operationId, path }) => operationId in QUERIES || /\{(?!what)/.test(path),
  )) {
    const at = { workspaceId: one.workspace.id, things: other };
    for (const as of [session(one.workspace.id, 'owner'), { kind: 'job', name: 'test' } as const]) {
      expect({ operation: operation.operationId, ...(await call(operation, as, at)) }).toMatchObject(
        as.kind === 'session' && reachOf('owner', operation.permission) === 'none' ? { status: 403 } : { status: 404 },
      );
    }
  }
});

test('each role may do exactly what the role table says, in a session and with an access token', async () => {
  for (const operation of operations) {
    for (const role of ROLES) {
      const reach = reachOf(role, operation.permission);
      const tenant = reach === 'none' || operation.method === 'GET' ? one : await openFullTenant(db.database);
      const { id } = tenant.workspace;
      const as = session(id, role);
      // Keys are made by members.
      if (tenant !== one) await addMember(db.database, id, as.userId, role);
      const answers = [await call(operation, as, own(tenant))];
      if (reach === 'none') {
        answers.push(await call(operation, token(id, role, PERMISSIONS), own(tenant)));
        for (const { code } of answers) expect(`${operation.operationId} ${role} ${code}`).toContain('FORBIDDEN');
      } else if (RIGHTS_ONLY.has(operation.operationId)) {
        // Of a workspace's things, some are for no one who has only own ones.
        const refusals = reach === 'own' ? [400, 403, 404, 409] : [400, 404, 409];
        for (const { status } of answers) expect(refusals).toContain(status);
      } else if (reach === 'all') {
        const [{ status, code, message } = { status: 0, code: null, message: '' }] = answers;
        const outcome = `${operation.operationId} as ${role}: ${status} ${code ?? ''} ${message}`;
        expect(outcome).toMatch(/: 20[01] /);
      }
    }
  }
}, 120_000);

test('an access token without a route’s scope is refused there, whatever its role', async () => {
  for (const operation of operations.filter(({ permission }) => SCOPES.includes(permission))) {
    const others = SCOPES.filter((scope) => scope !== operation.permission);
    const as = token(one.workspace.id, 'owner', others);
    const { code } = await call(operation, as, own(one));
    expect(`${operation.operationId} ${code}`).toBe(`${operation.operationId} FORBIDDEN`);
  }
});

test('no answer to a member shows what a provider costs, in any role, whereas the operator sees it in usage', async () => {
  const target = { ...own(await openFullTenant(db.database)), others: { model: COSTED_MODEL.id } };
  await countUsageIn(db.database)();
  const operator: Actor = { kind: 'operator', tokenId: null, name: 'operator', access: 'read' };
  const shown: string[] = [];
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    for (const role of ROLES) {
      const as = [session(target.workspaceId, role), token(target.workspaceId, role, SCOPES)];
      for (const each of as) {
        const { text } = await send(operation, each, target);
        const leak = COSTS.exec(text)?.[0];
        expect(`${operation.operationId} as ${role}: ${leak}`).toBe(`${operation.operationId} as ${role}: undefined`);
      }
    }
    if (COSTS.test((await send(operation, operator, target)).text)) shown.push(operation.operationId);
  }
  expect(shown.toSorted()).toEqual(['exportUsage', 'showUsage']);
});
