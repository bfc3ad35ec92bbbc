import { inspect } from 'node:util';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { granted, openAccount } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { testKeyring } from '../../../test/support/keyring.ts';
import { operatorScope, scopeOf } from '../../../test/support/scopes.ts';
import { startWebhookReceiver } from '../../../test/support/webhook-receiver.ts';
import { listAuditEvents } from '../audit/audit.ts';
import { isRefusal, refuse } from '../../domain/refusals.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import { KeyEncryptionFault } from '../encryption/key-encryption.ts';
import type { Keyring } from '../encryption/keyring.ts';
import { sendTestWebhook } from './deliveries.ts';
import type { WebhookNotice } from './notice.ts';
import { claimNotices } from './outbox-store.ts';
import { readSecrets, sendWebhook } from './send-webhook.ts';
import { TargetNetwork } from '../../lib/target-network.ts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  type EndpointWithSecret,
  listWebhookEndpoints,
  rotateWebhookSecret,
  showWebhookEndpoint,
  updateWebhookEndpoint,
} from './webhook-endpoints.ts';
import { queueWebhooks } from './webhook-queue.ts';

const network = new TargetNetwork(['127.0.0.0/8']);

let db: TestDatabase;
let keyring: Keyring;
let parts: { readonly network: TargetNetwork; readonly keyring: Keyring };
beforeAll(async () => {
  db = await startTestDatabase();
  keyring = testKeyring(db.control);
  parts = { network, keyring };
});
afterAll(() => db.stop());

async function newScope(): Promise<WorkspaceScope> {
  const { workspace } = await openAccount(db.database);
  return scopeOf(workspace.id, 'alerts:write');
}

async function newEndpoint(scope: WorkspaceScope, url = 'https://hooks.example/a'): Promise<EndpointWithSecret> {
  const made = granted(await createWebhookEndpoint(db.control, scope, { url, description: 'ours' }, parts));
  return { ...made, secret: made.secret ?? '' };
}

test('a webhook endpoint is made with a secret that no list shows', async () => {
  const scope = await newScope();
  const { endpoint, secret } = await newEndpoint(scope);
  expect(secret).toMatch(/^fg_whsec_[\w-]{43}$/);
  const { items } = await listWebhookEndpoints(db.control, scope);
  expect(items).toEqual([endpoint]);
  expect(JSON.stringify(items)).not.toContain(secret);
});

test('a webhook endpoint is made once under a name, and only the first answer has its secret', async () => {
  const scope = await newScope();
  const settings = { url: 'https://hooks.example/', description: '', once: 'mine' };
  const create = () => createWebhookEndpoint(db.control, scope, settings, parts);
  const made = (await Promise.all([create(), create()])).map(granted);
  expect(new Set(made.map(({ endpoint }) => endpoint.id)).size).toBe(1);
  expect(made.filter(({ secret }) => secret !== null)).toHaveLength(1);
  const other = await createWebhookEndpoint(db.control, scope, { ...settings, description: 'other' }, parts);
  expect(other).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
});

test('a change of a webhook endpoint leaves an audit event, which names no secret', async () => {
  const scope = await newScope();
  const { endpoint, secret } = await newEndpoint(scope);
  const { id } = endpoint;
  const given = { description: 'theirs' };
  granted(await updateWebhookEndpoint(db.control, scope, { id, given, version: 1 }, network));
  const rotated = granted(
    await rotateWebhookSecret(db.control, keyring, scope, { id, overlapHours: 24, version: null }),
  );
  granted(await deleteWebhookEndpoint(db.control, scope, { id, version: 3 }));
  const events = await listAuditEvents(db.control, scopeOf(scope.workspaceId, 'audit:read'), {});
  const items = events.items.filter(({ action }) => action.startsWith('webhook.'));
  expect(items.map(({ action }) => action)).toEqual([
    'webhook.delete',
    'webhook.rotate',
    'webhook.update',
    'webhook.create',
  ]);
  expect(items[2]).toMatchObject({ before: { description: 'ours' }, after: { description: 'theirs' } });
  const text = inspect(items, { depth: null });
  expect(text).not.toContain(secret);
  expect(text).not.toContain(rotated.secret);
});

