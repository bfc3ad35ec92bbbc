import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { ChatAnthropic } from '@langchain/anthropic';
import { type AIMessageChunk, HumanMessage, type UsageMetadata } from '@langchain/core/messages';
import { tool as langchainTool } from '@langchain/core/tools';
import { generateText, isStepCount, Output, streamText, tool } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { BEHIND, type DialectStage, receiptFor, startDialectStage, THOUGHT, weatherIn } from './dialect-stage.ts';

// Clients of Messages, with their base URL and key changed and nothing else.

const PROMPT = 'hello there, gate';
const REPLY = z.object({ answer: z.string() });
const CITY = z.object({ city: z.string() });
const MESSAGES: Anthropic.MessageParam[] = [{ role: 'user', content: PROMPT }];
const WEATHER: Anthropic.Tool = {
  name: 'weather',
  description: 'The weather in a city',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

let stage: DialectStage;
let apiKey: string;

beforeAll(async () => {
  stage = await startDialectStage();
  apiKey = stage.tenant.key;
});

afterAll(() => stage.program.dispose());

const anthropic = (): Anthropic => new Anthropic({ apiKey, baseURL: stage.program.url, maxRetries: 0 });
const receiptOf = (id: string | null | undefined): Promise<object> => stage.program.admin.showReceipt(id ?? '');
const aiModel = (model: string) => createAnthropic({ apiKey, baseURL: `${stage.program.url}/v1` })(model);
const textOf = ({ content }: Anthropic.Message): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('');

/** The next turn, with what the tool says. */
function answerTo(message: Anthropic.Message): Anthropic.MessageParam[] {
  const results = message.content
    .filter((block) => block.type === 'tool_use')
    .map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: weatherIn('') }));
  return [...MESSAGES, { role: 'assistant', content: message.content }, { role: 'user', content: results }];
}

function usageOf(message: object): UsageMetadata {
  return (message as { readonly usage_metadata: UsageMetadata }).usage_metadata;
}

function langchain(model: string): ChatAnthropic {
  return new ChatAnthropic({
    model,
    anthropicApiKey: apiKey,
    anthropicApiUrl: stage.program.url,
    maxTokens: 1_000,
    maxRetries: 0,
  });
}

