import { type AIMessageChunk, HumanMessage, type ToolMessage, type UsageMetadata } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI, type ChatOpenAIFields, OpenAIEmbeddings } from '@langchain/openai';
import {
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { expectedError, PROVOCATIONS } from './provocations.ts';
import { type Exchange, recordingFetch } from './recording-fetch.ts';
import { REQUEST_ID } from './request-id.ts';
import { PRECISE_VECTOR } from './scripted-models.ts';
import { receiptFor, type Stage, startStage } from './stage.ts';

// LangChain's OpenAI classes.

const PROMPT = 'hello there, gate';
const SAID = `You said: ${PROMPT}`;
const CLASSES: Readonly<Record<number, new (...args: never) => APIError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  429: RateLimitError,
  503: InternalServerError,
  504: InternalServerError,
};

const weather = tool(({ city }: { city: string }) => `clear in ${city}`, {
  name: 'weather',
  description: 'The weather in a city',
  schema: z.object({ city: z.string() }),
});

let stage: Stage;

beforeAll(async () => {
  stage = await startStage();
});

afterAll(() => stage.program.dispose());

interface Chat {
  readonly chat: ChatOpenAI;
  readonly exchanges: readonly Exchange[];
}

function chatWith(key: string | null, fields: ChatOpenAIFields = {}): Chat {
  const { fetch, exchanges } = recordingFetch();
  const defaultHeaders = key === null ? { authorization: null } : {};
  const configuration = { baseURL: stage.baseURL, fetch, defaultHeaders };
  const chat = new ChatOpenAI({
    model: 'vendor/chat',
    maxRetries: 0,
    ...fields,
    apiKey: key ?? 'unsent',
    configuration,
  });
  return { chat, exchanges };
}

function chatOf(fields: ChatOpenAIFields = {}): Chat {
  return chatWith(stage.tenant.key, fields);
}

function lastSent(): Readonly<Record<string, unknown>> {
  return stage.mock.requests().at(-1)?.body ?? {};
}

async function receiptOf(exchange: Exchange | undefined): Promise<object> {
  return await stage.program.admin.showReceipt(exchange?.headers.get('x-request-id') ?? '');
}

/** The message that a stream's chunks make together. */
async function wholeOf(
  stream: AsyncIterable<AIMessageChunk>,
): Promise<{ pieces: AIMessageChunk[]; whole: AIMessageChunk }> {
  const pieces = await Array.fromAsync(stream);
  return { pieces, whole: pieces.reduce((whole, piece) => whole.concat(piece)) };
}

function usageOf(message: object) {
  const { usage_metadata: usage } = message as { usage_metadata?: UsageMetadata };
  return { prompt_tokens: usage?.input_tokens ?? -1, completion_tokens: usage?.output_tokens ?? -1 };
}

test('LangChain’s message is answered, and charged by its usage', async () => {
  const { chat, exchanges } = chatOf();
  const answer = await chat.invoke(PROMPT);
  expect(answer.content).toBe(SAID);
  expect(answer.response_metadata).toMatchObject({ finish_reason: 'stop' });
  expect(exchanges[0]?.headers.get('x-request-id')).toMatch(REQUEST_ID);
  expect(await receiptOf(exchanges[0])).toMatchObject(receiptFor('chat', usageOf(answer)));
});

test('LangChain’s message is streamed with its usage, for which LangChain asks by itself', async () => {
  const { chat, exchanges } = chatOf();
  const { pieces, whole } = await wholeOf(await chat.stream(PROMPT));
  expect(pieces.filter(({ content }) => content !== '').length).toBeGreaterThan(1);
  expect(whole.content).toBe(SAID);
  expect(whole.response_metadata).toMatchObject({ finish_reason: 'stop' });
  expect(JSON.parse(exchanges[0]?.body ?? '')).toMatchObject({ stream_options: { include_usage: true } });
  expect(await receiptOf(exchanges[0])).toMatchObject(receiptFor('chat', usageOf(whole)));
});

test('LangChain’s message is streamed without its usage, and charged all the same', async () => {
  const { chat, exchanges } = chatOf({ streamUsage: false });
  const { whole } = await wholeOf(await chat.stream(PROMPT));
  expect(whole.content).toBe(SAID);
  expect(whole.usage_metadata).toBeUndefined();
  expect(JSON.parse(exchanges[0]?.body ?? '')).not.toHaveProperty('stream_options');
  expect(await receiptOf(exchanges[0])).toMatchObject({ outcome: 'completed', usage: { certainty: 'exact' } });
});

async function expectRoundTrip(asked: AIMessageChunk, chat: ChatOpenAI): Promise<void> {
  const [call] = asked.tool_calls ?? [];
  expect(call).toMatchObject({ name: 'weather', args: { city: 'Paris' } });
  const result: ToolMessage = await weather.invoke({ ...call!, type: 'tool_call' });
  expect(result.content).toBe('clear in Paris');
  const answer = await chat.bindTools([weather]).invoke([new HumanMessage(PROMPT), asked, result]);
  expect(answer.content).toBe(SAID);
  expect(lastSent()['messages']).toMatchObject([
    {},
    { tool_calls: [{ id: call!.id }] },
    { role: 'tool', tool_call_id: call!.id, content: 'clear in Paris' },
  ]);
}

