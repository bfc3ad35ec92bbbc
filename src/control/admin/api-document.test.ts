import { EventEmitter } from 'node:events';
import { textOfAnswer } from '../../../test/support/text-of-answer.ts';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminDependencies } from '../../../test/support/admin-dependencies.ts';
import { adminIdentity } from '../../../test/support/admin-identity.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import {
  type DescribedOperation,
  describedOperations,
  deviationOf,
  differenceFrom,
} from '../../../test/support/described-api.ts';
import { creatingOperations, exampleCreation } from '../../../test/support/example-creations.ts';
import { type FullTenant, openFullTenant, thingsOf } from '../../../test/support/full-tenant.ts';
import { brokenRequests, type RandomRequest, validRequests } from '../../../test/support/random-requests.ts';
import type { Actor, SessionActor } from '../../domain/actor.ts';
import { refuse } from '../../domain/refusals.ts';
import type { Role } from '../../domain/roles.ts';
import { createAdminApp } from './admin-app.ts';
import type { AdminApp } from './route-access.ts';

// Sends each operation of the document random requests, as several callers, and compares every answer with the document.
// API_ROUNDS and API_SEED make it longer, or another one.

const ROUNDS = Number(process.env['API_ROUNDS'] ?? 1);
const SEED = Number(process.env['API_SEED'] ?? 1);
const REQUESTS_PER_ROUND = 8;

/**
 * Rules that a schema can't express, by the field that a refusal names. Whatever else the document allows may not be refused
 * as invalid.
 */
const RULES_BEYOND_SCHEMAS: Readonly<Record<string, readonly string[]>> = {
  // A link is of this instance, a code of an authenticator or a batch.
  setUp: ['token', 'password'],
  resetPassword: ['token', 'password'],
  signUp: ['token', 'password'],
  showInvitation: ['token'],
  acceptInvitation: ['token'],
  acceptInvitationAsNewUser: ['token', 'password'],
  confirmAuthenticator: ['code'],
  redeemCode: ['code'],
  // A declaration is what the config file may have, which has a schema of its own.
  storeProvider: ['declaration', 'api_key'],
  storeModel: ['declaration'],
  // Another cell is at an address that it may be at, and has another shard.
  storeCell: ['url', 'shard'],
  // What arrives is the text of JSON objects.
  beginArrival: ['prices'],
  receiveRows: ['rows'],
  landRows: ['rows'],
  // Only a read-only token is for backups: all others may do everything.
  createOperatorToken: ['backup'],
  // Passwords are not common ones.
  setMyPassword: ['password'],
  // Times are in the future, or far enough in the past; networks are real ones; a token has no more rights than its user.
  createKey: ['expires_at', 'allowed_networks'],
  updateKey: ['expires_at', 'allowed_networks', 'raised_limit_usd', 'raised_until'],
  // A limit is raised above itself, until a time in the future.
  updateProject: ['raised_limit_usd', 'raised_until'],
  setEndUserLimit: ['raised_limit_usd', 'raised_until'],
  changeMember: ['raised_limit_usd', 'raised_until'],
  createAccessToken: ['expires_at', 'scopes'],
  createCodeBatch: ['expires_at'],
  // A provider has an address that may be reached, and a client; without one nothing is left to it.
  changeAccess: ['issuer', 'client_id', 'only_openid', 'allowed_networks'],
  sealReceipts: ['before'],
  // Times are whole hours in order; what is asked for is kept, and buckets times groups fit into an answer.
  showUsage: ['from', 'to', 'group_by', 'and_by', 'bucket', 'compare', 'latency', 'limit'],
  showUsageOfAll: ['from', 'to', 'group_by', 'and_by', 'bucket', 'compare', 'latency', 'limit'],
  exportUsage: ['from', 'to', 'group_by', 'and_by', 'bucket'],
  // Each kind of rule has a threshold of its own.
  createAlertRule: ['threshold_usd', 'percent', 'days', 'subject_id', 'threshold'],
  updateAlertRule: ['threshold_usd', 'percent', 'days', 'threshold'],
  // A correction names either the price or a charge within the hold; a refund takes no more than was paid.
  correctReceipt: ['', 'price_version', 'charge_usd'],
  // Credit expires in the future; that of a period with it, after some days, or never.
  postCredit: ['amount_usd', 'expires_at'],
  createRecurringGrant: [''],
  // The model is on sale, and the percentage within its bounds.
  adjustPrices: ['model', 'change_percent'],
  // The cursor of a sorted list holds the value of its last item.
  listWorkspaces: ['cursor'],
  listProjects: ['cursor'],
  listEndUserLimits: ['cursor'],
  listKeys: ['cursor'],
  listProjectKeys: ['cursor'],
  showStatement: ['cursor'],
  listExpiringGrants: ['cursor'],
  // One of the parameters is given.
  lookUp: [''],
  // Entries have nothing that receipts are chosen by.
  exportRecords: ['key', 'project', 'model', 'outcome', 'dialect', 'min_charge_usd'],
  // Amounts are within the terms of the instance.
  createTopUp: ['amount_usd'],
  refundTopUp: ['amount_usd'],
  updatePaymentSettings: ['amount_usd', 'month_max_usd', 'enabled', 'consent'],
};

