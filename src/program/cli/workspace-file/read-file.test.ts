import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readWorkspaceFiles } from './read-file.ts';

let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'workspace-file-'));
});

afterAll(() => rm(cwd, { recursive: true }));

test('a member is declared once, however its address is spelled', async () => {
  const members = ['Ada@example.com', 'ada@EXAMPLE.com'].map((email) => ({ email, role: 'admin' }));
  await writeFile(join(cwd, 'a.yaml'), JSON.stringify({ workspaces: [{ name: 'Acme', members }] }));
  expect(() => readWorkspaceFiles(['a.yaml'], { cwd, env: {} })).toThrow('it is in members before');
});
