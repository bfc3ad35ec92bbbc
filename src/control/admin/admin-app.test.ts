import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { grantCredit, openAccount, Spender } from '../../../test/support/accounts.ts';
import { controlOf, startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { verifyLedger } from '../../../test/support/verify-ledger.ts';
import { Catalogue } from '../catalogue/catalogue.ts';
import { isRefusal } from '../../domain/refusals.ts';
import type { OfferedModel } from '../catalogue/catalogue-diff.ts';
import { NO_TOKENS, TOKEN_CLASSES, type TokenClass } from '../../domain/usage.ts';
import type { LedgerReport } from '../ledger/verify.ts';
import { SystemClock } from '../../lib/clock.ts';
import { DatabaseUnavailable, type Sql, type UnavailableReason } from '../../lib/sql.ts';
import { adminDependencies } from '../../../test/support/admin-dependencies.ts';
import { serveAdmin } from '../../../test/support/served-admin.ts';
import { adminIdentity, identifyOwn } from '../../../test/support/admin-identity.ts';
import { createAdminApp, type AdminDependencies } from './admin-app.ts';
import { createAdminClient, type AdminClient } from './client.ts';
import { AdminRefused, AdminUnreachable } from './client/send.ts';

const TOKEN = 'operator-token';
const NOBODY = '00000000-0000-4000-8000-000000000000';

interface OpenApi {
  readonly paths: Record<string, Record<string, { readonly parameters?: readonly { readonly name: string }[] }>>;
}

/** No workspace with prices of its own. */
const ANY_WORKSPACE = '00000000-0000-7000-8000-000000000000';

let testDatabase: TestDatabase;
let sql: Sql;
let deps: AdminDependencies;
let client: AdminClient;
let url: string;
let close: () => Promise<void>;

function offered(perMillion: bigint): OfferedModel {
  const rates = Object.fromEntries(TOKEN_CLASSES.map((tokenClass) => [tokenClass, perMillion])) as Record<
    TokenClass,
    bigint
  >;
  const media = { imageTokens: null, audioTokens: null, fileTokens: null };
  const price = { rates, tiers: [] };
  const terms = { kind: 'chat', price, contextWindow: 10, maxOutput: 5, media } as const;
  return { id: 'small-chat', terms, routes: [{ provider: 'local', upstreamModel: 'qwen3' }], reasoning: false };
}

beforeAll(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
  const { control } = testDatabase;
  const parts = adminDependencies(control);
  deps = {
    ...parts,
    identify: identifyOwn(control, TOKEN),
    identity: adminIdentity(control),
    metrics: { render: () => Promise.resolve('faregate_requests_total 1\n'), contentType: 'text/plain' },
    catalogue: new Catalogue({ sql, clock: new SystemClock(), configured: [offered(1_000n)], onFault: parts.onFault }),
    status: () => ({
      version: '0.1.0',
      ready: true,
      startedAt: new Date(0),
      database: 'embedded',
      problems: ['a price waits'],
    }),
    examine: () => Promise.resolve([{ check: 'fsync', status: 'ok', message: 'fast', advice: null }]),
    health: () => Promise.resolve({ processes: 1, reports: [] }),
    backup: () => Promise.resolve(new Blob(['all of it']).stream()),
  };
  ({ url, close } = await serveAdmin(createAdminApp(deps), TOKEN));
  client = createAdminClient({ url: `${url}/`, token: TOKEN });
});
afterAll(async () => {
  await close();
  await testDatabase.stop();
});

/** The part of a GET operation in the document that lists need. */
interface ListOperation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Record<
    string,
    { content?: Record<string, { schema?: { properties?: Record<string, unknown> } }> }
  >;
}

function propertiesOf(operation: ListOperation | undefined): Record<string, unknown> | undefined {
  return operation?.responses['200']?.content?.['application/json']?.schema?.properties;
}

