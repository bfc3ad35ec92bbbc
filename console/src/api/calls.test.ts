import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { accessTokensQuery, createAccessToken, revokeAccessToken } from './access-tokens.ts';
import * as account from './account.ts';
import * as alerts from './alerts.ts';
import * as audit from './audit.ts';
import * as authenticator from './authenticator.ts';
import { applyCatalogue, catalogueDiffQuery, catalogueQuery } from './catalogue.ts';
import { cellsQuery, deleteCell, storeCell } from './cells.ts';
import { cancelCodeBatch, codeBatchesQuery, codesQuery, createCodeBatch } from './codes.ts';
import * as credit from './credit.ts';
import { foundKeysQuery, foundProjectsQuery } from './found.ts';
import * as home from './home.ts';
import { overviewQuery } from './overview.ts';
import * as instance from './instance.ts';
import * as keys from './keys.ts';
import * as ledger from './ledger.ts';
import { modelMarginsQuery, workspaceMarginsQuery } from './margins.ts';
import * as members from './members.ts';
import * as passkeys from './passkeys.ts';
import { modelQuery, modelsQuery } from './models.ts';
import { quoteQuery, sendChat } from './playground.ts';
import { adjustPrices, adjustmentsQuery } from './prices.ts';
import * as projects from './projects.ts';
import { providersQuery } from './providers.ts';
import * as requests from './requests.ts';
import { endOtherSessions, endSession, sessionsQuery } from './sessions.ts';
import * as entry from './sign-in.ts';
import { usageFile, usageQuery, usedNamesQuery } from './usage.ts';
import { changeUser, signUserOut, usersQuery } from './users.ts';
import * as workspaces from './workspaces.ts';

// 2026-03-17, 14:25 UTC.
const NOW_MS = Date.UTC(2026, 2, 17, 14, 25);

beforeEach(() => vi.spyOn(Date, 'now').mockReturnValue(NOW_MS));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A request that was sent, as "PATCH /workspaces/w?limit=1 "3" {"name":"n"}": the version and the body if there are. */
interface SentRequest {
  readonly text: string;
  readonly url: URL;
  readonly signal: AbortSignal | null;
}

/** What is sent from now on; each request is answered with this body. */
function sentRequests(answer: object = {}): readonly SentRequest[] {
  const sent: SentRequest[] = [];
  vi.stubGlobal('fetch', (path: string, { method, headers, body, signal }: RequestInit) => {
    const version = new Headers(headers).get('if-match');
    const parts = [method, path.replace('/admin/v1', ''), version, body].filter((part) => typeof part === 'string');
    sent.push({ text: parts.join(' '), url: new URL(path, 'http://gateway.test'), signal: signal ?? null });
    return Promise.resolve(Response.json(answer));
  });
  return sent;
}

const IN = '/workspaces/w%2F1';

/** The thing that is changed, as it was read; all ids have a character that must be encoded. */
const SEEN = { workspace_id: 'w/1', id: 'i/1', version: 3 };
const BODY = { given: 1 };

type AnyCall = (...given: never[]) => Promise<unknown>;

const change = (what: string, call: AnyCall, given: readonly unknown[], request: string) =>
  [what, call, given, request] as const;

