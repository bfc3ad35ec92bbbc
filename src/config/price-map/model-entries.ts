import { stringify } from 'yaml';
import type { EntryPrice } from './map-rates.ts';
import type { MapModel } from './price-map.ts';

// Models of the price map as entries of the config file.

/** A model as the config file has it. */
export interface ModelEntry {
  readonly id: string;
  readonly kind?: 'embedding';
  readonly routes: readonly [{ readonly provider: string; readonly model: string }];
  readonly price: EntryPrice;
  readonly context_window: number;
  readonly max_output?: number;
  readonly reasoning?: true;
}

/** The model as an entry with one route, to this provider. */
export function modelEntry(model: MapModel, provider: string): ModelEntry {
  const { id, kind, upstreamModel, price, contextWindow, maxOutput, reasoning } = model;
  return {
    id,
    ...(kind === 'embedding' ? { kind } : {}),
    routes: [{ provider, model: upstreamModel }],
    price,
    context_window: contextWindow,
    ...(maxOutput === null ? {} : { max_output: maxOutput }),
    ...(reasoning ? { reasoning } : {}),
  };
}

/** A model with what its provider asks, without a price. */
export type CostedEntry = Omit<ModelEntry, 'price' | 'routes'> & {
  readonly routes: readonly [ModelEntry['routes'][0] & { readonly cost: EntryPrice }];
};

/** The model as an entry that says what it costs. */
export function costedEntry(model: MapModel, provider: string): CostedEntry {
  const {
    price,
    routes: [route],
    ...entry
  } = modelEntry(model, provider);
  return { ...entry, routes: [{ ...route, cost: price }] };
}

/** The entries as a config file's `models`. */
export function entriesText(entries: readonly ModelEntry[]): string {
  return stringify({ models: entries }, { lineWidth: 0 });
}
