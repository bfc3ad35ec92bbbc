import type { ChatBody } from '../../api/playground.ts';

// The playground's input, and the request that it makes.

export const SPEAKERS = ['user', 'assistant'] as const;

export type Speaker = (typeof SPEAKERS)[number];

export interface PromptMessage {
  /** Stays with the message while others come and go. */
  readonly id: string;
  readonly role: Speaker;
  readonly content: string;
}

export interface Prompt {
  readonly system: string;
  readonly messages: readonly PromptMessage[];
  readonly temperature: string;
  readonly maxTokens: string;
  /** JSON; empty: an answer of any form. */
  readonly schema: string;
  /** JSON; empty: none. */
  readonly tools: string;
}

/** An empty message; random values of ids need a page with https, so they are counted. */
export function newMessage(role: Speaker, others: readonly PromptMessage[], content = ''): PromptMessage {
  const last = Math.max(0, ...others.map(({ id }) => Number(id)));
  return { id: String(last + 1), role, content };
}

export const EMPTY_PROMPT: Prompt = {
  system: '',
  messages: [newMessage('user', [])],
  temperature: '',
  maxTokens: '',
  schema: '',
  tools: '',
};

export type PromptField = 'messages' | 'temperature' | 'maxTokens' | 'schema' | 'tools';

/** What would be right, by the fields that are wrong. */
export type PromptProblems = Readonly<Partial<Record<PromptField, string | undefined>>>;

type Reading<Value> = { readonly value: Value | undefined } | { readonly problem: string };

const ABSENT = { value: undefined };

function readNumber(typed: string, fits: (value: number) => boolean, problem: string): Reading<number> {
  if (typed.trim() === '') return ABSENT;
  const value = Number(typed);
  return Number.isFinite(value) && fits(value) ? { value } : { problem };
}

function readJson(typed: string, fits: (value: unknown) => boolean, problem: string): Reading<unknown> {
  if (typed.trim() === '') return ABSENT;
  try {
    const value: unknown = JSON.parse(typed);
    return fits(value) ? { value } : { problem };
  } catch (fault) {
    return { problem: `This is not JSON yet: ${(fault as Error).message}` };
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isMessage(value: unknown): value is PromptMessage {
  if (!isObject(value)) return false;
  const { id, role, content } = value;
  return typeof id === 'string' && typeof content === 'string' && SPEAKERS.some((speaker) => speaker === role);
}

/** The prompt that was stored, by this version of the console or another; null if it is not one. */
export function readPrompt(stored: unknown): Prompt | null {
  if (!isObject(stored)) return null;
  const { messages, ...texts } = stored;
  if (!Array.isArray(messages) || messages.length === 0 || !messages.every(isMessage)) return null;
  const { messages: _, ...others } = EMPTY_PROMPT;
  const isComplete = Object.keys(others).every((field) => typeof texts[field] === 'string');
  return isComplete ? (stored as unknown as Prompt) : null;
}

function readMessages({ system, messages }: Prompt): Reading<readonly object[]> {
  const spoken = messages.filter(({ content }) => content.trim() !== '');
  if (spoken.length === 0) return { problem: 'Write a message for the model to answer.' };
  const value = spoken.map(({ role, content }) => ({ role, content }));
  return { value: system.trim() === '' ? value : [{ role: 'system', content: system }, ...value] };
}

/** The request that the prompt makes, as it is sent; or what is wrong with the prompt. */
export function requestOf(
  prompt: Prompt,
  model: string,
): { readonly body: ChatBody } | { readonly problems: PromptProblems } {
  const parts = {
    messages: readMessages(prompt),
    temperature: readNumber(
      prompt.temperature,
      (value) => value >= 0 && value <= 2,
      'A number from 0 to 2, such as 0.7.',
    ),
    maxTokens: readNumber(prompt.maxTokens, (value) => Number.isInteger(value) && value > 0, 'A whole number above 0.'),
    schema: readJson(prompt.schema, isObject, 'A JSON schema is an object: { "type": "object", … }.'),
    tools: readJson(prompt.tools, Array.isArray, 'Tools are a list: [{ "type": "function", "function": { … } }].'),
  };
  const problems = Object.entries(parts).flatMap(([field, part]) => ('problem' in part ? [[field, part.problem]] : []));
  if (problems.length > 0) return { problems: Object.fromEntries(problems) as PromptProblems };
  const valueOf = <Value>(part: Reading<Value>): Value | undefined => ('value' in part ? part.value : undefined);
  const schema = valueOf(parts.schema);
  const fields = {
    model,
    messages: valueOf(parts.messages),
    stream: true,
    temperature: valueOf(parts.temperature),
    max_tokens: valueOf(parts.maxTokens),
    response_format:
      schema === undefined ? undefined : { type: 'json_schema', json_schema: { name: 'answer', schema } },
    tools: valueOf(parts.tools),
  };
  return { body: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) };
}
