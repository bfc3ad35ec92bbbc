import { adminDependencies } from '../../../../test/support/admin-dependencies.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, openAccount } from '../../../../test/support/accounts.ts';
import { adminIdentity, identifyAs, sessionActor } from '../../../../test/support/admin-identity.ts';
import { startTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { claimNotices, recordResult } from '../../alerts/outbox-store.ts';
import { queueMail } from '../../alerts/mail-queue.ts';
import type { Actor } from '../../../domain/actor.ts';
import { createAdminApp } from '../admin-app.ts';
import type { AdminApp } from '../route-access.ts';

let db: TestDatabase;
let account: Account;
let app: AdminApp;
const actors = new Map<string, Actor>();

beforeAll(async () => {
  db = await startTestDatabase();
  const { database: sql, control } = db;
  account = await openAccount(sql);
  app = createAdminApp({
    ...adminDependencies(control),
    identity: adminIdentity(control),
    identify: identifyAs(actors),
  });
  actors.set('operator', { kind: 'operator', tokenId: null, name: 'operator', access: 'all' });
  for (const role of ['billing', 'viewer'] as const) {
    actors.set(role, sessionActor({ roles: new Map([[account.workspace.id, role]]) }));
  }
});
afterAll(() => db.stop());

interface Answer {
  readonly status: number;
  // What comes over the wire is looked at as it comes.
  readonly body: { readonly [field: string]: unknown; readonly error?: { code: string; param: string | null } };
}

async function call(
  as: string,
  line: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`,
  body?: object,
  version?: number,
): Promise<Answer> {
  const [method = '', path = ''] = line.split(' ');
  const response = await app.request(`/admin/v1${path}`, {
    method,
    headers: {
      authorization: as,
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      ...(version === undefined ? {} : { 'if-match': `"${version}"` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const at = (path: string): `/${string}` => `/workspaces/${account.workspace.id}${path}`;

test('an alert rule is made, listed, changed and deleted over HTTP, with the threshold that its kind has', async () => {
  const made = await call('billing', `POST ${at('/alert-rules')}`, {
    name: 'low',
    kind: 'balance_below',
    threshold_usd: '5.00',
    mail_roles: ['owner'],
    mail_to: ['ops@example.com'],
  });
  expect(made).toMatchObject({
    status: 201,
    body: { threshold_usd: '5.00', threshold_nano_usd: '5000000000', percent: null, days: null, version: 1 },
  });
  const rule = `/alert-rules/${String(made.body['id'])}` as const;
  expect(await call('billing', `PATCH ${at(rule)}`, { threshold_usd: '7' })).toMatchObject({ status: 400 });
  expect(await call('billing', `PATCH ${at(rule)}`, { percent: 7 }, 1)).toMatchObject({
    body: { error: { param: 'percent' } },
  });
  expect(await call('billing', `PATCH ${at(rule)}`, { threshold_usd: '7', enabled: false }, 1)).toMatchObject({
    status: 200,
    body: { threshold_usd: '7.00', enabled: false, version: 2 },
  });
  expect(await call('billing', `PATCH ${at(rule)}`, {}, 1)).toMatchObject({ status: 412 });
  expect((await call('billing', `GET ${at('/alert-rules')}`)).body['data']).toContainEqual(
    expect.objectContaining({ id: made.body['id'] }),
  );
  expect(await call('billing', `DELETE ${at(rule)}`, undefined, 2)).toMatchObject({ status: 200 });
  expect(await call('billing', `GET ${at('/alerts')}`)).toMatchObject({ status: 200, body: { data: [] } });
});

test.each([
  [
    { kind: 'balance_share', percent: 20 },
    { percent: 20, threshold_usd: null },
  ],
  [{ kind: 'runway', days: 3 }, { days: 3 }],
  [
    { kind: 'key_limit', percent: 100 },
    { percent: 100, subject_id: null, subject_name: null },
  ],
])('an alert rule is made over HTTP from %o', async (given, expected) => {
  const made = await call('operator', `POST ${at('/alert-rules')}`, { name: 'a', ...given });
  expect(made).toMatchObject({ status: 201, body: expected });
});

test('a rule about one project or key names it, and one about anything else of that id is refused', async () => {
  const { project, key } = account;
  const ofProject = { name: 'web', kind: 'project_budget', percent: 80, subject_id: project.id };
  const made = await call('operator', `POST ${at('/alert-rules')}`, ofProject);
  expect(made).toMatchObject({ status: 201, body: { subject_id: project.id, subject_name: project.name } });
  const ofKey = await call('operator', `POST ${at('/alert-rules')}`, {
    name: 'laptop',
    kind: 'key_limit',
    percent: 50,
    subject_id: key.id,
  });
  const rule = `/alert-rules/${String(ofKey.body['id'])}` as const;
  expect(await call('billing', `PATCH ${at(rule)}`, { percent: 60 }, 1)).toMatchObject({
    body: { percent: 60, subject_name: key.name },
  });
  const names = ((await call('billing', `GET ${at('/alert-rules')}`)).body['data'] as { subject_name: string }[]).map(
    ({ subject_name: name }) => name,
  );
  expect(names).toEqual(expect.arrayContaining([project.name, key.name]));
  const stranger = await openAccount(db.database);
  for (const id of [key.id, stranger.project.id, '0193a7a0-0000-7000-8000-000000000003']) {
    expect(await call('operator', `POST ${at('/alert-rules')}`, { ...ofProject, subject_id: id })).toMatchObject({
      status: 400,
      body: { error: { param: 'subject_id', message: expect.stringContaining('no such project') } },
    });
  }
});

test.each([
  [{ kind: 'runway', percent: 20 }, 'percent'],
  [{ kind: 'runway' }, 'days'],
  [{ kind: 'balance_share', percent: 101 }, 'percent'],
  [{ kind: 'ledger_difference' }, 'kind'],
  [{ kind: 'runway', days: 3, mail_to: ['nobody'] }, 'mail_to'],
])('an alert rule is refused over HTTP from %o', async (given, param) => {
  const made = await call('operator', `POST ${at('/alert-rules')}`, { name: 'a', ...given });
  expect(made).toMatchObject({ status: 400, body: { error: { code: 'INVALID_REQUEST', param } } });
});

test('a viewer neither sees nor changes alerts, webhooks and deliveries', async () => {
  for (const line of [
    'GET /alert-rules',
    'GET /alerts',
    'GET /webhooks',
    'GET /deliveries',
    'POST /webhooks',
  ] as const) {
    const [method = '', path = ''] = line.split(' ');
    const answer = await call('viewer', `${method as 'GET'} ${at(path)}`, method === 'GET' ? undefined : { url: 'a' });
    expect(answer).toMatchObject({ status: 403 });
  }
});

test('a webhook endpoint shows its secret when it is made and rotated, and never again', async () => {
  const made = await call('billing', `POST ${at('/webhooks')}`, { url: 'https://hooks.example/' });
  expect(made).toMatchObject({ status: 201, body: { secret: expect.stringMatching(/^fg_whsec_/), version: 1 } });
  const webhook = `/webhooks/${String(made.body['id'])}` as const;
  const rotated = await call('billing', `POST ${at(`${webhook}/rotate`)}`, { overlap_hours: 1 }, 1);
  expect(rotated).toMatchObject({
    status: 200,
    body: { secret: expect.any(String), former_secret_until: expect.any(String) },
  });
  const listed = await call('billing', `GET ${at('/webhooks')}`);
  expect(JSON.stringify(listed)).not.toContain('fg_whsec_');
  const changed = await call('billing', `PATCH ${at(webhook)}`, { description: 'ours' }, 2);
  expect(changed).toMatchObject({ body: { description: 'ours', enabled: true, version: 3 } });
  expect(await call('billing', `PATCH ${at(webhook)}`, { url: 'https://10.0.0.1/' }, 3)).toMatchObject({
    body: { error: { param: 'url' } },
  });
  const tested = await call('billing', `POST ${at(`${webhook}/test`)}`);
  expect(tested).toMatchObject({ status: 200, body: { channel: 'webhook', state: 'waiting', attempts: 0 } });
  const delivery = `/deliveries/${String(tested.body['id'])}` as const;
  expect(await call('billing', `GET ${at(delivery)}`)).toEqual(tested);
  expect(await call('operator', `GET ${delivery}`)).toMatchObject({ status: 404 });
  expect(await call('billing', `DELETE ${at(webhook)}`, undefined, 3)).toMatchObject({ status: 200 });
  expect(
    (await call('billing', `GET ${at(`/deliveries?state=given_up&webhook=${String(made.body['id'])}`)}`)).body['data'],
  ).toMatchObject([{ id: tested.body['id'], last_error: 'the endpoint was deleted' }]);
  expect(await call('billing', `POST ${at(`/deliveries/${String(tested.body['id'])}/resend`)}`)).toMatchObject({
    status: 409,
  });
});

test('a delivery that was given up is sent again on request, and an erased one is not', async () => {
  const workspaceId = account.workspace.id;
  const queued = { to: 'a@example.com', subject: 's', text: 't', workspaceId };
  await queueMail(db.control, { ...queued, once: 'plain' });
  await queueMail(db.control, { ...queued, once: 'secret', isSecret: true });
  const before = (await call('billing', `GET ${at('/deliveries?state=waiting')}`)).body['data'] as { id: string }[];
  const [waiting] = before;
  expect(await call('billing', `POST ${at(`/deliveries/${waiting?.id ?? ''}/resend`)}`)).toMatchObject({ status: 409 });
  for (let count = 0; count < 2; count++) {
    const [claimed] = await claimNotices(db.control, { channel: 'mail', most: 1 });
    if (claimed === undefined) throw new Error('it is due');
    await recordResult(db.control, claimed.notice, { kind: 'rejected', reason: 'no', status: 550 }, 0);
  }
  const { data } = (await call('billing', `GET ${at('/deliveries?state=given_up')}`)).body as {
    data: { id: string }[];
  };
  const mails = data.filter(({ id }) => before.some((each) => each.id === id));
  const answers = await Promise.all(mails.map(({ id }) => call('billing', `POST ${at(`/deliveries/${id}/resend`)}`)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  expect(await claimNotices(db.control, { channel: 'mail', most: 2 })).toHaveLength(1);
});

test('the operator has alert rules, webhooks and deliveries of their own, which members do not reach', async () => {
  const made = await call('operator', 'POST /webhooks', { url: 'https://hooks.example/operator' });
  expect(made).toMatchObject({ status: 201 });
  expect((await call('operator', 'GET /webhooks')).body['data']).toHaveLength(1);
  expect((await call('operator', `GET ${at('/webhooks')}`)).body['data']).toEqual([]);
  for (const path of ['/alert-rules', '/alerts', '/webhooks', '/deliveries'] as const) {
    expect(await call('operator', `GET ${path}`)).toMatchObject({ status: 200 });
    expect(await call('billing', `GET ${path}`)).toMatchObject({ status: 403 });
  }
});
