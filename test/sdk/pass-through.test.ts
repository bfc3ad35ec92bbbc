import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordingFetch } from './recording-fetch.ts';
import { REQUEST_ID } from './request-id.ts';
import { RECORDED_ANSWER, RECORDED_CHUNKS, RECORDED_USAGE_CHUNK } from './scripted-models.ts';
import { MAX_OUTPUT, type Stage, startStage } from './stage.ts';

// What goes through is the very bytes that came, but for what the gateway must change: the model's name at its
// provider, a stream's request for its usage, and a cap where the upstream needs one.

/** A body that no parse and re-print would keep: blanks, escapes, long numbers, fields that nobody knows. */
const body = (model: string, more = ''): string =>
  String.raw`{ "messages" :[ {"role":"user","content":"caf\u00e9 \ud83d\ude00 café"} ],
  "seed": -9223372036854775808, "temperature":1.0, "logit_bias":{"50256":-100},
  "x_unknown":{"b":[1e400,0.10],"a":"\/"}, "metadata":{"a":"1"},
  "tools":[{"type":"function","function":{"name":"f","parameters":{ "type":"object", "properties":{} },"strict":true}}],
  "tool_choice":"none", "response_format":{"type":"text","x_limit": 12345678901234567890}${more},
  "model":"${model}" }
`;

let stage: Stage;

beforeAll(async () => {
  stage = await startStage();
});

afterAll(() => stage.program.dispose());

function post(path: string, text: string): Promise<Response> {
  return fetch(`${stage.baseURL}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stage.tenant.key}`, 'content-type': 'application/json' },
    body: text,
  });
}

/** What the upstream received for this body. */
async function received(text: string, path = '/chat/completions'): Promise<string> {
  const response = await post(path, text);
  expect({ status: response.status, body: await response.text() }).toMatchObject({ status: 200 });
  return stage.scripted.requests.at(-1)!.body.toString();
}

test('a request reaches the upstream as the same bytes, where nothing need be changed', async () => {
  const sent = body('recorded');
  expect(await received(sent)).toBe(sent);
  const asking = body('recorded', ',"stream":true,"stream_options":{ "include_usage":true }');
  expect(await received(asking)).toBe(asking);
  const capped = body('recorded', ',"max_tokens": 7');
  expect(await received(capped)).toBe(capped);
});

test('a request reaches the upstream without a cap while the money is ample, though its lease is just given back', async () => {
  const sent = body('recorded');
  for (let round = 0; round < 3; round++) {
    await stage.program.admin.postCredit(stage.tenant.workspaceId, {
      kind: 'grant',
      amount_usd: '1',
      reason: 'a test',
    });
    // The change reaches the process within its poll, and makes it give back what it has drawn.
    const untilMs = performance.now() + 500;
    while (performance.now() < untilMs) expect(await received(sent)).toBe(sent);
  }
});

test('a request reaches the upstream by its name there', async () => {
  expect(await received(body('recorded-renamed'))).toBe(body('recorded/upstream name'));
  const capped = (model: string, field: string): string => body(model, `,"${field}": 7`);
  const sent = capped('recorded-renamed', 'max_completion_tokens');
  expect(await received(sent)).toBe(capped('recorded/upstream name', 'max_tokens'));
});

test('a request reaches the upstream asked for its usage, where it streams', async () => {
  const sent = body('recorded', ',"stream":true');
  const [before = '', after = '', ...more] = (await received(sent)).split('"stream_options":{"include_usage":true}');
  expect(more).toEqual([]);
  expect((before + after).replace(/,(?=\s*,|\s*}\s*$)|(?<={\s*),/, '')).toBe(sent);

  const declining = (usage: string) =>
    body('recorded', `,"stream":true,"stream_options":{ "x_unknown":1, "include_usage":${usage} }`);
  expect(await received(declining('false'))).toBe(declining('true'));
});

