import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readChatRequest } from '../../openai/chat-request.ts';
import { translateChat } from './chat-request.ts';

const USER = { role: 'user', content: 'hello' };
const HELLO = { role: 'user', parts: [{ text: 'hello' }] };
const FUNCTION = { name: 'f', description: 'does', parameters: { type: 'object' } };
const TOOL = { type: 'function', function: FUNCTION };

interface Asked {
  readonly [field: string]: unknown;
}

function translated(fields: Asked | string, model = 'gemini-3-pro', cap: number | null = null) {
  const body = typeof fields === 'string' ? fields : JSON.stringify({ model: 'm', messages: [USER], ...fields });
  const reading = readChatRequest(Buffer.from(body));
  if (!reading.ok) throw new Error(reading.fault.message);
  return translateChat(reading.request, model, cap);
}

function bodyText(...args: Parameters<typeof translated>): string {
  const reading = translated(...args);
  if (!reading.ok) throw new Error(reading.fault.message);
  return reading.made.toString();
}

const bodyOf = (...args: Parameters<typeof translated>) => JSON.parse(bodyText(...args)) as Asked;
const configOf = (fields: Asked, model?: string, cap?: number | null) => bodyOf(fields, model, cap)['generationConfig'];

function expectRefused(fields: Asked, param: string | null): void {
  const reading = translated(fields);
  expect(reading).toMatchObject({ ok: false, fault: { param } });
  if (!reading.ok && param !== null) expect(reading.fault.message).toContain(param);
}

const signed = (signature: string) => ({ extra_content: { google: { thought_signature: signature } } });
const call = (id: string, more: object = {}) => ({
  id,
  type: 'function',
  function: { name: `f_${id}`, arguments: '{"a":1}' },
  ...more,
});
const answer = (id: string, content = 'done') => ({ role: 'tool', tool_call_id: id, content });

test('the settings of a request to Gemini are carried over under their names, digit by digit', () => {
  const fields =
    '{"model":"m","messages":[{"role":"user","content":"hello"}],"temperature":0.10000000000000000001,"top_p":1.0,' +
    '"top_k":40,"presence_penalty":-0.5,"frequency_penalty":0.5,"seed":-7,"stop":"END","n":3,"logprobs":true,"top_logprobs":4}';
  expect(bodyText(fields)).toContain('"temperature":0.10000000000000000001,"topP":1.0,"topK":40');
  expect(bodyOf(fields)).toEqual({
    contents: [HELLO],
    generationConfig: {
      temperature: 0.1,
      topP: 1,
      topK: 40,
      presencePenalty: -0.5,
      frequencyPenalty: 0.5,
      seed: -7,
      stopSequences: ['END'],
      candidateCount: 3,
      responseLogprobs: true,
      logprobs: 4,
    },
  });
});

test('the settings of a request to Gemini are left out where there are none, and null is none', () => {
  const nothing = { temperature: null, stop: null, tools: null, response_format: null, user: null, anything: null };
  expect(bodyOf(nothing)).toEqual({ contents: [HELLO] });
});

test('the settings of a request to Gemini have the cap that the gate has set, or else the caller’s own', () => {
  expect(configOf({ max_tokens: 50 }, 'm', 20)).toEqual({ maxOutputTokens: 20 });
  expect(configOf({ max_tokens: 50, max_completion_tokens: 40 }, 'm', null)).toEqual({ maxOutputTokens: 40 });
  expect(configOf({}, 'm', 30)).toEqual({ maxOutputTokens: 30 });
});

test('the settings of a request to Gemini have a schema byte for byte, long numbers and the order of its keys too', () => {
  const schema = '{"type":"object","properties":{"b":{"maximum":9223372036854775807},"a":{}}, "2":1,"1":2}';
  const format = `{"type":"json_schema","json_schema":{"name":"x","schema":${schema}}}`;
  const body = bodyText(`{"model":"m","messages":[{"role":"user","content":"x"}],"response_format":${format}}`);
  expect(body).toContain(`"responseMimeType":"application/json","responseJsonSchema":${schema}`);
  expect(configOf({ response_format: { type: 'json_object' } })).toEqual({ responseMimeType: 'application/json' });
  expect(configOf({ response_format: { type: 'text' } })).toBeUndefined();
});

