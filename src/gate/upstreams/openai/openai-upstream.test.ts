import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { freePort } from '../../../../test/support/external-postgres.ts';
import { RecordingSink } from '../../../../test/support/recording-sink.ts';
import type { Script } from '../../../../test/support/scripted-upstream.ts';
import { startUpstreamPair, TIMEOUTS, type UpstreamPair } from '../../../../test/support/upstream-pair.ts';
import type { OpenAiProviderConfig, TimeoutConfig } from '../../../config/config.ts';
import { readChatRequest } from '../../openai/chat-request.ts';
import { embed } from '../../../../test/support/native-call.ts';
import type { ChatCall, RunningAttempt } from '../upstream.ts';
import { createOpenAiUpstream } from './openai-upstream.ts';

const KEY = 'odd key?';
const CHUNK = '{"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"hi"}}]}';
const SSE = { 'content-type': 'text/event-stream' };
const JSON_TYPE = { 'content-type': 'application/json' };

function pair(
  script: Script,
  more: Partial<OpenAiProviderConfig> = {},
  timeouts: Partial<TimeoutConfig> = {},
): Promise<UpstreamPair> {
  const providerAt = (origin: string): OpenAiProviderConfig => ({
    name: 'p',
    kind: 'openai',
    baseUrl: `${origin}/v1/`,
    apiKey: KEY,
    capField: 'max_tokens',
    needsCap: true,
    hasCompletions: null,
    profile: null,
    proxy: null,
    tls: null,
    concurrencyMax: null,
    drains: false,
    ...more,
  });
  return startUpstreamPair(script, (origin) => createOpenAiUpstream(providerAt(origin), { ...TIMEOUTS, ...timeouts }));
}

function chatCall(more: object = {}, cap: number | null = null): ChatCall {
  const reading = readChatRequest(
    Buffer.from(JSON.stringify({ model: 'public', messages: [{ role: 'user', content: 'hello' }], ...more })),
  );
  if (!reading.ok) throw new Error(reading.fault.message);
  return { upstreamModel: 'real', requestId: 'request-1', request: reading.request, cap };
}

/** Requests a stream (or a plain answer) of an upstream that answers by the script, and waits for its end. */
async function outcome(
  stream: boolean,
  script: (response: ServerResponse) => void,
  timeouts: Partial<TimeoutConfig> = {},
) {
  const { upstream } = await pair(script, {}, timeouts);
  const sink = new RecordingSink();
  upstream.chat(chatCall({ stream }), sink);
  return { ending: await sink.ended(), sink };
}

test('what goes upstream is the body with the model, the cap and nothing else changed, and the operator’s key', async () => {
  const { server, upstream } = await pair((response) => response.writeHead(200, JSON_TYPE).end('{}'));
  const sink = new RecordingSink();
  upstream.chat(chatCall({ seed: 7, max_completion_tokens: 9 }, 5), sink);
  await sink.ended();
  const request = server.requests[0];
  expect(request?.path).toBe('/v1/chat/completions');
  expect(JSON.parse(String(request?.body))).toEqual({
    model: 'real',
    messages: [{ role: 'user', content: 'hello' }],
    seed: 7,
    max_tokens: 5,
  });
  expect(request?.headers).toEqual({
    host: new URL(server.origin).host,
    connection: 'keep-alive',
    authorization: `Bearer ${KEY}`,
    'content-type': 'application/json',
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'faregate',
    'x-client-request-id': 'request-1',
    'content-length': String(request?.body.length),
  });
});

test('what goes upstream asks a stream for its usage', async () => {
  const { server, upstream } = await pair((response) => response.writeHead(200, SSE).end('data: [DONE]\n\n'));
  const sink = new RecordingSink();
  upstream.chat(chatCall({ stream: true }), sink);
  expect(await sink.ended()).toEqual({ kind: 'end', done: true });
  expect(JSON.parse(String(server.requests[0]?.body))).toMatchObject({ stream_options: { include_usage: true } });
  expect(server.requests[0]?.headers.accept).toBe('text/event-stream');
});

