import type { CapField, OpenAiProviderConfig } from '../../../config/config.ts';
import type { ChatExtra } from '../../openai/chat-extras.ts';
import type { StructuredSupport } from '../upstream.ts';

// Differences between servers that speak OpenAI's protocol, as data. Quirks of their answers need no entry: usage and
// chunks are read the same way for all servers (openai/usage.ts), so that a server that isn't known here is understood
// too.

type ProfileName = NonNullable<OpenAiProviderConfig['profile']>;

export interface OpenAiProfile {
  /** Domains that these servers stand under. */
  readonly domains?: readonly string[];
  /** A port on which nothing else is usual. */
  readonly port?: number;
  /** The field in which it obeys an output cap. */
  readonly capField: CapField;
  /** Without a cap it writes on until its context window is full, or without end. */
  readonly needsCap: boolean;
  /** It pads each chunk of a stream with a random text unless asked not to. */
  readonly padsStreams: boolean;
  /** Its support of a JSON schema in `response_format`. */
  readonly structuredSupport: StructuredSupport;
  /** Whose part of JSON Schema it takes; absent if it takes any. */
  readonly schemaProvider?: 'openai' | 'gemini';
  /** It speaks Responses too. */
  readonly speaksResponses: boolean;
  /** It compacts conversations of Responses. */
  readonly compacts?: true;
  /** It counts the input tokens of Responses. */
  readonly countsTokens?: true;
  /** It continues texts, with every model: elsewhere a chat model would answer 404, as one that isn't there. */
  readonly hasCompletions: boolean;
  /** Fields that ask for more than text and that it may read, if its model does. */
  readonly chatExtras: readonly ChatExtra[];
  /** Whether it may want the model's unsigned reasoning back, in the `reasoning_content` of messages. */
  readonly readsReasoning: boolean;
  /** Fields that it refuses to read, though they have no bearing on an answer: they are left out. */
  readonly unread: readonly string[];
}

const HOSTED: OpenAiProfile = {
  capField: 'max_tokens',
  needsCap: false,
  padsStreams: false,
  structuredSupport: 'strict',
  speaksResponses: false,
  hasCompletions: false,
  chatExtras: ['web_search_options'],
  readsReasoning: true,
  unread: [],
};

/** They run on the operator's own machines, bounded by the context window at best. */
const LOCAL: OpenAiProfile = { ...HOSTED, needsCap: true, speaksResponses: true, hasCompletions: true };

const PROFILES: Readonly<Record<ProfileName, OpenAiProfile>> = {
  // Whether an unknown server reads a field is known to the operator, who has put a price to what it buys.
  generic: { ...HOSTED, chatExtras: ['web_search_options', 'audio'] },
  openai: {
    ...HOSTED,
    domains: ['api.openai.com'],
    capField: 'max_completion_tokens',
    padsStreams: true,
    chatExtras: ['web_search_options', 'prediction', 'audio'],
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
  groq: { ...HOSTED, domains: ['api.groq.com'], capField: 'max_completion_tokens', readsReasoning: false },
  xai: { ...HOSTED, domains: ['api.x.ai'], capField: 'max_completion_tokens' },
  deepseek: { ...HOSTED, domains: ['api.deepseek.com'], structuredSupport: 'json_mode' },
  mistral: {
    ...HOSTED,
    domains: ['mistral.ai'],
    readsReasoning: false,
    // It answers 422 to any field that it doesn't know, and reports usage in streams without being asked.
    unread: ['stream_options', 'user', 'store', 'service_tier', 'safety_identifier', 'prompt_cache_key'],
  },
  openrouter: {
    ...HOSTED,
    domains: ['openrouter.ai'],
    speaksResponses: true,
    chatExtras: ['web_search_options', 'audio'],
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
  // It takes `response_format` and doesn't heed it.
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