test('a webhook endpoint is not made or changed to where webhooks may not go', async () => {
  const scope = await newScope();
  const hostile = { url: 'https://169.254.169.254/', description: '' };
  expect(await createWebhookEndpoint(db.control, scope, hostile, parts)).toMatchObject({
    code: 'INVALID_REQUEST',
    param: 'url',
  });
  const { endpoint } = await newEndpoint(scope);
  const change = { id: endpoint.id, given: { url: 'http://hooks.example/' }, version: null };
  expect(await updateWebhookEndpoint(db.control, scope, change, network)).toMatchObject({ param: 'url' });
});

test('a webhook endpoint of another workspace is found by no operation', async () => {
  const { endpoint } = await newEndpoint(await newScope());
  const { id } = endpoint;
  const other = await newScope();
  expect(await showWebhookEndpoint(db.control, other, id)).toBeNull();
  expect(await showWebhookEndpoint(db.control, operatorScope(), id)).toBeNull();
  const notFound = { code: 'NOT_FOUND' };
  expect(await updateWebhookEndpoint(db.control, other, { id, given: {}, version: null }, network)).toMatchObject(
    notFound,
  );
  expect(await rotateWebhookSecret(db.control, keyring, other, { id, overlapHours: 0, version: null })).toMatchObject(
    notFound,
  );
  expect(await deleteWebhookEndpoint(db.control, other, { id, version: null })).toMatchObject(notFound);
  expect((await listWebhookEndpoints(db.control, other)).items).toEqual([]);
  await queueWebhooks(db.control, other.workspaceId, { type: 'test', fields: {} }, id);
  expect(await db.database.query('select 1 from notices where endpoint_id = $1', [id])).toEqual([]);
});

test('a webhook endpoint that somebody else has changed since is not changed', async () => {
  const scope = await newScope();
  const { endpoint } = await newEndpoint(scope);
  const change = (description: string) =>
    updateWebhookEndpoint(db.control, scope, { id: endpoint.id, given: { description }, version: 1 }, network);
  const outcomes = await Promise.all([change('one'), change('two')]);
  expect(outcomes.filter((outcome) => 'code' in outcome && outcome.code === 'PRECONDITION_FAILED')).toHaveLength(1);
});

test('a webhook endpoint that is disabled or deleted gets nothing more, not even what waits', async () => {
  const scope = await newScope();
  const disabled = (await newEndpoint(scope)).endpoint;
  const deleted = (await newEndpoint(scope)).endpoint;
  const queue = () => queueWebhooks(db.control, scope.workspaceId, { type: 'test', fields: {} });
  expect(await queue()).toHaveLength(2);
  await updateWebhookEndpoint(
    db.control,
    scope,
    { id: disabled.id, given: { enabled: false }, version: null },
    network,
  );
  await deleteWebhookEndpoint(db.control, scope, { id: deleted.id, version: null });
  expect(await queue()).toEqual([]);
  const rows = await db.database.query(
    `select state, last_error from notices where workspace_id = $1 order by last_error`,
    [scope.workspaceId],
  );
  expect(rows).toEqual([
    { state: 'given_up', last_error: 'the endpoint was deleted' },
    { state: 'given_up', last_error: 'the endpoint was disabled' },
  ]);
});

/** The receiver's check of a signature, as the documentation shows it. */
async function documentedCheck(): Promise<
  (secret: string, header: string, body: string, nowSeconds?: number) => boolean
> {
  const text = await readFile(join(import.meta.dirname, '../../../docs/alerts.md'), 'utf8');
  const snippet = /```js\n(.*?)```/s.exec(text)?.[1] ?? '';
  const directory = await mkdtemp(join(tmpdir(), 'faregate-snippet-'));
  const file = join(directory, 'check.mjs');
  await writeFile(file, snippet);
  const loaded = await import(pathToFileURL(file).href);
  await rm(directory, { recursive: true });
  return loaded.isFromFaregate;
}

