import { expect, test } from 'vitest';
import { callersName, inCallersWords } from './callers-words.ts';
import { invalidBody } from './invalid-body.ts';
import type { ParsedRequest } from './read.ts';

// Faults of a translated request name the fields that its caller sent.

const RESPONSES = {
  request: { dialect: { fieldNames: { max_completion_tokens: 'max_output_tokens', messages: 'input' } } },
} as unknown as ParsedRequest;
const CHAT = { request: { dialect: { fieldNames: {} } } } as unknown as ParsedRequest;

test('a field of chat has the name of the caller’s API, and its own where that has no other', () => {
  expect(callersName(RESPONSES, 'messages')).toBe('input');
  expect(callersName(RESPONSES, 'temperature')).toBe('temperature');
  expect(callersName(RESPONSES, 'toString')).toBe('toString');
  expect(callersName(CHAT, 'messages')).toBe('messages');
});

test('a fault of a translated request names the caller’s field wherever the message does', () => {
  const message = "'max_completion_tokens' must be 1 or more; 'max_completion_tokens' was 0.";
  expect(inCallersWords(RESPONSES, { message, param: 'max_completion_tokens' })).toEqual({
    message: "'max_output_tokens' must be 1 or more; 'max_output_tokens' was 0.",
    param: 'max_output_tokens',
  });
});

test('a fault of a place within a translated field names the whole, and says that the words are the provider’s', () => {
  for (const param of ['messages[2].content', 'messages.2']) {
    expect(inCallersWords(RESPONSES, { message: "'messages[2].content' is empty.", param })).toEqual({
      message: "'input', as this model's provider is sent it: 'messages[2].content' is empty.",
      param: 'input',
    });
  }
});

test('a fault of a field that every API calls the same, or of none, stays as it is', () => {
  for (const param of ['temperature', 'tools[0].name', null]) {
    const fault = { message: "'messages' and 'temperature' don't go together.", param };
    expect(inCallersWords(RESPONSES, fault)).toEqual(fault);
  }
});

test('the refusal of a body has the fault’s details where it has any, and no member for them otherwise', () => {
  const details = { error_code: 'thread_unsupported_request' };
  const fault = { message: 'no', param: 'thread' };
  expect(invalidBody({ ...fault, details })).toMatchObject({ code: 'INVALID_REQUEST', ...fault, details });
  expect(invalidBody(fault)).toMatchObject({ code: 'INVALID_REQUEST', ...fault });
  expect(invalidBody(fault)).not.toHaveProperty('details');
});
