import { expect, test } from 'vitest';
import { checkOpenFiles } from './checks.ts';

test('open files too few for the configured connections are a warning that says how many are needed', () => {
  expect(checkOpenFiles(1_024, 10_000)).toEqual({
    check: 'open files',
    status: 'warn',
    message: expect.stringMatching(/^1024 .* 549 connections .* 10000 /),
    advice: 'allow 15200 (ulimit -n)',
  });
  expect(checkOpenFiles(15_200, 10_000).status).toBe('ok');
});
