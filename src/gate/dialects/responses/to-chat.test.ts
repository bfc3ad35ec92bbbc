import { readdirSync, readFileSync } from 'node:fs';
import type OpenAI from 'openai';
import { expect, test } from 'vitest';
import { readChatRequest } from '../../openai/chat-request.ts';
import type { JsonObject } from '../../openai/json-object.ts';
import { Untranslatable } from '../../openai/untranslatable.ts';
import { readResponsesRequest } from './responses-request.ts';
import { sealCapsule } from './reasoning-capsule.ts';
import { carryToChat } from './to-chat.ts';

const RECORDED = new URL('../../../../test/fixtures/agents/', import.meta.url);

function recording(name: string): { readonly path: string; readonly body: object } {
  return JSON.parse(readFileSync(new URL(name, RECORDED), 'utf8')) as { path: string; body: object };
}

/** The body of a recorded request of an agent. */
function recorded(name: string): Buffer {
  return Buffer.from(JSON.stringify(recording(name).body));
}

type Chat = Partial<OpenAI.ChatCompletionCreateParams> & JsonObject;

function chatOf(fields: object): Chat {
  const body = Buffer.from(JSON.stringify({ model: 'small', input: 'hi', ...fields }));
  return JSON.parse(carryToChat(body, 'none').body.toString()) as Chat;
}

function faultOf(fields: object): { param: string | null; message: string } {
  try {
    chatOf(fields);
  } catch (error) {
    if (error instanceof Untranslatable) return { param: error.param, message: error.message };
    throw error;
  }
  throw new Error('the request was translated');
}

const NAMES = readdirSync(RECORDED).filter((name) => recording(name).path === '/v1/responses');
/** Their input refers to something stored elsewhere, or has items that chat can't represent. */
const REFUSED: Readonly<Record<string, string>> = {
  'sdk-ai-openai-tools-turn2.json': 'input[1]',
  'codex-gpt-5.5-tool-search-turn2.json': 'input',
};

test.each(NAMES.filter((name) => !(name in REFUSED)))(
  'the recorded request %s is read, and is a chat request',
  (name) => {
    const body = recorded(name);
    expect(readResponsesRequest(body)).toMatchObject({ ok: true, request: { body } });
    const { body: chat } = carryToChat(body, 'none');
    expect(readChatRequest(chat)).toMatchObject({ ok: true });
  },
);

test.each(Object.entries(REFUSED))(
  'the recorded request %s is refused by the name of what chat has no shape for',
  (name, param) => {
    expect(() => carryToChat(recorded(name), 'none')).toThrow(Untranslatable);
    try {
      carryToChat(recorded(name), 'none');
    } catch (error) {
      expect((error as Untranslatable).param).toContain(param);
    }
  },
);

test("what a model said in one turn becomes one message, and its tools' answers follow", () => {
  const input = [
    { role: 'developer', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'hi' },
        { type: 'input_image', image_url: 'https://a.example/b.png', detail: 'high' },
      ],
    },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.', annotations: [] }] },
    { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{}' },
    { type: 'custom_tool_call', call_id: 'c2', name: 'apply_patch', input: 'a "b"' },
    { type: 'function_call_output', call_id: 'c1', output: 'sunny' },
    { type: 'custom_tool_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'done' }] },
  ];
  expect(chatOf({ instructions: 'Be kind.', input }).messages).toEqual([
    { role: 'system', content: 'Be kind.' },
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'hi' },
        { type: 'image_url', image_url: { url: 'https://a.example/b.png', detail: 'high' } },
      ],
    },
    {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' } },
        { id: 'c2', type: 'function', function: { name: 'apply_patch', arguments: '{"input":"a \\"b\\""}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
    { role: 'tool', tool_call_id: 'c2', content: 'done' },
  ]);
});

test('tools become functions, a namespace goes into their names, and a forced one is forced', () => {
  const tools = [
    { type: 'function', name: 'weather', description: 'w', parameters: { type: 'object' }, strict: true },
    { type: 'namespace', name: 'agents', tools: [{ type: 'function', name: 'spawn', strict: false }] },
  ];
  const choice = { type: 'function', namespace: 'agents', name: 'spawn' };
  expect(chatOf({ tools, tool_choice: choice })).toMatchObject({
    tools: [
      {
        type: 'function',
        function: { name: 'weather', description: 'w', parameters: { type: 'object' }, strict: true },
      },
      { type: 'function', function: { name: 'agents__spawn' } },
    ],
    tool_choice: { type: 'function', function: { name: 'agents__spawn' } },
  });
});

