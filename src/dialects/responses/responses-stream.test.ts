import { expect, test } from 'vitest';
import { framesOf } from '../../../test/support/event-frames.ts';
import { OPEN_RESPONSES } from '../../../test/support/open-responses.ts';
import { refuse } from '../../domain/refusals.ts';
import { NO_TOKENS } from '../../domain/usage.ts';
import type { JsonObject } from '../../openai/json-object.ts';
import { RESPONSES_DIALECT } from './responses-dialect.ts';
import type { AnswerStream } from '../dialect.ts';

function streamFor(fields: object = {}): AnswerStream {
  const body = Buffer.from(JSON.stringify({ model: 'small', input: 'hi', stream: true, ...fields }));
  const result = RESPONSES_DIALECT.read(body, {});
  if (!result.ok) throw new Error(result.fault.message);
  return result.request.openStream('0a-1b');
}

function write(stream: AnswerStream, event: object): string {
  const payload = Buffer.from(JSON.stringify(event));
  stream.inspect(payload);
  return stream.write(payload);
}

/** The payloads of framed events; each must be framed by its type. */
function payloadsOf(text: string): JsonObject[] {
  return framesOf(text).map(({ name, data }) => {
    const payload = JSON.parse(data) as JsonObject;
    expect(name).toBe(payload['type']);
    return payload;
  });
}

const SETTLED = { charge: 1_000n, tokens: NO_TOKENS, inUsage: false };
const BROKEN = refuse('MODEL_UNAVAILABLE', 'The provider broke off.');
const chunk = (delta: object, finish: string | null = null): object => ({
  model: 'provider-model',
  choices: [{ index: 0, delta, finish_reason: finish }],
});

test('a silence before a native response has begun is filled with a comment, and then with what it was when it began', () => {
  const stream = streamFor();
  expect(stream.ping()).toBe(': ping\n');
  write(stream, { type: 'response.created', sequence_number: 0, response: { id: 'resp_up', status: 'in_progress' } });
  write(stream, { type: 'response.output_text.delta', sequence_number: 1, delta: 'hi' });
  expect(payloadsOf(stream.ping())).toEqual([
    { type: 'response.in_progress', sequence_number: 1, response: { id: 'resp_up', status: 'in_progress' } },
  ]);
});

test('a silence of a translated response is filled with numbered events, from the first on', () => {
  const stream = streamFor().fromChat();
  const events = [stream.ping(), stream.ping(), write(stream, chunk({ content: 'hi' }))].flatMap(payloadsOf);
  expect(events.map(({ type }) => type).slice(0, 4)).toEqual([
    'response.created',
    'response.in_progress',
    'response.in_progress',
    'response.output_item.added',
  ]);
  expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
  expect(events.flatMap((event) => OPEN_RESPONSES.eventFaults(event))).toEqual([]);
});

test.each([
  ['native', (stream: AnswerStream) => stream, { type: 'response.output_text.delta', sequence_number: 0, delta: 'hi' }],
  ['translated', (stream: AnswerStream) => stream.fromChat(), chunk({ content: 'hi' })],
] as const)('a %s response that breaks off ends as failed, with the reason and its code', (_, form, event) => {
  const stream = form(streamFor());
  const before = payloadsOf(write(stream, event)).length;
  const end = payloadsOf(stream.broken(BROKEN));
  expect(end.flatMap((failed) => OPEN_RESPONSES.eventFaults(failed))).toEqual([]);
  expect(end).toMatchObject([
    {
      type: 'response.failed',
      sequence_number: before,
      response: {
        status: 'failed',
        error: { code: 'server_error', message: BROKEN.message, details: { code: 'MODEL_UNAVAILABLE' } },
      },
    },
  ]);
});

test.each([
  ['native', (stream: AnswerStream) => stream],
  ['translated', (stream: AnswerStream) => stream.fromChat()],
] as const)('a %s response that breaks off before its first event begins and fails', (_, form) => {
  const events = payloadsOf(form(streamFor()).broken(BROKEN));
  expect(events.flatMap((event) => OPEN_RESPONSES.eventFaults(event))).toEqual([]);
  expect(events).toMatchObject([
    { type: 'response.created', sequence_number: 0, response: { id: 'resp_0a1b', status: 'in_progress', error: null } },
    { type: 'response.failed', sequence_number: 1, response: { id: 'resp_0a1b', status: 'failed' } },
  ]);
});

test('a native response that breaks off ends as the one that began', () => {
  const stream = streamFor();
  const response = { id: 'resp_up', status: 'in_progress', error: null, of_next_year: 1 };
  write(stream, { type: 'response.created', sequence_number: 0, response });
  const error = { code: 'server_error', message: BROKEN.message };
  expect(payloadsOf(stream.broken(BROKEN))).toMatchObject([
    { type: 'response.failed', sequence_number: 1, response: { ...response, status: 'failed', error } },
  ]);
});

test('the end of a translated response is the same however often it is asked for, and has the charge', () => {
  const stream = streamFor().fromChat();
  write(stream, chunk({ content: 'hi' }));
  write(stream, chunk({}, 'stop'));
  write(stream, { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } });
  const end = stream.end(SETTLED);
  expect(stream.end(SETTLED)).toBe(end);
  expect(end).toContain(': faregate-charge 0.000001\nevent: response.completed\ndata: ');
  expect(payloadsOf(end).at(-1)).toMatchObject({
    type: 'response.completed',
    response: {
      id: 'resp_0a1b',
      model: 'provider-model',
      usage: { input_tokens: 3, input_tokens_details: { cache_write_tokens: 0 }, output_tokens: 2 },
    },
  });
});
