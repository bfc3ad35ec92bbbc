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
  const queue = ['/'];
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

test('what is not a page is a refusal like any other', async () => {
  for (const path of ['/docs/nothing', '/../package.json', '/%2e%2e/package.json', '/console.css/', '/index.htm']) {
    const response = await fetch(program.url + path);
    expect({ path, status: response.status }).toEqual({ path, status: 404 });
    expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
  }
});
