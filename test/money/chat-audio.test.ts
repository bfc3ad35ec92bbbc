import OpenAI, { APIError } from 'openai';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Program, startProgram } from '../support/program.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { Tenant } from '../support/tenant.ts';

// Answers in audio: sold where the model's price names their rate, held at the dearest rate, charged by the provider's
// count, and by what came where there is none.

const SIZE = 'context_window: 10000, max_output: 1000';
const TEXT_PRICE = 'input: "1", audio_input: "4", output: "10"';
const PRICE = `${TEXT_PRICE}, audio_output: "80"`;
const [INPUT, AUDIO_INPUT, OUTPUT, AUDIO_OUTPUT] = [1_000n, 4_000n, 10_000n, 80_000n];
const AUDIO_TOKENS = 2_000;
const SOON = { timeout: 20_000, interval: 50 };

let program: Program;
let upstream: ScriptedUpstream;
let script: Script;
let tenant: Tenant;
let client: OpenAI;

beforeAll(async () => {
  upstream = await startScriptedUpstream((response, request) => script(response, request));
  const sold = `price: { ${PRICE} }, ${SIZE}, media: { audio_tokens: ${AUDIO_TOKENS} }`;
  const route = (...names: string[]) => names.map((name) => `{ provider: ${name}, model: ${name} }`).join(', ');
  const config = `
timeouts: { usage: 200ms }
routing: { results_min: 1000 }
providers:
  openai: { kind: openai, profile: openai, base_url: "${upstream.origin}/v1" }
  other: { kind: openai, profile: openai, base_url: "${upstream.origin}/v1" }
  generic: { kind: openai, base_url: "${upstream.origin}/v1" }
  groq: { kind: openai, profile: groq, base_url: "${upstream.origin}/v1" }
  anthropic: { kind: anthropic, base_url: "${upstream.origin}", api_key: "sk-ant" }
  gemini: { kind: gemini, base_url: "${upstream.origin}", api_key: "key" }
  azure: { kind: azure, base_url: "${upstream.origin}", api_key: "key" }
models:
  - { id: gpt, routes: [${route('openai')}], price: { ${TEXT_PRICE} }, ${SIZE} }
  - { id: gpt-audio, routes: [${route('openai')}], ${sold} }
  - { id: compatible, routes: [${route('generic')}], ${sold} }
  - { id: azure-audio, routes: [${route('azure')}], ${sold} }
  - { id: some-routes, routes: [${route('groq', 'openai', 'other')}], ${sold} }
  - { id: groq-audio, routes: [${route('groq')}], ${sold} }
  - { id: claude, routes: [${route('anthropic')}], ${sold} }
  - { id: gemini, routes: [${route('gemini')}], ${sold} }
`;
  program = await startProgram({ config, beside: [upstream] });
  tenant = await program.createTenant();
  client = clientOf(tenant);
});
beforeEach(() => {
  script = (response) => response.writeHead(500).end();
});
afterAll(() => program.dispose());

const clientOf = ({ key }: Tenant): OpenAI => new OpenAI({ apiKey: key, baseURL: `${program.url}/v1`, maxRetries: 0 });
const sent = (): Record<string, unknown> =>
  JSON.parse(String(upstream.requests.at(-1)?.body)) as Record<string, unknown>;
const receiptOf = (requestId: string | null | undefined) =>
  vi.waitFor(() => program.admin.showReceipt(requestId ?? ''), SOON);

const MESSAGES: OpenAI.ChatCompletionMessageParam[] = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Say it.' },
      { type: 'input_audio', input_audio: { data: 'UklGRg=='.repeat(100), format: 'wav' } },
    ],
  },
];
const ASKING = {
  model: 'gpt-audio',
  messages: MESSAGES,
  modalities: ['text', 'audio'],
  audio: { voice: 'alloy', format: 'pcm16' },
  max_completion_tokens: 100,
} satisfies OpenAI.ChatCompletionCreateParamsNonStreaming;