test('what goes upstream is what the server’s profile says that it reads', async () => {
  const { server, upstream } = await pair((response) => response.writeHead(200, SSE).end('data: [DONE]\n\n'), {
    profile: 'mistral',
    capField: null,
    needsCap: null,
    hasCompletions: null,
  });
  const sink = new RecordingSink();
  const asked = { stream: true, stream_options: { include_usage: true }, user: 'u', max_completion_tokens: 9 };
  upstream.chat(chatCall(asked), sink);
  await sink.ended();
  expect(JSON.parse(String(server.requests[0]?.body))).toEqual({
    model: 'real',
    messages: [{ role: 'user', content: 'hello' }],
    stream: true,
    max_tokens: 9,
  });
});

test('what goes upstream has no authorization where there is no key', async () => {
  const { server, upstream } = await pair((response) => response.writeHead(200, JSON_TYPE).end('{}'), {
    apiKey: null,
  });
  const sink = new RecordingSink();
  upstream.chat(chatCall(), sink);
  await sink.ended();
  expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
});

test('what goes upstream keeps a query that the base URL has', async () => {
  const { server } = await pair((response) => response.writeHead(200, JSON_TYPE).end('{"data":[]}'));
  const other = createOpenAiUpstream(
    {
      name: 'q',
      kind: 'openai',
      baseUrl: `${server.origin}/a/b?v=1`,
      apiKey: null,
      capField: 'max_tokens',
      needsCap: false,
      hasCompletions: null,
      profile: null,
      proxy: null,
      tls: null,
      concurrencyMax: null,
      drains: false,
    },
    TIMEOUTS,
  );
  onTestFinished(() => other.close());
  const sink = new RecordingSink();
  embed(other, { input: 'x' }, 'real', sink);
  expect(await sink.ended()).toMatchObject({ kind: 'answer' });
  expect(server.requests[0]).toMatchObject({
    path: '/a/b/embeddings?v=1',
    body: Buffer.from('{"model":"real","input":"x"}'),
  });
});

test.each([
  ['as it is', '{"choices":[{}],"usage":null}'],
  ['after blank lines', '\n\n\n{"choices":[{}]}'],
  ['with an error that is null', '{"error":null,"choices":[{}]}'],
  ['with a text about errors', JSON.stringify({ choices: [{ message: { content: '{"error": 1}' } }] })],
])('a plain answer of an OpenAI upstream is given %s, byte for byte', async (_case, body) => {
  const { ending } = await outcome(false, (response) => response.writeHead(200, JSON_TYPE).end(body));
  expect(ending).toEqual({ kind: 'answer', body: Buffer.from(body) });
});

test('a plain answer of an OpenAI upstream is decoded where it came compressed', async () => {
  const { ending } = await outcome(false, (response) =>
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzipSync('{"choices":[{}]}')),
  );
  expect(ending).toEqual({ kind: 'answer', body: Buffer.from('{"choices":[{}]}') });
});

test.each([
  ['HTML', 'text/html', '<html>hello</html>'],
  ['garbage', 'application/json', '{"choices":'],
  ['an array', 'application/json', '[1]'],
  ['an object of another kind', 'application/json', '{"data":[]}'],
  ['nothing', 'application/json', ''],
  ['an event stream', 'text/event-stream', `data: ${CHUNK}\n\n`],
])('a plain answer of an OpenAI upstream that is %s is malformed', async (_case, type, body) => {
  const { ending } = await outcome(false, (response) => response.writeHead(200, { 'content-type': type }).end(body));
  expect(ending).toMatchObject({ kind: 'fault', fault: { kind: 'malformed', status: 200 } });
});

