import { expect, test } from 'vitest';
import { faultOfError, faultOfRefusal } from './fault.ts';

const errorOf = (type: string, message: string) => ({ type: 'error', error: { type, message }, request_id: 'req_1' });
const refusalOf = (status: number, type: string, message: string, headers = {}) =>
  faultOfRefusal(status, headers, Buffer.from(JSON.stringify(errorOf(type, message))), 0);

test.each<[number, string, string]>([
  [400, 'invalid_request_error', 'rejected_request'],
  [413, 'request_too_large', 'rejected_request'],
  [401, 'authentication_error', 'rejected_credentials'],
  [402, 'billing_error', 'rejected_credentials'],
  [403, 'permission_error', 'rejected_credentials'],
  [404, 'not_found_error', 'failed'],
  [409, 'conflict_error', 'overloaded'],
  [429, 'rate_limit_error', 'overloaded'],
  [500, 'api_error', 'failed'],
  [504, 'timeout_error', 'failed'],
  [529, 'overloaded_error', 'overloaded'],
])('an error of Anthropic’s is a fault of its kind: %i %s', (status, type, kind) => {
  expect(refusalOf(status, type, 'words')).toMatchObject({ kind, status });
});

test('an error of Anthropic’s says how long to wait as the provider says', () => {
  expect(refusalOf(429, 'rate_limit_error', 'slow down', { 'retry-after': '12' })).toMatchObject({
    retryAfterMs: 12_000,
  });
  expect(refusalOf(529, 'overloaded_error', 'busy')).toMatchObject({ retryAfterMs: null });
});

test('an account without money is the operator’s error, though Anthropic refuses it as a wrong request', () => {
  const fault = refusalOf(
    400,
    'invalid_request_error',
    'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
  );
  expect(fault).toMatchObject({ kind: 'rejected_credentials', status: 400 });
  expect(fault.message).toContain('credit balance');
});

test.each<[string, string | null]>([
  ['max_tokens: 128000 > 64000, which is the maximum allowed number of output tokens', 'max_completion_tokens'],
  ['messages.1.content.0: unexpected `tool_use_id` found in `tool_result` blocks', 'messages'],
  ['messages: text content blocks must be non-empty', 'messages'],
  ['system.0.cache_control: at most 4 blocks', 'messages'],
  ['tools.0.custom.input_schema: JSON schema is invalid', 'tools'],
  ['stop_sequences: each stop sequence must contain non-whitespace', 'stop'],
  ['output_config.effort: Input should be low', 'reasoning_effort'],
  ['output_config.format.schema: not supported', 'response_format'],
  ['`temperature` is deprecated for this model.', 'temperature'],
  ['"thinking.type.enabled" is not supported for this model.', 'reasoning_effort'],
  ['Output blocked by content filtering policy', null],
])('a refused field is named as callers name it: %s', (message, param) => {
  expect(refusalOf(400, 'invalid_request_error', message)).toMatchObject({
    kind: 'rejected_request',
    callerMessage: message,
    param,
  });
});

test('a conversation that is too long for Anthropic is refused in the words that callers know', () => {
  expect(refusalOf(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum')).toMatchObject({
    code: 'context_length_exceeded',
    callerMessage: expect.stringMatching(
      /^This model's maximum context length is 200000 tokens\. .*prompt is too long/,
    ),
    param: 'messages',
  });
});

test.each<[string, string]>([
  ['overloaded_error', 'overloaded'],
  ['rate_limit_error', 'overloaded'],
  ['api_error', 'failed'],
  ['authentication_error', 'rejected_credentials'],
  ['billing_error', 'rejected_credentials'],
  ['invalid_request_error', 'rejected_request'],
  ['timeout_error', 'failed'],
])('an error of Anthropic’s is a fault inside a stream too: %s', (type, kind) => {
  expect(faultOfError(errorOf(type, 'words'))).toMatchObject({ kind });
});
