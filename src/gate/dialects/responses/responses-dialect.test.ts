import { expect, test, vi } from 'vitest';
import type { ChatExtensions, CompletionRequest } from '../dialect.ts';
import { sealCapsule } from './reasoning-capsule.ts';
import { RESPONSES_DIALECT } from './responses-dialect.ts';

const bodyOf = (fields: object): Buffer => Buffer.from(JSON.stringify({ model: 'm', input: 'hi', ...fields }));

function read(fields: object): CompletionRequest {
  const result = RESPONSES_DIALECT.read(bodyOf(fields), {});
  if (!result.ok) throw new Error(result.fault.message);
  return result.request;
}

const parsed = (text: Buffer | string | undefined): unknown => JSON.parse(String(text));
const sent = (pieces: readonly Buffer[] = []): unknown => parsed(Buffer.concat(pieces));
const target = (extensions: ChatExtensions) => ({ extensions, reasoning: false });
const EDIT = { upstreamModel: 'big', cap: 5, reasoning: true };
const SEARCH = { type: 'web_search' };
const OWN = { type: 'function', name: 'f' };
const SOLD = { web_search: { maxUses: 3, inputTokens: null } };
const ID = '0a-1B_2c';
const COMPLETION = Buffer.from(
  JSON.stringify({ model: 'theirs', choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] }),
);

test('a request is what the gate goes by', () => {
  const schema = { type: 'object' };
  const text = { format: { type: 'json_schema', name: 'a', schema } };
  const fields = { stream: true, max_output_tokens: 9_000, of_2030: 1, store: false, text };
  const request = read(fields);
  expect(request).toMatchObject({
    dialect: RESPONSES_DIALECT,
    body: bodyOf(fields),
    model: 'm',
    unknown: [{ name: 'of_2030' }],
    leftOut: [],
    text: { stream: true, choices: 1, maxTokens: 9_000, isCeiling: false, size: { messages: 2 } },
    tools: null,
    kept: { mayBeKept: false, references: null },
    native: { stream: true, headers: {} },
  });
  const { param, schemaStart, schemaEnd } = request.text?.schemaSpan ?? { param: '', schemaStart: 0, schemaEnd: 0 };
  expect([param, parsed(request.body.subarray(schemaStart, schemaEnd))]).toEqual(['text.format.schema', schema]);
  expect(read({}).text?.schemaSpan).toBeNull();
  expect(RESPONSES_DIALECT.read(bodyOf({ model: 5 }), {})).toMatchObject({ ok: false, fault: { param: 'model' } });
});

test('its provider is sent its own name of the model, the cap and the tools that are sold', () => {
  const request = read({ tools: [OWN, SEARCH] });
  expect(request).toMatchObject({ leftOut: ['web_search'], tools: { bound: null } });
  const body = { model: 'big', input: 'hi', max_output_tokens: 5, store: false };
  expect(sent(request.native?.body(EDIT))).toEqual({ ...body, tools: [OWN] });
  expect(sent(request.native?.countBody('big'))).toEqual({ model: 'big', input: 'hi', tools: [OWN] });
  const sold = request.tools?.sell(SOLD);
  if (sold?.ok !== true) throw new Error('it is not sold');
  expect(sold.request).toMatchObject({ leftOut: [], tools: { bound: { total: 3, each: { web_search: 3 } } } });
  expect(sent(sold.request.native?.body(EDIT))).toEqual({ ...body, tools: [OWN, SEARCH], max_tool_calls: 3 });
  expect(read({ tool_choice: SEARCH }).tools?.sell({})).toMatchObject({ ok: false, fault: { param: 'tool_choice' } });
  const encrypted = sealCapsule({ isReasoning: true, thinking: [], message: undefined, calls: {} });
  const input = [
    { type: 'reasoning', encrypted_content: encrypted },
    { role: 'user', content: 'hi' },
  ];
  expect(read({ tools: [SEARCH], input }).leftOut).toEqual(['web_search', 'reasoning']);
});

