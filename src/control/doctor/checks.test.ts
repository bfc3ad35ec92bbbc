import { expect, test } from 'vitest';
import { checkOpenFiles, checkRuntime } from './checks.ts';

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
