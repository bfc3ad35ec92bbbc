import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RefusalCode } from '../../src/domain/refusals.ts';
import { chatBody, Gateway, MARKER } from './gateway.ts';
import { exchange, head, RawConnection } from './raw-http.ts';
import { expectRefusal, UUID_V7 } from './refusal.ts';
import { answering, completion } from './upstream-scripts.ts';

// Whatever a body or a path says, a request that can't be served is refused by one code of the catalogue, never reaches
// an upstream, costs nothing, and leaves none of its text in the log.

const ONE_USD = 1_000_000_000n;
const LITTLE = 100_000n;
const CHAT = '/v1/chat/completions';
const MESSAGES = `"messages":[{"role":"user","content":"${MARKER}"}]`;

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start();
  gateway.script(answering(200, completion()));
});

afterAll(() => gateway.stop());

async function expectRefused(body: string | Buffer<ArrayBuffer>, param: string | null): Promise<void> {
  const asked = gateway.upstream.requests.length;
  const error = await expectRefusal(await gateway.post(CHAT, body), 'INVALID_REQUEST');
  expect(error.param).toBe(param);
  expect(gateway.upstream.requests).toHaveLength(asked);
}

test.each<[string, string, string | null]>([
  ['nothing', '', null],
  ['blanks', ' \n ', null],
  ['half an object', `{"model":"chat",${MESSAGES}`, null],
  ['an object and a half', `{"model":"chat",${MESSAGES}}{`, null],
  ['two objects', `{"model":"chat",${MESSAGES}}{"model":"chat"}`, null],
  ['an array', `[{"model":"chat",${MESSAGES}}]`, null],
  ['a string', JSON.stringify(MARKER), null],
  ['null', 'null', null],
  ['a form', `model=chat&messages=${MARKER}`, null],
  ['JSON with a comment', `{"model":"chat",/* ${MARKER} */${MESSAGES}}`, null],
  ['a comma too many', `{"model":"chat",${MESSAGES},}`, null],
  ['single quotes', `{'model':'chat',${MESSAGES}}`, null],
  ['NaN', `{"model":"chat",${MESSAGES},"temperature":NaN}`, null],
  ['a byte order mark', `\ufeff{"model":"chat",${MESSAGES}}`, null],
  ['a null byte behind it', `{"model":"chat",${MESSAGES}}\0`, null],
  ['a null byte in a text', `{"model":"chat","messages":[{"role":"user","content":"a\0b"}]}`, null],
  ['more values than are read', `{"model":"chat",${MESSAGES},"x":[${'1,'.repeat(1_200_000)}1]}`, null],
  ['nesting without end', `{"model":"chat",${MESSAGES},"x":${'['.repeat(200_000)}`, null],
])('a body that is no request is refused: %s', (_what, body, param) => expectRefused(body, param));

test('a body that is not UTF-8 is refused with an id', () =>
  expectRefused(Buffer.from(`{"model":"chat","messages":[{"role":"user","content":"\xff\xfe"}]}`, 'latin1'), null));

test.each<[string, string]>([
  ['model', `{${MESSAGES}}`],
  ['model', `{"model":null,${MESSAGES}}`],
  ['model', `{"model":["chat"],${MESSAGES}}`],
  ['model', `{"model":"",${MESSAGES}}`],
  ['messages', '{"model":"chat"}'],
  ['messages', '{"model":"chat","messages":[]}'],
  ['messages', `{"model":"chat","messages":"${MARKER}"}`],
  ['messages[0]', `{"model":"chat","messages":["${MARKER}"]}`],
  ['stream', `{"model":"chat","stream":"yes",${MESSAGES}}`],
  ['stream_options', `{"model":"chat","stream_options":{"include_usage":true},${MESSAGES}}`],
  ['max_tokens', `{"model":"chat","max_tokens":-1,${MESSAGES}}`],
  ['max_tokens', `{"model":"chat","max_tokens":0,${MESSAGES}}`],
  ['max_tokens', `{"model":"chat","max_tokens":1.5,${MESSAGES}}`],
  ['max_tokens', `{"model":"chat","max_tokens":"5",${MESSAGES}}`],
  ['max_tokens', `{"model":"chat","max_tokens":1e300,${MESSAGES}}`],
  ['max_tokens', `{"model":"chat","max_tokens":16385,${MESSAGES}}`],
  ['max_completion_tokens', `{"model":"chat","max_completion_tokens":-5,${MESSAGES}}`],
  ['n', `{"model":"chat","n":0,${MESSAGES}}`],
  ['n', `{"model":"chat","n":-1,${MESSAGES}}`],
  ['n', `{"model":"chat","n":129,${MESSAGES}}`],
  ['n', `{"model":"chat","n":1e9,${MESSAGES}}`],
  ['best_of', `{"model":"chat","best_of":4,${MESSAGES}}`],
  ['models', `{"model":"chat","models":"dear",${MESSAGES}}`],
  ['model', `{"model":"embed",${MESSAGES}}`],
])('a field of a wrong type or value is named: %s in %s', (param, body) => expectRefused(body, param));

