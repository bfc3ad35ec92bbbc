import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RefusalCode } from '../../src/domain/refusals.ts';
import type { ReceivedRequest, Script } from '../support/scripted-upstream.ts';
import { Gateway, MARKER, NANO_PER_OUTPUT } from './gateway.ts';
import { expectRefusal } from './refusal.ts';
import {
  answering,
  beginStream,
  chunk,
  completion,
  DONE,
  event,
  finish,
  payloadsOf,
  rawStreaming,
  streaming,
  text,
  usageChunk,
} from './upstream-scripts.ts';

// An upstream's failure is told in the gateway's words, with a status of its own where none has been sent yet, and with
// one error event where it has. What the upstream said never leaves as it was, nor is it printed where it may quote.

const PING_MS = 100;
const PATIENT = 'upstream_connect: 60s, upstream_first_byte: 60s, upstream_idle: 60s';
/** Longer than an upstream in this process takes to say something on a busy machine. */
const SILENCE_MS = 4_000;
const SECRET = 'h1dden-inside';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start({ timeouts: `{ ping: "${PING_MS}ms", ${PATIENT} }` });
});

afterAll(() => gateway.stop());

const errorBody = { error: { message: `${SECRET} and ${MARKER}`, type: 'api_error', param: null, code: null } };
/** About the operator's own settings, so that it may read the words. */
const settingsBody = { error: { message: SECRET, type: null, param: null, code: null } };
const page = `<html><head><title>${SECRET}</title></head><body>${SECRET} ${MARKER}</body></html>`;
const HTML = { 'content-type': 'text/html' };

/** What a script is called with that makes nothing of it. */
const NO_REQUEST: ReceivedRequest = { method: '', path: '', headers: {}, body: Buffer.alloc(0) };

const isFirst = ({ path }: ReceivedRequest): boolean => path === '/v1/chat/completions';

function byRoute(first: Script, second: Script): Script {
  return (response: ServerResponse, request: ReceivedRequest) => (isFirst(request) ? first : second)(response, request);
}

function cutOff(bytes: string): Script {
  return (response) => {
    beginStream(response);
    response.write(bytes, () => response.destroy());
  };
}

async function expectFree(response: Response, status: number | null, fault: string, from = gateway): Promise<void> {
  const receipt = await from.receipt(response.headers.get('x-request-id') ?? '');
  expect(receipt).toMatchObject({ outcome: 'failed', charge: 0n, write_off: 0n });
  // A kept connection that breaks has its request sent once more.
  expect(receipt.attempts.length).toBeLessThanOrEqual(fault === 'broken' ? 2 : 1);
  for (const attempt of receipt.attempts) expect(attempt).toMatchObject({ provider: 'scripted', status, fault });
  expect(receipt.attempts).not.toEqual([]);
}

const cases: [string, Script, RefusalCode, number | null, string][] = [
  ['500', answering(500, errorBody), 'MODEL_UNAVAILABLE', 500, 'failed'],
  ['500 with a page', answering(500, page, HTML), 'MODEL_UNAVAILABLE', 500, 'failed'],
  ['502 with nothing', answering(502, ''), 'MODEL_UNAVAILABLE', 502, 'failed'],
  ['401', answering(401, settingsBody), 'MODEL_UNAVAILABLE', 401, 'rejected_credentials'],
  ['402', answering(402, settingsBody), 'MODEL_UNAVAILABLE', 402, 'rejected_credentials'],
  ['403', answering(403, SECRET), 'MODEL_UNAVAILABLE', 403, 'rejected_credentials'],
  ['404', answering(404, settingsBody), 'MODEL_UNAVAILABLE', 404, 'failed'],
  ['429', answering(429, errorBody), 'MODEL_UNAVAILABLE', 429, 'overloaded'],
  ['a redirect', answering(302, SECRET, { location: 'http://127.0.0.1:1/' }), 'MODEL_UNAVAILABLE', 302, 'malformed'],
  ['a page', answering(200, page, HTML), 'MODEL_UNAVAILABLE', 200, 'malformed'],
  ['half an answer', answering(200, '{"choices":['), 'MODEL_UNAVAILABLE', 200, 'malformed'],
  ['an error in a 200', answering(200, errorBody), 'MODEL_UNAVAILABLE', 500, 'failed'],
  ['no answer', (response) => response.destroy(), 'MODEL_UNAVAILABLE', null, 'broken'],
];