test('a receiver with the documented check accepts a delivery, also while the secret is rotated, and no forged one', async () => {
  const receiver = await startWebhookReceiver();
  const scope = await newScope();
  const { endpoint, secret: former } = await newEndpoint(scope, receiver.url);
  const isFromFaregate = await documentedCheck();
  const deliver = async () => {
    await queueWebhooks(db.control, scope.workspaceId, { type: 'test', fields: { text: 'é "quoted"' } });
    const [claimed] = await claimNotices(db.control, { channel: 'webhook', most: 1 });
    const notice = claimed?.notice;
    if (notice?.channel !== 'webhook') throw new Error('a webhook was queued');
    const signed = await readSecrets(keyring, notice);
    if ('kind' in signed) throw new Error('its secrets can be decrypted');
    await sendWebhook(network, signed, { nowMs: Date.now() });
    const delivery = receiver.received.at(-1);
    if (delivery === undefined) throw new Error('a webhook was delivered');
    return delivery;
  };

  const first = await deliver();
  expect(JSON.parse(first.body)).toMatchObject({ id: first.id, type: 'test', text: 'é "quoted"' });
  expect(isFromFaregate(former, first.signature, first.body)).toBe(true);
  expect(isFromFaregate('fg_whsec_other', first.signature, first.body)).toBe(false);
  expect(isFromFaregate(former, first.signature, `${first.body} `)).toBe(false);
  expect(isFromFaregate(former, first.signature, first.body, Date.now() / 1_000 + 301)).toBe(false);
  expect(isFromFaregate(former, 't=,v1=', first.body)).toBe(false);
  expect(isFromFaregate(former, '', first.body)).toBe(false);

  const rotation = { id: endpoint.id, overlapHours: 24, version: null };
  const { secret } = granted(await rotateWebhookSecret(db.control, keyring, scope, rotation));
  const during = await deliver();
  expect([former, secret].map((each) => isFromFaregate(each, during.signature, during.body))).toEqual([true, true]);

  const again = granted(await rotateWebhookSecret(db.control, keyring, scope, { ...rotation, overlapHours: 0 }));
  const after = await deliver();
  expect([secret, again.secret].map((each) => isFromFaregate(each, after.signature, after.body))).toEqual([
    false,
    true,
  ]);
});

test('the operator has webhook endpoints of their own, which no workspace sees', async () => {
  const scope = operatorScope();
  const url = `https://hooks.example/${randomUUID()}`;
  const { endpoint } = granted(await createWebhookEndpoint(db.control, scope, { url, description: '' }, parts));
  expect(await showWebhookEndpoint(db.control, scope, endpoint.id)).toEqual(endpoint);
  expect(await showWebhookEndpoint(db.control, await newScope(), endpoint.id)).toBeNull();
});

test('an endpoint for which many webhooks wait is tested no more, until they are sent or given up', async () => {
  const scope = await newScope();
  const { endpoint } = await newEndpoint(scope, 'https://hooks.example/slow');
  const results = [];
  for (let count = 0; count < 22; count++) results.push(await sendTestWebhook(db.control, scope, endpoint.id));
  const tooMany = refuse(
    'RATE_LIMITED',
    '20 webhooks to this endpoint are waiting already: test it again once they were received or given up.',
    { retryAfterMs: 60_000 },
  );
  expect(results.filter(isRefusal)).toEqual([tooMany, tooMany]);
  await db.database.query(`update notices set state = 'sent', finished_at = now() where endpoint_id = $1`, [
    endpoint.id,
  ]);
  expect(await sendTestWebhook(db.control, scope, endpoint.id)).toMatchObject({ state: 'waiting' });
  // Other tests claim what is due.
  await db.database.query('delete from notices where endpoint_id = $1', [endpoint.id]);
});

