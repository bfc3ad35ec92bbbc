import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MockUpstream, startMockUpstream } from '../support/aimock.ts';
import { PASSWORD, secretIn, someEmail } from '../support/identity.ts';
import { Browser } from '../support/browser.ts';
import { outputPricedConfig } from '../support/output-priced.ts';
import { type Program, startProgram } from '../support/program.ts';
import { signedIn, type SignedInPerson } from '../support/signed-in-person.ts';
import type { Tenant } from '../support/tenant.ts';

// A limit over all that a member spends in a month: by their keys in all projects, and by the console.

const SOON = { timeout: 30_000, interval: 100 };
const CAP = 1_000;
/** Of 1,000 tokens. */
const HOLD_USD = '0.002';
const BODY = { model: 'output-priced', max_tokens: CAP, messages: [{ role: 'user', content: 'hi' }] };

let upstream: MockUpstream;
let program: Program;

beforeAll(async () => {
  upstream = await startMockUpstream({
    answerDelayMs: 20,
    usage: () => ({ prompt_tokens: 0, completion_tokens: CAP }),
  });
  program = await startProgram({
    beside: [upstream],
    args: ['--workers', '2'],
    // Patient, so that a busy machine changes no verdict.
    config: outputPricedConfig(upstream, 'timeouts: { hold_wait: 20s }'),
  });
});

afterAll(() => program.dispose());

interface Stage {
  readonly tenant: Tenant;
  readonly owner: SignedInPerson;
  readonly member: SignedInPerson;
}

async function openStage(): Promise<Stage> {
  const tenant = await program.createTenant({ credit: '10' });
  const { workspaceId } = tenant;
  const owner = await signedIn(program, { workspaceId });
  return { tenant, owner, member: await signedIn(program, { workspaceId, role: 'developer' }) };
}

/** A key that the person makes. */
async function keyOf({ session, workspaceId }: SignedInPerson, projectId: string): Promise<string> {
  const { status, body } = await session.post(`/workspaces/${workspaceId}/projects/${projectId}/keys`, {
    name: `key ${Math.random()}`,
  });
  expect(status).toBe(201);
  return body['key'] as string;
}

async function limit({ tenant, member }: Stage, usd: string | null) {
  const body = { monthly_limit_usd: usd };
  return await program.admin.changeMember(tenant.workspaceId, member.userId, body);
}

const shown = ({ tenant, member }: Stage) => program.admin.getMember(tenant.workspaceId, member.userId);

interface Refused {
  readonly error: { readonly code: string; readonly message: string; readonly details: { readonly levels: unknown } };
}

async function refused(key: string): Promise<Refused['error']> {
  const answer = await program.chat(key, BODY);
  expect(answer.status).toBe(402);
  return ((await answer.json()) as Refused).error;
}

test('a member’s keys in all projects spend one limit, a 402 names it, and a raised one holds immediately', async () => {
  const stage = await openStage();
  const { tenant, member } = stage;
  const project = await program.admin.createProject(tenant.workspaceId, { name: 'another' });
  const [one, two] = [await keyOf(member, tenant.projectId), await keyOf(member, project.id)];
  const strange = await keyOf(stage.owner, tenant.projectId);
  expect(await limit(stage, '0.005')).toMatchObject({ monthly_limit_usd: '0.005', standing: { used_usd: '0.00' } });

  for (const key of [one, two]) expect((await program.chat(key, BODY)).status).toBe(200);

  const error = await refused(two);
  expect(error).toMatchObject({
    code: 'MEMBER_SPEND_LIMIT_EXCEEDED',
    message: expect.stringContaining("raise the member's limit"),
    details: { levels: [{ level: 'member', limit_usd: '0.005', used_usd: '0.004' }] },
  });
  expect((await program.chat(strange, BODY)).status).toBe(200);
  expect((await shown(stage)).standing).toMatchObject({ used_usd: '0.004', left_usd: '0.001' });
  await limit(stage, '0.006');
  await expect.poll(async () => (await program.chat(one, BODY)).status, SOON).toBe(200);
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
});

