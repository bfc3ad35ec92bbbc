import { expect, test } from 'vitest';
import { type Actor, actingUser, actorName, isOperator } from './actor.ts';

const USER = { userId: 'u', email: 'ada@example.com' } as const;
const SESSION = {
  kind: 'session',
  sessionId: 's',
  ...USER,
  authenticatedAtMs: 0,
  roles: new Map(),
  withheld: new Map(),
  providerId: null,
} as const;

// The actor, its name in records, its user, and whether it operates the instance.
const ACTORS: readonly (readonly [Actor, string, string | null, boolean])[] = [
  [{ kind: 'operator', tokenId: null, name: 'operator', access: 'all' }, 'operator', null, true],
  [{ kind: 'job', name: 'nightly proof' }, 'nightly proof', null, false],
  [{ ...SESSION, isOperator: false }, 'ada@example.com', 'u', false],
  [{ ...SESSION, isOperator: true }, 'ada@example.com', 'u', true],
  [
    { kind: 'access_token', tokenId: 't', ...USER, workspaceId: 'w', role: 'owner', withheld: null, scopes: new Set() },
    'ada@example.com',
    'u',
    false,
  ],
];

test('records name who acted, and operators are told from all others', () => {
  for (const [actor, name, user, operates] of ACTORS) {
    expect([actorName(actor), actingUser(actor), isOperator(actor)]).toEqual([name, user, operates]);
  }
});
