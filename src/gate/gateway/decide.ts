import type { Model } from '../../domain/model.ts';
import type { Principal } from '../../domain/principal.ts';
import { type Quote, quoteChat, quoteInput } from '../../domain/quote.ts';
import { quotedTerms } from '../../domain/tier-price.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { MaybeAsync } from '../../lib/maybe-async.ts';
import type { HoldFailure } from '../purses/leases/purses.ts';
import { type FallbackModel, NO_FALLBACKS } from './fallback-models.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { maxCostRefusal, shortageRefusal, unavailableRefusal } from './money-refusal.ts';
import { quotedContentOf } from './quoted-content.ts';
import type { ParsedRequest } from './read.ts';
import { inputMaxOf } from './take-permit.ts';

type Purses = GatewayDeps['purses'];

/** Strategy applied to an affordable quote: place a hold, or only report. */
export interface HoldStrategy<Placed> {
  /** Applies if the money is available in memory; else null. */
  fromMemory(quote: Quote, purses: Purses, principal: Principal): Placed | null;
  /** Applies if the money is available now, in memory or in the purses; else null. */
  now(quote: Quote, purses: Purses, principal: Principal): Promise<Placed | null>;
  /** Applies as soon as the money is available, waiting for what other requests hold. */
  wait(quote: Quote, purses: Purses, principal: Principal): Promise<{ readonly placed: Placed } | HoldFailure>;
}

/** The quote by which a request runs, or the refused quote with the reason. `atMs`: wall time, since the epoch. */
export type Decision<Placed> =
  | { readonly quote: HeldQuote; readonly placed: Placed; readonly atMs: number }
  | { readonly quote: HeldQuote; readonly refusal: Refusal };

/** A quote whose hold covers other models too, and their quotes, in order; absent if there are none. */
export interface HeldQuote extends Quote {
  readonly others?: readonly Quote[];
}

/**
 * Quotes a request with every cap that it may run with, and chooses the first quote that the money and the maximum cost
 * cover. Synchronous if the money for the best quote is in memory.
 */
export function decide<Placed>(
  gate: GatewayDeps,
  principal: Principal,
  model: Model,
  parsed: ParsedRequest,
  placing: HoldStrategy<Placed>,
  fallbacks: readonly FallbackModel[] = NO_FALLBACKS,
): MaybeAsync<Decision<Placed>> {
  const { purses } = gate;
  const [best] = quotesOfAll(model, parsed, fallbacks, purses.available(principal));
  if (parsed.maxCost !== null && best.hold > parsed.maxCost) {
    return { quote: best, refusal: maxCostRefusal(model, parsed, best, parsed.maxCost) };
  }
  // Until its purses are loaded, no hold fits, whatever the quote.
  const placed = placing.fromMemory(best, purses, principal);
  if (placed !== null) return { quote: best, placed, atMs: gate.clock.nowMs() };
  return decideByDrawing(gate, principal, { model, parsed }, placing, best, fallbacks);
}

async function decideByDrawing<Placed>(
  gate: GatewayDeps,
  principal: Principal,
  { model, parsed }: FallbackModel,
  placing: HoldStrategy<Placed>,
  likely: HeldQuote,
  fallbacks: readonly FallbackModel[],
): Promise<Decision<Placed>> {
  const { purses } = gate;
  const failure = await purses.acquaint(principal, likely.hold);
  if (failure !== null) return { quote: likely, refusal: unavailableRefusal() };
  const candidates = quotesOfAll(model, parsed, fallbacks, purses.available(principal));
  const atMs = gate.clock.nowMs();
  const last = candidates.at(-1) ?? candidates[0];
  for (const quote of candidates.slice(0, -1)) {
    const placed = await placing.now(quote, purses, principal);
    if (placed !== null) return { quote, placed, atMs };
  }
  const waited = await placing.wait(last, purses, principal);
  if ('placed' in waited) return { quote: last, placed: waited.placed, atMs };
  return { quote: last, refusal: shortageRefusal(model, parsed, last, waited) };
}

/** The quotes of a request whose hold covers each model that may answer it. */
function quotesOfAll(
  model: Model,
  parsed: ParsedRequest,
  fallbacks: readonly FallbackModel[],
  available: bigint | null,
): readonly [HeldQuote, ...HeldQuote[]] {
  const own = quotesFor(model, parsed, available);
  if (fallbacks.length === 0) return own;
  const all = fallbacks.map((each) => quotesFor(each.model, each.parsed, available));
  const heldAt = (at: number): HeldQuote => {
    const quote = own[at] ?? own.at(-1) ?? own[0];
    const others = all.map((quotes) => quotes[at] ?? quotes.at(-1) ?? quotes[0]);
    const hold = others.reduce((most, other) => (other.hold > most ? other.hold : most), quote.hold);
    return { ...quote, hold, others };
  };
  const rest = Array.from({ length: Math.max(...[own, ...all].map(({ length }) => length)) - 1 }, (_, at) =>
    heldAt(at + 1),
  );
  return [heldAt(0), ...rest];
}

function quotesFor(model: Model, parsed: ParsedRequest, available: bigint | null): readonly [Quote, ...Quote[]] {
  const inputMax = inputMaxOf(model, parsed);
  const { input, text, tools, audio, tier } = parsed.request;
  const sold = quotedTerms(model.terms, tier);
  if (text === null) return [quoteInput(sold, inputMax, input.requestsMax)];
  const { choices, maxTokens, isCeiling, isUncapped } = text;
  // A ceiling bounds the cap like the model's own maximum.
  const terms = isCeiling ? { ...sold, maxOutput: maxTokens ?? sold.maxOutput } : sold;
  const named = isCeiling ? null : maxTokens;
  const firm = isUncapped ? terms.maxOutput : named;
  const beside = { maxCost: parsed.maxCost, usesBound: tools?.bound ?? null, ...quotedContentOf(text, audio) };
  return quoteChat(terms, inputMax, choices, firm, available, beside);
}