test('the playground spends a member’s limit as their keys do', async () => {
  const stage = await openStage();
  const { tenant, member } = stage;
  const key = await keyOf(member, tenant.projectId);
  await limit(stage, '0.003');
  expect((await program.chat(key, BODY)).status).toBe(200);

  const { workspaceId, projectId } = tenant;
  const path = `/workspaces/${workspaceId}/playground/chat/completions?project=${projectId}`;
  const { status, body } = await member.session.post(path, BODY);

  expect([status, (body as unknown as Refused).error.code]).toEqual([402, 'MEMBER_SPEND_LIMIT_EXCEEDED']);
});

test('parallel requests by several keys of a member, on several workers, spend what the limit allows', async () => {
  const stage = await openStage();
  const { tenant, member } = stage;
  const keys = await Promise.all([1, 2, 3].map(() => keyOf(member, tenant.projectId)));
  await limit(stage, '0.0301');

  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => program.chat(keys[index % keys.length] ?? '', BODY)),
  );
  await Promise.all(answers.map((answer) => answer.clone().text()));

  const counts = [200, 402].map((status) => answers.filter((answer) => answer.status === status).length);
  expect(counts).toEqual([15, 45]);
  expect((await shown(stage)).standing).toMatchObject({ used_usd: '0.03' });
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
});

test('a limit that is set late counts what the member has spent this month', async () => {
  const stage = await openStage();
  const key = await keyOf(stage.member, stage.tenant.projectId);
  expect((await shown(stage)).standing).toBeNull();
  const statuses = [(await program.chat(key, BODY)).status, (await program.chat(key, BODY)).status];
  expect(statuses).toEqual([200, 200]);

  expect(await limit(stage, '0.005')).toMatchObject({ standing: { used_usd: '0.004' } });

  await expect.poll(async () => (await program.chat(key, BODY)).status, SOON).toBe(402);
  await limit(stage, null);
  await expect.poll(async () => (await program.chat(key, BODY)).status, SOON).toBe(200);
});

test('those who join get the workspace’s limit for new members, and others keep theirs', async () => {
  const stage = await openStage();
  const { tenant, member } = stage;
  const { workspaceId, projectId } = tenant;
  const workspace = await program.admin.changeWorkspace(workspaceId, { member_monthly_limit_usd: '0.001' });
  expect(workspace).toMatchObject({ member_monthly_limit_usd: '0.001' });

  const joined = await signedIn(program, { workspaceId, role: 'developer' });

  const limits = (await program.admin.listMembers(workspaceId, {})).data.map(
    ({ id, monthly_limit_usd: usd }) => [id, usd] as const,
  );
  expect(new Map(limits).get(joined.userId)).toBe('0.001');
  expect(new Map(limits).get(member.userId)).toBeNull();
  const { details } = await refused(await keyOf(joined, projectId));
  expect(details.levels).toMatchObject([{ level: 'member', limit_usd: '0.001' }]);
});

test('a member who leaves takes no limit along: their keys that stay are held to it', async () => {
  const stage = await openStage();
  const { tenant, member } = stage;
  const key = await keyOf(member, tenant.projectId);
  await limit(stage, '0.001');

  await program.admin.removeMember(tenant.workspaceId, member.userId);

  expect((await refused(key)).code).toBe('MEMBER_SPEND_LIMIT_EXCEEDED');
});

test('members change no limit, their own least of all; an admin none of an owner’s', async () => {
  const { tenant, owner, member } = await openStage();
  const { workspaceId } = tenant;
  const admin = await signedIn(program, { workspaceId, role: 'admin' });
  const change = async (by: SignedInPerson, of: SignedInPerson) =>
    (
      await by.session.patch(
        `/workspaces/${workspaceId}/members/${of.userId}`,
        { monthly_limit_usd: '5' },
        { 'if-match': '*' },
      )
    ).status;
  expect([await change(member, member), await change(admin, owner), await change(admin, member)]).toEqual([
    403, 403, 200,
  ]);
  const audit = await program.admin.listAuditEvents(workspaceId, { action: 'member.update' });
  expect(audit.data).toMatchObject([
    {
      target: { id: member.userId },
      before: { monthly_limit_nano_usd: null },
      after: { monthly_limit_nano_usd: '5000000000' },
    },
  ]);
});

