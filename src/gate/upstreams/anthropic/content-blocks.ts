import { isObject, type JsonObject } from '../../openai/json-object.ts';
import { cached, cacheControlOf } from './cache-control.ts';
import { Untranslatable } from '../../openai/untranslatable.ts';
import type { CacheControl, ContentBlock, DocumentBlock, ImageBlock, TextBlock } from './wire.ts';

// Content of messages as blocks.

/** Settings of all parts of a request. */
export interface ContentSettings {
  /** Whether cache breakpoints live long by default. */
  readonly cacheLivesLong: boolean;
}

const IMAGE_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

interface DataUrl {
  readonly mediaType: string;
  readonly data: string;
}

/** Splits a base64 data URL; null for any other text. */
function readDataUrl(url: string): DataUrl | null {
  const comma = url.indexOf(',');
  const head = /^data:([^;,]+)(?:;[^;,]+)*;base64$/i.exec(url.slice(0, Math.max(comma, 0)));
  return head === null ? null : { mediaType: (head[1] as string).toLowerCase(), data: url.slice(comma + 1) };
}

function readImage(part: JsonObject, where: string, control: CacheControl | null): ImageBlock {
  const image = part['image_url'];
  const url = isObject(image) ? image['url'] : image;
  const param = `${where}.image_url`;
  if (typeof url !== 'string') throw new Untranslatable(param, `'${param}' must hold the URL of an image.`);
  if (/^https?:/i.test(url)) return { type: 'image', source: { type: 'url', url }, ...cached(control) };
  const inline = readDataUrl(url);
  const type = inline?.mediaType === 'image/jpg' ? 'image/jpeg' : inline?.mediaType;
  if (inline === null || type === undefined || !IMAGE_TYPES.includes(type)) {
    throw new Untranslatable(
      param,
      `'${param}' must be an http URL, or a base64 data URL of a JPEG, PNG, GIF or WebP image, for this model.`,
    );
  }
  return { type: 'image', source: { type: 'base64', media_type: type, data: inline.data }, ...cached(control) };
}

function readFile(part: JsonObject, where: string, control: CacheControl | null): DocumentBlock {
  const file = part['file'];
  const data = isObject(file) ? file['file_data'] : undefined;
  const name = isObject(file) ? file['filename'] : undefined;
  const inline = typeof data === 'string' ? readDataUrl(data) : null;
  const rest = { ...(typeof name === 'string' && name !== '' ? { title: name } : {}), ...cached(control) };
  if (inline?.mediaType === 'application/pdf') {
    const source = { type: 'base64', media_type: 'application/pdf', data: inline.data } as const;
    return { type: 'document', source, ...rest };
  }
  if (inline?.mediaType === 'text/plain') {
    const source = {
      type: 'text',
      media_type: 'text/plain',
      data: Buffer.from(inline.data, 'base64').toString(),
    } as const;
    return { type: 'document', source, ...rest };
  }
  const param = `${where}.file`;
  throw new Untranslatable(param, `'${param}' must hold a PDF or plain text as a base64 data URL, for this model.`);
}

/** A text block; null for one without a visible character, which the API refuses and which has no meaning. */
export function textBlock(text: string, control: CacheControl | null = null): TextBlock | null {
  return text.trim() === '' ? null : { type: 'text', text, ...cached(control) };
}

function readText(
  part: JsonObject,
  name: 'text' | 'refusal',
  where: string,
  control: CacheControl | null,
): TextBlock | null {
  const text = part[name];
  if (typeof text !== 'string') throw new Untranslatable(`${where}.${name}`, `'${where}.${name}' must be a string.`);
  return textBlock(text, control);
}

function readPart(part: unknown, where: string, settings: ContentSettings): ContentBlock | null {
  if (!isObject(part)) throw new Untranslatable(where, `'${where}' must be an object with a type.`);
  const control = cacheControlOf(part, where, settings.cacheLivesLong);
  switch (part['type']) {
    case 'text':
    case 'refusal':
      return readText(part, part['type'], where, control);
    case 'image_url':
      return readImage(part, where, control);
    case 'file':
      return readFile(part, where, control);
    default:
      throw new Untranslatable(`${where}.type`, `'${where}' is of a type that this model does not take.`);
  }
}

/** The blocks of a `content`, a text or parts; none for null. @throws Untranslatable */
export function contentBlocks(content: unknown, where: string, settings: ContentSettings): readonly ContentBlock[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') {
    const block = textBlock(content);
    return block === null ? [] : [block];
  }
  if (!Array.isArray(content)) throw new Untranslatable(where, `'${where}' must be a string or an array of parts.`);
  return content
    .map((part: unknown, index) => readPart(part, `${where}[${index}]`, settings))
    .filter((block) => block !== null);
}

/** The same if only text is allowed. @throws Untranslatable */
export function textBlocks(content: unknown, where: string, settings: ContentSettings): readonly TextBlock[] {
  return contentBlocks(content, where, settings).map((block, index) => {
    if (block.type === 'text') return block;
    throw new Untranslatable(`${where}[${index}].type`, `'${where}' can only hold text.`);
  });
}