test.each(cases)(
  'a failure before the first event has its status, tells nothing of the upstream, is free: %s to a plain call',
  async (_what, script, code, status, fault) => {
    gateway.script(script);
    const response = await gateway.chat();
    const error = await expectRefusal(response, code);
    expect(error.message).not.toContain(SECRET);
    await expectFree(response, status, fault);
  },
);

const events: [string, Script, RefusalCode, number | null, string][] = [
  [
    'an error as the first event',
    rawStreaming(event(JSON.stringify(errorBody)) + DONE),
    'MODEL_UNAVAILABLE',
    500,
    'failed',
  ],
  [
    'a limit as the first event',
    streaming(JSON.stringify({ error: { message: SECRET, code: 429 } })),
    'MODEL_UNAVAILABLE',
    429,
    'overloaded',
  ],
  ['no event at all', rawStreaming(''), 'MODEL_UNAVAILABLE', 200, 'malformed'],
  ['an end at once', rawStreaming(DONE), 'MODEL_UNAVAILABLE', 200, 'malformed'],
  ['comments alone', rawStreaming(': hi\n\n: hi\n\n'), 'MODEL_UNAVAILABLE', 200, 'malformed'],
  ['a plain answer', answering(200, completion()), 'MODEL_UNAVAILABLE', 200, 'malformed'],
  ['a broken connection', cutOff(': hi\n\n'), 'MODEL_UNAVAILABLE', null, 'broken'],
  ['500', answering(500, errorBody), 'MODEL_UNAVAILABLE', 500, 'failed'],
];

test.each(events)(
  'a failure before the first event has its status, tells nothing of the upstream, is free: %s to a stream',
  async (_what, script, code, status, fault) => {
    gateway.script(script);
    const response = await gateway.chat({ stream: true });
    const error = await expectRefusal(response, code);
    expect(error.message).not.toContain(SECRET);
    await expectFree(response, status, fault);
  },
);

test('a rejected key is the operator’s to mend: it is an error in the log', async () => {
  gateway.script(answering(401, { error: { message: 'Incorrect API key provided: sk-upstream-0123456789abcdef' } }));
  const response = await gateway.chat();
  const requestId = response.headers.get('x-request-id') ?? '';
  const lines = (await gateway.log()).split('\n').filter((line) => line.includes(requestId));
  expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toContain('error');
  expect(lines.join('')).not.toContain('0123456789');
});

test('a request that the upstream rejects is the caller’s to mend: it is told why, and where', async () => {
  const rejection = { error: { message: 'temperature is too high', type: 'x', param: 'temperature', code: 'y' } };
  gateway.script(answering(400, rejection));
  const error = await expectRefusal(await gateway.chat(), 'INVALID_REQUEST');
  expect(error).toMatchObject({ message: 'temperature is too high', param: 'temperature' });
  gateway.script(answering(400, page, HTML));
  expect((await expectRefusal(await gateway.chat(), 'INVALID_REQUEST')).message).not.toContain(SECRET);
});

/** Expects these payloads, an error event, and a receipt for what was said in two tokens. */
async function expectBrokenOff(response: Response, passed: readonly string[], from: Gateway): Promise<void> {
  expect(response.status).toBe(200);
  const payloads = payloadsOf(await response.text());
  expect(payloads.slice(0, -1)).toEqual(passed);
  const { error } = JSON.parse(payloads.at(-1) ?? '') as { error: object };
  expect(Object.keys(error)).toEqual(['message', 'type', 'param', 'code']);
  expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', type: 'server_error', param: null });
  expect(JSON.stringify(error)).not.toContain(SECRET);
  const receipt = await from.receipt(response.headers.get('x-request-id') ?? '');
  expect(receipt).toMatchObject({ outcome: 'interrupted', certainty: 'estimated', output: 2 });
  expect(receipt.charge).toBeGreaterThan(2n * NANO_PER_OUTPUT);
}

const SAID = text('eight by');
const broken: [string, Script, readonly string[]][] = [
  ['an error event', streaming(SAID, JSON.stringify(errorBody), text('more'), finish()), [SAID]],
  ['an event that is no JSON', streaming(SAID, `{"choices":[ ${SECRET}`), [SAID]],
  ['an end without finish_reason', rawStreaming(event(SAID)), [SAID]],
  ['an event cut in half', rawStreaming(event(SAID) + event(finish()).slice(0, -20)), [SAID]],
  ['a broken connection', cutOff(event(SAID)), [SAID]],
];

