import type { MediaCaps, SoldTools } from '../domain/model.ts';
import type { Fees } from '../domain/price.ts';
import { HOSTED_TOOLS } from '../domain/uses.ts';
import { assert } from '../lib/assert.ts';
import type { ModelConfig } from './config.ts';
import { toPrice } from './config-price.ts';
import { toRoute } from './config-route.ts';
import type { FilePrice, FileTools } from './file-prices.ts';
import type { FileModel } from './file-schema.ts';
import { listPriceOf } from './list-price.ts';

/** The most uses of a tool by one request, where neither says. */
const MAX_USES = 5;

/** The model with every default filled in. */
export function toModelConfig(model: FileModel): ModelConfig {
  const written = listPriceOf(model);
  assert(written !== null, 'a model that has passed its checks has a price');
  const price = toPrice(written);
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
      ...(namesAudio(written) && { sellsAudio: true }),
    },
    routes: model.routes.map(toRoute),
    reasoning: model.reasoning,
    ...(model.fallback.length > 0 && { fallback: model.fallback }),
  };
}

/** Whether answers in audio have a rate of their own at every length of input. */
function namesAudio({ audio_output: rate, tiers = [] }: FilePrice): boolean {
  return rate !== undefined && tiers.every((tier) => tier.audio_output !== undefined);
}

/** Each tool that has a fee, with the terms of its use. */
function toSoldTools(fees: Fees, terms: FileTools): SoldTools {
  const sold = HOSTED_TOOLS.filter((tool) => fees[tool] !== undefined).map((tool) => {
    const { max_uses: maxUses = MAX_USES, input_tokens: inputTokens = null } = terms[tool] ?? {};
    return [tool, { maxUses, inputTokens }] as const;
  });
  return Object.fromEntries(sold);
}

function toMediaCaps(media: FileModel['media']): MediaCaps {
  return {
    imageTokens: media.image_tokens ?? null,
    audioTokens: media.audio_tokens ?? null,
    fileTokens: media.file_tokens ?? null,
  };
}
