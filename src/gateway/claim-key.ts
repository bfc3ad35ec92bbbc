import { createHash } from 'node:crypto';
import { DatabaseUnavailable } from '../lib/sql.ts';
import type { Principal } from '../domain/principal.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusals.ts';
import { EpochFenced } from '../purses/purse-store.ts';
import { type Caller, IDEMPOTENCY_HEADER } from './caller.ts';
import { Claim } from './claim.ts';
import type { Gate } from './gate.ts';
import type { Claim as ClaimAnswer, IdempotentRequest } from './idempotency-store.ts';
import type { Asked } from './read.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;
const POLL_MS_FIRST = 25;
const POLL_MS_MAX = 500;
const RETRY_MS = 1_000;

/** The answer that an earlier request with the same key and body got; null where it was too large to keep. */
export class Replay {
  readonly requestId: string;
  readonly answer: Buffer | null;

  constructor(requestId: string, answer: Buffer | null) {
    this.requestId = requestId;
    this.answer = answer;
  }
}

/**
 * Claims the caller's Idempotency-Key, or finds the answer that it stands for. A request that another one with the same
 * key and body is ahead of waits for it. `gone`: the caller has left while it waited.
 */
export async function claimKey(
  gate: Gate,
  caller: Caller,
  principal: Principal,
  asked: Asked,
  idempotencyKey: string,
): Promise<Claim | Replay | Refusal | 'gone'> {
  const { requestId } = caller;
  if (!KEY.test(idempotencyKey)) {
    return refuse(
      'INVALID_REQUEST',
      `The header ${IDEMPOTENCY_HEADER} must be 1 to 255 printable characters without spaces.`,
      {
        param: IDEMPOTENCY_HEADER,
      },
    );
  }
  const request = { workspaceId: principal.workspaceId, keyId: principal.keyId, idempotencyKey, requestId };
  const digest = digestOf(asked);
  const untilMs = gate.clock.monotonicMs() + gate.timeouts.plainMs;
  for (let pollMs = POLL_MS_FIRST; gate.clock.monotonicMs() < untilMs; pollMs = Math.min(pollMs * 2, POLL_MS_MAX)) {
    const claim = await tryClaim(gate, request, digest);
    if (isRefusal(claim)) return claim;
    if (claim.state === 'claimed') return new Claim(gate, request);
    if (claim.state === 'done') return new Replay(claim.requestId, claim.answer);
    if (claim.state === 'mismatch') return mismatch();
    await new Promise<void>((resolve) => {
      gate.clock.after(pollMs, resolve);
    });
    if (caller.isGone) return 'gone';
  }
  return refuse('SERVICE_UNAVAILABLE', `The first request with this ${IDEMPOTENCY_HEADER} is still running.`, {
    retryAfterMs: RETRY_MS,
  });
}

/** What must be the same for a request to count as a repeat. */
function digestOf(asked: Asked): Buffer {
  const hash = createHash('sha256');
  hash.update(`${asked.endpoint}\n${asked.maxCost ?? ''}\n`);
  return hash.update(asked.request.body).digest();
}

async function tryClaim(gate: Gate, request: IdempotentRequest, digest: Buffer): Promise<ClaimAnswer | Refusal> {
  try {
    return await gate.idempotency.claim(gate.purses.epochId, request, digest);
  } catch (fault) {
    if (!(fault instanceof DatabaseUnavailable || fault instanceof EpochFenced)) throw fault;
    return refuse(
      'SERVICE_UNAVAILABLE',
      `The ${IDEMPOTENCY_HEADER} could not be checked right now. Try again in a moment.`,
      {
        retryAfterMs: RETRY_MS,
      },
    );
  }
}

function mismatch(): Refusal {
  return refuse(
    'IDEMPOTENCY_MISMATCH',
    `This ${IDEMPOTENCY_HEADER} was used for another request within the last 24 hours. Use a new one for a new request.`,
    { param: IDEMPOTENCY_HEADER },
  );
}
