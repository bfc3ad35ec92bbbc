import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { REFUSALS, type Refusal, type RefusalCode, refuse } from '../../domain/refusals.ts';
import { answerRefusal } from './answers.ts';

async function answerTo(refusal: Refusal): Promise<Response> {
  const app = new Hono().get('/', (c) => answerRefusal(c, refusal));
  return await app.request('/');
}

// The statuses and families of errors that clients branch on.
test.each<[RefusalCode, number, string]>([
  ['INVALID_REQUEST', 400, 'invalid_request_error'],
  ['INVALID_API_KEY', 401, 'invalid_request_error'],
  ['UNAUTHENTICATED', 401, 'invalid_request_error'],
  ['INSUFFICIENT_BALANCE', 402, 'insufficient_quota'],
  ['PROJECT_BUDGET_EXCEEDED', 402, 'insufficient_quota'],
  ['KEY_SPEND_LIMIT_EXCEEDED', 402, 'insufficient_quota'],
  ['END_USER_LIMIT_EXCEEDED', 402, 'insufficient_quota'],
  ['SESSION_LIMIT_EXCEEDED', 402, 'insufficient_quota'],
  ['MEMBER_SPEND_LIMIT_EXCEEDED', 402, 'insufficient_quota'],
  ['MAX_COST_EXCEEDED', 402, 'insufficient_quota'],
  ['MODEL_NOT_ALLOWED', 403, 'invalid_request_error'],
  ['ADDRESS_NOT_ALLOWED', 403, 'invalid_request_error'],
  ['WORKSPACE_SUSPENDED', 403, 'invalid_request_error'],
  ['FORBIDDEN', 403, 'invalid_request_error'],
  ['MODEL_NOT_FOUND', 404, 'invalid_request_error'],
  ['NOT_FOUND', 404, 'invalid_request_error'],
  ['METHOD_NOT_ALLOWED', 405, 'invalid_request_error'],
  ['REQUEST_TIMEOUT', 408, 'invalid_request_error'],
  ['CONFLICT', 409, 'invalid_request_error'],
  ['WORKSPACE_MOVED', 410, 'invalid_request_error'],
  ['PRECONDITION_FAILED', 412, 'invalid_request_error'],
  ['REQUEST_TOO_LARGE', 413, 'invalid_request_error'],
  ['UNSUPPORTED_MEDIA_TYPE', 415, 'invalid_request_error'],
  ['IDEMPOTENCY_MISMATCH', 422, 'invalid_request_error'],
  ['WEBSOCKET_NOT_SUPPORTED', 426, 'invalid_request_error'],
  ['RATE_LIMITED', 429, 'rate_limit_error'],
  ['HEADERS_TOO_LARGE', 431, 'invalid_request_error'],
  ['INTERNAL_ERROR', 500, 'server_error'],
  ['OUTPUT_NOT_CONFORMING', 502, 'server_error'],
  ['MODEL_UNAVAILABLE', 503, 'server_error'],
  ['SERVICE_UNAVAILABLE', 503, 'server_error'],
  ['UPSTREAM_TIMEOUT', 504, 'server_error'],
  ['HTTP_VERSION_NOT_SUPPORTED', 505, 'invalid_request_error'],
])('the refusal %s has the status %i and is a %s', async (code, status, type) => {
  const answer = await answerTo(refuse(code, 'No.', { param: 'name' }));
  expect(answer.status).toBe(status);
  expect(await answer.json()).toEqual({ error: { message: 'No.', type, param: 'name', code } });
});

test('there are no refusals but those of the table above', () => {
  expect(Object.keys(REFUSALS)).toHaveLength(33);
});

test.each([
  [1, '1'],
  [1_000, '1'],
  [1_001, '2'],
  [60_000, '60'],
])('after %i ms is said in whole seconds that are enough: %s', async (retryAfterMs, seconds) => {
  const { headers } = await answerTo(refuse('RATE_LIMITED', 'Slow down.', { retryAfterMs }));
  expect(headers.get('retry-after')).toBe(seconds);
});

test('a refusal has no header that says nothing', async () => {
  const { headers } = await answerTo(refuse('FORBIDDEN', 'No.'));
  expect([...headers.keys()]).toEqual(['content-type']);
});

test('a refused method names those that are allowed, and unknown callers learn how to say who they are', async () => {
  const method = await answerTo(refuse('METHOD_NOT_ALLOWED', 'No.', { allow: 'GET, DELETE' }));
  expect(method.headers.get('allow')).toBe('GET, DELETE');
  const unknown = await answerTo(refuse('UNAUTHENTICATED', 'Sign in.'));
  expect(unknown.headers.get('www-authenticate')).toBe('Bearer');
});
