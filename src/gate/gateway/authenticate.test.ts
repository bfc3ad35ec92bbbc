import { expect, test } from 'vitest';
import { PRINCIPAL } from '../../../test/support/gate-stage.ts';
import type { KeyFault } from '../../domain/key.ts';
import type { Principal } from '../../domain/principal.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import type { MaybeAsync } from '../../lib/maybe-async.ts';
import { authenticate } from './authenticate.ts';
import type { GatewayDeps } from './gateway-deps.ts';

const NOW_MS = 5_000;

/** The result for a caller with these headers, and the keys that were looked up. */
function resolved(
  headers: { authorization?: string; apiKey?: string; principal?: Principal; forwardedFor?: string },
  found: MaybeAsync<Principal | null> | KeyFault = PRINCIPAL,
) {
  const keys: string[] = [];
  const find = (key: string) => {
    keys.push(key);
    return found;
  };
  const addresses = { find: (socket: string, forwarded?: string) => forwarded ?? socket };
  const gate = { principals: { find }, clock: { nowMs: () => NOW_MS }, addresses } as unknown as GatewayDeps;
  const { authorization, apiKey, principal = null, forwardedFor } = headers;
  const caller = { authorization, apiKey, principal, peerAddress: '192.0.2.1', forwardedFor };
  return { result: authenticate(gate, caller), keys };
}

const invalid = (why: string, principal: Principal | null = null) => ({
  principal,
  refusal: { kind: 'refusal', code: 'INVALID_API_KEY', message: `Incorrect API key provided: ${why}`, param: null },
});

test.each([
  [{ authorization: 'Bearer fg_live_a' }, 'fg_live_a'],
  [{ authorization: 'bearer   fg_live_a  ' }, 'fg_live_a'],
  [{ apiKey: ' fg_live_b ' }, 'fg_live_b'],
  [{ authorization: 'Bearer fg_live_a', apiKey: 'fg_live_b' }, 'fg_live_a'],
])('a key is looked for as its header holds it, without spaces around it: %j', (headers, key) => {
  const { result, keys } = resolved(headers);
  expect(result).toBe(PRINCIPAL);
  expect(keys).toEqual([key]);
});

const FORM = 'the Authorization header must be "Bearer" and one key: "Authorization: Bearer fg_live_…".';

test.each([
  [{}, 'there is none. Send one in the header "Authorization: Bearer fg_live_…".'],
  [{ authorization: 'Basic fg_live_a' }, FORM],
  [{ authorization: 'Bearer' }, FORM],
  [{ authorization: 'Bearerfg_live_a' }, FORM],
  [{ authorization: 'a Bearer fg_live_a' }, FORM],
  [{ authorization: 'Bearer fg_live_a fg_live_b' }, FORM],
  [{ authorization: 'Basic a', apiKey: 'fg_live_b' }, FORM],
])('a caller without one key is refused with what to send, and nothing is looked up: %j', (headers, why) => {
  const { result, keys } = resolved(headers);
  expect(result).toEqual(invalid(why));
  expect(keys).toEqual([]);
});

const UNKNOWN = 'it is unknown, disabled or revoked, or its project is archived. Check it, or create a new one.';
const expiring = (expiresAtMs: number): Principal => ({ ...PRINCIPAL, expiresAtMs });
const SUSPENDED: Principal = { ...PRINCIPAL, suspension: 'an unpaid invoice' };
const suspended = {
  principal: SUSPENDED,
  refusal: {
    kind: 'refusal',
    code: 'WORKSPACE_SUSPENDED',
    message: 'This workspace is suspended: an unpaid invoice',
    param: null,
    shouldRetry: false,
  },
};

test.each<[string, Principal | null | KeyFault, object]>([
  [
    'malformed',
    'malformed',
    invalid('it does not have the form of a key, which begins with fg_live_. Check that it was copied completely.'),
  ],
  [
    'mistyped',
    'mistyped',
    invalid("this key is mistyped: its check characters don't match. Copy it again from its source."),
  ],
  ['foreign', 'foreign', invalid('its shard shows that it belongs to another Faregate. Check the base URL.')],
  ['unknown', null, invalid(UNKNOWN)],
  ['expired', expiring(NOW_MS), invalid('it has expired. Create a new one.', expiring(NOW_MS))],
  ['expiring later', expiring(NOW_MS + 1), expiring(NOW_MS + 1)],
  ['of a suspended workspace', SUSPENDED, suspended],
])('a key is refused by what is known of it, and only then: %s', async (_which, found, expected) => {
  expect(resolved({ apiKey: 'k' }, found).result).toEqual(expected);
  if (typeof found !== 'string') {
    expect(await resolved({ apiKey: 'k' }, Promise.resolve(found)).result).toEqual(expected);
  }
});

test('a caller that is known without a key needs none, and is suspended with its workspace all the same', () => {
  const { result, keys } = resolved({ principal: PRINCIPAL });
  expect([result, keys]).toEqual([PRINCIPAL, []]);
  expect(resolved({ principal: SUSPENDED }).result).toEqual(suspended);
});

test('a key is refused from an address that it does not allow, found behind proxies', () => {
  const asked: string[] = [];
  const isAllowedFrom = (address: string) => {
    asked.push(address);
    return address === '203.0.113.9';
  };
  const bound: Principal = { ...PRINCIPAL, isAllowedFrom };
  expect(resolved({ apiKey: 'k' }, bound).result).toMatchObject({
    principal: bound,
    refusal: { code: 'ADDRESS_NOT_ALLOWED', shouldRetry: false, message: expect.stringContaining('192.0.2.1') },
  });
  expect(resolved({ apiKey: 'k', forwardedFor: '203.0.113.9' }, bound).result).toBe(bound);
  expect(asked).toEqual(['192.0.2.1', '203.0.113.9']);
});

test('a key that can’t be looked up is never called invalid: the request is worth sending again', async () => {
  expect(await resolved({ apiKey: 'k' }, Promise.reject(new DatabaseUnavailable('away'))).result).toEqual({
    principal: null,
    refusal: {
      kind: 'refusal',
      code: 'SERVICE_UNAVAILABLE',
      message: 'This API key could not be checked. Try again in a moment.',
      param: null,
      retryAfterMs: 1_000,
    },
  });
  const bug = new Error('a bug');
  await expect(resolved({ apiKey: 'k' }, Promise.reject(bug)).result).rejects.toBe(bug);
});
