import { asObject, type ExactJson, type ExactJsonObject, JsonNumber, parseExactJson } from './exact-json.ts';
import { type EntryPrice, readPrice, UnfitEntry } from './map-rates.ts';

// Reads the community's price map: the JSON file that LiteLLM keeps as model_prices_and_context_window.json, an object
// of models with prices in USD per token. Inexact prices are left out.

/** A model of the map in the terms of the config file, without its routes. */
export interface MapModel {
  readonly id: string;
  /** The map's name for who runs it. */
  readonly vendor: string;
  /** The model's id there. */
  readonly upstreamModel: string;
  readonly kind: 'chat' | 'embedding';
  readonly price: EntryPrice;
  readonly contextWindow: number;
  /** Null for an embedding model. */
  readonly maxOutput: number | null;
  readonly reasoning: boolean;
}

/** An entry of the map: a model, or in one line why it can't be one here. */
export type MapEntry =
  | { readonly ok: true; readonly id: string; readonly vendor: string; readonly model: MapModel }
  | { readonly ok: false; readonly id: string; readonly vendor: string; readonly reason: string };

/** The entry that explains the others. */
const SPECIMEN = 'sample_spec';
const MODEL_ID = /^[A-Za-z0-9][A-Za-z0-9/.:_@+-]{0,199}$/;
const TOKENS_MAX = 1_000_000_000n;
/** Vendors that search the web for every answer, at a price that isn't one per token. */
const ALWAYS_SEARCHES = /(^|\/)sonar|search-(preview|api)/;

/** The entries of the map, in its order; null if the text is no such map. */
export function readPriceMap(text: string): readonly MapEntry[] | null {
  let json: ExactJson;
  try {
    json = parseExactJson(text);
  } catch {
    return null;
  }
  const entries = Object.entries(asObject(json) ?? {}).filter(([id]) => id !== SPECIMEN);
  const objects = entries.map(([id, value]): [string, ExactJsonObject | null] => [id, asObject(value)]);
  if (!objects.some(([, entry]) => typeof entry?.['litellm_provider'] === 'string')) return null;
  return objects.map(([id, entry]) => readEntry(id, entry ?? {}));
}

function readEntry(id: string, entry: ExactJsonObject): MapEntry {
  const vendor = typeof entry['litellm_provider'] === 'string' ? entry['litellm_provider'] : '';
  try {
    return { ok: true, id, vendor, model: readModel(id, vendor, entry) };
  } catch (error) {
    if (!(error instanceof UnfitEntry)) throw error;
    return { ok: false, id, vendor, reason: error.message };
  }
}

function readModel(id: string, vendor: string, entry: ExactJsonObject): MapModel {
  if (!MODEL_ID.test(id)) throw new UnfitEntry('its name is no id of a model here');
  const kind = entry['mode'];
  if (kind !== 'chat' && kind !== 'embedding') {
    throw new UnfitEntry(
      `it is for ${typeof kind === 'string' ? `"${kind}"` : 'nothing that it names'}, not chat or embeddings`,
    );
  }
  if ('search_context_cost_per_query' in entry && ALWAYS_SEARCHES.test(id)) {
    throw new UnfitEntry('it charges for searches too');
  }
  const price = readPrice(entry);
  if (price.input === undefined) throw new UnfitEntry('its price for input is not known');
  if (kind === 'chat' && price.output === undefined) throw new UnfitEntry('its price for output is not known');
  if (isFree(price))
    throw new UnfitEntry('it costs nothing there; add it to the config file yourself if it is to be free here');
  return {
    id,
    vendor,
    upstreamModel: id.startsWith(`${vendor}/`) ? id.slice(vendor.length + 1) : id,
    kind,
    price: kind === 'chat' ? price : withoutOutput(price),
    ...readLimits(kind, entry),
    reasoning: entry['supports_reasoning'] === true,
  };
}

function isFree({ input, output }: EntryPrice): boolean {
  return [input, output].every((rate) => rate === undefined || /^[0.]+$/.test(rate));
}

function withoutOutput(price: EntryPrice): EntryPrice {
  const { output: _output, audio_output: _audio, ...rest } = price;
  return rest;
}

/**
 * The map counts what goes in and what comes out apart, and some models' input as the whole window. The sum is never
 * less than the window, so a request's hold is never less than its cost.
 */
function readLimits(kind: MapModel['kind'], entry: ExactJsonObject): Pick<MapModel, 'contextWindow' | 'maxOutput'> {
  const input = tokensOf(entry, 'max_input_tokens') ?? (kind === 'embedding' ? tokensOf(entry, 'max_tokens') : null);
  if (input === null) throw new UnfitEntry('its max_input_tokens is not known');
  if (kind === 'embedding') return { contextWindow: input, maxOutput: null };
  const output = tokensOf(entry, 'max_output_tokens') ?? tokensOf(entry, 'max_tokens');
  if (output === null) throw new UnfitEntry('its max_output_tokens is not known');
  return { contextWindow: input + output, maxOutput: output };
}

function tokensOf(entry: ExactJsonObject, name: string): number | null {
  const value = entry[name];
  const tokens = value instanceof JsonNumber ? value.scaled(0) : null;
  return tokens !== null && tokens > 0n && tokens < TOKENS_MAX / 2n ? Number(tokens) : null;
}
