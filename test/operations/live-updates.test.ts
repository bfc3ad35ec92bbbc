import { request } from 'undici';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { EventListening } from '../support/event-listening.ts';
import { type Program, startProgram } from '../support/program.ts';
import { signedIn, type SignedInPerson } from '../support/signed-in-person.ts';

// Live updates, in a program of two workers: what one settles, the streams of the other tell.

let program: Program;

beforeAll(async () => {
  program = await startProgram({ args: ['--workers', '2'] });
});

afterAll(() => program.dispose());

const CHAT = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'Hello' }] };
const operator = (): Record<string, string> => ({ authorization: `Bearer ${program.operatorToken}` });

function cookieOf({ session }: SignedInPerson): Record<string, string> {
  return { cookie: Array.from(session.cookies, ([name, value]) => `${name}=${value}`).join('; ') };
}

async function listen(workspaceId: string, headers: Record<string, string>): Promise<EventListening> {
  const listening = await EventListening.open(program.url, workspaceId, headers);
  onTestFinished(() => listening.close());
  return listening;
}

async function msUntil(condition: () => unknown): Promise<number> {
  const beganMs = performance.now();
  await vi.waitFor(condition, { timeout: 15_000, interval: 10 });
  return performance.now() - beganMs;
}

const ended = (listening: EventListening) => (): void => expect(listening.hasEnded).toBe(true);

test('every worker tells of the first request, of a grant and of a new key soon after', async () => {
  const tenant = await program.createTenant({ credit: '5' });
  const streams = [];
  for (let stream = 0; stream < 4; stream++) {
    streams.push(await listen(tenant.workspaceId, { ...operator(), connection: 'close' }));
  }
  for (const stream of streams) {
    expect(await stream.waitFor('balance')).toMatchObject({ balance_usd: '5.00', runway_days: null });
    expect(stream.text).toContain('retry: 1000\n\n');
  }
  const answer = await program.chat(tenant.key, CHAT);
  await answer.text();
  const requestId = answer.headers.get('x-request-id');
  const [first] = await Promise.all(streams.map((stream) => stream.waitFor('request')));
  expect(first).toMatchObject({ request_id: requestId, outcome: 'completed', is_first: true });
  await program.admin.postCredit(tenant.workspaceId, { kind: 'grant', amount_usd: '2', reason: 'a test' });
  const key = await program.admin.createKey(tenant.projectId, { name: 'another' });
  for (const stream of streams) {
    await stream.waitFor('balance', ({ balance_usd: balance }) => Number(balance) > 6);
    const told = await stream.waitFor('key', ({ id }) => id === key.id);
    expect(told).toMatchObject({ project_id: tenant.projectId, change: 'created' });
  }
  await program.admin.revokeKey(key.id);
  await streams[0]?.waitFor('key', ({ change }) => change === 'revoked');
});

test('a stream is told to its listeners alone, by the rights of each', async () => {
  const tenant = await program.createTenant();
  const other = await program.createTenant();
  const developer = await signedIn(program, { role: 'developer', workspaceId: tenant.workspaceId });
  const stranger = await signedIn(program, { workspaceId: other.workspaceId });
  await expect(listen(tenant.workspaceId, cookieOf(stranger))).rejects.toThrow('404');
  const [own, foreign] = [
    await listen(tenant.workspaceId, cookieOf(developer)),
    await listen(other.workspaceId, cookieOf(stranger)),
  ];
  await (await program.chat(tenant.key, CHAT)).text();
  await own.waitFor('request');
  await (await program.chat(other.key, CHAT)).text();
  await foreign.waitFor('request');
  expect(own.events.map(({ name }) => name)).not.toContain('balance');
  const mentioned = foreign.events.filter(({ name }) => name === 'request');
  expect(mentioned).toHaveLength(1);
});

