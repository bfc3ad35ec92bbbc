import { expect, test } from 'vitest';
import { refuse } from './refusals.ts';
import { failureOf, SIGN_IN_FAILURE_NAMES, SIGN_IN_FAILURES, signInFailure } from './sign-in-failures.ts';

test('the failure of a sign-in is found in its refusal again, and its text with it', () => {
  for (const name of SIGN_IN_FAILURE_NAMES) {
    const refusal = signInFailure('FORBIDDEN', name);
    expect(refusal).toMatchObject({ code: 'FORBIDDEN', message: SIGN_IN_FAILURES[name] });
    expect(failureOf(refusal)).toBe(name);
  }
});

test('a refusal that names no failure of a sign-in is one by its code', () => {
  expect(failureOf(refuse('RATE_LIMITED', 'Wait.'))).toBe('too_many_attempts');
  expect(failureOf(refuse('SERVICE_UNAVAILABLE', 'Away.'))).toBe('provider_away');
  expect(failureOf(refuse('INVALID_REQUEST', 'No.', { param: 'an address of somebody else' }))).toBe('failed');
});