test('a plain answer of an OpenAI upstream with an error in it is what the error’s status would be', async () => {
  const { ending } = await outcome(false, (response) =>
    response.writeHead(200, JSON_TYPE).end('{"error":{"message":"slow down","code":429}}'),
  );
  expect(ending).toMatchObject({ kind: 'fault', fault: { kind: 'overloaded', status: 429 } });
});

test('a plain answer of an OpenAI upstream beyond 64 MiB is refused, and its connection closed', async () => {
  const { server, upstream } = await pair((response) => {
    response.writeHead(200, JSON_TYPE);
    const block = Buffer.alloc(1024 * 1024, ' ');
    const write = (): void => {
      while (!response.destroyed) if (!response.write(block)) return void response.once('drain', write);
    };
    write();
  });
  const sink = new RecordingSink();
  upstream.chat(chatCall(), sink);
  expect(await sink.ended()).toMatchObject({ kind: 'fault', fault: { kind: 'malformed' } });
  await eventually(() => expect(server.sockets.size).toBe(0));
});

test.each([true, false])('a status that refuses is a fault with the upstream’s words (stream: %s)', async (stream) => {
  const { ending } = await outcome(stream, (response) =>
    response
      .writeHead(400, JSON_TYPE)
      .end(
        '{"error":{"message":"Too long.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}',
      ),
  );
  expect(ending).toEqual({
    kind: 'fault',
    fault: {
      kind: 'rejected_request',
      status: 400,
      callerMessage: "This model's maximum context length is shorter than this request. Its provider says: Too long.",
      code: 'context_length_exceeded',
      param: 'messages',
      message: 'status 400, type invalid_request_error, code context_length_exceeded',
    },
  });
});

test('a status that refuses says how long to wait', async () => {
  const { ending } = await outcome(true, (response) => response.writeHead(429, { 'retry-after': '2' }).end('{}'));
  expect(ending).toMatchObject({ kind: 'fault', fault: { kind: 'overloaded', retryAfterMs: 2_000 } });
});

test('a status that refuses never repeats the operator’s key, whatever it looks like', async () => {
  for (const status of [400, 401, 500]) {
    const { ending } = await outcome(false, (response) =>
      response
        .writeHead(status, JSON_TYPE)
        .end(JSON.stringify({ error: { message: `header was: ${KEY}`, param: KEY } })),
    );
    expect(ending.kind).toBe('fault');
    expect(JSON.stringify(ending)).not.toContain(KEY);
  }
});

test('a status that refuses with an endless body is a fault all the same', async () => {
  const { ending } = await outcome(false, (response) => {
    response.writeHead(500);
    const timer = setInterval(() => response.write('x'.repeat(100_000)), 1);
    response.on('close', () => clearInterval(timer));
  });
  expect(ending).toMatchObject({ kind: 'fault', fault: { kind: 'failed', status: 500 } });
});

test('a stream of an OpenAI upstream gives every payload without its framing, and says that it was announced to end', async () => {
  const { ending, sink } = await outcome(true, (response) => {
    response.writeHead(200, SSE).write(`: hello\n\ndata: ${CHUNK}\n\n`);
    response.end(`data: {"choices":[],"usage":{}}\n\ndata: [DONE]\n\n`);
  });
  expect(ending).toEqual({ kind: 'end', done: true });
  expect(sink.texts).toEqual([CHUNK, '{"choices":[],"usage":{}}']);
});

test.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
])(
  'a stream of an OpenAI upstream may break its lines with %s and come in pieces of any size',
  async (_name, newline) => {
    const bytes = Buffer.from(
      [`data: ${CHUNK}`, '', `data:${CHUNK}`, '', ': ping', '', 'data: [DONE]', '', ''].join(newline),
    );
    for (const size of [1, 2, 7, 50]) {
      const { ending, sink } = await outcome(true, (response) => {
        response.writeHead(200, SSE);
        const step = (at: number): void => {
          if (at >= bytes.length) return void response.end();
          response.write(bytes.subarray(at, at + size), () => step(at + size));
        };
        step(0);
      });
      expect(ending).toEqual({ kind: 'end', done: true });
      expect(sink.texts).toEqual([CHUNK, CHUNK]);
    }
  },
);

