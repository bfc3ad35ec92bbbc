import type OpenAI from 'openai';
import type { Answer, UsageSaid } from './answers.ts';
import type { Ability, Asked } from './asked.ts';
import { CAP, IMAGE, QUESTION, SCHEMA, TIME, WEATHER } from './questions.ts';

// What is asked of every kind of provider and what the provider answers, in terms that all of them share. The name of a
// scenario is the model's name at the vendor, so that the stand-in knows which one it is in.

export type ChatParams = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'model' | 'stream'>;

export interface ChatScenario {
  readonly name: string;
  readonly needs?: Ability;
  /** What the caller sends. */
  readonly request: ChatParams;
  /** What must reach the provider of it. */
  readonly asked: Asked;
  readonly answer: Answer;
}

const USAGE: UsageSaid = { input: 31, cached: 0, written: 0, output: 7, reasoning: 0 };

const ASKED: Asked = {
  system: [],
  turns: [{ role: 'user', parts: [QUESTION] }],
  tools: [],
  toolChoice: null,
  cap: null,
  stop: [],
  temperature: null,
  format: 'text',
};

const SAYS: Answer = {
  text: ['Two ', 'dollars, ', 'naïve 👋.'],
  refusal: null,
  calls: [],
  finish: 'stop',
  usage: USAGE,
};
const USER: OpenAI.ChatCompletionMessageParam = { role: 'user', content: QUESTION };

const asTool = (definition: typeof WEATHER | typeof TIME): OpenAI.ChatCompletionTool => ({
  type: 'function',
  function: definition,
});
const toolCall = (id: string, name: string, args: object): OpenAI.ChatCompletionMessageToolCall => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
});

