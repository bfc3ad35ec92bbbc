import type { Answer, UsageSaid } from '../../conformance/answers.ts';
import type { Asked } from '../../conformance/asked.ts';
import { CAP, IMAGE, QUESTION, SCHEMA, TIME, WEATHER } from '../../conformance/questions.ts';

// What callers ask in each API, and what the model says to that, in terms that all APIs and kinds of providers share. The
// name of a feature is the model's name at the provider, so that the stand-in knows what to say.

/** How a feature ends; the others are answered. */
export type Trouble = 'rejected' | 'unavailable' | 'breaks';

export interface Feature {
  readonly name: string;
  /** What the caller asks for, and what must reach the provider of it. */
  readonly asked: Asked;
  readonly answer: Answer;
  readonly trouble?: Trouble;
  /** Whether the caller goes on: with the answer as it came, and a result for each of its calls. */
  readonly goesOn?: true;
  /** How the caller asks; both ways unless given. */
  readonly only?: 'plain' | 'stream';
}

/** Cached tokens and those of reasoning count once: each is in its class, and in no other. */
const USAGE: UsageSaid = { input: 2_006, cached: 1_920, written: 0, output: 300, reasoning: 256 };

const ASKED: Asked = {
  system: ['Be brief.'],
  turns: [{ role: 'user', parts: [QUESTION] }],
  tools: [],
  toolChoice: null,
  cap: null,
  stop: [],
  temperature: null,
  format: 'text',
};

const SAYS: Answer = {
  text: ['It is ', 'two dollars, ', 'naïve 👋.'],
  refusal: null,
  calls: [],
  finish: 'stop',
  usage: USAGE,
};

const CALL = { id: 'call_1', name: 'weather', arguments: ['{"city":', '"Orléans"', ',"days":3}'] };

export const FEATURES: readonly Feature[] = [
  { name: 'plain', only: 'plain', asked: ASKED, answer: SAYS },
  { name: 'stream', only: 'stream', asked: ASKED, answer: SAYS },
  {
    name: 'settings',
    asked: { ...ASKED, temperature: 0.5 },
    answer: SAYS,
  },
  {
    name: 'tool_round_trip',
    goesOn: true,
    asked: { ...ASKED, tools: [WEATHER, TIME], toolChoice: 'auto' },
    answer: { ...SAYS, text: ['Let me ', 'look.'], calls: [CALL], finish: 'tool_calls' },
  },
  {
    name: 'parallel_tools',
    goesOn: true,
    asked: { ...ASKED, tools: [WEATHER, TIME], toolChoice: 'required' },
    answer: {
      ...SAYS,
      text: [],
      calls: [CALL, { id: 'call_2', name: 'time', arguments: ['{"city":', '"Rome"}'] }],
      finish: 'tool_calls',
    },
  },
  {
    name: 'demanded_tool',
    asked: { ...ASKED, tools: [WEATHER, TIME], toolChoice: { name: 'weather' } },
    answer: { ...SAYS, text: [], calls: [CALL], finish: 'tool_calls' },
  },
  {
    name: 'image',
    asked: { ...ASKED, turns: [{ role: 'user', parts: ['What is this?', `image:${IMAGE}`, 'Be precise.'] }] },
    answer: SAYS,
  },
  {
    name: 'reasoning_round_trip',
    goesOn: true,
    asked: { ...ASKED, tools: [WEATHER] },
    answer: { ...SAYS, text: [], calls: [CALL], finish: 'tool_calls' },
  },
  {
    name: 'schema',
    asked: { ...ASKED, format: { schema: SCHEMA } },
    answer: { ...SAYS, text: ['{"price":2,', '"currency":"USD"}'] },
  },
  {
    name: 'length',
    asked: { ...ASKED, cap: CAP },
    answer: { ...SAYS, text: ['Two dol'], finish: 'length', usage: { ...USAGE, output: CAP, reasoning: 8 } },
  },
  {
    name: 'refusal',
    asked: ASKED,
    answer: { ...SAYS, text: [], refusal: "I'm sorry, I can't assist with that." },
  },
  { name: 'content_filter', asked: ASKED, answer: { ...SAYS, text: ['Well, '], finish: 'content_filter' } },
  { name: 'stop_sequences', asked: { ...ASKED, stop: ['END', '###'] }, answer: SAYS },
  { name: 'rejected_before_the_first_byte', trouble: 'rejected', asked: ASKED, answer: SAYS },
  { name: 'error_before_the_first_byte', trouble: 'unavailable', asked: ASKED, answer: SAYS },
  { name: 'error_after_the_first_byte', trouble: 'breaks', only: 'stream', asked: ASKED, answer: SAYS },
];
