import { basename, dirname, join, normalize } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { anchorOf } from './manual-anchor.ts';

// A document as a page's HTML, with what the contents and the search need of it.

export const QUICK_START = 'README.md';

/** A part of a page that a search finds. */
export interface PageSection {
  readonly anchor: string;
  readonly heading: string;
  readonly depth: number;
  /** All its text, in words. */
  readonly text: string;
}

export interface RenderedDocument {
  readonly title: string;
  readonly html: string;
  readonly sections: readonly PageSection[];
}

/** Where a document is served: `docs/money.md` at /docs/money, a folder's README at the folder, the README at /docs. */
export function addressOf(path: string): string {
  return path === QUICK_START ? '/docs' : `/${path.replace(/(\/README)?\.md$/, '')}`;
}

/** The target of a link in the document at `path`; null where it leads out of the manual. */
function targetOf(path: string, href: string): string | null {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href;
  const [file = '', anchor] = href.split('#', 2);
  const target = normalize(join(dirname(path), file));
  if (target !== QUICK_START && !(target.startsWith('docs/') && target.endsWith('.md'))) return null;
  return addressOf(target) + (anchor === undefined ? '' : `#${anchor}`);
}

const TAG = /<[^<>]*>/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** The words of a piece of HTML. */
function wordsOf(html: string): string {
  return html
    .replace(TAG, ' ')
    .replace(/&\w+;|&#39;/g, (entity) => ENTITIES[entity] ?? ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const HEADING = /<h([1-3]) id="([^"]*)">(.*?)<\/h\1>/g;

function sectionsOf(html: string): readonly PageSection[] {
  const headings = [...html.matchAll(HEADING)];
  return headings.map(({ 0: whole, 1: depth, 2: anchor = '', 3: heading = '', index }, number) => ({
    anchor,
    heading: wordsOf(heading.replace(/<a class="anchor".*<\/a>/, '')),
    depth: Number(depth),
    text: wordsOf(html.slice(index + whole.length, headings[number + 1]?.index ?? html.length)),
  }));
}

/** Renders a document. `pictureOf` returns the text of an SVG that the document shows, by its path from the root. */
export function renderDocument(path: string, markdown: string, pictureOf: (path: string) => string): RenderedDocument {
  let title = basename(path, '.md');
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        if (depth === 1) title = text;
        const anchor = anchorOf(text);
        const inner = this.parser.parseInline(tokens);
        const link = depth === 1 ? '' : ` <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a>`;
        return `<h${depth} id="${anchor}">${inner}${link}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens);
        const target = targetOf(path, href);
        if (target === null) return inner;
        // Pages have no file names: "docs/months-end.md" is "months end".
        const name = /^(?:docs\/)?([\w-]+)\.md$/.exec(inner)?.[1]?.replaceAll('-', ' ');
        return `<a href="${target}">${name ?? inner}</a>`;
      },
      image({ href, text }: Tokens.Image) {
        const picture = pictureOf(normalize(join(dirname(path), href)));
        return `<span class="picture">${picture.replace('<svg ', `<svg role="img" aria-label="${text}" `)}</span>`;
      },
      table(token: Tokens.Table) {
        const cells = (row: readonly Tokens.TableCell[], tag: string): string =>
          `<tr>${row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const body = token.rows.map((row) => cells(row, 'td')).join('\n');
        return `<div class="scrolled" tabindex="0"><table><thead>${cells(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false }).replaceAll('<pre>', '<pre tabindex="0">');
  return { title, html, sections: sectionsOf(html) };
}
