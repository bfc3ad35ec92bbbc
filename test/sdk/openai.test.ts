import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REQUEST_ID, requestIdOf } from './request-id.ts';
import { PRECISE_VECTOR } from './scripted-models.ts';
import { receiptFor, type Stage, startStage } from './stage.ts';

// OpenAI's own SDK, with its base URL and key changed and nothing else.

const MESSAGES: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'hello there, gate' }];
const SAID = 'You said: hello there, gate';
const MOCK_VECTOR = [0.6, -0.8, 0, 0.25, -0.125, 0.5, 0.75, -1].map(Math.fround);
const TOOLS: OpenAI.ChatCompletionFunctionTool[] = [
  {
    type: 'function',
    function: {
      name: 'weather',
      description: 'The weather in a city',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      strict: true,
    },
  },
];

let stage: Stage;
let client: OpenAI;

beforeAll(async () => {
  stage = await startStage();
  client = new OpenAI({ apiKey: stage.tenant.key, baseURL: stage.baseURL, maxRetries: 0 });
});

afterAll(() => stage.program.dispose());

async function collect(stream: AsyncIterable<OpenAI.ChatCompletionChunk>): Promise<OpenAI.ChatCompletionChunk[]> {
  return await Array.fromAsync(stream);
}

function textOf(chunks: readonly OpenAI.ChatCompletionChunk[]): string {
  return chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
}

test('a plain call is answered, carries its request id, and is charged by its usage', async () => {
  const answer = await client.chat.completions.create({ model: 'vendor/chat', messages: MESSAGES });

  expect(answer.choices[0]).toMatchObject({ message: { role: 'assistant', content: SAID }, finish_reason: 'stop' });
  expect(requestIdOf(answer)).toMatch(REQUEST_ID);
  const receipt = await stage.program.admin.showReceipt(requestIdOf(answer));
  expect(receipt).toMatchObject(receiptFor('chat', answer.usage!));
  expect(receipt).toMatchObject({ model: 'vendor/chat', streamed: false, key_id: stage.tenant.keyId });
});

test('a model by another name at its provider is called by that name', async () => {
  await client.chat.completions.create({ model: 'renamed-chat', messages: MESSAGES });
  expect(stage.mock.requests().at(-1)?.body['model']).toBe('upstream-chat');
});

test('a stream brings chunk by chunk what the upstream says, and no usage that nobody asked for', async () => {
  const { data, request_id, response } = await client.chat.completions
    .create({ model: 'vendor/chat', messages: MESSAGES, stream: true })
    .withResponse();
  const chunks = await collect(data);

  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(textOf(chunks)).toBe(SAID);
  expect(chunks.filter((chunk) => chunk.choices[0]?.delta.content).length).toBeGreaterThan(1);
  expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop');
  expect(chunks.filter((chunk) => chunk.choices.length !== 1 || 'usage' in chunk)).toEqual([]);
  expect(request_id).toMatch(REQUEST_ID);
  const receipt = await stage.program.admin.showReceipt(request_id ?? '');
  expect(receipt).toMatchObject({ outcome: 'completed', streamed: true, usage: { certainty: 'exact' } });
});

test('usage that is asked for comes in one chunk of its own, the last, and is what is charged', async () => {
  const { data, request_id } = await client.chat.completions
    .create({ model: 'vendor/chat', messages: MESSAGES, stream: true, stream_options: { include_usage: true } })
    .withResponse();
  const chunks = await collect(data);

  expect(textOf(chunks)).toBe(SAID);
  expect(chunks.filter((chunk) => chunk.choices.length === 0)).toEqual([chunks.at(-1)]);
  expect(chunks.slice(0, -1).filter((chunk) => chunk.usage !== null && chunk.usage !== undefined)).toEqual([]);
  const { usage } = chunks.at(-1)!;
  expect(usage!.completion_tokens).toBe(Math.ceil(SAID.length / 4));
  expect(await stage.program.admin.showReceipt(request_id ?? '')).toMatchObject(receiptFor('chat', usage!));
});

test("the SDK's own stream reader puts the answer together", async () => {
  const stream = client.chat.completions.stream({ model: 'vendor/chat', messages: MESSAGES });
  expect((await stream.finalChatCompletion()).choices[0]?.message.content).toBe(SAID);
});

test('a cap that is reached is told as length, and sent on as it was', async () => {
  const answer = await client.chat.completions.create({
    model: 'vendor/chat',
    messages: MESSAGES,
    max_completion_tokens: 2,
  });
  expect(answer.choices[0]?.finish_reason).toBe('length');
  expect(answer.usage?.completion_tokens).toBe(2);
  expect(await stage.program.admin.showReceipt(requestIdOf(answer))).toMatchObject(receiptFor('chat', answer.usage!));
});

test("tools of OpenAI's SDK go there and back in plain calls", async () => {
  const asked = await client.chat.completions.create({ model: 'vendor/chat', messages: MESSAGES, tools: TOOLS });
  const [choice] = asked.choices;
  expect(choice).toMatchObject({
    finish_reason: 'tool_calls',
    message: { tool_calls: [{ type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } }] },
  });
  expect(stage.mock.requests().at(-1)?.body['tools']).toEqual(TOOLS);

  const id = choice?.message.tool_calls?.[0]?.id ?? '';
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    ...MESSAGES,
    choice!.message,
    { role: 'tool', tool_call_id: id, content: '{"sky":"clear"}' },
  ];
  const answer = await client.chat.completions.create({ model: 'vendor/chat', messages, tools: TOOLS });
  expect(answer.choices[0]).toMatchObject({ message: { content: SAID }, finish_reason: 'stop' });
  expect(stage.mock.requests().at(-1)?.body['messages']).toMatchObject([
    {},
    { tool_calls: [{ id }] },
    { tool_call_id: id },
  ]);
});