test('uses of tools are counted in a whole answer', () => {
  const output = [{ type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search' } }];
  expect(read({ tools: [SEARCH] }).tools?.usesIn(Buffer.from(JSON.stringify({ output })))).toEqual({ web_search: 1 });
});

test('a count of tokens is answered by their number alone, and lists and fields have the names of the API', () => {
  const { counting, fieldNames, listInput } = RESPONSES_DIALECT;
  expect(counting?.answer(7)).toEqual({ object: 'response.input_tokens', input_tokens: 7 });
  expect(counting?.read(bodyOf({}), {})).toMatchObject({ ok: true, request: { model: 'm' } });
  expect(listInput?.([], new URLSearchParams())).toMatchObject({ ok: true });
  expect(fieldNames).toEqual({
    messages: 'input',
    logprobs: 'top_logprobs',
    max_tokens: 'max_output_tokens',
    max_completion_tokens: 'max_output_tokens',
    reasoning_effort: 'reasoning.effort',
    response_format: 'text.format',
    verbosity: 'text.verbosity',
  });
});

test('the chat form is made once for each kind of provider, and says what it leaves out', () => {
  const request = read({ tools: [SEARCH] });
  const form = request.chat?.toChat(target('none'));
  expect(form).toMatchObject({ ok: true, leftOut: ['web_search'] });
  expect(request.chat?.toChat(target('none'))).toBe(form);
  expect(request.chat?.toChat(target('gemini'))).not.toBe(form);
  expect(read({ truncation: 'auto' }).chat?.toChat(target('none'))).toMatchObject({
    ok: false,
    fault: { param: 'truncation', message: expect.stringContaining("'truncation'") as string },
  });
});

test('a request by Responses whose chat form would be refused is refused by what is wrong with that', () => {
  const text = { format: { type: 'json_schema', name: 5, schema: {} } };
  expect(read({ text }).chat?.toChat(target('none'))).toMatchObject({
    ok: false,
    fault: { param: 'response_format.json_schema.name' },
  });
});

test('a translated answer repeats the settings of its request, whichever thread translates it', () => {
  vi.useFakeTimers({ now: 1_700_000_000_999 });
  try {
    const fields = { temperature: 0.25, metadata: { big: 'x' }, tools: [{ type: 'custom', name: 'c' }] };
    const request = read(fields);
    expect(parsed(request.chat?.fromChat(COMPLETION, ID))).toMatchObject({ tools: [], temperature: 1 });
    request.chat?.toChat(target('none'));
    vi.setSystemTime(1_700_000_005_000);
    const answer = request.chat?.fromChat(COMPLETION, ID);
    expect(parsed(answer)).toMatchObject({
      id: 'resp_0a1B2c',
      model: 'theirs',
      created_at: 1_700_000_000,
      completed_at: 1_700_000_005,
      store: false,
      previous_response_id: null,
      ...fields,
    });
    const notes = request.chat?.notes?.ofAnswer(ID) ?? '';
    expect(RESPONSES_DIALECT.answerFromChat?.(COMPLETION, notes)).toEqual(answer);
    vi.setSystemTime(1_700_000_000_000);
    const other = read(fields);
    other.chat?.notes?.read(request.chat?.notes?.write() ?? '');
    vi.setSystemTime(1_700_000_005_000);
    expect(other.chat?.fromChat(COMPLETION, ID)).toEqual(answer);
    const call = { id: 'c1', type: 'function', function: { name: 'c', arguments: '{"input":"a"}' } };
    const calling = Buffer.from(JSON.stringify({ choices: [{ message: { tool_calls: [call] } }] }));
    for (const made of [other.chat?.fromChat(calling, ID), RESPONSES_DIALECT.answerFromChat?.(calling, notes)]) {
      expect(parsed(made)).toMatchObject({ output: [{ type: 'custom_tool_call', input: 'a' }] });
    }
    expect(parsed(read({}).chat?.notes?.write())).toMatchObject({ tools: [], settings: { tools: [] } });
    expect(() => request.chat?.fromChat(Buffer.from('{}'), ID)).toThrow(
      'an answer of chat that has been read has a choice',
    );
  } finally {
    vi.useRealTimers();
  }
});

/** The request with its references replaced. */
function resolved(fields: object, isKept: boolean, chain: readonly string[] = []): CompletionRequest {
  const found =
    'previous_response_id' in fields ? { chain: chain.map((item) => Buffer.from(item)), items: new Map() } : null;
  const result = read(fields).kept?.resolve(found, isKept);
  if (result?.ok !== true) throw new Error('it was not read');
  return result.request;
}

const UP = '{"id":"resp_up","store":false,"previous_response_id":null,"output":[]}';

test('an answer that is kept says so, and is kept with the items of its request', () => {
  const request = resolved({ previous_response_id: 'resp_0' }, true, ['{"role":"user","content":"a"}']);
  const { answer, entry } = request.kept?.answerOf(Buffer.from(UP)) ?? {};
  expect(parsed(answer)).toMatchObject({ store: true, previous_response_id: 'resp_0' });
  expect(parsed(Buffer.concat(entry?.input ?? []))).toEqual({ role: 'user', content: 'hi' });
  expect(sent(request.native?.body(EDIT))).toMatchObject({
    store: false,
    include: ['reasoning.encrypted_content'],
    input: [
      { role: 'user', content: 'a' },
      { role: 'user', content: 'hi' },
    ],
  });
  expect(request.native?.editAnswer).toBeNull();
  request.chat?.toChat(target('none'));
  expect(parsed(request.chat?.fromChat(COMPLETION, ID))).toMatchObject({ store: true, previous_response_id: 'resp_0' });
});

test('an answer that isn’t kept says of what it goes on from, and needs no edit if that is nothing', async () => {
  const request = resolved({ previous_response_id: 'resp_0' }, false);
  expect(parsed(await request.native?.editAnswer?.(Buffer.from(UP)))).toMatchObject({
    store: false,
    previous_response_id: 'resp_0',
  });
  expect(() => request.kept?.answerOf(Buffer.from(UP))).toThrow('what is kept of a request is known');
  expect(resolved({ store: false }, false).native?.editAnswer).toBeNull();
  expect(resolved({}, true).native?.editAnswer).toBeNull();
  const kept = resolved({}, true).kept?.answerOf(Buffer.from(UP));
  expect(parsed(kept?.answer)).toMatchObject({ store: true, previous_response_id: null });
  expect(sent(kept?.entry?.input)).toEqual({ role: 'user', content: 'hi' });
  expect(() => read({}).kept?.answerOf(Buffer.from(UP))).toThrow('what is kept of a request is known');
});

test('an answer that was to be kept and isn’t says so, plain and in a stream, whatever its provider wrote', async () => {
  const untrue = UP.replace('"store":false', '"store":true');
  const event = Buffer.from(`{"type":"response.created","response":${untrue}}`);
  for (const [fields, store] of [
    [{}, false],
    [{ store: false }, true],
  ] as const) {
    const request = resolved(fields, false);
    const edited = await request.native?.editAnswer?.(Buffer.from(untrue));
    expect(parsed(edited ?? Buffer.from(untrue))).toMatchObject({ store });
    const stream = request.text!.openStream(ID);
    stream.inspect(event);
    expect(stream.write(event)).toContain(`"store":${store}`);
  }
});

test('what is sold and what is kept stay known beside each other', () => {
  const sold = resolved({ tools: [SEARCH] }, true).tools?.sell(SOLD);
  if (sold?.ok !== true) throw new Error('it is not sold');
  expect(parsed(sold.request.kept?.answerOf(Buffer.from(UP)).answer)).toMatchObject({ store: true });
});

test('an item that is kept stands in the place of its id, and may name what its provider keeps for it', () => {
  const { kept: facet } = read({
    input: [
      { type: 'item_reference', id: 'msg_1' },
      { role: 'user', content: 'hi' },
    ],
  });
  expect(facet?.references).toEqual({ previous: null, items: [{ id: 'msg_1', param: 'input[0]' }] });
  const item = { role: 'user', content: [{ type: 'input_file', file_id: 'f' }] };
  const items = new Map([['msg_1', Buffer.from(JSON.stringify(item))]]);
  const result = facet?.resolve({ chain: [], items }, true);
  if (result?.ok !== true) throw new Error('it was not read');
  const input = [item, { role: 'user', content: 'hi' }];
  expect(sent(result.request.native?.body(EDIT))).toMatchObject({ input });
  const kept = Buffer.concat(result.request.kept?.answerOf(Buffer.from(UP)).entry?.input ?? []);
  expect(parsed(`[${kept.toString()}]`)).toEqual(input);
});

test('a request whose conversation can’t be read with it is refused', () => {
  const { kept } = read({ previous_response_id: 'resp_0' });
  const items = new Map<string, Buffer>();
  expect(kept?.resolve({ chain: [Buffer.from('5')], items }, true)).toMatchObject({
    ok: false,
    fault: { param: 'input[0]' },
  });
});
