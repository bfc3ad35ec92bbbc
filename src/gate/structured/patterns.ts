// Patterns of JSON Schema: ECMAScript's, with the flag `u`. Many schemas are written for readers without it, which
// read a meaningless escape as the character itself, and an unmatched brace or bracket too.

/**
 * The pattern for the flag `u`, with syntax that is only valid without it rewritten; null if it is no pattern. A
 * letter or digit with an escape that means nothing here may mean something in another language, so it stays invalid.
 */
export function unicodePattern(source: string): string | null {
  if (isPattern(source, 'u')) return source;
  if (!isPattern(source, '')) return null;
  const rewritten = rewrite(source.match(TOKENS) ?? []);
  return isPattern(rewritten, 'u') ? rewritten : null;
}

/** A property or a code point by its name, an escape, a quantifier, or a character. */
const TOKENS = /\\[pPu]\{[\w=]{1,64}\}|\\[\s\S]|\{\d{1,16}(?:,\d{0,16})?\}|[\s\S]/gu;

/** Characters that may be escaped with the flag `u` too: everywhere, or in a character class. */
const SYNTAX = /[\^$\\.*+?()[\]{}|/]/;
const CLASS_SYNTAX = /[\^$\\.*+?()[\]{}|/-]/;
const LETTER_OR_DIGIT = /[A-Za-z\d]/;

/** A class by itself; a dash next to it, as in `[\w-.]`, is no range. */
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