test.each([
  change('create an access token', createAccessToken, [BODY], 'POST /me/access-tokens {"given":1}'),
  change('revoke an access token', revokeAccessToken, ['i/1'], 'POST /me/access-tokens/i%2F1/revoke'),
  change('sign out', account.signOut, [], 'DELETE /session'),
  change('accept an invitation', account.acceptInvitation, ['t'], 'POST /me/invitations {"token":"t"}'),
  change('leave a workspace', account.leaveWorkspace, ['w/1'], 'DELETE /me/workspaces/w%2F1'),
  change('change the own name', account.renameMe, ['Ada'], 'PATCH /me {"name":"Ada"}'),
  change('set the own password', account.setMyPassword, ['p'], 'POST /me/password {"password":"p"}'),
  change(
    'prove the second factor',
    authenticator.proveSecondFactor,
    ['123456'],
    'POST /session/second-factor {"code":"123456"}',
  ),
  change('add an authenticator', authenticator.addAuthenticator, [], 'POST /me/authenticator'),
  change(
    'confirm an authenticator',
    authenticator.confirmAuthenticator,
    ['123456'],
    'POST /me/authenticator/confirm {"code":"123456"}',
  ),
  change('remove a passkey', passkeys.removePasskey, ['p/1'], 'DELETE /me/passkeys/p%2F1'),
  change('remove the authenticator', authenticator.removeAuthenticator, [], 'DELETE /me/authenticator'),
  change('replace recovery codes', authenticator.replaceRecoveryCodes, [], 'POST /me/recovery-codes'),
  change('create an alert rule', alerts.createAlertRule, ['w/1', BODY], `POST ${IN}/alert-rules {"given":1}`),
  change(
    'change an alert rule',
    alerts.updateAlertRule,
    ['w/1', SEEN, BODY],
    `PATCH ${IN}/alert-rules/i%2F1 "3" {"given":1}`,
  ),
  change(
    'change an alert rule of the operator',
    alerts.updateAlertRule,
    [null, SEEN, BODY],
    'PATCH /alert-rules/i%2F1 "3" {"given":1}',
  ),
  change('delete an alert rule', alerts.deleteAlertRule, ['w/1', SEEN], `DELETE ${IN}/alert-rules/i%2F1 "3"`),
  change('create a webhook', alerts.createWebhook, ['w/1', BODY], `POST ${IN}/webhooks {"given":1}`),
  change('create a webhook of the operator', alerts.createWebhook, [null, BODY], 'POST /webhooks {"given":1}'),
  change('change a webhook', alerts.updateWebhook, ['w/1', SEEN, BODY], `PATCH ${IN}/webhooks/i%2F1 "3" {"given":1}`),
  change(
    'rotate a webhook’s secret',
    alerts.rotateWebhook,
    ['w/1', SEEN, BODY],
    `POST ${IN}/webhooks/i%2F1/rotate "3" {"given":1}`,
  ),
  change('delete a webhook', alerts.deleteWebhook, ['w/1', SEEN], `DELETE ${IN}/webhooks/i%2F1 "3"`),
  change('delete a webhook of the operator', alerts.deleteWebhook, [null, SEEN], 'DELETE /webhooks/i%2F1 "3"'),
  change('test a webhook', alerts.testWebhook, ['w/1', 'i/1'], `POST ${IN}/webhooks/i%2F1/test`),
  change('resend a delivery', alerts.resendDelivery, ['w/1', 'i/1'], `POST ${IN}/deliveries/i%2F1/resend`),
  change('apply the catalogue', applyCatalogue, [BODY], 'POST /catalogue/apply {"given":1}'),
  change('add a cell', storeCell, [{ shard: '0/', version: 3 }, BODY], 'PUT /cells/0%2F "3" {"given":1}'),
  change('forget a cell', deleteCell, ['0/', 3], 'DELETE /cells/0%2F "3"'),
  change('create a batch of codes', createCodeBatch, [BODY], 'POST /code-batches {"given":1}'),
  change('cancel a batch of codes', cancelCodeBatch, ['i/1'], 'POST /code-batches/i%2F1/cancel'),
  change(
    'change automatic top-ups',
    credit.updateAutoTopUp,
    ['w/1', 3, BODY],
    `PATCH ${IN}/payment-settings "3" {"given":1}`,
  ),
  change('start a top-up', credit.startTopUp, ['w/1', BODY], `POST ${IN}/top-ups {"given":1}`),
  change('refund a top-up', credit.refundTopUp, [SEEN, BODY], `POST ${IN}/top-ups/i%2F1/refunds {"given":1}`),
  change('redeem a code', credit.redeemCode, ['w/1', 'FG-1'], `POST ${IN}/redemptions {"code":"FG-1"}`),
  change('post credit', credit.postCredit, ['w/1', BODY], `POST ${IN}/postings {"given":1}`),
  change('create an operator token', instance.createOperatorToken, [BODY], 'POST /operator-tokens {"given":1}'),
  change('revoke an operator token', instance.revokeOperatorToken, ['i/1'], 'POST /operator-tokens/i%2F1/revoke'),
  change('create a key', keys.createKey, ['w/1', 'p/1', BODY], `POST ${IN}/projects/p%2F1/keys {"given":1}`),
  change('change a key', keys.updateKey, [SEEN, BODY], `PATCH ${IN}/keys/i%2F1 "3" {"given":1}`),
  change('rotate a key', keys.rotateKey, [SEEN, BODY], `POST ${IN}/keys/i%2F1/rotate "3" {"given":1}`),
  change('end a key’s former secret', keys.endFormerSecret, [SEEN], `POST ${IN}/keys/i%2F1/end-former-secret`),
  change('revoke a key', keys.revokeKey, [SEEN], `POST ${IN}/keys/i%2F1/revoke`),
  change('prove the ledger', ledger.proveLedger, [], 'POST /ledger/verify'),
  change('change a member', members.changeMember, ['w/1', SEEN, BODY], `PATCH ${IN}/members/i%2F1 "3" {"given":1}`),
  change('remove a member', members.removeMember, ['w/1', 'i/1'], `DELETE ${IN}/members/i%2F1`),
  change(
    'make a link for a member’s password',
    members.createMemberResetLink,
    ['w/1', 'i/1'],
    `POST ${IN}/members/i%2F1/reset-link`,
  ),
  change('invite several', members.inviteColleagues, ['w/1', BODY], `POST ${IN}/invitations/batch {"given":1}`),
  change('invite an address', members.createInvitation, ['w/1', BODY], `POST ${IN}/invitations {"given":1}`),
  change('revoke an invitation', members.revokeInvitation, ['w/1', 'i/1'], `DELETE ${IN}/invitations/i%2F1`),
  change(
    'send a prompt',
    sendChat,
    [{ workspace: 'w/1', project: 'p/1' }, BODY, new AbortController().signal],
    `POST ${IN}/playground/chat/completions?project=p%2F1 {"given":1}`,
  ),
  change('adjust prices', adjustPrices, ['w/1', BODY], `POST ${IN}/prices {"given":1}`),
  change('create a project', projects.createProject, ['w/1', BODY], `POST ${IN}/projects {"given":1}`),
  change('change a project', projects.updateProject, [SEEN, BODY], `PATCH ${IN}/projects/i%2F1 "3" {"given":1}`),
  change('archive a project', projects.archiveProject, [SEEN], `POST ${IN}/projects/i%2F1/archive "3"`),
  change('restore a project', projects.restoreProject, [SEEN], `POST ${IN}/projects/i%2F1/restore "3"`),
  change('end a session', endSession, ['i/1'], 'DELETE /me/sessions/i%2F1'),
  change('end all other sessions', endOtherSessions, [], 'DELETE /me/sessions'),
  change('sign in', entry.signIn, [BODY], 'POST /session {"given":1}'),
  change('confirm the session', entry.confirmSession, [BODY], 'POST /session/confirm {"given":1}'),
  change('ask for another password', entry.requestPasswordReset, ['a@b'], 'POST /password-resets {"email":"a@b"}'),
  change('ask for an account', entry.requestSignUp, ['a@b'], 'POST /sign-ups {"email":"a@b"}'),
  change('set the instance up', entry.setUp, [BODY], 'POST /set-up {"given":1}'),
  change('sign up', entry.signUp, [BODY], 'POST /sign-ups/complete {"given":1}'),
  change('reset a password', entry.resetPassword, [BODY], 'POST /password-resets/complete {"given":1}'),
  change('join as a new user', entry.joinAsNewUser, [BODY], 'POST /invitations/join {"given":1}'),
  change('change a user', changeUser, ['i/1', BODY], 'PATCH /users/i%2F1 {"given":1}'),
  change('sign a user out', signUserOut, ['i/1'], 'POST /users/i%2F1/sign-out'),
  change('create a workspace', workspaces.createWorkspace, [BODY], 'POST /workspaces {"given":1}'),
  change(
    'rename a workspace',
    workspaces.changeWorkspace,
    [{ id: 'w/1', version: 3 }, BODY],
    `PATCH ${IN} "3" {"given":1}`,
  ),
  change('close a workspace', workspaces.closeWorkspace, [{ id: 'w/1', version: 3 }], `POST ${IN}/close "3"`),
  change('suspend a workspace', workspaces.suspendWorkspace, ['w/1', BODY], `POST ${IN}/suspend {"given":1}`),
  change('resume a workspace', workspaces.resumeWorkspace, ['w/1'], `POST ${IN}/resume`),
])('the console sends exactly one request to %s', async (_, call, given, request) => {
  const sent = sentRequests();
  await call(...(given as never[]));
  expect(sent.map(({ text }) => text)).toEqual([request]);
});

