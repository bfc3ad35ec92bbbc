import { readFileSync } from 'node:fs';
import type Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import { messagesBody, type MessagesCall } from './messages-request.ts';
import { Untranslatable } from '../../openai/untranslatable.ts';

const CALL: MessagesCall = { model: 'claude-opus-5', maxTokens: 8_000, stream: false, version: '2023-06-01' };
const PNG = 'iVBORw0KGgo=';
const MESSAGES = [{ role: 'user', content: 'hello' }];
const TOOL = { type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } };

/** The body for a caller's fields, with default messages. */
function bodyFor(fields: object, call: Partial<MessagesCall> = {}): Record<string, unknown> {
  const chat = Buffer.from(JSON.stringify({ model: 'claude', messages: MESSAGES, ...fields }));
  return JSON.parse(messagesBody(chat, { ...CALL, ...call }).toString()) as Record<string, unknown>;
}

function faultOf(fields: object, call: Partial<MessagesCall> = {}): { param: string | null; message: string } {
  try {
    bodyFor(fields, call);
  } catch (error) {
    if (error instanceof Untranslatable) return { param: error.param, message: error.message };
    throw error;
  }
  throw new Error('the request was translated');
}

/** The parameters of the vendor's SDK, so that the compiler checks that it has each field. */
type Params = Partial<Anthropic.MessageCreateParams>;

const calls = [
  { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } },
  { id: 'call_2', type: 'function', function: { name: 'time', arguments: '' } },
];

test('tools answer in one turn of the user, ahead of what the user says, and the system stands apart', () => {
  const expected: Params = {
    system: [
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: 'Be kind.' },
    ],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'hello' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Paris' } },
          { type: 'tool_use', id: 'call_2', name: 'time', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: 'clear' },
          { type: 'tool_result', tool_use_id: 'call_2', content: [{ type: 'text', text: 'nine' }] },
          { type: 'text', text: 'And?' },
        ],
      },
    ],
  };
  const body = bodyFor({
    tools: [TOOL],
    messages: [
      { role: 'system', content: 'Be brief.' },
      ...MESSAGES,
      { role: 'assistant', content: 'Let me look.', tool_calls: calls },
      { role: 'tool', tool_call_id: 'call_1', content: 'clear' },
      { role: 'user', content: 'And?' },
      { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
      { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'nine' }] },
    ],
  });
  expect(body).toMatchObject(expected);
});

test('texts without a visible character are left out, and turns that nothing is left of', () => {
  const body = bodyFor({
    messages: [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: '' },
      {
        role: 'user',
        content: [
          { type: 'text', text: ' \n' },
          { type: 'text', text: 'two' },
        ],
      },
    ],
  });
  expect(body['messages']).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
    },
  ]);
});

test('what the system says alone is said by the user, for somebody has to', () => {
  const body = bodyFor({ messages: [{ role: 'system', content: 'Tell a joke.' }] });
  expect(body).toMatchObject({ messages: [{ role: 'user', content: [{ type: 'text', text: 'Tell a joke.' }] }] });
  expect(body).not.toHaveProperty('system');
});

test('ids of characters that the API refuses are spelt so that each call keeps its answer', () => {
  const odd = { id: 'functions.weather:0', type: 'function', function: { name: 'weather', arguments: '{}' } };
  const { messages } = bodyFor({
    messages: [
      ...MESSAGES,
      { role: 'assistant', tool_calls: [odd] },
      { role: 'tool', tool_call_id: odd.id, content: 'clear' },
    ],
  }) as unknown as { messages: { content: { id?: string; tool_use_id?: string }[] }[] };
  const id = messages[1]?.content[0]?.id;
  expect(id).toMatch(/^[\w-]+$/);
  expect(messages[2]?.content[0]?.tool_use_id).toBe(id);
});

test('whole numbers of any size keep their digits', () => {
  const call = { id: 'c', type: 'function', function: { name: 'weather', arguments: '{"id":12345678901234567890}' } };
  const chat = `{"messages":${JSON.stringify([...MESSAGES, { role: 'assistant', tool_calls: [call] }])},"tools":[{
      "type":"function","function":{"name":"weather","parameters":{"type":"object","maximum":9223372036854775807}}}]}`;
  const body = messagesBody(Buffer.from(chat), CALL).toString();
  expect(body).toContain('"input":{"id":12345678901234567890}');
  expect(body).toContain('"maximum":9223372036854775807');
});