test.each<[string, string, object]>([
  ['gemini-3-pro-preview', 'none', { thinkingLevel: 'LOW' }],
  ['gemini-3-flash', 'minimal', { thinkingLevel: 'MINIMAL', includeThoughts: true }],
  ['gemini-3.5-flash', 'medium', { thinkingLevel: 'MEDIUM', includeThoughts: true }],
  ['models/gemini-4-pro', 'max', { thinkingLevel: 'HIGH', includeThoughts: true }],
  ['gemini-flash-latest', 'low', { thinkingLevel: 'LOW', includeThoughts: true }],
  ['gemini-2.5-flash', 'none', { thinkingBudget: 0 }],
  ['gemini-2.5-flash-lite', 'low', { thinkingBudget: 1_024, includeThoughts: true }],
  ['gemini-2.5-pro', 'xhigh', { thinkingBudget: 24_576, includeThoughts: true }],
])('the settings of a request to Gemini of %s at effort %s', (model, effort, thinkingConfig) => {
  expect(configOf({ reasoning_effort: effort }, model)).toEqual({ thinkingConfig });
});

test('the settings of a request to Gemini leave room for an answer beside the thoughts', () => {
  const budgetAt = (cap: number) => configOf({ reasoning_effort: 'high' }, 'gemini-2.5-pro', cap);
  expect(budgetAt(8_192)).toMatchObject({ thinkingConfig: { thinkingBudget: 4_096 } });
  expect(budgetAt(64)).toMatchObject({ thinkingConfig: { thinkingBudget: 512 } });
});

test.each<[string, Asked]>([
  ['seed', { seed: 2 ** 31 }],
  ['seed', { seed: 1.5 }],
  ['temperature', { temperature: 'hot' }],
  ['stop', { stop: 7 }],
  ['stop[1]', { stop: ['a', 1] }],
  ['verbosity', { verbosity: 'low' }],
  ['reasoning_effort', { reasoning_effort: 'huge' }],
  ['response_format.type', { response_format: { type: 'grammar' } }],
  ['logit_bias', { logit_bias: { 50_256: -100 } }],
  ['functions', { functions: [FUNCTION] }],
  ['guided_json', { guided_json: {} }],
  [null as unknown as string, { 'no name': 1 }],
])('the settings of a request to Gemini with %s that Gemini has no words for are refused by name', (param, fields) => {
  expectRefused(fields, param);
});

test('the settings of a request to Gemini that say nothing about the answer are dropped', () => {
  const silent = {
    user: 'u',
    metadata: { a: 'b' },
    store: true,
    safety_identifier: 's',
    prompt_cache_key: 'k',
    service_tier: 'auto',
  };
  expect(bodyOf({ ...silent, modalities: ['text'], stream: true, stream_options: { include_usage: true } })).toEqual({
    contents: [HELLO],
  });
});

const toolConfigOf = (choice: unknown, tool: object = TOOL) =>
  bodyOf({ tools: [tool], tool_choice: choice })['toolConfig'];
const mode = (name: string, ...names: string[]) => ({
  functionCallingConfig: { mode: name, ...(names.length > 0 ? { allowedFunctionNames: names } : {}) },
});

test('tools sent to Gemini are declared with their parameters as they are', () => {
  const { tools, toolConfig } = bodyOf({ tools: [TOOL, { function: { name: 'g' } }] });
  const { name, description, parameters } = FUNCTION;
  expect(tools).toEqual([
    { functionDeclarations: [{ name, description, parametersJsonSchema: parameters }, { name: 'g' }] },
  ]);
  expect(toolConfig).toBeUndefined();
});

test.each<[unknown, object]>([
  ['auto', mode('AUTO')],
  ['none', mode('NONE')],
  ['required', mode('ANY')],
  [{ type: 'function', function: { name: 'f' } }, mode('ANY', 'f')],
  [{ type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [TOOL] } }, mode('ANY', 'f')],
  [{ type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [TOOL] } }, mode('VALIDATED', 'f')],
])('tools sent to Gemini are chosen from by %j', (choice, expected) => {
  expect(toolConfigOf(choice)).toEqual(expected);
});

test('tools sent to Gemini that are strict hold free calls to their schemas', () => {
  const strict = { type: 'function', function: { ...FUNCTION, strict: true } };
  expect(toolConfigOf(null, strict)).toEqual(mode('VALIDATED'));
  expect(toolConfigOf('auto', strict)).toEqual(mode('VALIDATED'));
  expect(toolConfigOf('required', strict)).toEqual(mode('ANY'));
});