test('a stream ends soon after its user signs out, leaves the workspace, or loses the token', async () => {
  const { workspaceId } = await program.createTenant();
  const [leaver, member] = [await signedIn(program, { workspaceId }), await signedIn(program, { workspaceId })];
  const { id: tokenId, token } = (await program.admin.createOperatorToken({ name: 'short', read_only: true })) as {
    id: string;
    token: string;
  };
  const streams = [
    await listen(workspaceId, cookieOf(leaver)),
    await listen(workspaceId, cookieOf(member)),
    await listen(workspaceId, { authorization: `Bearer ${token}` }),
  ];
  const stays = await listen(workspaceId, operator());
  await Promise.all(
    [...streams, stays].map((stream) => vi.waitFor(() => expect(stream.text).toContain('retry'), { timeout: 10_000 })),
  );
  const remove = await fetch(`${program.url}/admin/v1/workspaces/${workspaceId}/members/${member.userId}`, {
    method: 'DELETE',
    headers: operator(),
  });
  expect(remove.status).toBe(200);
  await leaver.session.delete('/session');
  await program.admin.revokeOperatorToken(tokenId);
  const tookMs = await Promise.all(streams.map((stream) => msUntil(ended(stream))));
  // A second between looks, and time for the looks of a busy machine.
  expect(Math.max(...tookMs)).toBeLessThan(5_000);
  expect(stays.hasEnded).toBe(false);
});

test('a user may listen in ten windows at a time, and is told when that is too many; one that left counts no more', async () => {
  const person = await signedIn(program);
  const outcomes = await Promise.all(
    Array.from({ length: 22 }, () =>
      listen(person.workspaceId, cookieOf(person)).catch((fault: unknown) => String(fault)),
    ),
  );
  const refused = outcomes.filter((outcome) => typeof outcome === 'string');
  expect(refused.length).toBeGreaterThan(1);
  expect(refused[0]).toContain('429');
  for (const outcome of outcomes) if (typeof outcome !== 'string') outcome.close();
  const openAgain = () => Promise.all([1, 2, 3].map(() => listen(person.workspaceId, cookieOf(person))));
  // Sooner than by the next sign of life, which every stream gets after 15 seconds.
  await vi.waitFor(openAgain, { timeout: 5_000, interval: 200 });
});

test('pages of other sites, and of names that are not the instance’s, may not listen', async () => {
  const person = await signedIn(program);
  const cookies = cookieOf(person);
  const statusOf = async (headers: Record<string, string>): Promise<number> => {
    // Unlike `fetch`, it sends these headers as they are given.
    const { statusCode, body } = await request(`${program.url}/admin/v1/workspaces/${person.workspaceId}/events`, {
      headers: { ...cookies, ...headers },
    });
    body.on('error', () => undefined).destroy();
    return statusCode;
  };
  expect(await statusOf({ 'sec-fetch-site': 'same-origin' })).toBe(200);
  expect(await statusOf({ 'sec-fetch-site': 'cross-site' })).toBe(400);
  expect(await statusOf({ origin: 'https://elsewhere.example' })).toBe(400);
  expect(await statusOf({ 'sec-fetch-site': 'same-origin', host: 'localhost' })).toBe(200);
  expect(await statusOf({ 'sec-fetch-site': 'same-origin', host: 'rebound.example' })).toBe(400);
});

test('streams end at the start of a drain, so that they hold up no restart', async () => {
  const short = await startProgram({ config: `${sandboxConfig()}timeouts: { drain: 60s }\n` });
  onTestFinished(() => short.dispose());
  const { workspaceId } = await short.createTenant();
  const listening = await EventListening.open(short.url, workspaceId, {
    authorization: `Bearer ${short.operatorToken}`,
  });
  await listening.waitFor('balance');
  const beganMs = performance.now();
  expect(await short.signal('SIGTERM')).toBe(0);
  expect(listening.hasEnded).toBe(true);
  expect(performance.now() - beganMs).toBeLessThan(30_000);
});

function sandboxConfig(): string {
  return `
providers: { sandbox: { kind: sandbox } }
models:
  - id: sandbox/echo
    routes: [{ provider: sandbox, model: echo }]
    price: { input: "0", output: "0" }
    context_window: 4000
    max_output: 1000
`;
}
