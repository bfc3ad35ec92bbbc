import type { CapField, OpenAiProviderConfig } from '../../../config/config.ts';
import type { ServiceTier } from '../../../domain/service-tier.ts';
import type { ChatExtra } from '../../openai/chat-extras.ts';
import type { StructuredSupport } from '../upstream.ts';

// Differences between servers with OpenAI's API, as data. Quirks of their answers need no entry: usage and chunks are
// read the same way for all servers (openai/usage.ts), so that unknown servers are understood too.

type ProfileName = NonNullable<OpenAiProviderConfig['profile']>;

export interface OpenAiProfile {
  /** The domains of these servers. */
  readonly domains?: readonly string[];
  /** A port that only this server commonly uses. */
  readonly port?: number;
  /** The field for an output cap that it obeys. */
  readonly capField: CapField;
  /** Without a cap it generates until its context window is full, or without end. */
  readonly needsCap: boolean;
  /** It pads each chunk of a stream with a random text unless asked not to. */
  readonly padsStreams: boolean;
  /** Its support of a JSON schema in `response_format`. */
  readonly structuredSupport: StructuredSupport;
  /** The provider whose part of JSON Schema it accepts; absent if it accepts any. */
  readonly schemaProvider?: 'openai' | 'gemini';
  /** Whether it implements Responses too. */
  readonly speaksResponses: boolean;
  /** It compacts conversations of Responses. */
  readonly compacts?: true;
  /** It counts the input tokens of Responses. */
  readonly countsTokens?: true;
  /** Whether legacy completions work with every model: elsewhere chat models answer 404, like unknown ones. */
  readonly hasCompletions: boolean;
  /** Fields for more than text that it may support, depending on the model. */
  readonly chatExtras: readonly ChatExtra[];
  /** The service tiers that requests to it may name. */
  readonly serviceTiers: readonly ServiceTier[];
  /** Whether it may need the model's unsigned reasoning back, in the `reasoning_content` of messages. */
  readonly readsReasoning: boolean;
  /** Fields that it refuses although they don't affect the answer: they are left out. */
  readonly unread: readonly string[];
}

const NO_TIERS: readonly ServiceTier[] = [];
const TIERS: readonly ServiceTier[] = ['flex', 'priority'];

const HOSTED: OpenAiProfile = {
  capField: 'max_tokens',
  needsCap: false,
  padsStreams: false,
  structuredSupport: 'strict',
  speaksResponses: false,
  hasCompletions: false,
  chatExtras: ['web_search_options'],
  serviceTiers: NO_TIERS,
  readsReasoning: true,
  unread: [],
};

/** Servers on the operator's own machines, bounded by the context window at best. */
const LOCAL: OpenAiProfile = { ...HOSTED, needsCap: true, speaksResponses: true, hasCompletions: true };

const PROFILES: Readonly<Record<ProfileName, OpenAiProfile>> = {
  // For an unknown server, these fields are sent only if the operator has priced what they buy.
  generic: { ...HOSTED, chatExtras: ['web_search_options', 'audio'], serviceTiers: TIERS },
  openai: {
    ...HOSTED,
    domains: ['api.openai.com'],
    capField: 'max_completion_tokens',
    padsStreams: true,
    chatExtras: ['web_search_options', 'prediction', 'audio'],
    serviceTiers: TIERS,
    schemaProvider: 'openai',
    speaksResponses: true,
    compacts: true,
    readsReasoning: false,
    countsTokens: true,
  },
  ollama: { ...LOCAL, port: 11_434 },
  vllm: LOCAL,
  llamacpp: LOCAL,
  lmstudio: { ...LOCAL, port: 1_234 },
  groq: {
    ...HOSTED,
    domains: ['api.groq.com'],
    capField: 'max_completion_tokens',
    serviceTiers: TIERS,
    readsReasoning: false,
  },
  xai: { ...HOSTED, domains: ['api.x.ai'], capField: 'max_completion_tokens' },
  deepseek: { ...HOSTED, domains: ['api.deepseek.com'], structuredSupport: 'json_mode' },
  mistral: {
    ...HOSTED,
    domains: ['mistral.ai'],
    readsReasoning: false,
    // It answers 422 to any unknown field, and always reports usage in streams.
    unread: ['stream_options', 'user', 'store', 'service_tier', 'safety_identifier', 'prompt_cache_key'],
  },
  openrouter: {
    ...HOSTED,
    domains: ['openrouter.ai'],
    speaksResponses: true,
    chatExtras: ['web_search_options', 'audio'],
    serviceTiers: TIERS,
  },
  together: { ...HOSTED, domains: ['api.together.xyz', 'api.together.ai'] },
  fireworks: { ...HOSTED, domains: ['api.fireworks.ai'] },
  perplexity: { ...HOSTED, domains: ['api.perplexity.ai'] },
  qwen: {
    ...HOSTED,
    domains: ['dashscope.aliyuncs.com', 'dashscope-intl.aliyuncs.com', 'dashscope-us.aliyuncs.com'],
    structuredSupport: 'json_mode',
    chatExtras: ['web_search_options', 'audio'],
  },
  moonshot: {
    ...HOSTED,
    domains: ['api.moonshot.ai', 'api.moonshot.cn'],
    capField: 'max_completion_tokens',
    structuredSupport: 'json_mode',
  },
  gemini: {
    ...HOSTED,
    domains: ['generativelanguage.googleapis.com'],
    schemaProvider: 'gemini',
    readsReasoning: false,
  },
  // It accepts `response_format` and ignores it.
  anthropic: { ...HOSTED, domains: ['api.anthropic.com'], structuredSupport: 'tool', readsReasoning: false },
};

function isUnder(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

function isAt({ domains = [], port }: OpenAiProfile, base: URL): boolean {
  return domains.some((domain) => isUnder(base.hostname, domain)) || (port !== undefined && base.port === String(port));
}

/** A provider's profile: the one that it names, else that of its address, changed by its own settings. */
export function profileOf(provider: OpenAiProviderConfig): OpenAiProfile {
  const base = new URL(provider.baseUrl);
  const profile =
    provider.profile === null
      ? (Object.values(PROFILES).find((each) => isAt(each, base)) ?? PROFILES.generic)
      : PROFILES[provider.profile];
  return {
    ...profile,
    capField: provider.capField ?? profile.capField,
    needsCap: provider.needsCap ?? profile.needsCap,
    hasCompletions: provider.hasCompletions ?? profile.hasCompletions,
  };
}
