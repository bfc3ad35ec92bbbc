import { createAnthropic as createAnthropic4 } from '@ai-sdk/anthropic';
import { createOpenAI as createOpenAI4 } from '@ai-sdk/openai';
import Anthropic1 from '@anthropic-ai/sdk';
import { ChatOpenAI } from '@langchain/openai';
import { createAnthropic as createAnthropic3 } from 'ai-sdk-anthropic-3';
import { createOpenAI as createOpenAI3 } from 'ai-sdk-openai-3';
import * as ai7 from 'ai';
import * as ai6 from 'ai-6';
import Anthropic0 from 'anthropic-sdk-0';
import OpenAI7 from 'openai';
import OpenAI6 from 'openai-6';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type DialectStage, startDialectStage, weatherIn } from './dialect-stage.ts';

// The newest and the former major version of each client, with its helpers, behind models whose answers are translated. The
// types of a former version are others; what is called of it here is the same.

const PROMPT = 'hello there, gate';
const SAID = `You said: ${PROMPT}`;
const MESSAGES = [{ role: 'user' as const, content: PROMPT }];
const SCHEMA = {
  type: 'object' as const,
  properties: { answer: { type: 'string' } },
  required: ['answer'],
  additionalProperties: false,
};
const CITY = {
  type: 'object' as const,
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const DESCRIPTION = 'The weather in a city';

let stage: DialectStage;

beforeAll(async () => {
  stage = await startDialectStage();
});

afterAll(() => stage.program.dispose());

/** The charge in USD, as usage.cost. */
const COST = expect.stringMatching(/^0\.\d+$/) as unknown;
const COST_WANTED = { 'x-faregate-report-cost': 'true' };

const openAiOptions = () => ({ apiKey: stage.tenant.key, baseURL: `${stage.program.url}/v1`, maxRetries: 0 });
const anthropicOptions = () => ({ apiKey: stage.tenant.key, baseURL: stage.program.url, maxRetries: 0 });

describe.each([
  { version: 7, OpenAI: OpenAI7 },
  { version: 6, OpenAI: OpenAI6 as unknown as typeof OpenAI7 },
])('openai $version', ({ OpenAI }) => {
  const MODEL = 'on-messages';

  test('two versions of OpenAI’s SDK have chat answered whole, streamed, and by the helper that gathers a stream', async () => {
    const { completions } = new OpenAI(openAiOptions()).chat;
    const whole = await completions.create({ model: MODEL, messages: MESSAGES });
    expect(whole.choices[0]).toMatchObject({ message: { content: SAID }, finish_reason: 'stop' });
    const gathered = await completions.stream({ model: MODEL, messages: MESSAGES }).finalChatCompletion();
    expect(gathered.choices[0]).toMatchObject({ message: { content: SAID }, finish_reason: 'stop' });
  });

  test.each([false, true])(
    'two versions of OpenAI’s runner of tools end with the answer that follows the call: stream %s',
    async (stream) => {
      const run = {
        model: MODEL,
        messages: MESSAGES,
        tools: [
          {
            type: 'function' as const,
            function: {
              name: 'weather',
              description: DESCRIPTION,
              parameters: CITY,
              parse: (text: string) => JSON.parse(text) as { city: string },
              function: ({ city }: { city: string }) => weatherIn(city),
            },
          },
        ],
      };
      const { completions } = new OpenAI(openAiOptions()).chat;
      const runner = stream ? completions.runTools({ ...run, stream }) : completions.runTools(run);
      expect(await runner.finalContent()).toBe(SAID);
      expect(await runner.finalFunctionToolCall()).toMatchObject({ name: 'weather' });
    },
  );

  test('two versions of OpenAI’s SDK parse an answer by a schema, of chat and of Responses', async () => {
    const client = new OpenAI(openAiOptions());
    const format = { name: 'reply', strict: true, schema: SCHEMA };
    const chat = await client.chat.completions.parse({
      model: `json-${MODEL}`,
      messages: MESSAGES,
      response_format: { type: 'json_schema', json_schema: format },
    });
    expect(chat.choices[0]?.message.parsed).toEqual({ answer: expect.any(String) });
    const response = await client.responses.parse({
      model: `json-${MODEL}`,
      input: PROMPT,
      text: { format: { type: 'json_schema', ...format } },
    });
    expect(response.output_parsed).toEqual({ answer: expect.any(String) });
  });

  test('two versions of OpenAI’s SDK get a response whole, streamed by its helper too, with what went to a cache', async () => {
    const { responses } = new OpenAI(openAiOptions());
    const whole = await responses.create({ model: MODEL, input: PROMPT });
    const gathered = await responses.stream({ model: MODEL, input: PROMPT }).finalResponse();
    expect(whole.output_text).toBe(SAID);
    for (const { output, usage } of [whole, gathered]) {
      expect(output).toMatchObject([{ type: 'message', content: [{ type: 'output_text', text: SAID }] }]);
      expect(usage?.input_tokens_details).toEqual({ cached_tokens: 0, cache_write_tokens: 0 });
    }
  });

  test('two versions of OpenAI’s SDK show what an answer has cost, whole and streamed, with usage or without', async () => {
    const client = new OpenAI({ ...openAiOptions(), defaultHeaders: COST_WANTED });
    const asked = { model: MODEL, messages: MESSAGES };
    const whole = await client.chat.completions.create(asked);
    const { usage: gathered } = await client.chat.completions.stream(asked).finalChatCompletion();
    const counted = await client.chat.completions
      .stream({ ...asked, stream_options: { include_usage: true } })
      .finalChatCompletion();
    const response = await client.responses.create({ model: MODEL, input: PROMPT });
    const streamed = await client.responses.stream({ model: MODEL, input: PROMPT }).finalResponse();
    for (const usage of [whole.usage, gathered, counted.usage, response.usage, streamed.usage]) {
      expect(usage).toMatchObject({ cost: COST, total_tokens: whole.usage?.total_tokens });
    }
  });
});

describe.each([
  { version: 1, Anthropic: Anthropic1 },
  { version: 0, Anthropic: Anthropic0 as unknown as typeof Anthropic1 },
])('@anthropic-ai/sdk $version', ({ Anthropic }) => {
  const MODEL = 'on-chat';
  const request = { model: MODEL, max_tokens: 1_000, messages: MESSAGES };

  test('two versions of Anthropic’s SDK get a message whole, and by the helper that gathers a stream', async () => {
    const { messages } = new Anthropic(anthropicOptions());
    const said = { stop_reason: 'end_turn', content: [{ type: 'text', text: SAID }] };
    expect(await messages.create(request)).toMatchObject(said);
    expect(await messages.stream(request).finalMessage()).toMatchObject(said);
  });

  // The newest asks for a thread first, and goes on without one.
  test.each([false, true])(
    'two versions of Anthropic’s runner of tools end with the answer that follows the call: stream %s',
    async (stream) => {
      const weather = {
        type: 'custom' as const,
        name: 'weather',
        description: DESCRIPTION,
        input_schema: CITY,
        parse: (input: unknown) => input as { city: string },
        run: ({ city }: { city: string }) => weatherIn(city),
      };
      const { beta } = new Anthropic(anthropicOptions());
      const runner = stream
        ? beta.messages.toolRunner({ ...request, tools: [weather], stream })
        : beta.messages.toolRunner({ ...request, tools: [weather] });
      const { content } = await runner.runUntilDone();
      expect(content).toMatchObject([{ type: 'text', text: SAID }]);
    },
  );

  test('two versions of Anthropic’s SDK parse an answer by a schema', async () => {
    const { messages } = new Anthropic(anthropicOptions());
    const parsed = await messages.parse({
      ...request,
      model: `json-${MODEL}`,
      output_config: { format: { type: 'json_schema', schema: SCHEMA } },
    });
    expect(parsed.content).toMatchObject([{ type: 'text', text: expect.stringContaining('"answer"') }]);
  });

  test('two versions of Anthropic’s SDK show what an answer has cost, of a stream in its last event', async () => {
    const { messages } = new Anthropic({ ...anthropicOptions(), defaultHeaders: COST_WANTED });
    expect((await messages.create(request)).usage).toMatchObject({ cost: COST });
    const events = await Array.fromAsync(await messages.create({ ...request, stream: true }));
    expect(events.findLast(({ type }) => type === 'message_delta')).toMatchObject({ usage: { cost: COST } });
    expect((await messages.stream(request).finalMessage()).content).toMatchObject([{ text: SAID }]);
  });
});

const OPENAI_4 = () => createOpenAI4(openAiOptions());
const OPENAI_3 = () => createOpenAI3(openAiOptions());
const anthropic4 = () => createAnthropic4({ ...anthropicOptions(), baseURL: `${stage.program.url}/v1` });
const anthropic3 = () => createAnthropic3({ ...anthropicOptions(), baseURL: `${stage.program.url}/v1` });

type Model = ai7.LanguageModel;

/** The same of both versions. */
interface AiVersion {
  readonly version: number;
  readonly generateText: typeof ai7.generateText;
  readonly streamText: typeof ai7.streamText;
  readonly stepCountIs: typeof ai7.isStepCount;
  readonly models: Readonly<Record<'anthropic' | 'openai' | 'openai.chat', (model: string) => Model>>;
}

const AI_VERSIONS: readonly AiVersion[] = [
  {
    version: 7,
    generateText: ai7.generateText,
    streamText: ai7.streamText,
    stepCountIs: ai7.isStepCount,
    models: {
      anthropic: (model) => anthropic4()(model),
      openai: (model) => OPENAI_4()(model),
      'openai.chat': (model) => OPENAI_4().chat(model),
    },
  },
  {
    version: 6,
    generateText: ai6.generateText as unknown as typeof ai7.generateText,
    streamText: ai6.streamText as unknown as typeof ai7.streamText,
    stepCountIs: ai6.stepCountIs as unknown as typeof ai7.isStepCount,
    models: {
      anthropic: (model) => anthropic3()(model),
      openai: (model) => OPENAI_3()(model),
      'openai.chat': (model) => OPENAI_3().chat(model),
    },
  },
];

const WAYS = [
  { way: 'anthropic', behind: 'on-chat' },
  { way: 'openai', behind: 'on-messages' },
  { way: 'openai.chat', behind: 'on-messages' },
] as const;

describe.each(AI_VERSIONS.flatMap((version) => WAYS.map((way) => ({ ...version, ...way }))))(
  'ai $version by $way()',
  ({ generateText, streamText, stepCountIs, models, way, behind }) => {
    test('two versions of the AI SDK get a text whole and streamed, with its usage', async () => {
      const whole = await generateText({ model: models[way](behind), prompt: PROMPT });
      expect(whole).toMatchObject({ text: SAID, finishReason: 'stop' });
      const streamed = streamText({ model: models[way](behind), prompt: PROMPT });
      expect((await Array.fromAsync(streamed.textStream)).join('')).toBe(SAID);
      expect(await streamed.usage).toMatchObject({ outputTokens: whole.usage.outputTokens });
    });

    test('two versions of the AI SDK call tools in a stream, and get the answer that follows', async () => {
      const weather = ai7.tool({
        description: DESCRIPTION,
        inputSchema: z.object({ city: z.string() }),
        execute: ({ city }) => weatherIn(city),
      });
      const result = streamText({
        model: models[way](behind),
        prompt: PROMPT,
        tools: { weather },
        stopWhen: stepCountIs(3),
      });
      expect((await Array.fromAsync(result.textStream)).join('')).toBe(SAID);
      expect(await result.steps).toHaveLength(2);
    });

    test('two versions of the AI SDK get an object by a schema', async () => {
      const { output } = await generateText({
        model: models[way](`json-${behind}`),
        prompt: PROMPT,
        output: ai7.Output.object({ schema: z.object({ answer: z.string() }) }),
        providerOptions: { anthropic: { structuredOutputMode: 'outputFormat' } },
      });
      expect(output).toEqual({ answer: expect.any(String) });
    });

    test('two versions of the AI SDK show what an answer has cost', async () => {
      const settings = { model: models[way](behind), prompt: PROMPT, headers: COST_WANTED };
      const whole = await generateText(settings);
      const streamed = streamText(settings);
      await streamed.consumeStream();
      // Its provider for chat keeps no member of usage that it doesn't know.
      const shown = way === 'openai.chat' ? {} : { raw: { cost: COST } };
      for (const usage of [whole.usage, await streamed.usage]) {
        expect(usage).toMatchObject({ totalTokens: expect.any(Number), ...shown });
      }
    });
  },
);

test('LangChain shows what an answer of chat has cost, whole and streamed', async () => {
  const { baseURL, ...options } = openAiOptions();
  const configuration = { baseURL, defaultHeaders: COST_WANTED };
  const chat = new ChatOpenAI({ ...options, model: 'on-messages', configuration });
  const pieces = await Array.fromAsync(await chat.stream(PROMPT));
  const streamed = pieces.reduce((all, piece) => all.concat(piece));
  expect(streamed.text).toBe(SAID);
  expect((await chat.invoke(PROMPT)).response_metadata).toMatchObject({ usage: { cost: COST } });
  expect(streamed.response_metadata).toMatchObject({ usage: { cost: COST } });
});
