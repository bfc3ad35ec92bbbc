import type { ProviderConfig } from '../config.ts';
import { KNOWN_PROVIDERS } from '../known-providers.ts';

/** Names of the map that are others here. */
const PROFILES: Readonly<Record<string, string>> = {
  dashscope: 'qwen',
  fireworks_ai: 'fireworks',
  hosted_vllm: 'vllm',
  lm_studio: 'lmstudio',
  together_ai: 'together',
};

const OPENAI_HOST = 'api.openai.com';

/**
 * The configured provider that runs a vendor's models: the one of that name, else the only one that is of its kind. Null
 * where there is none, or several.
 */
export function providerFor(vendor: string, providers: readonly ProviderConfig[]): string | null {
  const named = providers.find(({ name }) => name === vendor);
  if (named !== undefined) return named.name;
  const fitting = providers.filter((provider) => isOfVendor(provider, vendor));
  return fitting.length === 1 ? (fitting[0]?.name ?? null) : null;
}

/** The vendor whose models a provider runs, by its name, its address or its kind; null if it is not known. */
export function vendorOf(provider: ProviderConfig): string | null {
  const named = KNOWN_PROVIDERS.find(({ name }) => name === provider.name);
  const known =
    named ??
    KNOWN_PROVIDERS.find(
      ({ vendor, section }) => isOfVendor(provider, vendor) || section.base_url === provider.baseUrl,
    );
  return known?.vendor ?? null;
}

function isOfVendor(provider: ProviderConfig, vendor: string): boolean {
  if (provider.kind !== 'openai') return provider.kind === vendor;
  if (provider.profile !== null) return provider.profile === (PROFILES[vendor] ?? vendor);
  return vendor === 'openai' && new URL(provider.baseUrl).hostname === OPENAI_HOST;
}