test('a prompt that is given up is aborted', async () => {
  const sent = sentRequests();
  const { signal } = new AbortController();
  await sendChat({ workspace: 'w', project: 'p' }, BODY, signal);
  expect(sent[0]?.signal).toBe(signal);
});

interface AnyQuery {
  readonly queryKey: QueryKey;
  readonly initialPageParam?: unknown;
}
type QueryOf = (...given: never[]) => AnyQuery;

const row = (what: string, of: QueryOf, given: readonly unknown[], request: string) =>
  [what, of, given, request] as const;
const fixed = (what: string, query: object, request: string) =>
  row(what, () => query as unknown as AnyQuery, [], request);

/** All that is sent to read a query; of a list, its first two pages. */
async function requestsOf(of: QueryOf, given: readonly unknown[]) {
  const sent = sentRequests({ data: [{ id: 'p/9' }], groups: [], next_cursor: 'c/2' });
  const query = of(...(given as never[]));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  if ('initialPageParam' in query) {
    const { pages } = await client.infiniteQuery<unknown>({ ...query, pages: 2 } as never);
    expect(pages).toHaveLength(2);
  } else await client.query(query as never);
  return { sent, queryKey: query.queryKey };
}

const LISTING = { search: 'n', project: 'p/1', state: 'active', createdBy: 'u/1', sort: 'name', descending: true };
const NO_PROJECT = { ...LISTING, project: null, descending: false };
const FILTER = { action: 'key.create', target: 't/1', user: 'u/1', from: 'F', to: 'T' };
const SPACES = { search: 'n', state: 'closed', sort: 'balance', descending: true };
const QUESTION = { from: 'F', to: 'T', bucket: 'day', group_by: 'model', key: 'k/1', limit: 7 };
const RECEIPTS = { from: 'F', to: 'T', project: 'p/1', model: 'm', outcome: 'failed' };
const BOUNDS = { from: 'F', to: 'T' };