test.each<[string, object, string]>([
  ['a role of older APIs', { role: 'function', name: 'f', content: 'x' }, 'messages[1].role'],
  ['sound', { role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }, 'messages[1].content[0].type'],
  ['no text', { role: 'user', content: 5 }, 'messages[1].content'],
  [
    'arguments that are cut off',
    { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{"a":' } }] },
    'messages[1].tool_calls[0].function.arguments',
  ],
  [
    'arguments that nest too deep to be rendered',
    {
      role: 'assistant',
      tool_calls: [{ id: 'c', function: { name: 'f', arguments: `{"a":${'['.repeat(10_000)}` } }],
    },
    'messages[1].tool_calls[0].function.arguments',
  ],
  [
    'arguments that are no object',
    { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '[1]' } }] },
    'messages[1].tool_calls[0].function.arguments',
  ],
  [
    'a call of a custom tool',
    { role: 'assistant', tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'f', input: 'x' } }] },
    'messages[1].tool_calls[0]',
  ],
  ['a tool’s answer to nothing', { role: 'tool', content: 'x' }, 'messages[1].tool_call_id'],
  [
    'an image in what the assistant said',
    { role: 'assistant', content: [{ type: 'image_url', image_url: 'https://x.test/' }] },
    'messages[1].content[0].type',
  ],
])('a conversation is refused by its place: %s', (_case, message, param) => {
  expect(faultOf({ messages: [...MESSAGES, message] }).param).toBe(param);
});

test('a conversation without any content is refused', () => {
  expect(faultOf({ messages: [{ role: 'user', content: '' }] }).param).toBe('messages');
});

const partsOf = (...parts: object[]): unknown => {
  const { messages } = bodyFor({ messages: [{ role: 'user', content: parts }] }) as {
    messages: { content: unknown }[];
  };
  return messages[0]?.content;
};
const image = (url: string) => ({ type: 'image_url', image_url: { url, detail: 'high' } });
const file = (data: string) => ({ type: 'file', file: { file_data: data, filename: 'a.pdf' } });

test('images and files each go as the API takes them', () => {
  const expected: Anthropic.ContentBlockParam[] = [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
    { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: PNG } },
    { type: 'image', source: { type: 'url', url: 'https://example.test/a.png' } },
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PNG }, title: 'a.pdf' },
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'héllo' }, title: 'a.pdf' },
  ];
  const text = Buffer.from('héllo').toString('base64');
  expect(
    partsOf(
      image(`data:image/png;base64,${PNG}`),
      image(`DATA:IMAGE/JPG;base64,${PNG}`),
      image('https://example.test/a.png'),
      file(`data:application/pdf;base64,${PNG}`),
      file(`data:text/plain;charset=utf-8;base64,${text}`),
    ),
  ).toEqual(expected);
});

test('large images and files go as small ones do', () => {
  const data = Buffer.alloc(60_000, 7).toString('base64');
  expect(partsOf(image(`data:image/png;base64,${data}`), file(`data:application/pdf;base64,${data}`))).toMatchObject([
    { source: { type: 'base64', media_type: 'image/png', data } },
    { source: { type: 'base64', media_type: 'application/pdf', data } },
  ]);
});

test.each<[string, object, string]>([
  ['a drawing', image('data:image/svg+xml;base64,AAAA'), 'image_url'],
  ['a document in the place of an image', image(`data:application/pdf;base64,${PNG}`), 'image_url'],
  ['a data URL that is not base64', image('data:image/png,xyz'), 'image_url'],
  ['a file on this machine', image('file:///etc/passwd'), 'image_url'],
  ['no URL', { type: 'image_url', image_url: {} }, 'image_url'],
  ['a spreadsheet', file('data:application/vnd.ms-excel;base64,AAAA'), 'file'],
])('an image or a file is refused: %s', (_case, part, field) => {
  const { param } = faultOf({ messages: [{ role: 'user', content: [part] }] });
  expect(param).toBe(`messages[0].content[0].${field}`);
});

const named = (name: string) => ({ type: 'function', function: { name } });
const { function: weather } = TOOL;

