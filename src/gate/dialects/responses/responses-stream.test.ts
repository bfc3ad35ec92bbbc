import { expect, test, vi } from 'vitest';
import { framesOf } from '../../../../test/support/event-frames.ts';
import { OPEN_RESPONSES } from '../../../../test/support/open-responses.ts';
import { refuse } from '../../../domain/refusals.ts';
import { NO_TOKENS } from '../../../domain/usage.ts';
import type { JsonObject } from '../../openai/json-object.ts';
import { RESPONSES_DIALECT } from './responses-dialect.ts';
import type { AnswerStream } from '../dialect.ts';

function streamFor(fields: object = {}): AnswerStream {
  const body = Buffer.from(JSON.stringify({ model: 'small', input: 'hi', stream: true, ...fields }));
  const result = RESPONSES_DIALECT.read(body, {});
  if (!result.ok) throw new Error(result.fault.message);
  return result.request.text!.openStream('0a-1b');
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
    {
      type: 'response.in_progress',
      sequence_number: 1,
      response: { id: 'resp_up', status: 'in_progress' },
    },
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

test.each([[5], ['resp_up']])('a native response that began as %j breaks off under an id of its own', (response) => {
  const stream = streamFor();
  write(stream, { type: 'response.created', sequence_number: 0, response });
  const events = payloadsOf(stream.broken(BROKEN));
  expect(events).toMatchObject([
    { type: 'response.failed', sequence_number: 1, response: { id: 'resp_0a1b', model: 'small', output: [] } },
  ]);
});

test('a native response that says nothing of how it stands breaks off with both', () => {
  const stream = streamFor();
  write(stream, { type: 'response.created', sequence_number: 0, response: { id: 'resp_up' } });
  write(stream, { type: 'response.in_progress', sequence_number: 1, response: { id: 'later' } });
  const error = { code: 'server_error', message: BROKEN.message, details: { code: BROKEN.code, type: 'server_error' } };
  const type = 'response.failed';
  expect(payloadsOf(stream.broken(BROKEN))).toEqual([
    { type, sequence_number: 2, response: { id: 'resp_up', status: 'failed', error } },
  ]);
});

/** The stream of a request whose references were replaced. */
function resolvedStream(isKept: boolean): AnswerStream {
  const body = Buffer.from(JSON.stringify({ model: 'small', input: 'hi', previous_response_id: 'resp_0' }));
  const result = RESPONSES_DIALECT.read(body, {});
  if (!result.ok) throw new Error(result.fault.message);
  const resolved = result.request.kept?.resolve({ chain: [], items: new Map() }, isKept);
  if (resolved?.ok !== true) throw new Error('the request was not read');
  return resolved.request.text!.openStream('0a-1b');
}

const UP = { id: 'resp_up', store: false, previous_response_id: null, output: [] };

test('a native response says what holds here in each event, as it does when a silence is filled and at its end', () => {
  const stream = resolvedStream(true);
  const held = { ...UP, store: true, previous_response_id: 'resp_0' };
  const begun = payloadsOf(write(stream, { type: 'response.created', sequence_number: 0, response: UP, tail: 'é' }));
  expect(begun).toEqual([{ type: 'response.created', sequence_number: 0, response: held, tail: 'Ã©' }]);
  expect(payloadsOf(stream.ping())).toMatchObject([{ sequence_number: 0, response: held }]);
  expect(stream.kept?.whole()).toBeNull();
  stream.kept?.unkept();
  const last = { type: 'response.completed', sequence_number: 1, response: { ...UP, output: [1] } };
  const payload = Buffer.from(JSON.stringify(last));
  stream.inspect(payload);
  stream.withhold(payload);
  payload.fill(0);
  expect(JSON.parse(String(stream.kept?.whole()))).toEqual(last.response);
  expect(payloadsOf(stream.end(SETTLED))).toEqual([{ ...last, response: { ...held, output: [1] } }]);
  stream.kept?.unkept();
  expect(payloadsOf(stream.end(SETTLED))).toEqual([{ ...last, response: { ...held, output: [1], store: false } }]);
});

test('a native response that isn’t kept is no whole to be kept, and says that it isn’t', () => {
  const stream = resolvedStream(false);
  const text = write(stream, { type: 'response.completed', sequence_number: 0, response: UP });
  expect(payloadsOf(text)).toMatchObject([{ response: { store: false, previous_response_id: 'resp_0' } }]);
  expect(stream.kept?.whole()).toBeNull();
});

test('a kept response whose last event has none is no whole', () => {
  const stream = resolvedStream(true);
  expect(stream.write(Buffer.from('{}'))).toBe('');
  write(stream, { type: 'response.completed', sequence_number: 0 });
  expect(stream.kept?.whole()).toBeNull();
  write(stream, { type: 'response.completed', sequence_number: 0, response: UP });
  write(stream, { type: 'response.in_progress', sequence_number: 1, response: { id: 'later' } });
  expect(JSON.parse(String(stream.kept?.whole()))).toEqual(UP);
});

test('uses of tools are counted in the events of a response that may use some, and in no other', () => {
  const body = Buffer.from(JSON.stringify({ model: 'small', input: 'hi', tools: [{ type: 'web_search' }] }));
  const result = RESPONSES_DIALECT.read(body, {});
  const sold = result.ok ? result.request.tools?.sell({ web_search: { maxUses: 3, inputTokens: null } }) : null;
  if (sold?.ok !== true) throw new Error('the request was not read');
  const item = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search' } };
  const done = { type: 'response.output_item.done', output_index: 0, item };
  const streams = [sold.request.text!.openStream('0a-1b'), streamFor()];
  for (const stream of streams) write(stream, done);
  expect(streams.map(({ uses }) => uses)).toEqual([{ web_search: 1 }, {}]);
  expect(streams[0]?.inspect(Buffer.from(JSON.stringify(done).slice(1))).valid).toBe(false);
});

test('what a translated response says of its request is in its failure too', () => {
  const failed = payloadsOf(resolvedStream(true).broken(BROKEN)).at(-1);
  expect(failed).toMatchObject({ response: { previous_response_id: 'resp_0', store: true, completed_at: null } });
});

test('a translated response that could not be kept ends as one that isn’t, and as a whole as one that is', () => {
  const stream = resolvedStream(true).fromChat();
  expect(stream.fromChat()).toBe(stream);
  write(stream, chunk({ content: 'hi' }));
  const payload = Buffer.from(JSON.stringify(chunk({}, 'stop')));
  expect(stream.inspect(payload)).toMatchObject({ finishedChoices: [0] });
  stream.withhold(payload);
  const output = [{ type: 'message', content: [{ text: 'hi' }] }];
  expect(JSON.parse(String(stream.kept?.whole()))).toMatchObject({ id: 'resp_0a1b', store: true, output });
  const kept = payloadsOf(stream.end(SETTLED));
  expect(kept.at(-1)).toMatchObject({ response: { store: true, previous_response_id: 'resp_0' } });
  stream.kept?.unkept();
  const unkept = payloadsOf(stream.end(SETTLED));
  expect(unkept.slice(0, -1)).toEqual(kept.slice(0, -1));
  const { response, ...rest } = kept.at(-1) ?? {};
  expect(unkept.at(-1)).toEqual({ ...rest, response: { ...(response as JsonObject), store: false } });
});

test('a translated response ends in the second in which it has', () => {
  vi.useFakeTimers({ now: 1_700_000_008_999 });
  try {
    const stream = streamFor().fromChat();
    write(stream, chunk({ content: 'hi' }));
    vi.setSystemTime(1_700_000_009_999);
    expect(payloadsOf(stream.end(SETTLED)).at(-1)).toMatchObject({
      response: { created_at: 1_700_000_008, completed_at: 1_700_000_009 },
    });
  } finally {
    vi.useRealTimers();
  }
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
