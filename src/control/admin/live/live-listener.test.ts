import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Act } from '../../../domain/actor.ts';
import { sessionActor } from '../../../../test/support/admin-identity.ts';
import type { Role } from '../../../domain/roles.ts';
import { LiveListener } from './live-listener.ts';

const WORKSPACE = randomUUID();
const ADA = randomUUID();
const KEY = {
  event: { name: 'key', data: { id: randomUUID(), project_id: randomUUID(), change: 'created' } },
  isForAll: true,
  of: ADA,
} as const;
const ALERT = {
  event: { name: 'alert', data: { id: randomUUID(), resolved: false } },
  isForAll: true,
  of: null,
} as const;

function session(role: Role | null): Act {
  const roles = new Map(role === null ? [] : [[WORKSPACE, role]]);
  return { actor: sessionActor({ sessionId: randomUUID(), userId: ADA, roles }), address: null, requestId: null };
}

function listener(role: Role) {
  const seen = { disconnected: 0, ended: 0 };
  const made = new LiveListener({
    act: session(role),
    workspaceId: WORKSPACE,
    disconnect: () => (seen.disconnected += 1),
    onEnd: () => (seen.ended += 1),
  });
  return { made, seen };
}

test('a listener is sent what its role may read, and from then on what its next role may read', async () => {
  const { made } = listener('owner');
  made.send([KEY, ALERT]);
  made.admit(session('viewer'));
  made.send([KEY, ALERT]);
  made.close();
  const text = await new Response(made.body).text();
  expect(text.match(/event: \w+/g)).toEqual(['event: key', 'event: alert', 'event: key']);
  expect(text).toContain(`data: ${JSON.stringify(KEY.event.data)}\n\n`);
});

test('a listener whose actor is no member any more is ended, and sent nothing more', async () => {
  const { made, seen } = listener('owner');
  made.admit(session(null));
  made.send([KEY]);
  expect(await new Response(made.body).text()).toBe('retry: 1000\n\n');
  expect(seen).toEqual({ disconnected: 0, ended: 1 });
});

test('a listener that does not read is disconnected once a bounded number of bytes wait for it', () => {
  const { made, seen } = listener('owner');
  let sent = 0;
  while (seen.ended === 0 && sent < 10_000) {
    made.send([KEY]);
    sent += 1;
  }
  expect(seen).toEqual({ disconnected: 1, ended: 1 });
  expect(sent).toBeGreaterThan(100);
  made.send([KEY]);
  made.beat();
  expect(seen).toEqual({ disconnected: 1, ended: 1 });
});

test('a listener that may see its own things alone is sent the events of these, and none of others', async () => {
  const charge = { charge_nano_usd: '5', charge_usd: '0.000000005' };
  const times = { settled_at: '1970-01-01T00:00:00.000Z', age_ms: 7 };
  const data = { request_id: randomUUID(), outcome: 'completed', ...charge, ...times, is_first: false } as const;
  const event = { name: 'request', data } as const;
  const sent = [
    KEY,
    { ...KEY, of: randomUUID() },
    { ...KEY, of: null },
    ALERT,
    { event, isForAll: true, of: null },
    { event, isForAll: false, of: ADA },
    { event, isForAll: false, of: randomUUID() },
  ];
  const seen = async (role: Role): Promise<readonly string[] | null> => {
    const { made } = listener(role);
    made.send(sent);
    made.close();
    return (await new Response(made.body).text()).match(/event: \w+/g);
  };
  expect(await seen('member')).toEqual(['event: key', 'event: request']);
  expect(await seen('viewer')).toEqual(['event: key', 'event: key', 'event: key', 'event: request']);
});
