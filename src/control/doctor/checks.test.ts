import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkOpenFiles, checkRuntime, checkSinkDirectory } from './checks.ts';

test('the directory of a sink is well if it can be made, and not if a file is in its way', async () => {
  const root = await mkdtemp(join(tmpdir(), 'faregate-doctor-'));
  await writeFile(join(root, 'file'), '');
  const statusOf = async (path: string) => (await checkSinkDirectory('archive', join(root, path))).status;
  expect([await statusOf('new/below'), await statusOf('file/below')]).toEqual(['ok', 'fail']);
  await rm(root, { recursive: true });
});

test('open files too few for the configured connections are a warning that says how many are needed', () => {
  expect(checkOpenFiles(1_024, 10_000)).toEqual({
    check: 'open files',
    status: 'warn',
    message: expect.stringMatching(/^1024 .* 549 connections .* 10000 /),
    advice: 'allow 15200 (ulimit -n)',
  });
  expect(checkOpenFiles(15_200, 10_000).status).toBe('ok');
});

test.each([
  ['22.19.0', 'ok'],
  ['26.10.0', 'ok'],
  ['22.18.0', 'fail'],
  ['20.20.2', 'fail'],
])('Node %s is a finding of status %s', (version, status) => {
  expect(checkRuntime(version).status).toBe(status);
});
