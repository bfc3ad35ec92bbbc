import { createOpenAI } from '@ai-sdk/openai';
import { createOpenResponses } from '@ai-sdk/open-responses';
import { Agent, Runner, tool as agentTool, user } from '@openai/agents-core';
import { OpenAIProvider } from '@openai/agents-openai';
import { generateText, isStepCount, type LanguageModel, Output, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { BEHIND, type DialectStage, receiptFor, startDialectStage, THOUGHT, weatherIn } from './dialect-stage.ts';

// Clients of Responses, with their base URL and key changed and nothing else.

const PROMPT = 'hello there, gate';
const REPLY = z.object({ answer: z.string() });
const CITY = z.object({ city: z.string() });
const CALLED = { description: 'The weather in a city', inputSchema: CITY };

let stage: DialectStage;
let baseURL: string;
let apiKey: string;

beforeAll(async () => {
  stage = await startDialectStage();
  baseURL = `${stage.program.url}/v1`;
  apiKey = stage.tenant.key;
});

afterAll(() => stage.program.dispose());

const openAi = (): OpenAI => new OpenAI({ apiKey, baseURL, maxRetries: 0 });
const receiptOf = (id: string | null | undefined): Promise<object> => stage.program.admin.showReceipt(id ?? '');

/** The AI SDK's models by two of its providers, which pass the same tests. */
const AI_PROVIDERS: readonly (readonly [name: string, modelOf: (id: string) => LanguageModel])[] = [
  ['OpenAI', (id) => createOpenAI({ apiKey, baseURL })(id)],
  ['Open Responses', (id) => createOpenResponses({ name: 'faregate', url: `${baseURL}/responses`, apiKey })(id)],
];

describe.each(BEHIND)('Responses with $where', ({ text, tools, json, said, answered }) => {
  test('OpenAI’s SDK gets a whole response, and is charged by its usage', async () => {
    const { data, request_id } = await openAi().responses.create({ model: text, input: PROMPT }).withResponse();
    expect(data).toMatchObject({ status: 'completed', output_text: said(PROMPT) });
    const { input_tokens: input = -1, output_tokens: output = -1 } = data.usage ?? {};
    expect(await receiptOf(request_id)).toMatchObject(receiptFor('responses', input, output));
  });

  test('OpenAI’s SDK builds from a stream what it would get whole', async () => {
    const stream = openAi().responses.stream({ model: text, input: PROMPT });
    const pieces: string[] = [];
    for await (const event of stream) if (event.type === 'response.output_text.delta') pieces.push(event.delta);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(said(PROMPT));
    expect(await stream.finalResponse()).toMatchObject({ status: 'completed', output_text: said(PROMPT) });
  });

  test('OpenAI’s SDK parses an answer by a schema of zod, whole and streamed', async () => {
    const request = { model: json, input: PROMPT, text: { format: zodTextFormat(REPLY, 'reply') } };
    const parsed = await openAi().responses.parse(request);
    expect(parsed.output_parsed).toEqual({ answer: expect.any(String) });
    const streamed = await openAi().responses.stream(request).finalResponse();
    expect(streamed.output_parsed).toEqual(parsed.output_parsed);
  });

  test('OpenAI’s agents call a tool, answer, and remember it in the next turn', async () => {
    const weather = agentTool({
      name: 'weather',
      description: CALLED.description,
      parameters: CITY,
      execute: ({ city }) => weatherIn(city),
    });
    const agent = new Agent({ name: 'Guide', instructions: 'Be brief.', model: tools, tools: [weather] });
    const runner = new Runner({ modelProvider: new OpenAIProvider({ apiKey, baseURL }), tracingDisabled: true });
    const first = await runner.run(agent, PROMPT);
    expect(first.finalOutput).toBe(answered(PROMPT));
    const second = await runner.run(agent, [...first.history, user('and tomorrow?')]);
    expect(second.history.filter(({ type }) => type === 'function_call').length).toBeGreaterThan(0);
    expect(second.finalOutput).toEqual(expect.any(String));
  });

  test.each(AI_PROVIDERS)('the AI SDK’s provider for %s gets a text with its usage', async (_name, modelOf) => {
    const result = await generateText({ model: modelOf(text), prompt: PROMPT });
    expect(result).toMatchObject({ text: said(PROMPT), finishReason: 'stop' });
    const { inputTokens = -1, outputTokens = -1 } = result.usage;
    const id = result.finalStep.response.headers?.['x-request-id'];
    expect(await receiptOf(id)).toMatchObject(receiptFor('responses', inputTokens, outputTokens));
  });

  test.each(AI_PROVIDERS)(
    'the AI SDK’s provider for %s calls a tool in a stream, and gets the answer that follows',
    async (_name, modelOf) => {
      const weather = tool({ ...CALLED, execute: ({ city }) => weatherIn(city) });
      const settings = { prompt: PROMPT, tools: { weather }, stopWhen: isStepCount(3) };
      const result = streamText({ model: modelOf(tools), ...settings });
      expect((await Array.fromAsync(result.textStream)).join('')).toBe(answered(PROMPT));
      const steps = await result.steps;
      expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
      expect(steps[0]?.toolResults).toMatchObject([{ toolName: 'weather', output: weatherIn('') }]);
    },
  );

  test.each(AI_PROVIDERS)('the AI SDK’s provider for %s gets an object by a schema of zod', async (_name, modelOf) => {
    const output = Output.object({ schema: REPLY });
    const result = await generateText({ model: modelOf(json), prompt: PROMPT, output });
    expect(result.output).toEqual({ answer: expect.any(String) });
  });
});

test.each(['responses', 'messages', 'chat'])(
  'thoughts go back with the call that they led to: Responses with a provider that speaks %s',
  async (provider) => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } } };
    const settings: Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'input'> = {
      model: `thinking-on-${provider}`,
      store: false,
      reasoning: { effort: 'low', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      tools: [{ type: 'function', name: 'weather', parameters, strict: false }],
    };
    const asked: OpenAI.Responses.ResponseInputItem = { role: 'user', content: PROMPT };
    const { output } = await openAi().responses.create({ ...settings, input: [asked] });
    expect(output).toMatchObject([{ type: 'reasoning', summary: [{ text: THOUGHT }] }, { type: 'function_call' }]);
    const results = output
      .filter((item) => item.type === 'function_call')
      .map(({ call_id }) => ({ type: 'function_call_output', call_id, output: weatherIn('') }) as const);
    const said = output as OpenAI.Responses.ResponseInputItem[];
    const answer = await openAi().responses.create({ ...settings, input: [asked, ...said, ...results] });
    expect(answer.output_text).toBe(`You said: ${PROMPT}`);
  },
);