export const CHAT_SCENARIOS: readonly ChatScenario[] = [
  { name: 'text', request: { messages: [USER] }, asked: ASKED, answer: SAYS },
  {
    name: 'settings',
    request: {
      messages: [{ role: 'system', content: 'Be brief.' }, { role: 'developer', content: 'Be kind.' }, USER],
      temperature: 0.5,
      stop: ['END', '###'],
      max_completion_tokens: CAP,
    },
    asked: { ...ASKED, system: ['Be brief.', 'Be kind.'], temperature: 0.5, stop: ['END', '###'], cap: CAP },
    answer: SAYS,
  },
  {
    name: 'conversation',
    request: {
      messages: [USER, { role: 'assistant', content: 'Two dollars.' }, { role: 'user', content: 'And back?' }],
    },
    asked: {
      ...ASKED,
      turns: [
        { role: 'user', parts: [QUESTION] },
        { role: 'assistant', text: 'Two dollars.', calls: [] },
        { role: 'user', parts: ['And back?'] },
      ],
    },
    answer: SAYS,
  },
  {
    name: 'tool_call',
    request: { messages: [USER], tools: [asTool(WEATHER), asTool(TIME)], tool_choice: 'auto' },
    asked: { ...ASKED, tools: [WEATHER, TIME], toolChoice: 'auto' },
    answer: {
      ...SAYS,
      text: [],
      calls: [{ id: 'call_1', name: 'weather', arguments: ['{"city":', '"Orléans"', ',"days":3}'] }],
      finish: 'tool_calls',
    },
  },
  {
    name: 'text_and_tool_call',
    request: { messages: [USER], tools: [asTool(WEATHER)], tool_choice: 'required' },
    asked: { ...ASKED, tools: [WEATHER], toolChoice: 'required' },
    answer: {
      ...SAYS,
      text: ['Let me ', 'look.'],
      calls: [{ id: 'call_1', name: 'weather', arguments: ['{"city":"Paris"}'] }],
      finish: 'tool_calls',
    },
  },
  {
    name: 'parallel_calls',
    request: {
      messages: [USER],
      tools: [asTool(WEATHER), asTool(TIME)],
      tool_choice: { type: 'function', function: { name: 'weather' } },
    },
    asked: { ...ASKED, tools: [WEATHER, TIME], toolChoice: { name: 'weather' } },
    answer: {
      ...SAYS,
      text: [],
      calls: [
        { id: 'call_1', name: 'weather', arguments: ['{"city"', ':"Paris"}'] },
        { id: 'call_2', name: 'time', arguments: ['{"city":', '"Rome"}'] },
        { id: 'call_3', name: 'weather', arguments: ['{"city":"Rome"}'] },
      ],
      finish: 'tool_calls',
    },
  },
  {
    name: 'tool_answers',
    request: {
      messages: [
        USER,
        {
          role: 'assistant',
          content: null,
          tool_calls: [toolCall('call_1', 'weather', { city: 'Paris' }), toolCall('call_2', 'time', { city: 'Rome' })],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'clear' },
        { role: 'tool', tool_call_id: 'call_2', content: '{"hour":9}' },
      ],
      tools: [asTool(WEATHER), asTool(TIME)],
    },
    asked: {
      ...ASKED,
      turns: [
        { role: 'user', parts: [QUESTION] },
        {
          role: 'assistant',
          text: '',
          calls: [
            { name: 'weather', arguments: { city: 'Paris' } },
            { name: 'time', arguments: { city: 'Rome' } },
          ],
        },
        { role: 'tool', tool: 'weather', text: 'clear' },
        { role: 'tool', tool: 'time', text: '{"hour":9}' },
      ],
      tools: [WEATHER, TIME],
    },
    answer: SAYS,
  },
  {
    name: 'image',
    request: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: IMAGE } },
            { type: 'text', text: 'Be precise.' },
          ],
        },
      ],
    },
    asked: { ...ASKED, turns: [{ role: 'user', parts: ['What is this?', `image:${IMAGE}`, 'Be precise.'] }] },
    answer: SAYS,
  },
  {
    name: 'json_mode',
    needs: 'json_mode',
    request: { messages: [USER], response_format: { type: 'json_object' } },
    asked: { ...ASKED, format: 'json' },
    answer: { ...SAYS, text: ['{"price"', ':2}'] },
  },
  {
    name: 'json_schema',
    needs: 'json_schema',
    request: {
      messages: [USER],
      response_format: { type: 'json_schema', json_schema: { name: 'price', strict: true, schema: SCHEMA } },
    },
    asked: { ...ASKED, format: { schema: SCHEMA } },
    answer: { ...SAYS, text: ['{"price":2,', '"currency":"USD"}'] },
  },
  {
    name: 'length',
    request: { messages: [USER], max_completion_tokens: CAP },
    asked: { ...ASKED, cap: CAP },
    answer: { ...SAYS, text: ['Two dol'], finish: 'length', usage: { ...USAGE, output: CAP } },
  },
  {
    name: 'refusal',
    needs: 'refusal_text',
    request: { messages: [USER] },
    asked: ASKED,
    answer: { ...SAYS, text: [], refusal: "I'm sorry, I can't assist with that." },
  },
  {
    name: 'content_filter',
    request: { messages: [USER] },
    asked: ASKED,
    answer: { ...SAYS, text: ['Well, '], finish: 'content_filter' },
  },
  {
    name: 'cached_and_reasoned',
    request: { messages: [USER] },
    asked: ASKED,
    answer: { ...SAYS, usage: { input: 2_006, cached: 1_920, written: 0, output: 300, reasoning: 256 } },
  },
  {
    name: 'cache_written',
    needs: 'cache_write',
    request: { messages: [USER] },
    asked: ASKED,
    answer: { ...SAYS, usage: { input: 2_006, cached: 100, written: 1_900, output: 12, reasoning: 0 } },
  },
];

/** A text long enough that nobody hears it to its end. */
export const LONG_ANSWER: Answer = { ...SAYS, text: Array.from({ length: 600 }, (_, index) => `word${index} `) };

export const SHORT_ANSWER: Answer = SAYS;

/** One vector for each text, of numbers that 32-bit floats hold exactly. */
export const VECTORS: readonly (readonly number[])[] = [
  [0.5, -0.25, 1, 0],
  [-1, 0.125, 0, 0.75],
];
export const EMBEDDED_TOKENS = 9;
