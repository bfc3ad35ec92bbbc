import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminDependencies } from '../../../test/support/admin-dependencies.ts';
import { adminIdentity } from '../../../test/support/admin-identity.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { type DescribedOperation, describedOperations } from '../../../test/support/described-api.ts';
import { type FullTenant, openFullTenant, thingsOf } from '../../../test/support/full-tenant.ts';
import type { OperatorAccess } from '../../domain/actor.ts';
import { createAdminApp } from './admin-app.ts';
import type { AdminApp } from './route-access.ts';

// What a read-only operator token may call. A new operation that it may call fails the test until somebody has judged that its
// answer gives no right to its reader: no secret, no hash of one, no link, nothing that a request could be made with.

/** Records as the console shows them, a page at a time: what they name, and what it cost. */
const RECORDS: readonly string[] = [
  'countAllRefusals',
  'getMember',
  'listAlertRules',
  'listAlerts',
  'listAllRefusals',
  'listAuditEvents',
  'listCatalogue',
  'listCells',
  'listCorrections',
  'listDomains',
  'listEndUserLimits',
  'listExpiringGrants',
  'listInstanceAlertRules',
  'listInstanceAlerts',
  'listMembers',
  'listModels',
  'listPostings',
  'listPriceAdjustments',
  'listProjects',
  'listProofs',
  'listReceipts',
  'listRecurringGrants',
  'listRefusals',
  'listSeals',
  'listSinks',
  'listUsers',
  'listWorkspaces',
  'listenToWorkspace',
  'lookUp',
  'showAuditEvent',
  'showEndUser',
  'showLastReceipt',
  'showModel',
  'showMove',
  'showOverview',
  'showPaymentSettings',
  'showProject',
  'showReceipt',
  'showRefusal',
  'showRequest',
  'showStatement',
  'showUsage',
  'showUsageOfAll',
  'showWorkspace',
];

/** Things with a secret, which is left out or masked; a top-up's page is for paying in, and a delivery has no text. */
const MASKED: readonly string[] = [
  'listCodeBatches',
  'listCodes',
  'listDeliveries',
  'listInstanceDeliveries',
  'listInstanceWebhooks',
  'listInvitations',
  'listKeys',
  'listOperatorTokens',
  'listPayments',
  'listProjectKeys',
  'listTopUps',
  'listWebhooks',
  'showAccess',
  'showDelivery',
  'showDirectory',
  'showInstanceDelivery',
  'showKey',
  'showOffer',
  'showTopUp',
];

/** The same records as files, which have no more than their pages, one after the other. */
const EXPORTS: readonly string[] = ['exportAuditEvents', 'exportRecords', 'exportStatement', 'exportUsage'];

/** The instance: how it is and how it is set up. Secrets are left out of its settings. */
const INSTANCE: readonly string[] = [
  'examineInstance',
  'listProcesses',
  'listProviders',
  'previewCatalogue',
  'searchCells',
  'showCell',
  'showRestart',
  'showSettings',
  'showStatus',
];

const READABLE = [...RECORDS, ...MASKED, ...EXPORTS, ...INSTANCE];
const BACKUPS = ['downloadBackup'];

let db: TestDatabase;
let app: AdminApp;
let tenant: FullTenant;
let operations: readonly DescribedOperation[];
let access: OperatorAccess = 'read';

beforeAll(async () => {
  db = await startTestDatabase();
  app = createAdminApp({
    ...adminDependencies(db.control),
    identity: adminIdentity(db.control),
    identify: () =>
      Promise.resolve({
        actor: { kind: 'operator', tokenId: randomUUID(), name: 'reader', access },
        address: null,
        requestId: null,
      }),
  });
  operations = describedOperations((await (await app.request('/admin/openapi.json')).json()) as object);
  tenant = await openFullTenant(db.database);
});
afterAll(() => db.stop());

/** The part of a server's response that long answers use. */
const ignored = (): undefined => undefined;
const SOCKET = {
  outgoing: { setTimeout: ignored, destroy: ignored, once: ignored, getHeader: ignored, setHeader: ignored },
};

/** Whether the operation gets past the check of its caller's rights. */
async function isAllowed({ method, path }: DescribedOperation): Promise<boolean> {
  const things: Readonly<Record<string, string>> = { ...thingsOf(tenant), workspace: tenant.workspace.id };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => things[name] ?? randomUUID());
  const headers = { 'content-type': 'application/json', 'if-match': '*' };
  const body = method === 'GET' ? {} : { body: '{}' };
  const response = await app.request(filled, { method, headers, ...body }, SOCKET);
  await response.body?.cancel();
  return response.status !== 403;
}

async function allowed(to: OperatorAccess): Promise<readonly string[]> {
  access = to;
  const names: string[] = [];
  for (const operation of operations.filter((each) => each['x-access'] !== 'public')) {
    if (await isAllowed(operation)) names.push(operation.operationId);
  }
  return names.toSorted();
}

test('a read-only operator token calls the operations that somebody has judged, and no other', async () => {
  expect(operations.length).toBeGreaterThan(100);
  expect(await allowed('read')).toEqual(READABLE.toSorted());
});

test('a read-only operator token that was made for backups downloads them, and is otherwise as the others', async () => {
  expect(await allowed('read_and_backup')).toEqual([...READABLE, ...BACKUPS].toSorted());
});
