import type { MediaCaps } from '../domain/model.ts';
import type { Price, Rates } from '../domain/price.ts';
import type { ModelConfig } from './config.ts';
import type { FilePrice, FileRates } from './file-prices.ts';
import type { FileModel } from './file-schema.ts';

/** The model with every default filled in. */
export function toModelConfig(model: FileModel): ModelConfig {
  return {
    id: model.id,
    terms: {
      kind: model.kind,
      price: toPrice(model.price),
      contextWindow: model.context_window,
      maxOutput: model.max_output ?? 0,
      media: toMediaCaps(model.media),
    },
    routes: model.routes.map(({ provider, model: upstreamModel, weight, cost }) => ({
      provider,
      upstreamModel,
      ...(weight === undefined ? {} : { weight }),
      ...(cost === undefined ? {} : { cost: toPrice(cost) }),
    })),
    reasoning: model.reasoning,
  };
}

function toPrice(price: FilePrice): Price {
  const tiers = (price.tiers ?? []).map((tier) => ({
    aboveInputTokens: tier.above_input_tokens,
    rates: toRates(tier),
  }));
  return { rates: toRates(price), tiers };
}

/** A class without a rate of its own costs what plain input (or output) of the same tier costs. */
function toRates(rates: FileRates): Rates {
  const output = rates.output ?? 0n;
  return {
    input: rates.input,
    cached_input: rates.cached_input ?? rates.input,
    cache_write_5m: rates.cache_write_5m ?? rates.input,
    cache_write_1h: rates.cache_write_1h ?? rates.input,
    audio_input: rates.audio_input ?? rates.input,
    output,
    audio_output: rates.audio_output ?? output,
  };
}

function toMediaCaps(media: FileModel['media']): MediaCaps {
  return {
    imageTokens: media.image_tokens ?? null,
    audioTokens: media.audio_tokens ?? null,
    fileTokens: media.file_tokens ?? null,
  };
}