test(`a limit below ${HOLD_USD} USD answers a quote with what would be refused`, async () => {
  const stage = await openStage();
  const key = await keyOf(stage.member, stage.tenant.projectId);
  await limit(stage, '0.001');
  const answer = await fetch(`${program.url}/v1/quote`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(BODY),
  });
  expect(JSON.stringify(await answer.json())).toContain('MEMBER_SPEND_LIMIT_EXCEEDED');
});

/** Answers' statuses and codes of requests for these end users, in these sessions. */
async function said(key: string, asked: readonly (readonly [user: string | null, session: string | null])[]) {
  const all: (number | string)[] = [];
  for (const [user, session] of asked) {
    const answer = await fetch(`${program.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(session !== null && { 'x-session-id': session }),
      },
      body: JSON.stringify({ ...BODY, ...(user !== null && { user }) }),
    });
    const body = (await answer.json()) as Partial<Refused>;
    all.push(body.error?.code ?? answer.status);
  }
  return all;
}

test('each end user and each session of a project spends a limit of its own, and a 402 names whose is used up', async () => {
  const { tenant } = await openStage();
  const { projectId, key } = tenant;
  const project = await program.admin.updateProject(projectId, {
    end_user_limit_usd: '0.005',
    end_user_period: 'day',
    session_limit_usd: '0.003',
  });
  expect(project).toMatchObject({ end_user_limit_usd: '0.005', end_user_period: 'day', session_limit_usd: '0.003' });
  await expect.poll(() => said(key, [['x'.repeat(600), null]]), SOON).toEqual(['INVALID_REQUEST']);

  expect(
    await said(key, [
      ['ada', 'run 1'],
      ['ada', 'run 1'],
      ['ada', 'run 2'],
      ['ada', null],
      ['bob', 'run 2'],
      ['bob', null],
      [null, null],
      [null, 'run 3'],
    ]),
  ).toEqual([200, 'SESSION_LIMIT_EXCEEDED', 200, 'END_USER_LIMIT_EXCEEDED', 'SESSION_LIMIT_EXCEEDED', 200, 200, 200]);

  const answer = await program.chat(key, { ...BODY, user: 'ada' });
  expect(((await answer.json()) as Refused).error).toMatchObject({
    message: expect.stringContaining("raise the end user's limit"),
    details: { levels: [{ level: 'end_user', limit_usd: '0.005', used_usd: '0.004' }] },
  });
  const quote = await fetch(`${program.url}/v1/quote`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...BODY, safety_identifier: 'ada', user: 'bob' }),
  });
  expect(JSON.stringify(await quote.json())).toContain('END_USER_LIMIT_EXCEEDED');

  await program.admin.updateProject(projectId, { end_user_limit_usd: '0.007', session_limit_usd: null });
  await expect.poll(() => said(key, [['ada', 'run 1']]), SOON).toEqual([200]);
  expect(await said(key, [['ada', 'run 1']])).toEqual(['END_USER_LIMIT_EXCEEDED']);
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
});

test('parallel requests for one end user, on several workers, spend what the limit allows, and others theirs', async () => {
  const { projectId, key } = (await openStage()).tenant;
  await program.admin.updateProject(projectId, { end_user_limit_usd: '0.0201' });
  await expect.poll(() => said(key, [['x'.repeat(600), null]]), SOON).toEqual(['INVALID_REQUEST']);
  const users = Array.from({ length: 45 }, (_, index) => (index % 3 === 0 ? `user ${index}` : 'ada'));
  const answers = await Promise.all(users.map(async (user) => (await said(key, [[user, null]]))[0]));
  const counts = [200, 'END_USER_LIMIT_EXCEEDED'].map((wanted) => answers.filter((each) => each === wanted).length);
  expect(counts).toEqual([25, 20]);
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
});

interface Invited {
  readonly email: string;
  readonly link: string | null;
  readonly key: string | null;
}

/** Accepts an invitation; answers with the new member's id. */
async function join({ link }: Invited): Promise<string> {
  const session = new Browser(fetch, program.url);
  const joined = await session.post('/invitations/join', {
    token: secretIn(link ?? ''),
    name: 'New',
    password: PASSWORD,
  });
  expect(joined.status).toBe(200);
  return ((await session.get('/me')).body['user'] as { id: string }).id;
}

test('people who are invited together each have a key that works before they join and then spends their limit', async () => {
  const { tenant, owner } = await openStage();
  const { workspaceId, projectId } = tenant;
  const emails = [someEmail(), someEmail(), someEmail()];
  const given = { emails, role: 'member', monthly_limit_usd: '0.005', key_project: projectId, once: 'team' };
  const path = `/workspaces/${workspaceId}/invitations/batch`;
  const { status, body } = await owner.session.post(path, given);
  expect(status).toBe(201);
  const [first, second, third] = body['data'] as [Invited, Invited, Invited & { readonly id: string }];
  expect([first.email, second.email, third.email]).toEqual(emails);

  for (const { key } of [first, third]) expect((await program.chat(key ?? '', BODY)).status).toBe(200);
  const userId = await join(first);

  const stage = { tenant, owner, member: { ...owner, userId } };
  expect(await shown(stage)).toMatchObject({
    role: 'member',
    monthly_limit_usd: '0.005',
    standing: { used_usd: '0.002' },
  });
  // Changes of known keys are taken up in their order: once this one has ended, the first is known as its new member's.
  await program.admin.revokeInvitation(workspaceId, third.id);
  await expect.poll(async () => (await program.chat(third.key ?? '', BODY)).status, SOON).toBe(401);
  expect((await program.chat(first.key ?? '', BODY)).status).toBe(200);
  await expect.poll(async () => (await shown(stage)).standing?.used_usd, SOON).toBe('0.004');
  expect((await program.chat(first.key ?? '', BODY)).status).toBe(402);
  expect((await program.chat(second.key ?? '', BODY)).status).toBe(200);
  const { data: keys } = await program.admin.listKeys(workspaceId, { created_by: userId });
  expect(keys).toMatchObject([{ created_by: userId, spend_limit_usd: '0.005' }]);
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });

  const again = await owner.session.post(path, given);
  expect([again.status, again.body]).toMatchObject([200, { data: [{ email: emails[1], link: null, key: null }] }]);
});

test('of people who are invited together none is, and no key is made, if one of them cannot be', async () => {
  const { tenant, owner, member } = await openStage();
  const { workspaceId, projectId } = tenant;
  const path = `/workspaces/${workspaceId}/invitations/batch`;
  const twice = someEmail();
  for (const [emails, status] of [
    [[someEmail(), member.email], 409],
    [[someEmail(), 'nobody'], 400],
    [[twice, twice.toUpperCase()], 400],
  ] as const) {
    const answer = await owner.session.post(path, { emails, role: 'member', key_project: projectId });
    expect([answer.status, (answer.body as { error?: unknown })['error']]).toMatchObject([status, { param: 'emails' }]);
  }
  const lost = await owner.session.post(path, { emails: [twice], role: 'member', key_project: 'none' });
  expect([lost.status, lost.body['error']]).toMatchObject([404, { param: 'key_project' }]);
  const denied = await member.session.post(path, { emails: [twice], role: 'member' });
  expect(denied.status).toBe(403);
  expect((await program.admin.listInvitations(workspaceId)).data).toEqual([]);
  expect((await program.admin.listKeys(workspaceId)).data).toHaveLength(1);
});

test('a revoked invitation ends the key that was made with it, and one that is sent again keeps key and limit', async () => {
  const { tenant } = await openStage();
  const { workspaceId, projectId } = tenant;
  const [one, other] = [someEmail(), someEmail()];
  const wanted = { emails: [one, other], role: 'member' as const, monthly_limit_usd: '0.009', key_project: projectId };
  const { data } = await program.admin.inviteColleagues(workspaceId, wanted);
  const [ended, kept] = data as [(typeof data)[0], (typeof data)[0]];

  await program.admin.revokeInvitation(workspaceId, ended.id);
  await expect.poll(async () => (await program.chat(ended.key ?? '', BODY)).status, SOON).toBe(401);

  const again = await program.admin.createInvitation(workspaceId, { email: other, role: 'member' });
  const userId = await join({ ...again, key: null });
  expect(await program.admin.getMember(workspaceId, userId)).toMatchObject({ monthly_limit_usd: '0.009' });
  const { data: keys } = await program.admin.listKeys(workspaceId, { created_by: userId });
  expect(keys).toHaveLength(1);
  expect((await program.chat(kept.key ?? '', BODY)).status).toBe(200);
});

test('a key that waits for its person shows their address as its owner, is found by it, and then is theirs', async () => {
  const { tenant, owner } = await openStage();
  const { workspaceId, projectId } = tenant;
  const [ada, grace] = [someEmail(), someEmail()];
  const wanted = { emails: [ada, grace], role: 'member' as const, key_project: projectId, monthly_limit_usd: '0.009' };
  const [joining, leaving] = (await program.admin.inviteColleagues(workspaceId, wanted)).data;
  const found = async (search: string) =>
    (await program.admin.listKeys(workspaceId, { search })).data.map((key) => [key.created_by, key.invited_email]);
  expect(await found(ada)).toEqual([[null, ada]]);
  expect(await found(grace.toUpperCase())).toEqual([[null, grace]]);
  const userId = await join(joining as Invited);
  await program.admin.revokeInvitation(workspaceId, leaving?.id ?? '');
  expect(await found(ada)).toEqual([[userId, null]]);
  expect(await found(grace)).toEqual([]);
  const { data } = await program.admin.listKeys(workspaceId, { state: 'revoked' });
  expect(data).toMatchObject([{ created_by: null, invited_email: null }]);
  const theirs = (await owner.session.get(`/workspaces/${workspaceId}/keys?search=${encodeURIComponent(ada)}`)).body;
  expect(theirs['data']).toMatchObject([{ created_by: userId, invited_email: null }]);
});

test('an invitation that is made again with a key ends the former key, so that none outlives it', async () => {
  const { tenant } = await openStage();
  const { workspaceId, projectId } = tenant;
  const wanted = { emails: [someEmail()], role: 'member' as const, key_project: projectId };
  const [former] = (await program.admin.inviteColleagues(workspaceId, wanted)).data;
  const [latter] = (await program.admin.inviteColleagues(workspaceId, wanted)).data;
  await expect.poll(async () => (await program.chat(former?.key ?? '', BODY)).status, SOON).toBe(401);
  expect((await program.chat(latter?.key ?? '', BODY)).status).toBe(200);
  await program.admin.revokeInvitation(workspaceId, latter?.id ?? '');
  await expect.poll(async () => (await program.chat(latter?.key ?? '', BODY)).status, SOON).toBe(401);
});

test('a key that is made with an invitation has the limit that its person will have, also before they join', async () => {
  const { tenant } = await openStage();
  const { workspaceId, projectId } = tenant;
  const keyed = { role: 'member' as const, key_project: projectId };
  await program.admin.changeWorkspace(workspaceId, { member_monthly_limit_usd: '0.007' });
  const [first, second] = [someEmail(), someEmail()];
  await program.admin.inviteColleagues(workspaceId, { ...keyed, emails: [second], monthly_limit_usd: '0.009' });
  const { data } = await program.admin.inviteColleagues(workspaceId, { ...keyed, emails: [first, second] });
  for (const [invited, usd] of [
    [data[0], '0.007'],
    [data[1], '0.009'],
  ] as const) {
    const userId = await join(invited as Invited);
    expect(await program.admin.getMember(workspaceId, userId)).toMatchObject({ monthly_limit_usd: usd });
    const { data: keys } = await program.admin.listKeys(workspaceId, { created_by: userId });
    expect(keys).toMatchObject([{ spend_limit_usd: usd }]);
  }
});
