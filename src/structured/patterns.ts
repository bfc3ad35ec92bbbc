// Patterns as JSON Schema has them: ECMAScript's, with the flag `u`. Many schemas are written for readers without it, who
// take an escape that means nothing for the character itself, and a brace or bracket that closes nothing too.

/**
 * The pattern as it is read with the flag `u`, what only readers without it take written otherwise; null where it is no
 * pattern. A letter or digit whose escape means nothing here may mean something in another language: it stays wrong.
 */
export function unicodePattern(source: string): string | null {
  if (isPattern(source, 'u')) return source;
  if (!isPattern(source, '')) return null;
  const rewritten = source.replaceAll(PARTS, (part) => (part.startsWith('[') ? inClass(part) : outsideOfClass(part)));
  return isPattern(rewritten, 'u') ? rewritten : null;
}

/** A class of characters, an escape, a quantifier, or a brace or bracket that belongs to none of them. */
const PARTS = /\[(?:\\[\s\S]|[^\]\\])*\]|\\[kpPux]\{[^}]*\}|\\[\s\S]|\{\d+(?:,\d*)?\}|[{}\]]/g;

/** Escaped, these stand for themselves with the flag `u` as well. */
const SYNTAX = /[\^$\\.*+?()[\]{}|/]/;
const LETTER_OR_DIGIT = /[A-Za-z\d]/;

function outsideOfClass(part: string): string {
  if (part.length === 1) return `\\${part}`;
  return part.startsWith('\\') ? escape(part, SYNTAX) : part;
}

const CLASS_SYNTAX = /[\^$\\.*+?()[\]{}|/-]/;

/** Stands for a class of its own; a dash beside it, as in `[\w-.]`, is no range. */
const CLASS_ESCAPE = /^\\[dDsSwW]$/;

function inClass(part: string): string {
  const tokens = part.match(/\\[\s\S]|[\s\S]/gu) ?? [];
  const isClass = (at: number): boolean => CLASS_ESCAPE.test(tokens[at] ?? '');
  const rewritten = tokens.map((token, at) => {
    if (token === '-') return isClass(at - 1) || isClass(at + 1) ? String.raw`\-` : token;
    return token.startsWith('\\') ? escape(token, CLASS_SYNTAX) : token;
  });
  return rewritten.join('');
}

function escape(part: string, syntax: RegExp): string {
  const character = part.charAt(1);
  return LETTER_OR_DIGIT.test(character) || syntax.test(character) ? part : character;
}

function isPattern(source: string, flags: string): boolean {
  try {
    // oxlint-disable-next-line no-new -- whether it can be made is the question
    new RegExp(source, flags);
    return true;
  } catch {
    return false;
  }
}
