import type OpenAI from 'openai';
import type { ReceivedRequest } from '../support/scripted-upstream.ts';
import type { Asked, Call, Part, Turn } from './asked.ts';
import type { Answer, UsageSaid } from './answers.ts';
import type { WireAnswer } from './vendor.ts';

// OpenAI's own wire, as its server speaks it: fields, order and nulls follow the examples of the reference for chat
// completions, streaming and embeddings (https://platform.openai.com/docs/api-reference/chat, read in August 2026).

const JSON_TYPE = { 'content-type': 'application/json' };

export const wireJson = (
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): WireAnswer => ({
  status,
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify(value),
});

const wireUsage = (usage: UsageSaid) => ({
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
  prompt_tokens_details: {
    cached_tokens: usage.cached,
    audio_tokens: 0,
    ...(usage.written > 0 ? { cache_write_tokens: usage.written } : {}),
  },
  completion_tokens_details: {
    reasoning_tokens: usage.reasoning,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
});

const HEAD = { id: 'chatcmpl-AbC', created: 1_770_000_000, service_tier: 'default', system_fingerprint: 'fp_1' };

/** A chat completion as the server says it; `more` stands beside each choice's fields. */
export function wireCompletion(answer: Answer, model: string, more: object = {}) {
  const calls = answer.calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments.join('') },
  }));
  const message = {
    role: 'assistant',
    content: answer.text.length === 0 ? null : answer.text.join(''),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    refusal: answer.refusal,
    annotations: [],
  };
  return {
    ...HEAD,
    object: 'chat.completion',
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: answer.finish, ...more }],
    usage: wireUsage(answer.usage),
  };
}

/** The chunks of the same as a stream. */
export function wireChunks(answer: Answer, model: string, more: object = {}): readonly object[] {
  const head = { ...HEAD, object: 'chat.completion.chunk', model };
  const chunk = (delta: object, finish: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish, ...more }],
    usage: null,
    obfuscation: 'aaaa',
  });
  const calls = answer.calls.flatMap(({ id, name, arguments: pieces }, index) => [
    chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    ...pieces.map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]);
  return [
    chunk({ role: 'assistant', content: answer.text.length > 0 ? '' : null, refusal: null }),
    ...answer.text.map((text) => chunk({ content: text })),
    ...(answer.refusal === null ? [] : [chunk({ refusal: answer.refusal })]),
    ...calls,
    chunk({}, answer.finish),
    { ...head, choices: [], usage: wireUsage(answer.usage), obfuscation: '' },
  ];
}

export const wireEvent = (payload: unknown): string => `data: ${JSON.stringify(payload)}\n\n`;
export const WIRE_DONE = 'data: [DONE]\n\n';

export function wireEmbeddings(vectors: readonly (readonly number[])[], tokens: number, request: ReceivedRequest) {
  const { model, encoding_format: format } = JSON.parse(request.body.toString()) as OpenAI.EmbeddingCreateParams;
  const encode = (vector: readonly number[]) =>
    format === 'base64' ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : vector;
  return wireJson(200, {
    object: 'list',
    data: vectors.map((vector, index) => ({ object: 'embedding', index, embedding: encode(vector) })),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}

type ChatBody = OpenAI.ChatCompletionCreateParams;
type Message = OpenAI.ChatCompletionMessageParam;

/** A chat request in the terms that all kinds share. */
export function readWireAsked(request: ReceivedRequest): Asked {
  const body = JSON.parse(request.body.toString()) as ChatBody;
  const isSystem = ({ role }: Message): boolean => role === 'system' || role === 'developer';
  return {
    system: body.messages.filter(isSystem).map((message) => textOf(message.content)),
    turns: body.messages.filter((message) => !isSystem(message)).map((message) => turnOf(message, body.messages)),
    tools: (body.tools ?? []).map((tool) => {
      if (tool.type !== 'function') throw new Error('a tool that is no function');
      const { name, description, parameters } = tool.function;
      return { name, description: description ?? '', parameters };
    }),
    toolChoice: toolChoiceOf(body.tool_choice),
    cap: body.max_completion_tokens ?? null,
    stop: [body.stop ?? []].flat(),
    temperature: body.temperature ?? null,
    format: formatOf(body.response_format),
  };
}

function textOf(content: unknown): string {
  if (typeof content !== 'string') throw new Error('a text was to be a plain one');
  return content;
}

function callOf(call: OpenAI.ChatCompletionMessageToolCall): Call & { id: string } {
  if (call.type !== 'function') throw new Error('a call that is none of a function');
  return { id: call.id, name: call.function.name, arguments: JSON.parse(call.function.arguments) as unknown };
}

function turnOf(message: Message, all: readonly Message[]): Turn {
  switch (message.role) {
    case 'user':
      return { role: 'user', parts: partsOf(message.content) };
    case 'assistant': {
      const calls = (message.tool_calls ?? [])
        .map(callOf)
        .map(({ name, arguments: args }) => ({ name, arguments: args }));
      return { role: 'assistant', text: textOf(message.content ?? ''), calls };
    }
    case 'tool': {
      const calls = all.flatMap((each) => (each.role === 'assistant' ? (each.tool_calls ?? []).map(callOf) : []));
      const tool = calls.find(({ id }) => id === message.tool_call_id)?.name ?? '';
      return { role: 'tool', tool, text: textOf(message.content) };
    }
    default:
      throw new Error(`a message of ${message.role}`);
  }
}

function partsOf(content: string | OpenAI.ChatCompletionContentPart[]): readonly Part[] {
  if (typeof content === 'string') return [content];
  return content.map((part) => {
    if (part.type === 'text') return part.text;
    if (part.type === 'image_url') return `image:${part.image_url.url}`;
    throw new Error(`a part of type ${part.type}`);
  });
}

function toolChoiceOf(choice: ChatBody['tool_choice']): Asked['toolChoice'] {
  if (choice === undefined) return null;
  if (typeof choice === 'string') return choice;
  if (choice.type !== 'function') throw new Error(`a choice of ${choice.type}`);
  return { name: choice.function.name };
}

function formatOf(format: ChatBody['response_format']): Asked['format'] {
  if (format === undefined || format.type === 'text') return 'text';
  return format.type === 'json_object' ? 'json' : { schema: format.json_schema.schema };
}
