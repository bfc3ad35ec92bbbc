import { createHash } from 'node:crypto';
import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { loadPages } from './pages.ts';

const SCRIPT = 'console.log("hello");'.repeat(200);
const INDEX = '<!doctype html><title>Console</title>';
const ASSET = '/assets/main-Dx81.js';
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

type Get = (path: string, headers?: Record<string, string>, method?: string) => Promise<Answered>;

async function writeConsole(folder: string): Promise<void> {
  await mkdir(join(folder, 'assets'), { recursive: true });
  await mkdir(join(folder, 'docs/money'), { recursive: true });
  await mkdir(join(folder, '.vite'));
  await writeFile(join(folder, 'index.html'), INDEX);
  await writeFile(join(folder, '.vite/manifest.txt'), 'not a page');
  await writeFile(join(folder, 'docs/money/index.html'), '<title>Money</title>');
  await writeFile(join(folder, ASSET), SCRIPT);
  await writeFile(join(folder, `${ASSET}.br`), brotliCompressSync(SCRIPT));
  await writeFile(join(folder, `${ASSET}.gz`), gzipSync(SCRIPT));
}

/** A server of nothing but pages; what is no page is 404. */
async function serving(prepare: (folder: string) => Promise<void> = writeConsole): Promise<Get> {
  const folder = await mkdtemp(join(tmpdir(), 'faregate-pages-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await prepare(folder);
  const pages = await loadPages(folder);
  const server = createServer((message, response) => {
    if (!pages.serve('an id', message.url ?? '', response)) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const { port } = server.address() as AddressInfo;
  return (path, headers = {}, method = 'GET') =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      });
      sent.on('error', reject).end();
    });
}

test('a hashed file is kept by browsers for ever, and goes out in the coding that they accept', async () => {
  const get = await serving();
  const br = await get(ASSET, { 'accept-encoding': 'gzip, br' });
  expect(br.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'accept-encoding',
  });
  expect(brotliDecompressSync(br.body).toString()).toBe(SCRIPT);
  const gzip = await get(ASSET, { 'accept-encoding': 'gzip' });
  expect(gunzipSync(gzip.body).toString()).toBe(SCRIPT);
  const plain = await get(ASSET);
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.body.toString()).toBe(SCRIPT);
  expect(new Set([br, gzip, plain].map(({ headers }) => headers.etag)).size).toBe(3);
});

test('a page that the browser has is answered with 304, in the coding that it has it in alone', async () => {
  const get = await serving();
  const { headers } = await get(ASSET, { 'accept-encoding': 'br' });
  const etag = headers.etag ?? '';
  expect(etag).toMatch(/^"[\w-]+"$/);
  const fresh = await get(ASSET, { 'accept-encoding': 'br', 'if-none-match': `"other", W/${etag}` });
  expect(fresh).toMatchObject({ status: 304, headers: { etag, vary: 'accept-encoding', 'x-request-id': 'an id' } });
  expect(fresh.body.length).toBe(0);
  expect((await get(ASSET, { 'accept-encoding': 'gzip', 'if-none-match': etag })).status).toBe(200);
  expect((await get('/', { ...BROWSER, 'if-none-match': etag })).status).toBe(200);
});

test('HEAD tells what GET would answer, without it', async () => {
  const get = await serving();
  const head = await get(ASSET, { 'accept-encoding': 'gzip' }, 'HEAD');
  const { headers } = await get(ASSET, { 'accept-encoding': 'gzip' });
  const { date: _of, ...told } = headers;
  expect(head).toMatchObject({ status: 200, headers: told });
  expect(head.body.length).toBe(0);
});