test('a tool’s function goes with its schema, closed where it is to be strict', () => {
  const strict = {
    name: 'f',
    description: 'd',
    strict: true,
    parameters: { properties: { a: { type: 'string', maxLength: 3 } } },
  };
  const expected: Params = {
    tools: [
      { name: 'weather', input_schema: { type: 'object', properties: {} } },
      {
        name: 'f',
        description: 'd',
        strict: true,
        input_schema: {
          type: 'object',
          properties: { a: { type: 'string', description: '{maxLength: 3}' } },
          additionalProperties: false,
        },
      },
      {
        name: 'bare',
        input_schema: { type: 'object', properties: {} },
        cache_control: { type: 'ephemeral', ttl: '1h' },
      },
    ],
  };
  const bare = { ...named('bare'), cache_control: { type: 'ephemeral', ttl: '1h' } };
  expect(bodyFor({ tools: [TOOL, { type: 'function', function: strict }, bare] })).toMatchObject(expected);
});

test.each<[string, object, Anthropic.ToolChoice | undefined]>([
  ['nothing', {}, undefined],
  ['auto', { tool_choice: 'auto' }, { type: 'auto' }],
  ['none', { tool_choice: 'none', parallel_tool_calls: false }, { type: 'none' }],
  ['required', { tool_choice: 'required' }, { type: 'any' }],
  ['a function', { tool_choice: named('weather') }, { type: 'tool', name: 'weather' }],
  ['one call at a time', { parallel_tool_calls: false }, { type: 'auto', disable_parallel_tool_use: true }],
  [
    'one call of any',
    { tool_choice: 'required', parallel_tool_calls: false },
    { type: 'any', disable_parallel_tool_use: true },
  ],
  [
    'one call of a function',
    { tool_choice: named('weather'), parallel_tool_calls: false },
    { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
  ],
  ['parallel calls', { parallel_tool_calls: true }, undefined],
])('a choice of tools goes as the API has it: %s', (_case, fields, choice) => {
  expect(bodyFor({ tools: [TOOL], ...fields })['tool_choice']).toEqual(choice);
});

test('only tools that are allowed are offered', () => {
  const choice = { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [named('weather')] } };
  const body = bodyFor({ tools: [TOOL, named('time')], tool_choice: choice });
  expect(body).toMatchObject({ tools: [{ name: weather.name }], tool_choice: { type: 'any' } });
});

test('tools that were called and are offered no more are known, but not to be called', () => {
  const body = bodyFor({
    messages: [
      ...MESSAGES,
      { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'weather', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'c', content: 'clear' },
    ],
  });
  expect(body).toMatchObject({
    tools: [{ name: 'weather', input_schema: { type: 'object' } }],
    tool_choice: { type: 'none' },
  });
});

test('a choice of a tool without tools says nothing', () => {
  expect(bodyFor({ tools: [], tool_choice: 'auto' })).not.toHaveProperty('tool_choice');
});

test.each<[string, object, string]>([
  ['a custom tool', { tools: [{ type: 'custom', custom: { name: 'x' } }] }, 'tools[0]'],
  ['a choice that is none', { tools: [TOOL], tool_choice: 'any' }, 'tool_choice'],
  ['a cache of another kind', { tools: [{ ...TOOL, cache_control: { type: 'lasting' } }] }, 'tools[0].cache_control'],
])('a tool is refused: %s', (_case, fields, param) => {
  expect(faultOf(fields).param).toBe(param);
});

test('a setting that is not asked for is not sent', () => {
  expect(bodyFor({ temperature: null, stop: null, user: '', seed: 7, store: true, verbosity: 'medium', n: 1 })).toEqual(
    {
      model: 'claude-opus-5',
      max_tokens: 8_000,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
    },
  );
});

test.each<[object, object]>([
  [{ temperature: 0.2 }, { temperature: 0.2 }],
  [{ temperature: 0 }, { temperature: 0 }],
  [{ temperature: 2 }, {}],
  [{ temperature: 1, top_p: 1 }, {}],
  [
    { top_p: 0.5, top_k: 40 },
    { top_p: 0.5, top_k: 40 },
  ],
  [{ stop: 'END' }, { stop_sequences: ['END'] }],
  [{ stop: ['a', '', 'b'] }, { stop_sequences: ['a', 'b'] }],
  [{ stop: [] }, {}],
  [{ user: 'user-4711-a' }, { metadata: { user_id: 'user-4711-a' } }],
  [{ user: 'a', safety_identifier: 'hash-0123456789' }, { metadata: { user_id: 'hash-0123456789' } }],
  [{ cache_control: { type: 'ephemeral' } }, { cache_control: { type: 'ephemeral' } }],
])('a setting goes by the name that the API has for it: %j', (fields, expected) => {
  const { model: _model, max_tokens: _maxTokens, messages: _messages, ...rest } = bodyFor(fields);
  expect(rest).toEqual(expected);
});

