import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../test/support/eventually.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { RecordingSink } from '../../../test/support/recording-sink.ts';
import { startScriptedUpstream, type ScriptedUpstream } from '../../../test/support/scripted-upstream.ts';
import { TIMEOUTS } from '../../../test/support/upstream-pair.ts';
import type { OpenAiProviderConfig } from '../../config/config.ts';
import { readChatRequest } from '../openai/chat-request.ts';
import { SANDBOX_PROVIDER } from './sandbox/models.ts';
import { UpstreamSet } from './upstream-set.ts';

const FORMER_MS = 1_000;
const CHUNK = '{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"x"}}]}';

let server: ScriptedUpstream;
let clock: ManualClock;
let upstreams: UpstreamSet;
let finish: (() => void)[];

beforeEach(async () => {
  finish = [];
  server = await startScriptedUpstream((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${CHUNK}\n\n`);
    finish.push(() => response.end('data: [DONE]\n\n'));
  });
  clock = new ManualClock();
  upstreams = new UpstreamSet(clock, (fault) => {
    throw fault;
  });
});
afterEach(async () => {
  await upstreams.close(0);
  await server.stop();
});

function provider(more: Partial<OpenAiProviderConfig> = {}): OpenAiProviderConfig {
  return {
    name: 'p',
    kind: 'openai',
    baseUrl: `${server.origin}/v1`,
    apiKey: 'old',
    proxy: null,
    tls: null,
    concurrencyMax: null,
    drains: false,
    profile: null,
    capField: null,
    needsCap: null,
    hasCompletions: null,
    ...more,
  };
}

/** A parsed config file, with new route objects, as after each reload. */
function configured(...providers: OpenAiProviderConfig[]) {
  const routes = providers.map(({ name }) => ({ provider: name, upstreamModel: 'm' }));
  return { providers, models: [{ routes }], timeouts: TIMEOUTS, routes };
}

function begin(upstream: ReturnType<UpstreamSet['of']>): RecordingSink {
  const body = Buffer.from('{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}');
  const reading = readChatRequest(body);
  if (!reading.ok) throw new Error(reading.fault.message);
  const sink = new RecordingSink();
  upstream?.chat({ request: reading.request, upstreamModel: 'm', cap: null, requestId: 'r' }, sink);
  return sink;
}

test('every provider gets an upstream of its kind under its own name', () => {
  const routes = ['p', 'toys', 'nobody'].map((name) => ({ provider: name, upstreamModel: 'm' }));
  const toys = { ...SANDBOX_PROVIDER, name: 'toys' };
  upstreams.configure({ providers: [provider(), toys], models: [{ routes }], timeouts: TIMEOUTS });
  expect(routes.map((route) => upstreams.of(route)?.name)).toEqual(['p', 'toys', undefined]);
});

test('a configuration that is taken over again leaves an upstream of the same settings as it is, for all routes', () => {
  const before = configured(provider());
  const after = configured(provider(), provider({ name: 'q' }));
  upstreams.configure(before);
  upstreams.configure(after);
  expect(upstreams.of(after.routes[0]!)).toBe(upstreams.of(before.routes[0]!));
  expect(upstreams.of(after.routes[1]!)?.name).toBe('q');
});

test.each([
  ['key', (): Partial<OpenAiProviderConfig> => ({ apiKey: 'new' }), TIMEOUTS],
  ['timeout', (): Partial<OpenAiProviderConfig> => ({}), { ...TIMEOUTS, upstreamIdleMs: 9 }],
])(
  'a configuration taken over again sends new requests with its new %s, while old routes lead where they led',
  (_, change, timeouts) => {
    const before = configured(provider());
    const after = configured(provider(change()));
    upstreams.configure(before);
    const old = upstreams.of(before.routes[0]!);
    upstreams.configure({ ...after, timeouts });
    expect(upstreams.of(before.routes[0]!)).toBe(old);
    expect(upstreams.of(after.routes[0]!)).not.toBe(old);
  },
);

test('a configuration that is taken over again closes an upstream that is gone only after its requests and routes', async () => {
  const before = configured(provider());
  upstreams.configure(before);
  const route = before.routes[0]!;
  const running = begin(upstreams.of(route));
  await until(() => running.payloads.length > 0);

  upstreams.configure(configured());
  upstreams.closeFormer(FORMER_MS);
  await clock.advance(FORMER_MS - 1);
  const late = begin(upstreams.of(route));
  await until(() => late.payloads.length > 0);

  await clock.advance(1);
  expect([running.endings, late.endings]).toEqual([[], []]);
  finish.forEach((end) => end());
  expect([await running.ended(), await late.ended()]).toEqual([
    { kind: 'end', done: true },
    { kind: 'end', done: true },
  ]);
  await until(() => server.sockets.size === 0);
  expect(await begin(upstreams.of(route)).ended()).toMatchObject({ kind: 'fault' });
});

test('a configuration that is taken over again leaves nothing open once all is closed, earlier upstreams included', async () => {
  const before = configured(provider());
  upstreams.configure(before);
  const running = begin(upstreams.of(before.routes[0]!));
  await until(() => running.payloads.length > 0);
  upstreams.configure(configured());
  upstreams.closeFormer(0);
  await clock.advance(1);
  await upstreams.close(20);
  expect(await running.ended()).toMatchObject({ kind: 'fault' });
  await until(() => server.sockets.size === 0);
});
