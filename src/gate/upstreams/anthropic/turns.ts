import { JsonScan } from '../../openai/json-scan.ts';
import { parseExactly } from '../../openai/exact-json.ts';
import { isObject, type JsonObject } from '../../openai/json-object.ts';
import { cached, cachedToEnd, cacheControlOf, readCacheControl } from './cache-control.ts';
import { contentBlocks, textBlock, textBlocks, type ContentSettings } from './content-blocks.ts';
import { withThinking } from './thinking-blocks.ts';
import { Untranslatable } from '../../openai/untranslatable.ts';
import type { AssistantBlock, ContentBlock, TextBlock, ToolResultBlock, ToolUseBlock, Turn } from './wire.ts';

// Converts a conversation in OpenAI's messages to Anthropic's turns: users and assistants alternate, system text is
// separate, and results of tools come first in the user's turn.

export interface Conversation {
  readonly system: readonly TextBlock[];
  readonly turns: readonly Turn[];
}

interface UserDraft {
  readonly role: 'user';
  readonly results: ToolResultBlock[];
  readonly content: ContentBlock[];
}

interface AssistantDraft {
  readonly role: 'assistant';
  readonly content: AssistantBlock[];
}

/** Joins consecutive messages of one side into one turn; empty content makes none. */
class Drafts {
  readonly #drafts: (UserDraft | AssistantDraft)[] = [];

  user(results: readonly ToolResultBlock[], content: readonly ContentBlock[]): void {
    if (results.length + content.length === 0) return;
    const last = this.#drafts.at(-1);
    if (last?.role === 'user') {
      last.results.push(...results);
      last.content.push(...content);
    } else {
      this.#drafts.push({ role: 'user', results: [...results], content: [...content] });
    }
  }

  answer(content: readonly AssistantBlock[]): void {
    if (content.length === 0) return;
    const last = this.#drafts.at(-1);
    if (last?.role === 'assistant') last.content.push(...content);
    else this.#drafts.push({ role: 'assistant', content: [...content] });
  }

  turns(): readonly Turn[] {
    return this.#drafts.map((draft) =>
      draft.role === 'user' ? { role: 'user', content: [...draft.results, ...draft.content] } : draft,
    );
  }
}

/** Anthropic accepts only these characters in ids; others, which some models use, are encoded in hexadecimal. */
function toolUseId(id: unknown, where: string): string {
  if (typeof id !== 'string') throw new Untranslatable(where, `'${where}' must be the id of a tool call.`);
  return /^[\w-]+$/.test(id) ? id : `call_${Buffer.from(id).toString('hex')}`;
}

/** Some 300,000 values. As strings in the request they count as one value each. */
const ARGUMENTS_STRUCTURE_MAX = 5_000_000;

/** Parses the arguments of a conversation's calls, which must not have more structure in sum than any request needs. */
class CallArguments {
  #structureLeft = ARGUMENTS_STRUCTURE_MAX;

  read(text: unknown, where: string): unknown {
    if (text === undefined || text === '') return {};
    if (typeof text === 'string' && /^\s*\{/.test(text) && this.#isTaken(text)) return parseExactly(text);
    throw new Untranslatable(where, `'${where}' must be a JSON object, as a string, for this model.`);
  }

  #isTaken(text: string): boolean {
    const scan = new JsonScan(Buffer.from(text), this.#structureLeft);
    scan.skip();
    this.#structureLeft = scan.structureLeft;
    return scan.finish();
  }
}

function toolUse(call: unknown, where: string, args: CallArguments): ToolUseBlock {
  const called = isObject(call) ? call['function'] : undefined;
  if (!isObject(call) || !isObject(called) || typeof called['name'] !== 'string') {
    throw new Untranslatable(where, `'${where}' must be a call of a function: this model knows no other tools.`);
  }
  return {
    type: 'tool_use',
    id: toolUseId(call['id'], `${where}.id`),
    name: called['name'],
    input: args.read(called['arguments'], `${where}.function.arguments`),
    ...cached(readCacheControl(call['cache_control'], `${where}.cache_control`)),
  };
}

function assistantBlocks(
  message: JsonObject,
  where: string,
  settings: ContentSettings,
  args: CallArguments,
): readonly AssistantBlock[] {
  const said: (TextBlock | ToolUseBlock)[] = [...textBlocks(message['content'], `${where}.content`, settings)];
  const refusal = typeof message['refusal'] === 'string' ? textBlock(message['refusal']) : null;
  if (refusal !== null) said.push(refusal);
  const calls = message['tool_calls'] ?? [];
  if (!Array.isArray(calls)) throw new Untranslatable(`${where}.tool_calls`, `'${where}.tool_calls' must be an array.`);
  said.push(...calls.map((call: unknown, index) => toolUse(call, `${where}.tool_calls[${index}]`, args)));
  const marked = cachedToEnd(said, cacheControlOf(message, where, settings.cacheLivesLong));
  return withThinking(marked, message['thinking_blocks'], `${where}.thinking_blocks`);
}

function toolResult(message: JsonObject, where: string, settings: ContentSettings): ToolResultBlock {
  const { content } = message;
  const answer = typeof content === 'string' ? content : contentBlocks(content, `${where}.content`, settings);
  return {
    type: 'tool_result',
    tool_use_id: toolUseId(message['tool_call_id'], `${where}.tool_call_id`),
    ...(answer.length === 0 ? {} : { content: answer }),
    ...cached(cacheControlOf(message, where, settings.cacheLivesLong)),
  };
}

/** Translates the value of `messages`. @throws Untranslatable */
export function readConversation(messages: unknown, settings: ContentSettings): Conversation {
  const system: TextBlock[] = [];
  const drafts = new Drafts();
  const args = new CallArguments();
  for (const [index, message] of (Array.isArray(messages) ? (messages as readonly unknown[]) : []).entries()) {
    const where = `messages[${index}]`;
    const fields = isObject(message) ? message : {};
    const marked = <Block extends TextBlock | ContentBlock>(blocks: readonly Block[]): readonly Block[] =>
      cachedToEnd(blocks, cacheControlOf(fields, where, settings.cacheLivesLong));
    switch (fields['role']) {
      case 'system':
      case 'developer':
        system.push(...marked(textBlocks(fields['content'], `${where}.content`, settings)));
        break;
      case 'user':
        drafts.user([], marked(contentBlocks(fields['content'], `${where}.content`, settings)));
        break;
      case 'assistant':
        drafts.answer(assistantBlocks(fields, where, settings, args));
        break;
      case 'tool':
        drafts.user([toolResult(fields, where, settings)], []);
        break;
      default:
        throw new Untranslatable(
          `${where}.role`,
          `'${where}.role' must be system, developer, user, assistant or tool for this model.`,
        );
    }
  }
  const turns = drafts.turns();
  if (turns.length > 0) return { system, turns };
  if (system.length === 0) throw new Untranslatable('messages', "'messages' must hold at least one text or image.");
  // The API requires a turn to answer; system text alone can serve as the user's turn.
  return { system: [], turns: [{ role: 'user', content: system }] };
}