/** Sends the given request; returns status, headers and error. */
async function raw(path: string, init: RequestInit = {}, app = createAdminApp(deps)) {
  const headers = { authorization: `Bearer ${TOKEN}`, ...(init.headers as Record<string, string> | undefined) };
  const response = await app.request(`http://127.0.0.1${path}`, { ...init, headers });
  const body = (await response.json().catch(() => ({}))) as { error?: Record<string, unknown> };
  return { status: response.status, headers: response.headers, error: body.error ?? {} };
}

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  raw(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

test('the admin API serves a workspace from its creation to its history, by id and by name', async () => {
  const made = await client.createWorkspace({ name: 'Acme & Söhne' });
  expect(made).toMatchObject({ name: 'Acme & Söhne', balance_nano_usd: '0', balance_usd: '0.00' });
  const granted = await client.postCredit('Acme & Söhne', {
    kind: 'grant',
    amount_usd: '5.000000001',
    reason: 'welcome',
  });
  expect(granted).toMatchObject({ amount_nano_usd: '5000000001', balance_usd: '5.000000001' });
  await client.createProject(made.id, { name: 'Default' });
  const shown = await client.showWorkspace(made.id);
  expect(shown).toMatchObject({ balance_nano_usd: '5000000001', held_nano_usd: '0' });
  expect((await client.listProjects(made.id)).data).toMatchObject([{ name: 'Default' }]);
  expect((await client.listPostings(made.id)).data).toMatchObject([
    { id: granted.id, kind: 'grant', amount_usd: '5.000000001', actor: 'operator', reason: 'welcome' },
  ]);
  expect((await client.listWorkspaces()).data).toContainEqual({ ...made, ...shown });
});

test('the admin API serves a project and its keys, by every kind of reference', async () => {
  const { id } = await client.createWorkspace({ name: 'Ways' });
  const limits = { requests_per_minute: 6, tokens_per_minute: 5_000_000_000, concurrency: 2, models: ['sandbox/*'] };
  const project = await client.createProject('Ways', {
    name: 'Main project',
    ...limits,
    budget_usd: '10',
    budget_period: 'day',
  });
  expect(project).toMatchObject({ ...limits, workspace_id: id, budget_nano_usd: '10000000000', budget_usd: '10.00' });
  const cleared = await client.updateProject('Ways/Main project', { budget_usd: null, models: null });
  expect(cleared).toMatchObject({ requests_per_minute: 6, budget_usd: null, models: null, budget_period: 'day' });
  const { warnings: _warned, ...changed } = cleared;
  expect((await client.listProjects('Ways')).data).toEqual([changed]);
  const key = await client.createKey('Main project', { spend_limit_usd: '1.5', expires_at: '2999-01-31' });
  expect(key).toMatchObject({
    name: 'unnamed',
    spend_limit_nano_usd: '1500000000',
    expires_at: '2999-01-31T00:00:00.000Z',
  });
  const { key: secret, warnings: _none, ...listed } = key;
  expect((await client.listProjectKeys(project.id)).data).toEqual([listed]);
  expect(JSON.stringify(listed)).not.toContain(secret.slice(20, 53));
  const revoked = await client.revokeKey(secret);
  expect(revoked).toMatchObject({ id: key.id, revoked_at: expect.any(String) });
  expect(await client.revokeKey(key.id)).toEqual(revoked);
});

test('the admin API compares and applies the catalogue, immediately in force, which policies are checked against', async () => {
  expect((await client.previewCatalogue()).changes).toMatchObject([
    { model: 'small-chat', change: 'add', needs_accept: false },
  ]);
  expect(await client.applyCatalogue({})).toMatchObject({ applied: [{ model: 'small-chat' }], withheld: [] });
  expect(deps.catalogue.find('small-chat', ANY_WORKSPACE)?.terms.price.rates.input).toBe(1_000n);
  deps.catalogue.configure([offered(50_000n)], []);
  expect(await client.applyCatalogue({ accept: [] })).toMatchObject({
    applied: [],
    withheld: [{ needs_accept: true }],
  });
  expect(deps.catalogue.find('small-chat', ANY_WORKSPACE)?.terms.price.rates.input).toBe(1_000n);
  await client.applyCatalogue({ accept: ['small-chat'] });
  expect(deps.catalogue.find('small-chat', ANY_WORKSPACE)?.terms.price.rates.input).toBe(50_000n);
  expect(await client.previewCatalogue()).toEqual({ changes: [], on_sale: ['small-chat'] });

  // A policy is compared with the models on sale. Nothing is refused, because it may name future models.
  const workspace = await client.createWorkspace({ name: 'Policies' });
  const models = ['small-chart', 'small-*', 'other/*'];
  const warnings = [
    '"small-chart" matches no model that is on sale: did you mean "small-chat"?',
    '"other/*" matches no model that is on sale.',
  ];
  const project = await client.createProject(workspace.id, { name: 'Strict', models });
  expect(project).toMatchObject({ models, warnings });
  expect(await client.updateProject(project.id, { models: ['small-chat'] })).toMatchObject({ warnings: [] });
  expect(await client.updateProject(project.id, { models })).toMatchObject({ warnings });
  // A setting that names one model is no policy.
  for (const [model, more] of [
    ['small-chart', ': did you mean "small-chat"?'],
    ['small-*', '.'],
  ] as const)
    expect((await client.updateProject(project.id, { model_when_spent: model })).warnings).toEqual([
      `"${model}" is the id of no model that is on sale${more}`,
    ]);
  expect(await client.createKey(project.id, { models })).toMatchObject({ models, warnings });
  expect(await client.createKey(project.id, {})).toMatchObject({ warnings: [] });
});

test('the admin API serves a receipt, and a proof that includes it', async () => {
  const account = await openAccount(sql, { credit: 1_000n });
  const spender = await Spender.begin(sql);
  const receipt = await spender.spend(account, { hold: 500n, charge: 20n });
  expect(await client.showReceipt(receipt.requestId)).toMatchObject({
    request_id: receipt.requestId,
    charge_nano_usd: '20',
    charge_usd: '0.00000002',
    hold_nano_usd: '500',
    usage: { certainty: 'exact', tokens: { ...NO_TOKENS, input: 7, output: 11 } },
    attempts: [
      {
        provider: 'local',
        upstream_model: 'qwen3',
        status: 200,
        duration_ms: 10,
        fault: null,
        strategy: null,
        charged: null,
      },
    ],
  });
  const shown = await client.showReceipt(receipt.requestId);
  expect(shown).toMatchObject({
    workspace_name: account.workspace.name,
    project_name: account.project.name,
    key_name: account.key.name,
  });
  expect(await client.showLastReceipt()).toEqual(shown);
  const later = await spender.spend(await openAccount(sql, { credit: 1_000n }), { hold: 500n, charge: 20n });
  expect((await client.showLastReceipt()).request_id).toBe(later.requestId);
  expect(await client.showWorkspace(account.workspace.id)).toMatchObject({
    balance_nano_usd: '980',
    held_nano_usd: '480',
  });
  expect(await client.verifyLedger()).toMatchObject({ ok: true, differences: [], charges_nano_usd: '40' });
  await sql.query('update receipts set charge_nano_usd = 21 where request_id = $1', [receipt.requestId]);
  const report = await client.verifyLedger();
  expect(report).toMatchObject({ ok: false, difference_count: 4 });
  expect(report.differences[0]).toMatchObject({ check: 'purse_spent', expected: '21', actual: '20' });
  await sql.query('update receipts set charge_nano_usd = 20 where request_id = $1', [receipt.requestId]);
  await spender.end();
});

test('the admin API serves the status and a backup', async () => {
  expect(await client.showStatus()).toMatchObject({ version: '0.1.0', ready: true, problems: ['a price waits'] });
  expect(await text(Readable.fromWeb(await client.downloadBackup()))).toBe('all of it');
  expect((await client.examineInstance()).data).toEqual([
    { check: 'fsync', status: 'ok', message: 'fast', advice: null },
  ]);
});

test('the admin API starts a rolling restart and serves its progress', async () => {
  const began = { running: true, workers: 2, replaced: 0, problem: null };
  const ended = { ...began, running: false, replaced: 2 };
  const restart = { begin: () => Promise.resolve(began), progress: () => Promise.resolve(ended) };
  const app = createAdminApp({ ...deps, restart });
  const headers = { authorization: `Bearer ${TOKEN}` };
  const begun = await app.request('/admin/v1/restart', { method: 'POST', headers });
  expect(await begun.json()).toEqual(began);
  expect(await (await app.request('/admin/v1/restart', { headers })).json()).toEqual(ended);
});

test('every list of the admin API comes in pages, as documented', async () => {
  const answer = await createAdminApp(deps).request('/admin/openapi.json');
  const { paths } = (await answer.json()) as { paths: Record<string, { get?: ListOperation }> };
  const lists = Object.entries(paths).filter(([, { get }]) => propertiesOf(get)?.['data'] !== undefined);
  expect(lists.map(([path]) => path)).toContain('/admin/v1/workspaces/{workspace}/projects/{project}/keys');
  for (const [path, { get }] of lists) {
    const parameters = get?.parameters?.filter((parameter) => parameter.in === 'query') ?? [];
    const query = parameters.map(({ name }) => name);
    expect({ path, query, answer: propertiesOf(get) }).toMatchObject({
      path,
      query: expect.arrayContaining(['cursor', 'limit']),
      answer: { next_cursor: expect.anything() },
    });
  }
});

test('the admin API’s document and reference need no token, and the page may fetch nothing', async () => {
  const document = await createAdminApp(deps).request('/admin/openapi.json');
  const { openapi, paths } = (await document.json()) as { openapi: string; paths: Record<string, unknown> };
  expect(openapi).toBe('3.1.0');
  expect(Object.keys(paths)).toContain('/admin/v1/workspaces/{workspace}/postings');
  const page = await createAdminApp(deps).request('/admin/reference');
  const html = await page.text();
  for (const path of Object.keys(paths)) expect(html).toContain(path);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(html).not.toMatch(/<(?:script|img|link|iframe)|href="(?![#/])|url\(|@import/);
});

test('the admin API’s reference adapts to phones and dark mode, and names every parameter', async () => {
  const app = createAdminApp(deps);
  const page = await app.request('/admin/reference');
  const html = await page.text();
  const style = /<style>([^<]*)<\/style>/.exec(html)?.[1] ?? '';
  // A browser applies the style only if the policy has the hash of the element's exact text.
  expect(page.headers.get('content-security-policy')).toContain(`'sha256-${hash('sha256', style, 'base64')}'`);
  expect(style).toMatch(/color-scheme: light dark/);
  expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1" />');
  const document = (await (await app.request('/admin/openapi.json')).json()) as OpenApi;
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const names = new Set(operations.flatMap(({ parameters = [] }) => parameters.map(({ name }) => name)));
  expect(names).toContain('workspace');
  for (const name of names) expect(html).toContain(`<td><code>${name}</code></td>`);
});

test('the admin API’s reference shows of a change who may make it, an example, its fields and its refusals', async () => {
  const page = await createAdminApp(deps).request('/admin/reference');
  const html = await page.text();
  const [section = ''] = /<details class="operation" id="updateProject">[^]*?<\/details>/.exec(html) ?? [];
  const shown = section
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ');
  expect(shown).toContain('PATCH /admin/v1/workspaces/{workspace}/projects/{project} Change a project');
  expect(shown).toContain('Members whose role has projects:write , and tokens with that scope.');
  expect(shown).toContain('"requests_per_minute": 600');
  expect(shown).toContain('budget_period optional day, week, month, never');
  expect(shown).toContain('412 PRECONDITION_FAILED `If-Match` names another version than the present one.');
  expect(section).toContain('<a href="#error-PRECONDITION_FAILED">');
  expect(html).toContain('id="error-PRECONDITION_FAILED"');
});

test.each([
  ['{"name":"x","colour":"red"}', 'colour', 'Unknown field'],
  ['{"name":""}', 'name', '1 to 100 characters'],
  ['{"name":" x"}', 'name', '1 to 100 characters'],
  ['{"name":"a/b"}', 'name', '1 to 100 characters'],
  ['{"name":"a\\u0000b"}', 'name', '1 to 100 characters'],
  ['{"name":5}', 'name', '1 to 100 characters'],
  ['{}', 'name', '1 to 100 characters'],
  ['[]', null, 'body'],
  ['{"name":', null, 'not valid JSON'],
  ['', null, 'not valid JSON'],
])('the admin API answers 400 to a workspace of %s', async (body, param, message) => {
  const { status, error } = await post('/admin/v1/workspaces', body);
  expect({ status, ...error }).toMatchObject({
    status: 400,
    code: 'INVALID_REQUEST',
    type: 'invalid_request_error',
    param,
  });
  expect(Object.keys(error).toSorted()).toEqual(['code', 'message', 'param', 'type']);
  expect(error['message']).toContain(message);
});

test.each(['5.0000000001', '-1', '0', '1e3', '1,000', '', ' 5', '9999999999', 5])(
  'the admin API answers 400 to a grant of %j USD',
  async (amount) => {
    const { workspace } = await openAccount(sql);
    const body = JSON.stringify({ kind: 'grant', amount_usd: amount, reason: 'test' });
    const { status, error } = await post(`/admin/v1/workspaces/${workspace.id}/postings`, body);
    expect({ status, param: error['param'] }).toEqual({ status: 400, param: 'amount_usd' });
    expect(error['message']).toContain('"5.00"');
  },
);

test.each([
  [{ requests_per_minute: 0 }, 'requests_per_minute', 'whole number'],
  [{ tokens_per_minute: 1.5 }, 'tokens_per_minute', 'whole number'],
  [{ concurrency: '5' }, 'concurrency', 'whole number'],
  [{ budget_usd: '-1' }, 'budget_usd', 'zero or above'],
  [{ budget_period: 'year' }, 'budget_period', 'day, week, month, never'],
  [{ models: [] }, 'models', 'list'],
  [{ models: ['a*b'] }, 'models.0', 'list'],
  [{ models: 'a' }, 'models', 'list'],
])('the admin API answers 400 to project settings of %j', async (settings, param, message) => {
  const { project } = await openAccount(sql);
  const init = { method: 'PATCH', body: JSON.stringify(settings), headers: { 'content-type': 'application/json' } };
  const { status, error } = await raw(`/admin/v1/workspaces/${project.workspaceId}/projects/${project.id}`, init);
  expect({ status, param: error['param'] }).toEqual({ status: 400, param });
  expect(error['message']).toContain(message);
});

test('the admin API answers 400 to keys whose expiry has passed or is impossible', async () => {
  const { project } = await openAccount(sql);
  for (const expires of ['2020-01-01', 'tomorrow', 5]) {
    const { status, error } = await post(
      `/admin/v1/workspaces/${project.workspaceId}/projects/${project.id}/keys`,
      JSON.stringify({ expires_at: expires }),
    );
    expect({ status, param: error['param'] }).toEqual({ status: 400, param: 'expires_at' });
  }
});

test('the admin API answers 409 to names that are taken', async () => {
  const { workspace, project } = await openAccount(sql);
  await expect(client.createWorkspace({ name: workspace.name })).rejects.toMatchObject({
    status: 409,
    param: 'name',
  });
  await expect(client.createProject(workspace.id, { name: project.name })).rejects.toMatchObject({ param: 'name' });
});

test.each<[string, Record<string, string>, number]>([
  ['another site', { host: '127.0.0.1:8080', origin: 'https://evil.example' }, 400],
  ['another port', { host: '127.0.0.1:8080', origin: 'http://127.0.0.1:9' }, 400],
  ['a page without an origin', { host: '127.0.0.1:8080', origin: 'null' }, 400],
  ['a name led here by DNS', { host: 'evil.example:8080', origin: 'http://evil.example:8080' }, 400],
  ['a cross-site request without an origin', { host: 'localhost', 'sec-fetch-site': 'cross-site' }, 400],
  ['its own page', { host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-origin' }, 200],
  ['its own page by IPv6', { host: '[::1]:8080', origin: 'http://[::1]:8080' }, 200],
  ['its own page under a known name', { host: 'gate.example', origin: 'https://gate.example' }, 200],
  ['no browser, under any name', { host: 'whatever.example' }, 200],
])('the admin API answers 400 to browsers from elsewhere: %s', async (_, headers, expected) => {
  const app = createAdminApp({ ...deps, hostNames: ['gate.example'] });
  const { status, headers: sent } = await raw('/admin/v1/status', { headers }, app);
  expect(status).toBe(expected);
  expect(sent.has('access-control-allow-origin')).toBe(false);
});

test.each(['GET', 'POST'])('a single process has no workers to restart: %s', async (method) => {
  const { status, error } = await raw('/admin/v1/restart', { method });
  expect({ status, code: error['code'] }).toEqual({ status: 409, code: 'CONFLICT' });
  expect(error['message']).toContain('no workers to replace');
});

test.each(['', 'Bearer', 'Bearer wrong', `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, TOKEN])(
  'the admin API answers 401 for "%s"',
  async (authorization) => {
    const { status, headers, error } = await raw('/admin/v1/workspaces', { headers: { authorization } });
    expect({ status, code: error['code'] }).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
    expect(headers.get('www-authenticate')).toBe('Bearer');
  },
);

test('the admin API answers 401 whether or not the path exists', async () => {
  expect((await raw('/admin/v1/nothing', { headers: { authorization: '' } })).status).toBe(401);
});

test('the admin API answers 404 for what does not exist', async () => {
  const missing = [
    client.showWorkspace('nobody'),
    client.showWorkspace(NOBODY),
    client.postCredit(NOBODY, { kind: 'grant', amount_usd: '1', reason: 'x' }),
    client.updateProject('no/body', {}),
    client.createKey(NOBODY, {}),
    client.revokeKey('fg_live_nobody'),
    client.showReceipt('nothing'),
  ];
  for (const answer of await Promise.allSettled(missing)) {
    expect(answer).toMatchObject({ status: 'rejected', reason: { status: 404, code: 'NOT_FOUND' } });
  }
  expect((await raw('/admin/nothing')).error).toMatchObject({ code: 'NOT_FOUND', param: null });
});

test('the admin API answers 405 for methods that a path does not have, and lists those it has', async () => {
  const { status, headers } = await raw('/admin/v1/workspaces', { method: 'DELETE' });
  expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'POST, GET' });
});

test('the admin API answers 413 for bodies larger than any request needs', async () => {
  const body = JSON.stringify({ name: 'x'.repeat(300_000) });
  expect((await post('/admin/v1/workspaces', body)).error['code']).toBe('REQUEST_TOO_LARGE');
});

test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])(
  'the admin API answers 415 for "%s"',
  async (type) => {
    const { status, error } = await post('/admin/v1/workspaces', '{"name":"typed"}', { 'content-type': type });
    expect({ status, code: error['code'] }).toEqual({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  },
);

test('the admin API accepts JSON with a charset parameter', async () => {
  const type = 'application/json; charset=utf-8';
  expect((await post('/admin/v1/workspaces', '{"name":"typed"}', { 'content-type': type })).status).toBe(201);
});

test('the admin API answers 503 with Retry-After while the database can’t be reached', async () => {
  const { status, headers, error } = await onFailing('away');
  expect({ status, code: error['code'] }).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE' });
  expect(headers.get('retry-after')).toBe('1');
  expect(JSON.stringify(error)).not.toContain('db.internal');
});

test.each([
  ['busy', 'connections to the database are in use'],
  ['stopped', 'took too long'],
  ['contended', 'was changing the same'],
  ['exhausted', 'out of memory, disk space or connection'],
] as const)('the admin API never calls a database away that is %s', async (reason, said) => {
  const { status, headers, error } = await onFailing(reason);
  expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '1' });
  expect(error['message']).toContain(said);
  expect(error['message']).not.toContain('away');
});

/** Requests a list while the database can't be used. */
function onFailing(reason: UnavailableReason) {
  const failing = (): Promise<never> => Promise.reject(new DatabaseUnavailable('refused at db.internal', { reason }));
  const failingSql = controlOf({ query: failing, transaction: failing });
  return raw('/admin/v1/workspaces', {}, createAdminApp({ ...deps, sql: failingSql }));
}

test('the admin API answers 503 with Retry-After beyond its limit of concurrent requests, and answers all others', async () => {
  const proven = Promise.withResolvers<LedgerReport>();
  const app = createAdminApp({ ...deps, proveLedger: () => proven.promise });
  const ask = () => raw('/admin/v1/ledger/verify', { method: 'POST' }, app);
  const running = Array.from({ length: 100 }, ask);
  const { status, headers, error } = await ask();
  expect({ status, code: error['code'] }).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE' });
  expect(headers.get('retry-after')).toBe('1');
  proven.resolve(await verifyLedger(sql));
  for (const answer of await Promise.all(running)) expect(answer.status).toBe(200);
  expect((await ask()).status).toBe(200);
});

test('the admin API reports a bug to the operator, not to the caller', async () => {
  const told: unknown[] = [];
  const bug = new Error('secret detail');
  const app = createAdminApp({
    ...deps,
    status: () => {
      throw bug;
    },
    onFault: (error) => void told.push(error),
  });
  const { status, error } = await raw('/admin/v1/status', {}, app);
  expect({ status, code: error['code'] }).toEqual({ status: 500, code: 'INTERNAL_ERROR' });
  expect(JSON.stringify(error)).not.toContain('secret detail');
  expect(told).toEqual([bug]);
});

test('the admin API’s client tells a refusal from an unreachable instance, and never puts a secret into a URL', async () => {
  const wrong = createAdminClient({ url, token: 'wrong' });
  await expect(wrong.showStatus()).rejects.toBeInstanceOf(AdminRefused);
  const nowhere = createAdminClient({ url: 'http://127.0.0.1:1', token: TOKEN });
  await expect(nowhere.showStatus()).rejects.toBeInstanceOf(AdminUnreachable);
  const stranger = await serveAdmin({ fetch: () => new Response('<html>', { status: 404 }) }, TOKEN);
  await expect(stranger.client.showStatus()).rejects.toThrow('not a Faregate instance');
  await stranger.close();
});

test('a stream that is opened after all others have ended begins with how things stand now', async () => {
  const { workspace } = await openAccount(sql);
  const { live } = deps;
  const balance = async (): Promise<string | undefined> => {
    const body = await live.open(scopeOf(workspace.id), { identifyAgain: null, disconnect: () => undefined });
    if (isRefusal(body)) throw new Error(body.message);
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let events = '';
    while (!events.includes('event: balance')) events += (await reader.read()).value ?? '';
    await reader.cancel();
    return /"balance_nano_usd":"(\d+)"/.exec(events)?.[1];
  };
  await grantCredit(sql, workspace.id, 5n);
  expect([await balance(), live.size]).toEqual(['5', 0]);
  await grantCredit(sql, workspace.id, 2n);
  expect([await balance(), live.size]).toEqual(['7', 0]);
});
