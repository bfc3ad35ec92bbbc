import { expect, test } from 'vitest';
import { operationsOfDocument } from '../../../test/support/described-operations.ts';
import type { Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';

// Compared with operations.txt, which `npm test -- src/control/operations -u` writes again: a change of it is a change of rights.

/** An operation in one line: who may call it, what it needs, and why it refuses. */
function lineOf(id: string, { route, access, servesOwn = false, refuses = [], ...more }: Operation): string {
  const { isVersioned = false, needsRecentSignIn = false, waitsForOpenId = false } = more;
  const needs = [
    ...(needsRecentSignIn ? ['recent sign-in'] : []),
    ...(isVersioned ? ['version'] : []),
    ...(waitsForOpenId ? ['OpenID provider'] : []),
  ];
  const refusals = typeof refuses === 'string' ? refuses : refuses.join(', ');
  const right = servesOwn ? `${access}, also for own things` : access;
  return [id, route, right, needs.join(', ') || 'nothing more', refusals || 'for no reason of its own'].join(' | ');
}

test('who may call each operation, and what it needs of them, is as it was', async () => {
  const lines = Object.entries(OPERATIONS).map(([id, operation]) => lineOf(id, operation));
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('operations.txt');
});

/** Their bodies are those of the public API, which judges fields itself. */
const BODIES_OF_CHATS = ['playgroundChat', 'playgroundQuote'];

test('no operation takes a field of its body that it does not know, except for those of chats', async () => {
  const open = (await operationsOfDocument()).filter(({ requestBody }) => {
    const { type, additionalProperties } = requestBody?.content['application/json'].schema ?? {};
    return type === 'object' && additionalProperties !== false;
  });
  expect(open.map(({ operationId }) => operationId)).toEqual(BODIES_OF_CHATS);
});
