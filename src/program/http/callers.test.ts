import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { until } from '../../../test/support/eventually.ts';
import { RecordingServer } from '../../../test/support/recording-server.ts';
import { DIALECTS } from '../../gate/dialects/dialects.ts';
import { refuse } from '../../domain/refusals.ts';
import type { Caller } from '../../gate/gateway/caller.ts';
import { ByteBudget } from '../../lib/byte-budget.ts';
import { head, RawConnection } from '../../../test/wire/raw-http.ts';
import { NodeCaller } from './node-caller.ts';

// A caller is the same whichever parser has read its request: of each path below, one is read from the bare socket and the
// other by node:http.

const PLAIN = '/v1/embeddings';
const NODE = '/by-node';
const BODY_BYTES_MAX = 100_000;

const budget = new ByteBudget(1_000_000);
let serve: (caller: Caller) => void | Promise<void> = () => undefined;
let server: RecordingServer;
const faults: unknown[] = [];

/** Serves a request as the test says; what it finds wrong is told once the request is over. */
function served(caller: Caller): void {
  Promise.try(serve, caller).catch((fault: unknown) => {
    faults.push(fault);
    caller.refuse(refuse('INTERNAL_ERROR', 'the test has failed', { closeConnection: true }));
  });
}

afterEach(() => {
  const all = faults.splice(0);
  if (all.length > 0) throw new AggregateError(all, 'a caller is not as it should be');
});

beforeAll(async () => {
  server = await RecordingServer.start(
    {
      plain: served,
      any: (message, response) => {
        const limits = { bodyBytesMax: BODY_BYTES_MAX, budget };
        served(new NodeCaller('id-node', message, response, limits));
      },
    },
    { bodyBytesMax: BODY_BYTES_MAX, budget },
  );
});

afterAll(() => server.stop());

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends a request with these headers, names and values in turn, and answers with the reply. */
async function send(path: string, headers: readonly string[] = [], body = ''): Promise<Reply> {
  const all = ['host', 'x', 'content-length', String(body.length), ...headers];
  const sent = request(server.url + path, { method: 'POST', headers: all, agent: false });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream & Reply & { statusCode: number }];
  let text = '';
  response.setEncoding('latin1');
  for await (const piece of response) text += String(piece);
  return { status: response.statusCode, headers: response.headers, text };
}

const FIELDS = [
  'authorization',
  'peerAddress',
  'forwardedFor',
  'contentType',
  'contentEncoding',
  'apiKey',
  'anthropicVersion',
  'anthropicBeta',
  'maxCost',
  'reportCost',
  'idempotencyKey',
  'clientRequestId',
  'session',
  'bodyBytes',
  'bodyBytesMax',
  'principal',
  'isGone',
  'isHalfClosed',
  'hasStarted',
] as const satisfies readonly (keyof Caller)[];

/** What a caller of each kind says of a request with these headers. */
async function seen(headers: readonly string[], body = '') {
  const both: Partial<Record<keyof Caller, unknown>>[] = [];
  serve = (caller) => {
    both.push(Object.fromEntries(FIELDS.map((name) => [name, caller[name]])));
    caller.answer(Buffer.from('{}'), []);
  };
  await send(PLAIN, headers, body);
  await send(NODE, headers, body);
  expect(both[0]).toEqual(both[1]);
  return both[0];
}

const NOTHING = {
  authorization: undefined,
  peerAddress: '127.0.0.1',
  forwardedFor: undefined,
  contentType: undefined,
  contentEncoding: undefined,
  apiKey: undefined,
  anthropicVersion: undefined,
  anthropicBeta: undefined,
  maxCost: undefined,
  reportCost: undefined,
  idempotencyKey: undefined,
  clientRequestId: null,
  session: null,
  bodyBytes: 0,
  bodyBytesMax: BODY_BYTES_MAX,
  principal: null,
  isGone: false,
  isHalfClosed: false,
  hasStarted: false,
};