test('a stream of an OpenAI upstream that ends without [DONE] says so', async () => {
  const { ending, sink } = await outcome(true, (response) => response.writeHead(200, SSE).end(`data: ${CHUNK}\n\n`));
  expect(ending).toEqual({ kind: 'end', done: false });
  expect(sink.texts).toEqual([CHUNK]);
});

test('a stream of an OpenAI upstream has ended with [DONE], whatever comes after, and the connection is used again', async () => {
  const { server, upstream } = await pair((response) => {
    response.writeHead(200, SSE);
    response.write(`data: ${CHUNK}\n\ndata: [DONE]\n\ndata: ${CHUNK}\n\n`);
    response.end(`data: {"error":{"message":"late"}}\n\n`);
  });
  for (let round = 0; round < 2; round++) {
    const sink = new RecordingSink();
    upstream.chat(chatCall({ stream: true }), sink);
    expect(await sink.ended()).toEqual({ kind: 'end', done: true });
    expect(sink.texts).toEqual([CHUNK]);
  }
  expect(server.sockets.size).toBe(1);
});

test('a stream of an OpenAI upstream that is never closed after [DONE] is closed from here', async () => {
  const { server, upstream } = await pair((response) => {
    response.writeHead(200, SSE).write(`data: ${CHUNK}\n\ndata: [DONE]\n\n`);
  });
  const sink = new RecordingSink();
  upstream.chat(chatCall({ stream: true }), sink);
  expect(await sink.ended()).toEqual({ kind: 'end', done: true });
  await eventually(() => expect(server.sockets.size).toBe(0));
});

test('a stream of an OpenAI upstream is decoded where it comes compressed', async () => {
  const { ending, sink } = await outcome(true, (response) =>
    response.writeHead(200, { ...SSE, 'content-encoding': 'gzip' }).end(gzipSync(`data: ${CHUNK}\n\ndata: [DONE]\n\n`)),
  );
  expect(ending).toEqual({ kind: 'end', done: true });
  expect(sink.texts).toEqual([CHUNK]);
});

test.each([
  ['of no type', {}],
  ['of a wrong type', { 'content-type': 'text/plain; charset=utf-8' }],
])('a stream of an OpenAI upstream: %s is taken for one if it has events', async (_case, headers) => {
  const { ending, sink } = await outcome(true, (response) =>
    response.writeHead(200, headers).end(`data: ${CHUNK}\n\ndata: [DONE]\n\n`),
  );
  expect(ending).toEqual({ kind: 'end', done: true });
  expect(sink.texts).toEqual([CHUNK]);
});

test.each([
  ['HTML', 'text/html', '<html>hello</html>'],
  ['text', 'text/plain', 'hello'],
  ['a plain answer', 'application/json', '{"choices":[]}'],
  ['events of garbage', 'text/event-stream', 'data: hello\n\n'],
])('a stream of an OpenAI upstream that turns out to be %s is malformed', async (_case, type, body) => {
  const { ending, sink } = await outcome(true, (response) =>
    response.writeHead(200, { 'content-type': type }).end(body),
  );
  expect(ending).toMatchObject({ kind: 'fault', fault: { kind: 'malformed', status: 200 } });
  expect(sink.payloads).toEqual([]);
});

test('a stream of an OpenAI upstream that turns out to be a JSON error is what its status would be', async () => {
  const { ending } = await outcome(true, (response) =>
    response.writeHead(200, JSON_TYPE).end('{"error":{"message":"no","code":503}}'),
  );
  expect(ending).toMatchObject({ kind: 'fault', fault: { kind: 'failed', status: 503 } });
});