test('a request reaches the upstream with a cap, where it would run on without one', async () => {
  const sent = body('recorded-endless');
  const [before = '', after = ''] = (await received(sent)).split(`"max_tokens":${MAX_OUTPUT}`);
  expect((before + after).replace(/,(?=\s*,|\s*}\s*$)|(?<={\s*),/, '')).toBe(sent);

  const named = body('recorded-endless', ',"max_tokens": 7');
  expect(await received(named)).toBe(named);
  const other = body('recorded-endless', ',"max_completion_tokens": 7');
  expect(await received(other)).toBe(other.replace('max_completion_tokens', 'max_tokens'));
});

test('a request reaches the upstream for embeddings too', async () => {
  const sent = `{"input" : ["caf\\u00e9",\n"two"],"dimensions":8,"x_unknown":18446744073709551615, "model":"precise-embed"}`;
  expect(await received(sent, '/embeddings')).toBe(sent);
});

test('a request reaches the upstream as the SDK wrote it, 64-bit seeds included', async () => {
  const { fetch: recorded, exchanges } = recordingFetch();
  const client = new OpenAI({ apiKey: stage.tenant.key, baseURL: stage.baseURL, maxRetries: 0, fetch: recorded });
  const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => number };
  const more = { seed: rawJSON('9007199254740993') };
  await client.chat.completions.create({ model: 'recorded', messages: [{ role: 'user', content: 'é' }], ...more });
  const { body: arrived, headers } = stage.scripted.requests.at(-1)!;
  expect(arrived.toString()).toBe(exchanges[0]?.body);
  expect(arrived.toString()).toContain('"seed":9007199254740993');
  expect(headers['content-length']).toBe(String(arrived.length));
});

test("a request reaches the upstream without the caller's key", async () => {
  await received(body('recorded'));
  const { headers } = stage.scripted.requests.at(-1)!;
  expect(headers.authorization).toBeUndefined();
  expect(JSON.stringify(headers)).not.toContain(stage.tenant.key);
});

test('an answer reaches the caller as the same bytes', async () => {
  const response = await post('/chat/completions', body('recorded'));
  expect(await response.text()).toBe(RECORDED_ANSWER);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('x-request-id')).toMatch(REQUEST_ID);
});

const eventOf = (data: string): string => `data: ${data}\n\n`;

/** A stream without the gateway's one comment, before its last event. */
function withoutCharge(stream: string): string {
  expect(stream).toMatch(/\n\n: faregate-charge \d+\.\d+\ndata: \[DONE\]\n\n$/);
  return stream.replace(/: faregate-charge .+\n/, '');
}

test('an answer reaches the caller event by event, as the same bytes, without the usage that nobody asked for', async () => {
  const response = await post('/chat/completions', body('recorded', ',"stream":true'));
  expect(withoutCharge(await response.text())).toBe([...RECORDED_CHUNKS, '[DONE]'].map(eventOf).join(''));
});

test('an answer reaches the caller event by event, with the usage that was asked for', async () => {
  const text = body('recorded', ',"stream":true,"stream_options":{"include_usage":true}');
  const response = await post('/chat/completions', text);
  const events = [...RECORDED_CHUNKS, RECORDED_USAGE_CHUNK, '[DONE]'];
  expect(withoutCharge(await response.text())).toBe(events.map(eventOf).join(''));
});

test.each([
  ['GET', '/v1/models'],
  ['GET', '/v1/models/vendor/chat'],
  ['GET', '/v1/models/vendor%2Fchat'],
  ['GET', '/v1/no/such/path'],
  ['DELETE', '/v1/models'],
  ['OPTIONS', '/v1/chat/completions'],
  ['GET', '/'],
  ['GET', '/livez'],
  ['GET', '/readyz'],
  ['GET', '/admin/v1/status'],
])('every response carries a request id of its own: %s %s', async (method, path) => {
  const ask = (): Promise<Response> =>
    fetch(`${stage.program.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${stage.tenant.key}`, 'x-request-id': 'mine' },
    });
  const ids = (await Promise.all([ask(), ask()])).map(({ headers }) => headers.get('x-request-id'));
  for (const id of ids) expect(id).toMatch(REQUEST_ID);
  expect(new Set(ids).size).toBe(2);
});
