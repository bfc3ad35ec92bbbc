import { expect, test } from 'vitest';
import type { ModelTerms } from '../../domain/model.ts';
import { PromptInput, SeparateInputs } from './request-input.ts';

const TERMS = {
  contextWindow: 2_000,
  media: { imageTokens: 100, audioTokens: null, fileTokens: null },
} as unknown as ModelTerms;

test('a prompt counts for a token a byte, its messages, its media and the template, up to the context window', () => {
  const size = { textBytes: 10, messages: 2, images: 1, audios: 0, files: 0 };
  const input = new PromptInput(size);
  expect([input.bytes, input.tokensMax(TERMS)]).toEqual([10, 10 + 2 * 16 + 100 + 1_024]);
  expect(new PromptInput({ ...size, textBytes: 5_000 }).tokensMax(TERMS)).toBe(2_000);
});

test('texts that are read one by one count for themselves, each up to the context window', () => {
  const input = new SeparateInputs([4, 5_000]);
  expect([input.bytes, input.tokensMax(TERMS)]).toEqual([5_004, 4 + 2 + 2_000]);
});