const ROWS = [
  fixed('the own access tokens', accessTokensQuery, 'GET /me/access-tokens'),
  fixed('the own account', account.meQuery, 'GET /me'),
  fixed('the own sessions', sessionsQuery, 'GET /me/sessions'),
  fixed('the own passkeys', passkeys.passkeysQuery, 'GET /me/passkeys'),
  fixed('the ways to sign in', entry.signInOptionsQuery, 'GET /sign-in-options'),
  row('an invitation', entry.invitationQuery, ['t'], 'POST /invitations/show {"token":"t"}'),
  row(
    'open alerts',
    alerts.alertsQuery,
    ['w/1', { isOpen: true, rule: 'r/1' }],
    `GET ${IN}/alerts?open=true&rule=r%2F1&limit=50`,
  ),
  row(
    'the operator’s former alerts',
    alerts.alertsQuery,
    [null, { isOpen: false, rule: null }],
    'GET /alerts?open=false&limit=50',
  ),
  row('alert rules', alerts.alertRulesQuery, ['w/1'], `GET ${IN}/alert-rules`),
  row('the operator’s alert rules', alerts.alertRulesQuery, [null], 'GET /alert-rules'),
  row('webhooks', alerts.webhooksQuery, ['w/1'], `GET ${IN}/webhooks`),
  row(
    'deliveries',
    alerts.deliveriesQuery,
    ['w/1', { state: 'given_up', webhook: 'i/1' }],
    `GET ${IN}/deliveries?state=given_up&webhook=i%2F1&limit=50`,
  ),
  row('a delivery', alerts.deliveryQuery, ['w/1', 'd/1'], `GET ${IN}/deliveries/d%2F1`),
  row(
    'the audit log',
    audit.auditQuery,
    ['w/1', FILTER],
    `GET ${IN}/audit?action=key.create&target=t%2F1&user=u%2F1&from=F&to=T`,
  ),
  row('an event of the audit log', audit.auditEventQuery, ['w/1', 'e/1'], `GET ${IN}/audit/e%2F1`),
  fixed('the catalogue', catalogueQuery, 'GET /catalogue/models?history=true'),
  fixed('what the config file changes of it', catalogueDiffQuery, 'GET /catalogue/diff'),
  fixed('batches of codes', codeBatchesQuery, 'GET /code-batches?limit=50'),
  row('the codes of a batch', codesQuery, ['b/1'], 'GET /codes?batch=b%2F1&limit=50'),
  row('the statement', credit.statementQuery, ['w/1', '2026-02'], `GET ${IN}/statement?month=2026-02`),
  row('payment settings', credit.paymentSettingsQuery, ['w/1'], `GET ${IN}/payment-settings`),
  row('top-ups', credit.topUpsQuery, ['w/1'], `GET ${IN}/top-ups?limit=50`),
  row('a top-up', credit.topUpQuery, ['w/1', 't/1'], `GET ${IN}/top-ups/t%2F1`),
  row('keys for the palette', foundKeysQuery, ['w/1', 'n'], `GET ${IN}/keys?search=n&sort=name&limit=5`),
  row('projects for the palette', foundProjectsQuery, ['w/1', 'n'], `GET ${IN}/projects?search=n&sort=name&limit=5`),
  row('the newest receipts', home.latestReceiptsQuery, ['w/1'], `GET ${IN}/receipts?limit=5`),
  row('the last refusal', home.lastRefusalQuery, ['w/1'], `GET ${IN}/refusals?limit=1`),
  row('any key that works', home.anyKeyQuery, ['w/1'], `GET ${IN}/keys?limit=1&state=active`),
  row('the last 30 days', home.daysQuery, ['w/1'], `GET ${IN}/usage?from=2026-02-16T00%3A00%3A00.000Z&bucket=day`),
  row(
    'last month as far as this one has come',
    home.lastMonthQuery,
    ['w/1'],
    `GET ${IN}/usage?from=2026-02-01T00%3A00%3A00.000Z&to=2026-02-17T15%3A00%3A00.000Z`,
  ),
  row(
    'the last 24 hours',
    home.lastDayQuery,
    ['w/1'],
    `GET ${IN}/usage?from=2026-03-16T15%3A00%3A00.000Z&latency=true`,
  ),
  row('what asks for attention', overviewQuery, ['w/1'], `GET ${IN}/overview?figures=true`),
  fixed('the status for the home page', home.statusQuery, 'GET /status'),
  fixed('the status', instance.statusQuery, 'GET /status'),
  fixed('processes', instance.processesQuery, 'GET /processes'),
  fixed('settings', instance.settingsQuery, 'GET /settings'),
  fixed('what the doctor finds', instance.examinationQuery, 'GET /doctor'),
  fixed('operator tokens', instance.operatorTokensQuery, 'GET /operator-tokens'),
  row('keys to count', keys.activeKeysQuery, ['w/1'], `GET ${IN}/keys?state=active&limit=200`),
  row(
    'keys of a project',
    keys.keysQuery,
    ['w/1', LISTING],
    `GET ${IN}/projects/p%2F1/keys?search=n&state=active&created_by=u%2F1&sort=name&direction=desc&limit=50`,
  ),
  row(
    'keys of a workspace',
    keys.keysQuery,
    ['w/1', NO_PROJECT],
    `GET ${IN}/keys?search=n&state=active&created_by=u%2F1&sort=name&direction=asc&limit=50`,
  ),
  row('a key', keys.keyQuery, ['w/1', 'k/1'], `GET ${IN}/keys/k%2F1`),
  row(
    'keys to choose from',
    keys.keyChoicesQuery,
    ['w/1', 'n'],
    `GET ${IN}/keys?search=n&state=active&sort=name&limit=50`,
  ),
  row(
    'the usage of a key',
    keys.keyUsageQuery,
    [{ workspace_id: 'w/1', id: 'k/1' }, 'F'],
    `GET ${IN}/usage?key=k%2F1&from=F&bucket=day&group_by=model&limit=166`,
  ),
  fixed('proofs', ledger.proofsQuery, 'GET /ledger/proofs'),
  fixed('seals', ledger.sealsQuery, 'GET /ledger/seals?limit=20'),
  fixed('corrections', ledger.correctionsQuery, 'GET /ledger/corrections?limit=20'),
  row(
    'the margins of workspaces',
    workspaceMarginsQuery,
    [['w/1', 'w/2'], BOUNDS],
    'GET /usage?from=F&to=T&group_by=workspace&workspaces=w%2F1%2Cw%2F2&limit=2',
  ),
  row(
    'the margins of a workspace',
    modelMarginsQuery,
    ['w/1', BOUNDS],
    `GET ${IN}/usage?from=F&to=T&group_by=model&limit=200`,
  ),
  row('members', members.membersQuery, ['w/1'], `GET ${IN}/members`),
  row('a member', members.memberQuery, ['w/1', 'u/1'], `GET ${IN}/members/u%2F1`),
  row('invitations', members.invitationsQuery, ['w/1'], `GET ${IN}/invitations`),
  row(
    'the keys of a member',
    members.keysOfMemberQuery,
    ['w/1', 'u/1'],
    `GET ${IN}/keys?created_by=u%2F1&state=active&limit=100`,
  ),
  row('models', modelsQuery, ['w/1'], `GET ${IN}/models`),
  row('a model', modelQuery, ['w/1', 'a/m'], `GET ${IN}/models/a%2Fm`),
  row(
    'the hold of a prompt',
    quoteQuery,
    [{ workspace: 'w/1', project: 'p/1' }, { prompt: 'x' }],
    `POST ${IN}/playground/quote?project=p%2F1 {"prompt":"x"}`,
  ),
  row('price adjustments', adjustmentsQuery, ['w/1'], `GET ${IN}/prices?limit=200`),
  row(
    'archived projects',
    projects.projectsQuery,
    ['w/1', { archived: true, search: 'n' }],
    `GET ${IN}/projects?archived=true&search=n`,
  ),
  row('projects', projects.projectsQuery, ['w/1', { archived: false, search: '' }], `GET ${IN}/projects`),
  row('a project', projects.projectQuery, ['w/1', 'p/1'], `GET ${IN}/projects/p%2F1`),
  fixed('cells', cellsQuery, 'GET /cells'),
  fixed('providers', providersQuery, 'GET /providers'),
  row(
    'receipts',
    requests.receiptsQuery,
    ['w/1', RECEIPTS],
    `GET ${IN}/receipts?from=F&to=T&project=p%2F1&model=m&outcome=failed&limit=50`,
  ),
  row('refusals', requests.refusalsQuery, ['w/1', { code: 'C' }], `GET ${IN}/refusals?code=C&limit=50`),
  row('refusals of all', requests.allRefusalsQuery, [{ status: '4xx' }], 'GET /refusals?status=4xx&limit=50'),
  row('counts of refusals', requests.refusalCountsQuery, [{ status: '4xx' }], 'GET /refusals/counts?status=4xx'),
  row('a request', requests.requestQuery, ['w/1', 'r/1'], `GET ${IN}/requests/r%2F1`),
  row(
    'usage',
    usageQuery,
    ['w/1', QUESTION],
    `GET ${IN}/usage?from=F&to=T&bucket=day&group_by=model&key=k%2F1&limit=7`,
  ),
  row('used keys', usedNamesQuery, ['w/1', 'key', BOUNDS], `GET ${IN}/usage?from=F&to=T&group_by=key&limit=200`),
  row('users', usersQuery, ['n'], 'GET /users?search=n&limit=50'),
  row('a workspace', workspaces.workspaceQuery, ['w/1'], `GET ${IN}`),
  row(
    'the usage of a week',
    workspaces.burnQuery,
    ['w/1'],
    `GET ${IN}/usage?from=2026-03-10T00%3A00%3A00.000Z&bucket=day`,
  ),
  row(
    'workspaces',
    workspaces.workspacesQuery,
    [SPACES],
    'GET /workspaces?search=n&state=closed&sort=balance&direction=desc&limit=50',
  ),
] as const;

