import { expect, test } from 'vitest';
import { sessionActor } from '../../../test/support/admin-identity.ts';
import type { Actor } from '../../domain/actor.ts';
import { ActorRates } from './actor-rates.ts';

const token = (tokenId: string): Actor => ({
  kind: 'access_token',
  tokenId,
  userId: 'u',
  email: 'ada@example.com',
  workspaceId: 'w',
  role: 'owner',
  withheld: null,
  scopes: new Set(),
});
const operator: Actor = { kind: 'operator', tokenId: null, name: 'operator', access: 'all' };

function takes(rates: ActorRates, actor: Actor, count: number): number {
  return Array.from({ length: count }, () => rates.take(actor)).filter((refusal) => refusal === null).length;
}

test('an actor that sends requests faster than its rate is refused, and told when the next is let through', () => {
  let nowMs = 0;
  const rates = new ActorRates(() => nowMs);
  expect(takes(rates, token('a'), 300)).toBe(200);
  expect(rates.take(token('a'))).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 50 });
  expect(takes(rates, token('b'), 1)).toBe(1);
  nowMs += 49;
  expect(rates.take(token('a'))).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 1 });
  nowMs += 1;
  expect(rates.take(token('a'))).toBeNull();
  nowMs += 3_600_000;
  expect(takes(rates, token('a'), 300)).toBe(200);
});

test('the operator has no rate limit', () => {
  expect(takes(new ActorRates(() => 0), operator, 1_000)).toBe(1_000);
});

test('an actor at its limit stays there, however many others send one request', () => {
  const rates = new ActorRates(() => 0);
  expect(takes(rates, token('first'), 200)).toBe(200);
  for (let n = 0; n < 30_000; n++) rates.take(token(String(n)));
  expect(rates.take(token('first'))).not.toBeNull();
});

test('all sessions of a user share one rate, and an access token of theirs has its own', () => {
  const rates = new ActorRates(() => 0);
  const session = (sessionId: string, userId: string) => sessionActor({ sessionId, userId, isOperator: true });
  expect(takes(rates, session('one', 'u'), 150)).toBe(150);
  expect(takes(rates, session('two', 'u'), 150)).toBe(50);
  expect(takes(rates, session('three', 'another'), 1)).toBe(1);
  expect(takes(rates, token('u'), 1)).toBe(1);
});