test.each(['éva@example.test', '+49 30 1234567', 'Éva Müller', '4930123456789'])(
  'an id that may tell who a person is (%s) is hashed',
  (user) => {
    const { metadata } = bodyFor({ user }) as { metadata: { user_id: string } };
    expect(metadata.user_id).toMatch(/^[0-9a-f]{64}$/);
  },
);

test('a stream is asked of Anthropic as such', () => {
  expect(bodyFor({ stream: true }, { stream: true })).toMatchObject({ stream: true });
});

test.each<[object, string]>([
  [{ n: 2 }, 'n'],
  [{ logprobs: true }, 'logprobs'],
  [{ top_logprobs: 3 }, 'top_logprobs'],
  [{ logit_bias: { 50256: -100 } }, 'logit_bias'],
  [{ presence_penalty: 0.5 }, 'presence_penalty'],
  [{ frequency_penalty: -1 }, 'frequency_penalty'],
  [{ functions: [{ name: 'f' }] }, 'functions'],
  [{ function_call: 'auto' }, 'function_call'],
  [{ verbosity: 'low' }, 'verbosity'],
  [{ guided_json: {} }, 'guided_json'],
  [{ temperature: 'hot' }, 'temperature'],
  [{ temperature: -1 }, 'temperature'],
  [{ stop: [1] }, 'stop'],
  [{ thinking: 'hard' }, 'thinking'],
  [{ response_format: { type: 'xml' } }, 'response_format'],
  [{ response_format: { type: 'json_schema', json_schema: { name: 'x' } } }, 'response_format'],
  [{ cache_control: { type: 'ephemeral', ttl: '2h' } }, 'cache_control'],
])('a setting is refused by its name: %j', (fields, param) => {
  const fault = faultOf(fields);
  expect(fault.param).toBe(param);
  expect(fault.message).toContain(`'${param}'`);
});

test('a field whose name may be anything is refused without it', () => {
  const fault = faultOf({ 'my secret?': 1 });
  expect(fault).toEqual({ param: null, message: expect.not.stringContaining('secret') as unknown });
});

test('fields that say what they say by default pass', () => {
  const fields = {
    logprobs: false,
    top_logprobs: 0,
    logit_bias: {},
    presence_penalty: 0,
    functions: [],
    function_call: 'none',
  };
  expect(Object.keys(bodyFor(fields))).toEqual(['model', 'max_tokens', 'messages']);
});

test('a version of the API that knows no sampling gets none, and says so to whom asks for it', () => {
  const version = '2026-10-21';
  expect(faultOf({ temperature: 0.2 }, { version })).toMatchObject({ param: 'temperature' });
  expect(bodyFor({ temperature: 1, top_p: 1 }, { version })).not.toHaveProperty('temperature');
});

const text = (more: object) => [{ role: 'user', content: [{ type: 'text', text: 'long', ...more }] }];
const controlOf = (fields: object): unknown => {
  const { messages } = bodyFor(fields) as { messages: { content: { cache_control?: unknown }[] }[] };
  return messages[0]?.content[0]?.cache_control;
};

test.each<[string, object, object | undefined]>([
  [
    'Anthropic’s own word',
    { messages: text({ cache_control: { type: 'ephemeral', ttl: '1h' } }) },
    { type: 'ephemeral', ttl: '1h' },
  ],
  ['OpenAI’s word', { messages: text({ prompt_cache_breakpoint: { mode: 'explicit' } }) }, { type: 'ephemeral' }],
  [
    'OpenAI’s word for a long time',
    { messages: text({ prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } }) },
    { type: 'ephemeral', ttl: '1h' },
  ],
  [
    'a long time for the whole request',
    { messages: text({ prompt_cache_breakpoint: { mode: 'explicit' } }), prompt_cache_options: { ttl: '30m' } },
    { type: 'ephemeral', ttl: '1h' },
  ],
  ['no word', { messages: text({ cache_control: null }), prompt_cache_options: { ttl: '30m' } }, undefined],
])('cache controls go where callers put them: %s', (_case, fields, control) => {
  expect(controlOf(fields)).toEqual(control);
});

