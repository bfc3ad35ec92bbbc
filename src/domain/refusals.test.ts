import { expect, test } from 'vitest';
import { isRefusal, refuse } from './refusals.ts';

test('a refusal is told from every other result of a stage', () => {
  expect(isRefusal(refuse('NOT_FOUND', 'There is no such key.'))).toBe(true);
  for (const other of [
    null,
    undefined,
    'refusal',
    5,
    {},
    { kind: 'hold' },
    { kind: 'refusal', refusal: { code: 'NOT_FOUND' } },
    Object.assign(() => null, { kind: 'refusal' }),
  ]) {
    expect(isRefusal(other)).toBe(false);
  }
});

test('a refusal names no field unless one is at fault', () => {
  expect(refuse('INVALID_REQUEST', 'No.')).toEqual({
    kind: 'refusal',
    code: 'INVALID_REQUEST',
    message: 'No.',
    param: null,
  });
  expect(refuse('INVALID_REQUEST', 'No.', { param: 'n', retryAfterMs: 5 })).toMatchObject({
    param: 'n',
    retryAfterMs: 5,
  });
});
