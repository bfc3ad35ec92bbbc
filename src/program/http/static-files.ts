import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { ContentCoding } from './accepted-coding.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** The ends of the names of compressed siblings, which the build makes. */
const SIBLINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const satisfies readonly (readonly [ContentCoding, string])[];

/** More is no console: its files are kept in memory. */
const BYTES_MAX = 64 * 2 ** 20;

/** A file in each coding that it is kept in. */
export interface StaticFile {
  readonly type: string;
  /** Of the file's content, for the validators of all its codings. */
  readonly hash: string;
  readonly bodies: ReadonlyMap<ContentCoding, Buffer>;
  /** Of a page: the hashes of the scripts in it, as a content security policy names them. */
  readonly scripts: readonly string[];
}

/**
 * Reads a folder's files into memory, by the paths that they are served at: a folder's `index.html` is at the folder's path,
 * with and without a slash. Files of other types, hidden files and siblings that are older than their file are left out.
 * Without the folder there are none. @throws Error if they are more than fit
 */
export async function readStaticFiles(folder: string): Promise<ReadonlyMap<string, StaticFile>> {
  const names = await namesIn(folder);
  const files = new Map<string, StaticFile>();
  let bytes = 0;
  for (const name of names) {
    const type = TYPES[extname(name)];
    if (type === undefined || name.split('/').some((part) => part.startsWith('.'))) continue;
    const file = await readStaticFile(join(folder, name), type, names.has.bind(names), folder);
    for (const body of file.bodies.values()) bytes += body.length;
    if (bytes > BYTES_MAX) throw new Error(`the pages in ${folder} take more than ${BYTES_MAX} bytes`);
    for (const path of pathsOf(name)) files.set(path, file);
  }
  return files;
}

async function readStaticFile(
  path: string,
  type: string,
  exists: (name: string) => boolean,
  folder: string,
): Promise<StaticFile> {
  const content = await readFile(path);
  const bodies = new Map<ContentCoding, Buffer>([['identity', content]]);
  const { mtimeMs } = await stat(path);
  for (const [coding, end] of SIBLINGS) {
    if (!exists(nameIn(folder, path + end)) || (await stat(path + end)).mtimeMs < mtimeMs) continue;
    bodies.set(coding, await readFile(path + end));
  }
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  return { type, hash, bodies, scripts: type === TYPES['.html'] ? scriptHashes(content.toString()) : [] };
}

function scriptHashes(page: string): readonly string[] {
  const texts = Array.from(page.matchAll(/<script>([^]*?)<\/script>/g), ([, text = '']) => text);
  return texts.map((text) => `sha256-${createHash('sha256').update(text).digest('base64')}`);
}

async function namesIn(folder: string): Promise<ReadonlySet<string>> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return new Set(files.map((entry) => nameIn(folder, join(entry.parentPath, entry.name))));
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return new Set();
    throw fault;
  }
}

function nameIn(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/');
}

function pathsOf(name: string): readonly string[] {
  const path = `/${name}`;
  if (!path.endsWith('/index.html')) return [path];
  const folder = path.slice(0, -'index.html'.length);
  return folder === '/' ? [folder] : [folder, folder.slice(0, -1)];
}
