import { expect, test } from 'vitest';
import type { CompletionRequest } from '../../dialects/dialect.ts';
import { NO_USES } from '../../../domain/uses.ts';
import { LARGE_BYTES } from '../../../lib/own-turn.ts';
import { usesInAnswer } from './answer-uses.ts';

const SOLD = { each: { web_search: 1 }, total: 1 };
const FOUND = { web_search: 2 };
const isChat = false;

const request = (more: object): Pick<CompletionRequest, 'tools'> =>
  ({ tools: { bound: SOLD, usesOfAnswer: null, usesIn: () => FOUND, ...more } }) as unknown as CompletionRequest;
const answer = Buffer.from('{}');

test('an answer to a request without tools that are sold has no uses, whatever it says', () => {
  expect(usesInAnswer(request({ bound: null, usesOfAnswer: FOUND }), answer, { isChat })).toBe(NO_USES);
  expect(usesInAnswer({ tools: null }, answer, { isChat })).toBe(NO_USES);
});

test('an answer that was translated from chat has no uses, unless they are part of what was asked', () => {
  expect(usesInAnswer(request({}), answer, { isChat: true })).toBe(NO_USES);
  expect(usesInAnswer(request({ usesOfAnswer: FOUND }), answer, { isChat: true })).toBe(FOUND);
});

test('the uses of an answer in the caller’s dialect are read in it', () => {
  expect(usesInAnswer(request({}), answer, { isChat })).toBe(FOUND);
});

test('the uses of a large answer are read in a turn of their own', async () => {
  const uses = (bytes: number) => usesInAnswer(request({}), Buffer.alloc(bytes), { isChat });
  expect(uses(LARGE_BYTES)).toBe(FOUND);
  const large = uses(LARGE_BYTES + 1);
  expect(large).toBeInstanceOf(Promise);
  expect(await large).toBe(FOUND);
});