test('a webhook that tries an endpoint says that it is a test', async () => {
  const scope = await newScope();
  const { endpoint } = await newEndpoint(scope);
  const { id } = granted(await sendTestWebhook(db.control, scope, endpoint.id));
  const [notice] = await db.database.query<{ body: string }>('delete from notices where id = $1 returning body', [id]);
  expect(JSON.parse(notice?.body ?? '')).toEqual({
    id,
    type: 'test',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    text: 'This is a test of the webhook endpoint.',
  });
});

test('a secret that is rotated without hours in which both sign is kept nowhere', async () => {
  const scope = await newScope();
  const { id } = (await newEndpoint(scope)).endpoint;
  const rotate = async (overlapHours: number) => {
    granted(await rotateWebhookSecret(db.control, keyring, scope, { id, overlapHours, version: null }));
    const [former] = await db.database.query(
      `select encrypted_former_secret is null as "isGone", former_until as until from webhook_endpoints where id = $1`,
      [id],
    );
    return former;
  };
  expect(await rotate(1)).toEqual({ isGone: false, until: expect.any(Date) });
  expect(await rotate(0)).toEqual({ isGone: true, until: null });
});

test('a secret whose key is lost can be rotated and signs no more, and any other fault leaves it as it was', async () => {
  const scope = await newScope();
  const { endpoint } = await newEndpoint(scope);
  const rotate = () =>
    rotateWebhookSecret(db.control, keyring, scope, { id: endpoint.id, overlapHours: 1, version: null });
  const decrypt = vi.spyOn(keyring, 'decrypt');
  decrypt.mockRejectedValueOnce(new Error('the ciphertext is damaged'));
  await expect(rotate()).rejects.toThrow('the ciphertext is damaged');
  expect(await showWebhookEndpoint(db.control, scope, endpoint.id)).toEqual(endpoint);
  decrypt.mockRejectedValueOnce(new KeyEncryptionFault('the key is lost'));
  expect(granted(await rotate()).endpoint).toEqual({ ...endpoint, version: 2 });
});

test('webhook endpoints are listed page by page, and recorded whole when they are made, changed, rotated and deleted', async () => {
  const scope = await newScope();
  const made = [];
  for (const path of ['a', 'b', 'c']) made.push((await newEndpoint(scope, `https://hooks.example/${path}`)).endpoint);
  const first = await listWebhookEndpoints(db.control, scope, { limit: 2 });
  const rest = await listWebhookEndpoints(db.control, scope, { after: first.next });
  expect([first.items, rest.items]).toEqual([made.slice(0, 2), made.slice(2)]);
  const [endpoint] = made;
  const id = endpoint?.id ?? '';
  expect(endpoint).toEqual({
    id,
    url: 'https://hooks.example/a',
    description: 'ours',
    enabled: true,
    version: 1,
    createdAt: expect.any(Date),
    formerUntil: null,
  });
  const given = { url: 'https://hooks.example/new', description: 'theirs', enabled: false };
  const updated = await updateWebhookEndpoint(db.control, scope, { id, given, version: 1 }, network);
  expect(updated).toEqual({ ...endpoint, ...given, version: 2 });
  const rotate = async (overlapHours: number) =>
    granted(await rotateWebhookSecret(db.control, keyring, scope, { id, overlapHours, version: null })).endpoint;
  const rotated = await rotate(2);
  expect(rotated).toEqual({ ...endpoint, ...given, version: 3, formerUntil: expect.any(Date) });
  const hours = ((rotated.formerUntil?.getTime() ?? 0) - Date.now()) / 3_600_000;
  expect(Math.round(hours * 10) / 10).toBe(2);
  expect(await rotate(0)).toEqual({ ...endpoint, ...given, version: 4, formerUntil: null });
  expect(await rotateWebhookSecret(db.control, keyring, scope, { id, overlapHours: 0, version: 3 })).toMatchObject({
    code: 'PRECONDITION_FAILED',
  });
  expect(await deleteWebhookEndpoint(db.control, scope, { id, version: 3 })).toMatchObject({
    code: 'PRECONDITION_FAILED',
  });
  granted(await deleteWebhookEndpoint(db.control, scope, { id, version: 4 }));
  expect(await deleteWebhookEndpoint(db.control, scope, { id, version: null })).toEqual(
    refuse('NOT_FOUND', 'There is no such webhook endpoint.'),
  );
  const { items } = await listAuditEvents(db.control, scopeOf(scope.workspaceId, 'audit:read'), { targetId: id });
  const whole = { url: 'https://hooks.example/a', description: 'ours', enabled: true };
  const event = { targetKind: 'webhook', targetId: id, targetName: given.url };
  expect(items).toMatchObject([
    { ...event, action: 'webhook.delete', before: given, after: null },
    { ...event, action: 'webhook.rotate', before: null, after: { overlap_hours: 0 } },
    { ...event, action: 'webhook.rotate', before: null, after: { overlap_hours: 2 } },
    { ...event, action: 'webhook.update', before: whole, after: given },
    { ...event, action: 'webhook.create', targetName: whole.url, before: null, after: whole },
  ]);
});

