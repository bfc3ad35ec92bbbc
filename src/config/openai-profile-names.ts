/**
 * The servers of kind `openai` of which something is known. The names alone stand here, so that the config file can be
 * checked; the upstreams have the entry of each.
 */
export const OPENAI_PROFILE_NAMES = [
  'generic',
  'openai',
  'ollama',
  'vllm',
  'llamacpp',
  'lmstudio',
  'groq',
  'xai',
  'deepseek',
  'mistral',
  'openrouter',
  'together',
  'fireworks',
  'perplexity',
  'qwen',
  'moonshot',
  'gemini',
  'anthropic',
] as const;

export type OpenAiProfileName = (typeof OPENAI_PROFILE_NAMES)[number];
