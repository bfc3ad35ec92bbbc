import { isObject, type JsonObject } from '../../openai/json-object.ts';
import { Untranslatable } from '../../openai/untranslatable.ts';
import { FOREIGN_THOUGHTS } from './foreign-thoughts.ts';
import { carriedBy } from './carried-thoughts.ts';
import { type Part, partOf, partsOf, textPart, untranslatable } from './chat-parts.ts';
import type { Notes } from './translation-notes.ts';

// Converts the turns of a conversation to chat messages: results of tools become messages of their own, before the
// rest of their turn.

type Message = Readonly<Record<string, unknown>>;

/** A line that the coding agent puts ahead of its instructions, for its own provider's accounts. */
const BILLING = /^x-anthropic-billing-header:/;

/** The system's instructions as a message; none if there are none. @throws Untranslatable */
export function systemMessages(system: unknown, notes: Notes): readonly Message[] {
  const parts = partsOf(system, 'system', notes).filter(({ text }) => {
    const isBilling = typeof text === 'string' && BILLING.test(text);
    if (isBilling) notes.leaveOut('x-anthropic-billing-header');
    return !isBilling;
  });
  return parts.length === 0 ? [] : [{ role: 'system', content: textContent(parts, 'system') }];
}

/** The messages of a conversation. @throws Untranslatable */
export function chatMessages(turns: readonly JsonObject[], notes: Notes): readonly Message[] {
  return turns.flatMap((turn, index) => {
    const where = `messages[${index}]`;
    const { role, content, output_config: config } = turn;
    if (config !== undefined) notes.leaveOut('output_config');
    if (role === 'user') return userMessages(content, `${where}.content`, notes);
    if (role === 'assistant') return assistantMessages(content, `${where}.content`, notes);
    if (role === 'system') {
      const parts = partsOf(content, `${where}.content`, notes);
      return parts.length === 0 ? [] : [{ role, content: textContent(parts, `${where}.content`) }];
    }
    throw untranslatable(`${where}.role`, 'is a role');
  });
}

/** Content of text only: a string, unless a part of it is marked for the cache. */
function textContent(parts: readonly Part[], where: string): string | readonly Part[] {
  if (parts.some(({ type }) => type !== 'text')) throw untranslatable(where, 'holds more than text');
  const isMarked = parts.some((part) => part['cache_control'] !== undefined);
  return isMarked ? parts : parts.map(({ text }) => text).join('\n\n');
}

/** Any content: a single text as a string, for servers that don't support parts. */
function mixedContent(parts: readonly Part[]): string | readonly Part[] {
  const [first] = parts;
  const isPlain = parts.length === 1 && first?.['type'] === 'text' && first['cache_control'] === undefined;
  return isPlain ? String(first['text']) : parts;
}

function userMessages(content: unknown, where: string, notes: Notes): readonly Message[] {
  const results: Message[] = [];
  const parts: Part[] = [];
  if (!Array.isArray(content)) parts.push(...partsOf(content, where, notes));
  else
    for (const [index, block] of content.entries()) {
      const place = `${where}[${index}]`;
      if (isObject(block) && block['type'] === 'tool_result') {
        const { message, besides } = toolMessage(block, place, notes);
        results.push(message);
        parts.push(...besides);
      } else parts.push(...partOf(block, place, notes));
    }
  return parts.length === 0 ? results : [...results, { role: 'user', content: mixedContent(parts) }];
}

/** A tool's result; images and files, which chat's tool messages can't have, follow in the user's turn. */
function toolMessage(
  block: JsonObject,
  where: string,
  notes: Notes,
): { readonly message: Message; readonly besides: readonly Part[] } {
  const { tool_use_id: id, content, is_error: isError } = block;
  if (typeof id !== 'string')
    throw new Untranslatable(`${where}.tool_use_id`, `'${where}.tool_use_id' must be a string.`);
  const parts = partsOf(content, `${where}.content`, notes);
  const failed: readonly Part[] = isError === true ? [{ type: 'text', text: 'The tool failed.' }] : [];
  notes.cacheMark(block);
  if (notes.target.extensions === 'anthropic') {
    return { message: { role: 'tool', tool_call_id: id, content: [...failed, ...parts] }, besides: [] };
  }
  const texts = [...failed, ...parts.filter(({ type }) => type === 'text')];
  const media = parts.filter(({ type }) => type !== 'text');
  const note: readonly Part[] =
    media.length === 0 ? [] : [{ type: 'text', text: `The result of the tool call ${id}:` }];
  const said = texts.map(({ text }) => text).join('\n\n');
  const message = { role: 'tool', tool_call_id: id, content: said === '' && media.length > 0 ? 'See below.' : said };
  return { message, besides: [...note, ...media] };
}