test('what is wrong with a webhook endpoint is said, and one that was deleted is not made again under its name', async () => {
  const scope = await newScope();
  const create = (url: string, once: string | null = null) =>
    createWebhookEndpoint(db.control, scope, { url, description: '', once }, parts);
  expect(await create('http://hooks.example/')).toEqual(
    refuse('INVALID_REQUEST', 'This URL is not https.', { param: 'url' }),
  );
  const url = 'https://hooks.example/';
  const { endpoint } = granted(await create(url, 'mine'));
  granted(await deleteWebhookEndpoint(db.control, scope, { id: endpoint.id, version: null }));
  expect(await create(url, 'mine')).toEqual(refuse('NOT_FOUND', 'There is no such webhook endpoint.'));
  for (let count = 0; count < 20; count++) granted(await create(url));
  expect(await create(url)).toEqual(refuse('CONFLICT', 'There are 20 webhook endpoints already: delete one first.'));
});

test('a former secret signs until its hours are over, and no webhook is unsigned because a key is away', async () => {
  const scope = await newScope();
  const { endpoint } = await newEndpoint(scope);
  const { id } = endpoint;
  granted(await rotateWebhookSecret(db.control, keyring, scope, { id, overlapHours: 1, version: null }));
  const secretsNow = async (): Promise<WebhookNotice> => {
    await queueWebhooks(db.control, scope.workspaceId, { type: 'test', fields: {} });
    const [claimed] = await claimNotices(db.control, { channel: 'webhook', most: 1, receivers: [id] });
    if (claimed?.notice.channel !== 'webhook') throw new Error('a webhook is due');
    return claimed.notice;
  };
  const during = await secretsNow();
  expect(await readSecrets(keyring, during)).toMatchObject({ secrets: [expect.any(String), expect.any(String)] });
  await db.database.query('update webhook_endpoints set former_until = now() where id = $1', [id]);
  expect(await readSecrets(keyring, await secretsNow())).toMatchObject({ secrets: [expect.any(String)] });
  vi.spyOn(keyring, 'decrypt').mockRejectedValueOnce(new KeyEncryptionFault('the key is away'));
  expect(await readSecrets(keyring, during)).toEqual({
    kind: 'failed',
    reason: 'its secret can not be decrypted: rotate it',
    status: null,
    retryAfterMs: 0,
  });
  vi.spyOn(keyring, 'decrypt').mockRejectedValueOnce(new Error('the ciphertext is damaged'));
  await expect(readSecrets(keyring, during)).rejects.toThrow('the ciphertext is damaged');
  granted(await deleteWebhookEndpoint(db.control, scope, { id, version: null }));
  await db.database.query('delete from notices where endpoint_id = $1', [id]);
});