test('a tool that runs at the provider is left out and named, and one that is demanded is refused', () => {
  const tools = [{ type: 'web_search' }, { type: 'function', name: 'weather' }];
  const body = Buffer.from(JSON.stringify({ model: 'small', input: 'hi', tools }));
  expect(carryToChat(body, 'none')).toMatchObject({ leftOut: ['web_search'] });
  expect(faultOf({ tools, tool_choice: { type: 'web_search' } })).toMatchObject({ param: 'tool_choice' });
});

test('reasoning of another make is left out and named', () => {
  const input = [
    { role: 'user', content: 'hi' },
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' },
  ];
  const body = Buffer.from(JSON.stringify({ model: 'small', input }));
  expect(carryToChat(body, 'none')).toMatchObject({ leftOut: ['reasoning'] });
});

test('a model’s own reasoning goes to a provider that reads it, and is left out and named for one that does not', () => {
  const encrypted = sealCapsule({ isReasoning: true, thinking: [], message: undefined, calls: {} });
  const input = [
    { role: 'user', content: 'hi' },
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: encrypted },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Right.' }] },
  ];
  const carried = (['reasoning', 'none'] as const).map((extensions) => {
    const { body, leftOut } = carryToChat(Buffer.from(JSON.stringify({ model: 'small', input })), extensions);
    return [(JSON.parse(body.toString()) as Chat).messages?.[1], leftOut];
  });
  expect(carried).toEqual([
    [{ role: 'assistant', content: 'Right.', reasoning_content: 'Hm.' }, []],
    [{ role: 'assistant', content: 'Right.' }, ['reasoning']],
  ]);
});

test('settings keep their meaning under the names that chat has for them', () => {
  const schema = { type: 'object', properties: {} };
  expect(
    chatOf({
      stream: true,
      max_output_tokens: 50,
      reasoning: { effort: 'low', summary: 'auto' },
      text: { verbosity: 'low', format: { type: 'json_schema', name: 'a', strict: true, schema } },
      top_logprobs: 2,
      temperature: 0.5,
      parallel_tool_calls: true,
      truncation: 'disabled',
      include: ['reasoning.encrypted_content'],
    }),
  ).toEqual({
    model: 'small',
    messages: [{ role: 'user', content: 'hi' }],
    temperature: 0.5,
    reasoning_effort: 'low',
    verbosity: 'low',
    response_format: { type: 'json_schema', json_schema: { name: 'a', strict: true, schema } },
    logprobs: true,
    top_logprobs: 2,
    max_completion_tokens: 50,
    stream: true,
    stream_options: { include_usage: true },
  });
});

test.each([
  [{ include: null, top_logprobs: 0, max_output_tokens: null, stream: false, reasoning: null, text: null }, {}],
  [{ include: 'message.output_text.logprobs' }, { logprobs: true }],
  [{ include: ['reasoning.encrypted_content', 'message.output_text.logprobs'] }, { logprobs: true }],
  [
    { include: [], top_logprobs: 1 },
    { logprobs: true, top_logprobs: 1 },
  ],
  [{ top_logprobs: '5' }, {}],
  [{ reasoning: { effort: null }, text: { verbosity: null, format: null } }, {}],
  [{ reasoning: 'high' }, {}],
  [{ text: { format: { type: 'text' } } }, {}],
  [{ text: { format: { type: 'json_object', name: 'a' } } }, { response_format: { type: 'json_object' } }],
  [
    { text: { format: { type: 'json_schema', name: 'a', schema: {}, strict: null, description: 'd' } } },
    { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {}, description: 'd' } } },
  ],
  [
    { parallel_tool_calls: false, temperature: null, top_p: 0, user: 'u', metadata: { a: 'b' } },
    { top_p: 0, user: 'u', metadata: { a: 'b' } },
  ],
  [
    { tools: [{ type: 'function', name: 'f' }], parallel_tool_calls: false },
    { tools: [{ type: 'function', function: { name: 'f' } }], parallel_tool_calls: false },
  ],
  [{ truncation: 'disabled', background: false, store: true, max_tool_calls: 3, client_metadata: {} }, {}],
])('a setting of Responses is in the chat request if chat has a word for it, and only then: %j', (fields, expected) => {
  expect(chatOf(fields)).toEqual({ model: 'small', messages: [{ role: 'user', content: 'hi' }], ...expected });
});

