import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { generateObject, Output, streamText } from 'ai';
import OpenAI, { InternalServerError } from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Tenant } from '../support/tenant.ts';
import { type Asked, CAPABILITIES, type Said, type Stage, startStage } from './stage.ts';

// Other people's clients ask for structured output as they always do, and get it whatever the upstream knows of it.

let stage: Stage;
let tenant: Tenant;

beforeAll(async () => {
  stage = await startStage();
  tenant = await stage.program.createTenant({ credit: '10' });
});

afterAll(() => stage.program.dispose());

const step = z.object({ explanation: z.string().min(3), output: z.string() });
const solution = z.object({ steps: z.array(step).max(4), answer: z.enum(['one', 'two']), note: z.string().nullable() });
type Solution = z.output<typeof solution>;

const SOLUTION: Solution = { steps: [{ explanation: 'Add them.', output: '1 + 1' }], answer: 'two', note: null };
const PROMPT = 'What is 1 + 1?';

/** A model that at first forgets a property, and says the rest in the way in which it is asked. */
function forgetful(): (asked: Asked) => Said {
  let turn = 0;
  return ({ tools }) => {
    const { note: _note, ...incomplete } = SOLUTION;
    const text = JSON.stringify(turn++ === 0 ? incomplete : SOLUTION);
    return tools === undefined ? text : { calls: [{ name: tools[0]?.function.name ?? '', arguments: text }] };
  };
}

describe.each(CAPABILITIES)('a model whose upstream knows %s', (model) => {
  test("an answer by a schema is what OpenAI's SDK parses with zod, plain and streamed", async () => {
    const client = new OpenAI({ apiKey: tenant.key, baseURL: `${stage.program.url}/v1`, maxRetries: 0 });
    const body = {
      model,
      messages: [{ role: 'user' as const, content: PROMPT }],
      response_format: zodResponseFormat(solution, 'solution'),
    };
    stage.answer(forgetful());
    const answer = await client.chat.completions.parse(body);
    expect(answer.choices[0]?.message.parsed).toEqual(SOLUTION);
    expect(stage.asked).toHaveLength(2);
    const streamed = await client.chat.completions.stream(body).finalChatCompletion();
    expect(streamed.choices[0]?.message.parsed).toEqual(SOLUTION);
  });

  test("an answer by a schema gives Vercel's AI SDK its objects, plain and streamed", async () => {
    const provider = createOpenAICompatible({
      name: 'faregate',
      baseURL: `${stage.program.url}/v1`,
      apiKey: tenant.key,
      supportsStructuredOutputs: true,
    });
    stage.answer(forgetful());
    // oxlint-disable-next-line typescript/no-deprecated -- most of what is written for this SDK calls it
    const { object } = await generateObject({ model: provider(model), schema: solution, prompt: PROMPT });
    expect(object).toEqual(SOLUTION);
    const output = Output.object({ schema: solution });
    const streamed = streamText({ model: provider(model), prompt: PROMPT, output });
    expect(await streamed.output).toEqual(SOLUTION);
  });

  test("an answer by a schema is LangChain's structured output", async () => {
    const configuration = { baseURL: `${stage.program.url}/v1` };
    const chat = new ChatOpenAI({ model, apiKey: tenant.key, maxRetries: 0, configuration });
    stage.answer(forgetful());
    expect(await chat.withStructuredOutput(solution, { method: 'jsonSchema' }).invoke(PROMPT)).toEqual(SOLUTION);
  });
});

test('an answer that never conforms is an error that the SDK does not repeat', async () => {
  stage.answer(() => '{"steps":[]}');
  const client = new OpenAI({ apiKey: tenant.key, baseURL: `${stage.program.url}/v1`, maxRetries: 2 });
  const response_format = zodResponseFormat(solution, 'solution');
  const failing = client.chat.completions.parse({
    model: 'strict',
    messages: [{ role: 'user', content: PROMPT }],
    response_format,
  });
  await expect(failing).rejects.toThrow(InternalServerError);
  await expect(failing).rejects.toMatchObject({ status: 502, code: 'OUTPUT_NOT_CONFORMING', type: 'server_error' });
  expect(stage.asked).toHaveLength(3);
});
