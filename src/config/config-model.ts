import type { MediaCaps, SoldTools } from '../domain/model.ts';
import type { Fees, Price, Rates } from '../domain/price.ts';
import { HOSTED_TOOLS, USE_CLASSES } from '../domain/uses.ts';
import type { ModelConfig } from './config.ts';
import type { FilePrice, FileRates, FileTools } from './file-prices.ts';
import type { FileModel } from './file-schema.ts';

/** The most uses of a tool by one request, where neither says. */
const MAX_USES = 5;

/** The model with every default filled in. */
export function toModelConfig(model: FileModel): ModelConfig {
  const price = toPrice(model.price);
  const tools = toSoldTools(price.fees ?? {}, model.tools);
  return {
    id: model.id,
    terms: {
      kind: model.kind,
      price,
      contextWindow: model.context_window,
      maxOutput: model.max_output ?? 0,
      media: toMediaCaps(model.media),
      ...(Object.keys(tools).length > 0 && { tools }),
      ...(namesAudio(model.price) && { sellsAudio: true }),
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

/** Whether answers in audio have a rate of their own at every length of input. */
function namesAudio({ audio_output: rate, tiers = [] }: FilePrice): boolean {
  return rate !== undefined && tiers.every((tier) => tier.audio_output !== undefined);
}

function toPrice(price: FilePrice): Price {
  const tiers = (price.tiers ?? []).map((tier) => ({
    aboveInputTokens: tier.above_input_tokens,
    rates: toRates(tier),
  }));
  const fees = toFees(price.fees ?? {});
  return { rates: toRates(price), tiers, ...(Object.keys(fees).length > 0 && { fees }) };
}

function toFees(fees: NonNullable<FilePrice['fees']>): Fees {
  const given = USE_CLASSES.flatMap((useClass) => {
    const fee = fees[useClass];
    return fee === undefined ? [] : [[useClass, fee] as const];
  });
  return Object.fromEntries(given);
}

/** Each tool that has a fee, with the terms of its use. */
function toSoldTools(fees: Fees, terms: FileTools): SoldTools {
  const sold = HOSTED_TOOLS.filter((tool) => fees[tool] !== undefined).map((tool) => {
    const { max_uses: maxUses = MAX_USES, input_tokens: inputTokens = null } = terms[tool] ?? {};
    return [tool, { maxUses, inputTokens }] as const;
  });
  return Object.fromEntries(sold);
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
