import { isObject, type JsonObject } from '../../openai/json-object.ts';
import { Untranslatable } from '../../openai/untranslatable.ts';
import type { Cacheable, CacheControl } from './wire.ts';

// The point up to which the prompt may be cached: `cache_control` as in Anthropic's API, or `prompt_cache_breakpoint`
// as in OpenAI's. A content part or a message may have both.

const EVERY_TTL: readonly unknown[] = ['5m', '1h'];

/** Reads a value of `cache_control`; null if there is none. @throws Untranslatable */
export function readCacheControl(value: unknown, where: string): CacheControl | null {
  if (value === undefined || value === null) return null;
  const ttl = isObject(value) ? value['ttl'] : undefined;
  if (!isObject(value) || value['type'] !== 'ephemeral' || (ttl !== undefined && !EVERY_TTL.includes(ttl))) {
    throw new Untranslatable(where, `'${where}' must be {"type": "ephemeral"}, with a "ttl" of "5m" or "1h" if any.`);
  }
  return ttl === undefined ? { type: 'ephemeral' } : { type: 'ephemeral', ttl: ttl as '5m' | '1h' };
}

/** The member of a block that has this cache control. */
export function cached(control: CacheControl | null): Cacheable {
  return control === null ? {} : { cache_control: control };
}

/** The blocks of a message whose own cache control is this one: it marks the last block, unless that is marked itself. */
export function cachedToEnd<Block extends Cacheable>(
  blocks: readonly Block[],
  control: CacheControl | null,
): readonly Block[] {
  const last = blocks.at(-1);
  if (control === null || last === undefined) return blocks;
  return [...blocks.slice(0, -1), { ...cached(control), ...last }];
}

/**
 * The cache control of a content part, or of a message. OpenAI's lifetimes are 30 minutes and more, so an hour's cache is the closest;
 * `livesLong`: whether the whole request sets such a lifetime. @throws Untranslatable
 */
export function cacheControlOf(part: JsonObject, where: string, livesLong: boolean): CacheControl | null {
  const control = readCacheControl(part['cache_control'], `${where}.cache_control`);
  const breakpoint = part['prompt_cache_breakpoint'];
  if (control !== null || !isObject(breakpoint)) return control;
  return livesLong || typeof breakpoint['ttl'] === 'string' ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' };
}
