import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  BAD,
  GOOD,
  MESSAGES,
  type PassthroughStage,
  RESPONSES,
  SCHEMA,
  says,
  startPassthroughStage,
} from './passthrough-stage.ts';

// Other people's clients, and what goes with Responses: requests by a schema pass to providers that speak the client's API,
// and the objects that clients make of the answers are right.

let stage: PassthroughStage;
let openAi: OpenAI;
let anthropic: Anthropic;

beforeAll(async () => {
  stage = await startPassthroughStage();
  const { url } = stage.program;
  openAi = new OpenAI({ apiKey: stage.key, baseURL: `${url}/v1`, maxRetries: 0 });
  anthropic = new Anthropic({ authToken: stage.key, apiKey: null, baseURL: url, maxRetries: 0 });
});

afterAll(() => stage.program.dispose());

const paths = (): readonly string[] => stage.asked.map(({ path }) => path);

const person = z.object({ name: z.string(), age: z.int() });
const ADA = { name: 'Ada', age: 36 };
const FORGETFUL = '{"name":"Ada"}';

test("an answer that passes, or takes the place of one that does not conform, is what OpenAI's SDK parses with zod", async () => {
  const request = { model: 'gpt', input: 'Who?', text: { format: zodTextFormat(person, 'person') } };
  for (const said of [[JSON.stringify(ADA)], [FORGETFUL, JSON.stringify(ADA)]]) {
    stage.say(...said);
    expect((await openAi.responses.parse(request)).output_parsed).toEqual(ADA);
    expect(stage.asked).toHaveLength(said.length);
    expect(paths()[0]).toBe(RESPONSES.path);
    stage.say(...said);
    const streamed = await openAi.responses.stream(request).finalResponse();
    expect(streamed.output_parsed).toEqual(ADA);
    expect(stage.asked).toHaveLength(said.length);
  }
});

test('an answer that passes, or takes the place of one that does not conform, is parsed by the SDK of Anthropic', async () => {
  const messages = [{ role: 'user' as const, content: 'Who?' }];
  const request = { model: 'claude', max_tokens: 500, messages, output_config: { format: zodOutputFormat(person) } };
  for (const said of [[JSON.stringify(ADA)], [FORGETFUL, JSON.stringify(ADA)]]) {
    stage.say(...said);
    expect((await anthropic.messages.parse(request)).parsed_output).toEqual(ADA);
    expect(stage.asked).toHaveLength(said.length);
    stage.say(...said);
    const streamed = await anthropic.messages.stream(request).finalMessage();
    expect(streamed.parsed_output).toEqual(ADA);
    expect(stage.asked).toHaveLength(said.length);
  }
});

test('a recorded request of Codex for an answer by a schema arrives as it was sent', async () => {
  const recorded = readFileSync(join(import.meta.dirname, '../fixtures/agents/codex-output-schema.json'), 'utf8');
  const { body } = JSON.parse(recorded) as { readonly body: { readonly text: { readonly format: object } } };
  stage.say({
    ...says('Let me look.'),
    calls: [{ id: 'call_1', name: 'exec_command', arguments: ['{}'] }],
    finish: 'tool_calls',
  });
  const sent = JSON.stringify({ ...body, model: 'gpt' });
  const response = await stage.send(RESPONSES, sent);
  expect([response.status, (await response.text()).includes('exec_command')]).toEqual([200, true]);
  const arrived = JSON.parse(stage.asked[0]?.body.toString() ?? '') as object;
  const { tools: _tools, ...rest } = JSON.parse(sent) as { tools: unknown };
  expect([paths(), arrived]).toEqual([[RESPONSES.path], expect.objectContaining({ ...rest, model: 'theirs' })]);
});

test('a message that says its format at the top, as older clients do, has the same promise from every provider', async () => {
  const format = `{"type":"json_schema","schema":${SCHEMA}}`;
  const body = (model: string, more = ''): string =>
    `{"model":"${model}","max_tokens":500,"messages":[{"role":"user","content":"Who?"}],${more}"output_format":${format}}`;
  stage.say(BAD, GOOD);
  const response = await stage.send(MESSAGES, body('claude'));
  expect(await response.json()).toMatchObject({ content: [{ type: 'text', text: GOOD }] });
  expect(stage.asked[0]?.body.toString()).toBe(body('theirs'));
  stage.say({ status: 503, body: '{}' }, GOOD);
  const inChat = await stage.send(MESSAGES, body('claude-then-chat'));
  expect(await inChat.json()).toMatchObject({
    content: expect.arrayContaining([expect.objectContaining({ text: GOOD })]),
  });
  expect(JSON.parse(stage.asked[1]?.body.toString() ?? '')).toMatchObject({ response_format: { type: 'json_schema' } });
  const twice = await stage.send(MESSAGES, body('claude', `"output_config":{"format":${format}},`));
  expect(twice.status).toBe(400);
  expect(await twice.json()).toMatchObject({ error: { code: 'INVALID_REQUEST', param: 'output_format' } });
});