test.each<[string, Asked]>([
  ['tools[0].type', { tools: [{ type: 'custom', custom: { name: 'x' } }] }],
  ['tools[0].function.name', { tools: [{ type: 'function', function: {} }] }],
  ['tool_choice', { tools: [TOOL], tool_choice: { type: 'custom', custom: { name: 'x' } } }],
  ['tool_choice', { tool_choice: 'required' }],
  ['parallel_tool_calls', { tools: [TOOL], parallel_tool_calls: 'no' }],
])('tools sent to Gemini with %s that Gemini has no words for are refused by name', (param, fields) => {
  expectRefused(fields, param);
});

const contentsOf = (messages: readonly object[], model?: string) => bodyOf({ messages }, model)['contents'];

test('the conversation sent to Gemini has what the system says apart, in order', () => {
  const developer = {
    role: 'developer',
    content: [
      { type: 'text', text: 'b' },
      { type: 'text', text: 'c' },
    ],
  };
  expect(bodyOf({ messages: [{ role: 'system', content: 'a' }, USER, developer] })).toEqual({
    systemInstruction: { parts: [{ text: 'a' }, { text: 'b' }, { text: 'c' }] },
    contents: [HELLO],
  });
});

test('the conversation sent to Gemini has the answers to a turn’s calls in one turn, each once and in their order', () => {
  const messages = [
    USER,
    { role: 'assistant', content: 'wait', tool_calls: [call('1', signed('s')), call('2')] },
    answer('2', '{"n":12345678901234567890}'),
    answer('1', '[1]'),
    USER,
  ];
  expect(bodyText({ messages })).toContain('"response":{"n":12345678901234567890}');
  expect(contentsOf(messages)).toEqual([
    HELLO,
    {
      role: 'model',
      parts: [
        { text: 'wait' },
        { functionCall: { id: '1', name: 'f_1', args: { a: 1 } }, thoughtSignature: 's' },
        { functionCall: { id: '2', name: 'f_2', args: { a: 1 } } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { id: '1', name: 'f_1', response: { output: '[1]' } } },
        { functionResponse: { id: '2', name: 'f_2', response: { n: 12345678901234567000 } } },
      ],
    },
    HELLO,
  ]);
});

test('the conversation sent to Gemini counts as many answers as calls in every turn, whatever their order', () => {
  const turn = fc
    .uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 5 })
    .chain((ids) =>
      fc
        .shuffledSubarray(ids, { minLength: ids.length })
        .map((answered) => [
          { role: 'assistant', tool_calls: ids.map((id) => call(id)) },
          ...answered.map((id) => answer(id, id)),
        ]),
    );
  fc.assert(
    fc.property(fc.array(turn, { minLength: 1, maxLength: 4 }), (turns) => {
      const contents = contentsOf([USER, ...turns.flat()]) as {
        parts: { functionCall?: { id: string }; functionResponse?: { id: string } }[];
      }[];
      const calls = contents.flatMap(({ parts }, at) =>
        parts[0]?.functionCall === undefined ? [] : [[parts, contents[at + 1]?.parts] as const],
      );
      expect(calls).toHaveLength(turns.length);
      for (const [asked, answered] of calls) {
        expect(answered?.map(({ functionResponse }) => functionResponse?.id)).toEqual(
          asked.map(({ functionCall }) => functionCall?.id),
        );
      }
    }),
    { numRuns: 50 },
  );
});

test('the conversation sent to Gemini says that a signature is unknown, where the model would refuse a bare call', () => {
  const messages = [{ role: 'assistant', tool_calls: [call('1'), call('2')] }, answer('1'), answer('2')];
  const signatures = (model: string) =>
    (contentsOf(messages, model) as { parts: { thoughtSignature?: string }[] }[])[0]?.parts.map(
      (part) => part.thoughtSignature,
    );
  expect(signatures('gemini-3-flash')).toEqual(['skip_thought_signature_validator', undefined]);
  expect(signatures('gemini-2.5-flash')).toEqual([undefined, undefined]);
  expect(signatures('gemma-3-27b-it')).toEqual([undefined, undefined]);
});

