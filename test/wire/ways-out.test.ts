import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '../../src/program/database/pool.ts';
import { SECRET_KEY, WEBHOOK_SECRET } from '../support/fake-stripe.ts';
import { chatBody, Gateway } from './gateway.ts';
import { head, RawConnection } from './raw-http.ts';
import { answering, chunk, completion, finish, streaming, text, usageChunk } from './upstream-scripts.ts';

// Whatever comes in, and however it ends, all that it took is there again: memory, money, permits, claims, places,
// connections.

const LANES = 8;
/** The project of the limited key may have so many requests at the same time. */
const CONCURRENCY = 3;

interface Target {
  readonly line: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

let gateway: Gateway;
let database: Database;
let keys: Readonly<Record<'good' | 'limited' | 'dry' | 'wrong' | 'operator', string>>;
let targets: Readonly<Record<string, Target>>;

beforeAll(async () => {
  gateway = await Gateway.start({
    timeouts: '{ headers: 1s, request: 1s, hold_wait: 200ms, usage: 200ms }',
    more: (origin) => ({
      providers: '',
      models: `
payments:
  stripe: { secret_key: ${SECRET_KEY}, base_url: "${origin}", webhook_secret: ${WEBHOOK_SECRET} }`,
    }),
  });
  scriptUpstream();
  database = await gateway.program.openDatabase();
  const limited = { models: ['chat'], concurrency: CONCURRENCY, requestsPerMinute: 100_000 };
  keys = {
    good: gateway.key,
    limited: await gateway.openAccount({ credit: 10n ** 12n, project: limited }),
    dry: await gateway.openAccount({ project: { models: ['chat'] } }),
    wrong: 'fg_live_nonsense',
    operator: gateway.program.operatorToken,
  };
  const { id } = gateway.account.workspace;
  targets = {
    chat: { line: 'POST /v1/chat/completions', body: chatBody() },
    stream: { line: 'POST /v1/chat/completions', body: chatBody({ stream: true }) },
    quote: { line: 'POST /v1/quote', body: chatBody() },
    count: { line: 'POST /v1/responses/input_tokens', body: JSON.stringify({ model: 'chat', input: 'a' }) },
    models: { line: 'GET /v1/models' },
    nothing: { line: 'POST /v1/nothing', body: '{}' },
    livez: { line: 'GET /livez' },
    page: { line: 'GET /sign-in' },
    webhook: { line: 'POST /webhooks/stripe', body: '{"id":"evt_1"}', headers: { 'stripe-signature': 't=1,v1=00' } },
    admin: { line: 'POST /admin/v1/workspaces', body: '{"name":1}' },
    signIn: { line: 'POST /admin/v1/sign-in', body: '{"email":"a@example.com","password":"nonsense"}' },
    events: { line: `GET /admin/v1/workspaces/${id}/events` },
  };
});
afterAll(async () => {
  await gateway.stop();
});

/** Answers in full for the most part; else it fails, breaks off, or takes a while. */
function scriptUpstream(): void {
  let calls = 0;
  gateway.script((response, request) => {
    calls += 1;
    if (calls % 7 === 0) return response.destroy();
    if (calls % 5 === 0) return answering(500, {})(response, request);
    const isStream = request.body.includes('"stream":true');
    const answer = isStream
      ? streaming(chunk([{ index: 0, delta: { role: 'assistant' } }]), text('hi'), finish(), usageChunk())
      : answering(200, completion());
    setTimeout(() => answer(response, request), calls % 3 === 0 ? 100 : 0);
  });
}

/** One thing that a caller may do. */
const act = fc.record({
  target: fc.constantFrom(
    'chat',
    'stream',
    'quote',
    'count',
    'models',
    'nothing',
    'livez',
    'page',
    'webhook',
    'admin',
    'signIn',
    'events',
  ),
  key: fc.constantFrom('good', 'good', 'limited', 'dry', 'wrong', 'operator'),
  isChunked: fc.boolean(),
  /** Spaces before the body. */
  padding: fc.constantFrom(0, 0, 70_000, 300_000),
  sent: fc.constantFrom('whole', 'whole', 'head', 'half', 'twice', 'garbage', 'expect'),
  end: fc.constantFrom('waits', 'waits', 'resets', 'resets at the first bytes', 'closes its side'),
  claims: fc.boolean(),
  /** Refused for its cost, once it has its permit. */
  isTooDear: fc.boolean(),
});
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

let claims = 0;

function bytesOf({ target, key, isChunked, padding, sent, claims: hasClaim, isTooDear }: Act): string {
  const { line, body = '', headers = {} } = targets[target] as Target;
  const whole = body === '' ? '' : ' '.repeat(padding) + body;
  const framed = isChunked ? `${whole.length.toString(16)}\r\n${whole}\r\n0\r\n\r\n` : whole;
  const lead = head(`${line} HTTP/1.1`, {
    host: 'x',
    authorization: `Bearer ${keys[key]}`,
    ...headers,
    ...(body === '' ? {} : { 'content-type': 'application/json' }),
    ...(body !== '' && isChunked ? { 'transfer-encoding': 'chunked' } : {}),
    ...(body !== '' && !isChunked ? { 'content-length': String(whole.length) } : {}),
    ...(hasClaim ? { 'idempotency-key': `claim-${(claims += 1)}` } : {}),
    ...(isTooDear ? { 'x-faregate-max-cost': '0.000000001' } : {}),
    ...(sent === 'expect' ? { expect: '100-continue' } : {}),
  });
  const rest = body === '' ? '' : framed;
  if (sent === 'head') return lead;
  if (sent === 'half') return lead + rest.slice(0, rest.length / 2);
  if (sent === 'garbage') return `${lead}${rest.slice(0, rest.length / 2)}\0\r\n\r\nGET\r\n`;
  return sent === 'twice' ? (lead + rest).repeat(2) : lead + rest;
}

/** Does it, and leaves: after an answer, or once it is clear that none comes. */
async function perform(each: Act): Promise<void> {
  const connection = new RawConnection(gateway.url).send(bytesOf(each));
  if (each.end === 'resets') {
    // So that some of it has been read.
    await fetch(`${gateway.url}/livez`, { signal: AbortSignal.timeout(20_000) }).then((live) => live.arrayBuffer());
  } else if (each.end === 'resets at the first bytes' || each.target === 'events') {
    await connection.until((received) => received.length > 0).catch(() => undefined);
  } else {
    if (each.end === 'closes its side') connection.socket.end();
    await connection.response().catch((cause: unknown) => {
      throw new Error(`no end of ${JSON.stringify(each)}`, { cause });
    });
  }
  connection.socket.resetAndDestroy();
}

async function performAll(acts: readonly Act[]): Promise<void> {
  const waiting = [...acts];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await perform(next);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** What is taken now. Whoever asks has a connection and a request. */
async function taken(): Promise<Record<string, number>> {
  const lines = (await gateway.program.metrics()).split('\n');
  const sum = (name: string): number =>
    lines.filter((line) => line.startsWith(name)).reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);
  const [open] = await database.query<{ claims: bigint }>(
    'select count(*) as claims from idempotent_requests where completed_at is null',
  );
  return {
    buffered: sum('faregate_buffered_bytes '),
    holds: sum('faregate_open_holds '),
    requests: sum('faregate_running_requests ') - 1,
    attempts: sum('faregate_provider_attempts{'),
    unsettled: sum('faregate_unsettled_receipts '),
    claims: Number(open?.claims),
  };
}

const NOTHING = { buffered: 0, holds: 0, requests: 0, attempts: 0, unsettled: 0, claims: 0 };

async function statusOf(name: string, key: string): Promise<number> {
  const { line, body, headers = {} } = targets[name] as Target;
  const [method = '', path = ''] = line.split(' ');
  const sent = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers };
  const response = await fetch(`${gateway.url}${path}`, {
    method,
    headers: sent,
    ...(body === undefined ? {} : { body }),
  });
  await response.arrayBuffer();
  return response.status;
}

