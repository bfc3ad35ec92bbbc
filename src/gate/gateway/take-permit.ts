import type { Model } from '../../domain/model.ts';
import type { Principal } from '../../domain/principal.ts';
import { usesInputMax } from '../../domain/quote.ts';
import { andThen, type MaybeAsync } from '../../lib/maybe-async.ts';
import { type Refusal, type RefusalCode, refuse } from '../../domain/refusals.ts';
import { Permit, type RateExceeded } from '../purses/permits/permit.ts';
import type { PermitOutcome } from '../purses/permits/rate-limiter.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import type { ParsedRequest } from './read.ts';

/** SDKs ignore longer delays and would retry too soon; `x-should-retry: false` stops them. */
const RETRY_MS_HONOURED = 60_000;

const RETRY_MS = 1_000;

const WORDS = {
  requests: (perMinute: number) => `${perMinute} requests a minute`,
  tokens: (perMinute: number) => `${perMinute} tokens a minute`,
  concurrency: (most: number) => `${most} requests at the same time`,
} as const;

/** The most input tokens that the request may have. */
export function inputMaxOf(model: Model, parsed: ParsedRequest): number {
  const { input, tools } = parsed.request;
  const own = input.tokensMax(model.terms);
  const bound = tools?.bound ?? null;
  return bound === null ? own : own + usesInputMax(model.terms, bound);
}

/**
 * Takes a permit from the project's rate limits; if the request names no maximum, only its input counts. Synchronous
 * if the permit is in stock, as it is unless the limits are nearly used up.
 */
export function takePermit(
  gate: GatewayDeps,
  principal: Principal,
  model: Model,
  parsed: ParsedRequest,
): MaybeAsync<Permit | Refusal> {
  return andThen(gate.permits.take(principal, inputMaxOf(model, parsed) + outputOf(parsed)), permitOrRefusal);
}

/** The requested output tokens; zero if the request names no maximum, or one that the money may lower. */
function outputOf({ request: { text } }: ParsedRequest): number {
  if (text === null || text.isCeiling) return 0;
  const { maxTokens, choices, outputBeside } = text;
  return ((maxTokens ?? 0) + outputBeside) * choices;
}

/** The rate-limit refusal of any request of this project; null if one could run. Takes nothing. */
export function rateRefusal(gate: GatewayDeps, principal: Principal): MaybeAsync<Refusal | null> {
  return andThen(gate.permits.take(principal, 0), (outcome) => {
    if (outcome instanceof Permit) outcome.giveBack();
    // A slot may be free again once the body has arrived.
    return outcome.kind === 'exceeded' && outcome.limit !== 'concurrency' ? exceededRefusal(outcome) : null;
  });
}

/** Faults of a body itself, independent of the model. */
const BODY_REFUSALS: readonly RefusalCode[] = [
  'INVALID_REQUEST',
  'NOT_FOUND',
  'REQUEST_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];

/**
 * Takes one request from the project's rate limits for a refused body, because reading it took time. Returns the
 * refusal, or RATE_LIMITED if the project has no request left.
 */
export function countRefused(gate: GatewayDeps, principal: Principal, refusal: Refusal): MaybeAsync<Refusal> {
  if (!BODY_REFUSALS.includes(refusal.code)) return refusal;
  return andThen(gate.permits.take(principal, 0), (outcome) => {
    if (outcome instanceof Permit) outcome.finish(0);
    if (outcome.kind !== 'exceeded') return refusal;
    const limited = exceededRefusal(outcome);
    return refusal.closeConnection === true ? { ...limited, closeConnection: true } : limited;
  });
}

function permitOrRefusal(outcome: PermitOutcome): Permit | Refusal {
  if (outcome instanceof Permit) return outcome;
  if (outcome.kind === 'unavailable') {
    const message = 'The limits of this project could not be checked. Nothing was charged; try again in a moment.';
    return refuse('SERVICE_UNAVAILABLE', message, { retryAfterMs: RETRY_MS });
  }
  return exceededRefusal(outcome);
}

function exceededRefusal({ limit, most, retryAfterMs, standing }: RateExceeded): Refusal {
  return refuse('RATE_LIMITED', `This project is limited to ${WORDS[limit](most)}. Retry in ${retryAfterMs} ms.`, {
    retryAfterMs,
    rate: standing,
    exceeded: { limit, most },
    ...(retryAfterMs > RETRY_MS_HONOURED ? { shouldRetry: false } : {}),
  });
}
