import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COLON, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../openai/json-bytes.ts';

// Most JSON is plain: every reader understands it alike, which shows without a close look at each of its parts.

/** Deeper documents overflow the stacks of some readers. */
export const DEPTH_MAX = 128;

/**
 * Reads a document of plain JSON, white space around it allowed. Null where it needs a closer look, whether it is JSON or
 * not: for a name that may be given twice or has a backslash, its depth, or a number that is long or has an exponent.
 */
export function readPlainJson(text: string): { readonly value: unknown } | null {
  const members = plainMembers(text);
  if (members === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  // As many members as names: none was given twice.
  return namesIn(value) === members ? { value } : null;
}

/** Numbers of no more characters than this, and without an exponent, are held exactly enough by doubles. */
const SHORT_NUMBER = 15;

const [ZERO, NINE, DOT, MINUS, LOWER_E, UPPER_E] = [0x30, 0x39, 0x2e, 0x2d, 0x65, 0x45];

/**
 * How many members a text has, if it is JSON; null where it needs a closer look for its depth, or for a number that is
 * long or has an exponent.
 */
function plainMembers(text: string): number | null {
  let members = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COLON) members++;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > DEPTH_MAX) return null;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
    else if (isOfNumber(code)) {
      const start = at;
      while (isOfNumber(text.charCodeAt(at + 1))) at++;
      const next = text.charCodeAt(at + 1);
      if (at - start >= SHORT_NUMBER || next === LOWER_E || next === UPPER_E) return null;
    }
  }
  return members;
}

/** Where the string that begins at a quote has its other one; the text's length where it has none. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return at;
}

function isOfNumber(code: number): boolean {
  return (code >= ZERO && code <= NINE) || code === MINUS || code === DOT;
}

/** How many names the objects in a value have; not a number where one has a backslash, which need not be its own. */
function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let names = 0;
  if (Array.isArray(value)) {
    for (const each of value) names += namesIn(each);
  } else {
    for (const [name, each] of Object.entries(value)) names += name.includes('\\') ? Number.NaN : 1 + namesIn(each);
  }
  return names;
}
