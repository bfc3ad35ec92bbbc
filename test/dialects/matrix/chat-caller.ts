import type OpenAI from 'openai';
import { z } from 'zod';
import type { Asked, Part } from '../../conformance/asked.ts';
import { framesOf } from '../../support/event-frames.ts';
import { readChunks, readCompletion } from '../../conformance/openai-reading.ts';
import { type Caller, type Heard, identified, type IdentifiedTurn, RESULT } from './caller.ts';

// A program that speaks OpenAI's chat completions, whose answers must be as the types of OpenAI's SDK say.

const FINISH = z.enum(['stop', 'length', 'tool_calls', 'content_filter', 'function_call']);
const USAGE = z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() });
const CALL = z.object({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.object({ name: z.string().min(1), arguments: z.string() }),
});

const COMPLETION = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.int(),
      finish_reason: FINISH,
      logprobs: z.null(),
      message: z.object({
        role: z.literal('assistant'),
        content: z.string().nullable(),
        refusal: z.string().nullable(),
      }),
    }),
  ),
}) satisfies z.ZodType<OpenAI.ChatCompletion>;

/** What is there if anything is: the SDK's type leaves it out otherwise. */
const COMPLETION_PARTS = z.object({
  usage: USAGE,
  choices: z.array(z.object({ message: z.object({ tool_calls: z.array(CALL).optional() }) })),
});

const CHUNK = z.object({
  id: z.string(),
  object: z.literal('chat.completion.chunk'),
  created: z.int(),
  model: z.string(),
  choices: z.array(z.object({ index: z.int(), delta: z.object({}), finish_reason: FINISH.nullable() })),
}) satisfies z.ZodType<OpenAI.ChatCompletionChunk>;

interface AnyMessage {
  content: string | null;
  reasoning_content?: string;
  thinking_blocks?: object[];
  tool_calls?: { index?: number; id: string; function: { name: string; arguments: string } }[];
}

const tool = (definition: Asked['tools'][number]): object => ({ type: 'function', function: definition });

function contentOf(parts: readonly Part[]): unknown {
  const [first = ''] = parts;
  if (parts.length === 1 && !first.startsWith('image:')) return first;
  return parts.map((part) =>
    part.startsWith('image:')
      ? { type: 'image_url', image_url: { url: part.slice('image:'.length) } }
      : { type: 'text', text: part },
  );
}

function messageOf(turn: IdentifiedTurn): object {
  if (turn.role === 'user') return { role: 'user', content: contentOf(turn.parts) };
  if (turn.role === 'tool') return { role: 'tool', tool_call_id: turn.id, content: turn.text };
  const calls = turn.calls.map(({ id, name, arguments: input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const content = turn.text === '' ? null : turn.text;
  return { role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
}

function fieldsOf(asked: Asked): object {
  const { tools, toolChoice, cap, stop, temperature, format } = asked;
  const choice = typeof toolChoice === 'object' && toolChoice !== null ? named(toolChoice.name) : toolChoice;
  return {
    ...(tools.length > 0 ? { tools: tools.map(tool) } : {}),
    ...(choice === null ? {} : { tool_choice: choice }),
    ...(cap === null ? {} : { max_completion_tokens: cap }),
    ...(stop.length > 0 ? { stop } : {}),
    ...(temperature === null ? {} : { temperature }),
    ...(typeof format === 'string'
      ? {}
      : { response_format: { type: 'json_schema', json_schema: { name: 'price', strict: true, ...format } } }),
  };
}

const named = (name: string): object => ({ type: 'function', function: { name } });

const start = (asked: Asked): readonly object[] => [
  ...asked.system.map((content) => ({ role: 'system', content })),
  ...identified(asked.turns).map(messageOf),
];

function heardOf(said: Heard['said'], message: AnyMessage): Heard {
  const { reasoning_content: reasoning, tool_calls: calls = [] } = message;
  return {
    said,
    reasoning: reasoning ?? '',
    callIds: calls.map(({ id }) => id),
    turn: [{ role: 'assistant', ...message }],
  };
}

/** The message that the chunks add up to, with all members that anybody writes. */
function gathered(chunks: readonly OpenAI.ChatCompletionChunk[]): AnyMessage {
  const message: AnyMessage = { content: null };
  const calls: NonNullable<AnyMessage['tool_calls']> = [];
  for (const { choices } of chunks) {
    const delta = (choices[0]?.delta ?? {}) as Partial<AnyMessage>;
    if (typeof delta.content === 'string') message.content = (message.content ?? '') + delta.content;
    if (typeof delta.reasoning_content === 'string') {
      message.reasoning_content = (message.reasoning_content ?? '') + delta.reasoning_content;
    }
    if (delta.thinking_blocks !== undefined) {
      message.thinking_blocks = [...(message.thinking_blocks ?? []), ...delta.thinking_blocks];
    }
    for (const { index = 0, ...piece } of delta.tool_calls ?? []) {
      const begun = calls[index];
      if (begun === undefined) calls[index] = { ...piece, function: { ...piece.function } };
      else begun.function.arguments += piece.function.arguments;
    }
  }
  return calls.length === 0 ? message : { ...message, tool_calls: calls };
}

function payloadsOf(text: string): readonly unknown[] {
  const frames = framesOf(text);
  if (frames.some(({ name }) => name !== null)) throw new Error('events of chat have no names');
  return frames.filter(({ data }) => data !== '[DONE]').map(({ data }) => JSON.parse(data) as unknown);
}

export const chatCaller: Caller = {
  endpoint: 'chat',
  path: '/v1/chat/completions',
  headers: {},
  lacks: [],

  body: (asked, model, stream) => ({
    model,
    messages: start(asked),
    ...fieldsOf(asked),
    ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
  }),
  next: (asked, heard, model) => ({
    model,
    messages: [
      ...start(asked),
      ...heard.turn,
      ...heard.callIds.map((id) => ({ role: 'tool', tool_call_id: id, content: RESULT })),
    ],
    ...fieldsOf({ ...asked, toolChoice: null }),
  }),

  readPlain(answer) {
    COMPLETION.parse(answer);
    COMPLETION_PARTS.parse(answer);
    const completion = answer as OpenAI.ChatCompletion;
    return heardOf(readCompletion(completion), completion.choices[0]?.message as AnyMessage);
  },
  readStream(text) {
    if (!text.trimEnd().endsWith('data: [DONE]')) throw new Error('a stream of chat ends with [DONE]');
    const chunks = payloadsOf(text) as OpenAI.ChatCompletionChunk[];
    // Azure's first chunk says how the prompt was judged, and leaves all else empty.
    for (const chunk of chunks) if (!('prompt_filter_results' in chunk)) CHUNK.parse(chunk);
    return heardOf(readChunks(chunks), gathered(chunks));
  },
  readBroken(text) {
    if (text.includes('[DONE]')) throw new Error('a stream that breaks off has no [DONE]');
    const payloads = payloadsOf(text);
    const { content } = gathered(payloads.slice(0, -1) as OpenAI.ChatCompletionChunk[]);
    return { text: content ?? '', code: this.readError(payloads.at(-1)).code };
  },
  readError(body) {
    const ERROR = z.object({
      error: z.object({
        message: z.string(),
        type: z.string(),
        param: z.string().nullable(),
        code: z.string(),
        details: z.object({ code: z.string() }).optional(),
      }),
    });
    const { code, message, details } = ERROR.parse(body).error;
    return { code: details?.code ?? code, message };
  },
};
