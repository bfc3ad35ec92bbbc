import type { Model } from '../../domain/model.ts';
import { formatUsd, type NanoUsd } from '../../domain/money.ts';
import { largestCapWithin, type Quote } from '../../domain/quote.ts';
import { quotedTerms } from '../../domain/tier-price.ts';
import { type FailingLevel, type MoneyShortage, type Refusal, refuse } from '../../domain/refusals.ts';
import type { HoldFailure } from '../purses/leases/purses.ts';
import { MAX_COST_HEADER } from './caller.ts';
import { callersName } from './callers-words.ts';
import { quotedContentOf } from './quoted-content.ts';
import type { ParsedRequest } from './read.ts';

// Refusals for lack of money, or by a request's maximum cost; always with a remedy.

const RETRY_MS = 1_000;

/** The purses could not be read. */
export function unavailableRefusal(): Refusal {
  return refuse(
    'SERVICE_UNAVAILABLE',
    'The balance could not be checked. Nothing was charged; try again in a moment.',
    {
      retryAfterMs: RETRY_MS,
    },
  );
}

/** No hold could be placed for the last quote that was tried. */
export function shortageRefusal(model: Model, parsed: ParsedRequest, quote: Quote, failure: HoldFailure): Refusal {
  if (failure.kind === 'unavailable') return unavailableRefusal();
  const [first] = failure.levels;
  // Another hold may have closed since the decision; then a retry may pass.
  if (first === undefined) return unavailableRefusal();
  const maxTokensThatFit = capWithin(model, parsed, quote, failure.available);
  const shortage: MoneyShortage = {
    levels: failure.levels,
    needed: quote.hold,
    transient: failure.transient,
    maxTokensThatFit,
    fix: fixFor(parsed, first, quote, maxTokensThatFit),
  };
  const message = `${SAYS[first.code]} This request needs up to ${formatUsd(quote.hold)} USD, and ${formatUsd(failure.available)} USD is free. ${shortage.fix}`;
  return refuse(first.code, message, {
    shortage,
    shouldRetry: failure.transient,
    ...(failure.transient ? { retryAfterMs: RETRY_MS } : {}),
  });
}

/** The purses don't cover `needed`, the least of any request of this caller; null if none is known to lack it. */
export function emptyRefusal(needed: NanoUsd, failure: HoldFailure): Refusal | null {
  if (failure.kind !== 'short') return null;
  const [first] = failure.levels;
  if (first === undefined) return null;
  const fix = `To admit it, ${raise(first)}.`;
  const shortage = { levels: failure.levels, needed, transient: false, maxTokensThatFit: null, fix };
  const message = `${SAYS[first.code]} Any request needs ${formatUsd(needed)} USD or more, and ${formatUsd(failure.available)} USD is free. ${fix}`;
  return refuse(first.code, message, { shortage, shouldRetry: false });
}

/** The quote's hold exceeds the maximum cost of the request. */
export function maxCostRefusal(model: Model, parsed: ParsedRequest, quote: Quote, maxCost: NanoUsd): Refusal {
  const maxTokensThatFit = capWithin(model, parsed, quote, maxCost);
  const needed = formatUsd(quote.hold);
  const fix =
    maxTokensThatFit === null
      ? `Set ${MAX_COST_HEADER} to ${needed} or more.`
      : `Set ${callersName(parsed, 'max_tokens')} to ${maxTokensThatFit} or less, or ${MAX_COST_HEADER} to ${needed} or more.`;
  const message = `This request could cost up to ${needed} USD, and its ${MAX_COST_HEADER} allows ${formatUsd(maxCost)} USD. ${fix}`;
  return refuse('MAX_COST_EXCEEDED', message, {
    shortage: { levels: [], needed: quote.hold, transient: false, maxTokensThatFit, fix },
    shouldRetry: false,
  });
}

function capWithin(model: Model, parsed: ParsedRequest, quote: Quote, amount: NanoUsd): number | null {
  const { text, audio, tier } = parsed.request;
  if (text === null || text.isUncapped) return null;
  const left = amount - quote.fees;
  const terms = quotedTerms(model.terms, tier);
  return largestCapWithin(terms, quote.inputTokensMax, text.choices, left, quotedContentOf(text, audio));
}

const SAYS = {
  INSUFFICIENT_BALANCE: "The workspace's balance does not cover this request.",
  PROJECT_BUDGET_EXCEEDED: "The project's budget does not cover this request.",
  MEMBER_SPEND_LIMIT_EXCEEDED: 'The monthly limit of the member who made the key does not cover this request.',
  KEY_SPEND_LIMIT_EXCEEDED: "The key's monthly spend limit does not cover this request.",
  END_USER_LIMIT_EXCEEDED: "The end user's limit does not cover this request.",
  SESSION_LIMIT_EXCEEDED: "The project's limit for each session does not cover this request.",
} as const;

/** The smallest change that would admit the request. */
function fixFor(parsed: ParsedRequest, level: FailingLevel, quote: Quote, maxTokensThatFit: number | null): string {
  if (maxTokensThatFit !== null && maxTokensThatFit < quote.cap) {
    return `Set ${callersName(parsed, 'max_tokens')} to ${maxTokensThatFit} or less, or ${raise(level)}.`;
  }
  return `To admit it, ${raise(level)}.`;
}

const LEVEL_WORDS = {
  project: 'project',
  member: 'member',
  key: 'key',
  end_user: 'end user',
  session: 'session',
} as const;

function raise(level: FailingLevel): string {
  if (level.level === 'workspace') return 'add credit to the workspace';
  const wait = level.resetsAtMs === null ? '' : `, or wait until ${new Date(level.resetsAtMs).toISOString()}`;
  return `raise the ${LEVEL_WORDS[level.level]}'s limit${wait}`;
}
