import type { Model } from '../domain/model.ts';
import { formatUsd } from '../domain/money.ts';
import type { Principal } from '../domain/principal.ts';
import { largestCapWithin, type Quote, quoteChat, quoteEmbeddings } from '../domain/quote.ts';
import { type FailingLevel, type MoneyShortage, type Refusal, refuse } from '../domain/refusals.ts';
import { Hold } from '../purses/hold.ts';
import type { HoldFailure } from '../purses/purses.ts';
import type { Gate } from './gate.ts';
import type { Asked } from './read.ts';
import { inputMaxOf } from './take-permit.ts';

const RETRY_MS = 1_000;

/** Only this file makes one: a request that has an Admission has its money held, and nothing else may reach an upstream. */
export class Admission {
  readonly #hold: Hold;
  readonly principal: Principal;
  readonly model: Model;
  readonly asked: Asked;
  readonly quote: Quote;
  /** Wall time of admission; milliseconds since the epoch. */
  readonly atMs: number;

  constructor(parts: { hold: Hold; principal: Principal; model: Model; asked: Asked; quote: Quote; atMs: number }) {
    this.#hold = parts.hold;
    this.principal = parts.principal;
    this.model = parts.model;
    this.asked = parts.asked;
    this.quote = parts.quote;
    this.atMs = parts.atMs;
  }

  get hold(): Hold {
    return this.#hold;
  }
}

/** Quotes the request and holds the money for it: from memory where it is there, else drawing and waiting for it. */
export async function admit(
  gate: Gate,
  principal: Principal,
  model: Model,
  asked: Asked,
): Promise<Admission | Refusal> {
  const { purses } = gate;
  const quotes = (): readonly [Quote, ...Quote[]] => quoteFor(model, asked, purses.available(principal));
  if (!purses.knows(principal)) {
    const failure = await purses.acquaint(principal, quotes()[0].hold);
    if (failure !== null) return unavailable();
  }
  const candidates = quotes();
  const atMs = gate.clock.nowMs();
  const admission = (hold: Hold, quote: Quote): Admission =>
    new Admission({ hold, principal, model, asked, quote, atMs });
  for (const quote of candidates) {
    const hold = purses.tryHold(principal, quote.hold);
    if (hold !== null) return admission(hold, quote);
  }
  const last = candidates.at(-1) ?? candidates[0];
  const hold = await purses.hold(principal, last.hold);
  return hold instanceof Hold ? admission(hold, last) : moneyRefusal(model, asked, last, hold);
}

function quoteFor(model: Model, asked: Asked, available: bigint | null): readonly [Quote, ...Quote[]] {
  const inputMax = inputMaxOf(model, asked);
  if (asked.endpoint === 'embeddings') return [quoteEmbeddings(model.terms, inputMax)];
  return quoteChat(model.terms, inputMax, asked.request.choices, asked.request.maxTokens, available);
}

function unavailable(): Refusal {
  return refuse(
    'SERVICE_UNAVAILABLE',
    'The balance could not be checked right now. Nothing was charged; try again in a moment.',
    {
      retryAfterMs: RETRY_MS,
    },
  );
}

function moneyRefusal(model: Model, asked: Asked, quote: Quote, failure: HoldFailure): Refusal {
  if (failure.kind === 'unavailable') return unavailable();
  const [first] = failure.levels;
  // Between the verdict and this line another hold may have closed; then the caller is told to come again.
  if (first === undefined) return unavailable();
  const maxTokensThatFit =
    asked.endpoint === 'chat'
      ? largestCapWithin(model.terms, quote.inputTokensMax, asked.request.choices, failure.available)
      : null;
  const shortage: MoneyShortage = {
    levels: failure.levels,
    needed: quote.hold,
    transient: failure.transient,
    maxTokensThatFit,
    fix: fixFor(first, quote, maxTokensThatFit),
  };
  const message = `${SAYS[first.code]} This request needs up to ${formatUsd(quote.hold)} USD, and ${formatUsd(failure.available)} USD is free. ${shortage.fix}`;
  return refuse(first.code, message, {
    shortage,
    shouldRetry: failure.transient,
    ...(failure.transient ? { retryAfterMs: RETRY_MS } : {}),
  });
}

const SAYS = {
  INSUFFICIENT_BALANCE: "The workspace's balance does not cover this request.",
  PROJECT_BUDGET_EXCEEDED: "The project's budget does not cover this request.",
  KEY_SPEND_LIMIT_EXCEEDED: "The key's monthly spend limit does not cover this request.",
} as const;

/** The smallest thing that would let the request through. */
function fixFor(level: FailingLevel, quote: Quote, maxTokensThatFit: number | null): string {
  if (maxTokensThatFit !== null && maxTokensThatFit < quote.cap) {
    return `Set max_tokens to ${maxTokensThatFit} or less, or ${raise(level)}.`;
  }
  return `To let it through, ${raise(level)}.`;
}

function raise(level: FailingLevel): string {
  if (level.level === 'workspace') return 'add credit to the workspace';
  const wait = level.resetsAtMs === null ? '' : `, or wait until ${new Date(level.resetsAtMs).toISOString()}`;
  return `raise the ${level.level}'s limit${wait}`;
}
