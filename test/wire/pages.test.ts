import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Program, startProgram } from '../support/program.ts';

// The pages that the program serves: where things are, and the manual.

let program: Program;

beforeAll(async () => {
  program = await startProgram();
});

afterAll(() => program.dispose());

test('every page is served, links lead to pages that are there, and nothing is fetched from elsewhere', async () => {
  const seen = new Set<string>();
  const queue = ['/', '/docs'];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const response = await fetch(program.url + path);
    expect({ path, status: response.status }).toEqual({ path, status: 200 });
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    if (response.headers.get('content-type')?.startsWith('text/html') !== true) continue;
    const html = await response.text();
    expect(html).not.toMatch(/(?:src|href)="https?:(?!\/\/127\.0\.0\.1)[^"]*\.(?:js|css|woff2?|png|svg)"/);
    for (const [, target = ''] of html.matchAll(/href="(\/[^"#]*)/g)) queue.push(target);
  }
  expect(seen).toContain('/docs/money');
  expect(seen.size).toBeGreaterThan(20);
});

test.each(['/set-up', '/invitation', '/reset-password', '/sign-up', '/sign-in'])(
  'a browser that follows a link to %s gets the console, whose script is there',
  async (path) => {
    const response = await fetch(program.url + path, { headers: { accept: 'text/html' } });
    expect(response.status).toBe(200);
    const script = /<script type="module"[^>]* src="([^"]+)"/.exec(await response.text())?.[1] ?? '';
    expect((await fetch(program.url + script)).headers.get('content-type')).toContain('text/javascript');
  },
);

test("the manual begins with the quick start and goes on in the README's order", async () => {
  const html = await (await fetch(`${program.url}/docs`)).text();
  expect(html).toContain('npm ci &amp;&amp; npm start');
  const nav = /<nav[^]*?<\/nav>/.exec(html)?.[0] ?? '';
  const addresses = Array.from(nav.matchAll(/<li><a href="([^"]*)"/g), ([, address]) => address);
  const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8');
  const named = Array.from(
    readme.slice(readme.lastIndexOf('\n## ')).matchAll(/\]\((docs\/[^)]*)\)/g),
    ([, path = '']) => path,
  );
  const files = addresses.filter((address) => address !== '/docs/commands');
  expect(files).toEqual(['/docs', ...named.map((path) => `/${path.replace(/(\/README)?\.md$/, '')}`)]);
  expect(addresses).toContain('/docs/commands');
});

test('what is not a page is a refusal like any other', async () => {
  for (const path of ['/docs/nothing', '/../package.json', '/%2e%2e/package.json', '/manual.css/', '/index.htm']) {
    const response = await fetch(program.url + path);
    expect({ path, status: response.status }).toEqual({ path, status: 404 });
    expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
  }
});
