import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The started program that `vite dev` asks for everything that is not the console's. */
const PROGRAM = process.env['FAREGATE_URL'] ?? 'http://127.0.0.1:8080';

const proxy = Object.fromEntries(
  ['/admin', '/v1', '/docs', '/readyz', '/livez'].map((path) => [
    path,
    { target: PROGRAM, headers: { origin: PROGRAM } },
  ]),
);

interface ModuleGraph {
  getModuleInfo(id: string): {
    readonly importedIds: readonly string[];
    readonly importers: readonly string[];
    readonly dynamicImporters: readonly string[];
  } | null;
}

const MAIN = join(import.meta.dirname, 'src/main.tsx');

/** The modules that are loaded before the first page, whatever it is. */
let first: Set<string> | undefined;

/** What packages export beside that, and only later pages use: which parts of a package are used is not in the graph. */
const USED_LATER =
  /\/@tanstack\/.*\/(?:useBlocker|useMutation|useQueries|useInfiniteQuery|(?:mutation|queries|infiniteQuery)Observer)\.js$/;

function isLoadedFirst(id: string, graph: ModuleGraph): boolean {
  if (first === undefined) {
    first = new Set([MAIN]);
    for (const each of first) for (const imported of graph.getModuleInfo(each)?.importedIds ?? []) first.add(imported);
  }
  return first.has(id) && !USED_LATER.test(id);
}

/** Areas with few pages are a file together: it is smaller than two, and still small beside what all pages need. */
const TOGETHER: Readonly<Record<string, string>> = {
  audit: 'administration',
  access: 'administration',
  settings: 'administration',
  members: 'members',
  projects: 'members',
  'operator/workspaces-page': 'workspaces',
  'operator/workspace-page': 'workspaces',
  'operator/providers-page': 'offer',
  'operator/prices-page': 'offer',
  'operator/ledger-page': 'ledger',
  'operator/codes-page': 'ledger',
  'operator/instance-page': 'instance',
  'operator/cells-page': 'instance',
};

/** The file of a page: that of its area, but for the large areas, of which each page is one. */
function areaOf(id: string): string | null {
  const [, area, page] = /\/console\/src\/pages\/(\w+)\/([\w-]+)\./.exec(id) ?? [];
  if (area === undefined) return null;
  const isLarge = area === 'operator' || area === 'requests';
  return TOGETHER[isLarge ? `${area}/${page}` : area] ?? (isLarge ? null : area);
}

/** The area whose pages alone use the module; null if others do too. */
function soleAreaOf(id: string, graph: ModuleGraph): string | null {
  const users = new Set([id]);
  const areas = new Set<string>();
  for (const user of users) {
    const area = areaOf(user);
    if (area !== null) {
      areas.add(area);
      continue;
    }
    const { importers = [], dynamicImporters = [] } = graph.getModuleInfo(user) ?? {};
    if (dynamicImporters.length > 0 || importers.length === 0) return null;
    for (const importer of importers) users.add(importer);
  }
  const [area, ...others] = areas;
  return others.length === 0 ? (area ?? null) : null;
}

/** What is a file of its own: charts, and what few people need. */
const APART =
  /\/console\/src\/(?:charts|api\/(?:authenticator|passkeys)|forms\/(?:authenticator|passkey-use|posting-create|grant-terms))/;

const SHARED = /\/console\/src\/(?!pages\/)|\/src\/(?:domain|control)\/|\/node_modules\/@tanstack\//;

// By itself each module that two pages share is a file, of some hundred bytes most often. Each takes what it imports along, unless
// one before it has that.
const CHUNKS = [
  {
    debugName: 'first',
    name: (id: string, graph: ModuleGraph) => (isLoadedFirst(id, graph) ? 'first' : null),
    priority: 3,
  },
  {
    debugName: 'shared',
    name: (id: string, graph: ModuleGraph) =>
      SHARED.test(id) && !APART.test(id) && soleAreaOf(id, graph) === null ? 'shared' : null,
    minShareCount: 2,
    priority: 2,
  },
  // Home has charts and is opened first: a file of their own would be one more request there.
  { name: 'charts', test: /\/console\/src\/(?:charts\/(?!waterfall)|pages\/home\/)/, priority: 2 },
  { name: 'passkeys', test: /\/console\/src\/(?:api\/passkeys|forms\/passkey-use)/, priority: 1 },
  { debugName: 'areas', name: areaOf, priority: 1 },
  { name: 'restricted', test: /\/console\/src\/frame\/restricted-workspace/, priority: 1 },
  { name: 'overlays', test: /\/console\/src\/frame\//, priority: 0 },
];

/** What the command line alone needs of the commands and settings that it shares with the console: help, mostly. */
const OF_COMMANDS = /^(calls|summary|description|help|offHelp|optionHelp|nothing|example|max|initial)$/;
const OF_SETTINGS = /^(description|optionHelp)$/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

interface Property extends Node {
  readonly key: { readonly name?: string };
  readonly value: Node;
}

/** The properties with such a name. Fields of an operation that have one, too, are objects. */
function literalsIn(node: unknown, names: RegExp): readonly Node[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, key, value } = node as Property;
  if (type === 'Property' && names.test(key.name ?? '') && value.type.endsWith('Literal')) return [node as Node];
  return Object.values(node).flatMap((each) => literalsIn(each, names));
}

const withoutHelp: Plugin = {
  name: 'without-help',
  transform: {
    order: 'post',
    filter: { id: /\/src\/control\/(operations|resources)\// },
    handler(code, id) {
      const unneeded = literalsIn(this.parse(code), id.includes('/resources/') ? OF_SETTINGS : OF_COMMANDS);
      const kept = unneeded.reduceRight(
        (rest, { start, end }) => rest.slice(0, start) + rest.slice(end).replace(/^\s*,/, ''),
        code,
      );
      return { code: kept, map: null };
    },
  },
};

/** The router's own links, which each of its routes refers to: a link of the console is an `<a>`. */
const withoutLinks: Plugin = {
  name: 'without-links',
  enforce: 'pre',
  load: {
    filter: { id: /\/@tanstack\/react-router\/dist\/esm\/link\.js$/ },
    handler: () =>
      ['Link', 'createLink', 'linkOptions', 'useLinkProps'].map((name) => `export const ${name} = null;`).join('\n'),
  },
};

const publicFile = (name: string): string => readFileSync(join(import.meta.dirname, 'public', name), 'utf8').trim();

/** Puts the theme's script and the icon into the page: each would be a request before the first paint. */
const inlined: Plugin = {
  name: 'inlined',
  transformIndexHtml: (page) => {
    const icon = `data:image/svg+xml,${encodeURIComponent(publicFile('icon.svg'))}`;
    return page
      .replaceAll('"/icon.svg"', () => `"${icon}"`)
      .replace('<script src="/theme.js"></script>', () => `<script>${publicFile('theme.js')}</script>`);
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), withoutHelp, withoutLinks, inlined],
  // What a package brings for versions of React without it.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // By which test/repository/console-sizes.test.ts measures.
    manifest: true,
    // The content security policy lets nothing in from `data:` addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
    reportCompressedSize: false,
  },
  server: { proxy },
});
