import { expect, test } from 'vitest';
import { refuse, type Refusal, type RefusalCode } from '../../domain/refusals.ts';
import { CHAT_REPLY_FORM } from './chat/chat-reply-form.ts';
import { MESSAGES_REPLY_FORM } from './messages/messages-reply-form.ts';
import { RESPONSES_REPLY_FORM } from './responses/responses-reply-form.ts';

type More = Parameters<typeof refuse>[2];

const parsed = (body: Buffer): unknown => JSON.parse(body.toString());
const chatError = (refusal: Refusal): unknown => parsed(CHAT_REPLY_FORM.refusalBody(refusal, 'req_1'));
const messagesError = (refusal: Refusal): unknown => parsed(MESSAGES_REPLY_FORM.refusalBody(refusal, 'req_1'));

const LEVEL = {
  level: 'key',
  code: 'KEY_SPEND_LIMIT_EXCEEDED',
  limit: 5_000_000n,
  used: 1_000n,
  held: 2_000_000n,
} as const;
const SHORTAGE = { levels: [], needed: 3_000_000n, transient: true, maxTokensThatFit: 7, fix: 'Top up.' };

test.each<[RefusalCode, More, object | undefined]>([
  ['INVALID_REQUEST', {}, undefined],
  ['INVALID_REQUEST', { providerCode: 'too_long', details: { a: 1 } }, { code: 'INVALID_REQUEST' }],
  ['INVALID_REQUEST', { details: { a: 1 }, shortage: SHORTAGE }, { a: 1 }],
  ['MODEL_NOT_FOUND', { shortage: SHORTAGE }, { openai_code: 'model_not_found' }],
  ['MODEL_NOT_ALLOWED', {}, { openai_code: 'model_not_found' }],
  [
    'INSUFFICIENT_BALANCE',
    { shortage: SHORTAGE },
    {
      transient: true,
      needed_usd: '0.003',
      needed_nano_usd: '3000000',
      max_tokens_that_fit: 7,
      fix: 'Top up.',
      levels: [],
    },
  ],
  [
    'KEY_SPEND_LIMIT_EXCEEDED',
    {
      shortage: {
        ...SHORTAGE,
        maxTokensThatFit: null,
        levels: [
          { ...LEVEL, resetsAtMs: 1_700_000_000_000 },
          { ...LEVEL, resetsAtMs: null },
        ],
      },
    },
    {
      transient: true,
      needed_usd: '0.003',
      needed_nano_usd: '3000000',
      max_tokens_that_fit: null,
      fix: 'Top up.',
      levels: ['2023-11-14T22:13:20.000Z', null].map((resetsAt) => ({
        level: 'key',
        code: 'KEY_SPEND_LIMIT_EXCEEDED',
        limit_usd: '0.005',
        limit_nano_usd: '5000000',
        used_usd: '0.000001',
        used_nano_usd: '1000',
        held_usd: '0.002',
        held_nano_usd: '2000000',
        resets_at: resetsAt,
      })),
    },
  ],
  [
    'OUTPUT_NOT_CONFORMING',
    { output: { answers: 2, failures: [{ pointer: '/a', keyword: 'type' }] } },
    { answers: 2, failures: [{ path: '/a', keyword: 'type' }] },
  ],
])('a refusal says all that helps its caller, in each API: %s %o', (code, more, details) => {
  const refusal = refuse(code, 'No.', more);
  const expected = details === undefined ? {} : { details };
  const chat = chatError(refusal) as { error: object };
  expect(chat).toEqual({
    error: {
      message: 'No.',
      type: expect.any(String) as string,
      param: null,
      code: more?.providerCode ?? code,
      ...expected,
    },
  });
  const messages = messagesError(refusal) as { error: object };
  expect(messages).toEqual({
    type: 'error',
    error: { type: expect.any(String) as string, message: 'No.', code, ...expected },
    request_id: 'req_1',
  });
});

test('a refusal names the field at fault, and the family of its code', () => {
  const refusal = refuse('RATE_LIMITED', 'No.', { param: 'model' });
  expect(chatError(refusal)).toEqual({
    error: { message: 'No.', type: 'rate_limit_error', param: 'model', code: 'RATE_LIMITED' },
  });
  expect(messagesError(refusal)).toMatchObject({ error: { type: 'rate_limit_error', param: 'model' } });
});

