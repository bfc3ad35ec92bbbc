import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ConnectProxy, startConnectProxy } from '../support/connect-proxy.ts';
import type { ReceivedRequest, Script } from '../support/scripted-upstream.ts';
import {
  type Attempt,
  chatBody,
  Gateway,
  MARKER,
  NANO_PER_INPUT,
  NANO_PER_OUTPUT,
  type SendOptions,
} from './gateway.ts';
import { expectRefusal } from './refusal.ts';
import { answering, beginStream, completion, event, finish, streaming, text, usageChunk } from './upstream-scripts.ts';

// Which route a request takes: those that fail, are full or ask to be left alone are passed over, and tried again in time.

/** Longer than a few requests take on a busy machine. */
const REST_MS = 3_000;
const RESULTS_MIN = 4;
const USAGE_MS = 200;
const FULL_CHARGE = 7n * NANO_PER_INPUT + 5n * NANO_PER_OUTPUT;

const FAILING = answering(500, { error: { message: 'no', type: 'api_error', param: null, code: null } });
const ANSWER = answering(200, completion());
const STREAM = streaming(text('hi'), finish(), usageChunk());

/** For what comes when a rest is over. */
const PATIENCE = { timeout: 60_000, interval: 50 };
const PROXY_PASSWORD = 'pr0xy-w0rd';

let gateway: Gateway;
let proxy: ConnectProxy;
let named = 0;

/** Two ways to each of these models, main and side; or one, or others. Each test takes new ones, of which nothing is known. */
function configure(origin: string): { providers: string; models: string } {
  const TERMS = 'price: { input: "1", output: "10" }, context_window: 128000, max_output: 16384';
  const main = (model: string): string => `{ provider: main, model: ${model} }`;
  const models = Array.from({ length: 30 }, (_, at) => [
    `{ id: pair-${at}, routes: [${main(`m-${at}`)}, { provider: side, model: m-${at} }], ${TERMS} }`,
    `{ id: lone-${at}, routes: [${main(`l-${at}`)}], ${TERMS} }`,
  ]).flat();
  models.push(
    `{ id: weighted, routes: [{ provider: main, model: w, weight: 3 }, { provider: side, model: w, weight: 1 }], ${TERMS} }`,
    `{ id: cached, routes: [{ provider: main, model: c, weight: 1 }, { provider: side, model: c, weight: 1 }], ${TERMS.replace('input: "1"', 'input: "1", cached_input: "0.1"')} }`,
    `{ id: narrow, routes: [{ provider: tight, model: n }], ${TERMS} }`,
    `{ id: narrow-pair, routes: [{ provider: tight, model: n }, { provider: side, model: n }], ${TERMS} }`,
    `{ id: thinking, reasoning: true, routes: [${main('t')}], ${TERMS} }`,
    `{ id: unused, routes: [{ provider: unused, model: u }, { provider: side, model: u }], ${TERMS} }`,
    `{ id: drained, routes: [{ provider: draining, model: d }], ${TERMS} }`,
    `{ id: proxied, routes: [{ provider: proxied, model: p }, { provider: side, model: p }], ${TERMS} }`,
  );
  const provider = (name: string, more = ''): string =>
    `\n  ${name}: { kind: openai, base_url: "${origin}/${name}/v1", api_key: "sk-upstream-0123456789abcdef"${more} }`;
  const providers = [
    provider('main'),
    provider('side'),
    provider('unused'),
    provider('tight', ', concurrency_max: 2'),
    provider('draining', ', drain: true'),
    `\n  proxied: { kind: openai, base_url: "https://api.vendor.example", proxy: "${proxy.url.replace('//', `//me:${PROXY_PASSWORD}@`)}" }`,
  ];
  return { providers: providers.join(''), models: models.map((model) => `\n  - ${model}`).join('') };
}

