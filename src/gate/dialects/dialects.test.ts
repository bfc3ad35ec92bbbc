import { expect, test } from 'vitest';
import type { CompletionEndpoint } from './dialect.ts';
import { DIALECTS, FIRST_DIALECT } from './dialects.ts';

const TURNS = [{ role: 'user', content: 'hi' }];
const BODIES: Readonly<Record<CompletionEndpoint, object>> = {
  chat: { messages: TURNS },
  responses: { input: 'hi' },
  compact: { input: 'hi' },
  completions: { prompt: 'hi' },
  embeddings: { input: 'hi' },
  rerank: { query: 'hi', documents: ['hi'] },
  moderations: { input: 'hi' },
  messages: { messages: TURNS, max_tokens: 9 },
};

const requests = Object.values(DIALECTS).map((dialect) => {
  const body = { model: 'm', ...BODIES[dialect.endpoint] };
  const result = dialect.read(Buffer.from(JSON.stringify(body)), {});
  if (!result.ok) throw new Error(result.fault.message);
  return result.request;
});

test('requests of all dialects have the same members in the same order, so that the path reads one shape', () => {
  const orders = requests.map((request) => Object.keys(request).join());
  expect(new Set(orders).size).toBe(1);
  const ofText = requests.flatMap(({ text }) => (text === null ? [] : Object.keys(text).join()));
  expect([ofText.length, new Set(ofText).size]).toEqual([5, 1]);
});

test('a request without a chat form is of a dialect that says what its model lacks, and no other is', () => {
  for (const { dialect, chat } of requests) expect(dialect.nativeOnly === null).toBe(chat !== null);
});

test('a model of each kind is called first in a dialect that is answered by that kind', () => {
  for (const [kind, { modelKind }] of Object.entries(FIRST_DIALECT)) expect(modelKind).toBe(kind);
});
