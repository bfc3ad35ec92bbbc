import { adminDependencies } from '../../../test/support/admin-dependencies.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, openAccount } from '../../../test/support/accounts.ts';
import { adminIdentity, identifyAs, sessionActor } from '../../../test/support/admin-identity.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { signedIn } from '../../../test/support/identity.ts';
import type { Actor } from '../../domain/actor.ts';
import type { Role } from '../../domain/roles.ts';
import { createAdminApp } from './admin-app.ts';
import type { AdminApp } from './route-access.ts';

interface Operation {
  readonly path: string;
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string }[];
  readonly 'x-access'?: string;
  readonly 'x-permission'?: string;
  readonly 'x-right'?: string;
  readonly 'x-recent-sign-in'?: boolean;
}

/** The operations of the document by what it takes to call them: a permission in the workspace, or a right of operators. */
const ACCESS: Readonly<Record<string, string>> = {
  public: `
    acceptInvitationAsNewUser beginOpenIdSignIn beginPasskeySignIn findOwnProvider finishOpenIdSignIn finishPasskeySignIn
    finishSignInAtWorkspace getSignInOptions requestPasswordReset requestSignUp resetPassword setUp showInvitation
    showSession signIn signUp
  `,
  personal: `
    acceptInvitation addAuthenticator addPasskey beginPasskey beginPasskeyConfirmation confirmAuthenticator confirmByPasskey
    confirmSession createAccessToken endOtherSessions endSession getMe leaveWorkspace listAccessTokens listPasskeys listSessions
    proveSecondFactor removeAuthenticator removePasskey
    renameMe replaceRecoveryCodes revokeAccessToken setMyPassword signOut
  `,
  'workspace:read': 'listSinks listenToWorkspace showMove showOverview showWorkspace',
  'workspace:write': 'changeWorkspace',
  'workspace:close': 'closeWorkspace',
  'members:read': 'getMember listInvitations listMembers',
  'members:write': 'changeMember createInvitation inviteColleagues removeMember revokeInvitation',
  'owners:write': 'createMemberResetLink',
  'access:read': 'listDomains showAccess showDirectory',
  'access:write': 'addDomain changeAccess proveDomain removeDomain',
  'directory:write': 'endDirectoryToken makeDirectoryToken',
  'projects:read': 'listEndUserLimits listProjects showEndUser showProject',
  'projects:write': 'archiveProject createProject removeEndUserLimit restoreProject setEndUserLimit updateProject',
  'keys:read': 'listKeys listProjectKeys showKey',
  'keys:write': 'createKey endFormerSecret revokeKey rotateKey updateKey',
  'models:read': 'listModels listPriceAdjustments showModel',
  'usage:read': 'showUsage',
  'sinks:write': 'updateSink',
  'receipts:read': 'listReceipts listRefusals showReceipt showRefusal showRequest',
  'exports:read': 'exportRecords exportStatement exportUsage',
  'credit:read':
    'listExpiringGrants listPostings listRecurringGrants listTopUps showPaymentSettings showStatement showTopUp',
  'payments:write': 'createTopUp redeemCode updatePaymentSettings',
  'alerts:read': 'listAlertRules listAlerts listDeliveries listWebhooks showDelivery',
  'alerts:write': `
    createAlertRule createWebhook deleteAlertRule deleteWebhook resendDelivery rotateWebhookSecret
    testWebhook updateAlertRule updateWebhook
  `,
  'audit:read': 'exportAuditEvents listAuditEvents showAuditEvent',
  'playground:use': 'playgroundChat playgroundQuote',
  'postings:write': 'createRecurringGrant endRecurringGrant postCredit refundTopUp',
  'receipts:correct': 'correctReceipt',
  'prices:write': 'adjustPrices',
  'workspace:suspend': 'resumeWorkspace suspendWorkspace',
  'domains:approve': 'approveDomain',
  'workspace:move': 'cancelMove moveWorkspace',
  'operator: read': `
    countAllRefusals examineInstance listAllRefusals listCatalogue listCells listCodeBatches listCodes listCorrections
    listInstanceAlertRules listInstanceAlerts listInstanceDeliveries listInstanceWebhooks listOperatorTokens
    listPayments listProcesses listProofs listProviders listSeals listUsers listWorkspaces lookUp
    previewCatalogue searchCells showCell showInstanceDelivery showLastReceipt showOffer showRestart showSettings showStatus showUsageOfAll
  `,
  'operator: write': `
    applyCatalogue beginArrival beginRestart cancelCodeBatch changeUser createCodeBatch createInstanceWebhook
    createOperatorToken createSetUpLink createUserResetLink createWorkspace deleteCell deleteInstanceWebhook deleteModel
    deleteProvider dropArrival eraseUser landArrival landRows openArrival probeProvider rebuildUsage receiveRows resendInstanceDelivery revokeOperatorToken rotateInstanceWebhookSecret rotateOwnToken
    rotateSecretsKey sealReceipts signUserOut storeCell storeModel storeProvider testInstanceWebhook updateInstanceAlertRule
    updateInstanceWebhook verifyCell verifyLedger
  `,
  'operator: back_up': 'downloadBackup',
};

