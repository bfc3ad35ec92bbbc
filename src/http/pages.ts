import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

interface Page {
  readonly type: string;
  readonly body: Buffer;
}

function pathsOf(file: string): readonly string[] {
  const path = `/${file.split(sep).join('/')}`;
  if (!path.endsWith('/index.html')) return [path];
  const folder = path.slice(0, -'index.html'.length);
  return folder === '/' ? [folder] : [folder, folder.slice(0, -1)];
}

/**
 * The built console's files, read into memory once. Requests can only name files found then, so no path leads outside.
 * Without the directory there are no pages.
 */
export function loadPages(directory: string): (requestId: string, path: string, response: ServerResponse) => boolean {
  const pages = new Map<string, Page>();
  for (const entry of entriesOf(directory)) {
    const file = relative(directory, entry);
    const page = { type: TYPES[extname(file)] ?? 'application/octet-stream', body: readFileSync(entry) };
    for (const path of pathsOf(file)) pages.set(path, page);
  }
  return (requestId, path, response) => {
    const page = pages.get(path);
    if (page === undefined) return false;
    const headers = { 'x-request-id': requestId, 'content-type': page.type, 'cache-control': 'no-cache' };
    response.writeHead(200, { ...headers, ...SECURITY_HEADERS });
    response.end(page.body);
    return true;
  };
}

function entriesOf(directory: string): string[] {
  try {
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw fault;
  }
}