test("tools of OpenAI's SDK come in pieces in a stream, which the SDK puts together and answers", async () => {
  const cities: unknown[] = [];
  const runner = client.chat.completions.runTools({
    model: 'vendor/chat',
    stream: true,
    messages: MESSAGES,
    tools: [
      {
        type: 'function',
        function: {
          name: 'weather',
          description: 'The weather in a city',
          parameters: { type: 'object', properties: { city: { type: 'string' } } },
          parse: JSON.parse,
          function: (args: unknown) => {
            cities.push(args);
            return 'clear';
          },
        },
      },
    ],
  });
  expect(await runner.finalContent()).toBe(SAID);
  expect(cities).toEqual([{ city: 'Paris' }]);
});

test("with OpenAI's SDK, JSON mode gives JSON", async () => {
  const answer = await client.chat.completions.create({
    model: 'vendor/chat',
    messages: MESSAGES,
    response_format: { type: 'json_object' },
  });
  expect(JSON.parse(answer.choices[0]?.message.content ?? '')).toEqual({ answer: SAID });
  expect(stage.mock.requests().at(-1)?.body['response_format']).toEqual({ type: 'json_object' });
});

test("with OpenAI's SDK, a JSON schema reaches the upstream as it is, and its answer the SDK parses", async () => {
  const schema = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] };
  const response_format = {
    type: 'json_schema',
    json_schema: { name: 'reply', strict: true, schema: { ...schema, additionalProperties: false } },
  } as const;
  const answer = await client.chat.completions.parse({ model: 'vendor/chat', messages: MESSAGES, response_format });
  expect(answer.choices[0]?.message.parsed).toEqual({ answer: SAID });
  expect(stage.mock.requests().at(-1)?.body['response_format']).toEqual(response_format);
});

test("embeddings of OpenAI's SDK are exact where the SDK asks for base64 behind the back of its user", async () => {
  const answer = await client.embeddings.create({ model: 'embed', input: ['one', 'two'] });
  expect(answer.data.map(({ index, embedding }) => ({ index, embedding }))).toEqual([
    { index: 0, embedding: MOCK_VECTOR },
    { index: 1, embedding: MOCK_VECTOR },
  ]);
});

test("embeddings of OpenAI's SDK come as base64 that says the same where base64 is asked for by name", async () => {
  const answer = await client.embeddings.create({ model: 'embed', input: 'one', encoding_format: 'base64' });
  const encoded = answer.data[0]?.embedding as unknown as string;
  const bytes = Buffer.from(encoded, 'base64');
  expect(Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4))).toEqual(MOCK_VECTOR);
});

test("embeddings of OpenAI's SDK come as the upstream says them where floats are asked for", async () => {
  const answer = await client.embeddings.create({ model: 'precise-embed', input: 'one', encoding_format: 'float' });
  expect(answer.data[0]?.embedding).toEqual(PRECISE_VECTOR);
});

test("embeddings of OpenAI's SDK are the nearest 32-bit floats where the upstream says more", async () => {
  const answer = await client.embeddings.create({ model: 'precise-embed', input: [[1, 2], [3]] });
  expect(JSON.parse(stage.scripted.requests.at(-1)!.body.toString())).toMatchObject({ encoding_format: 'base64' });
  const nearest = PRECISE_VECTOR.map(Math.fround);
  expect(answer.data.map(({ embedding }) => embedding)).toEqual([nearest, nearest]);
  expect(await stage.program.admin.showReceipt(requestIdOf(answer))).toMatchObject(
    receiptFor('embedding', answer.usage),
  );
});

test("models in OpenAI's SDK are listed, and found by ids with a slash", async () => {
  const listed = await Array.fromAsync(client.models.list());
  expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(['vendor/chat', 'embed', 'renamed-chat']));
  expect(listed.every(({ object, owned_by }) => object === 'model' && owned_by !== '')).toBe(true);

  const found = await client.models.retrieve('vendor/chat');
  expect(found).toMatchObject(listed.find(({ id }) => id === 'vendor/chat')!);
  expect(requestIdOf(found)).toMatch(REQUEST_ID);
  expect(await client.get('/models/vendor/chat')).toMatchObject({ id: 'vendor/chat' });
});

test("models in OpenAI's SDK are those that the policies of the project and of the key both allow", async () => {
  const tenant = await stage.program.createTenant({
    project: { models: ['vendor/*', 'embed', 'error-500'] },
    key: { models: ['vendor/chat', 'embed', 'other-chat'] },
  });
  const limited = new OpenAI({ apiKey: tenant.key, baseURL: stage.baseURL, maxRetries: 0 });

  const listed = await Array.fromAsync(limited.models.list());
  expect(listed.map(({ id }) => id).toSorted()).toEqual(['embed', 'vendor/chat']);
  await expect(limited.models.retrieve('embed')).resolves.toMatchObject({ id: 'embed' });
  const call = (model: string) => limited.chat.completions.create({ model, messages: MESSAGES });
  await expect(call('vendor/chat')).resolves.toMatchObject({ choices: [{}] });
  for (const model of ['other-chat', 'error-500', 'renamed-chat']) {
    await expect(call(model)).rejects.toMatchObject({ code: 'MODEL_NOT_ALLOWED' });
    await expect(limited.models.retrieve(model)).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND', status: 404 });
  }
});
