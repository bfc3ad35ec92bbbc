import { once } from 'node:events';
import { Agent, type IncomingMessage, request as overHttp } from 'node:http';
import type { Socket } from 'node:net';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Program, startProgram } from '../support/program.ts';
import { signedIn, type SignedInPerson } from '../support/signed-in-person.ts';
import type { Tenant } from '../support/tenant.ts';
import type { Role } from '../../src/domain/roles.ts';

// A member reaches models by their session, without a key; the gate charges it as any request.

const SOON = { timeout: 15_000, interval: 50 };
const CHAT = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'Hello there' }], stream: true };

let program: Program;

beforeAll(async () => {
  program = await startProgram();
});

afterAll(() => program.dispose());

type Member = SignedInPerson & { readonly tenant: Tenant };

async function memberOf(tenant: Tenant, role: Role = 'developer'): Promise<Member> {
  return { ...(await signedIn(program, { role, workspaceId: tenant.workspaceId })), tenant };
}

const cookiesOf = ({ session }: SignedInPerson): string =>
  Array.from(session.cookies, ([name, value]) => `${name}=${value}`).join('; ');

interface Sending {
  readonly at?: 'chat/completions' | 'quote';
  readonly tenant?: Tenant;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

function send(member: Member, body: object, { at = 'chat/completions', ...more }: Sending = {}): Promise<Response> {
  const { workspaceId, projectId } = more.tenant ?? member.tenant;
  return fetch(`${program.url}/admin/v1/workspaces/${workspaceId}/playground/${at}?project=${projectId}`, {
    method: 'POST',
    headers: {
      cookie: cookiesOf(member),
      origin: program.url,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
      ...more.headers,
    },
    body: JSON.stringify(body),
    signal: more.signal ?? null,
  });
}

/** What the admin API tells the operator about a workspace. */
async function told<Result = Record<string, unknown>>({ workspaceId }: Tenant, path: string): Promise<Result> {
  const headers = { authorization: `Bearer ${program.operatorToken}` };
  const answer = await fetch(`${program.url}/admin/v1/workspaces/${workspaceId}${path}`, { headers });
  return (await answer.json()) as Result;
}

const receiptOf = (tenant: Tenant, id: string | null) => told(tenant, `/receipts/${id}`);

interface Listed {
  readonly data: readonly { readonly [field: string]: unknown; readonly id: string }[];
}

const consoleKeysOf = async (tenant: Tenant): Promise<Listed['data']> =>
  (await told<Listed>(tenant, '/keys?kind=console')).data;

async function refusalOf(answer: Response): Promise<string> {
  const { error } = (await answer.json()) as { error: { code: string } };
  return `${answer.status} ${error.code}`;
}

test('a member’s stream leaves a receipt, and counts in the project’s budget, the member’s month and usage by member', async () => {
  const tenant = await program.createTenant({ project: { budget_usd: '5' } });
  const member = await memberOf(tenant);

  const answer = await send(member, CHAT);
  const text = await answer.text();

  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('text/event-stream');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(text).toMatch(/data: \{.*\n\n: faregate-charge \S+\ndata: \[DONE\]\n\n$/s);
  const receipt = await receiptOf(tenant, answer.headers.get('x-request-id'));
  const charge = String(receipt['charge_nano_usd']);
  expect(BigInt(charge)).toBeGreaterThan(0n);
  const [key, ...others] = await consoleKeysOf(tenant);
  expect(others).toEqual([]);
  expect(key).toMatchObject({ kind: 'console', created_by: member.userId, project_id: tenant.projectId });
  expect(receipt).toMatchObject({ outcome: 'completed', key_id: key?.id, project_id: tenant.projectId });
  expect(key).toMatchObject({ used_nano_usd: charge });
  expect(await told(tenant, `/projects/${tenant.projectId}`)).toMatchObject({ used_nano_usd: charge });
  const usage = JSON.stringify(await told(tenant, '/usage?group_by=member'));
  expect(usage).toContain(member.userId);
  expect(usage).toContain(`"${charge}"`);
});

test('a plain answer says its charge, a quote its hold, and a request without credit is refused with its levels', async () => {
  const tenant = await program.createTenant({ credit: '0.0005' });
  const member = await memberOf(tenant);
  const { stream: _, ...plain } = { ...CHAT, max_tokens: 20 };

  const answer = await send(member, plain);
  const quote = await send(member, plain, { at: 'quote' });
  const refused = await send(member, { ...plain, max_tokens: 8_000 });

  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-faregate-charge')).toBeTruthy();
  expect(await answer.json()).toMatchObject({ object: 'chat.completion' });
  expect(await quote.json()).toMatchObject({ hold_nano_usd: expect.stringMatching(/^\d+$/) as string });
  expect(await refused.json()).toMatchObject({
    error: { code: 'INSUFFICIENT_BALANCE', details: { levels: [{ level: 'workspace' }] } },
  });
  expect(refused.status).toBe(402);
  const id = refused.headers.get('x-request-id');
  await expect.poll(() => told(tenant, `/refusals/${id}`), SOON).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
});

test('an aborted stream is settled, and its places are free again', async () => {
  const tenant = await program.createTenant();
  const member = await memberOf(tenant);
  for (let round = 0; round < 9; round++) {
    const leave = new AbortController();
    const answer = await send(member, { ...CHAT, model: 'sandbox/slow' }, { signal: leave.signal });
    expect(answer.status).toBe(200);
    await answer.body?.getReader().read();
    leave.abort();
    const id = answer.headers.get('x-request-id');
    if (round === 0) {
      await expect.poll(() => receiptOf(tenant, id), SOON).toMatchObject({ outcome: 'abandoned' });
    }
  }
  await expect.poll(async () => (await send(member, CHAT)).status, SOON).toBe(200);
});

test('an answer leaves its connection open for the next request', async () => {
  const member = await memberOf(await program.createTenant());
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const path = `/admin/v1/workspaces/${member.workspaceId}/playground/chat/completions?project=${member.tenant.projectId}`;
  const headers = { cookie: cookiesOf(member), origin: program.url, 'content-type': 'application/json' };
  const ask = async (): Promise<Socket> => {
    const sent = overHttp(`${program.url}${path}`, { method: 'POST', agent, headers });
    sent.end(JSON.stringify(CHAT));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(200);
    await answer.toArray();
    return answer.socket;
  };
  const first = await ask();
  // By then the program has done what it does after an answer.
  await program.metrics();
  expect(await ask()).toBe(first);
  agent.destroy();
  expect(program.stderr()).not.toContain('ERR_HTTP_HEADERS_SENT');
});

test('a member may run eight requests at a time, and is told when that is too many', async () => {
  const member = await memberOf(await program.createTenant());
  const leave = new AbortController();
  const slow = { ...CHAT, model: 'sandbox/slow' };
  const running = Array.from({ length: 8 }, () => send(member, slow, { signal: leave.signal }));
  for (const answer of await Promise.all(running)) expect(answer.status).toBe(200);
  expect(await refusalOf(await send(member, CHAT))).toBe('429 RATE_LIMITED');
  const other = await memberOf(member.tenant);
  expect((await send(other, CHAT)).status).toBe(200);
  leave.abort();
  await vi.waitFor(async () => expect((await send(member, CHAT)).status).toBe(200), SOON);
});

test('concurrent first requests of a member share one key', async () => {
  const tenant = await program.createTenant();
  const member = await memberOf(tenant);
  const answers = await Promise.all(Array.from({ length: 6 }, () => send(member, CHAT)));
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    await answer.text();
  }
  expect(await consoleKeysOf(tenant)).toHaveLength(1);
  expect((await told<Listed>(tenant, '/keys')).data.map(({ id }) => id)).toEqual([tenant.keyId]);
});

test('a viewer is refused, another workspace is not found, and neither is another workspace’s project', async () => {
  const tenant = await program.createTenant();
  const other = await program.createTenant();
  const developer = await memberOf(tenant);
  expect(await refusalOf(await send(await memberOf(tenant, 'viewer'), CHAT))).toBe('403 FORBIDDEN');
  expect(await refusalOf(await send(developer, CHAT, { tenant: other }))).toBe('404 NOT_FOUND');
  const mixed = { ...tenant, projectId: other.projectId };
  expect(await refusalOf(await send(developer, CHAT, { tenant: mixed }))).toBe('404 NOT_FOUND');
  expect(await consoleKeysOf(other)).toEqual([]);
});

test('a removed member’s next request is refused and their key revoked, as the keys of an archived project are', async () => {
  const tenant = await program.createTenant();
  const [member, stays] = [await memberOf(tenant), await memberOf(tenant)];
  for (const each of [member, stays]) await (await send(each, CHAT)).text();
  const remove = await fetch(`${program.url}/admin/v1/workspaces/${tenant.workspaceId}/members/${member.userId}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${program.operatorToken}` },
  });
  expect(remove.status).toBe(200);
  expect(await refusalOf(await send(member, CHAT))).toBe('404 NOT_FOUND');
  expect((await send(stays, CHAT)).status).toBe(200);
  const revoked = async (): Promise<unknown[]> =>
    (await consoleKeysOf(tenant)).map((key) => [key['created_by'], key['revoked_at'] !== null]);
  expect(await revoked()).toEqual([
    [member.userId, true],
    [stays.userId, false],
  ]);
  await program.admin.archiveProject(tenant.projectId);
  expect(await refusalOf(await send(stays, CHAT))).toBe('404 NOT_FOUND');
  expect((await revoked()).map((pair) => (pair as unknown[])[1])).toEqual([true, true]);
});

