import { isObject, type JsonObject } from '../../openai/json-object.ts';
import { Untranslatable } from '../../openai/untranslatable.ts';
import type { Notes } from './translation-notes.ts';

// Content blocks of users and tools as the parts of a chat message.

export type Part = Readonly<Record<string, unknown>>;

/** The fault of content without a chat equivalent. */
export function untranslatable(where: string, what: string): Untranslatable {
  return new Untranslatable(
    where,
    `'${where}' ${what}, which only a model takes whose provider speaks this API. Leave it out, or call such a model.`,
  );
}

/** A text part; with the mark up to which the prompt may be cached, if the provider supports it. */
export function textPart(text: string, block: JsonObject, notes: Notes): Part {
  return { type: 'text', text, ...notes.cacheMark(block) };
}

/** The parts of a `content`: a text, or blocks that users or tools may send. @throws Untranslatable */
export function partsOf(content: unknown, where: string, notes: Notes): readonly Part[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) throw new Untranslatable(where, `'${where}' must be a string or an array of blocks.`);
  return content.flatMap((block: unknown, index) => partOf(block, `${where}[${index}]`, notes));
}

/** The parts of one block. @throws Untranslatable */
export function partOf(block: unknown, where: string, notes: Notes): readonly Part[] {
  if (!isObject(block)) throw new Untranslatable(where, `'${where}' must be a block with a type.`);
  switch (block['type']) {
    case 'text':
      return [textPart(textOf(block, where), block, notes)];
    case 'image':
      return [{ type: 'image_url', image_url: { url: imageUrl(block, where) }, ...notes.cacheMark(block) }];
    case 'document':
      return documentParts(block, where, notes);
    case 'search_result':
      return searchResult(block, where, notes);
    case 'tool_reference':
      return [{ type: 'text', text: `The tool ${String(block['tool_name'])} can be called now.` }];
    default:
      throw untranslatable(`${where}.type`, 'is a block of a type');
  }
}

function textOf({ text }: JsonObject, where: string): string {
  if (typeof text === 'string') return text;
  throw new Untranslatable(`${where}.text`, `'${where}.text' must be a string.`);
}

function sourceOf(block: JsonObject, where: string): JsonObject {
  const { source } = block;
  if (isObject(source)) return source;
  throw new Untranslatable(`${where}.source`, `'${where}.source' must be an object.`);
}

function imageUrl(block: JsonObject, where: string): string {
  const { type, url, media_type: mediaType, data } = sourceOf(block, where);
  if (type === 'url' && typeof url === 'string') return url;
  if (type === 'base64' && typeof mediaType === 'string' && typeof data === 'string') {
    return `data:${mediaType};base64,${data}`;
  }
  throw untranslatable(`${where}.source`, 'is an image from a source of a type');
}

function documentParts(block: JsonObject, where: string, notes: Notes): readonly Part[] {
  const { type, media_type: mediaType, data, content } = sourceOf(block, where);
  const title = typeof block['title'] === 'string' ? block['title'] : '';
  if (isObject(block['citations']) && block['citations']['enabled'] === true) notes.leaveOut('citations');
  const context = typeof block['context'] === 'string' ? block['context'] : '';
  const heading = [title, context].filter((line) => line !== '').join('\n');
  const head: readonly Part[] = heading === '' ? [] : [{ type: 'text', text: heading }];
  if (type === 'text' && typeof data === 'string') return [...head, textPart(data, block, notes)];
  if (type === 'content') return [...head, ...partsOf(content, `${where}.source.content`, notes)];
  if (type !== 'base64' || typeof mediaType !== 'string' || typeof data !== 'string') {
    throw untranslatable(`${where}.source`, 'is a document from a source of a type');
  }
  const filename = title === '' ? 'document.pdf' : title;
  const file = { filename, file_data: `data:${mediaType};base64,${data}` };
  const described: readonly Part[] = context === '' ? [] : [{ type: 'text', text: context }];
  return [...described, { type: 'file', file, ...notes.cacheMark(block) }];
}

function searchResult(block: JsonObject, where: string, notes: Notes): readonly Part[] {
  const head = [block['title'], block['source']].filter((line) => typeof line === 'string').join('\n');
  return [{ type: 'text', text: head }, ...partsOf(block['content'], `${where}.content`, notes)];
}
