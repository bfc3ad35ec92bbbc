import type { AdminClient } from '../../admin/client.ts';
import { table } from '../text-layout.ts';

type Model = Awaited<ReturnType<AdminClient['showModel']>>;

const SHOWN_CLASSES = ['input', 'cached_input', 'output'] as const;

/** The prices of models: a line for each price, or each tier of it. */
export function modelPricesText(models: readonly Model[]): string {
  const rows = models.flatMap((model) => {
    const prices = model.history.length === 0 ? [model.price] : model.history;
    return prices.flatMap(({ version, tiers, from, to }) =>
      tiers.map(({ above_input_tokens: above, rates }) => [
        model.id,
        version,
        above === 0 ? '' : `above ${above}`,
        ...shownRates(rates),
        from,
        to ?? (model.on_sale ? '' : 'has no route'),
      ]),
    );
  });
  const headings = ['MODEL', 'VERSION', 'INPUT TOKENS', 'INPUT', 'CACHED', 'OUTPUT', 'FROM', 'TO'];
  const text = table(headings, rows, 'No model is on sale.', ['VERSION', 'INPUT', 'CACHED', 'OUTPUT']);
  return rows.length === 0 ? text : `${text}\nPrices are USD per million tokens; --json has those of all classes.\n`;
}

type Rates = Model['price']['tiers'][number]['rates'];

/** The rates of the classes that tables have room for. */
export function shownRates(rates: Rates): readonly string[] {
  return SHOWN_CLASSES.map((shown) => rates.find((rate) => rate.class === shown)?.rate_usd ?? '');
}