test.each(ROWS)('the console asks for exactly what it needs to read %s, and for a list’s next page', async (...it) => {
  const [, of, given, request] = it;
  const { sent } = await requestsOf(of, given);
  const [first, second, ...others] = sent;
  expect(first?.text).toBe(request);
  expect(others).toEqual([]);
  const isList = 'initialPageParam' in of(...(given as never[]));
  expect(second?.url.searchParams.get('cursor')).toBe(isList ? 'c/2' : undefined);
});

test.each(ROWS.filter(([, , , request]) => request.startsWith('GET')))(
  'reading %s ends when nobody waits for it any more',
  async (_, of, given) => {
    const { sent } = await requestsOf(of, given);
    expect(sent.map(({ signal }) => signal instanceof AbortSignal)).toEqual(sent.map(() => true));
  },
);

/** The same arguments with each of their values changed in turn. */
function variants(given: unknown): readonly unknown[] {
  if (typeof given === 'string') return [`${given}2`];
  if (typeof given === 'number') return [given + 1];
  if (typeof given === 'boolean') return [!given];
  if (typeof given !== 'object' || given === null) return [];
  const isList = Array.isArray(given);
  return Object.entries(given).flatMap(([name, value]) =>
    variants(value).map((other) => (isList ? given.with(Number(name), other) : { ...given, [name]: other })),
  );
}