const CALLERS = ['operator', 'owner', 'operator', 'owner', 'viewer', 'nobody'] as const;
type Caller = (typeof CALLERS)[number];

let db: TestDatabase;
let app: AdminApp;
let operations: readonly DescribedOperation[];
let actor: Actor | null = null;
const faults: unknown[] = [];
let sent = 0;

beforeAll(async () => {
  db = await startTestDatabase();
  app = createAdminApp({
    ...adminDependencies(db.control),
    identity: adminIdentity(db.control, { sendMail: () => Promise.resolve(), allowsSignUp: true }),
    identify: () =>
      Promise.resolve(
        actor === null ? refuse('UNAUTHENTICATED', 'Sign in.') : { actor, address: null, requestId: randomUUID() },
      ),
    onFault: (fault) => void faults.push(fault),
  });
  operations = describedOperations((await (await app.request('/admin/openapi.json')).json()) as object);
});
afterAll(() => db.stop());

function actorOf(caller: Caller, { workspace, owner, viewer }: FullTenant): Actor | null {
  const member = ({ act }: FullTenant['owner'], role: Role): SessionActor => ({
    ...act.actor,
    authenticatedAtMs: Date.now(),
    roles: new Map([[workspace.id, role]]),
    withheld: new Map(),
    providerId: null,
  });
  if (caller === 'operator') return { kind: 'operator', tokenId: null, name: 'operator', access: 'all' };
  if (caller === 'owner') return member(owner, 'owner');
  return caller === 'viewer' ? member(viewer, 'viewer') : null;
}

/** Sends the request from an address of its own; returns what is wrong with the answer. */
async function send(operation: DescribedOperation, { path, method, headers, body }: RandomRequest) {
  sent += 1;
  const remoteAddress = `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}`;
  const outgoing = Object.assign(new EventEmitter(), {
    setTimeout: () => undefined,
    destroy: () => undefined,
    getHeader: () => undefined,
  });
  const socket = Object.assign(new EventEmitter(), { remoteAddress });
  const response = await app.request(
    path,
    { method, headers: { 'sec-fetch-site': 'same-origin', ...headers }, ...(body === null ? {} : { body }) },
    { incoming: { socket }, outgoing },
  );
  const { status } = response;
  const text = await textOfAnswer(response);
  const deviation = deviationOf(operation, { status, type: response.headers.get('content-type') ?? '', text });
  if (status >= 500 && status !== 503) return { deviation: `${status}: ${String(faults.at(-1))}`, refused: null };
  const isRefusal = status === 400 && text.startsWith('{');
  const { error } = (isRefusal ? JSON.parse(text) : {}) as { error?: { param: string | null; message: string } };
  return { deviation, refused: error ?? null };
}