test('the cache controls of opencode, on messages and a call, mark the blocks that these are for Anthropic', () => {
  const recorded = new URL('../../../../test/fixtures/agents/opencode-claude-turn2.json', import.meta.url);
  const { body } = JSON.parse(readFileSync(recorded, 'utf8')) as { body: object };
  const cache_control = { type: 'ephemeral' } as const;
  const expected: Params = {
    system: [{ type: 'text', text: expect.any(String) as string, cache_control }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: '"Append the word world to hello.txt"' }] },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'call_1', name: 'bash', input: expect.any(Object) as object, cache_control }],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'call_1', content: '(no output)', cache_control }],
      },
    ],
  };
  const { system, messages } = bodyFor(body);
  expect({ system, messages }).toEqual(expected);
});

test('the cache control of a message marks its last block, unless that has its own', () => {
  const marked = { cache_control: { type: 'ephemeral' } };
  const parts = [
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b' },
  ];
  const contentOf = (message: object) => {
    const { messages } = bodyFor({ messages: [{ role: 'user', content: 'hello' }, message] });
    return (messages as { content: object[] }[]).flatMap(({ content }) => content).slice(1);
  };
  expect(contentOf({ role: 'user', content: parts, ...marked })).toEqual([parts[0], { ...parts[1], ...marked }]);
  const own = { ...parts[1], cache_control: { type: 'ephemeral', ttl: '1h' } };
  expect(contentOf({ role: 'user', content: [parts[0], own], ...marked })).toEqual([parts[0], own]);
  const called = contentOf({ role: 'assistant', content: 'a', tool_calls: calls, ...marked });
  expect(called.map((block) => 'cache_control' in block)).toEqual([false, false, true]);
  expect(contentOf({ role: 'user', content: '', ...marked })).toEqual([]);
  expect(contentOf({ role: 'user', content: 'a', prompt_cache_breakpoint: { mode: 'explicit' } })).toEqual([
    { ...parts[0], ...marked },
  ]);
});

test('a cache control that the API has no word for is refused by its place', () => {
  expect(faultOf({ messages: text({ cache_control: { type: 'ephemeral', ttl: '30m' } }) }).param).toBe(
    'messages[0].content[0].cache_control',
  );
  const hello = { role: 'user', content: 'hello', cache_control: { type: 'lasting' } };
  expect(faultOf({ messages: [hello] }).param).toBe('messages[0].cache_control');
  const calling = { role: 'assistant', tool_calls: [{ ...calls[0], cache_control: { type: 'lasting' } }] };
  expect(faultOf({ messages: [...MESSAGES, calling] }).param).toBe('messages[1].tool_calls[0].cache_control');
});

const schema = {
  type: 'object',
  properties: { a: { type: 'integer', minimum: 1 } },
  required: ['a'],
  additionalProperties: false,
};
const json = (value: object) => ({ response_format: { type: 'json_schema', json_schema: { name: 'x', ...value } } });

test('a format’s schema is enforced, and what of it can’t be is told', () => {
  const expected: Params = {
    output_config: {
      format: {
        type: 'json_schema',
        schema: {
          ...schema,
          description: 'A thing.',
          properties: { a: { type: 'integer', description: '{minimum: 1}' } },
        },
      },
    },
  };
  const body = bodyFor(json({ schema, description: 'A thing.' }));
  expect(body).toMatchObject(expected);
  expect(body).not.toHaveProperty('system');
});

test('a format’s schema that allows any members is told as a whole, for nothing would be left of it', () => {
  const open = { type: 'object', additionalProperties: { type: 'string' } };
  const body = bodyFor({
    ...json({ schema: open }),
    messages: [{ role: 'system', content: 'Be brief.' }, ...MESSAGES],
  });
  const [own, told] = body['system'] as { text: string }[];
  expect(own?.text).toBe('Be brief.');
  expect(told?.text).toContain(JSON.stringify(open));
  expect(body).not.toHaveProperty('output_config');
});

test('JSON without a schema is told in words', () => {
  const body = bodyFor({ response_format: { type: 'json_object' } });
  expect(body['system']).toEqual([{ type: 'text', text: expect.stringContaining('one JSON object') as unknown }]);
});

test('a format of plain text adds nothing', () => {
  expect(bodyFor({ response_format: { type: 'text' } })).not.toHaveProperty('output_config');
});
