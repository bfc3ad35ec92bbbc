import { isObject, type JsonObject } from '../../openai/json-object.ts';
import { Untranslatable } from '../../openai/untranslatable.ts';
import type { ChatExtensions } from '../dialect.ts';
import { chatName, customArguments } from './carried-tools.ts';
import { openCapsule } from './reasoning-capsule.ts';

// Converts the input of a Responses request to the messages of a chat request. The reasoning, texts and calls of one
// turn of the model are separate items here, and one message in chat.

/** The messages, and other parts of the input. */
export interface CarriedInput {
  readonly messages: readonly JsonObject[];
  /** Lists of tools within the input. */
  readonly tools: readonly { readonly tools: unknown; readonly where: string }[];
  /** Whether foreign reasoning was left out: only the model that made it can read it. */
  readonly losesReasoning: boolean;
}

/** One turn of the model. */
interface Turn {
  readonly texts: JsonObject[];
  readonly calls: JsonObject[];
  readonly thinking: unknown[];
  readonly signatures: Record<string, unknown>;
  reasoning: string;
  extra: unknown;
}

const ROLES: Readonly<Record<string, 'system' | 'user'>> = { system: 'system', developer: 'system', user: 'user' };

class Conversation {
  readonly messages: JsonObject[] = [];
  readonly tools: { tools: unknown; where: string }[] = [];
  losesReasoning = false;
  readonly #extensions: ChatExtensions;
  #turn: Turn | null = null;

  constructor(extensions: ChatExtensions) {
    this.#extensions = extensions;
  }

  add(item: unknown, where: string): void {
    if (!isObject(item)) throw new Untranslatable(where, `'${where}' must be an object.`);
    switch (item['type'] ?? 'message') {
      case 'message':
        return this.#addMessage(item, where);
      case 'reasoning':
        return this.#addReasoning(item);
      case 'function_call':
        return this.#addCall(item, where, textAt(item, 'arguments', where));
      case 'custom_tool_call':
        return this.#addCall(item, where, customArguments(textAt(item, 'input', where)));
      case 'function_call_output':
      case 'custom_tool_call_output':
        return this.#addOutput(item, where);
      case 'additional_tools':
        this.tools.push({ tools: item['tools'], where: `${where}.tools` });
        return undefined;
      case 'item_reference':
        throw new Untranslatable(where, `'${where}' refers to an item that is not kept here; send the item itself.`);
      default:
        throw new Untranslatable(`${where}.type`, `'${where}' is of a type that this model does not take.`);
    }
  }

  /** Ends the model's turn, if one is open. */
  close(): void {
    const turn = this.#turn;
    this.#turn = null;
    if (turn === null) return;
    const { texts, calls, thinking, signatures, reasoning, extra } = turn;
    if (texts.length + calls.length === 0) return;
    const signed = calls.map((call) => {
      const signature = signatures[String(call['id'])];
      return signature === undefined ? call : { ...call, extra_content: signature };
    });
    this.messages.push({
      role: 'assistant',
      content: texts.length === 0 ? null : contentOf(texts),
      ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
      ...(calls.length === 0 ? {} : { tool_calls: signed }),
      ...(thinking.length === 0 ? {} : { thinking_blocks: thinking }),
      ...(extra === undefined ? {} : { extra_content: extra }),
    });
  }

  get #open(): Turn {
    return (this.#turn ??= { texts: [], calls: [], thinking: [], signatures: {}, reasoning: '', extra: undefined });
  }