/** What gives a right, or takes one away, asks sessions for a proof of the last minutes. */
const RECENT = `
  addAuthenticator addDomain addPasskey approveDomain beginPasskey changeAccess changeMember changeUser closeWorkspace confirmAuthenticator createAccessToken
  createInstanceWebhook createInvitation createKey createMemberResetLink createOperatorToken createTopUp
  createUserResetLink createWebhook downloadBackup endDirectoryToken endFormerSecret eraseUser inviteColleagues leaveWorkspace makeDirectoryToken moveWorkspace removeAuthenticator removePasskey
  proveDomain removeDomain removeMember replaceRecoveryCodes revokeKey rotateInstanceWebhookSecret rotateKey rotateOwnToken
  rotateSecretsKey rotateWebhookSecret setMyPassword signUserOut storeCell storeProvider updateKey updatePaymentSettings updateSink
`;

/** What people edit, so that two who edit the same thing notice each other. */
const VERSIONED = `
  archiveProject changeAccess changeMember closeWorkspace deleteAlertRule deleteCell deleteInstanceWebhook deleteModel deleteProvider deleteWebhook changeWorkspace
  restoreProject rotateInstanceWebhookSecret rotateKey rotateWebhookSecret storeCell storeModel storeProvider updateAlertRule
  updateInstanceAlertRule updateInstanceWebhook updateKey updatePaymentSettings updateProject updateSink updateWebhook
`;

let testDatabase: TestDatabase;
let account: Account;
/** Of the sessions. */
let userId: string;
let app: AdminApp;
const actors = new Map<string, Actor>();

beforeAll(async () => {
  testDatabase = await startTestDatabase();
  const { database: sql, control } = testDatabase;
  account = await openAccount(sql);
  app = createAdminApp({
    ...adminDependencies(control),
    identity: adminIdentity(control),
    identify: identifyAs(actors),
  });
  actors.set('operator', { kind: 'operator', tokenId: null, name: 'operator', access: 'all' });
  actors.set('reader', { kind: 'operator', tokenId: 't', name: 'reader', access: 'read' });
  ({ userId } = await signedIn(testDatabase.database, { roles: { [account.workspace.id]: 'owner' } }));
  for (const role of ['owner', 'viewer'] as const) actors.set(role, member(role));
  actors.set('stale owner', { ...member('owner'), authenticatedAtMs: Date.now() - 900_001 });
  actors.set('stranger', { ...member('owner'), roles: new Map([['0193a7a0-0000-7000-8000-000000000001', 'owner']]) });
});
afterAll(() => testDatabase.stop());

const member = (role: Role) => sessionActor({ userId, roles: new Map([[account.workspace.id, role]]) });

async function call(as: string, method: string, path: string, body?: object): Promise<string> {
  const response = await app.request(`/admin/v1${path}`, {
    method,
    headers: { authorization: as, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { error?: { code: string } };
  return answer.error?.code ?? String(response.status);
}

async function documentedOperations(): Promise<readonly Operation[]> {
  const { paths } = (await (await app.request('/admin/openapi.json')).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ ...operation, path })),
  );
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/).toSorted();
}