test.each<[string, string, Partial<Record<keyof Caller, unknown>>]>([
  ['Authorization', 'Bearer a', { authorization: 'Bearer a' }],
  ['Content-Type', 'application/json', { contentType: 'application/json' }],
  ['Content-Encoding', 'gzip', { contentEncoding: 'gzip' }],
  ['X-Api-Key', 'b', { apiKey: 'b' }],
  ['anthropic-version', '2023-06-01', { anthropicVersion: '2023-06-01' }],
  ['anthropic-beta', 'one,two', { anthropicBeta: 'one,two' }],
  ['x-faregate-max-cost', '0.05', { maxCost: '0.05' }],
  ['x-faregate-report-cost', 'true', { reportCost: 'true' }],
  ['Idempotency-Key', 'order-7', { idempotencyKey: 'order-7' }],
  ['x-request-id', 'c', { clientRequestId: 'c' }],
  ['x-request-id', 'c'.repeat(128), { clientRequestId: 'c'.repeat(128) }],
  ['x-request-id', 'c'.repeat(129), {}],
  ['x-request-id', 'a\tb', {}],
  ['session-id', 's', { session: 's' }],
  ['session_id', 't', { session: 't' }],
  ['x-claude-code-session-id', 'u', { session: 'u' }],
  ['x-session-id', 'v', { session: 'v' }],
  ['x-other', 'v', {}],
])('a caller has what its headers say with either parser: %s: %s', async (name, value, expected) => {
  expect(await seen([name, value])).toEqual({ ...NOTHING, ...expected });
});

test('of several names of a session the first valid one counts, and a body is as long as it is announced', async () => {
  const all = ['session-id', 's'.repeat(129), 'session_id', 't', 'x-claude-code-session-id', 'u', 'x-session-id', 'v'];
  expect(await seen(all, 'hello')).toEqual({ ...NOTHING, session: 't', bodyBytes: 5 });
});

test('a repeated header is no single value, but for keys of repeats, which are joined', async () => {
  let caller: Partial<Caller> = {};
  serve = (each) => {
    caller = { apiKey: each.apiKey, idempotencyKey: each.idempotencyKey };
    each.answer(Buffer.from('{}'), []);
  };
  await send(NODE, ['x-api-key', 'a', 'x-api-key', 'b', 'Idempotency-Key', 'c', 'Idempotency-Key', 'd']);
  expect(caller).toEqual({ apiKey: 'a, b', idempotencyKey: 'c, d' });
});

test('a body that is refused gives its memory back immediately, and one that was read when its request is over', async () => {
  const held: number[] = [];
  serve = async (caller) => {
    const body = await caller.readBody();
    held.push(budget.taken);
    if (Buffer.isBuffer(body)) caller.answer(Buffer.from('{}'), []);
    else caller.refuse(refuse('REQUEST_TOO_LARGE', 'no', { closeConnection: true }));
  };
  for (const path of [PLAIN, NODE]) {
    await send(path, [], 'x'.repeat(BODY_BYTES_MAX));
    expect(held.pop()).toBeGreaterThanOrEqual(BODY_BYTES_MAX);
    await until(() => budget.taken === 0);
    const frame = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
    const connection = new RawConnection(server.url).send(
      head(`POST ${path} HTTP/1.1`, { host: 'x', 'transfer-encoding': 'chunked' }),
      frame.repeat(4),
    );
    onTestFinished(() => connection.destroy());
    expect((await connection.response())?.status).toBe(413);
    expect(held.pop()).toBe(0);
  }
});

test('the addresses that proxies have forwarded are read as one list, over however many headers', async () => {
  const one = await seen(['x-forwarded-for', '203.0.113.9, 10.0.0.2']);
  expect(one).toMatchObject({ forwardedFor: '203.0.113.9, 10.0.0.2' });
  const two = await seen(['x-forwarded-for', '203.0.113.9', 'X-Forwarded-For', '10.0.0.2']);
  expect(two).toMatchObject({ forwardedFor: '203.0.113.9, 10.0.0.2' });
});