beforeAll(async () => {
  proxy = await startConnectProxy({ behave: (socket) => socket.end('HTTP/1.1 407 No\r\n\r\n') });
  gateway = await Gateway.start({
    timeouts: `{ usage: ${USAGE_MS}ms, upstream_connect: 60s }`,
    routing: `{ window: 20s, results_min: ${RESULTS_MIN}, rest: ${REST_MS}ms, refused_key_rest: ${REST_MS}ms }`,
    more: configure,
  });
});

afterAll(async () => {
  await gateway.stop();
  await proxy.stop();
});

function fresh(kind: 'pair' | 'lone'): string {
  named += 1;
  return `${kind}-${named}`;
}

/** Answers by the provider that a request came in for. */
function byProvider(scripts: Readonly<Record<string, Script>>): void {
  gateway.script((response, request) => {
    const script = scripts[providerOf(request)];
    if (script === undefined) response.destroy();
    else script(response, request);
  });
}

function providerOf({ path }: ReceivedRequest): string {
  return path.split('/')[1] ?? '';
}

/** Sends a request and reads its answer to the end. */
async function ask(model: string, fields: object = {}, init: SendOptions = {}): Promise<Response> {
  const response = await gateway.chat({ model, ...fields }, init);
  const body = await response.arrayBuffer();
  return new Response(body, response);
}

async function attemptsOf(response: Response): Promise<readonly Attempt[]> {
  return (await gateway.receipt(response.headers.get('x-request-id') ?? '')).attempts;
}

/** The providers that a request was tried at, in order. */
async function triedBy(response: Response): Promise<string[]> {
  return (await attemptsOf(response)).map(({ provider }) => provider);
}

/** How many requests the upstream has had for this provider. */
function askedOf(provider: string): number {
  return gateway.upstream.requests.filter((request) => providerOf(request) === provider).length;
}

async function quotedRoute(model: string): Promise<string | null> {
  const response = await gateway.post('/v1/quote', chatBody({ model }));
  const { route } = (await response.json()) as { route: { provider: string } | null };
  return route?.provider ?? null;
}

test.each([429, 503])(
  'a route whose provider asks to be left alone with %i is passed over for as long as it says, then tried again',
  async (status) => {
    const model = fresh('pair');
    const busy = answering(status, '', { 'retry-after-ms': String(REST_MS) });
    byProvider({ main: busy, side: ANSWER });
    expect(await triedBy(await ask(model))).toEqual(['main', 'side']);
    expect(await quotedRoute(model)).toBe('side');
    expect(await triedBy(await ask(model))).toEqual(['side']);
    byProvider({ main: ANSWER, side: ANSWER });
    await vi.waitFor(async () => expect(await triedBy(await ask(model))).toEqual(['main']), PATIENCE);
  },
);

test('a route whose provider asks to be left alone is the reason of an immediate 503 with a time where it is alone', async () => {
  const model = fresh('lone');
  byProvider({ main: answering(429, '', { 'retry-after': '50' }) });
  const first = await ask(model);
  await expectRefusal(first, 'MODEL_UNAVAILABLE');
  const firstMs = Number(first.headers.get('retry-after-ms'));
  expect([firstMs > 20_000, firstMs <= 50_000]).toEqual([true, true]);
  expect(Number(first.headers.get('retry-after'))).toBe(Math.ceil(firstMs / 1_000));
  const asked = askedOf('main');
  const second = await ask(model);
  await expectRefusal(second, 'MODEL_UNAVAILABLE');
  const afterMs = Number(second.headers.get('retry-after-ms'));
  expect([afterMs > 0, afterMs <= firstMs]).toEqual([true, true]);
  expect([askedOf('main'), await attemptsOf(second), await quotedRoute(model)]).toEqual([asked, [], null]);
});