test.each<[string, string, string | null]>([
  ['a key twice', `{"model":"free","model":"chat",${MESSAGES}}`, 'model'],
  ['a key twice, once escaped', `{"model":"free","mod\\u0065l":"chat",${MESSAGES}}`, 'model'],
  ['a key twice, escaped first', `{"mod\\u0065l":"free","model":"chat",${MESSAGES}}`, 'model'],
  ['a key in other letters', `{"model":"free","Model":"chat",${MESSAGES}}`, 'model'],
  ['a cap twice', `{"model":"free","max_tokens":1,"max_tokens":9,${MESSAGES}}`, 'max_tokens'],
  ['a cap twice, once escaped', `{"model":"free","max_tokens":1,"max\\u005ftokens":9,${MESSAGES}}`, 'max_tokens'],
  ['messages twice', `{"model":"free",${MESSAGES},${MESSAGES}}`, 'messages'],
])('a request is never priced as one model and run as another: %s', (_what, body, param) => expectRefused(body, param));

test('a body’s name that is escaped, but alone, is read as what it says', async () => {
  const response = await gateway.post(CHAT, `{"mod\\u0065l":"chat",${MESSAGES}}`);
  expect(response.status).toBe(200);
  expect(JSON.parse(gateway.upstream.requests.at(-1)?.body.toString() ?? '')).toMatchObject({ model: 'gpt' });
  const receipt = await gateway.receipt(response.headers.get('x-request-id') ?? '');
  expect(receipt.charge).toBeGreaterThan(0n);
});

test.each<[string, string, string]>([
  ['nothing', '{"model":"embed"}', 'input'],
  ['an empty text', '{"model":"embed","input":""}', 'input'],
  ['an empty list', '{"model":"embed","input":[]}', 'input'],
  ['a number', '{"model":"embed","input":7}', 'input'],
  ['texts and tokens', '{"model":"embed","input":["a",[1]]}', 'input'],
  ['negative tokens', '{"model":"embed","input":[-1]}', 'input'],
  ['an unknown encoding', '{"model":"embed","input":"a","encoding_format":"hex"}', 'encoding_format'],
  ['a chat model', '{"model":"chat","input":"a"}', 'model'],
])('embeddings of %s are refused', async (_what, body, param) => {
  const error = await expectRefusal(await gateway.post('/v1/embeddings', body), 'INVALID_REQUEST');
  expect(error.param).toBe(param);
});

test.each([
  ['text/plain', {}],
  ['application/x-www-form-urlencoded', {}],
  ['multipart/form-data; boundary=x', {}],
  ['application/jsonp', {}],
  ['application/json', { 'content-encoding': 'gzip' }],
  ['application/json', { 'content-encoding': 'br, gzip' }],
])('a body of another type is refused: %s %j', async (type, more) => {
  const response = await gateway.post(CHAT, chatBody(), { headers: { 'content-type': type, ...more } });
  await expectRefusal(response, 'UNSUPPORTED_MEDIA_TYPE');
});

test('a body of no type is refused', async () => {
  const request = head(`POST ${CHAT} HTTP/1.1`, {
    host: 'x',
    authorization: `Bearer ${gateway.key}`,
    'content-length': '2',
  });
  await expectRefusal(await exchange(gateway.url, request, '{}'), 'UNSUPPORTED_MEDIA_TYPE');
});

