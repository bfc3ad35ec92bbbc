import type { AdminClient } from '../../admin/client.ts';
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
  const rows = prices.flatMap(({ id, of, tiers, from, to }) =>
    tiers.map(({ above_input_tokens: above, rates }) => [
      id,
      of,
      above === 0 ? '' : `above ${above}`,
      ...shownRates(rates),
      from,
      to,
    ]),
  );
  const headings = ['MODEL', 'VERSION', 'INPUT TOKENS', 'INPUT', 'CACHED', 'OUTPUT', 'FROM', 'TO'];
  const text = table(headings, rows, 'No model is on sale.', ['VERSION', 'INPUT', 'CACHED', 'OUTPUT']);
  if (rows.length === 0) return text;
  return `${text}\nPrices are USD per million tokens; --json has those of all classes.\n${feesText('VERSION', prices)}`;
}

interface FeeSource extends Pick<Model['price'], 'fees' | 'from' | 'to'> {
  readonly id: string;
  /** The price version that has the fees, or the route. */
  readonly of: string | number;
}

/** A line for each fee; nothing if there is none. */
export function feesText(heading: string, sources: readonly FeeSource[]): string {
  const rows = sources.flatMap(({ id, of, fees, from, to }) =>
    fees.map(({ use, fee_usd: fee }) => [id, of, use.replaceAll('_', ' '), fee, from, to]),
  );
  if (rows.length === 0) return '';
  const headings = ['MODEL', heading, 'FEE PER', 'USD', 'FROM', 'TO'];
  return `\n${table(headings, rows, '', ['VERSION', 'USD'])}`;
}

type Rates = Model['price']['tiers'][number]['rates'];

/** The rates of the classes that tables have room for. */
export function shownRates(rates: Rates): readonly string[] {
  return SHOWN_CLASSES.map((shown) => rates.find((rate) => rate.class === shown)?.rate_usd ?? '');
}