const usage = (text: number, audio: number) => ({
  prompt_tokens: 300,
  completion_tokens: text + audio,
  total_tokens: 300 + text + audio,
  prompt_tokens_details: { text_tokens: 50, audio_tokens: 250, cached_tokens: 0 },
  completion_tokens_details: { text_tokens: text, audio_tokens: audio, reasoning_tokens: 0 },
});
const chargeFor = (text: number, audio: number): bigint =>
  50n * INPUT + 250n * AUDIO_INPUT + BigInt(text) * OUTPUT + BigInt(audio) * AUDIO_OUTPUT;
/** The hold of a request of so many bytes: all its output may be audio. */
function holdOf(body: object, cap: bigint, choices = 1n): bigint {
  const payload = 'UklGRg=='.repeat(100).length;
  const input = Buffer.byteLength(JSON.stringify(body)) - payload + 16 + 1_024 + AUDIO_TOKENS;
  return BigInt(input) * AUDIO_INPUT + choices * cap * AUDIO_OUTPUT;
}

const TRANSCRIPT = 'Said, as it wäs asked.';
const BASE64 = 'QUJD'.repeat(1_600);
const answers =
  (of: object, base64 = BASE64): Script =>
  (response) => {
    const audio = { id: 'audio_1', expires_at: 1_800_000_000, data: base64, transcript: TRANSCRIPT };
    const message = { role: 'assistant', content: null, refusal: null, audio };
    const body = { id: 'c', object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }], ...of };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
