import { expect, test } from 'vitest';
import { PRINCIPAL } from '../../../test/support/gate-stage.ts';
import type { Principal } from '../../domain/principal.ts';
import { isRefusal } from '../../domain/refusals.ts';
import type { CompletionEndpoint } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/dialects.ts';
import { servedSubject } from '../principals/served-subject.ts';
import { servedBy } from './served.ts';

const { projectId } = PRINCIPAL;
const LIMITED: Principal = { ...PRINCIPAL, servedLimits: { endUserPeriod: 'month', sessions: true } };
const REQUIRED: Readonly<Record<string, object>> = {
  chat: { messages: [{ role: 'user', content: 'hi' }] },
  messages: { messages: [{ role: 'user', content: 'hi' }], max_tokens: 9 },
  responses: { input: 'hi' },
  completions: { prompt: 'hi' },
  embeddings: { input: 'hi' },
  rerank: { query: 'q', documents: ['d'] },
  moderations: { input: 'hi' },
};

interface Asked {
  readonly endpoint?: string;
  readonly session?: string | null;
  readonly of?: Principal;
}

function servedIn(fields: object, { endpoint = 'chat', session = null, of = LIMITED }: Asked = {}) {
  const body = Buffer.from(JSON.stringify({ model: 'm', ...REQUIRED[endpoint], ...fields }));
  const read = DIALECTS[endpoint as CompletionEndpoint].read(body, {});
  if (!read.ok) throw new Error(JSON.stringify(read.fault));
  return servedBy(of, { session }, read.request);
}

/** The end user of a request; null if there is none. */
function endUserOf(fields: object, endpoint = 'chat') {
  const served = servedIn(fields, { endpoint });
  return isRefusal(served) ? served : (served.served?.endUserId ?? null);
}

const named = (text: string) => servedSubject(projectId, 'end_user', text);

test.each(Object.keys(REQUIRED))(
  'the end user of a request to %s is named by safety_identifier, or else by user',
  (endpoint) => {
    const takes = ['chat', 'responses'].includes(endpoint);
    expect(endUserOf(takes ? { user: 'b', safety_identifier: 'a' } : {}, endpoint)).toBe(takes ? named('a') : null);
    const takesUser = !['messages', 'moderations'].includes(endpoint);
    expect(endUserOf(takesUser ? { user: 'b' } : {}, endpoint)).toBe(takesUser ? named('b') : null);
  },
);

test.each([
  ['messages', { user_id: 'c' }, 'c'],
  ['chat', { user_id: 'c', a: 'b' }, 'c'],
  ['chat', { user_id: 'c\\n\\u00e9"' }, 'c\\n\\u00e9"'],
  ['messages', { user_id: '{"device_id":"d","account_uuid":"","session_id":"s"}' }, 'd'],
  ['messages', { user_id: '{"device_id":"d","account_uuid":"e","session_id":"t"}' }, 'e'],
  ['messages', { user_id: '{"session_id":"t"}' }, '{"session_id":"t"}'],
  ['messages', { user_id: '{not JSON' }, '{not JSON'],
])('of %s with the metadata %j the end user is %s', (endpoint, metadata, text) => {
  expect(endUserOf({ metadata }, endpoint)).toBe(named(text));
});

test.each([
  {},
  { user: '' },
  { metadata: {} },
  { metadata: { user_id: '' } },
  { user: '', metadata: { a: 'user_id' } },
])('a request with %j is for no end user', (fields) => expect(endUserOf(fields)).toBeNull());

test('a name of up to 512 bytes is an end user, and of a longer one the field is at fault', () => {
  expect(endUserOf({ user: 'é'.repeat(256) })).toBe(named('é'.repeat(256)));
  for (const length of [257, 100_000])
    expect(endUserOf({ user: 'é'.repeat(length) })).toMatchObject({ code: 'INVALID_REQUEST', param: 'user' });
  expect(endUserOf({ metadata: { user_id: 'x'.repeat(513) } })).toMatchObject({ param: 'metadata.user_id' });
});

test('a session is the one of the header, and what the project does not limit is not looked for', () => {
  const session = 'run 1';
  const both = servedIn({ user: 'b' }, { session });
  const sessionId = servedSubject(projectId, 'session', 'run 1');
  expect(both).toMatchObject({ served: { endUserId: named('b'), sessionId, caller: LIMITED } });
  const only = (endUserPeriod: 'month' | null, sessions: boolean) =>
    servedIn(
      { user: 'b'.repeat(endUserPeriod === null ? 600 : 1) },
      {
        session,
        of: { ...PRINCIPAL, servedLimits: { endUserPeriod, sessions } },
      },
    );
  expect(only('month', false)).toMatchObject({ served: { endUserId: named('b'), sessionId: null } });
  expect(only(null, true)).toMatchObject({ served: { endUserId: null, sessionId } });
  expect(servedIn({ user: 'b' }, { session, of: PRINCIPAL })).toBe(PRINCIPAL);
  expect(servedIn({}, {})).toBe(LIMITED);
});