async function explore(operation: DescribedOperation, seed: number): Promise<string | null> {
  const tenant = await openFullTenant(db.database);
  const known = thingsOf(tenant);
  const callers = fc.constantFrom(...CALLERS);
  const valid = validRequests(operation, known).map((request) => ({ request, isValid: true }));
  const broken = brokenRequests(operation, known).map((request) => ({ request, isValid: false }));
  const property = fc.asyncProperty(callers, fc.oneof(valid, broken), async (caller, { request, isValid }) => {
    actor = actorOf(caller, tenant);
    const { deviation, refused } = await send(operation, request);
    if (deviation !== null) throw new Error(`as ${caller}: ${deviation}`);
    const rules = RULES_BEYOND_SCHEMAS[operation.operationId] ?? [];
    // Of a list, the refusal names the item.
    const field = refused?.param?.replace(/\.\d+$/, '') ?? '';
    if (isValid && refused !== null && !rules.includes(field)) {
      throw new Error(`as ${caller}, a valid request is refused (${refused.param}): ${refused.message}`);
    }
  });
  const numRuns = REQUESTS_PER_ROUND * (operation.requestBody === undefined ? 1 : 3);
  const { failed, counterexample, errorInstance } = await fc.check(property, { seed, numRuns, endOnFailure: true });
  if (!failed) return null;
  const shown = JSON.stringify(counterexample).slice(0, 600);
  return `${operation.operationId}: ${(errorInstance as Error).message}\n  API_SEED=${seed} ${shown}`;
}

test('every example of a request in the document conforms to its schema', () => {
  for (const { operationId, requestBody } of operations) {
    if (requestBody === undefined) continue;
    const { schema, example } = requestBody.content['application/json'];
    expect({ operationId, deviation: differenceFrom(schema, example) }).toEqual({ operationId, deviation: null });
  }
});

/** Its codes can't be shown again. */
const NOT_REPEATED_HERE = 'createCodeBatch';

test('every operation that creates something takes a name for it, and a repetition under the name creates nothing', async () => {
  const creating = creatingOperations(operations);
  for (const operation of creating.filter(({ operationId }) => operationId !== NOT_REPEATED_HERE)) {
    const { operationId } = operation;
    const tenant = await openFullTenant(db.database);
    actor = actorOf(operation['x-access'] === 'personal' ? 'owner' : 'operator', tenant);
    const { path, method, headers, body: example } = exampleCreation(operation, tenant);
    const create = async (more: object) => {
      const body = JSON.stringify({ ...example, once: `once ${operationId}`, ...more });
      const response = await app.request(path, { method, headers, body });
      const made = (await response.json()) as { id?: string; posting?: { id: string }; error?: { code: string } };
      return { status: response.status, id: made.id ?? made.posting?.id, code: made.error?.code, made };
    };
    const first = await create({});
    expect({ operationId, status: first.status, made: first.made }).toMatchObject({ status: 201, made: {} });
    const again = await create({});
    expect({ operationId, ok: again.status === 200 || again.status === 201, id: again.id }).toEqual({
      operationId,
      ok: true,
      id: first.id,
    });
    const secrets = again.made as { key?: unknown; token?: unknown; secret?: unknown; link?: unknown };
    expect(
      [secrets.key, secrets.token, secrets.secret, secrets.link].filter((secret) => typeof secret === 'string'),
    ).toEqual([]);
    const field = ['name', 'reason', 'description', 'role'].find((name) => name in example) ?? '';
    const other = await create({ [field]: field === 'role' ? 'viewer' : 'another' });
    expect({ operationId, code: other.code }).toEqual({ operationId, code: 'IDEMPOTENCY_MISMATCH' });
  }
});

/** What the gate answers, which a started program alone has. */
const OF_THE_GATE: readonly string[] = ['playgroundChat', 'playgroundQuote'];

test('every answer to a random request is documented, none is a fault, and no valid request is called invalid', async () => {
  const found: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, operation] of operations.entries()) {
      if (OF_THE_GATE.includes(operation.operationId)) continue;
      const failure = await explore(operation, SEED + round * operations.length + index);
      if (failure !== null) found.push(failure);
    }
  }
  expect(found).toEqual([]);
}, 600_000);
