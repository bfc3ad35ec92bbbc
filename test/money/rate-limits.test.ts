import { setTimeout as delay } from 'node:timers/promises';
import OpenAI, { RateLimitError } from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MockUpstream, startMockUpstream } from '../support/aimock.ts';
import { databaseUrl, startExternalPostgres } from '../support/external-postgres.ts';
import { type Program, startProgram } from '../support/program.ts';
import type { Tenant, TenantSettings } from '../support/tenant.ts';

// Two gateways on one database: a project's rate limits hold for both together, what a refusal says about waiting is
// true at either, and OpenAI's own client reads how the limits stand.

const USED = { prompt_tokens: 10, completion_tokens: 20 };
const ANSWER_MS = 150;

let upstream: MockUpstream;
let answersWait = Promise.resolve();
let programs: [Program, Program];

beforeAll(async () => {
  const [postgres, mock] = await Promise.all([
    startExternalPostgres(),
    startMockUpstream({ answerDelayMs: ANSWER_MS, answersWait: () => answersWait, usage: () => USED }),
  ]);
  upstream = mock;
  const env = { DATABASE_URL: databaseUrl(postgres, await postgres.createDatabase(), postgres.port) };
  const config = `
timeouts: { epoch: 5s }
providers:
  mock: { kind: openai, base_url: "${upstream.baseUrl}" }
models:
  - id: small-chat
    routes: [{ provider: mock, model: gpt }]
    price: { input: "0.25", output: "2.00" }
    context_window: 128000
    max_output: 16384
  - id: embed
    kind: embedding
    routes: [{ provider: mock, model: embed }]
    price: { input: "0.02" }
    context_window: 8192
`;
  const first = await startProgram({ config, env, args: ['--bootstrap'], beside: [postgres, mock] });
  programs = [first, await startProgram({ config, env })];
});

afterAll(async () => {
  for (const program of programs.toReversed()) await program.dispose();
});

const messages = [{ role: 'user' as const, content: 'hi' }];

async function ask(number: 0 | 1, { key }: Tenant, body: object = {}): Promise<Response> {
  const response = await programs[number].chat(key, { model: 'small-chat', max_tokens: 100, messages, ...body });
  await response.text();
  return response;
}

/** Asks both gateways in turn, all at the same time. */
function askBoth(tenant: Tenant, times: number, body: object = {}): Promise<Response[]> {
  return Promise.all(Array.from({ length: times }, (_, turn) => ask(turn % 2 === 0 ? 0 : 1, tenant, body)));
}

const limitedTenant = (project: TenantSettings['project'] = {}): Promise<Tenant> =>
  programs[0].createTenant({ project });

/** Sends a text as the body, to one gateway. */
function send({ key }: Tenant, path: string, text: string, type = 'application/json'): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': type };
  return fetch(`${programs[0].url}${path}`, { method: 'POST', headers, body: text });
}

test('bodies that are refused count as requests, whatever is wrong with them, and never more than the limit', async () => {
  const tenant = await limitedTenant({ requests_per_minute: 5 });
  const refused = [
    await send(tenant, '/v1/chat/completions', '{'),
    await send(tenant, '/v1/chat/completions', '{}', 'text/plain'),
    await send(tenant, '/v1/embeddings', '{"model":"embed","input":7}'),
    await send(tenant, '/v1/quote', '{"messages":[]}'),
    await send(tenant, '/v1/quote', '{"model":"small-chat","messages":[]}'),
  ];
  expect(refused.map(({ status }) => status)).toEqual([400, 415, 400, 400, 400]);
  const limited = await send(tenant, '/v1/chat/completions', '{');
  expect([limited.status, limited.headers.get('x-ratelimit-remaining-requests')]).toEqual([429, '0']);
  expect((await ask(0, tenant)).status).toBe(429);
});

const countOf = (responses: readonly Response[], status: number): number =>
  responses.filter((response) => response.status === status).length;

const waitOf = (response: Response): number => Number(response.headers.get('retry-after-ms'));

test('requests per minute hold for both gateways together, and who waits as long as told gets in at either', async () => {
  const tenant = await limitedTenant({ requests_per_minute: 60 });
  const startedMs = performance.now();
  const responses = await askBoth(tenant, 100);
  const passed = countOf(responses, 200);
  expect(passed).toBeGreaterThanOrEqual(60);
  expect(passed).toBeLessThanOrEqual(60 + Math.ceil((performance.now() - startedMs) / 1_000));
  expect(countOf(responses, 429)).toBe(100 - passed);

  for (const number of [1, 0] as const) {
    let refused = await ask(0, tenant);
    while (refused.status === 200) refused = await ask(0, tenant);
    expect(refused.status).toBe(429);
    const waitMs = waitOf(refused);
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(1_000);
    expect(Number(refused.headers.get('retry-after'))).toBe(Math.ceil(waitMs / 1_000));
    await delay(waitMs);
    expect((await ask(number, tenant)).status).toBe(200);
  }
});

test('a new rate limit holds within a second, at the other gateway too', async () => {
  const tenant = await limitedTenant({ requests_per_minute: 5 });
  expect(countOf(await askBoth(tenant, 10), 200)).toBe(5);
  await programs[0].admin.updateProject(tenant.projectId, { requests_per_minute: 6000 });
  await delay(1_000);
  expect(countOf(await askBoth(tenant, 20), 200)).toBe(20);
  await programs[0].admin.updateProject(tenant.projectId, { requests_per_minute: 3 });
  await delay(1_000);
  expect(countOf(await askBoth(tenant, 10), 200)).toBe(3);
});

