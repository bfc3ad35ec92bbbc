import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { Marked, type Tokens } from 'marked';

// Makes console/dist/docs, the manual that the program serves at /docs, out of docs/*.md. It runs on every install.

const SOURCE = join(import.meta.dirname, '../docs');
const OUTPUT = join(import.meta.dirname, '../console/dist/docs');

/** A heading's anchor, as code hosts make them, so that links work in both places. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/<[^>]*>|[`*_]/g, '')
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');
}

/** Where a document is served: `money.md` at /docs/money, a folder's README at the folder. */
function addressOf(path: string): string {
  const page = path.replace(/\.md$/, '').replace(/(^|\/)README$/, '');
  return `/docs${page === '' ? '' : `/${page}`}`;
}

/** The target of a link in the document at `path`; null where it leads out of the manual. */
function targetOf(path: string, href: string): string | null {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const [file = '', anchor] = href.split('#', 2);
  const target = normalize(join(dirname(path), file));
  if (target.startsWith('..') || !target.endsWith('.md')) return null;
  return addressOf(target) + (anchor === undefined ? '' : `#${anchor}`);
}

function render(path: string, markdown: string): { readonly title: string; readonly html: string } {
  let title = basename(path, '.md');
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        if (depth === 1) title = text;
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens);
        const target = targetOf(path, href);
        return target === null ? inner : `<a href="${target}">${inner}</a>`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { title, html };
}

interface Page {
  readonly address: string;
  readonly title: string;
  readonly html: string;
}

function layout(page: Page, pages: readonly Page[]): string {
  const links = pages
    .filter(({ address }) => !address.startsWith('/docs/decisions/'))
    .map(({ address, title }) => {
      const current = address === page.address ? ' aria-current="page"' : '';
      return `<li><a href="${address}"${current}>${title}</a></li>`;
    });
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${page.title} – Faregate</title>
    <link rel="icon" href="/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/console.css" />
  </head>
  <body class="manual">
    <a class="skip" href="#main">Skip to content</a>
    <nav aria-label="Manual"><p><a href="/">Faregate</a></p><ul>${links.join('')}</ul></nav>
    <main id="main">${page.html}</main>
  </body>
</html>
`;
}

const files = (await readdir(SOURCE, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
  .map((entry) => relative(SOURCE, join(entry.parentPath, entry.name)))
  .toSorted();
const pages = await Promise.all(
  files.map(async (path): Promise<Page> => {
    const { title, html } = render(path, await readFile(join(SOURCE, path), 'utf8'));
    return { address: addressOf(path), title, html };
  }),
);
const contents = pages.map(({ address, title }) => `<li><a href="${address}">${title}</a></li>`).join('');
const index = { address: '/docs', title: 'Manual', html: `<h1>Manual</h1><ul>${contents}</ul>` };
for (const page of [index, ...pages]) {
  const folder = join(OUTPUT, page.address.slice('/docs'.length));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'index.html'), layout(page, pages));
}
