import type { ModelConfig } from '../../config/config.ts';
import { isEmbeddingName, type ModelKind, type ModelTerms } from '../../domain/model.ts';
import type { Price } from '../../domain/price.ts';
import { isObject, type JsonObject } from '../openai/json-object.ts';

// A local server's own list of models, read as models of the catalogue that cost nothing.

export type LocalServerKind = 'ollama' | 'llamacpp' | 'vllm' | 'lmstudio';

/** The relevant part of one entry of the server's list. */
export interface LocalModel {
  readonly id: string;
  readonly ownedBy: string;
  /** Total tokens of input and output; null if the server doesn't report it. */
  readonly contextWindow: number | null;
  readonly kind: ModelKind;
}

/**
 * The context window if a server reports none, as Ollama and LM Studio. It only bounds holds and requests, and these
 * models cost nothing, so it is large enough for a long conversation and small enough to run at home.
 */
const CONTEXT_WINDOW_DEFAULT = 32_768;
const OUTPUT_MAX = 32_768;
const MODELS_MAX = 500;

const FREE: Price = {
  rates: {
    input: 0n,
    cached_input: 0n,
    cache_write_5m: 0n,
    cache_write_1h: 0n,
    audio_input: 0n,
    output: 0n,
    audio_output: 0n,
  },
  tiers: [],
};

/** Most servers list rerank and moderation models without their kind. */
const RERANK_NAME = /rerank/i;
const MODERATION_NAME = /moderation/i;

/** The bound of the config file. */
const TOKENS_MAX = 1_000_000_000;

function positiveInteger(...candidates: readonly unknown[]): number | null {
  const found = candidates.find(
    (value) => Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= TOKENS_MAX,
  );
  return (found as number | undefined) ?? null;
}

function localModel(entry: JsonObject): LocalModel | null {
  const id = entry['id'];
  if (typeof id !== 'string' || id === '' || id.length > 200) return null;
  const meta = isObject(entry['meta']) ? entry['meta'] : {};
  return {
    id,
    ownedBy: typeof entry['owned_by'] === 'string' ? entry['owned_by'] : '',
    contextWindow: positiveInteger(
      entry['max_model_len'],
      meta['n_ctx'],
      meta['n_ctx_train'],
      entry['max_context_length'],
    ),
    kind: kindOf(id, entry['type']),
  };
}

function kindOf(id: string, type: unknown): ModelKind {
  if (RERANK_NAME.test(id)) return 'rerank';
  if (MODERATION_NAME.test(id)) return 'moderation';
  const isEmbedding = typeof type === 'string' ? type.startsWith('embedding') : isEmbeddingName(id);
  return isEmbedding ? 'embedding' : 'chat';
}

/** Reads the answer to `GET /v1/models`; null if it isn't a list of models. */
export function readModelList(body: Buffer): readonly LocalModel[] | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString());
  } catch {
    return null;
  }
  const data = isObject(parsed) ? parsed['data'] : null;
  if (!Array.isArray(data)) return null;
  return (data as readonly unknown[])
    .slice(0, MODELS_MAX)
    .filter(isObject)
    .map(localModel)
    .filter((model) => model !== null);
}

/** llama.cpp names a model by the path of its file, which is private. */
function publicName(id: string): string {
  if (!id.startsWith('/') && !id.endsWith('.gguf')) return id;
  return id.slice(Math.max(id.lastIndexOf('/'), id.lastIndexOf('\\')) + 1).replace(/\.gguf$/, '');
}

function termsOf(model: LocalModel): ModelTerms {
  const contextWindow = model.contextWindow ?? CONTEXT_WINDOW_DEFAULT;
  // Half of the window is left for the input.
  const maxOutput = Math.max(1, Math.min(Math.floor(contextWindow / 2), OUTPUT_MAX));
  return {
    kind: model.kind,
    price: FREE,
    contextWindow,
    maxOutput: model.kind === 'chat' ? maxOutput : 0,
    media: { imageTokens: null, audioTokens: null, fileTokens: null },
  };
}

/** A local server's model as a model of the catalogue, with the id `<provider>/<model>`. */
export function localModelConfig(provider: string, model: LocalModel): ModelConfig {
  return {
    id: `${provider}/${publicName(model.id)}`,
    terms: termsOf(model),
    routes: [{ provider, upstreamModel: model.id }],
    reasoning: false,
  };
}
