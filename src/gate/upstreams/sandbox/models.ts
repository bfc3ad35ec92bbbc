import type { ModelConfig, SandboxProviderConfig } from '../../../config/config.ts';
import { assert } from '../../../lib/assert.ts';
import type { MediaCaps, ModelTerms } from '../../../domain/model.ts';
import { parseUsd, type NanoUsd } from '../../../domain/money.ts';
import type { Price } from '../../../domain/price.ts';

// The sandbox's models. Most prices are small but not zero, so that a first call already shows on the bill.

export const SANDBOX_PROVIDER_NAME = 'sandbox';

/** The sandbox as a provider; it is in this process, so it has no address and no key. */
export const SANDBOX_PROVIDER: SandboxProviderConfig = Object.freeze({
  name: SANDBOX_PROVIDER_NAME,
  kind: 'sandbox',
  baseUrl: 'sandbox:',
  apiKey: null,
  proxy: null,
  tls: null,
  concurrencyMax: null,
  drains: false,
});

export const SANDBOX_CHAT_MODELS = ['echo', 'slow', 'error', 'tool-call', 'json'] as const;
export type SandboxChatModel = (typeof SANDBOX_CHAT_MODELS)[number];
export const SANDBOX_EMBEDDING_MODEL = 'embedding';
export const SANDBOX_RERANK_MODEL = 'rerank';
export const SANDBOX_MODERATION_MODEL = 'moderation';

export const SANDBOX_CONTEXT_WINDOW = 32_768;
/** The most output tokens of one choice. */
export const SANDBOX_MAX_OUTPUT = 8_192;

/** The sandbox ignores media, so none of it counts. */
const NO_MEDIA: MediaCaps = { imageTokens: 0, audioTokens: 0, fileTokens: 0 };

function usdPerMillion(text: string): NanoUsd {
  const amount = parseUsd(text);
  assert(amount !== null, `${text} is an amount of USD`);
  return amount;
}

function flatPrice(inputUsd: string, outputUsd: string): Price {
  const input = usdPerMillion(inputUsd);
  const output = usdPerMillion(outputUsd);
  return {
    rates: {
      input,
      cached_input: input,
      cache_write_5m: input,
      cache_write_1h: input,
      audio_input: input,
      output,
      audio_output: output,
    },
    tiers: [],
  };
}

const CHAT_TERMS: ModelTerms = {
  kind: 'chat',
  price: flatPrice('0.25', '2.00'),
  contextWindow: SANDBOX_CONTEXT_WINDOW,
  maxOutput: SANDBOX_MAX_OUTPUT,
  media: NO_MEDIA,
};

const EMBEDDING_TERMS: ModelTerms = {
  kind: 'embedding',
  price: flatPrice('0.02', '0'),
  contextWindow: SANDBOX_CONTEXT_WINDOW,
  maxOutput: 0,
  media: NO_MEDIA,
};

const RERANK_TERMS: ModelTerms = { ...EMBEDDING_TERMS, kind: 'rerank', price: flatPrice('0.05', '0') };
/** Free, as those of OpenAI are. */
const MODERATION_TERMS: ModelTerms = { ...EMBEDDING_TERMS, kind: 'moderation', price: flatPrice('0', '0') };

function sandboxModel(name: string, terms: ModelTerms): ModelConfig {
  const routes = [{ provider: SANDBOX_PROVIDER_NAME, upstreamModel: name }];
  return { id: `sandbox/${name}`, terms, routes, reasoning: false };
}

/** Every sandbox model, ready for the catalogue. */
export const SANDBOX_MODELS: readonly ModelConfig[] = Object.freeze([
  ...SANDBOX_CHAT_MODELS.map((name) => sandboxModel(name, CHAT_TERMS)),
  sandboxModel(SANDBOX_EMBEDDING_MODEL, EMBEDDING_TERMS),
  sandboxModel(SANDBOX_RERANK_MODEL, RERANK_TERMS),
  sandboxModel(SANDBOX_MODERATION_MODEL, MODERATION_TERMS),
]);

/** The names of the sandbox's models in routes. */
export function sandboxModels(): readonly string[] {
  return SANDBOX_MODELS.flatMap(({ routes }) => routes.map(({ upstreamModel }) => upstreamModel));
}