test('the conversation sent to Gemini gives a text back its signature, and drops what says nothing', () => {
  const said = { role: 'assistant', content: 'a', reasoning_content: 'hm', refusal: null, ...signed('s') };
  expect(contentsOf([USER, said, { role: 'assistant', content: '' }, USER])).toEqual([
    HELLO,
    { role: 'model', parts: [{ text: 'a' }, { text: '', thoughtSignature: 's' }] },
    HELLO,
  ]);
});

test.each<[string, readonly object[]]>([
  ['messages[1].tool_calls[1]', [USER, { role: 'assistant', tool_calls: [call('1'), call('2')] }, answer('1')]],
  ['messages[1].tool_calls[0]', [USER, { role: 'assistant', tool_calls: [call('1')] }, USER, answer('1')]],
  ['messages[2].tool_call_id', [USER, { role: 'assistant', tool_calls: [call('1')] }, answer('9')]],
  [
    'messages[3].tool_call_id',
    [USER, { role: 'assistant', tool_calls: [call('1'), call('2')] }, answer('1'), answer('1')],
  ],
  ['messages[1]', [USER, answer('1')]],
  [
    'messages[0].tool_calls[0].function.arguments',
    [{ role: 'assistant', tool_calls: [call('1', { function: { name: 'f', arguments: '[]' } })] }],
  ],
  ['messages[0].function_call', [{ role: 'assistant', function_call: { name: 'f', arguments: '{}' } }]],
  ['messages[0].role', [{ role: 'critic', content: 'x' }]],
  ['messages[0].content', [{ role: 'user' }]],
  ['messages', [{ role: 'system', content: 'x' }]],
  ['messages[0].content[0]', [{ role: 'system', content: [{ type: 'image_url', image_url: { url: 'x' } }] }]],
])('the conversation sent to Gemini that breaks off at %s is refused by name', (param, messages) => {
  expectRefused({ messages }, param);
});

const partsOf = (part: object) => bodyOf({ messages: [{ role: 'user', content: [part] }] })['contents'];
const image = (url: string) => ({ type: 'image_url', image_url: { url, detail: 'high' } });
const user = (part: object) => [{ role: 'user', parts: [part] }];

test.each<[string, object, object]>([
  ['a data URL', image('data:IMAGE/PNG;base64,AA+/=='), { inlineData: { mimeType: 'image/png', data: 'AA+/==' } }],
  [
    'a data URL with parameters',
    image('data:image/jpeg;name=a.jpg;base64,AAAA'),
    { inlineData: { mimeType: 'image/jpeg', data: 'AAAA' } },
  ],
  [
    'an address',
    image('https://example.com/a/B.JPG?x=1'),
    { fileData: { mimeType: 'image/jpeg', fileUri: 'https://example.com/a/B.JPG?x=1' } },
  ],
  [
    'sound',
    { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
    { inlineData: { mimeType: 'audio/mp3', data: 'AAAA' } },
  ],
  [
    'a document',
    { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
    { inlineData: { mimeType: 'application/pdf', data: 'AAAA' } },
  ],
])('a message part sent to Gemini may be %s', (_name, part, expected) => {
  expect(partsOf(part)).toEqual(user(expected));
});

test('a message part sent to Gemini may have come with its slashes escaped', () => {
  const escaped = String.raw`{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image\/png;base64,AA\/\/"}}]}]}`;
  expect(bodyOf(escaped)['contents']).toEqual(user({ inlineData: { mimeType: 'image/png', data: 'AA//' } }));
});

test.each<[string, object]>([
  ['messages[0].content[0].image_url.url', image('http://example.com/a.png')],
  ['messages[0].content[0].image_url.url', image('https://example.com/picture')],
  ['messages[0].content[0].image_url.url', image('https://www.youtube.com/watch.png')],
  ['messages[0].content[0].image_url.url', image('https://generativelanguage.googleapis.com/v1beta/files/abc.png')],
  ['messages[0].content[0].image_url.url', image('gs://bucket/a.png')],
  ['messages[0].content[0].image_url.url', image('data:image/svg+xml,<svg/>')],
  ['messages[0].content[0].input_audio.format', { type: 'input_audio', input_audio: { data: 'A', format: 'flac' } }],
  ['messages[0].content[0].type', { type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } }],
])('a message part sent to Gemini at %s that Gemini can’t have is refused by name', (param, part) => {
  expectRefused({ messages: [{ role: 'user', content: [part] }] }, param);
});