test.each(broken)(
  'a failure after the first event is one error event and the end: %s',
  async (_what, script, passed) => {
    gateway.script(script);
    await expectBrokenOff(await gateway.chat({ stream: true, max_tokens: 100 }), passed, gateway);
  },
);

test('a failure after the first event is charged by the usage that came with it', async () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2 };
  gateway.script(rawStreaming(event(text('eight by', 0, { usage }))));
  const response = await gateway.chat({ stream: true, max_tokens: 100 });
  await response.text();
  const receipt = await gateway.receipt(response.headers.get('x-request-id') ?? '');
  expect(receipt).toMatchObject({ outcome: 'interrupted', certainty: 'exact', input: 3, output: 2, charge: 23_000n });
});

test('a failure after the first event is free where nothing had been said', async () => {
  gateway.script(rawStreaming(event(chunk([{ index: 0, delta: { role: 'assistant' }, finish_reason: null }]))));
  const response = await gateway.chat({ stream: true });
  await response.text();
  const receipt = await gateway.receipt(response.headers.get('x-request-id') ?? '');
  expect(receipt).toMatchObject({ outcome: 'interrupted', charge: 0n });
});

test('a failure of one choice of two is a failure of the answer', async () => {
  gateway.script(rawStreaming([text('a', 0), text('b', 1), finish({}, 0)].map(event).join('')));
  const response = await gateway.chat({ stream: true, n: 2, max_tokens: 100 });
  const received = await response.text();
  expect(received).not.toContain(DONE);
  expect(payloadsOf(received).at(-1)).toContain('"error"');
  const receipt = await gateway.receipt(response.headers.get('x-request-id') ?? '');
  expect(receipt.outcome).toBe('interrupted');
});

/** Reads a stream to its end, and calls back each time it has brought more. */
async function readOn(response: Response, more: (received: string) => void): Promise<string> {
  const decoder = new TextDecoder();
  let received = '';
  for await (const bytes of response.body ?? []) {
    received += decoder.decode(bytes, { stream: true });
    more(received);
  }
  return received;
}

const PING = ': ping\n';

/** An upstream that says nothing until it is told to go on, each time it is told. */
function held(...steps: readonly ((response: ServerResponse) => void)[]): { script: Script; goOn: () => void } {
  const asked = Promise.withResolvers<ServerResponse>();
  const left = [...steps];
  const goOn = (): void => void asked.promise.then((response) => left.shift()?.(response));
  return { script: (response) => asked.resolve(response), goOn };
}

test('a silent upstream is bridged by pings, before its first event and after', async () => {
  const { script, goOn } = held(
    (response) => {
      beginStream(response);
      response.write(event(text('hi')));
    },
    (response) => response.end([finish(), usageChunk()].map(event).join('') + DONE),
  );
  gateway.script(script);
  let steps = 0;
  const received = await readOn(await gateway.chat({ stream: true }), (sofar) => {
    const heard = steps === 0 ? sofar : sofar.slice(sofar.indexOf('data:'));
    if (steps === 2 || !heard.includes(PING)) return;
    steps += 1;
    goOn();
  });
  expect(received.startsWith(PING)).toBe(true);
  expect(received.slice(received.indexOf('data:'), received.indexOf('"stop"'))).toContain(PING);
  expect(payloadsOf(received)).toEqual([text('hi'), finish(), '[DONE]']);
});

test('a silent upstream that fails after the first ping fails by an error event, and is free', async () => {
  const { script, goOn } = held((response) => {
    answering(500, errorBody)(response, NO_REQUEST);
  });
  gateway.script(script);
  const response = await gateway.chat({ stream: true });
  expect(response.status).toBe(200);
  const received = await readOn(response, goOn);
  expect(received.startsWith(PING)).toBe(true);
  expect(received).not.toContain(SECRET);
  expect(received.match(/^data: /gm)).toHaveLength(1);
  expect(payloadsOf(received).at(-1)).toContain('"code":"MODEL_UNAVAILABLE"');
  await expectFree(response, 500, 'failed');
});