test('what an answer must know of its request goes beside the chat request', () => {
  const tools = [
    { type: 'mcp' },
    { type: 'web_search' },
    { type: 'mcp' },
    { type: 'namespace', name: 'n', tools: [{ type: 'custom', name: 'c' }] },
  ];
  const input = [
    { role: 'user', content: 'hi' },
    { type: 'additional_tools', tools: [{ type: 'function', name: 'f' }, { type: 'local_shell' }] },
    { type: 'reasoning', summary: [], encrypted_content: 'gAAAA' },
  ];
  const { leftOut, notes } = carryToChat(
    Buffer.from(JSON.stringify({ model: 'small', instructions: 'Be kind.', temperature: 0.5, tools, input })),
    'none',
  );
  expect(leftOut).toEqual(['mcp', 'web_search', 'local_shell', 'reasoning']);
  expect([...notes.tools]).toEqual([
    ['n__c', { kind: 'custom', name: 'c', namespace: 'n' }],
    ['f', { kind: 'function', name: 'f', namespace: null }],
  ]);
  expect(notes.settings).toMatchObject({ instructions: 'Be kind.', temperature: 0.5, tools });
});

test.each([
  [{ type: 'function', name: 'f', description: 5, parameters: 'a', strict: false }, { name: 'f' }],
  [{ type: 'function', name: 'f'.repeat(64) }, { name: 'f'.repeat(64) }],
  [
    { type: 'function', name: 'f', parameters: {}, strict: true },
    { name: 'f', parameters: {}, strict: true },
  ],
  [{ type: 'custom', name: 'c', format: { type: 'text', definition: 'x' } }, { name: 'c' }],
  [
    { type: 'custom', name: 'c', description: 'Does.', format: null },
    { name: 'c', description: 'Does.' },
  ],
  [{ type: 'custom', name: 'c', format: { type: 'grammar', definition: 5 } }, { name: 'c' }],
  [
    { type: 'custom', name: 'c', description: 'Does.', format: { type: 'grammar', syntax: 'regex', definition: 'a+' } },
    { name: 'c', description: 'Does.\n\nThe input must match this grammar (regex):\na+' },
  ],
  [
    { type: 'custom', name: 'c', format: { type: 'grammar', definition: 'start: "a"' } },
    { name: 'c', description: 'The input must match this grammar (lark):\nstart: "a"' },
  ],
])('a tool becomes a function with what chat can say of it: %j', (tool, expected) => {
  const text = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };
  const parameters = tool.type === 'custom' ? { parameters: { ...text, additionalProperties: false } } : {};
  expect(chatOf({ tools: [tool] }).tools).toEqual([{ type: 'function', function: { ...expected, ...parameters } }]);
});

const TOOLS = [
  { type: 'function', name: 'f' },
  { type: 'namespace', name: 'n', tools: [{ type: 'custom', name: 'c' }] },
];
const chosen = (name: string) => ({ type: 'function', function: { name } });

test.each([
  ['auto', 'auto'],
  ['none', 'none'],
  ['required', 'required'],
  [null, undefined],
  [{ type: 'function', name: 'f' }, chosen('f')],
  [{ type: 'custom', name: 'c', namespace: 'n' }, chosen('n__c')],
  [
    { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'f' }] },
    { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [chosen('f')] } },
  ],
  [
    { type: 'allowed_tools', tools: [{ type: 'custom', name: 'c', namespace: 'n' }, TOOLS[0]] },
    { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [chosen('n__c'), chosen('f')] } },
  ],
])('a choice of tools names functions: %j', (choice, expected) => {
  expect(chatOf({ tools: TOOLS, tool_choice: choice }).tool_choice).toEqual(expected);
});

test('a free choice among no tools is left out', () => {
  expect(chatOf({ tool_choice: 'auto' })).not.toHaveProperty('tool_choice');
  expect(chatOf({ tools: null, tool_choice: 'none' })).not.toHaveProperty('tool_choice');
});

const TYPE = 'is of a type that this model does not take.';
const NO_TOOL = "is a tool of a type that this model can't be given.";
const UNNAMED = "must name one of the request's functions or custom tools, for this model.";
const NAME_LONG = 'is too long: with its namespace it must have at most 62 characters for this model.';
const tool = (type: string, fields: object = {}) => ({ type, name: 'f', ...fields });
const part = (fields: object) => ({ input: [{ role: 'user', content: [fields] }] });
const output = (fields: object) => ({ input: [{ type: 'function_call_output', call_id: 'c', ...fields }] });

