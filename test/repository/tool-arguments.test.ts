import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

function run(tool: string, ...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, ...words], { cwd: ROOT, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('a tool prints its usage if it is asked for, and with the problem if its arguments are wrong', () => {
  const usage = /^usage: simulate\.ts \[--seeds N\].*\n$/m;
  expect(run('tools/simulate.ts', '--help')).toMatchObject({ status: 0, stdout: expect.stringMatching(usage) });
  const unknown = run('tools/simulate.ts', '--sedes', '7');
  expect(unknown).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(usage) });
  expect(unknown.stderr).toContain("Unknown option '--sedes'");
  expect(unknown.stderr).not.toMatch(/^ +at /m);
  expect(run('tools/simulate.ts', '--seeds', '0')).toMatchObject({ status: 2, stderr: expect.stringMatching(usage) });
});

test('no tool reads its arguments in another way', () => {
  const files = globSync('{tools,bench}/**/*.ts', { cwd: ROOT }).filter((file) => !file.includes('tool-arguments'));
  expect(files.length).toBeGreaterThan(30);
  expect(files.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('parseArgs('))).toEqual([]);
});
