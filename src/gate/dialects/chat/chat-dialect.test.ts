import { expect, test } from 'vitest';
import { refuse } from '../../../domain/refusals.ts';
import { NO_TOKENS } from '../../../domain/usage.ts';
import type { AnswerStream, CompletionRequest } from '../dialect.ts';
import { CHAT_DIALECT } from './chat-dialect.ts';

const SOLD = { web_search: { maxUses: 1, inputTokens: null } };
const TARGET = { extensions: 'none', reasoning: false } as const;

const bodyOf = (fields: object): Buffer =>
  Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...fields }));

function read(fields: object): CompletionRequest {
  const result = CHAT_DIALECT.read(bodyOf(fields), {});
  if (!result.ok) throw new Error(result.fault.message);
  return result.request;
}

test('a chat request is what the gate goes by, and its own chat form', () => {
  const schema = { type: 'object' };
  const response_format = { type: 'json_schema', json_schema: { name: 'a', schema } };
  const fields = { stream: true, n: 2, max_tokens: 9_000, of_2030: 1, response_format };
  const request = read(fields);
  expect(request).toMatchObject({
    dialect: CHAT_DIALECT,
    body: bodyOf(fields),
    model: 'm',
    unknown: [{ name: 'of_2030', where: 'of_2030' }],
    leftOut: [],
    text: { stream: true, choices: 2, maxTokens: 9_000, isCeiling: false, outputBeside: 0, size: { messages: 1 } },
    chat: { extras: [], notes: null },
    tools: null,
    kept: null,
    native: null,
    audio: null,
  });
  const { param, schemaStart, schemaEnd } = request.text?.schemaSpan ?? { param: '', schemaStart: 0, schemaEnd: 0 };
  expect(param).toBe('response_format.json_schema.schema');
  expect(JSON.parse(request.body.toString('utf8', schemaStart, schemaEnd))).toEqual(schema);
  expect(request.chat?.toChat(TARGET)).toMatchObject({
    ok: true,
    chat: { model: 'm', body: request.body },
    leftOut: [],
  });
  const answer = Buffer.from('{"choices":[]}');
  expect(request.chat?.fromChat(answer, 'r')).toBe(answer);
  expect(read({}).text?.schemaSpan).toBeNull();
  expect(CHAT_DIALECT.read(bodyOf({ model: 5 }), {})).toMatchObject({ ok: false, fault: { param: 'model' } });
});

test('a prediction may be billed beside the answer', () => {
  const content = 'abc';
  expect(read({ prediction: { type: 'content', content } }).text?.outputBeside).toBeGreaterThanOrEqual(content.length);
});

test('a search of the web is a use of each choice, if the model is sold with it', () => {
  const fields = { web_search_options: {}, n: 3 };
  const request = read(fields);
  expect(request).toMatchObject({ chat: { extras: ['web_search_options'] }, tools: { bound: null } });
  expect(request.tools?.sell({})).toEqual({
    ok: false,
    fault: {
      param: 'web_search_options',
      message:
        "'web_search_options' is not for sale with this model; leave it out. Its operator sells it by a fee, price.fees.web_search.",
    },
  });
  const sold = request.tools?.sell(SOLD);
  if (sold?.ok !== true) throw new Error('it is not sold');
  expect(sold.request).toMatchObject({
    tools: { bound: { each: { web_search: 3 }, total: 3 }, usesOfAnswer: { web_search: 3 } },
    body: bodyOf(fields),
  });
  expect(sold.request.text!.openStream('r').uses).toEqual({ web_search: 3 });
  expect(read({}).text!.openStream('r').uses).toEqual({});
});

function write(stream: AnswerStream, chunk: object): string {
  const payload = Buffer.from(JSON.stringify(chunk));
  expect(stream.inspect(payload).valid).toBe(true);
  return stream.write(payload);
}

const TEXT = { choices: [{ index: 0, delta: { content: 'Hi' } }] };
const USAGE = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const framed = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`;
const SETTLED = { charge: 1_000n, tokens: NO_TOKENS, inUsage: false };

test('a stream shows its usage to a caller that wants it, and to no other', () => {
  const streams = [read({ stream: true, stream_options: { include_usage: true } }), read({ stream: true })];
  const [open, closed] = streams.map((request) => request.text!.openStream('r')) as [AnswerStream, AnswerStream];
  expect(open.write(Buffer.from('{}'))).toBe('');
  for (const stream of [open, closed]) {
    expect(write(stream, { ...TEXT, error: null })).toBe(framed(TEXT));
    expect(stream.fromChat()).toBe(stream);
    expect(stream.ping()).toBe(': ping\n');
  }
  expect(write(open, { ...TEXT, usage: null })).toBe(framed({ ...TEXT, usage: null }));
  expect(write(closed, { ...TEXT, usage: null })).toBe(framed(TEXT));
  expect(write(closed, { choices: [], usage: USAGE })).toBe('');
  const last = Buffer.from(JSON.stringify({ choices: [], usage: USAGE }));
  open.inspect(last);
  open.withhold(last);
  expect(open.end(SETTLED)).toBe(
    `${framed({ choices: [], usage: USAGE })}: faregate-charge 0.000001\ndata: [DONE]\n\n`,
  );
  expect(closed.end(SETTLED)).toBe(': faregate-charge 0.000001\ndata: [DONE]\n\n');
  expect(open.broken(refuse('MODEL_UNAVAILABLE', 'It broke off.'))).toBe(
    framed({ error: { message: 'It broke off.', type: 'server_error', param: null, code: 'MODEL_UNAVAILABLE' } }),
  );
});
