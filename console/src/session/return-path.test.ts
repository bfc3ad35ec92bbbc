import { beforeEach, expect, test, vi } from 'vitest';
import { ownPath } from './return-path.ts';

const CONSOLE = 'https://gateway.example';

beforeEach(() => void vi.stubGlobal('location', new URL(`${CONSOLE}/sign-in`)));

test.each([
  ['/workspaces/a?page=2#top', '/workspaces/a?page=2#top'],
  ['/a/../b', '/b'],
  ['//evil.example', '/'],
  ['/.//evil.example', '/'],
  ['/a/..//evil.example/b', '/'],
  ['/%2e//evil.example', '/'],
  ['/./\\evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['', '/'],
  [undefined, '/'],
])('the path to return to, %j, leads within the console: to %j', (next, path) => {
  expect(ownPath(next)).toBe(path);
  expect(new URL(ownPath(next), location.href).origin).toBe(CONSOLE);
});