test('a body is taken that names its charset, or that says it is sent as it is', async () => {
  const headers = { 'content-type': 'Application/JSON; charset=utf-8', 'content-encoding': 'identity' };
  expect((await gateway.chat({}, { headers })).status).toBe(200);
});

test.each<[string, string, RefusalCode]>([
  ['GET', '/v1', 'NOT_FOUND'],
  ['POST', '/v1/audio/speech', 'NOT_FOUND'],
  ['POST', '/v1/chat/completions/', 'NOT_FOUND'],
  ['POST', '/v1/chat/Completions', 'NOT_FOUND'],
  ['POST', '//v1/chat/completions', 'NOT_FOUND'],
  ['POST', '/v1/../v1/chat/completions/x', 'NOT_FOUND'],
  ['GET', '/../../etc/passwd', 'NOT_FOUND'],
  ['GET', '/%2e%2e/%2e%2e/etc/passwd', 'NOT_FOUND'],
  ['GET', '/v1/models/%zz', 'NOT_FOUND'],
  ['GET', '/v1/models/%ff', 'NOT_FOUND'],
  ['GET', '/v1/models/%', 'NOT_FOUND'],
  ['GET', '/v1/models/', 'NOT_FOUND'],
  ['GET', '/v1/models/nothing', 'MODEL_NOT_FOUND'],
  ['GET', '/v1/models/a%00b', 'MODEL_NOT_FOUND'],
  ['OPTIONS', '*', 'NOT_FOUND'],
  ['GET', CHAT, 'METHOD_NOT_ALLOWED'],
  ['PUT', CHAT, 'METHOD_NOT_ALLOWED'],
  ['DELETE', CHAT, 'METHOD_NOT_ALLOWED'],
  ['TRACE', CHAT, 'METHOD_NOT_ALLOWED'],
  ['OPTIONS', CHAT, 'METHOD_NOT_ALLOWED'],
  ['PROPFIND', CHAT, 'METHOD_NOT_ALLOWED'],
  ['GET', '/v1/embeddings', 'METHOD_NOT_ALLOWED'],
  ['POST', '/v1/models', 'METHOD_NOT_ALLOWED'],
  ['DELETE', '/v1/models/chat', 'METHOD_NOT_ALLOWED'],
])('a request to no endpoint is refused: %s %s is %s', async (method, path, code) => {
  const headers = { host: 'x', authorization: `Bearer ${gateway.key}`, 'content-length': '0' };
  const response = await exchange(gateway.url, head(`${method} ${path} HTTP/1.1`, headers));
  await expectRefusal(response, code);
  const allowed = path.startsWith('/v1/models') ? 'GET' : 'POST';
  if (code === 'METHOD_NOT_ALLOWED') expect(response?.headers['allow']).toBe(allowed);
});

test.each(['/', '/livez', '/readyz', '/metrics', '/docs', '/admin/openapi.json', '/admin/v1/workspaces', '/v1/models'])(
  'whatever %s answers carries an id',
  async (path) => {
    const response = await fetch(`${gateway.url}${path}`);
    expect(response.headers.get('x-request-id')).toMatch(UUID_V7);
    await response.body?.cancel();
  },
);