const event = (choices: readonly object[], more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices, ...more })}\n\n`;
const delta = (audio: object): string => event([{ index: 0, delta: { audio }, finish_reason: null }]);
const SPOKEN = [
  event([{ index: 0, delta: { role: 'assistant', content: null, refusal: null }, finish_reason: null }]),
  delta({ id: 'audio_1', transcript: 'Said, as it ' }),
  delta({ data: BASE64 }),
  delta({ transcript: 'wäs asked.' }),
  delta({ data: BASE64 }),
].join('');
const END = [
  delta({ expires_at: 1_800_000_000 }),
  event([{ index: 0, delta: {}, finish_reason: 'stop' }], { usage: null }),
  event([], { usage: usage(12, 40) }),
  'data: [DONE]\n\n',
].join('');
/** What `SPOKEN` is estimated as, beside the input. */
const [TEXT, AUDIO] = [Math.ceil(Buffer.byteLength(TRANSCRIPT) / 4), (2 * BASE64.length) / 3_200];
const ESTIMATED = { certainty: 'estimated', tokens: { audio_input: 0, output: TEXT, audio_output: AUDIO } };

const streams =
  (text: string, then: 'ends' | 'breaks' | 'stays' = 'ends'): Script =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text, () => {
      if (then === 'ends') response.end();
      else if (then === 'breaks') response.destroy();
    });
  };

interface Spoken {
  readonly transcript: string;
  readonly data: string;
}

/** Adds up the audio of a stream. */
async function listen(stream: AsyncIterable<OpenAI.ChatCompletionChunk>): Promise<Spoken> {
  let [transcript, data] = ['', ''];
  for await (const { choices } of stream) {
    const audio = choices[0]?.delta.audio;
    transcript += audio?.transcript ?? '';
    data += audio?.data ?? '';
  }
  return { transcript, data };
}

test.each(['gpt-audio', 'compatible', 'azure-audio'])(
  'an answer in audio is held as if it were nothing else, and charged as its provider counts it: %s',
  async (model) => {
    script = answers({ usage: usage(12, 40) });
    const body = { ...ASKING, model, audio: { voice: 'alloy', format: 'wav' } } as const;
    const { data, request_id } = await client.chat.completions.create(body).withResponse();
    expect(data.choices[0]?.message.audio).toMatchObject({ data: BASE64, transcript: TRANSCRIPT });
    expect(sent()).toMatchObject({ modalities: body.modalities, audio: body.audio, messages: MESSAGES });
    const receipt = await receiptOf(request_id);
    expect(receipt).toMatchObject({
      usage: { certainty: 'exact' },
      hold_nano_usd: String(holdOf(body, 100n)),
      charge_nano_usd: String(chargeFor(12, 40)),
      write_off_nano_usd: '0',
    });
    expect(receipt.cost?.lines).toMatchObject([
      { class: 'input', tokens: 50 },
      { class: 'audio_input', tokens: 250 },
      { class: 'output', tokens: 12 },
      { class: 'audio_output', tokens: 40 },
    ]);
  },
);

test('a request without audio in it, or for none, is held at the rates of text', async () => {
  const { modalities: _modalities, audio: _audio, ...body } = ASKING;
  script = answers({ usage: usage(52, 0) });
  const { request_id } = await client.chat.completions.create(body).withResponse();
  expect(await receiptOf(request_id)).toMatchObject({
    hold_nano_usd: String(holdOf(body, 100n) - 100n * (AUDIO_OUTPUT - OUTPUT)),
    charge_nano_usd: String(chargeFor(52, 0)),
  });
  const silent = { ...body, messages: [{ role: 'user' as const, content: 'Say it.' }] };
  const heard = await client.chat.completions.create(silent).withResponse();
  const input = BigInt(Buffer.byteLength(JSON.stringify(silent)) + 16 + 1_024);
  expect((await receiptOf(heard.request_id)).hold_nano_usd).toBe(String(input * INPUT + 100n * OUTPUT));
});

test('a stream in audio comes byte for byte, and is charged as its provider counts it', async () => {
  script = streams(SPOKEN + END);
  const { data, request_id } = await client.chat.completions.create({ ...ASKING, stream: true }).withResponse();
  expect(await listen(data)).toEqual({ transcript: TRANSCRIPT, data: BASE64 + BASE64 });
  expect(await receiptOf(request_id)).toMatchObject({
    outcome: 'completed',
    usage: { certainty: 'exact' },
    charge_nano_usd: String(chargeFor(12, 40)),
  });
});

test('a stream in audio that breaks off is charged by its transcript as text, and by its length as audio', async () => {
  script = streams(SPOKEN, 'breaks');
  const { data, request_id } = await client.chat.completions.create({ ...ASKING, stream: true }).withResponse();
  await expect(listen(data)).rejects.toThrow(APIError);
  const receipt = await receiptOf(request_id);
  expect(receipt).toMatchObject({ outcome: 'interrupted', write_off_nano_usd: '0', usage: ESTIMATED });
  const charge = BigInt(TEXT) * OUTPUT + BigInt(AUDIO) * AUDIO_OUTPUT;
  expect(receipt.charge_nano_usd).toBe(String(BigInt(receipt.usage.tokens['input'] ?? 0) * INPUT + charge));
});

test('a stream in audio that its caller leaves is charged by what came, if the provider counts nothing in time', async () => {
  script = streams(SPOKEN, 'stays');
  const leave = new AbortController();
  const { data, request_id } = await client.chat.completions
    .create({ ...ASKING, stream: true }, { signal: leave.signal })
    .withResponse();
  let heard = 0;
  for await (const chunk of data) {
    heard += JSON.stringify(chunk).includes(BASE64) ? 1 : 0;
    if (heard === 2) break;
  }
  leave.abort();
  const receipt = await receiptOf(request_id);
  expect(receipt).toMatchObject({ outcome: 'abandoned', usage: ESTIMATED });
});

test('audio without a word of text is content: a stream of it that breaks off is not free', async () => {
  script = streams(delta({ data: 'QUJD'.repeat(1_600) }), 'breaks');
  const { data, request_id } = await client.chat.completions.create({ ...ASKING, stream: true }).withResponse();
  await expect(listen(data)).rejects.toThrow(APIError);
  expect((await receiptOf(request_id)).usage.tokens).toMatchObject({ output: 0, audio_output: 2 });
});

test('an answer in audio that nobody counted is estimated by its format, and never above its hold', async () => {
  for (const [format, tokens] of [
    ['wav', 10],
    ['mp3', 100 - TEXT],
  ] as const) {
    script = answers({}, 'QUJD'.repeat(8_000));
    const body = { ...ASKING, audio: { voice: 'alloy', format } } as const;
    const { request_id } = await client.chat.completions.create(body).withResponse();
    const receipt = await receiptOf(request_id);
    expect(receipt).toMatchObject({ usage: { certainty: 'estimated', tokens: { audio_output: tokens } } });
    expect(receipt.write_off_nano_usd).toBe('0');
    expect(BigInt(receipt.charge_nano_usd)).toBeLessThanOrEqual(BigInt(receipt.hold_nano_usd));
  }
});

test('an answer of more audio than was asked for costs its hold, and the rest is written off', async () => {
  script = answers({ usage: usage(12, 4_000) });
  const { request_id } = await client.chat.completions.create(ASKING).withResponse();
  const hold = holdOf(ASKING, 100n);
  expect(await receiptOf(request_id)).toMatchObject({
    charge_nano_usd: String(hold),
    write_off_nano_usd: String(chargeFor(12, 4_000) - hold),
  });
});

test('a stream of audio without end is cut off once no model could have spoken so long within its cap', async () => {
  script = streams(delta({ data: 'QUJD'.repeat(16_000) }).repeat(9), 'stays');
  const body = { ...ASKING, max_completion_tokens: 5, stream: true } as const;
  const { data, request_id } = await client.chat.completions.create(body).withResponse();
  await expect(listen(data)).rejects.toThrow(APIError);
  expect(await receiptOf(request_id)).toMatchObject({
    outcome: 'interrupted',
    usage: { tokens: { output: 0, audio_output: 5 } },
    write_off_nano_usd: '0',
  });
});

async function refusalOf(fields: object): Promise<APIError> {
  const before = upstream.requests.length;
  const body = { ...ASKING, ...fields } as OpenAI.ChatCompletionCreateParamsNonStreaming;
  const refusal = await client.chat.completions.create(body).then(
    () => null,
    (fault: unknown) => fault,
  );
  expect(refusal).toBeInstanceOf(APIError);
  expect(upstream.requests).toHaveLength(before);
  return refusal as APIError;
}

test('audio is refused by its name where the price has no rate for it, with the models that take it', async () => {
  const { status, param, message } = await refusalOf({ model: 'gpt' });
  expect({ status, param }).toEqual({ status: 400, param: 'modalities' });
  expect(message).toContain('price.audio_output');
  expect(message).toContain('"gpt-audio", "compatible", "azure-audio", "some-routes".');
});

test.each(['claude', 'gemini', 'groq-audio'])(
  'audio is refused by its name where no provider gives it: %s',
  async (model) => {
    const { param, message } = await refusalOf({ model });
    expect(param).toBe('modalities');
    expect(message).toContain('none of its providers answers in audio');
  },
);

test('audio is refused with no other model named where a key may call none', async () => {
  const narrow = await program.createTenant({ key: { models: ['gpt'] } });
  const fault: unknown = await clientOf(narrow)
    .chat.completions.create({ ...ASKING, model: 'gpt' })
    .catch((refusal: unknown) => refusal);
  expect((fault as APIError).message).toContain('No model that this key may call takes it');
});

test('things that are kept at the provider are refused by their names', async () => {
  expect((await refusalOf({ audio: { voice: { id: 'voice_1' }, format: 'wav' } })).param).toBe('audio.voice');
  const earlier = [...MESSAGES, { role: 'assistant', audio: { id: 'audio_1' } }, { role: 'user', content: 'Again?' }];
  const { param, message } = await refusalOf({ messages: earlier });
  expect(param).toBe('messages[1].audio');
  expect(message).toContain("send its transcript as 'content'");
});

test('audio by a schema is refused by the field that asks for the schema', async () => {
  const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
  const format = { type: 'json_schema', json_schema: { name: 'a', strict: true, schema } };
  expect((await refusalOf({ response_format: format })).param).toBe('response_format');
});

test('audio goes to those routes that give it, and to the next one until its first byte', async () => {
  script = (response, request) => {
    const { model } = JSON.parse(String(request.body)) as { readonly model: string };
    if (model === 'openai') response.writeHead(500).end();
    else streams(SPOKEN + END)(response, request);
  };
  const body = { ...ASKING, model: 'some-routes', stream: true } as const;
  const { data, request_id } = await client.chat.completions.create(body).withResponse();
  expect(await listen(data)).toMatchObject({ transcript: TRANSCRIPT });
  const receipt = await receiptOf(request_id);
  expect(receipt.attempts).toMatchObject([
    { provider: 'openai', status: 500 },
    { provider: 'other', status: 200 },
  ]);
  expect(receipt.charge_nano_usd).toBe(String(chargeFor(12, 40)));
});

test.each([true, false])(
  'a repeat with the same Idempotency-Key gets the same audio, and costs nothing (streamed: %s)',
  async (stream) => {
    script = stream ? streams(SPOKEN + END) : answers({ usage: usage(12, 40) });
    const init = { headers: { 'idempotency-key': `audio-${stream}` } };
    const texts: string[] = [];
    const balance = async () => (await program.admin.showWorkspace(tenant.workspaceId)).balance_nano_usd;
    const before = BigInt(await balance());
    for (let times = 0; times < 2; times++) {
      texts.push(await (await client.chat.completions.create({ ...ASKING, stream }, init).asResponse()).text());
    }
    expect(texts[0]).toContain(BASE64);
    expect(texts[1]).toBe(texts[0]);
    expect(before - BigInt(await balance())).toBe(chargeFor(12, 40));
  },
);

test('a quote of audio is what is held for it, and its maximum cost shortens it by the rate of audio', async () => {
  const { max_completion_tokens: _, ...open } = ASKING;
  const quoteOf = async (body: object, headers: Record<string, string> = {}) =>
    (await client.post('/quote', { body, headers })) as Record<string, unknown>;
  expect(await quoteOf(ASKING)).toMatchObject({ allowed: true, hold_nano_usd: String(holdOf(ASKING, 100n)) });
  const most = holdOf(open, 70n);
  const usd = `${most / 1_000_000_000n}.${String(most % 1_000_000_000n).padStart(9, '0')}`;
  script = answers({ usage: usage(12, 40) });
  const headers = { 'x-faregate-max-cost': usd };
  const { response, request_id } = await client.chat.completions.create(open, { headers }).withResponse();
  expect(response.headers.get('x-faregate-shortened')).toBe('70');
  expect(sent()['max_completion_tokens']).toBe(70);
  expect(await receiptOf(request_id)).toMatchObject({ hold_nano_usd: String(most), shortened_to_tokens: 70 });
  const refusal = await refusalWith(headers);
  expect(refusal.error).toMatchObject({
    code: 'MAX_COST_EXCEEDED',
    details: { max_tokens_that_fit: expect.any(Number) },
  });
});

async function refusalWith(headers: Record<string, string>): Promise<APIError> {
  return (await client.chat.completions.create(ASKING, { headers }).catch((fault: unknown) => fault)) as APIError;
}

test('a model is listed with whether it answers in audio', async () => {
  const { data } = await program.admin.listModels(tenant.workspaceId);
  const sold = data.filter(({ sells_audio: isSold }) => isSold).map(({ id }) => id);
  expect(sold).toContain('gpt-audio');
  expect(sold).not.toContain('gpt');
});

test('an answer of minutes of audio is passed on and charged', async () => {
  const base64 = 'QUJD'.repeat(5_000_000);
  script = answers({ usage: usage(12, 90) }, base64);
  const { data, request_id } = await client.chat.completions.create(ASKING).withResponse();
  expect(data.choices[0]?.message.audio?.data === base64).toBe(true);
  expect(await receiptOf(request_id)).toMatchObject({ charge_nano_usd: String(chargeFor(12, 90)) });
});