test('a stream of an OpenAI upstream whose first event is an error is a fault like the matching status', async () => {
  const { ending, sink } = await outcome(true, (response) =>
    response
      .writeHead(200, SSE)
      .end(
        'data: {"error":{"message":"Too long.","type":"BadRequestError","param":null,"code":400}}\n\ndata: [DONE]\n\n',
      ),
  );
  expect(ending).toMatchObject({
    kind: 'fault',
    fault: { kind: 'rejected_request', status: 400, callerMessage: 'Too long.' },
  });
  expect(sink.payloads).toEqual([]);
});

test.each([
  ['at the top of the payload, as an older vLLM sends it', '{"object":"error","message":"Too long.","code":400}'],
  ['in an array, as Gemini’s endpoint sends it', '[{"error":{"message":"Too long.","code":400}}]'],
])('a stream of an OpenAI upstream knows an error for what it is %s', async (_where, error) => {
  for (const body of [`data: ${error}\n\ndata: [DONE]\n\n`, `data: ${CHUNK}\n\ndata: ${error}\n\n`]) {
    const { ending, sink } = await outcome(true, (response) => response.writeHead(200, SSE).end(body));
    const kind = body.includes(CHUNK) ? 'broken' : 'rejected_request';
    expect(ending).toMatchObject({ kind: 'fault', fault: { kind } });
    expect(sink.texts.join('')).not.toContain('Too long.');
  }
  const { ending } = await outcome(false, (response) => response.writeHead(200, JSON_TYPE).end(error));
  expect(ending).toMatchObject({ kind: 'fault', fault: { kind: 'rejected_request', callerMessage: 'Too long.' } });
});

test('a stream of an OpenAI upstream with an error further on is broken', async () => {
  const { ending, sink } = await outcome(true, (response) =>
    response
      .writeHead(200, SSE)
      .end(`data: ${CHUNK}\n\ndata: {"error":{"message":"out of memory"}}\n\ndata: [DONE]\n\n`),
  );
  expect(ending).toMatchObject({ kind: 'fault', fault: { kind: 'broken' } });
  expect(sink.texts).toEqual([CHUNK]);
});

test('a stream of an OpenAI upstream is broken where the connection is cut', async () => {
  const { ending, sink } = await outcome(true, (response) => {
    response.writeHead(200, SSE).write(`data: ${CHUNK}\n\n`, () => response.socket?.resetAndDestroy());
  });
  expect(ending).toMatchObject({ kind: 'fault', fault: { kind: 'broken' } });
  expect(sink.texts).toEqual([CHUNK]);
});

test('a stream of an OpenAI upstream that falls silent is a timeout, though it began', async () => {
  const { ending } = await outcome(true, (response) => response.writeHead(200, SSE).write(`data: ${CHUNK}\n\n`), {
    upstreamIdleMs: 50,
    upstreamKeepAliveMs: 60_000,
  });
  expect(ending).toMatchObject({ kind: 'fault', fault: { kind: 'timeout', phase: 'idle' } });
});

test('a stream of an OpenAI upstream with an event beyond all measure is malformed, and its connection closed', async () => {
  const { server, upstream } = await pair((response) => {
    response.writeHead(200, SSE).write('data: ');
    const block = 'x'.repeat(1024 * 1024);
    const write = (): void => {
      while (!response.destroyed) if (!response.write(block)) return void response.once('drain', write);
    };
    write();
  });
  const sink = new RecordingSink();
  upstream.chat(chatCall({ stream: true }), sink);
  expect(await sink.ended()).toMatchObject({ kind: 'fault', fault: { kind: 'malformed' } });
  await eventually(() => expect(server.sockets.size).toBe(0));
});

