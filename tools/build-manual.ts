import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { anchorOf } from './manual-anchor.ts';

// Makes console/dist/docs, the manual that the program serves at /docs, out of README.md and docs/*.md. It runs on every
// install. The README is its first page, and the links there give the others their order.

const ROOT = join(import.meta.dirname, '..');
const QUICK_START = 'README.md';
const OUTPUT = join(import.meta.dirname, '../console/dist/docs');

/** Where a document is served: `docs/money.md` at /docs/money, a folder's README at the folder, the README at /docs. */
function addressOf(path: string): string {
  return path === QUICK_START ? '/docs' : `/${path.replace(/(\/README)?\.md$/, '')}`;
}

/** The target of a link in the document at `path`; null where it leads out of the manual. */
function targetOf(path: string, href: string): string | null {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const [file = '', anchor] = href.split('#', 2);
  const target = normalize(join(dirname(path), file));
  if (target !== QUICK_START && !(target.startsWith('docs/') && target.endsWith('.md'))) return null;
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
    <link rel="stylesheet" href="/manual.css" />
  </head>
  <body class="manual">
    <a class="skip" href="#main">Skip to content</a>
    <nav aria-label="Manual"><p><a href="/">Faregate</a></p><ul>${links.join('')}</ul></nav>
    <main id="main">${page.html}</main>
  </body>
</html>
`;
}

/** The documents in the order of the README's links; those it does not name come last, by name. */
async function documents(readme: string): Promise<readonly string[]> {
  const found = (await readdir(join(ROOT, 'docs'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .toSorted();
  const place = (path: string): number => {
    const at = readme.lastIndexOf(`](${path})`);
    return at === -1 ? readme.length : at;
  };
  return [QUICK_START, ...found.toSorted((left, right) => place(left) - place(right))];
}

const readme = await readFile(join(ROOT, QUICK_START), 'utf8');
const pages = await Promise.all(
  (await documents(readme)).map(async (path): Promise<Page> => {
    const { title, html } = render(path, await readFile(join(ROOT, path), 'utf8'));
    return { address: addressOf(path), title: path === QUICK_START ? 'Quick start' : title, html };
  }),
);
for (const page of pages) {
  const folder = join(OUTPUT, page.address.slice('/docs'.length));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'index.html'), layout(page, pages));
}
