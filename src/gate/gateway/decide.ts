import type { Model } from '../../domain/model.ts';
import type { Principal } from '../../domain/principal.ts';
import { type Quote, quoteChat, quoteInput } from '../../domain/quote.ts';
import { quotedTerms } from '../../domain/tier-price.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { MaybeAsync } from '../../lib/maybe-async.ts';
import type { HoldFailure } from '../purses/leases/purses.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { maxCostRefusal, shortageRefusal, unavailableRefusal } from './money-refusal.ts';
import { quotedContentOf } from './quoted-content.ts';
import type { ParsedRequest } from './read.ts';
import { inputMaxOf } from './take-permit.ts';

/** Strategy applied to an affordable quote: place a hold, or only report. */
export interface HoldStrategy<Placed> {
  /** Applies if the money is available in memory; else null. */
  fromMemory(quote: Quote): Placed | null;
  /** Applies if the money is available now, in memory or in the purses; else null. */
  now(quote: Quote): Promise<Placed | null>;
  /** Applies as soon as the money is available, waiting for what other requests hold. */
  wait(quote: Quote): Promise<{ readonly placed: Placed } | HoldFailure>;
}

/** The quote by which a request runs, or the refused quote with the reason. `atMs`: wall time, since the epoch. */
export type Decision<Placed> =
  | { readonly quote: Quote; readonly placed: Placed; readonly atMs: number }
  | { readonly quote: Quote; readonly refusal: Refusal };

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
): MaybeAsync<Decision<Placed>> {
  const { purses } = gate;
  const [best] = quotesFor(model, parsed, purses.available(principal));
  if (parsed.maxCost !== null && best.hold > parsed.maxCost) {
    return { quote: best, refusal: maxCostRefusal(model, parsed, best, parsed.maxCost) };
  }
  // Until its purses are loaded, no hold fits, whatever the quote.
  const placed = placing.fromMemory(best);
  if (placed !== null) return { quote: best, placed, atMs: gate.clock.nowMs() };
  return decideByDrawing(gate, principal, model, parsed, placing, best);
}

async function decideByDrawing<Placed>(
  gate: GatewayDeps,
  principal: Principal,
  model: Model,
  parsed: ParsedRequest,
  placing: HoldStrategy<Placed>,
  likely: Quote,
): Promise<Decision<Placed>> {
  const { purses } = gate;
  const failure = await purses.acquaint(principal, likely.hold);
  if (failure !== null) return { quote: likely, refusal: unavailableRefusal() };
  const candidates = quotesFor(model, parsed, purses.available(principal));
  const atMs = gate.clock.nowMs();
  const last = candidates.at(-1) ?? candidates[0];
  for (const quote of candidates.slice(0, -1)) {
    const placed = await placing.now(quote);
    if (placed !== null) return { quote, placed, atMs };
  }
  const waited = await placing.wait(last);
  if ('placed' in waited) return { quote: last, placed: waited.placed, atMs };
  return { quote: last, refusal: shortageRefusal(model, parsed, last, waited) };
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
