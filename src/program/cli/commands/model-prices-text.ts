import type { AdminClient } from '../../../control/admin/client.ts';
import { table } from '../text-layout.ts';

type Model = Awaited<ReturnType<AdminClient['showModel']>>;

const SHOWN_CLASSES = ['input', 'cached_input', 'output'] as const;

/** The prices of models: a line for each price, or each tier of it, and one for each fee. */
export function modelPricesText(models: readonly Model[]): string {
  const prices = models.flatMap((model) =>
    (model.history.length === 0 ? [model.price] : model.history).map((price) => ({
      ...price,
      id: model.id,
      of: price.version,
      to: price.to ?? (model.on_sale ? '' : 'has no route'),
    })),
  );
  const text = ratesText('VERSION', prices, 'No model is on sale.');
  if (prices.length === 0) return text;
  return `${text}\nPrices are USD per million tokens; --json has those of all classes.\n${serviceTiersText('VERSION', prices)}${feesText('VERSION', prices)}`;
}

/** What rates and fees are of, such as a price version or a route. */
interface PriceSource extends Pick<Model['price'], 'tiers' | 'service_tiers' | 'fees' | 'from' | 'to'> {
  /** The model's. */
  readonly id: string;
  readonly of: string | number;
}

/** A line for each source, or each tier of it, with the rates of the classes that a table has room for. */
export function ratesText(heading: string, sources: readonly PriceSource[], none: string): string {
  const rows = sources.flatMap(({ id, of, tiers, from, to }) =>
    tiers.map((tier) => [id, of, ...rateCells(tier), from, to]),
  );
  const headings = ['MODEL', heading, 'INPUT TOKENS', 'INPUT', 'CACHED', 'OUTPUT', 'FROM', 'TO'];
  return table(headings, rows, none, ['VERSION', 'INPUT', 'CACHED', 'OUTPUT']);
}

/** A line for each service tier of a source, or each tier of it by length of input; nothing if there is none. */
export function serviceTiersText(heading: string, sources: readonly PriceSource[]): string {
  const rows = sources.flatMap(({ id, of, service_tiers: serviceTiers, from, to }) =>
    serviceTiers.flatMap(({ tier: name, tiers }) => tiers.map((tier) => [id, of, name, ...rateCells(tier), from, to])),
  );
  if (rows.length === 0) return '';
  const headings = ['MODEL', heading, 'SERVICE TIER', 'INPUT TOKENS', 'INPUT', 'CACHED', 'OUTPUT', 'FROM', 'TO'];
  return `\n${table(headings, rows, '', ['VERSION', 'INPUT', 'CACHED', 'OUTPUT'])}`;
}

function rateCells({ above_input_tokens: above, rates }: Model['price']['tiers'][number]): readonly string[] {
  const shown = SHOWN_CLASSES.map((name) => rates.find((rate) => rate.class === name)?.rate_usd ?? '');
  return [above === 0 ? '' : `above ${above}`, ...shown];
}

/** A line for each fee; nothing if there is none. */
export function feesText(heading: string, sources: readonly PriceSource[]): string {
  const rows = sources.flatMap(({ id, of, fees, from, to }) =>
    fees.map(({ use, fee_usd: fee }) => [id, of, use.replaceAll('_', ' '), fee, from, to]),
  );
  if (rows.length === 0) return '';
  const headings = ['MODEL', heading, 'FEE PER', 'USD', 'FROM', 'TO'];
  return `\n${table(headings, rows, '', ['VERSION', 'USD'])}`;
}