test('tokens per minute are quoted, then corrected to what was used', async () => {
  const tenant = await limitedTenant({ tokens_per_minute: 10_000 });
  const body = { max_tokens: 6_000 };
  // Two of the quotes don't fit at the same time; what is used fits a hundred times.
  for (const number of [0, 1, 0, 1] as const) {
    expect((await ask(number, tenant, body)).status).toBe(200);
    await delay(500);
  }
  const responses = await askBoth(tenant, 6, body);
  expect(countOf(responses, 200)).toBe(1);
  const refused = responses.find((response) => response.status === 429);
  expect(refused?.headers.get('x-ratelimit-limit-tokens')).toBe('10000');
  await delay(500);
  expect((await ask(1, tenant, body)).status).toBe(200);
});

test('requests at the same time are bounded for both gateways together, and places come free when requests end', async () => {
  const tenant = await limitedTenant({ concurrency: 4 });
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  answersWait = promise;
  const refused: Response[] = [];
  const asked = Array.from({ length: 12 }, async (_, turn) => {
    const response = await ask(turn % 2 === 0 ? 0 : 1, tenant);
    if (response.status === 429) refused.push(response);
    return response;
  });
  await expect
    .poll(() => refused.length, { timeout: 60_000 })
    .toBe(8)
    .finally(answer);
  expect(countOf(await Promise.all(asked), 200)).toBe(4);
  expect(refused[0]?.headers.get('retry-after')).toBe('1');
  // A caller has its answer before the other gateway knows of the place.
  await expect.poll(async () => countOf(await askBoth(tenant, 4), 200), { timeout: 60_000 }).toBe(4);
});

test('the places of a killed gateway come free with its next life', async () => {
  const tenant = await limitedTenant({ concurrency: 2 });
  const running = [0, 1].map(() => ask(1, tenant).catch(() => null));
  const served = upstream.served() + 2;
  await expect.poll(() => upstream.served(), { interval: 5 }).toBe(served);
  await programs[1].signal('SIGKILL');
  await Promise.all(running);
  expect((await ask(0, tenant)).status).toBe(429);
  programs[1] = await programs[1].restart();
  expect(countOf(await askBoth(tenant, 2), 200)).toBe(2);
});

const clientOf = (tenant: Tenant, maxRetries = 0): OpenAI =>
  new OpenAI({ baseURL: `${programs[0].url}/v1`, apiKey: tenant.key, maxRetries });

const limitsIn = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('x-ratelimit-')));

test('OpenAI’s client reads how the limits stand on answers, streams, embeddings and refusals', async () => {
  const tenant = await limitedTenant({ requests_per_minute: 3, tokens_per_minute: 60_000 });
  const client = clientOf(tenant);
  const request = { model: 'small-chat', max_completion_tokens: 100, messages };
  const plain = await client.chat.completions.create(request).withResponse();
  expect(limitsIn(plain.response.headers)).toEqual({
    'x-ratelimit-limit-requests': '3',
    'x-ratelimit-remaining-requests': '2',
    'x-ratelimit-reset-requests': expect.stringMatching(/^1\d(\.\d+)?s$|^20s$/),
    'x-ratelimit-limit-tokens': '60000',
    'x-ratelimit-remaining-tokens': expect.stringMatching(/^\d+$/),
    'x-ratelimit-reset-tokens': expect.stringMatching(/^(\d+ms|\d+(\.\d+)?s)$/),
  });
  const streamed = await client.chat.completions.create({ ...request, stream: true }).withResponse();
  expect(streamed.response.headers.get('x-ratelimit-remaining-requests')).toBe('1');
  for await (const chunk of streamed.data) expect(chunk.object).toBe('chat.completion.chunk');
  const embedded = await client.embeddings.create({ model: 'embed', input: 'hi' }).withResponse();
  expect(embedded.response.headers.get('x-ratelimit-remaining-requests')).toBe('0');

  const refused = await client.chat.completions.create(request).then(
    () => null,
    (error: unknown) => error,
  );
  if (!(refused instanceof RateLimitError)) throw new Error('not refused for its rate');
  expect(limitsIn(refused.headers)).toMatchObject({
    'x-ratelimit-limit-requests': '3',
    'x-ratelimit-remaining-requests': '0',
    'x-ratelimit-limit-tokens': '60000',
  });
});

test('OpenAI’s client retries by itself when it is told to, and gets in', async () => {
  const tenant = await limitedTenant({ requests_per_minute: 60 });
  await askBoth(tenant, 61);
  const client = clientOf(tenant, 1);
  for (let turn = 0; turn < 3; turn++) {
    const answer = await client.chat.completions.create({
      model: 'small-chat',
      max_completion_tokens: 100,
      messages,
    });
    expect(answer.usage?.completion_tokens).toBe(20);
  }
});

test('OpenAI’s client finds no headers of limits where the project has none', async () => {
  const tenant = await limitedTenant();
  expect(limitsIn((await ask(0, tenant)).headers)).toEqual({});
});