test.each([false, true])(
  'a request that no route could be tried for is recorded as refused, and is found with the reason; streamed: %s',
  async (stream) => {
    const model = fresh('lone');
    byProvider({ main: answering(429, '', { 'retry-after': '50' }) });
    const tried = await ask(model);
    const id = (await ask(model, { stream })).headers.get('x-request-id') ?? '';
    const { admin } = gateway.program;
    await expect
      .poll(() => admin.lookUp({ request_id: id }).catch(() => null), PATIENCE)
      .toMatchObject({ kind: 'refusal' });
    const { workspace_id: workspace } = await admin.lookUp({ request_id: id });
    expect(await admin.showRequest(workspace, id)).toMatchObject({
      kind: 'refusal',
      refusal: { code: 'MODEL_UNAVAILABLE', model, retry_after_ms: expect.any(Number) },
    });
    // One that was tried for is shown by its receipt, which has the attempt.
    expect(await admin.lookUp({ request_id: tried.headers.get('x-request-id') ?? '' })).toMatchObject({
      kind: 'receipt',
    });
  },
);

test('a route whose provider asks to be left alone for longer than SDKs wait is told to them as not worth a retry', async () => {
  byProvider({ main: answering(429, '', { 'retry-after': '90' }) });
  const { headers } = await ask(fresh('lone'));
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(60);
  expect(headers.get('x-should-retry')).toBe('false');
});

test('a route whose provider asks to be left alone gives its time where others say none, and the earliest counts', async () => {
  const busy = (seconds: number): Script => answering(429, '', { 'retry-after': String(seconds) });
  byProvider({ main: FAILING, side: busy(30) });
  expect(Number((await ask(fresh('pair'))).headers.get('retry-after'))).toBeLessThanOrEqual(30);
  byProvider({ main: busy(50), side: busy(500) });
  expect(Number((await ask(fresh('pair'))).headers.get('retry-after'))).toBeLessThanOrEqual(50);
});

test('a route that fails too often is passed over, probed once after its rest, and taken again once that is answered', async () => {
  const model = fresh('pair');
  byProvider({ main: FAILING, side: ANSWER });
  for (let round = 0; round < RESULTS_MIN; round++) expect(await triedBy(await ask(model))).toEqual(['main', 'side']);
  expect(await triedBy(await ask(model))).toEqual(['side']);
  expect(await gateway.metric('faregate_routes_resting{provider="main"}')).toBeGreaterThan(0);

  // The probe is held back: those who come meanwhile go elsewhere.
  const probe = Promise.withResolvers<() => void>();
  byProvider({ main: (response, request) => probe.resolve(() => ANSWER(response, request)), side: ANSWER });
  const probing = vi.waitFor(async () => {
    const response = await ask(model);
    expect((await triedBy(response))[0]).toBe('main');
    return response;
  }, PATIENCE);
  const answer = await probe.promise;
  expect(await triedBy(await ask(model))).toEqual(['side']);
  answer();
  expect((await probing).status).toBe(200);
  byProvider({ main: ANSWER });
  expect(await triedBy(await ask(model))).toEqual(['main']);
  const log = await gateway.log();
  expect(log).toContain('"event":"route_rests"');
  expect(log).toContain('"event":"route_is_back"');
});

test('a route that fails too often is refused immediately with the time of its next probe, where there is no other', async () => {
  const model = fresh('lone');
  byProvider({ main: FAILING });
  for (let round = 0; round < RESULTS_MIN; round++) await ask(model);
  const asked = askedOf('main');
  const response = await ask(model);
  await expectRefusal(response, 'MODEL_UNAVAILABLE');
  const afterMs = Number(response.headers.get('retry-after-ms'));
  expect([afterMs > 0, afterMs <= REST_MS]).toEqual([true, true]);
  expect(askedOf('main')).toBe(asked);
});

test('a route that fails too often goes on while callers do wrong', async () => {
  const model = fresh('lone');
  byProvider({ main: answering(400, { error: { message: 'too hot', param: 'temperature' } }) });
  for (let round = 0; round < RESULTS_MIN * 2; round++) await expectRefusal(await ask(model), 'INVALID_REQUEST');
  byProvider({ main: ANSWER });
  expect((await ask(model)).status).toBe(200);
});

