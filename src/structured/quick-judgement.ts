import type { Judgement } from './conformance.ts';
import { readPlainJson } from './plain-json.ts';
import { type QuickCheck, quickCheckOf } from './quick-check.ts';
import { trimmed } from './readings.ts';
import { isObject } from './schema-keywords.ts';

// What of judging is so cheap that it is done at once, on the thread that serves requests: small answers that conform, by
// schemas that are small and plain.

/** How large a schema, and an answer, may be for that, in characters. */
const LENGTH_MAX = 8 * 1_024;

/** The short way to judge by a schema that was checked, given as its text; null where it has none. */
export function quickCheckBy(schema: string): QuickCheck | null {
  const json = schema.length > LENGTH_MAX ? null : readPlainJson(schema);
  return json !== null && isObject(json.value) ? quickCheckOf(json.value) : null;
}

/** Judges an answer that is one of so many that are judged by the way; null where that is left to the validator. */
export function judgeQuickly(text: string, check: QuickCheck, among: number): Judgement | null {
  if (text.length * among > LENGTH_MAX) return null;
  const content = trimmed(text);
  const json = readPlainJson(content);
  return json !== null && check(json.value, among) ? { conforms: true, content } : null;
}
