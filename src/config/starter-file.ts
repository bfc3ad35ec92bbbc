import { Document, isMap, isSeq } from 'yaml';
import { formatPercent } from '../domain/price-adjustment.ts';
import type { EntryPrice } from './price-map/map-rates.ts';
import { modelEntry, type ModelEntry } from './price-map/model-entries.ts';
import type { MapModel } from './price-map/price-map.ts';

// The text of a first config file: one provider, and some of its models with their cost and a mark-up.

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

/** A model as the config file has it, sold at a mark-up. */
type MarkedUpEntry = Omit<ModelEntry, 'price' | 'routes'> & {
  readonly routes: readonly [ModelEntry['routes'][0] & { readonly cost: EntryPrice }];
  readonly markup: string;
};

/** The config file's text. */
export function starterFile({ provider, section, models, markUp, comment }: Starter): string {
  const entries = models.map((model) => markedUpEntry(model, provider, markUp));
  const document = new Document({ providers: { [provider]: section }, models: entries });
  document.commentBefore = comment.replace(/^/gm, ' ');
  const list = document.get('models');
  if (isSeq(list)) {
    for (const entry of list.items) {
      if (!isMap(entry)) continue;
      const routes = entry.get('routes');
      if (isSeq(routes)) routes.flow = true;
    }
  }
  return document.toString({ lineWidth: 0 });
}

/** The entry of a model that is sold at what it costs and the mark-up. */
function markedUpEntry(model: MapModel, provider: string, markUp: number): MarkedUpEntry {
  const {
    price,
    routes: [route],
    ...entry
  } = modelEntry(model, provider);
  return { ...entry, routes: [{ ...route, cost: price }], markup: `${formatPercent(markUp)}%` };
}
