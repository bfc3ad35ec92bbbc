import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskCredentials, readUpstreamError, renderErrorBody } from './error-body.ts';

test('an error body has all four keys, and details only where there are any', () => {
  const plain = renderErrorBody({
    code: 'NOT_FOUND',
    type: 'invalid_request_error',
    message: 'No such "path".',
    param: null,
  });
  expect(plain.toString()).toBe(
    '{"error":{"message":"No such \\"path\\".","type":"invalid_request_error","param":null,"code":"NOT_FOUND"}}',
  );
  const detailed = renderErrorBody({ code: null, type: 't', message: 'm', param: 'p', details: { transient: true } });
  expect(JSON.parse(detailed.toString())).toEqual({
    error: { message: 'm', type: 't', param: 'p', code: null, details: { transient: true } },
  });
});

test.each([
  [
    'OpenAI',
    '{"error":{"message":"m","type":"t","param":"p","code":"c"}}',
    { message: 'm', type: 't', param: 'p', code: 'c' },
  ],
  [
    'integer codes',
    '{"error":{"message":"m","type":"BadRequestError","param":null,"code":400}}',
    { message: 'm', type: 'BadRequestError', param: null, code: '400' },
  ],
  [
    'Ollama',
    '{"error":{"message":"m","type":"t","param":null,"code":null}}',
    { message: 'm', type: 't', param: null, code: null },
  ],
  [
    'Gemini, in an array',
    '[{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED"}}]',
    { message: 'm', type: 'RESOURCE_EXHAUSTED', param: null, code: '429' },
  ],
  ['a bare string', '{"error":"m"}', { message: 'm', type: null, param: null, code: null }],
  ['FastAPI', '{"detail":"m"}', { message: 'm', type: null, param: null, code: null }],
  [
    'FastAPI, complaining',
    '{"detail":[{"loc":["body"],"msg":"field required"}]}',
    { message: 'field required', type: null, param: null, code: null },
  ],
  [
    'an older vLLM',
    '{"object":"error","message":"m","type":"t","param":null,"code":404}',
    { message: 'm', type: 't', param: null, code: '404' },
  ],
  ['no message', '{"error":{"type":"t"}}', { message: 'no message', type: 't', param: null, code: null }],
  ['a code alone', '{"error":{"code":"c"}}', { message: 'no message', type: null, param: null, code: 'c' }],
  ['text', 'upstream connect error\n', { message: 'upstream connect error', type: null, param: null, code: null }],
  [
    'HTML',
    '<!doctype html><html><head><title>502 Bad Gateway</title></head>',
    { message: '502 Bad Gateway', type: null, param: null, code: null },
  ],
  ['HTML without a title', '<html></html>', { message: 'an HTML page', type: null, param: null, code: null }],
])('an upstream’s error is read in the shape of %s', (_what, body, error) => {
  expect(readUpstreamError(Buffer.from(body))).toEqual(error);
});

test.each(['', '  ', '{}', '[]', 'null', '7', '{"error":{}}', '{"choices":[]}'])(
  'an upstream’s error is none in %j',
  (body) => {
    expect(readUpstreamError(Buffer.from(body))).toBeNull();
  },
);

test('an upstream’s error is bounded, on one line, whatever comes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (text) => {
      const message = readUpstreamError(Buffer.from(JSON.stringify({ error: { message: `x${text}` } })))?.message ?? '';
      expect(message.length).toBeLessThanOrEqual(500);
      expect(message).not.toMatch(/[\u0000-\u001f]/);
    }),
  );
  expect(readUpstreamError(Buffer.alloc(10_000_000, 'a b '))?.message).toHaveLength(500);
});

test.each([
  ['Incorrect API key provided: sk-proj-abcdefghijklmnop1234. Find it at a.example.', 'sk-proj'],
  ['Incorrect API key provided: sk-abc12***********wxyz.', 'wxyz'],
  ['Authorization: Bearer abcdef.ghijkl', 'ghijkl'],
  ['bad api_key="abcdefgh"', 'abcdefgh'],
  ['API key not valid: AIzaSyA1234567890abcdefghijklmnopqrstu', 'AIza'],
  ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc', 'eyJ'],
  ['key 0123456789abcdef0123456789abcdef is unknown', '0123456789abcdef'],
  ['the key fg_live_0123456789 is unknown', '0123'],
  ['neither Bearer abcdef.ghijkl nor api_key="mnopqrst" is known', 'mnopqrst'],
  ['neither sk-abcdefghijkl nor gsk_mnopqrstuvwx is known', 'mnopqrstuvwx'],
  ['neither 0123456789abcdef0123456789abcdef nor fedcba9876543210fedcba9876543210 is known', 'fedc'],
])('what looks like a credential is masked: %s', (text, secret) => {
  const masked = maskCredentials(text, 500);
  expect(masked).toContain('[masked]');
  expect(masked).not.toContain(secret);
});

test.each([
  "The model 'accounts/fireworks/models/llama-v3p1-405b-instruct' does not exist.",
  'Qwen3-Coder-480B-A35B-Instruct-FP8 is overloaded, request 0192f7a4-9c1e-7b3a-8a55-0242ac120002.',
  "This model's maximum context length is 128000 tokens; reduce max_completion_tokens.",
])('what looks like a credential is masked and nothing else: %s', (text) => {
  expect(maskCredentials(text, 500)).toBe(text);
});

test('what looks like a credential is masked before a text is cut, so no half of a key is left', () => {
  expect(maskCredentials(`${'a '.repeat(245)}sk-abcdefghijklmnopqrstuvwxyz`, 500)).not.toContain('sk-');
});