test('an answer by a schema that passes is kept under its own id, and the next request by a schema goes on from it', async () => {
  for (const more of ['', '"stream":true,']) {
    const kept = RESPONSES.body(SCHEMA, more).replace('"store":false', '"store":true');
    stage.say(GOOD);
    const first = await stage.send(RESPONSES, kept);
    expect(await first.text()).toContain('"resp_0f1e2d"');
    expect(stage.asked[0]?.body.toString()).toBe(
      kept.replace('"gpt"', '"theirs"').replace('"store":true', '"store":false'),
    );
    const found = await openAi.responses.retrieve('resp_0f1e2d');
    expect(found).toMatchObject({ output_text: GOOD, store: true });
    stage.say(BAD, GOOD);
    const next = await stage.send(RESPONSES, RESPONSES.body(SCHEMA, `${more}"previous_response_id":"resp_0f1e2d",`));
    expect([next.status, (await next.text()).includes('secret')]).toEqual([200, false]);
    expect(paths()).toEqual([RESPONSES.path, '/openai/v1/chat/completions']);
    for (const { body } of stage.asked) expect(body.toString()).toContain(JSON.stringify(GOOD).slice(1, -1));
    await openAi.responses.delete('resp_0f1e2d');
  }
});

test('texts of a response that only together would be JSON are asked for again, as are streams that contradict', async () => {
  const event = (type: string, more: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
  const message = (...texts: readonly string[]): object => ({
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: texts.map((text) => ({ type: 'output_text', text, annotations: [] })),
  });
  const usage = { input_tokens: 20, output_tokens: 10, total_tokens: 30 };
  const response = (...output: readonly object[]): object => ({
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    output,
    usage,
  });
  stage.say({ status: 200, body: JSON.stringify(response(message('{"n":', '1}'))) }, GOOD);
  const plain = await stage.send(RESPONSES, RESPONSES.body(SCHEMA));
  expect(await plain.json()).toMatchObject({ output: [{ content: [{ text: GOOD }] }] });
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  const part = { type: 'output_text', text: BAD, annotations: [] };
  for (const [index, contradicting] of [
    event('response.output_text.delta', { delta: BAD, ...place }),
    event('response.output_text.done', { text: BAD, ...place }),
    event('response.content_part.done', { part, ...place }),
  ].entries()) {
    const body =
      event('response.created', { response: { id: 'resp_1', status: 'in_progress', output: [] } }) +
      contradicting +
      event('response.completed', { response: response(message(GOOD)) });
    stage.say({ status: 200, body }, GOOD);
    // A schema of its own: one that has twice not been answered with JSON isn't sent as it is.
    const schema = SCHEMA.replace('{', `{"title":"contradiction ${index}",`);
    const streamed = await stage.send(RESPONSES, RESPONSES.body(schema, '"stream":true,'));
    expect((await streamed.text()).includes('secret')).toBe(false);
    expect(paths()).toEqual([RESPONSES.path, '/openai/v1/chat/completions']);
  }
});

test('an answer that conforms passes with an image of megabytes beside it', async () => {
  const image = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'iVBO'.repeat(1_500_000) };
  const message = { type: 'message', id: 'msg_1', content: [{ type: 'output_text', text: GOOD }] };
  const usage = { input_tokens: 20, output_tokens: 10, total_tokens: 30 };
  const body = JSON.stringify({
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    output: [image, message],
    usage,
  });
  stage.say({ status: 200, body });
  const response = await stage.send(RESPONSES, RESPONSES.body(SCHEMA));
  expect([response.status, (await response.text()) === body]).toEqual([200, true]);
});

test('a large request whose answer does not conform is asked for again in chat like any other', async () => {
  stage.say(BAD, '{"n":1}');
  const large = RESPONSES.body(SCHEMA).replace('Who?', 'x'.repeat(300_000));
  const response = await stage.send(RESPONSES, large);
  expect(await response.json()).toMatchObject({ output: [{ content: [{ text: '{"n":1}' }] }] });
  expect(paths()).toEqual([RESPONSES.path, '/openai/v1/chat/completions']);
});
