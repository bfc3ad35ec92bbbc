import type { ProviderConfig } from '../../../config/config.ts';
import type { Dialect } from '../../../domain/receipt.ts';

// The names of spans and attributes, all in this file. OpenTelemetry's conventions for generative AI are in development: a
// release of them may rename any of GEN_AI, and CONVENTIONS says which one these are.

/** The release of open-telemetry/semantic-conventions-genai that GEN_AI follows. */
export const CONVENTIONS = '0.1.0-development';

export const GEN_AI = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  stream: 'gen_ai.request.stream',
  finishReasons: 'gen_ai.response.finish_reasons',
  firstChunkSeconds: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheWriteTokens: 'gen_ai.usage.cache_write.input_tokens',
} as const;

/** OpenTelemetry's stable attributes. */
export const GENERAL = {
  error: 'error.type',
  method: 'http.request.method',
  route: 'http.route',
  status: 'http.response.status_code',
  host: 'server.address',
  port: 'server.port',
} as const;

/** Attributes of this program alone. */
export const FAREGATE = {
  requestId: 'faregate.request_id',
  clientRequestId: 'faregate.client_request_id',
  workspaceId: 'faregate.workspace_id',
  projectId: 'faregate.project_id',
  keyId: 'faregate.key_id',
  dialect: 'faregate.dialect',
  outcome: 'faregate.outcome',
  code: 'faregate.code',
  provider: 'faregate.provider',
  upstreamModel: 'faregate.upstream_model',
  chargeUsd: 'faregate.charge_usd',
  chargeNanoUsd: 'faregate.charge_nano_usd',
  usage: 'faregate.usage',
  conventions: 'faregate.gen_ai_conventions',
} as const;

export const ADMISSION_SPAN = 'admission';
export const SETTLEMENT_SPAN = 'settlement';

/** What a request of this dialect does, as the conventions call it. They have no words for ranking and moderation. */
export const OPERATIONS: Readonly<Record<Dialect, string>> = {
  chat_completions: 'chat',
  messages: 'chat',
  responses: 'chat',
  completions: 'text_completion',
  embeddings: 'embeddings',
  rerank: 'rerank',
  moderations: 'moderation',
};

/** The conventions' names of providers that speak OpenAI's API, by their profiles. */
const BY_PROFILE: Readonly<Record<string, string>> = {
  openai: 'openai',
  groq: 'groq',
  xai: 'x_ai',
  deepseek: 'deepseek',
  mistral: 'mistral_ai',
  perplexity: 'perplexity',
  qwen: 'alibaba.qwen',
  moonshot: 'moonshot_ai',
  gemini: 'gcp.gemini',
  anthropic: 'anthropic',
};

const BY_KIND: Readonly<Record<Exclude<ProviderConfig['kind'], 'openai'>, string>> = {
  anthropic: 'anthropic',
  azure: 'azure.ai.openai',
  gemini: 'gcp.gemini',
  sandbox: 'faregate.sandbox',
};

/** The conventions' name of a provider; the one in the config file if they have none. */
export function providerNameOf(provider: ProviderConfig): string {
  if (provider.kind !== 'openai') return BY_KIND[provider.kind];
  return BY_PROFILE[provider.profile ?? ''] ?? provider.name;
}