test.each([
  [{ truncation: 'auto' }, 'truncation', null],
  [{ background: true }, 'background', null],
  [{ unheard_of: 1 }, 'unheard_of', null],
  [
    { include: ['reasoning.encrypted_content', 'file_search_call.results'] },
    'include[1]',
    'must be reasoning.encrypted_content or message.output_text.logprobs for this model.',
  ],
  [{ include: 5 }, 'include[0]', null],
  [{ instructions: 5 }, 'instructions', 'must be a string.'],
  [{ input: [{ type: 'reasoning', summary: [] }] }, 'input', 'must hold at least one message.'],
  [{ input: [5] }, 'input[0]', 'must be an object.'],
  [{ input: [{ type: 'computer_call' }] }, 'input[0].type', TYPE, 'input[0]'],
  [
    { input: [{ type: 'item_reference', id: 'msg_1' }] },
    'input[0]',
    'refers to an item that is not kept here; send the item itself.',
  ],
  [{ input: [{ role: 'critic', content: 'a' }] }, 'input[0].role', 'must be user, assistant, system or developer.'],
  [{ input: [{ role: 'toString', content: 'a' }] }, 'input[0].role', 'must be user, assistant, system or developer.'],
  [{ input: [{ role: 5, content: 'a' }] }, 'input[0].role', null],
  [{ input: [{ role: 'user', content: 5 }] }, 'input[0].content', 'must be a string or an array of parts.'],
  [part({ type: 'of_next_year' }), 'input[0].content[0].type', TYPE, 'input[0].content[0]'],
  [{ input: [{ role: 'user', content: [5] }] }, 'input[0].content[0]', 'must be an object with a type.'],
  [part({ type: 'input_text' }), 'input[0].content[0].text', 'must be a string.'],
  [part({ type: 'refusal', text: 'a' }), 'input[0].content[0].refusal', 'must be a string.'],
  [
    part({ type: 'input_image', file_id: 'f' }),
    'input[0].content[0].image_url',
    'must be a URL or a data URL; ids of files are not known here.',
  ],
  [
    part({ type: 'input_file', file_url: 'https://a.example' }),
    'input[0].content[0].file_data',
    'must hold the file as a data URL, for this model.',
  ],
  [{ input: [tool('function_call', { call_id: 'c' })] }, 'input[0].arguments', 'must be a string.'],
  [{ input: [tool('custom_tool_call', { call_id: 'c' })] }, 'input[0].input', 'must be a string.'],
  [{ input: [tool('function_call', { arguments: '{}' })] }, 'input[0].call_id', 'must be a string.'],
  [{ input: [tool('function_call', { name: 5, arguments: '' })] }, 'input[0].name', 'must be a string.'],
  [output({ call_id: 5, output: 'a' }), 'input[0].call_id', 'must be a string.'],
  [output({}), 'input[0].output', 'must be a string or an array of parts.'],
  [
    {
      input: [
        { type: 'additional_tools', tools: 5 },
        { role: 'user', content: 'hi' },
      ],
    },
    'input[0].tools',
    'must be an array of tools.',
  ],
  [{ tools: {} }, 'tools', 'must be an array of tools.'],
  [{ tools: [5] }, 'tools[0]', 'must be an object with a type.'],
  [{ tools: [{ type: 'function' }] }, 'tools[0].name', "must be the tool's name."],
  [{ tools: [tool('custom', { name: '' })] }, 'tools[0].name', "must be the tool's name."],
  [{ tools: [tool('of_next_year')] }, 'tools[0].type', NO_TOOL, 'tools[0]'],
  [{ tools: [tool('namespace')] }, 'tools[0].tools', 'must be an array of tools.'],
  [{ tools: [tool(['mcp'] as never)] }, 'tools[0].type', NO_TOOL, 'tools[0]'],
  [
    { tools: [tool('namespace', { tools: [tool('namespace')] })] },
    'tools[0].tools[0].type',
    NO_TOOL,
    'tools[0].tools[0]',
  ],
  [{ tools: [tool('function', { name: 'f'.repeat(65) })] }, 'tools[0].name', NAME_LONG],
  [
    { tools: [tool('namespace', { tools: [tool('custom', { name: 'f'.repeat(62) })] })] },
    'tools[0].tools[0].name',
    NAME_LONG,
  ],
  [
    { tools: [tool('function'), tool('custom')] },
    'tools[1].name',
    'is the name of another tool too; give each its own.',
  ],
  [{ tool_choice: 'required' }, 'tool_choice', 'demands a call, but this model can be given none of the tools.'],
  [{ tools: TOOLS, tool_choice: 'any' }, 'tool_choice', UNNAMED],
  [{ tools: TOOLS, tool_choice: tool('function', { name: 'g' }) }, 'tool_choice', UNNAMED],
  [{ tools: TOOLS, tool_choice: tool('custom', { name: 'c' }) }, 'tool_choice', UNNAMED],
  [{ tools: TOOLS, tool_choice: tool('mcp') }, 'tool_choice', UNNAMED],
  [{ tools: TOOLS, tool_choice: { type: 'function', name: ['f'] } }, 'tool_choice', UNNAMED],
  [{ tools: TOOLS, tool_choice: { type: 'allowed_tools' } }, 'tool_choice.tools', 'must be an array.'],
  [
    { tools: TOOLS, tool_choice: { type: 'allowed_tools', tools: [tool('function'), 5] } },
    'tool_choice.tools[1]',
    UNNAMED,
  ],
  [{ text: { format: { type: 'xml' } } }, 'text.format.type', 'must be text, json_object or json_schema.'],
])('what chat has no word for is refused by the name of its field: %j', (fields, param, problem, named = param) => {
  const fault = faultOf(fields);
  expect(fault.param).toBe(param);
  if (problem === null) expect(fault.message).toContain(param.split(/[.[]/)[0]);
  else expect(fault.message).toBe(`'${named}' ${problem}`);
});

test.each([
  [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }, null],
  [{ type: 'input_image', image_url: 'https://a.example/b.png', detail: null }, { url: 'https://a.example/b.png' }],
  [
    { type: 'input_file', file_data: 'AAAA', filename: 'a.pdf' },
    { file_data: 'AAAA', filename: 'a.pdf' },
  ],
  [{ type: 'input_file', file_data: 'AAAA', filename: 5 }, { file_data: 'AAAA' }],
])('a part that is no text is a part in chat: %j', (given, expected) => {
  const [message] = chatOf(part(given)).messages ?? [];
  const media = { input_image: 'image_url', input_file: 'file', input_audio: 'input_audio' }[given.type] ?? '';
  expect(message?.content).toEqual([{ type: media, [media]: expected ?? given.input_audio }]);
});