describe('of several reasons the first in order is told', () => {
  const messages = [{ role: 'user', content: MARKER }];
  const dear = { model: 'chat', max_tokens: 100, messages };
  let cornered: string;

  beforeAll(async () => {
    cornered = await gateway.openAccount({ project: { requestsPerMinute: 1, models: ['chat', 'free'] } });
  });

  test('a missing key is told before a wrong type', async () => {
    const headers = { authorization: 'Bearer nonsense', 'content-type': 'text/plain' };
    const response = await gateway.post(CHAT, MARKER, { headers });
    await expectRefusal(response, 'INVALID_API_KEY');
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('a wrong body is told before an unknown model', async () => {
    const response = await gateway.program.chat(gateway.key, { ...dear, model: 'nothing', n: 0 });
    await expectRefusal(response, 'INVALID_REQUEST');
  });

  test('a refusal for money comes before the upstream; a model of no price needs none; the rate’s comes before money’s', async () => {
    gateway.script(answering(500, {}));
    await expectRefusal(await gateway.program.chat(cornered, dear), 'INSUFFICIENT_BALANCE');
    gateway.script(answering(200, completion()));
    expect((await gateway.program.chat(cornered, { ...dear, model: 'free' })).status).toBe(200);
    const limited = await gateway.program.chat(cornered, dear);
    await expectRefusal(limited, 'RATE_LIMITED');
    const waitMs = Number(limited.headers.get('retry-after-ms'));
    expect(waitMs).toBeGreaterThan(0);
    expect(limited.headers.get('retry-after')).toBe(String(Math.ceil(waitMs / 1_000)));
    // A policy comes before the rate, and whether there is such a model before the policy.
    await expectRefusal(await gateway.program.chat(cornered, { ...dear, model: 'newer' }), 'MODEL_NOT_ALLOWED');
    await expectRefusal(await gateway.program.chat(cornered, { ...dear, model: 'nothing' }), 'MODEL_NOT_FOUND');
  });

  test('a refusal by the project is told before one by the key', async () => {
    const both = await gateway.openAccount({
      credit: ONE_USD,
      project: { budget: LITTLE, budgetPeriod: 'day' },
      key: { spendLimit: LITTLE },
    });
    const error = await expectRefusal(await gateway.program.chat(both, dear), 'PROJECT_BUDGET_EXCEEDED');
    const { details } = error as typeof error & { details: { levels: { code: string }[] } };
    expect(details.levels.map(({ code }) => code)).toEqual(['PROJECT_BUDGET_EXCEEDED', 'KEY_SPEND_LIMIT_EXCEEDED']);
    const key = await gateway.openAccount({ credit: ONE_USD, key: { spendLimit: LITTLE } });
    await expectRefusal(await gateway.program.chat(key, dear), 'KEY_SPEND_LIMIT_EXCEEDED');
  });
});

test('after all bad bodies the program serves, the ledger is whole, and no key and no text has been printed', async () => {
  expect((await gateway.chat()).status).toBe(200);
  expect(await gateway.books()).toEqual({ ok: true, difference: 0n });
  const log = await gateway.log();
  expect(log).not.toContain(MARKER);
  expect(log).not.toContain(gateway.key.slice(-20));
});

test('hundreds of unfinished bodies from nobody keep neither the operator from the admin API nor people from sign-in', async () => {
  const fields = { host: 'x', 'content-type': 'application/json', 'content-length': '500' };
  const unfinished = Array.from({ length: 250 }, () =>
    new RawConnection(gateway.url).send(head('POST /admin/v1/session HTTP/1.1', fields), '{"email":'),
  );
  try {
    // The first are given up for the last, so by then all have been received.
    const first = unfinished[0] ?? new RawConnection(gateway.url);
    expect((await first.response())?.status).toBe(503);
    expect(await gateway.program.admin.createWorkspace({ name: 'Beside unfinished bodies' })).toMatchObject({
      name: 'Beside unfinished bodies',
    });
    const signIn = await fetch(`${gateway.url}/admin/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com', password: 'a wrong password' }),
    });
    expect(signIn.status).toBe(401);
  } finally {
    for (const connection of unfinished) connection.destroy();
  }
});

const ONE_BYTE_CHUNKS = Buffer.from('1\r\nx\r\n'.repeat(1_000_000));
const LIVE_MS_MAX = 5_000;

test('bodies in chunks of one byte, to a wrong key or to no route, do not hold up others', async () => {
  const fields = { host: 'x', authorization: 'Bearer wrong', 'transfer-encoding': 'chunked' };
  const refused = [CHAT, '/nowhere'].map(async (path) => {
    const connection = new RawConnection(gateway.url);
    connection.send(head(`POST ${path} HTTP/1.1`, fields), ONE_BYTE_CHUNKS);
    const status = (await connection.response())?.status;
    connection.destroy();
    return status;
  });
  const all = Promise.all(refused);
  const pending = Symbol('pending');
  while ((await Promise.race([all, Promise.resolve(pending)])) === pending) {
    const live = await fetch(`${gateway.url}/livez`, { signal: AbortSignal.timeout(LIVE_MS_MAX) });
    expect(await live.json()).toEqual({ status: 'live' });
  }
  expect(await all).toEqual([401, 404]);
});
