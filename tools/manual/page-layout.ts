import type { PageSection } from './render.ts';

// The frame around each page of the manual: contents, search, the page's own sections, and its neighbours.

export interface ManualPage {
  readonly address: string;
  readonly title: string;
  readonly html: string;
  readonly sections: readonly PageSection[];
}

export interface PageGroup {
  readonly heading: string;
  readonly pages: readonly ManualPage[];
}

function contents(page: ManualPage, groups: readonly PageGroup[]): string {
  return groups
    .map(({ heading, pages }) => {
      const links = pages.map(({ address, title }) => {
        const current = address === page.address ? ' aria-current="page"' : '';
        return `<li><a href="${address}"${current}>${title}</a></li>`;
      });
      return `<h2>${heading}</h2><ul>${links.join('')}</ul>`;
    })
    .join('');
}

function sectionLinks({ sections }: ManualPage): string {
  const links = sections
    .filter(({ depth }) => depth === 2)
    .map(({ anchor, heading }) => `<li><a href="#${anchor}">${heading.replaceAll('<', '&lt;')}</a></li>`);
  if (links.length < 2) return '';
  return `<aside class="sections"><h2>On this page</h2><ul>${links.join('')}</ul></aside>`;
}

function neighbours(page: ManualPage, groups: readonly PageGroup[]): string {
  const pages = groups.flatMap((group) => group.pages);
  const at = pages.findIndex(({ address }) => address === page.address);
  if (at === -1) return '';
  const link = (rel: string, other: ManualPage | undefined): string =>
    other === undefined ? '<span></span>' : `<a rel="${rel}" href="${other.address}">${other.title}</a>`;
  return `<footer>${link('prev', pages[at - 1])}${link('next', pages[at + 1])}</footer>`;
}

/** The whole page. The contents stand behind the text, where a small screen shows them. */
export function pageLayout(page: ManualPage, groups: readonly PageGroup[]): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${page.title} – Faregate</title>
    <link rel="icon" href="/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/manual.css" />
    <script src="/theme.js"></script>
    <script type="module" src="/manual.js"></script>
  </head>
  <body class="manual">
    <a class="skip" href="#main">Skip to content</a>
    <header>
      <a class="mark" href="/docs"><img src="/icon.svg" alt="" width="20" height="20" />Faregate manual</a>
      <search hidden>
        <input type="search" aria-label="Search the manual" placeholder="Search" autocomplete="off" aria-controls="found" />
        <ul id="found" aria-live="polite"></ul>
      </search>
      <a class="to-contents" href="#contents">Contents</a>
      <a href="/">Console</a>
    </header>
    <div class="frame">
      <main id="main">${page.html}${neighbours(page, groups)}</main>
      ${sectionLinks(page)}
      <nav id="contents" aria-label="Contents">${contents(page, groups)}</nav>
    </div>
  </body>
</html>
`;
}
