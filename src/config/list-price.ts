import { adjustedRate } from '../domain/price-adjustment.ts';
import type { Rates } from '../domain/price.ts';
import { SERVICE_TIERS } from '../domain/service-tier.ts';
import { TOKEN_CLASSES, type TokenClass } from '../domain/usage.ts';
import { USE_CLASSES, type UseClass } from '../domain/uses.ts';
import { toRates } from './config-price.ts';
import type { FilePrice, FileRates, FileServiceTier } from './file-prices.ts';
import type { FileModel } from './file-schema.ts';

// The price of a model in the form of the file: written there, or made of what its routes cost and its mark-up.

/** The model's price; null if it has none, or a mark-up and a route of unknown cost. */
export function listPriceOf({ kind, price, markup, routes }: FileModel): FilePrice | null {
  if (price !== undefined) return price;
  const costs = routes.flatMap(({ cost }) => (cost === undefined ? [] : [cost]));
  if (markup === undefined || costs.length < routes.length) return null;
  return markedUpPrice(kind === 'chat' ? costs : costs.map(withoutAnswers), markup);
}

/**
 * The price above these costs by the mark-up, in basis points: of each class of tokens and of each use the highest cost at
 * that length of input, plus the mark-up, rounded up to one nano-USD. So no route costs more than callers pay.
 */
export function markedUpPrice(costs: readonly FilePrice[], markup: number): FilePrice {
  const fees = markedUpFees(costs, markup);
  const serviceTiers = markedUpServiceTiers(costs, markup);
  return {
    ...markedUpTiers(costs, markup),
    ...(Object.keys(fees).length > 0 && { fees }),
    ...(Object.keys(serviceTiers).length > 0 && { service_tiers: serviceTiers }),
  };
}

function markedUpTiers(costs: readonly FileServiceTier[], markup: number): FileServiceTier {
  const starts = costs.flatMap(({ tiers = [] }) => tiers.map((tier) => tier.above_input_tokens));
  const tiers = [...new Set(starts)]
    .toSorted((left, right) => left - right)
    .map((above) => ({ above_input_tokens: above, ...markedUpRates(costs, above, markup) }));
  return { ...markedUpRates(costs, 0, markup), ...(tiers.length > 0 && { tiers }) };
}

/** The service tiers that the costs of all routes have: a route without one may serve it at a cost that isn't known. */
function markedUpServiceTiers(costs: readonly FilePrice[], markup: number): NonNullable<FilePrice['service_tiers']> {
  const entries = SERVICE_TIERS.flatMap((tier) => {
    const own = costs.flatMap(({ service_tiers: served }) => served?.[tier] ?? []);
    return own.length < costs.length ? [] : [[tier, markedUpTiers(own, markup)] as const];
  });
  return Object.fromEntries(entries);
}

/** The rates of requests with more input than this. */
function markedUpRates(costs: readonly FileServiceTier[], above: number, markup: number): FileRates {
  const written = costs.map(
    ({ tiers = [], ...base }) => tiers.findLast((tier) => tier.above_input_tokens <= above) ?? base,
  );
  const filled = written.map(toRates);
  const named = TOKEN_CLASSES.filter((tokenClass) => written.some((rates) => rates[tokenClass] !== undefined));
  const entries = named.map((tokenClass) => [tokenClass, adjustedRate(highest(filled, tokenClass), markup)] as const);
  return { input: 0n, ...Object.fromEntries(entries) };
}

function highest(rates: readonly Rates[], tokenClass: TokenClass): bigint {
  return rates.reduce((most, each) => (each[tokenClass] > most ? each[tokenClass] : most), 0n);
}

function markedUpFees(costs: readonly FilePrice[], markup: number): Partial<Record<UseClass, bigint>> {
  const entries = USE_CLASSES.flatMap((useClass) => {
    const asked = costs.flatMap(({ fees }) => (fees?.[useClass] === undefined ? [] : [fees[useClass]]));
    const most = asked.reduce((highestFee, fee) => (fee > highestFee ? fee : highestFee), 0n);
    return asked.length === 0 ? [] : [[useClass, adjustedRate(most, markup)] as const];
  });
  return Object.fromEntries(entries);
}

/** The cost of a model that writes nothing and runs no tools: only a request has a fee. */
function withoutAnswers({ tiers, fees, ...rates }: FilePrice): FilePrice {
  return {
    ...silent(rates),
    ...(tiers && { tiers: tiers.map((tier) => ({ ...silent(tier), above_input_tokens: tier.above_input_tokens })) }),
    ...(fees?.request !== undefined && { fees: { request: fees.request } }),
  };
}

function silent<Named extends FileRates>({ output: _output, audio_output: _audio, ...rates }: Named) {
  return rates;
}
