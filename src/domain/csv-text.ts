const NEEDS_QUOTES = /[",;\t\r\n]/;
/**
 * Begins with one of "=+-@", as a full-width, small or mathematical character too, behind any blanks and invisible characters,
 * which spreadsheets drop; or with a tab or a line end, which moves what follows into a cell of its own.
 */
const LOOKS_LIKE_FORMULA = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212])/u;

/**
 * A text as a field of CSV by RFC 4180. One that a spreadsheet would take for a formula is prefixed with an apostrophe: reasons,
 * addresses and request ids are untrusted input, and spreadsheets evaluate text that begins with "=".
 */
export function csvText(value: string): string {
  const text = LOOKS_LIKE_FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
