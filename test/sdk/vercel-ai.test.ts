import { createOpenAICompatible, type OpenAICompatibleProvider } from '@ai-sdk/openai-compatible';
import {
  APICallError,
  embed,
  embedMany,
  generateText,
  isStepCount,
  jsonSchema,
  Output,
  RetryError,
  streamText,
  tool,
} from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectedError, PROVOCATIONS } from './provocations.ts';
import { recordingFetch } from './recording-fetch.ts';
import { REQUEST_ID } from './request-id.ts';
import { PRECISE_VECTOR } from './scripted-models.ts';
import { receiptFor, type Stage, startStage } from './stage.ts';

// Vercel's AI SDK, through its provider for OpenAI-compatible servers.

const PROMPT = 'hello there, gate';
const SAID = `You said: ${PROMPT}`;

const weather = tool({
  description: 'The weather in a city',
  inputSchema: jsonSchema<{ city: string }>({
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  }),
  execute: ({ city }) => `clear in ${city}`,
});

let stage: Stage;
let provider: OpenAICompatibleProvider;

beforeAll(async () => {
  stage = await startStage();
  provider = providerWith(stage.tenant.key);
});

afterAll(() => stage.program.dispose());

function providerWith(key: string | null, options: { includeUsage?: boolean; fetch?: typeof fetch } = {}) {
  return createOpenAICompatible({
    name: 'faregate',
    baseURL: stage.baseURL,
    supportsStructuredOutputs: true,
    ...(key === null ? {} : { apiKey: key }),
    ...options,
  });
}

function lastSent(): Readonly<Record<string, unknown>> {
  return stage.mock.requests().at(-1)?.body ?? {};
}

async function receiptOf(headers: Readonly<Record<string, string>> | undefined): Promise<object> {
  return await stage.program.admin.showReceipt(headers?.['x-request-id'] ?? '');
}

function usageOf(usage: { inputTokens: number | undefined; outputTokens: number | undefined }) {
  return { prompt_tokens: usage.inputTokens ?? -1, completion_tokens: usage.outputTokens ?? -1 };
}

test("with Vercel's AI SDK, text is generated, and charged by its usage", async () => {
  const result = await generateText({ model: provider('vendor/chat'), prompt: PROMPT });
  expect(result).toMatchObject({ text: SAID, finishReason: 'stop' });
  expect(result.finalStep.response.headers?.['x-request-id']).toMatch(REQUEST_ID);
  expect(await receiptOf(result.finalStep.response.headers)).toMatchObject(receiptFor('chat', usageOf(result.usage)));
});

test("with Vercel's AI SDK, text is streamed, without the usage that was not asked for", async () => {
  const result = streamText({ model: provider('vendor/chat'), prompt: PROMPT });
  const pieces = await Array.fromAsync(result.textStream);
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join('')).toBe(SAID);
  expect(await result.finishReason).toBe('stop');
  expect(await result.usage).toMatchObject({ inputTokens: undefined, outputTokens: undefined });
  const { headers } = (await result.finalStep).response;
  expect(await receiptOf(headers)).toMatchObject({ outcome: 'completed', usage: { certainty: 'exact' } });
});

test("with Vercel's AI SDK, text is streamed, with the usage that was asked for", async () => {
  const result = streamText({
    model: providerWith(stage.tenant.key, { includeUsage: true })('vendor/chat'),
    prompt: PROMPT,
  });
  expect((await Array.fromAsync(result.textStream)).join('')).toBe(SAID);
  const usage = usageOf(await result.usage);
  expect(usage.completion_tokens).toBe(Math.ceil(SAID.length / 4));
  const { headers } = (await result.finalStep).response;
  expect(await receiptOf(headers)).toMatchObject(receiptFor('chat', usage));
});

const TOOL_SETTINGS = { prompt: PROMPT, tools: { weather }, stopWhen: isStepCount(3) };