test('every operation takes the permission or right that the table says, and the table names every operation', async () => {
  const operations = await documentedOperations();
  const access = operations.map(
    ({ operationId, 'x-access': kind, 'x-permission': permission, 'x-right': right }) =>
      `${permission ?? (right === undefined ? kind : `${kind}: ${right}`)}: ${operationId}`,
  );
  const expected = Object.entries(ACCESS).flatMap(([needed, names]) =>
    words(names).map((name) => `${needed}: ${name}`),
  );
  expect(access.toSorted()).toEqual(expected.toSorted());
  for (const { path, 'x-access': kind } of operations) {
    const isInWorkspace = path.startsWith('/admin/v1/workspaces/{workspace}');
    expect({ path, isInWorkspace }).toEqual({ path, isInWorkspace: kind === 'workspace' });
  }
});

test('the operations that need a recent sign-in, and those that need a version, are those of the tables', async () => {
  const operations = await documentedOperations();
  const recent = operations.filter((operation) => operation['x-recent-sign-in'] === true);
  expect(recent.map(({ operationId }) => operationId).toSorted()).toEqual(words(RECENT));
  const versioned = operations.filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'if-match'));
  expect(versioned.map(({ operationId }) => operationId).toSorted()).toEqual(words(VERSIONED));
});

test('a route of a workspace answers its members by their role, and others as if it did not exist', async () => {
  const at = `/workspaces/${account.workspace.id}`;
  expect(await call('nobody', 'GET', at)).toBe('UNAUTHENTICATED');
  expect(await call('stranger', 'GET', at)).toBe('NOT_FOUND');
  expect(await call('viewer', 'GET', at)).toBe('200');
  expect(await call('viewer', 'POST', `${at}/projects`, { name: 'A' })).toBe('FORBIDDEN');
  expect(await call('owner', 'POST', `${at}/projects`, { name: 'A' })).toBe('201');
  expect(await call('owner', 'POST', `${at}/postings`, { kind: 'grant', amount_usd: '1', reason: 'x' })).toBe(
    'FORBIDDEN',
  );
});

test('a workspace is found by its name for the operator alone', async () => {
  const at = `/workspaces/${encodeURIComponent(account.workspace.name)}`;
  expect(await call('operator', 'GET', at)).toBe('200');
  expect(await call('owner', 'GET', at)).toBe('NOT_FOUND');
});

test('a closed workspace is read by the operator alone, and changed by nobody', async () => {
  const { workspace } = await openAccount(testDatabase.database);
  await testDatabase.database.query('update workspaces set closing_at = now(), archived_at = now() where id = $1', [
    workspace.id,
  ]);
  const at = `/workspaces/${workspace.id}`;
  for (const path of [at, `${at}/audit`, `${at}/projects`, `${at}/keys`]) {
    expect(await call('operator', 'GET', path)).toBe('200');
    expect(await call('owner', 'GET', path)).toBe('NOT_FOUND');
  }
  expect(await call('operator', 'POST', `${at}/projects`, { name: 'A' })).toBe('NOT_FOUND');
});

test('a route of the operator refuses members, and changes nothing for a read-only token', async () => {
  expect(await call('owner', 'GET', '/workspaces')).toBe('FORBIDDEN');
  expect(await call('reader', 'GET', '/workspaces')).toBe('200');
  expect(await call('reader', 'POST', '/workspaces', { name: 'B' })).toBe('FORBIDDEN');
});

test('a session that signed in long ago makes no key until its user has proved who they are again', async () => {
  const at = `/workspaces/${account.workspace.id}/projects/${account.project.id}/keys`;
  expect(await call('stale owner', 'POST', at, {})).toBe('UNAUTHENTICATED');
  expect(await call('stale owner', 'GET', at)).toBe('200');
  expect(await call('owner', 'POST', at, {})).toBe('201');
});
