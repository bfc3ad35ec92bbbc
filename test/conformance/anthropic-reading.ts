import type Anthropic from '@anthropic-ai/sdk';
import type { TranslatedMessage } from '../support/anthropic-messages.ts';
import { type Asked, OUTPUT_MAX, type Turn } from './asked.ts';
import type { Finish, Said } from './answers.ts';

// What a server makes of a request to the Messages API, and what a program that uses Anthropic's SDK makes of an answer.

/** The parameters of a request, with those that only the API's earlier version takes. */
export type MessagesParams = Anthropic.MessageCreateParams & { readonly temperature?: number };

/** No field asks for JSON without a schema: the system does, in words such as these. */
const ASKS_FOR_JSON = /JSON object/;

/** A chat request in the terms that all kinds share. */
export function readMessagesAsked(body: MessagesParams): Asked {
  const told = textsOf(body.system ?? []);
  const schema = body.output_config?.format?.schema;
  const asksForJson = told.some((text) => ASKS_FOR_JSON.test(text));
  return {
    system: told.filter((text) => !ASKS_FOR_JSON.test(text)),
    turns: body.messages.flatMap((message) => turnsOf(message, body.messages)),
    tools: (body.tools ?? []).map((tool) => {
      if (!('input_schema' in tool)) throw new Error('a tool that is none of the caller’s');
      return { name: tool.name, description: tool.description ?? '', parameters: tool.input_schema };
    }),
    toolChoice: toolChoiceOf(body.tool_choice),
    cap: body.max_tokens === OUTPUT_MAX ? null : body.max_tokens,
    stop: body.stop_sequences ?? [],
    temperature: body.temperature ?? null,
    format: schema === undefined ? (asksForJson ? 'json' : 'text') : { schema },
  };
}

function textsOf(content: string | readonly Anthropic.ContentBlockParam[]): readonly string[] {
  if (typeof content === 'string') return [content];
  return content.map((block) => {
    if (block.type !== 'text') throw new Error(`a ${block.type} where a text was to be`);
    return block.text;
  });
}

function turnsOf({ role, content }: Anthropic.MessageParam, all: readonly Anthropic.MessageParam[]): readonly Turn[] {
  if (typeof content === 'string') throw new Error('content was to be in blocks');
  if (role === 'system') throw new Error('a system that speaks among the others');
  if (role === 'assistant') {
    const uses = content.filter((block) => block.type === 'tool_use');
    const text = content.filter((block) => block.type === 'text').map((block) => block.text);
    return [{ role, text: text.join(''), calls: uses.map(({ name, input }) => ({ name, arguments: input })) }];
  }
  const results = content.filter((block) => block.type === 'tool_result');
  if (content.slice(0, results.length).some((block) => block.type !== 'tool_result')) {
    throw new Error('results of tools come first');
  }
  const parts = content.slice(results.length).map((block) => {
    if (block.type === 'text') return block.text;
    if (block.type !== 'image' || block.source.type !== 'base64') throw new Error(`a part of type ${block.type}`);
    return `image:data:${block.source.media_type};base64,${block.source.data}`;
  });
  const answers = results.map(({ tool_use_id: id, content: said }): Turn => {
    const text = textsOf((said ?? []) as string | readonly Anthropic.ContentBlockParam[]).join('');
    return { role: 'tool', tool: toolOf(id, all), text };
  });
  return parts.length === 0 ? answers : [...answers, { role: 'user', parts }];
}

function toolOf(id: string, messages: readonly Anthropic.MessageParam[]): string {
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const use = blocks.find((block) => block.type === 'tool_use' && block.id === id);
  if (use?.type !== 'tool_use') throw new Error('a result of a tool that was not called');
  return use.name;
}

function toolChoiceOf(choice: Anthropic.ToolChoice | undefined): Asked['toolChoice'] {
  if (choice === undefined) return null;
  if (choice.type === 'tool') return { name: choice.name };
  return choice.type === 'any' ? 'required' : choice.type;
}

const FINISHES: Readonly<Record<Anthropic.StopReason, Finish>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

/** What Anthropic's SDK has understood of a message. */
export function readMessage({
  content,
  stop_reason: reason,
  stop_details: details,
  usage,
}: Anthropic.Message | TranslatedMessage): Said {
  const read = usage.cache_read_input_tokens ?? 0;
  const written = usage.cache_creation_input_tokens ?? 0;
  if (reason === null) throw new Error('a message without a reason to stop');
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    refusal: details?.explanation ?? null,
    calls: content.filter((block) => block.type === 'tool_use').map(({ name, input }) => ({ name, arguments: input })),
    finish: FINISHES[reason],
    usage: {
      input: usage.input_tokens + read + written,
      cached: read,
      written,
      output: usage.output_tokens,
      reasoning: usage.output_tokens_details?.thinking_tokens ?? 0,
    },
  };
}