test('a route whose key is refused rests immediately, and an operator is called', async () => {
  const model = fresh('pair');
  byProvider({ main: answering(401, { error: { message: 'Incorrect API key provided' } }), side: ANSWER });
  const first = await ask(model);
  expect(await triedBy(first)).toEqual(['main', 'side']);
  expect(await triedBy(await ask(model))).toEqual(['side']);
  expect(await gateway.metric('faregate_provider_key_refused{provider="main"}')).toBe(1);
  const lines = (await gateway.log()).split('\n').filter((line) => line.includes('"event":"provider_key_refused"'));
  expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({ level: 'error', provider: 'main', requestId: first.headers.get('x-request-id') }),
  );
  byProvider({ main: ANSWER, side: ANSWER });
  await vi.waitFor(async () => expect(await triedBy(await ask(model))).toEqual(['main']), PATIENCE);
  expect(await gateway.metric('faregate_provider_key_refused{provider="main"}')).toBe(0);
});

test.each([408, 409, 425, 429, 500, 502, 503, 504, 529])('the next route is tried after %i', async (status) => {
  byProvider({ main: answering(status, ''), side: ANSWER });
  const response = await ask('pair-0');
  expect(response.status).toBe(200);
  expect((await triedBy(response)).at(-1)).toBe('side');
});

test.each([400, 413, 422])('the next route is not tried after %i', async (status) => {
  byProvider({ main: answering(status, { error: { message: 'no' } }), side: ANSWER });
  const model = fresh('pair');
  const response = await ask(model);
  await expectRefusal(response, 'INVALID_REQUEST');
  expect(await triedBy(response)).toEqual(['main']);
});

test('the next route is tried where a proxy refuses the way, which is told as the proxy’s, without its password', async () => {
  byProvider({ side: ANSWER });
  const response = await ask('proxied');
  expect(await attemptsOf(response)).toMatchObject([
    { provider: 'proxied', status: null, fault: 'unreachable' },
    { provider: 'side', status: 200 },
  ]);
  expect(proxy.asked.at(-1)?.authority).toBe('api.vendor.example:443');
  const log = await gateway.log();
  expect(log).toContain(`the proxy ${new URL(proxy.url).host}: it answers 407`);
  expect(log).not.toMatch(new RegExp(`${PROXY_PASSWORD}|${Buffer.from(`me:${PROXY_PASSWORD}`).toString('base64')}`));
});

test('the next route is not tried for a caller that has left', async () => {
  const asked = Promise.withResolvers<() => void>();
  byProvider({ main: (response, request) => asked.resolve(() => FAILING(response, request)), side: ANSWER });
  const leave = new AbortController();
  const name = `${MARKER}-left`;
  const left = ask(fresh('pair'), {}, { signal: leave.signal, headers: { 'x-request-id': name } });
  const fail = await asked.promise;
  leave.abort();
  await expect(left).rejects.toThrow('abort');
  for (let trip = 0; trip < 2; trip++) await fetch(`${gateway.url}/livez`);
  fail();
  const receipt = await gateway.receipt(await gateway.requestIdOf(name));
  expect(receipt).toMatchObject({ outcome: 'failed', charge: 0n, attempts: [{ provider: 'main' }] });
});

/** Answers every second request, and breaks the connection of those between. */
function everySecond(): Script {
  let asked = 0;
  return (response, request) => {
    asked += 1;
    if (asked % 2 === 1) ANSWER(response, request);
    else response.socket?.resetAndDestroy();
  };
}

test('a kept connection that breaks before an answer has the request sent once more by its route, and paid once', async () => {
  const model = fresh('lone');
  byProvider({ main: everySecond() });
  await ask(model);
  const response = await ask(model);
  expect(response.status).toBe(200);
  const receipt = await gateway.receipt(response.headers.get('x-request-id') ?? '');
  expect(receipt).toMatchObject({ outcome: 'completed', charge: FULL_CHARGE });
  expect(receipt.attempts).toMatchObject([
    { provider: 'main', status: null, fault: 'broken' },
    { provider: 'main', status: 200, fault: null },
  ]);
});