test('a running attempt stops reading when the sink asks for a pause, so that the upstream’s writes stall', async () => {
  const event = `data: {"choices":[{"delta":{"content":"${'z'.repeat(50_000)}"}}]}\n\n`;
  const events = 1_000;
  let written = 0;
  const { upstream } = await pair((response) => {
    response.writeHead(200, SSE);
    const write = (): void => {
      while (written < events) {
        written++;
        if (!response.write(event)) return void response.once('drain', write);
      }
      response.end('data: [DONE]\n\n');
    };
    write();
  });
  const sink = new RecordingSink();
  sink.wantsMore = false;
  const running = upstream.chat(chatCall({ stream: true }), sink);
  let before = -1;
  await vi.waitFor(
    () => {
      const now = written;
      const stalled = now > 0 && now === before && sink.payloads.length > 0;
      before = now;
      expect(stalled).toBe(true);
    },
    { interval: 100, timeout: 10_000 },
  );
  expect(written).toBeLessThan(events);
  expect(sink.payloads.length).toBeLessThan(10);
  sink.wantsMore = true;
  running.resume();
  expect(await sink.ended()).toEqual({ kind: 'end', done: true });
  expect(sink.payloads).toHaveLength(events);
});

test('a running attempt closes the upstream’s socket on abort, and says nothing more', async () => {
  const { server, upstream } = await pair((response) => {
    response.writeHead(200, SSE).write(`data: ${CHUNK}\n\n`);
  });
  const sink = new RecordingSink();
  const running = upstream.chat(chatCall({ stream: true }), sink);
  await eventually(() => expect(sink.payloads).toHaveLength(1));
  running.abort();
  await eventually(() => expect(server.sockets.size).toBe(0));
  expect(sink.endings).toEqual([]);
});

test('a running attempt may be aborted from within an event, and gives no other of the same packet', async () => {
  const { server, upstream } = await pair((response) => {
    response.writeHead(200, SSE).write(`data: ${CHUNK}\n\n`.repeat(5));
  });
  const sink = new RecordingSink();
  const running: RunningAttempt = upstream.chat(chatCall({ stream: true }), {
    answer: (body) => sink.answer(body),
    event: (payload) => {
      running.abort();
      return sink.event(payload);
    },
    end: (done) => sink.end(done),
    fault: (fault) => sink.fault(fault),
  });
  await eventually(() => expect(sink.payloads).toHaveLength(1));
  await eventually(() => expect(server.sockets.size).toBe(0));
  expect([sink.payloads.length, sink.endings.length]).toEqual([1, 0]);
});

test('a running attempt that is aborted many times over leaves no connection behind', async () => {
  const { server, upstream } = await pair((response) => {
    response.writeHead(200, SSE).write(`data: ${CHUNK}\n\n`);
  });
  for (let round = 0; round < 20; round++) {
    const attempts = Array.from({ length: 20 }, () => upstream.chat(chatCall({ stream: true }), new RecordingSink()));
    if (round % 2 === 0) await new Promise((resolve) => setImmediate(resolve));
    for (const attempt of attempts) attempt.abort();
  }
  await eventually(() => expect(server.sockets.size).toBe(0));
  await upstream.close();
});

test('a running attempt is let finish when the upstream is closed', async () => {
  let finish: (() => void) | null = null;
  const { upstream } = await pair((response) => {
    response.writeHead(200, SSE).write(`data: ${CHUNK}\n\n`);
    finish = () => response.end('data: [DONE]\n\n');
  });
  const sink = new RecordingSink();
  upstream.chat(chatCall({ stream: true }), sink);
  await eventually(() => expect(sink.payloads).toHaveLength(1));
  const closed = upstream.close();
  expect(sink.endings).toEqual([]);
  (finish as (() => void) | null)?.();
  await closed;
  expect(await sink.ended()).toEqual({ kind: 'end', done: true });
});

test('an upstream where nobody listens is a fault of its own', async () => {
  const { upstream } = await pair(() => {}, { baseUrl: `http://127.0.0.1:${await freePort()}` });
  const sink = new RecordingSink();
  upstream.chat(chatCall(), sink);
  expect(sink.endings).toEqual([]);
  expect(await sink.ended()).toMatchObject({ kind: 'fault', fault: { kind: 'unreachable' } });
});
