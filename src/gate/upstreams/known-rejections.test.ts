import { expect, test } from 'vitest';
import { knownRejection } from './known-rejections.ts';

const rejected = (message: string, code: string | null = null, param: string | null = null) =>
  knownRejection({ message, type: 'invalid_request_error', param, code });

/** Messages of providers and servers for a conversation that exceeds the context, and the context's length. */
const TOO_LONG: readonly (readonly [string, string | null])[] = [
  ['prompt is too long: 210000 tokens > 200000 maximum', '200000'],
  ['input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length', '200000'],
  ['The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', '1048576'],
  ["This endpoint's maximum context length is 128000 tokens. However, you requested about 150000 tokens.", '128000'],
  ['Prompt contains 40000 tokens, too large for model with 32768 maximum context length', '32768'],
  ["This model's maximum prompt length is 131072 but the request contains 537812 tokens.", '131072'],
  ['Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192', '8192'],
  ['Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193.', '8193'],
  ['the request exceeds the available context size, try increasing it', null],
  ['Input is too long for requested model.', null],
  ['Please reduce the length of the messages or completion.', null],
  ['Context window exceeded', null],
];

test.each(TOO_LONG)(
  'a conversation that is too long is told in OpenAI’s code and words, beside its own: %s',
  (message, most) => {
    const length = most === null ? 'shorter than this request' : `${most} tokens`;
    expect(rejected(message)).toEqual({
      code: 'context_length_exceeded',
      message: `This model's maximum context length is ${length}. Its provider says: ${message}`,
      param: 'messages',
    });
  },
);

test.each([
  "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.",
  'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens.',
])('a conversation that is too long keeps words that are OpenAI’s already: %s', (message) => {
  expect(rejected(message, null, 'input')).toEqual({ code: 'context_length_exceeded', message, param: 'input' });
});

test.each([
  'max_tokens: 20000 > 8192, which is the maximum allowed number of output tokens',
  "Invalid 'user': string too long. Expected a string with maximum length 64, but got a string with length 65.",
  'messages: text content blocks must be non-empty',
])('a conversation that is too long is not meant by: %s', (message) => {
  expect(rejected(message).code).toBeNull();
});

test.each([
  ['invalid_image', 'invalid_image'],
  ['string_above_max_length', 'string_above_max_length'],
  ['400', null],
  ['MODEL_NOT_FOUND', null],
  ['a', null],
  ['x y', null],
])('a code of the provider is kept if it is a word in lower case: %s', (code, kept) => {
  expect(rejected('no', code)).toEqual({ code: kept, message: 'no', param: null });
});

test.each(['Output blocked by content filtering policy', 'Invalid prompt: … violating our usage policy.'])(
  'a prompt that is blocked has OpenAI’s code for that, if none of its own: %s',
  (message) => {
    expect(rejected(message).code).toBe('content_policy_violation');
    expect(rejected(message, 'content_filter').code).toBe('content_filter');
  },
);