test('texts of every kind are texts, several stay apart, and a call of a namespace has its name', () => {
  const content = [
    { type: 'output_text', text: 'a' },
    { type: 'refusal', refusal: 'b' },
    { type: 'text', text: 'c' },
  ];
  const input = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content },
    { type: 'function_call', namespace: 'n', name: 'f', arguments: '{}', call_id: 'c1' },
    { role: 'system', content: 'be quick' },
  ];
  expect(chatOf({ instructions: null, input }).messages).toEqual([
    { role: 'user', content: 'hi' },
    {
      role: 'assistant',
      content: ['a', 'b', 'c'].map((text) => ({ type: 'text', text })),
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'n__f', arguments: '{}' } }],
    },
    { role: 'system', content: 'be quick' },
  ]);
});

test('reasoning that is no text of its own, or was made by nobody, says nothing', () => {
  const sealed = (isReasoning: boolean) => sealCapsule({ isReasoning, thinking: [], message: undefined, calls: {} });
  const messagesOf = (item: object) => {
    const input = [
      { role: 'user', content: 'hi' },
      { type: 'reasoning', ...item },
      { role: 'assistant', content: 'a' },
    ];
    const { body, leftOut } = carryToChat(Buffer.from(JSON.stringify({ model: 'm', input })), 'reasoning');
    return [(JSON.parse(body.toString()) as Chat).messages?.[1], leftOut];
  };
  const plain = { role: 'assistant', content: 'a' };
  const text = (words: unknown) => ({ type: 'summary_text', text: words });
  expect(messagesOf({ summary: [text('Hm.')] })).toEqual([plain, []]);
  expect(messagesOf({ summary: [], encrypted_content: 'fgr1.NQ' })).toEqual([plain, ['reasoning']]);
  expect(messagesOf({ summary: [text('Hm.')], encrypted_content: sealed(false) })).toEqual([plain, ['reasoning']]);
  expect(messagesOf({ summary: null, encrypted_content: sealed(true) })).toEqual([plain, []]);
  expect(messagesOf({ summary: [text('H'), 5, text(5), text('m.')], encrypted_content: sealed(true) })).toEqual([
    { ...plain, reasoning_content: 'Hm.' },
    [],
  ]);
});
