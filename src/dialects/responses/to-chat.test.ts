import { readdirSync, readFileSync } from 'node:fs';
import type OpenAI from 'openai';
import { expect, test } from 'vitest';
import { readChatRequest } from '../../openai/chat-request.ts';
import type { JsonObject } from '../../openai/json-object.ts';
import { Untranslatable } from '../../openai/untranslatable.ts';
import { readResponsesRequest } from './responses-request.ts';
import { sealCapsule } from './reasoning-capsule.ts';
import { carryToChat } from './to-chat.ts';

const RECORDED = new URL('../../../test/fixtures/agents/', import.meta.url);

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
/** Their input refers to what is kept elsewhere, or holds items of a kind that chat has no shape for. */
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
  [{ truncation: 'auto' }, 'truncation'],
  [{ include: ['file_search_call.results'] }, 'include[0]'],
  [{ unheard_of: 1 }, 'unheard_of'],
  [
    { input: [{ role: 'user', content: [{ type: 'input_file', file_url: 'https://a.example' }] }] },
    'input[0].content[0].file_data',
  ],
  [{ input: [{ type: 'computer_call' }] }, 'input[0].type'],
  [{ input: [{ role: 'critic', content: 'a' }] }, 'input[0].role'],
  [{ tools: [{ type: 'function' }] }, 'tools[0].name'],
  [
    {
      tools: [
        { type: 'function', name: 'a' },
        { type: 'custom', name: 'a' },
      ],
    },
    'tools[1].name',
  ],
  [{ tool_choice: 'required' }, 'tool_choice'],
  [{ text: { format: { type: 'xml' } } }, 'text.format.type'],
])('what chat has no word for is refused by the name of its field: %j', (fields, param) => {
  expect(faultOf(fields).param).toBe(param);
  expect(faultOf(fields).message).toContain(param.split(/[.[]/)[0]);
});
