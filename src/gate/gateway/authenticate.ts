import type { KeyFault } from '../../domain/key.ts';
import type { Principal } from '../../domain/principal.ts';
import { type Refusal, refuse } from '../../domain/refusals.ts';
import type { MaybeAsync } from '../../lib/maybe-async.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import type { Caller } from './caller.ts';
import type { GatewayDeps } from './gateway-deps.ts';

const BEARER = /^bearer +(\S+) *$/i;
const RETRY_MS = 1_000;

/** Begins with OpenAI's wording, by which some clients recognise an invalid key. Never repeats any part of the key. */
const invalidKey = (why: string, principal: Principal | null = null): UnservedCaller => ({
  principal,
  refusal: refuse('INVALID_API_KEY', `Incorrect API key provided: ${why}`),
});

const FAULTS: Record<KeyFault, string> = {
  malformed: 'it does not have the form of a key, which begins with fg_live_. Check that it was copied completely.',
  mistyped: "this key is mistyped: its check characters don't match. Copy it again from its source.",
  foreign: 'its shard shows that it belongs to another Faregate. Check the base URL.',
};

/** A caller that is not served here, and the principal of its key if known: it may not call, or its workspace lives in another cell. */
export type UnservedCaller =
  | { readonly principal: Principal | null; readonly refusal: Refusal }
  | { readonly principal: Principal; readonly refusal: null; readonly movedTo: string };

/** What shows who calls, and from where. */
type IdentifiedCaller = Pick<Caller, 'authorization' | 'apiKey' | 'principal' | 'peerAddress' | 'forwardedFor'>;

const notFrom = (address: string): string =>
  `This API key is not accepted from ${address}. Call from an address that it allows, or add this one to the networks of the key or its workspace.`;

/** Resolves the caller; synchronous unless the key isn't cached and must be looked up. */
export function authenticate(gate: GatewayDeps, caller: IdentifiedCaller): MaybeAsync<Principal | UnservedCaller> {
  const { authorization, apiKey, principal } = caller;
  if (principal !== null) return mayCall(gate, caller, principal);
  if (authorization === undefined && apiKey === undefined) {
    return invalidKey('there is none. Send one in the header "Authorization: Bearer fg_live_…".');
  }
  const key = authorization === undefined ? apiKey?.trim() : BEARER.exec(authorization)?.[1];
  if (key === undefined) {
    return invalidKey('the Authorization header must be "Bearer" and one key: "Authorization: Bearer fg_live_…".');
  }
  const found = gate.principals.find(key);
  if (typeof found === 'string') return invalidKey(FAULTS[found]);
  return found instanceof Promise ? lookedUp(gate, caller, found) : mayCall(gate, caller, found);
}

function mayCall(gate: GatewayDeps, caller: IdentifiedCaller, principal: Principal | null): Principal | UnservedCaller {
  if (principal === null) {
    return invalidKey('it is unknown, disabled or revoked, or its project is archived. Check it, or create a new one.');
  }
  // What its key may do is known where its workspace lives.
  const { movedTo = null } = principal;
  if (movedTo !== null) return { principal, refusal: null, movedTo };
  if (principal.expiresAtMs !== null && principal.expiresAtMs <= gate.clock.nowMs()) {
    return invalidKey('it has expired. Create a new one.', principal);
  }
  if (principal.isAllowedFrom !== null) {
    const address = gate.addresses.find(caller.peerAddress, caller.forwardedFor);
    if (!principal.isAllowedFrom(address))
      return {
        principal,
        refusal: refuse('ADDRESS_NOT_ALLOWED', notFrom(address), { shouldRetry: false }),
      };
  }
  if (principal.suspension !== null) {
    const message = `This workspace is suspended: ${principal.suspension}`;
    return { principal, refusal: refuse('WORKSPACE_SUSPENDED', message, { shouldRetry: false }) };
  }
  if (principal.isPaused === true) {
    const message = 'This workspace is moving, which takes a moment. Nothing was charged. Try again.';
    return { principal, refusal: refuse('MODEL_UNAVAILABLE', message, { retryAfterMs: RETRY_MS }) };
  }
  return principal;
}

/** A failed look-up proves nothing about the key, so it never becomes a 401. */
async function lookedUp(
  gate: GatewayDeps,
  caller: IdentifiedCaller,
  found: Promise<Principal | null>,
): Promise<Principal | UnservedCaller> {
  try {
    return mayCall(gate, caller, await found);
  } catch (fault) {
    if (!(fault instanceof DatabaseUnavailable)) throw fault;
    const message = 'This API key could not be checked. Try again in a moment.';
    return {
      principal: null,
      refusal: refuse('SERVICE_UNAVAILABLE', message, { retryAfterMs: RETRY_MS }),
    };
  }
}
