import { assert } from '../../lib/assert.ts';
import { readChatRequest, type ChatRequest } from '../openai/chat-request.ts';
import {
  addTool,
  type AddedMessage,
  appendMessages,
  findMember,
  instruct,
  setMember,
  spliceBody,
} from '../openai/chat-conversation-edit.ts';
import { applySplices, type ObjectEdit, type Splice } from '../openai/json-edit.ts';
import type { SchemaProvider } from './provider-rules.ts';
import type { UsableSchema } from './schema-validation.ts';
import type { Failure } from './schema-validator.ts';
import type { ChatStrategy, OwnTools } from './strategy.ts';

// Requests for answers by a schema: the caller's body, changed as the strategy needs it.

/** The function that a model must call with its answer. */
export const ANSWER_TOOL = 'give_answer';

const ANSWER_TOOL_DESCRIPTION = 'Gives your answer to the user. Its arguments are the answer; give nothing else.';

/** A non-conforming answer, with its failures. */
export interface RejectedAnswer {
  readonly text: string;
  readonly failures: readonly Failure[];
}

/** The requested output. */
export interface Wish {
  readonly chat: ChatRequest;
  readonly schema: UsableSchema;
}

/** An answer that is longer than this isn't shown to its model again. */
const SHOWN_LENGTH_MAX = 64 * 1_024;

/** The request for the upstream; with `rejected`, it contains the failures of the earlier answer. */
export function shapeAsk(
  { chat, schema }: Wish,
  strategy: ChatStrategy,
  provider: SchemaProvider | null,
  rejected: RejectedAnswer | null,
): ChatRequest {
  const splices = [...strategySplices(chat, schema, strategy, provider)];
  if (rejected !== null) splices.push(...appendMessages(chat, correction(rejected)));
  if (splices.length === 0) return chat;
  const reading = readChatRequest(applySplices(chat.body, splices));
  assert(reading.ok, 'a request can be read after it was edited');
  return reading.request;
}

/** Whether the request shows the model its earlier answer. */
export function canBeShown({ text }: RejectedAnswer): boolean {
  return text.length <= SHOWN_LENGTH_MAX;
}

/** The caller's own fields about tools. */
export function ownToolsOf(chat: ChatRequest): OwnTools {
  const tools = textOf(chat, 'tools');
  if (tools === null || /^\[\s*\]$/.test(tools)) return 'none';
  const choice = textOf(chat, 'tool_choice');
  if (choice === '"none"') return 'forbidden';
  // A caller's function with this name would be confused with the gateway's.
  if (tools.includes(JSON.stringify(ANSWER_TOOL))) return 'forced';
  return choice === null || choice === '"auto"' ? 'free' : 'forced';
}

function strategySplices(
  chat: ChatRequest,
  schema: UsableSchema,
  strategy: ChatStrategy,
  provider: SchemaProvider | null,
): readonly Splice[] {
  const format = chat.layout.members.find(({ key }) => key === 'response_format');
  const asked = chat.schemaFormat;
  assert(format !== undefined && asked !== null, 'a request with a schema has a format');
  switch (strategy) {
    case 'strict': {
      const form = provider === null ? null : schema.forms.byProvider[provider];
      assert(form !== null, 'a schema that is enforced has a form for its provider');
      if (form.isOriginal && asked.strict) return [];
      return spliceBody(chat, [{ kind: 'replace', member: format, value: formatOf(asked.name, form.text, true) }]);
    }
    case 'native':
      // Other servers than OpenAI's differ in what strict means.
      if (provider === null || !asked.strict) return [];
      return spliceBody(chat, [{ kind: 'replace', member: format, value: formatOf(asked.name, schema.text, false) }]);
    case 'json_mode':
      return [
        ...instruct(chat, instructionFor(schema)),
        ...spliceBody(chat, [{ kind: 'replace', member: format, value: '{"type":"json_object"}' }]),
      ];
    case 'instruction':
      return [...instruct(chat, instructionFor(schema)), ...spliceBody(chat, [{ kind: 'remove', member: format }])];
    case 'tool':
      return spliceBody(chat, [{ kind: 'remove', member: format }, ...toolEdits(chat, schema)]);
    default:
      return strategy satisfies never;
  }
}

function formatOf(name: string, schema: string, strict: boolean): string {
  return `{"type":"json_schema","json_schema":{"name":${JSON.stringify(name)},"strict":${strict},"schema":${schema}}}`;
}

function toolEdits(chat: ChatRequest, schema: UsableSchema): ObjectEdit[] {
  const described = `"name":"${ANSWER_TOOL}","description":"${ANSWER_TOOL_DESCRIPTION}","parameters":${schema.text}`;
  const tool = `{"type":"function","function":{${described}}}`;
  // If the model has other functions to call first, it may; else it can only answer.
  const choice =
    ownToolsOf(chat) === 'free' ? '"required"' : JSON.stringify({ type: 'function', function: { name: ANSWER_TOOL } });
  return [addTool(chat, tool), setMember(chat, 'tool_choice', choice)];
}

function instructionFor({ text }: UsableSchema): string {
  return (
    'Answer with one JSON value that conforms to the JSON Schema below, and with nothing else: ' +
    `no words before or after it, no code fence.\n\nJSON Schema:\n${text}`
  );
}

function correction({ text, failures }: RejectedAnswer): readonly AddedMessage[] {
  const lines = failures.map(({ pointer, keyword }) => `- at ${pointer === '' ? 'the top' : pointer}: ${keyword}`);
  const content =
    `Your answer does not conform to the JSON Schema that was asked for. Where and by which keyword:\n` +
    `${lines.join('\n')}\nAnswer again: the corrected JSON value as a whole, and nothing else.`;
  const said: readonly AddedMessage[] = text.trim() === '' ? [] : [{ role: 'assistant', content: text }];
  return [...said, { role: 'user', content }];
}

function textOf(chat: ChatRequest, name: string): string | null {
  const member = findMember(chat, name);
  return member === undefined ? null : chat.body.toString('utf8', member.valueStart, member.valueEnd);
}