test('LangChain’s tools are called and answered in plain calls', async () => {
  const { chat } = chatOf();
  const asked = await chat.bindTools([weather]).invoke(PROMPT);
  expect(asked.response_metadata).toMatchObject({ finish_reason: 'tool_calls' });
  await expectRoundTrip(asked, chat);
});

test('LangChain’s tools are called in streams', async () => {
  const { chat } = chatOf();
  const { whole } = await wholeOf(await chat.bindTools([weather]).stream(PROMPT));
  await expectRoundTrip(whole, chat);
});

test('with LangChain, JSON mode gives JSON', async () => {
  const { chat } = chatOf();
  const answer = await chat.withConfig({ response_format: { type: 'json_object' } }).invoke(PROMPT);
  expect(JSON.parse(answer.content as string)).toEqual({ answer: SAID });
  expect(lastSent()['response_format']).toEqual({ type: 'json_object' });
});

test('with LangChain, a JSON schema reaches the upstream', async () => {
  const { chat } = chatOf();
  const schema = z.object({ answer: z.string() });
  const answer = await chat.withStructuredOutput(schema, { method: 'jsonSchema', name: 'reply' }).invoke(PROMPT);
  expect(answer).toEqual({ answer: SAID });
  expect(lastSent()['response_format']).toMatchObject({
    type: 'json_schema',
    json_schema: { name: 'reply', schema: { type: 'object', required: ['answer'] } },
  });
});

function embeddingsWith(encodingFormat?: 'float' | 'base64'): OpenAIEmbeddings {
  return new OpenAIEmbeddings({
    model: 'precise-embed',
    apiKey: stage.tenant.key,
    maxRetries: 0,
    ...(encodingFormat === undefined ? {} : { encodingFormat }),
    configuration: { baseURL: stage.baseURL },
  });
}
const nearest = PRECISE_VECTOR.map(Math.fround);

test('LangChain’s embeddings are exact, though base64 is asked for behind the scenes', async () => {
  expect(await embeddingsWith().embedQuery('one')).toEqual(nearest);
  expect(JSON.parse(stage.scripted.requests.at(-1)!.body.toString())).toMatchObject({ encoding_format: 'base64' });
  expect(await embeddingsWith().embedDocuments(['one', 'two'])).toEqual([nearest, nearest]);
});

test('LangChain’s embeddings are as the upstream says them where floats are asked for', async () => {
  expect(await embeddingsWith('float').embedDocuments(['one', 'two'])).toEqual([PRECISE_VECTOR, PRECISE_VECTOR]);
});

async function raised(call: PromiseLike<unknown>): Promise<unknown> {
  return await Promise.resolve(call).then(
    () => new Error('the call has succeeded'),
    (reason: unknown) => reason,
  );
}

describe.each(PROVOCATIONS)('$name', (provocation) => {
  const { status, ...error } = expectedError(provocation);
  let key: string | null;

  beforeAll(async () => {
    key = await provocation.key(stage);
  });

  test.each([false, true])(`LangChain raises ${provocation.code} (stream: %s)`, async (stream) => {
    const { model, maxTokens } = provocation;
    const { chat } = chatWith(key, { model, ...(maxTokens === undefined ? {} : { maxTokens }) });
    const reason = await raised(stream ? chat.stream(PROMPT) : chat.invoke(PROMPT));
    expect(reason).toBeInstanceOf(CLASSES[status] ?? APIError);
    expect(reason).toMatchObject({ status, ...error, requestID: expect.stringMatching(REQUEST_ID) });
  });
});

test.each(['torn', 'erring', 'unfinished'])(
  'LangChain raises an error where a stream breaks off: %s',
  async (model) => {
    const { chat } = chatOf({ model });
    const said: string[] = [];
    const reason = await raised(
      (async () => {
        for await (const piece of await chat.stream(PROMPT)) said.push(piece.content as string);
      })(),
    );
    expect(said.join('')).toBe('café');
    expect(reason).toBeInstanceOf(APIError);
    expect(reason).toMatchObject({ code: 'MODEL_UNAVAILABLE', type: 'server_error' });
  },
);

test("LangChain's retries do not happen for money that is not there", async () => {
  const { key } = await stage.program.createTenant({ credit: null });
  const { chat, exchanges } = chatWith(key, { maxRetries: 6 });
  await expect(raised(chat.invoke(PROMPT))).resolves.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
  expect(exchanges.map(({ status }) => status)).toEqual([402]);
});

test("LangChain's retries get in once a rate limit allows it", async () => {
  const { key } = await stage.program.createTenant({ project: { requests_per_minute: 40 } });
  const { chat, exchanges } = chatWith(key, { maxRetries: 6 });
  while (!exchanges.some(({ status }) => status === 429)) await chat.invoke(PROMPT);
  expect(exchanges.at(-1)?.status).toBe(200);
});