/** The state of an assistant's turn while its blocks are read. */
interface Turn {
  readonly texts: Part[];
  readonly calls: Message[];
  readonly thoughts: object[];
  reasoning: string;
  extra: unknown;
  extras: JsonObject;
}

function assistantMessages(content: unknown, where: string, notes: Notes): readonly Message[] {
  const turn: Turn = { texts: [], calls: [], thoughts: [], reasoning: '', extra: undefined, extras: {} };
  if (typeof content === 'string') turn.texts.push({ type: 'text', text: content });
  else if (Array.isArray(content)) {
    for (const [index, block] of content.entries())
      readBlock(turn, block, { index, where: `${where}[${index}]` }, notes);
  } else throw new Untranslatable(where, `'${where}' must be a string or an array of blocks.`);
  const { texts, calls, thoughts, reasoning, extra, extras } = turn;
  if (texts.length + calls.length + thoughts.length === 0) return [];
  const signed = calls.map((call) => {
    const signature = extras[String(call['id'])];
    return signature === undefined ? call : { ...call, extra_content: signature };
  });
  const isMarked = texts.some((part) => part['cache_control'] !== undefined);
  const said = isMarked ? texts : texts.map(({ text }) => text).join('');
  return [
    {
      role: 'assistant',
      content: texts.length === 0 ? null : said,
      ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
      ...(thoughts.length === 0 ? {} : { thinking_blocks: thoughts }),
      ...(extra === undefined ? {} : { extra_content: extra }),
      ...(signed.length === 0 ? {} : { tool_calls: signed }),
    },
  ];
}

function readBlock(turn: Turn, value: unknown, { index, where }: { index: number; where: string }, notes: Notes): void {
  const block = isObject(value) ? value : {};
  switch (block['type']) {
    case 'text':
      if (typeof block['text'] !== 'string') {
        throw new Untranslatable(`${where}.text`, `'${where}.text' must be a string.`);
      }
      // The API itself refuses empty texts, which some clients keep all the same.
      if (block['text'] !== '') turn.texts.push(textPart(block['text'], block, notes));
      return;
    case 'tool_use': {
      const called = { name: block['name'], arguments: JSON.stringify(block['input'] ?? {}) };
      notes.cacheMark(block);
      turn.calls.push({ id: block['id'], type: 'function', function: called });
      return;
    }
    case 'thinking':
    case 'redacted_thinking':
      return readThought(turn, block, index, notes);
    default:
      throw untranslatable(`${where}.type`, 'is a block of a type');
  }
}

/** Thoughts are sent to the provider that they came from; no other can read them. */
function readThought(turn: Turn, block: JsonObject, index: number, notes: Notes): void {
  const carried = carriedBy(block['signature']);
  const { extensions } = notes.target;
  if (carried === null) {
    if (extensions === 'anthropic') turn.thoughts.push({ ...block, index });
    else notes.leaveOut(FOREIGN_THOUGHTS);
    return;
  }
  if (extensions === 'anthropic') {
    notes.leaveOut(FOREIGN_THOUGHTS);
    return;
  }
  const { thinking } = block;
  if (carried.isReasoning && extensions === 'none') notes.leaveOut(FOREIGN_THOUGHTS);
  if (carried.isReasoning && extensions === 'reasoning' && typeof thinking === 'string') turn.reasoning += thinking;
  if (extensions !== 'gemini') return;
  if (carried.message !== undefined) turn.extra = carried.message;
  if (carried.calls !== undefined) turn.extras = { ...turn.extras, ...carried.calls };
}