test.each(ROWS.filter(([, , given]) => given.length > 0))(
  'what is asked and where the answer is kept both depend on everything that says which of %s',
  async (_, of, given) => {
    const { sent, queryKey } = await requestsOf(of, given);
    for (const other of variants(given) as readonly (readonly unknown[])[]) {
      const changed = await requestsOf(of, other);
      expect(changed.sent[0]?.text).not.toBe(sent[0]?.text);
      expect(changed.queryKey).not.toEqual(queryKey);
    }
  },
);

test('no two different requests share a place for their answer', async () => {
  const places = new Map<string, string>();
  for (const [, of, given, request] of ROWS) {
    const place = JSON.stringify(of(...(given as never[])).queryKey);
    expect(places.get(place) ?? request).toBe(request);
    places.set(place, request);
  }
  expect(places.size).toBe(ROWS.length);
});

test('answers about a workspace are kept below it, so that what ends or changes it reaches them all', () => {
  const inside = ROWS.filter(([, , , request]) => request.includes(IN));
  for (const [, of, given] of inside) {
    expect(of(...(given as never[])).queryKey.slice(0, 2)).toEqual(['workspace', 'w/1']);
  }
});

test.each([
  [
    'receipts',
    () => requests.receiptsCsv('w/1', RECEIPTS as never),
    `${IN}/export/receipts?from=F&to=T&project=p%2F1&model=m&outcome=failed`,
  ],
  ['the statement', () => credit.statementFile('w/1', '2026-02'), `${IN}/statement/export?month=2026-02`],
  [
    'usage',
    () => usageFile('w/1', { ...QUESTION, compare: 'true', latency: 'true' } as never),
    `${IN}/usage/export?from=F&to=T&bucket=day&group_by=model&key=k%2F1`,
  ],
  [
    'the audit log',
    () => audit.auditExportUrl('w/1', FILTER, 'csv'),
    `${IN}/audit/export?action=key.create&target=t%2F1&user=u%2F1&from=F&to=T&format=csv`,
  ],
  [
    'receipts for operators',
    () => ledger.exportFile('w/1', { what: 'receipts', from: 'F', format: 'ndjson' }),
    `${IN}/export/receipts?from=F&format=ndjson`,
  ],
  [
    'entries for operators',
    () => ledger.exportFile('w/1', { what: 'entries', to: 'T', format: 'csv' }),
    `${IN}/export/entries?to=T&format=csv`,
  ],
  [
    'usage for operators',
    () => ledger.exportFile('w/1', { what: 'usage', from: 'F', to: 'T', format: 'csv' }),
    `${IN}/usage/export?from=F&to=T&format=csv`,
  ],
] as const)('the file of %s has the bounds and filters of what is shown', (_, fileOf, path) => {
  expect(fileOf()).toBe(`/admin/v1${path}`);
});