test('a console key has no secret to rotate and is not revoked by hand; disabled, it refuses its member alone', async () => {
  const tenant = await program.createTenant();
  const [member, other] = [await memberOf(tenant), await memberOf(tenant)];
  for (const each of [member, other]) await (await send(each, CHAT)).text();
  const id = (await consoleKeysOf(tenant)).find((key) => key['created_by'] === member.userId)?.id ?? '';
  const change = (path: string, method: string, body: object): Promise<Response> =>
    fetch(`${program.url}/admin/v1/workspaces/${tenant.workspaceId}/keys/${id}${path}`, {
      method,
      headers: { authorization: `Bearer ${program.operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  expect(await refusalOf(await change('/rotate', 'POST', {}))).toBe('409 CONFLICT');
  expect(await refusalOf(await change('/revoke', 'POST', {}))).toBe('409 CONFLICT');
  expect((await change('', 'PATCH', { disabled: true })).status).toBe(200);
  expect(await refusalOf(await send(member, CHAT))).toBe('403 FORBIDDEN');
  expect((await send(other, CHAT)).status).toBe(200);
});

test('a cookie opens no path of the public API', async () => {
  const member = await memberOf(await program.createTenant());
  for (const path of ['chat/completions', 'quote', 'embeddings']) {
    const headers = { cookie: cookiesOf(member), origin: program.url, 'content-type': 'application/json' };
    const answer = await fetch(`${program.url}/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(CHAT) });
    expect(await refusalOf(answer)).toBe('401 INVALID_API_KEY');
  }
});

