// Patterns as JSON Schema has them: ECMAScript's, with the flag `u`. Many schemas are written for readers without it,
// who take an escape that means nothing for the character itself, and a brace or bracket that closes nothing too.

/**
 * The pattern as it is read with the flag `u`, what only readers without it take written otherwise; null if it is no
 * pattern. A letter or digit whose escape means nothing here may mean something in another language: it stays wrong.
 */
export function unicodePattern(source: string): string | null {
  if (isPattern(source, 'u')) return source;
  if (!isPattern(source, '')) return null;
  const rewritten = rewrite(source.match(TOKENS) ?? []);
  return isPattern(rewritten, 'u') ? rewritten : null;
}

/** A property or a code point by its name, an escape, a quantifier, or a character. */
const TOKENS = /\\[pPu]\{[\w=]{1,64}\}|\\[\s\S]|\{\d{1,16}(?:,\d{0,16})?\}|[\s\S]/gu;

/** Escaped, these stand for themselves with the flag `u` as well: everywhere, or in a class of characters. */
const SYNTAX = /[\^$\\.*+?()[\]{}|/]/;
const CLASS_SYNTAX = /[\^$\\.*+?()[\]{}|/-]/;
const LETTER_OR_DIGIT = /[A-Za-z\d]/;

/** Stands for a class of its own; a dash beside it, as in `[\w-.]`, is no range. */
const CLASS_ESCAPE = /^\\[dDsSwW]$/;

function rewrite(tokens: readonly string[]): string {
  const isClass = (at: number): boolean => CLASS_ESCAPE.test(tokens[at] ?? '');
  let isInClass = false;
  const rewritten = tokens.map((token, at) => {
    if (token.startsWith('\\')) return escape(token, isInClass ? CLASS_SYNTAX : SYNTAX);
    if (isInClass) {
      isInClass = token !== ']';
      return token === '-' && (isClass(at - 1) || isClass(at + 1)) ? String.raw`\-` : token;
    }
    isInClass = token === '[';
    return LONE.includes(token) ? `\\${token}` : token;
  });
  return rewritten.join('');
}

/** Brackets that are literal when unpaired. */
const LONE = ['{', '}', ']'];

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
