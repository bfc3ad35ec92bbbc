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
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
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

// By itself each module that two pages share is a file, of some hundred bytes most often.
const CHUNKS = [
  {
    debugName: 'first',
    name: (id: string, graph: ModuleGraph) => (isLoadedFirst(id, graph) ? 'first' : null),
    priority: 3,
  },
  // Nearly every page needs most of it. What few people need is a file of its own.
  {
    name: 'shared',
    test: /\/console\/src\/(?!pages\/|api\/(?:authenticator|passkeys)|forms\/(?:authenticator|passkey-use|posting-create|grant-terms))|\/src\/(?:domain|control)\/|\/node_modules\/(?:@tanstack\/|d3-)/,
    minShareCount: 2,
    priority: 1,
  },
  { name: 'passkeys', test: /\/console\/src\/(?:api\/passkeys|forms\/passkey-use)/, priority: 1 },
  {
    debugName: 'pages',
    name: (id: string) => /\/console\/src\/pages\/(?!operator\/|requests\/)(\w+)\//.exec(id)?.[1] ?? null,
    priority: 1,
  },
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
  plugins: [react(), tailwindcss(), withoutHelp, inlined],
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
