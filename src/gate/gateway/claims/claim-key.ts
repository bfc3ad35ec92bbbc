import { createHash } from 'node:crypto';
import { DatabaseUnavailable } from '../../../lib/sql.ts';
import { pause } from '../../../lib/pause.ts';
import type { NanoUsd } from '../../../domain/money.ts';
import type { Principal } from '../../../domain/principal.ts';
import { type Refusal, refuse } from '../../../domain/refusals.ts';
import { EpochFenced } from '../../purses/ports/database.ts';
import { type Caller, IDEMPOTENCY_HEADER } from '../caller.ts';
import { Claim } from './claim.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import type { ClaimResult } from './idempotency-store.ts';
import type { ParsedRequest } from '../read.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;
const POLL_MS_FIRST = 25;
const POLL_MS_MAX = 500;
const RETRY_MS = 1_000;
/** How long a claim with an unknown outcome is retried before its request is refused. */
const UNKNOWN_MS_MAX = 2_000;

/** The answer to an earlier request with the same key and body; null if it was not stored. */
export class Replay {
  readonly requestId: string;
  readonly answer: Buffer | null;
  /** Undefined if it is unknown. */
  readonly charge: NanoUsd | undefined;

  constructor({ requestId, answer, charge }: Pick<Replay, 'requestId' | 'answer'> & { readonly charge?: NanoUsd }) {
    this.requestId = requestId;
    this.answer = answer;
    this.charge = charge;
  }
}

/**
 * Creates the claim of the caller's Idempotency-Key, without sending it. Its owner must release it on every way out.
 */
export function openClaim(
  gate: GatewayDeps,
  { requestId }: Caller,
  { workspaceId, keyId }: Principal,
  parsed: ParsedRequest,
  idempotencyKey: string,
): Claim | Refusal {
  if (!KEY.test(idempotencyKey)) {
    return refuse(
      'INVALID_REQUEST',
      `The header ${IDEMPOTENCY_HEADER} must be 1 to 255 printable characters without spaces.`,
      {
        param: IDEMPOTENCY_HEADER,
      },
    );
  }
  return new Claim(gate, { workspaceId, keyId, idempotencyKey, requestId }, digestOf(parsed));
}

/**
 * Claims a key, or finds the answer stored under it. If an earlier request with the same key and body is running, waits
 * for it. A claim whose outcome was lost is retried, and found if it took effect. `gone`: the caller has left.
 */
export async function claimKey(
  gate: GatewayDeps,
  caller: Caller,
  claim: Claim,
): Promise<'claimed' | Replay | Refusal | 'gone'> {
  const { clock } = gate;
  const untilMs = clock.monotonicMs() + gate.timeouts.plainMs;
  let unknownSinceMs: number | null = null;
  for (let pollMs = POLL_MS_FIRST; clock.monotonicMs() < untilMs; pollMs = Math.min(pollMs * 2, POLL_MS_MAX)) {
    const result = await resultOf(claim);
    if (caller.isGone) return 'gone';
    if (result === null) {
      unknownSinceMs ??= clock.monotonicMs();
      if (clock.monotonicMs() - unknownSinceMs >= UNKNOWN_MS_MAX) return refuseUnsure();
    } else {
      if (result.state === 'claimed') return 'claimed';
      if (result.state === 'done') return new Replay(result);
      if (result.state === 'mismatch') return mismatch();
      unknownSinceMs = null;
    }
    await pause(clock, pollMs);
  }
  return refuse('SERVICE_UNAVAILABLE', `The first request with this ${IDEMPOTENCY_HEADER} is still running.`, {
    retryAfterMs: RETRY_MS,
  });
}

/** The digest of all parts of a request that a repeat must share. */
function digestOf(parsed: ParsedRequest): Buffer {
  const hash = createHash('sha256');
  hash.update(`${parsed.request.dialect.endpoint}\n${parsed.maxCost ?? ''}\n`);
  return hash.update(parsed.received).digest();
}

/** The result of one claim statement; null if it is unknown, or its epoch was fenced. */
async function resultOf(claim: Claim): Promise<ClaimResult | null> {
  try {
    return await claim.attempt();
  } catch (fault) {
    if (fault instanceof DatabaseUnavailable || fault instanceof EpochFenced) return null;
    throw fault;
  }
}

/** The refusal of a request whose claim is not sure. */
export function refuseUnsure(): Refusal {
  return refuse('SERVICE_UNAVAILABLE', `The ${IDEMPOTENCY_HEADER} could not be checked. Try again in a moment.`, {
    retryAfterMs: RETRY_MS,
  });
}

function mismatch(): Refusal {
  return refuse(
    'IDEMPOTENCY_MISMATCH',
    `This ${IDEMPOTENCY_HEADER} was used for another request within the last 24 hours. Use a new one for a new request.`,
    { param: IDEMPOTENCY_HEADER },
  );
}