test('a body of unannounced length has none', async () => {
  let bytes: number | null = 0;
  serve = async (caller) => {
    bytes = caller.bodyBytes;
    await caller.readBody();
    caller.answer(Buffer.from('{}'), []);
  };
  const sent = request(`${server.url}${NODE}`, { method: 'POST', headers: { 'transfer-encoding': 'chunked' } });
  sent.end('hello');
  const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
  response.resume();
  expect(bytes).toBeNull();
});

for (const [kind, path] of [
  ['plain', PLAIN],
  ['read by node:http', NODE],
] as const) {
  test(`an answer has its length, its caller's headers and the id in the form of its API: ${kind}`, async () => {
    for (const bytes of [2, 200_000]) {
      const body = Buffer.alloc(bytes, '√ß');
      serve = (caller) => {
        caller.answerIn(DIALECTS.messages.replyForm);
        caller.answer(body, ['x-extra', '1']);
        expect(caller.hasStarted).toBe(true);
      };
      const { status, headers, text } = await send(path);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'content-length': String(bytes),
        'x-extra': '1',
        'request-id': expect.stringMatching(/^id-/),
      });
      expect(Buffer.from(text, 'latin1').equals(body)).toBe(true);
    }
  });

  test(`a stream has its headers, and its text as it was written: ${kind}`, async () => {
    serve = async (caller) => {
      expect(caller.hasStarted).toBe(false);
      caller.startStream(['x-extra', '1']);
      expect(caller.hasStarted).toBe(true);
      expect(caller.write('data: \u00fc\n\n')).toBe(true);
      caller.write('');
      await setImmediate();
      caller.write('data: b\n\n');
      caller.end();
    };
    const { headers, text } = await send(path);
    expect(text).toBe('data: \u00fc\n\ndata: b\n\n');
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      'transfer-encoding': 'chunked',
      'x-extra': '1',
      'x-request-id': expect.stringMatching(/^id-/),
    });
  });

  test(`a stream that its caller reads slowly pauses, and is told when to go on: ${kind}`, async () => {
    const piece = 'x'.repeat(1_000_000);
    let pieces = 0;
    const paused = Promise.withResolvers<void>();
    serve = async (caller) => {
      const drained = Promise.withResolvers<void>();
      caller.onDrain(() => drained.resolve());
      caller.startStream([]);
      // What is written in one turn goes out together.
      for (let isWanted = true; isWanted; pieces += 1) {
        isWanted = caller.write(piece);
        await setImmediate();
      }
      paused.resolve();
      await drained.promise;
      caller.end();
    };
    const sent = request(server.url + path, { method: 'POST', headers: { 'content-length': '0' }, agent: false }).end();
    const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
    await paused.promise;
    let bytes = 0;
    for await (const read of response) bytes += (read as Buffer).length;
    expect(bytes).toBe(pieces * piece.length);
  });

  test(`a refusal has its status and headers, and ends the connection if it says so: ${kind}`, async () => {
    for (const closes of [false, true]) {
      serve = (caller) =>
        caller.refuse(
          refuse('INVALID_API_KEY', 'no', { retryAfterMs: 1_500, ...(closes && { closeConnection: true }) }),
        );
      const { status, headers, text } = await send(path);
      expect(status).toBe(401);
      expect(headers).toMatchObject({ 'content-length': String(text.length), 'www-authenticate': 'Bearer' });
      expect(headers['retry-after-ms'] ?? headers['retry-after']).toBeDefined();
      expect(JSON.parse(text)).toMatchObject({ error: { message: 'no' } });
      if (closes) expect(headers['connection']).toBe('close');
    }
    const limits = { limit: 60, remaining: 59, resetMs: 1_000 };
    serve = (caller) =>
      caller.refuse(refuse('RATE_LIMITED', 'no', { rate: { requests: limits, tokens: null }, allow: 'GET' }));
    const limited = await send(path);
    expect(limited.headers).toMatchObject({ 'x-ratelimit-limit-requests': '60', allow: 'GET' });
    expect(limited.headers['www-authenticate']).toBeUndefined();
  });

  test(`a refusal of a stream that has begun is its end: ${kind}`, async () => {
    serve = (caller) => {
      caller.startStream([]);
      caller.write('data: a\n\n');
      caller.refuse(refuse('INTERNAL_ERROR', 'no'));
    };
    expect(await send(path)).toMatchObject({ status: 200, text: 'data: a\n\n' });
  });

  test(`memory that a request has reserved comes back with its answer, and none is there behind it: ${kind}`, async () => {
    const before = budget.taken;
    let late: Caller | null = null;
    serve = (caller) => {
      late = caller;
      expect(caller.reserve(300_000)).toBe(true);
      expect(caller.reserve(1_000_000)).toBe(false);
      expect(budget.taken).toBe(before + 300_000);
      caller.answer(Buffer.from('{}'), []);
    };
    await send(path);
    await expect.poll(() => budget.taken).toBe(before);
    expect(late!.reserve(1)).toBe(false);
    expect(budget.taken).toBe(before);
  });

  test(`a body that is too large is none, and its memory comes back: ${kind}`, async () => {
    const before = budget.taken;
    let outcome: unknown = null;
    serve = async (caller) => {
      outcome = await caller.readBody();
      expect(budget.taken).toBe(before);
      caller.refuse(refuse('REQUEST_TOO_LARGE', 'no', { closeConnection: true }));
    };
    const { status } = await send(path, [], 'x'.repeat(BODY_BYTES_MAX + 1)).catch(() => ({ status: 413 }));
    expect([outcome, status]).toEqual(['too_large', 413]);
  });

  test(`a caller that leaves is gone, once, and nothing more is sent to it: ${kind}`, async () => {
    const left = Promise.withResolvers<Caller>();
    const told: string[] = [];
    serve = (caller) => {
      caller.onGone(() => {
        told.push('gone');
        left.resolve(caller);
      });
      caller.startStream([]);
      caller.write('data: a\n\n');
    };
    const sent = request(server.url + path, { method: 'POST', headers: { 'content-length': '0' }, agent: false });
    sent.on('error', () => undefined).end();
    const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
    response.on('error', () => undefined);
    sent.socket?.resetAndDestroy();
    const caller = await left.promise;
    expect(caller.isGone).toBe(true);
    caller.onGone(() => told.push('at once'));
    expect(told).toEqual(['gone', 'at once']);
    caller.answer(Buffer.from('{}'), []);
    caller.refuse(refuse('INTERNAL_ERROR', 'no'));
    caller.end();
    expect(caller.reserve(1)).toBe(false);
  });

  test(`a caller whose answer is whole is not gone, and hears nothing more of its connection: ${kind}`, async () => {
    const told: string[] = [];
    serve = (caller) => {
      caller.onGone(() => told.push('gone'));
      caller.onHalfClosed(() => told.push('half-closed'));
      caller.answer(Buffer.from('{}'), []);
    };
    const asked = head(`POST ${path} HTTP/1.1`, { host: 'x', 'content-length': '0' });
    const connection = new RawConnection(server.url).send(asked);
    expect((await connection.response())?.status).toBe(200);
    connection.socket.end();
    await connection.closed;
    expect(told).toEqual([]);
  });

  test(`a caller that closes its side may still read: ${kind}`, async () => {
    const half = Promise.withResolvers<Caller>();
    serve = (caller) => {
      expect(caller.isHalfClosed).toBe(false);
      caller.onHalfClosed(() => half.resolve(caller));
    };
    const sent = request(server.url + path, { method: 'POST', headers: { 'content-length': '0' }, agent: false });
    sent.end();
    const [socket] = (await once(sent, 'socket')) as [Socket];
    sent.on('finish', () => void socket.end());
    const caller = await half.promise;
    let isTold = false;
    expect(caller.isHalfClosed).toBe(true);
    caller.onHalfClosed(() => (isTold = true));
    expect([isTold, caller.isGone]).toEqual([true, false]);
    caller.answer(Buffer.from('{"a":1}'), []);
    const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
    let text = '';
    for await (const piece of response) text += String(piece);
    expect(text).toBe('{"a":1}');
  });
}
