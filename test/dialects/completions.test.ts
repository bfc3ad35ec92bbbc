import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Gateway, MARKER, NANO_PER_INPUT, NANO_PER_OUTPUT } from '../wire/gateway.ts';
import { answering, DONE, event, payloadsOf, rawStreaming, streaming } from '../wire/upstream-scripts.ts';

// Legacy completions: passed as they are to providers that have them, held and charged like chat, and not there for models
// whose providers have none.

let gateway: Gateway;
let client: OpenAI;

const model = (id: string, routes: string): string => `
  - id: ${id}
    routes: [${routes}]
    price: { input: "1", output: "10" }
    context_window: 1000
    max_output: 400`;

beforeAll(async () => {
  gateway = await Gateway.start({
    more: (origin) => ({
      providers: `
  local: { kind: openai, profile: vllm, base_url: "${origin}/local/v1", accept_fields: [of_next_year] }
  hosted: { kind: openai, completions: true, base_url: "${origin}/hosted/v1" }
  gemini: { kind: gemini, base_url: "${origin}/gemini", api_key: "AIza-upstream-0123456789" }`,
      models: [
        model('base', '{ provider: local, model: theirs }'),
        model('hosted', '{ provider: hosted, model: theirs }'),
        model('mixed', '{ provider: gemini, model: theirs }, { provider: local, model: theirs }'),
        model('gemini', '{ provider: gemini, model: theirs }'),
      ].join(''),
    }),
  });
  client = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
});

afterAll(() => gateway?.stop());

const USAGE = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };
const CHARGE = 7n * NANO_PER_INPUT + 5n * NANO_PER_OUTPUT;
const HEAD = { id: 'cmpl-1', object: 'text_completion', created: 1, model: 'theirs' };

const completion = (text: string, more: object = {}): object => ({
  ...HEAD,
  choices: [{ index: 0, text, logprobs: null, finish_reason: 'stop' }],
  usage: USAGE,
  ...more,
});
const chunk = (text: string, finish: string | null = null, index = 0): string =>
  JSON.stringify({ ...HEAD, choices: [{ index, text, logprobs: null, finish_reason: finish }] });
const counted = (): string => JSON.stringify({ ...HEAD, choices: [], usage: USAGE });

const post = (body: object | string, path = '/v1/completions') =>
  gateway.post(path, typeof body === 'string' ? body : JSON.stringify(body));
const sent = (): string => gateway.upstream.requests.at(-1)?.body.toString() ?? '';

test('a legacy completion reaches its provider byte for byte, and its answer the caller, charged by the usage', async () => {
  const answer = ` {"of_next_year":12345678901234567890, "usage":${JSON.stringify(USAGE)},"choices":[{"text":"l\\u00f6","index":0}]}`;
  gateway.script(answering(200, answer));
  const body = `{ "model":"base", "prompt" : "${MARKER} hel", "max_tokens":9,"suffix":"!", "logprobs":3,"of_next_year": 12345678901234567890 }`;
  const response = await post(body);
  expect(await response.text()).toBe(answer);
  expect(sent()).toBe(body.replace('"base"', '"theirs"'));
  expect(gateway.upstream.requests.at(-1)?.path).toBe('/local/v1/completions');
  const id = response.headers.get('x-request-id') ?? '';
  expect(await gateway.receipt(id)).toMatchObject({ outcome: 'completed', charge: CHARGE, certainty: 'exact' });
  expect(await gateway.program.admin.showReceipt(id)).toMatchObject({ dialect: 'completions', model: 'base' });
});

