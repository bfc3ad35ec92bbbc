import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join, relative } from 'node:path';
import { commandReference } from './command-reference.ts';
import { contentsOf } from './contents.ts';
import { type ManualPage, type PageGroup, pageLayout } from './page-layout.ts';
import { addressOf, QUICK_START, renderDocument } from './render.ts';
import { searchIndex } from './search-index.ts';

// Makes console/dist/docs, the manual that the program serves at /docs, out of README.md and docs/*.md. It runs on every
// install, after the console is built, whose fonts and colours it has.

const ROOT = join(import.meta.dirname, '../..');
const DIST = join(ROOT, 'console/dist');
const OUTPUT = join(DIST, 'docs');
/** The group that references join which no file has. */
const REFERENCE = 'Reference';

async function filesIn(folder: string, end: string): Promise<readonly string[]> {
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(end));
  return files.map((entry) => relative(ROOT, join(entry.parentPath, entry.name))).toSorted();
}

function pageOf(path: string, markdown: string): ManualPage {
  const { title, html, sections } = renderDocument(path, markdown, (file) => readFileSync(join(ROOT, file), 'utf8'));
  return { address: addressOf(path), title: path === QUICK_START ? 'Quick start' : title, html, sections };
}

/** The style of the manual: the console's tokens and fonts, whose files have hashes in their names. */
async function style(): Promise<string> {
  const assets = await readdir(join(DIST, 'assets'));
  const font = (family: string, weights: string, prefix: string): string => {
    const file = assets.find((name) => name.startsWith(prefix) && name.endsWith('.woff2'));
    if (file === undefined) throw new Error(`the console was built without the font ${family}`);
    return `@font-face { font-family: '${family}'; font-weight: ${weights}; font-display: swap; src: url('/assets/${file}') format('woff2'); }\n`;
  };
  const parts = ['console/src/styles/tokens.css', 'console/public/manual.css'];
  const [tokens = '', own = ''] = await Promise.all(parts.map((path) => readFile(join(ROOT, path), 'utf8')));
  const fonts =
    font('Inter Variable', '100 900', 'inter-latin-wght') +
    font('JetBrains Mono Variable', '100 800', 'jetbrains-mono');
  return fonts + tokens + own;
}

const readme = await readFile(join(ROOT, QUICK_START), 'utf8');
const documents = await filesIn('docs', '.md');
const pages = new Map(
  await Promise.all(
    [QUICK_START, ...documents].map(
      async (path) => [path, pageOf(path, await readFile(join(ROOT, path), 'utf8'))] as const,
    ),
  ),
);
const commands = pageOf('docs/commands.md', commandReference());
const groups = contentsOf(readme, documents).map(({ heading, paths }): PageGroup => {
  const named = paths.flatMap((path) => pages.get(path) ?? []);
  return { heading, pages: heading === REFERENCE ? [...named, commands] : named };
});
const start: PageGroup = { heading: 'Start', pages: [...pages.values()].slice(0, 1) };
const [first = start, ...others] = groups;
const contents = [{ ...first, pages: [...start.pages, ...first.pages] }, ...others];

await rm(OUTPUT, { recursive: true, force: true });
for (const page of [...pages.values(), commands]) {
  const folder = join(OUTPUT, page.address.slice('/docs'.length));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'index.html'), pageLayout(page, contents));
}
const searched = [...pages].filter(([path]) => !path.startsWith('docs/decisions/')).map(([, page]) => page);
await writeFile(join(OUTPUT, 'search-index.js'), searchIndex([...searched, commands]));
await writeFile(join(DIST, 'manual.css'), await style());
const search = await readFile(join(ROOT, 'console/src/manual/search.ts'), 'utf8');
await writeFile(join(DIST, 'manual.js'), stripTypeScriptTypes(search));