  #addMessage(item: JsonObject, where: string): void {
    const { role, content } = item;
    const parts = readParts(content, `${where}.content`);
    if (role === 'assistant') {
      this.#open.texts.push(...parts);
      return;
    }
    const chatRole = typeof role === 'string' && Object.hasOwn(ROLES, role) ? ROLES[role] : undefined;
    if (chatRole === undefined) {
      throw new Untranslatable(`${where}.role`, `'${where}.role' must be user, assistant, system or developer.`);
    }
    this.close();
    this.messages.push({ role: chatRole, content: contentOf(parts) });
  }

  #addReasoning(item: JsonObject): void {
    const encrypted = item['encrypted_content'];
    const capsule = openCapsule(encrypted);
    const turn = this.#open;
    if (capsule !== null && this.#extensions === 'anthropic') turn.thinking.push(...capsule.thinking);
    else if (capsule !== null && this.#extensions === 'gemini') {
      Object.assign(turn.signatures, capsule.calls);
      if (capsule.message !== undefined) turn.extra = capsule.message;
    } else if (capsule?.isReasoning === true && this.#extensions === 'reasoning') turn.reasoning += summaryOf(item);
    else if (typeof encrypted === 'string') this.losesReasoning = true;
  }

  #addCall(item: JsonObject, where: string, args: string): void {
    const { namespace } = item;
    const name = chatName({
      name: textAt(item, 'name', where),
      namespace: typeof namespace === 'string' ? namespace : null,
    });
    this.#open.calls.push({
      id: textAt(item, 'call_id', where),
      type: 'function',
      function: { name, arguments: args },
    });
  }

  #addOutput(item: JsonObject, where: string): void {
    const { output } = item;
    this.close();
    this.messages.push({
      role: 'tool',
      tool_call_id: textAt(item, 'call_id', where),
      content: contentOf(readParts(output, `${where}.output`)),
    });
  }
}

/** Translates `instructions` and `input`, with the reasoning that the provider accepts. @throws Untranslatable */
export function carryInput(instructions: unknown, input: unknown, extensions: ChatExtensions): CarriedInput {
  const conversation = new Conversation(extensions);
  if (typeof instructions === 'string') conversation.messages.push({ role: 'system', content: instructions });
  else if (instructions !== undefined && instructions !== null) {
    throw new Untranslatable('instructions', "'instructions' must be a string.");
  }
  if (typeof input === 'string') conversation.messages.push({ role: 'user', content: input });
  else if (Array.isArray(input)) {
    for (const [index, item] of input.entries()) conversation.add(item, `input[${index}]`);
  }
  conversation.close();
  const { messages, tools, losesReasoning } = conversation;
  if (messages.length === 0) throw new Untranslatable('input', "'input' must hold at least one message.");
  return { messages, tools, losesReasoning };
}

/** The text of a reasoning item written by the gateway. */
function summaryOf({ summary }: JsonObject): string {
  const parts = Array.isArray(summary) ? summary.filter(isObject) : [];
  return parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('');
}

/** A single text as a string, which every server accepts; other parts unchanged. */
function contentOf(parts: readonly JsonObject[]): unknown {
  const [first] = parts;
  return parts.length === 1 && first?.['type'] === 'text' ? first['text'] : parts;
}

function readParts(content: unknown, where: string): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) throw new Untranslatable(where, `'${where}' must be a string or an array of parts.`);
  return content.map((part: unknown, index) => readPart(part, `${where}[${index}]`));
}

function readPart(part: unknown, where: string): JsonObject {
  if (!isObject(part)) throw new Untranslatable(where, `'${where}' must be an object with a type.`);
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: textAt(part, 'text', where) };
    case 'refusal':
      return { type: 'text', text: textAt(part, 'refusal', where) };
    case 'input_image':
      return readImage(part, where);
    case 'input_file':
      return readFile(part, where);
    case 'input_audio':
      return { type: 'input_audio', input_audio: part['input_audio'] };
    default:
      throw new Untranslatable(`${where}.type`, `'${where}' is of a type that this model does not take.`);
  }
}

function readImage(part: JsonObject, where: string): JsonObject {
  const { image_url: url, detail } = part;
  if (typeof url !== 'string') {
    throw new Untranslatable(
      `${where}.image_url`,
      `'${where}.image_url' must be a URL or a data URL; ids of files are not known here.`,
    );
  }
  return { type: 'image_url', image_url: { url, ...(typeof detail === 'string' ? { detail } : {}) } };
}

function readFile(part: JsonObject, where: string): JsonObject {
  const { file_data: data, filename } = part;
  if (typeof data !== 'string') {
    throw new Untranslatable(
      `${where}.file_data`,
      `'${where}.file_data' must hold the file as a data URL, for this model.`,
    );
  }
  return { type: 'file', file: { file_data: data, ...(typeof filename === 'string' ? { filename } : {}) } };
}

function textAt(item: JsonObject, name: string, where: string): string {
  const value = item[name];
  if (typeof value === 'string') return value;
  throw new Untranslatable(`${where}.${name}`, `'${where}.${name}' must be a string.`);
}