test("tools of Vercel's AI SDK are called and answered in plain calls", async () => {
  const result = await generateText({ model: provider('vendor/chat'), ...TOOL_SETTINGS });
  expect(result.steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
  expect(result.steps[0]?.toolResults).toMatchObject([{ input: { city: 'Paris' }, output: 'clear in Paris' }]);
  expect(result.text).toBe(SAID);
  expect(lastSent()['messages']).toMatchObject([{}, { tool_calls: [{}] }, { role: 'tool', content: 'clear in Paris' }]);
});

test("tools of Vercel's AI SDK are called and answered in streams", async () => {
  const result = streamText({ model: provider('vendor/chat'), ...TOOL_SETTINGS });
  expect((await Array.fromAsync(result.textStream)).join('')).toBe(SAID);
  const steps = await result.steps;
  expect(steps[0]?.toolResults).toMatchObject([{ input: { city: 'Paris' }, output: 'clear in Paris' }]);
});

test("with Vercel's AI SDK, JSON mode gives JSON", async () => {
  const result = await generateText({ model: provider('vendor/chat'), prompt: PROMPT, output: Output.json() });
  expect(result.output).toEqual({ answer: SAID });
  expect(lastSent()['response_format']).toEqual({ type: 'json_object' });
});

test("with Vercel's AI SDK, a JSON schema reaches the upstream, plain and streamed", async () => {
  const schema = {
    type: 'object',
    properties: { answer: { type: 'string' } },
    required: ['answer'],
    additionalProperties: false,
  } as const;
  const output = Output.object({ schema: jsonSchema<{ answer: string }>(schema) });
  const sent = { type: 'json_schema', json_schema: { schema, strict: true } };

  const plain = await generateText({ model: provider('vendor/chat'), prompt: PROMPT, output });
  expect(plain.output).toEqual({ answer: SAID });
  expect(lastSent()['response_format']).toMatchObject(sent);
  const streamed = streamText({ model: provider('vendor/chat'), prompt: PROMPT, output });
  expect(await streamed.output).toEqual({ answer: SAID });
  expect(lastSent()['response_format']).toMatchObject(sent);
});

test("with Vercel's AI SDK, embeddings come as the upstream says them, and are charged", async () => {
  const one = await embed({ model: provider.embeddingModel('precise-embed'), value: 'one' });
  expect(one.embedding).toEqual(PRECISE_VECTOR);
  expect(await receiptOf(one.response?.headers)).toMatchObject(
    receiptFor('embedding', { prompt_tokens: one.usage.tokens }),
  );
  const many = await embedMany({ model: provider.embeddingModel('precise-embed'), values: ['one', 'two', 'three'] });
  expect(many.embeddings).toEqual([PRECISE_VECTOR, PRECISE_VECTOR, PRECISE_VECTOR]);
});

interface ErrorData {
  readonly error: { readonly message: string; readonly type: string; readonly param: unknown; readonly code: string };
}

describe.each(PROVOCATIONS)('$name', (provocation) => {
  const { status, ...error } = expectedError(provocation);
  let key: string | null;

  beforeAll(async () => {
    key = await provocation.key(stage);
  });

  function expectApiCallError(raised: unknown): void {
    expect(APICallError.isInstance(raised)).toBe(true);
    const { statusCode, data, message, responseHeaders, isRetryable } = raised as APICallError;
    expect({ statusCode, data }).toMatchObject({ statusCode: status, data: { error } });
    expect(message).toBe((data as ErrorData).error.message);
    expect(responseHeaders?.['x-request-id']).toMatch(REQUEST_ID);
    expect(isRetryable).toBe(status === 429 || status >= 500);
  }

  function settings() {
    const { model, maxTokens } = provocation;
    const limits = maxTokens === undefined ? {} : { maxOutputTokens: maxTokens };
    return { model: providerWith(key)(model), prompt: PROMPT, maxRetries: 0, ...limits };
  }

  test(`Vercel's AI SDK raises ${provocation.code} from a plain call`, async () => {
    expectApiCallError(await generateText(settings()).catch((raised: unknown) => raised));
  });

  test(`Vercel's AI SDK raises ${provocation.code} from a stream`, async () => {
    const raised: unknown[] = [];
    const result = streamText({ ...settings(), onError: ({ error: reason }) => void raised.push(reason) });
    await result.consumeStream();
    expect(raised).toHaveLength(1);
    expectApiCallError(raised[0]);
  });
});

test.each(['torn', 'erring', 'unfinished'])(
  "with Vercel's AI SDK, a stream that breaks off ends in an error: %s",
  async (model) => {
    const result = streamText({ model: provider(model), prompt: PROMPT, maxRetries: 0, onError: () => undefined });
    const parts = await Array.fromAsync(result.stream);
    const text = parts.flatMap((part) => (part.type === 'text-delta' ? [part.text] : []));
    expect(text.join('')).toBe('café');
    const [error] = parts.flatMap((part) => (part.type === 'error' ? [part.error] : []));
    expect(JSON.stringify(error)).toContain('broke off');
    expect(parts.some((part) => part.type === 'finish' && part.finishReason === 'stop')).toBe(false);
  },
);

test("the retries of Vercel's AI SDK do not happen for money that is not there", async () => {
  const { key } = await stage.program.createTenant({ credit: null });
  const { fetch, exchanges } = recordingFetch();
  const raised = await generateText({ model: providerWith(key, { fetch })('vendor/chat'), prompt: PROMPT }).catch(
    (reason: unknown) => reason,
  );
  expect(APICallError.isInstance(raised)).toBe(true);
  expect(exchanges.map(({ status }) => status)).toEqual([402]);
});

test("the retries of Vercel's AI SDK wait exactly as long as a rate limit says, and get in", async () => {
  const { key } = await stage.program.createTenant({ project: { requests_per_minute: 40 } });
  const { fetch, exchanges } = recordingFetch();
  const model = providerWith(key, { fetch })('vendor/chat');
  while (!exchanges.some(({ status }) => status === 429)) await generateText({ model, prompt: PROMPT, maxRetries: 1 });

  const [refused, retried] = exchanges.slice(-2);
  expect([refused?.status, retried?.status]).toEqual([429, 200]);
  const waitMs = Number(refused?.headers.get('retry-after-ms'));
  expect(waitMs).toBeGreaterThan(0);
  expect(retried!.sentMs - refused!.sentMs).toBeGreaterThanOrEqual(waitMs - 1);
});

test("the retries of Vercel's AI SDK try a model that was unavailable again, and say so in the end", async () => {
  const { fetch, exchanges } = recordingFetch();
  const model = providerWith(stage.tenant.key, { fetch })('error-500');
  const raised = await generateText({ model, prompt: PROMPT, maxRetries: 1 }).catch((reason: unknown) => reason);
  expect(RetryError.isInstance(raised)).toBe(true);
  expect((raised as RetryError).lastError).toMatchObject({ statusCode: 503 });
  expect(exchanges.map(({ status }) => status)).toEqual([503, 503]);
});