test.each([
  '/',
  '/sign-in',
  '/set-up',
  '/account',
  '/account/security',
  '/workspaces/0198/requests/x',
  '/operator/codes',
])('a browser that navigates to %s gets the console, which it asks for again each time', async (path) => {
  const get = await serving();
  const answer = await get(path, BROWSER);
  expect(answer).toMatchObject({
    status: 200,
    headers: { 'cache-control': 'no-cache', vary: 'accept-encoding, accept' },
  });
  expect(answer.body.toString()).toBe(INDEX);
  expect(answer.headers).toMatchObject({
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
});

test('a script in a page runs by its hash, in this page alone', async () => {
  const get = await serving(async (folder) => {
    await writeConsole(folder);
    await writeFile(join(folder, 'index.html'), '<script>const a = 1;</script><script src="/b.js"></script>');
  });
  const policyOf = async (path: string) => String((await get(path, BROWSER)).headers['content-security-policy']);
  const hash = createHash('sha256').update('const a = 1;').digest('base64');
  expect(await policyOf('/')).toContain(`script-src 'self' 'sha256-${hash}'; style-src`);
  expect(await policyOf('/workspaces/0198')).toBe(await policyOf('/'));
  expect(await policyOf('/docs/money')).toContain("script-src 'self'; style-src");
});

test.each([
  '/v1/models/',
  '/v1',
  '/admin',
  '/admin/v1/workspaces/x',
  '/docs/nothing',
  '/metrics',
  '/livez/x',
  '/chat/completions',
  '/set-up/more',
  '/sign-in.html',
  '/workspacesx',
  '/assets/main-0000.js',
  '/assets/',
  '/.vite/manifest.txt',
  '/assets/main-Dx81.js.br',
  '/../package.json',
])('a browser that navigates to %s gets no page', async (path) => {
  const get = await serving();
  expect((await get(path, BROWSER)).status).toBe(404);
});

test.each(['application/json', '*/*', ''])(
  'a program that accepts %j gets no page for a path of the console',
  async (accept) => {
    const get = await serving();
    expect((await get('/workspaces/0198', accept === '' ? {} : { accept })).status).toBe(404);
  },
);

test('a compressed sibling that is older than its file is left out', async () => {
  const get = await serving(async (folder) => {
    await writeConsole(folder);
    await utimes(join(folder, `${ASSET}.br`), 0, 0);
  });
  expect((await get(ASSET, { 'accept-encoding': 'br, gzip' })).headers['content-encoding']).toBe('gzip');
});

test('where no console is built, its paths say what to do', async () => {
  const get = await serving(() => Promise.resolve());
  for (const path of ['/', '/workspaces/0198']) {
    const answer = await get(path, BROWSER);
    expect(answer).toMatchObject({ status: 503, headers: { 'content-type': 'text/plain; charset=utf-8' } });
    expect(answer.body.toString()).toContain('npm ci');
  }
});

test('whether the console is among the pages is known at the start', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'faregate-pages-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  expect((await loadPages(folder)).hasConsole).toBe(false);
  await writeFile(join(folder, 'index.html'), 'The console is not built.');
  expect((await loadPages(folder)).hasConsole).toBe(false);
  await writeConsole(folder);
  expect((await loadPages(folder)).hasConsole).toBe(true);
});

test.each([
  ['/page.html', 'text/html; charset=utf-8'],
  ['/style.css', 'text/css; charset=utf-8'],
  ['/script.js', 'text/javascript; charset=utf-8'],
  ['/icon.svg', 'image/svg+xml'],
  ['/font.woff2', 'font/woff2'],
  ['/licence.txt', 'text/plain; charset=utf-8'],
])('a page is sent as what it is: %s as %s', async (path, type) => {
  const get = await serving((folder) => writeFile(join(folder, path), 'x'));
  expect(await get(path)).toMatchObject({ status: 200, headers: { 'content-type': type } });
});

test.each(['/data.json', '/script.js.map', '/.hidden.txt', '/image.png'])(
  'a file that is no page is not sent: %s',
  async (path) => {
    const get = await serving((folder) => writeFile(join(folder, path), 'x'));
    expect((await get(path)).status).toBe(404);
  },
);
