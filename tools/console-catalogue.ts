import type { HistoryModel } from './console-history.ts';

// What the pictured instance sells: models as they are named and priced elsewhere, all of them served by one mock.

interface Surroundings {
  /** The base URL of the mock. */
  readonly upstream: string;
  readonly stripe: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
}

/** The instance's config file. One provider refuses its key, so that a route rests. */
export function configText({ upstream, stripe, secretKey, webhookSecret }: Surroundings): string {
  return `
payments:
  stripe: { secret_key: ${secretKey}, base_url: "${stripe}", webhook_secret: ${webhookSecret} }
  fee: { percent: "5.5", min: "0.80" }
providers:
  openai: { kind: openai, base_url: "${upstream}" }
  anthropic: { kind: openai, base_url: "${upstream}" }
  google: { kind: openai, base_url: "${upstream}" }
  spare: { kind: openai, base_url: "${upstream}" }
models:
  - id: openai/gpt-5
    routes: [{ provider: openai, model: gpt-5, cost: { input: "1.10", cached_input: "0.11", output: "9" } }]
    price: { input: "1.25", cached_input: "0.125", output: "10" }
    context_window: 400000
    max_output: 128000
  - id: openai/gpt-5-mini
    routes: [{ provider: openai, model: gpt-5-mini }]
    price: { input: "0.25", cached_input: "0.025", output: "2" }
    context_window: 400000
    max_output: 128000
  - id: openai/text-embedding-3-small
    kind: embedding
    routes: [{ provider: openai, model: text-embedding-3-small }]
    price: { input: "0.02" }
    context_window: 8192
  - id: anthropic/claude-sonnet-4.5
    routes: [{ provider: anthropic, model: claude-sonnet-4-5 }]
    price:
      input: "3"
      cached_input: "0.30"
      cache_write_5m: "3.75"
      cache_write_1h: "6"
      output: "15"
      tiers: [{ above_input_tokens: 200000, input: "6", cached_input: "0.60", output: "22.50" }]
    context_window: 1000000
    max_output: 64000
  - id: google/gemini-2.5-flash
    routes: [{ provider: google, model: gemini-2.5-flash }]
    price: { input: "0.30", cached_input: "0.03", audio_input: "1", output: "2.50" }
    context_window: 1048576
    max_output: 65536
  - id: meta/llama-3.3-70b
    routes: [{ provider: spare, model: error-401 }, { provider: openai, model: llama-3.3-70b }]
    price: { input: "0.59", output: "0.79" }
    context_window: 131072
    max_output: 32768
`;
}

/** How much each model is used. */
export const MODELS: readonly HistoryModel[] = [
  ['openai/gpt-5', 24, 90_000, 1_800, 'openai', 'gpt-5'],
  ['openai/gpt-5-mini', 34, 40_000, 900, 'openai', 'gpt-5-mini'],
  ['anthropic/claude-sonnet-4.5', 16, 70_000, 1_400, 'anthropic', 'claude-sonnet-4-5'],
  ['google/gemini-2.5-flash', 12, 120_000, 700, 'google', 'gemini-2.5-flash'],
  ['openai/text-embedding-3-small', 14, 4_000, 0, 'openai', 'text-embedding-3-small'],
].map(([id, share, input, output, provider, upstreamModel]) => ({
  id: String(id),
  share: Number(share),
  input: Number(input),
  output: Number(output),
  route: { provider: String(provider), upstreamModel: String(upstreamModel) },
}));