test.each<[RefusalCode, string]>([
  ['INVALID_REQUEST', 'invalid_request_error'],
  ['INVALID_API_KEY', 'authentication_error'],
  ['UNAUTHENTICATED', 'authentication_error'],
  ['INSUFFICIENT_BALANCE', 'billing_error'],
  ['FORBIDDEN', 'permission_error'],
  ['NOT_FOUND', 'not_found_error'],
  ['REQUEST_TIMEOUT', 'timeout_error'],
  ['CONFLICT', 'invalid_request_error'],
  ['REQUEST_TOO_LARGE', 'request_too_large'],
  ['RATE_LIMITED', 'rate_limit_error'],
  ['INTERNAL_ERROR', 'api_error'],
  ['OUTPUT_NOT_CONFORMING', 'api_error'],
  ['MODEL_UNAVAILABLE', 'overloaded_error'],
  ['SERVICE_UNAVAILABLE', 'overloaded_error'],
  ['UPSTREAM_TIMEOUT', 'timeout_error'],
])('a refusal as %s is of Anthropic’s type %s', (code, type) => {
  expect(messagesError(refuse(code, 'No.'))).toMatchObject({ error: { type, code } });
});

test.each([
  ['context_length_exceeded', 'Too many tokens.', 'prompt is too long: Too many tokens.'],
  ['context_length_exceeded', 'Prompt is too long: 5', 'Prompt is too long: 5'],
  ['context_length_exceeded', 'The prompt is too long', 'prompt is too long: The prompt is too long'],
  ['other', 'Too many tokens.', 'Too many tokens.'],
])(
  'Anthropic’s clients know a conversation that is too long by its message: %s, %s',
  (providerCode, message, expected) => {
    expect(messagesError(refuse('INVALID_REQUEST', message, { providerCode }))).toMatchObject({
      error: { message: expected },
    });
  },
);

test.each<[RefusalCode, More, string[], string[]]>([
  ['INSUFFICIENT_BALANCE', {}, [], ['x-should-retry', 'false']],
  ['RATE_LIMITED', {}, [], []],
  ['INTERNAL_ERROR', {}, [], []],
  ['CONFLICT', {}, [], ['x-should-retry', 'false']],
  ['CONFLICT', { shouldRetry: true }, ['x-should-retry', 'true'], ['x-should-retry', 'true']],
  ['MODEL_UNAVAILABLE', { shouldRetry: false }, ['x-should-retry', 'false'], ['x-should-retry', 'false']],
  [
    'INSUFFICIENT_BALANCE',
    { retryAfterMs: 1_001 },
    ['retry-after', '2', 'retry-after-ms', '1001'],
    ['retry-after', '2', 'retry-after-ms', '1001'],
  ],
  [
    'RATE_LIMITED',
    { retryAfterMs: 0, shouldRetry: true },
    ['retry-after', '0', 'retry-after-ms', '0', 'x-should-retry', 'true'],
    ['retry-after', '1', 'retry-after-ms', '1', 'x-should-retry', 'true'],
  ],
  [
    'RATE_LIMITED',
    { retryAfterMs: 90_000 },
    ['retry-after', '90', 'retry-after-ms', '90000'],
    ['retry-after', '60', 'retry-after-ms', '60000'],
  ],
])(
  'a refusal says when to send the request again, as the clients of each API understand it: %s %o',
  (code, more, chat, messages) => {
    const refusal = refuse(code, 'No.', more);
    expect(CHAT_REPLY_FORM.retryHeaders(refusal)).toEqual(chat);
    expect(RESPONSES_REPLY_FORM.retryHeaders(refusal)).toEqual(chat);
    expect(MESSAGES_REPLY_FORM.retryHeaders(refusal)).toEqual(messages);
  },
);

test('an answer names its request by the headers of its API', () => {
  expect(CHAT_REPLY_FORM.idHeaders('req_1')).toEqual(['x-request-id', 'req_1']);
  expect(RESPONSES_REPLY_FORM.idHeaders('req_1')).toEqual(['x-request-id', 'req_1']);
  expect(MESSAGES_REPLY_FORM.idHeaders('req_1')).toEqual(['x-request-id', 'req_1', 'request-id', 'req_1']);
});

test.each<[RefusalCode, string | null, string, object]>([
  ['NOT_FOUND', 'previous_response_id', 'previous_response_not_found', { details: { code: 'NOT_FOUND' } }],
  ['NOT_FOUND', null, 'NOT_FOUND', {}],
  ['INVALID_REQUEST', 'previous_response_id', 'INVALID_REQUEST', {}],
  ['MODEL_NOT_FOUND', 'model', 'model_not_found', { details: { code: 'MODEL_NOT_FOUND' } }],
  ['MODEL_NOT_ALLOWED', 'model', 'MODEL_NOT_ALLOWED', { details: { openai_code: 'model_not_found' } }],
])('what isn’t there is refused by OpenAI’s code in Responses: %s of %s', (code, param, expected, details) => {
  const body = parsed(RESPONSES_REPLY_FORM.refusalBody(refuse(code, 'No.', { param }), 'req_1'));
  expect(body).toEqual({ error: { message: 'No.', type: 'invalid_request_error', param, code: expected, ...details } });
});