test('a silent upstream streams from a second route, though pings have gone out', async () => {
  const { script, goOn } = held((response) => {
    answering(500, errorBody)(response, NO_REQUEST);
  });
  gateway.script(byRoute(script, streaming(text('spare'), finish(), usageChunk())));
  const received = await readOn(await gateway.chat({ model: 'spared', stream: true }), goOn);
  expect(received.startsWith(PING)).toBe(true);
  expect(payloadsOf(received.slice(received.indexOf('data:')))).toEqual([text('spare'), finish(), '[DONE]']);
});

describe('an upstream that stays silent', () => {
  let impatient: Gateway;

  beforeAll(async () => {
    const silence = `"${SILENCE_MS}ms"`;
    impatient = await Gateway.start({ timeouts: `{ upstream_first_byte: ${silence}, upstream_idle: ${silence} }` });
  });

  afterAll(() => impatient.stop());

  test('an upstream that stays silent is a timeout: of a plain call, a begun stream, and a route before the next', async () => {
    const said = text('eight by');
    impatient.script((response, { path, body }) => {
      if (path.startsWith('/spare/')) return answering(200, completion('from the spare'))(response, NO_REQUEST);
      if (!body.includes('"stream":true')) return undefined;
      beginStream(response);
      return void response.write(event(said));
    });
    const [plain, stream, spared] = await Promise.all([
      impatient.chat(),
      impatient.chat({ stream: true, max_tokens: 100 }),
      impatient.chat({ model: 'spared' }),
    ]);
    await expectRefusal(plain, 'UPSTREAM_TIMEOUT');
    await expectFree(plain, null, 'timeout', impatient);
    await expectBrokenOff(stream, [said], impatient);
    expect(await spared.text()).toContain('from the spare');
    const { attempts } = await impatient.receipt(spared.headers.get('x-request-id') ?? '');
    expect(attempts).toMatchObject([
      { provider: 'scripted', status: null, fault: 'timeout' },
      { provider: 'spare', status: 200, fault: null },
    ]);
  });
});

test.each<[string, Script, object]>([
  ['fails', answering(500, errorBody), { status: 500, fault: 'failed' }],
  ['refuses its key', answering(401, settingsBody), { status: 401, fault: 'rejected_credentials' }],
  ['is busy', answering(429, errorBody), { status: 429, fault: 'overloaded' }],
  ['breaks off', (response) => response.destroy(), { status: null, fault: 'broken' }],
])('a second route answers a plain call where the first %s', async (_what, first, attempt) => {
  gateway.script(byRoute(first, answering(200, completion('from the spare'))));
  const response = await gateway.chat({ model: 'spared' });
  expect(await response.text()).toContain('from the spare');
  const receipt = await gateway.receipt(response.headers.get('x-request-id') ?? '');
  expect(receipt).toMatchObject({ outcome: 'completed', charge: 57_000n });
  expect(receipt.attempts[0]).toMatchObject({ provider: 'scripted', ...attempt });
  expect(receipt.attempts.at(-1)).toMatchObject({ provider: 'spare', status: 200, fault: null });
});

test.each<[string, Script]>([
  ['an error event', streaming(JSON.stringify(errorBody))],
  ['no event', rawStreaming('')],
  ['500', answering(500, errorBody)],
])('a second route streams where the first begins with %s', async (_what, first) => {
  gateway.script(byRoute(first, streaming(text('spare'), finish(), usageChunk())));
  const response = await gateway.chat({ model: 'spared', stream: true });
  expect(payloadsOf(await response.text())).toEqual([text('spare'), finish(), '[DONE]']);
  const receipt = await gateway.receipt(response.headers.get('x-request-id') ?? '');
  expect(receipt.attempts.map(({ provider }) => provider)).toEqual(['scripted', 'spare']);
});

test('a second route is not tried once the first has begun to answer, nor for what the caller did wrong', async () => {
  const asked = gateway.upstream.requests.length;
  gateway.script(byRoute(rawStreaming(event(text('hi'))), streaming(text('other'))));
  expect(await (await gateway.chat({ model: 'spared', stream: true })).text()).not.toContain('other');
  gateway.script(byRoute(answering(400, errorBody), answering(200, completion())));
  await expectRefusal(await gateway.chat({ model: 'spared' }), 'INVALID_REQUEST');
  expect(gateway.upstream.requests).toHaveLength(asked + 2);
});

test('after all failures of upstreams the ledger is whole, no connection is left, and no words of theirs are printed', async () => {
  expect(await gateway.books()).toEqual({ ok: true, difference: 0n });
  await gateway.upstreamIdle();
  expect(await gateway.log()).not.toContain(MARKER);
});
