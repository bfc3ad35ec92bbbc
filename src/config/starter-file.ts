import { Document, isMap, isSeq } from 'yaml';
import { assert } from '../lib/assert.ts';
import { parseUsd, formatUsd } from '../domain/money.ts';
import { adjustedRate } from '../domain/price-adjustment.ts';
import { TOKEN_CLASSES } from '../domain/usage.ts';
import type { EntryPrice, EntryRates } from './price-map/map-rates.ts';
import { modelEntry, type ModelEntry } from './price-map/model-entries.ts';
import type { MapModel } from './price-map/price-map.ts';

// The text of a first config file: one provider, and some of its models with their cost and a price above it.

export interface Starter {
  readonly provider: string;
  /** The provider's section. */
  readonly section: Readonly<Record<string, string>>;
  readonly models: readonly MapModel[];
  /** What callers pay above the cost, in hundredths of a percent. */
  readonly markUp: number;
  /** Lines for those who read the file, without their `#`. */
  readonly comment: string;
}

/** The config file's text. */
export function starterFile({ provider, section, models, markUp, comment }: Starter): string {
  const entries = models.map((model) => pricedEntry(model, provider, markUp));
  const document = new Document({ providers: { [provider]: section }, models: entries });
  document.commentBefore = comment.replace(/^/gm, ' ');
  const list = document.get('models');
  if (isSeq(list)) {
    for (const entry of list.items) {
      if (!isMap(entry)) continue;
      for (const key of ['routes', 'price']) {
        const value = entry.get(key);
        if (isMap(value) || isSeq(value)) value.flow = true;
      }
    }
  }
  return document.toString({ lineWidth: 0 });
}

function pricedEntry(model: MapModel, provider: string, markUp: number): ModelEntry {
  const entry = modelEntry(model, provider);
  return {
    ...entry,
    routes: [{ ...entry.routes[0], cost: model.price }],
    price: markedUp(model.price, markUp),
  };
}

function markedUp({ tiers, ...rates }: EntryPrice, markUp: number): EntryPrice {
  return {
    ...markedUpRates(rates, markUp),
    ...(tiers && { tiers: tiers.map((tier) => ({ ...tier, ...markedUpRates(tier, markUp) })) }),
  };
}

function markedUpRates(rates: EntryRates, markUp: number): EntryRates {
  return Object.fromEntries(
    TOKEN_CLASSES.flatMap((tokenClass) => {
      const text = rates[tokenClass];
      if (text === undefined) return [];
      const rate = parseUsd(text);
      assert(rate !== null, 'rates of the price map are amounts');
      return [[tokenClass, formatUsd(adjustedRate(rate, markUp))]];
    }),
  );
}
