import { expect, test } from 'vitest';
import { faultOfError, faultOfRefusal } from './gemini-fault.ts';

const NOW_MS = 1_700_000_000_000;

interface Status {
  readonly code: number;
  readonly status: string;
  readonly message?: string;
  readonly details?: readonly object[];
}

const bodyOf = (error: Status, wrap = false): Buffer => Buffer.from(JSON.stringify(wrap ? [{ error }] : { error }));
const refusal = (error: Status, headers = {}) => faultOfRefusal(error.code, headers, bodyOf(error), NOW_MS);

const info = (reason: string) => ({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason });
const retry = (retryDelay: string) => ({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay });

test.each<[string, Status, object]>([
  [
    'a bad field',
    { code: 400, status: 'INVALID_ARGUMENT', message: 'too many stops' },
    { kind: 'rejected_request', callerMessage: 'too many stops' },
  ],
  [
    'a key that is none',
    { code: 400, status: 'INVALID_ARGUMENT', message: 'no', details: [info('API_KEY_INVALID')] },
    { kind: 'rejected_credentials', status: 400 },
  ],
  [
    'a key that is none, by its words',
    { code: 400, status: 'INVALID_ARGUMENT', message: 'API key not valid. Please pass a valid API key.' },
    { kind: 'rejected_credentials' },
  ],
  [
    'a country without the service',
    { code: 400, status: 'FAILED_PRECONDITION', message: 'User location is not supported' },
    { kind: 'rejected_credentials', message: expect.stringContaining('location') as unknown },
  ],
  ['no key', { code: 401, status: 'UNAUTHENTICATED' }, { kind: 'rejected_credentials' }],
  ['a key without the right', { code: 403, status: 'PERMISSION_DENIED' }, { kind: 'rejected_credentials' }],
  [
    'a model that is none',
    { code: 404, status: 'NOT_FOUND', message: 'models/x is not found' },
    { kind: 'failed', message: expect.stringContaining('models/x') as unknown },
  ],
  [
    'a quota',
    { code: 429, status: 'RESOURCE_EXHAUSTED', details: [info('RATE_LIMIT_EXCEEDED'), retry('34.4s')] },
    { kind: 'overloaded', retryAfterMs: 34_400 },
  ],
  ['a quota without a time', { code: 429, status: 'RESOURCE_EXHAUSTED' }, { kind: 'overloaded', retryAfterMs: null }],
  [
    'a quota of a day',
    { code: 429, status: 'RESOURCE_EXHAUSTED', details: [retry('86400s')] },
    { kind: 'overloaded', retryAfterMs: 300_000 },
  ],
  [
    'a time that is none',
    { code: 429, status: 'RESOURCE_EXHAUSTED', details: [retry('soon')] },
    { kind: 'overloaded', retryAfterMs: null },
  ],
  [
    'overload',
    { code: 503, status: 'UNAVAILABLE', details: [retry('2s')] },
    { kind: 'overloaded', status: 503, retryAfterMs: 2_000 },
  ],
  [
    'a fault of its own',
    { code: 500, status: 'INTERNAL', message: 'secret of the caller' },
    { kind: 'failed', message: 'status 500, type INTERNAL, code 500' },
  ],
  ['a deadline of its own', { code: 504, status: 'DEADLINE_EXCEEDED' }, { kind: 'failed', status: 504 }],
])('a refusal by Gemini for %s', (_name, error, expected) => {
  expect(refusal(error)).toMatchObject(expected);
  expect(faultOfRefusal(error.code, {}, bodyOf(error, true), NOW_MS)).toMatchObject(expected);
  expect(faultOfError(bodyOf(error))).toMatchObject(expected);
});

test('a refusal by Gemini tells the time in its details rather than the one in its headers', () => {
  const error = { code: 429, status: 'RESOURCE_EXHAUSTED', details: [retry('3s')] };
  expect(refusal(error, { 'retry-after': '9' })).toMatchObject({ retryAfterMs: 3_000 });
  expect(refusal({ ...error, details: [] }, { 'retry-after': '9' })).toMatchObject({ retryAfterMs: 9_000 });
});

test.each(['', '<html>busy</html>', '{"error":"busy"}', '{"error":{"details":{}}}', '[]'])(
  'a refusal by Gemini may say %j',
  (text) => {
    expect(faultOfRefusal(503, {}, Buffer.from(text), NOW_MS)).toMatchObject({ kind: 'overloaded', status: 503 });
  },
);
