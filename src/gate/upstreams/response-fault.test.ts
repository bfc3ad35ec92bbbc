import { expect, test } from 'vitest';
import { faultOfErrorPayload, faultOfResponse } from './response-fault.ts';

const NOW_MS = 0;

function respond(status: number, body: unknown, headers: Record<string, string> = {}) {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return faultOfResponse(status, headers, bytes, NOW_MS);
}

const error = (fields: object) => ({
  error: { message: 'Something is wrong.', type: null, param: null, code: null, ...fields },
});

test.each([
  [400, error({}), 'rejected_request'],
  [413, error({}), 'rejected_request'],
  [422, { detail: [{ msg: 'too long' }] }, 'rejected_request'],
  [400, '<html><title>400 Bad Request</title>', 'rejected_request'],
  [400, '', 'rejected_request'],
  [400, error({ param: 'model' }), 'failed'],
  [400, error({ code: 'model_not_found' }), 'failed'],
  [400, [{ error: { code: 400, message: 'API key not valid. Please pass a valid API key.' } }], 'rejected_credentials'],
  [400, error({ code: 'billing_hard_limit_reached' }), 'rejected_credentials'],
  [400, error({ code: 'insufficient_quota' }), 'rejected_credentials'],
  [401, error({}), 'rejected_credentials'],
  [402, error({}), 'rejected_credentials'],
  [403, 'no', 'rejected_credentials'],
  [404, error({}), 'failed'],
  [404, error({ code: 'model_not_found', param: 'model' }), 'failed'],
  [404, '<html>', 'failed'],
  [404, error({ param: 'messages', code: 'file_not_found' }), 'rejected_request'],
  [405, '', 'failed'],
  [408, '', 'overloaded'],
  [409, '', 'overloaded'],
  [425, '', 'overloaded'],
  [429, error({}), 'overloaded'],
  [529, error({}), 'overloaded'],
  [500, error({}), 'failed'],
  [503, 'upstream connect error', 'failed'],
  [307, '', 'malformed'],
])('a status other than 2xx: %i with %j is %s', (status, body, kind) => {
  expect(respond(status, body)).toMatchObject({ kind, status });
});

test('a status other than 2xx gives the caller words and field of a rejected request, and the operator neither', () => {
  const fault = respond(
    400,
    error({ message: "Invalid 'temperature': top secret text", param: 'temperature', code: 'bad' }),
  );
  expect(fault).toEqual({
    kind: 'rejected_request',
    status: 400,
    callerMessage: "Invalid 'temperature': top secret text",
    code: 'bad',
    param: 'temperature',
    message: 'status 400, code bad',
  });
});

test.each([
  [401, error({ message: 'this key has expired' }), true],
  [404, error({ message: 'this model is not pulled' }), true],
  [400, error({ message: 'there is no such model', param: 'model' }), true],
  [429, error({ message: 'top secret text' }), false],
  [500, error({ message: 'top secret text' }), false],
  [503, 'top secret text', false],
])('the operator reads the upstream’s words only where they are about its settings: %i', (status, body, isTold) => {
  const said = typeof body === 'string' ? body : body.error.message;
  expect(respond(status, body).message.includes(said)).toBe(isTold);
});

test.each(['', '\r\n\t '])(
  'a status other than 2xx gives the caller nothing of a proxy’s page, behind %j',
  (before) => {
    const fault = respond(413, `${before}<html><title>413 nginx/1.2 on host-7</title>`);
    expect(JSON.stringify(fault)).not.toContain('nginx');
  },
);

test('a status other than 2xx keeps what the upstream asks for as a pause', () => {
  expect(respond(429, '', { 'retry-after': '3' })).toMatchObject({ kind: 'overloaded', retryAfterMs: 3_000 });
  expect(respond(429, '')).toMatchObject({ retryAfterMs: null });
  for (const status of [500, 503]) {
    expect(respond(status, '', { 'retry-after': '3' })).toMatchObject({ kind: 'overloaded', retryAfterMs: 3_000 });
  }
});

test('a status other than 2xx masks keys that the upstream repeats', () => {
  const fault = respond(401, error({ message: 'Incorrect API key provided: sk-abcdefghijklmnop1234.' }));
  expect(fault).toMatchObject({ kind: 'rejected_credentials' });
  expect(JSON.stringify(fault)).not.toContain('abcdefghijklmnop');
});

test.each([
  [{ error: { message: 'm', code: 429 } }, 'overloaded', 429],
  [{ error: { message: 'm', code: '503' } }, 'failed', 503],
  [{ error: { message: 'm', type: 'BadRequestError', code: 400 } }, 'rejected_request', 400],
  [{ error: { message: 'm', type: 'invalid_request_error' } }, 'rejected_request', 400],
  [{ error: { message: 'm', type: 'authentication_error' } }, 'rejected_credentials', 401],
  [{ error: { message: 'm', code: 'invalid_api_key' } }, 'rejected_credentials', 401],
  [{ error: { message: 'm', type: 'overloaded_error' } }, 'overloaded', 529],
  [{ error: { message: 'm', code: 'rate_limit_exceeded' } }, 'overloaded', 429],
  [{ error: { message: 'm', type: 'server_error' } }, 'failed', 500],
  [{ error: 'it broke' }, 'failed', 500],
  [{ error: {} }, 'failed', 500],
  [{ error: true }, 'failed', 500],
])('an error inside a 200 is a fault as its status would be: %j is %s as %i', (payload, kind, status) => {
  expect(faultOfErrorPayload(payload)).toMatchObject({ kind, status });
});