describe.each(BEHIND)('Messages with $where', ({ text, tools, json, said, answered }) => {
  test('Anthropic’s SDK gets a whole message, and is charged by its usage', async () => {
    const request = { model: text, max_tokens: 1_000, messages: MESSAGES };
    const { data, request_id } = await anthropic().messages.create(request).withResponse();
    expect(data).toMatchObject({ stop_reason: 'end_turn', content: [{ type: 'text', text: said(PROMPT) }] });
    const { input_tokens: input, output_tokens: output } = data.usage;
    expect(await receiptOf(request_id)).toMatchObject(receiptFor('messages', input, output));
  });

  test('Anthropic’s SDK builds from a stream what it would get whole', async () => {
    const pieces: string[] = [];
    const stream = anthropic().messages.stream({ model: text, max_tokens: 1_000, messages: MESSAGES });
    const message = await stream.on('text', (piece) => void pieces.push(piece)).finalMessage();
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(said(PROMPT));
    expect(message).toMatchObject({ stop_reason: 'end_turn', content: [{ type: 'text', text: said(PROMPT) }] });
    expect(message.usage.output_tokens).toBeGreaterThan(0);
  });

  test('Anthropic’s SDK calls a tool, whole and streamed, and gets the answer that follows', async () => {
    const request = { model: tools, max_tokens: 1_000, tools: [WEATHER] };
    const called = await anthropic().messages.create({ ...request, messages: MESSAGES });
    expect(called).toMatchObject({ stop_reason: 'tool_use' });
    expect(called.content.at(-1)).toMatchObject({ type: 'tool_use', name: 'weather' });
    const streamed = await anthropic()
      .messages.stream({ ...request, messages: MESSAGES })
      .finalMessage();
    for (const message of [called, streamed]) {
      const answer = await anthropic().messages.create({ ...request, messages: answerTo(message) });
      expect(textOf(answer)).toContain(answered(''));
    }
  });

  test('Anthropic’s SDK counts the tokens of a message, and pays nothing for it', async () => {
    const tenant = await stage.program.createTenant({ credit: '1' });
    const client = new Anthropic({ apiKey: tenant.key, baseURL: stage.program.url, maxRetries: 0 });
    const { input_tokens: tokens } = await client.messages.countTokens({ model: text, messages: MESSAGES });
    expect(tokens).toBeGreaterThan(0);
    expect(await stage.program.admin.showWorkspace(tenant.workspaceId)).toMatchObject({
      balance_nano_usd: '1000000000',
    });
  });

  test('the AI SDK’s provider for Anthropic gets a text with its usage', async () => {
    const result = await generateText({ model: aiModel(text), prompt: PROMPT });
    expect(result).toMatchObject({ text: said(PROMPT), finishReason: 'stop' });
    const { inputTokens = -1, outputTokens = -1 } = result.usage;
    const id = result.finalStep.response.headers?.['request-id'];
    expect(await receiptOf(id)).toMatchObject(receiptFor('messages', inputTokens, outputTokens));
  });

  test('the AI SDK’s provider for Anthropic calls a tool in a stream, and gets the answer that follows', async () => {
    const description = 'The weather in a city';
    const weather = tool({ description, inputSchema: CITY, execute: ({ city }) => weatherIn(city) });
    const result = streamText({
      model: aiModel(tools),
      prompt: PROMPT,
      tools: { weather },
      stopWhen: isStepCount(3),
    });
    expect((await Array.fromAsync(result.textStream)).join('')).toBe(answered(PROMPT));
    const steps = await result.steps;
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
  });

  // Of a model that it doesn't know it asks for the object as the arguments of a tool.
  test.each(['jsonTool', 'outputFormat'] as const)(
    'the AI SDK’s provider for Anthropic gets an object by a schema of zod: %s',
    async (structuredOutputMode) => {
      const result = await generateText({
        model: aiModel(structuredOutputMode === 'jsonTool' ? tools : json),
        prompt: PROMPT,
        output: Output.object({ schema: REPLY }),
        providerOptions: { anthropic: { structuredOutputMode } },
      });
      expect(result.output).toEqual({ answer: expect.any(String) });
    },
  );

  test('LangChain’s class for Anthropic gets a message, whole and streamed', async () => {
    const whole = await langchain(text).invoke(PROMPT);
    expect(whole.text).toBe(said(PROMPT));
    const pieces: AIMessageChunk[] = await Array.fromAsync(await langchain(text).stream(PROMPT));
    expect(pieces.map((piece) => piece.text).join('')).toBe(said(PROMPT));
    // It adds the output of a stream's start to that of its end, whatever they say.
    const streamed = usageOf(pieces.reduce((all, piece) => all.concat(piece)));
    expect(streamed.output_tokens).toBeGreaterThanOrEqual(usageOf(whole).output_tokens);
    // It takes the input from the start alone, where it may be an estimate.
    expect(streamed.input_tokens).toBeGreaterThan(0);
  });

  test('LangChain’s class for Anthropic calls a tool, and gets the answer that follows', async () => {
    const weather = langchainTool(({ city }: { city: string }) => weatherIn(city), {
      name: 'weather',
      description: 'The weather in a city',
      schema: CITY,
    });
    const chat = langchain(tools).bindTools([weather]);
    const asked = await chat.invoke(PROMPT);
    const result: unknown = await weather.invoke({ ...asked.tool_calls![0]!, type: 'tool_call' });
    const answer = await chat.invoke([new HumanMessage(PROMPT), asked, result as HumanMessage]);
    expect(answer.text).toBe(answered(PROMPT));
  });
});

test.each(['messages', 'responses', 'chat'])(
  'thoughts go back with the call that they led to: Messages with a provider that speaks %s',
  async (provider) => {
    const request = {
      model: `thinking-on-${provider}`,
      max_tokens: 4_000,
      thinking: { type: 'enabled', budget_tokens: 1_024 },
      tools: [WEATHER],
    } as const satisfies Partial<Anthropic.MessageCreateParams>;
    const called = await anthropic().messages.create({ ...request, tools: [WEATHER], messages: MESSAGES });
    expect(called.content).toMatchObject([{ type: 'thinking', thinking: THOUGHT }, { type: 'tool_use' }]);
    const streamed = await anthropic()
      .messages.stream({ ...request, tools: [WEATHER], messages: MESSAGES })
      .finalMessage();
    expect(streamed.content[0]).toEqual(called.content[0]);
    const answer = await anthropic().messages.create({ ...request, tools: [WEATHER], messages: answerTo(called) });
    expect(answer.stop_reason).toBe('end_turn');
    expect(textOf(answer)).toContain('You said');
  },
);