test('a kept connection that breaks before an answer is told from a new one, after which the next route is tried', async () => {
  byProvider({ unused: (response) => response.socket?.resetAndDestroy(), side: ANSWER });
  expect(await triedBy(await ask('unused'))).toEqual(['unused', 'side']);
});

/** Resolves once none is under way at the provider. */
async function attemptsToEnd(provider: string): Promise<void> {
  const running = (): Promise<number> => gateway.metric(`faregate_provider_attempts{provider="${provider}"}`);
  await vi.waitUntil(async () => (await running()) === 0, { timeout: 30_000, interval: 20 });
}

test('a provider that may have two attempts under way is passed over then, and refused where there is no other', async () => {
  const held: (() => void)[] = [];
  byProvider({ tight: (response, request) => held.push(() => STREAM(response, request)), side: ANSWER });
  const running = [ask('narrow', { stream: true }), ask('narrow-pair', { stream: true })];
  await vi.waitUntil(() => held.length === 2, { timeout: 10_000 });
  expect(await gateway.metric('faregate_provider_attempts{provider="tight"}')).toBe(2);
  expect((await gateway.program.admin.listProviders()).data.find(({ name }) => name === 'tight')).toMatchObject({
    state: 'full',
    attempts: 2,
    concurrency_max: 2,
    full_processes: 1,
  });
  const full = await ask('narrow');
  await expectRefusal(full, 'MODEL_UNAVAILABLE');
  expect(Number(full.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await triedBy(await ask('narrow-pair'))).toEqual(['side']);
  expect([await quotedRoute('narrow'), await quotedRoute('narrow-pair')]).toEqual([null, 'side']);
  for (const answer of held) answer();
  for (const response of await Promise.all(running)) expect(response.status).toBe(200);
  byProvider({ tight: ANSWER });
  expect((await ask('narrow')).status).toBe(200);
});

test('a provider that may have two attempts under way has its places back from callers that leave and from failures', async () => {
  for (let round = 0; round < 4; round++) {
    const asked = Promise.withResolvers<void>();
    const leave = new AbortController();
    byProvider({ tight: () => asked.resolve() });
    const left = ask('narrow', { stream: true }, { signal: leave.signal });
    await asked.promise;
    leave.abort();
    await expect(left).rejects.toThrow('abort');
    await attemptsToEnd('tight');
    // Too few of them fail for the route to rest.
    for (const tight of [ANSWER, STREAM, ANSWER, FAILING]) {
      byProvider({ tight });
      await ask('narrow', { stream: tight === STREAM });
    }
  }
  await attemptsToEnd('tight');
});

test('the list of providers says why and until when a route rests, and neither keys nor addresses', async () => {
  const [failing, asking] = [fresh('pair'), fresh('pair')];
  byProvider({ main: answering(429, '', { 'retry-after': '50' }), side: ANSWER });
  const beforeMs = Date.now();
  await ask(asking);
  byProvider({ main: FAILING, side: ANSWER });
  for (let round = 0; round < RESULTS_MIN; round++) await ask(failing);
  const told = await gateway.program.admin.listProviders();
  expect(told).toMatchObject({ processes: 1, processes_answered: 1, window_ms: 20_000 });
  const routeOf = (provider: string, model: string) =>
    told.data.find(({ name }) => name === provider)?.routes.find((route) => route.model === model);
  expect(routeOf('main', asking)).toMatchObject({
    state: 'resting',
    rest: { cause: 'provider_asked', fault: 'overloaded', status: 429 },
    processes: { resting: 1, answering: 0 },
    position: 1,
    on_sale: true,
  });
  const untilMs = Date.parse(routeOf('main', asking)?.rest?.until ?? '');
  expect([untilMs > beforeMs + 40_000, untilMs < Date.now() + 50_001]).toEqual([true, true]);
  const failed = routeOf('main', failing);
  expect(failed).toMatchObject({ answered: 0, failed: RESULTS_MIN });
  // On a busy machine its rest may be over.
  if (failed?.state === 'resting') expect(failed.rest).toMatchObject({ cause: 'failures', status: 500 });
  else expect(failed?.state).toBe('probing');
  expect(routeOf('side', failing)).toMatchObject({
    state: 'answering',
    answered: RESULTS_MIN,
    position: 2,
    rest: null,
  });
  expect(told.data.find(({ name }) => name === 'main')?.state).toBe('degraded');
  expect(JSON.stringify(told)).not.toMatch(/http|sk-upstream|proxy/);
});

test('routes with weights get their shares', async () => {
  byProvider({ main: ANSWER, side: ANSWER });
  const before = askedOf('main');
  const responses = await Promise.all(Array.from({ length: 200 }, () => ask('weighted')));
  expect(responses.every(({ status }) => status === 200)).toBe(true);
  // Three in four; it is outside of these bounds once in ten million runs.
  const share = askedOf('main') - before;
  expect([share > 115, share < 182]).toEqual([true, true]);
  expect(await quotedRoute('weighted')).toBe('main');
});

test('the turns of a conversation go to one route, whose cache has the former ones, and to the next while it fails', async () => {
  byProvider({ main: ANSWER, side: ANSWER });
  const routesOf = async (name: string): Promise<Set<string>> => {
    const tried = new Set<string>();
    for (let turns = 1; turns < 8; turns++) {
      const messages = Array.from({ length: 2 * turns - 1 }, (_, at) => ({
        role: at % 2 === 0 ? 'user' : 'assistant',
        content: at === 0 ? name : `turn ${at}`,
      }));
      for (const provider of await triedBy(await ask('cached', { messages }))) tried.add(provider);
    }
    return tried;
  };
  const all = new Set<string>();
  for (let at = 0; at < 12; at++) {
    const routes = await routesOf(`conversation ${at}`);
    expect(routes.size).toBe(1);
    for (const provider of routes) all.add(provider);
  }
  expect(all).toEqual(new Set(['main', 'side']));
  const [usual = ''] = await routesOf('conversation 0');
  byProvider(usual === 'main' ? { main: FAILING, side: ANSWER } : { main: ANSWER, side: FAILING });
  const answer = await ask('cached', { messages: [{ role: 'user', content: 'conversation 0' }] });
  expect(answer.status).toBe(200);
  expect(await triedBy(answer)).toEqual([usual, usual === 'main' ? 'side' : 'main']);
});

test.each(['thinking', 'drained'])(
  'an abandoned stream is read on beyond the usual time for its usage, where its model is %s',
  async (model) => {
    const script = Promise.withResolvers<() => void>();
    const cut = Promise.withResolvers<void>();
    const running: Script = (response) => {
      beginStream(response);
      response.write(event(text('hi')));
      response.once('close', cut.resolve);
      script.resolve(() => response.end(event(finish()) + event(usageChunk())));
    };
    byProvider({ main: running, draining: running });
    const name = `${MARKER}-${model}`;
    const connection = gateway.openRaw({ model, stream: true }, name);
    const end = await script.promise;
    await connection.until((received) => received.includes('hi'));
    await gateway.leaveAtOnce(connection);
    const isCut = await Promise.race([
      cut.promise.then(() => true),
      new Promise((done) => setTimeout(done, USAGE_MS * 3, false)),
    ]);
    expect(isCut).toBe(false);
    end();
    const receipt = await gateway.receipt(await gateway.requestIdOf(name));
    expect(receipt).toMatchObject({ outcome: 'abandoned', certainty: 'exact', charge: FULL_CHARGE });
  },
);

test('after all routing the ledger is whole, nothing is under way, and nothing that was said has been printed', async () => {
  expect(await gateway.books()).toEqual({ ok: true, difference: 0n });
  await gateway.upstreamIdle();
  for (const provider of ['main', 'side', 'tight', 'draining']) {
    expect(await gateway.metric(`faregate_provider_attempts{provider="${provider}"}`)).toBe(0);
  }
  expect(await gateway.log()).not.toContain(`say ${MARKER}`);
});