test("OpenAI's SDK reads plain and streamed completions, and usage in a stream if it asks for that", async () => {
  gateway.script(answering(200, completion('lo')));
  const params = { model: 'base', prompt: 'hel', max_tokens: 9 };
  expect((await client.completions.create(params)).choices[0]?.text).toBe('lo');
  gateway.script(streaming(chunk('l'), chunk('o', 'stop'), counted()));
  const chunks = await Array.fromAsync(
    await client.completions.create({ ...params, stream: true, stream_options: { include_usage: true } }),
  );
  expect(chunks.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe('lo');
  expect(chunks.at(-1)?.usage).toMatchObject(USAGE);
});

test('a streamed completion passes as it is, its usage is asked for and taken out, and its charge is told at the end', async () => {
  const chunks = [chunk('l'), chunk('o'), chunk('', 'stop')];
  gateway.script(streaming(...chunks, counted()));
  const response = await post({ model: 'base', prompt: 'hel', max_tokens: 9, stream: true });
  const text = await response.text();
  expect(payloadsOf(text)).toEqual([...chunks, '[DONE]']);
  expect(text).toContain(': faregate-charge 0.000057');
  expect(JSON.parse(sent())).toMatchObject({ stream_options: { include_usage: true } });
  const receipt = await gateway.receipt(response.headers.get('x-request-id') ?? '');
  expect(receipt).toMatchObject({ outcome: 'completed', charge: CHARGE });
});

test('a stream that breaks off is charged for the text that has come', async () => {
  gateway.script(rawStreaming(event(chunk('x'.repeat(80))) + event('{"error":{"message":"no"}}')));
  const response = await post({ model: 'base', prompt: 'hel', max_tokens: 90, stream: true });
  expect(payloadsOf(await response.text()).at(-1)).toContain('MODEL_UNAVAILABLE');
  const receipt = await gateway.receipt(response.headers.get('x-request-id') ?? '');
  expect(receipt).toMatchObject({ outcome: 'interrupted', certainty: 'estimated', output: 20 });
});

test('a stream of several choices ends once each of them has', async () => {
  const payloads = [chunk('a'), chunk('b', null, 1), chunk('', 'stop', 1), chunk('c'), chunk('', 'length'), counted()];
  gateway.script(rawStreaming(payloads.map(event).join('') + DONE));
  const response = await post({ model: 'base', prompt: ['x', 'y'], max_tokens: 9, stream: true });
  expect(payloadsOf(await response.text())).toHaveLength(6);
});

test.each<[string, object, number]>([
  ['one prompt', { prompt: 'hi' }, 10],
  ['several answers', { prompt: 'hi', n: 3 }, 30],
  ['the best of more', { prompt: 'hi', n: 2, best_of: 5 }, 50],
  ['several prompts', { prompt: ['a', 'b', 'c'], n: 2 }, 60],
  ['tokens', { prompt: [1, 2, 3] }, 10],
  ['lists of tokens', { prompt: [[1, 2], [3]], best_of: 2 }, 40],
  ['no output at all', { prompt: 'hi', echo: true, logprobs: 1, max_tokens: 0 }, 0],
])('a quote covers all that is generated: %s', async (_what, fields, most) => {
  const response = await post({ model: 'base', max_tokens: 10, ...fields }, '/v1/quote');
  expect(await response.json()).toMatchObject({ allowed: true, output_tokens_max: most });
});

test('several prompts may fill the context of the model once each, and all of that is held', async () => {
  const input = async (prompt: readonly string[]): Promise<number> => {
    const quote = (await (await post({ model: 'base', max_tokens: 10, prompt }, '/v1/quote')).json()) as object;
    return (quote as { input_tokens_max: number }).input_tokens_max;
  };
  const long = 'x'.repeat(5_000);
  expect(await input([long])).toBe(1_000);
  expect(await input([long, long, long])).toBe(3_000);
});

test('a prompt that is only scored is answered, and charged for its input', async () => {
  const usage = { prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 };
  gateway.script(answering(200, completion('hi there', { usage })));
  const response = await post({ model: 'base', prompt: 'hi there', max_tokens: 0, echo: true, logprobs: 1 });
  expect(response.status).toBe(200);
  expect(JSON.parse(sent())).toMatchObject({ max_tokens: 0 });
  const receipt = await gateway.receipt(response.headers.get('x-request-id') ?? '');
  expect(receipt).toMatchObject({ charge: 7n * NANO_PER_INPUT, certainty: 'exact' });
});

test.each<[string, object]>([
  ['prompt', { prompt: undefined }],
  ['prompt', { prompt: [] }],
  ['prompt', { prompt: ['a', 1] }],
  ['prompt', { prompt: { text: 'a' } }],
  ['max_tokens', { max_tokens: -1 }],
  ['max_tokens', { max_tokens: 401 }],
  ['n', { n: 0 }],
  ['n', { prompt: ['a', 'b'], n: 1_500 }],
  ['best_of', { n: 3, best_of: 2 }],
  ['best_of', { best_of: 2, stream: true }],
  ['echo', { echo: true, stream: true }],
  ['echo', { echo: 'yes' }],
  ['stream_options', { stream_options: { include_usage: true } }],
  ['n_predict', { n_predict: 9 }],
  ['use_beam_search', { use_beam_search: true }],
  ['prompt_embeds', { prompt_embeds: 'AAAA' }],
  ['response_format', { response_format: { type: 'json_object' } }],
  ['models', { models: ['other'] }],
])(
  'a legacy completion with a wrong or unsold field is refused by its name, and nothing is sent: %s %j',
  async (param, fields) => {
    const before = gateway.upstream.requests.length;
    const response = await post({ model: 'base', prompt: 'hi', ...fields });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'INVALID_REQUEST', param } });
    expect(gateway.upstream.requests).toHaveLength(before);
  },
);

test('a model whose providers have no legacy completions is not there, and the answer names the route to use', async () => {
  for (const id of ['gemini', 'chat']) {
    const response = await post({ model: id, prompt: 'hi' });
    expect(response.status).toBe(404);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect(error).toMatchObject({ code: 'NOT_FOUND', param: 'model' });
    expect(error.message).toContain('POST /v1/chat/completions');
  }
});

test('a legacy completion goes to the route of its model that has them, and to providers whose config says so', async () => {
  gateway.script(answering(200, completion('lo')));
  for (const [id, base] of [
    ['mixed', '/local'],
    ['hosted', '/hosted'],
  ]) {
    expect((await post({ model: id, prompt: 'hi' })).status).toBe(200);
    expect(gateway.upstream.requests.at(-1)?.path).toBe(`${base}/v1/completions`);
  }
});

test('a legacy completion without a maximum is capped where the server would run on', async () => {
  gateway.script(answering(200, completion('lo')));
  await (await post({ model: 'base', prompt: 'hi' })).text();
  expect(JSON.parse(sent())).toEqual({ model: 'theirs', prompt: 'hi', max_tokens: 400 });
  await (await post({ model: 'hosted', prompt: 'hi' })).text();
  expect(JSON.parse(sent())).toEqual({ model: 'theirs', prompt: 'hi' });
});