test('whatever requests come in and however they end, all that they took is there again', async () => {
  const run = fc.asyncProperty(fc.array(act, { minLength: 100, maxLength: 100 }), async (acts) => {
    await performAll(acts);
    await vi.waitFor(async () => expect(await taken()).toEqual(NOTHING), { timeout: 30_000, interval: 100 });
  });
  await fc.assert(run, { numRuns: 2, seed: 22, endOnFailure: true });
  await vi.waitUntil(async () => (await gateway.metric('faregate_connections')) < 10, { timeout: 30_000 });
});

test('after all those requests every place is free: of a project, of webhooks and of the admin API', async () => {
  // A provider that failed so often is left alone for a while.
  gateway.script(answering(200, completion()));
  await vi.waitFor(async () => expect(await statusOf('chat', keys.limited)).toBe(200), { timeout: 30_000 });
  const together = async (): Promise<void> => {
    const waiting: (() => void)[] = [];
    gateway.script((response, request) => {
      waiting.push(() => answering(200, completion())(response, request));
      if (waiting.length === CONCURRENCY) for (const answer of waiting) answer();
    });
    const chats = Array.from({ length: CONCURRENCY }, () => statusOf('chat', keys.limited));
    expect(await Promise.all(chats)).toEqual(chats.map(() => 200));
  };
  // On a busy machine a hold may take longer than it may wait here; a place that is lost is lost for good.
  await vi.waitFor(together, { timeout: 30_000, interval: 500 });
  expect(await statusOf('webhook', keys.wrong)).toBe(400);
  expect(await statusOf('admin', keys.operator)).toBe(400);
  expect(await gateway.books()).toEqual({ ok: true, difference: 0n });
  expect(await gateway.log()).not.toContain('bug of this program');
});
