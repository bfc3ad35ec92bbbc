// A page as its reader finds it: its words, and what controls and links say of themselves, without how they look.

/** What an element says beside its text. */
const SAYING = [
  'role',
  'href',
  'aria-label',
  'aria-disabled',
  'aria-checked',
  'aria-current',
  'aria-pressed',
  'aria-selected',
  'aria-expanded',
  'aria-sort',
  'aria-invalid',
  'type',
  'name',
  'value',
  'placeholder',
  'checked',
  'disabled',
  'selected',
  'required',
  'min',
  'max',
  'maxlength',
  'open',
  'title',
  'datetime',
  'alt',
];

const USUAL = new Set(['type="button"', 'type="text"', 'role="none"']);
/** A name that React has made: it changes with what is drawn before. */
const MADE_NAME = /^name="_/;
/** After a time's first form: the same in the words of the reader's zone, which differ with the version of Node. */
const FORMS_OF_TIME = /\n.*$/s;

/** Elements that stand within a line. */
const INLINE = new Set([
  'a',
  'b',
  'code',
  'em',
  'span',
  'strong',
  'time',
  'abbr',
  'kbd',
  'bdi',
  'wbr',
  'small',
  'mark',
]);
const LEFT_OUT = /<!--.*?-->|<(script|style)\b.*?<\/\1>|<link\b[^>]*>|<(path|line|rect|circle|polyline)\b[^>]*>/gs;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#x27': "'",
  nbsp: '\u00a0',
};

/** The lines of a page in HTML, as React writes it. */
export function wordsOfPage(html: string): string {
  const lines = html
    .replaceAll(LEFT_OUT, '')
    .replaceAll(
      /<(\/?)([a-z][a-z0-9]*)((?:\s[^<>]*?)?)\/?>/g,
      (_, end: string, element: string, attributes: string) => {
        if (end !== '') return INLINE.has(element) ? '' : '\n';
        const said = sayingOf(attributes);
        if (INLINE.has(element)) return said === '' ? '' : `[${said}]`;
        return said === '' ? '\n' : `\n${element}[${said}] `;
      },
    )
    .replaceAll(/&([a-z#0-9]+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .split('\n')
    .map((line) => line.replaceAll(/[ \t]+/g, ' ').trim())
    .filter((line) => line !== '');
  return `${lines.join('\n')}\n`;
}

function sayingOf(attributes: string): string {
  return [...attributes.matchAll(/([\w-]+)(?:="([^"]*)")?/g)]
    .filter(([said = '', name = '']) => SAYING.includes(name) && !USUAL.has(said) && !MADE_NAME.test(said))
    .map(([, name = '', value = '']) => (value === '' ? name : `${name}=${value.replace(FORMS_OF_TIME, '')}`))
    .join(' ');
}