test('a page of another site, and one that does not say where it is, may not use a session’s playground', async () => {
  const member = await memberOf(await program.createTenant());
  const { workspaceId, projectId } = member.tenant;
  const statusOf = async (headers: Record<string, string>): Promise<number> => {
    // Unlike `fetch`, it sends these headers as they are given.
    const { statusCode, body } = await request(
      `${program.url}/admin/v1/workspaces/${workspaceId}/playground/chat/completions?project=${projectId}`,
      {
        method: 'POST',
        headers: { cookie: cookiesOf(member), 'content-type': 'application/json', ...headers },
        body: JSON.stringify(CHAT),
      },
    );
    await body.dump();
    return statusCode;
  };
  expect(await statusOf({})).toBe(403);
  expect(await statusOf({ 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' })).toBe(400);
  expect(await statusOf({ 'sec-fetch-site': 'same-origin' })).toBe(200);
});

test('a body larger than other bodies of the admin API reaches the model, and the gate’s own bound holds', async () => {
  const member = await memberOf(await program.createTenant());
  const of = (bytes: number): object => ({
    ...CHAT,
    max_tokens: 5,
    messages: [{ role: 'user', content: 'a '.repeat(bytes / 2) }],
  });
  const large = await send(member, { ...of(300 * 1_024), model: 'sandbox/none' });
  expect(await refusalOf(large)).toBe('404 MODEL_NOT_FOUND');
  expect(await refusalOf(await send(member, of(40 * 1_024 * 1_024)))).toBe('413 REQUEST_TOO_LARGE');
});
