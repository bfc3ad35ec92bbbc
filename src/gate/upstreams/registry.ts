import type { ProviderConfig, ProviderKind, TimeoutConfig } from '../../config/config.ts';
import { anthropicModels } from './anthropic/anthropic-models.ts';
import { createAnthropicUpstream } from './anthropic/anthropic-upstream.ts';
import { azureModels } from './azure/azure-models.ts';
import { createAzureUpstream } from './azure/azure-upstream.ts';
import { geminiModels } from './gemini/gemini-models.ts';
import { createGeminiUpstream } from './gemini/gemini-upstream.ts';
import type { ModelSource } from './model-source.ts';
import { openAiModels } from './openai/openai-models.ts';
import { createOpenAiUpstream } from './openai/openai-upstream.ts';
import { sandboxModels } from './sandbox/models.ts';
import { createSandboxUpstream } from './sandbox/sandbox-upstream.ts';
import type { Upstream } from './upstream.ts';

interface KindParts<Kind extends ProviderKind> {
  /** Makes an upstream. */
  create(provider: Extract<ProviderConfig, { kind: Kind }>, timeouts: TimeoutConfig): Upstream;
  /** Creates the source of a provider's models. */
  models(provider: Extract<ProviderConfig, { kind: Kind }>): ModelSource | readonly string[];
}

/** All kinds of provider: a new one is a line here. */
const KINDS: { readonly [Kind in ProviderKind]: KindParts<Kind> } = {
  anthropic: { create: createAnthropicUpstream, models: anthropicModels },
  azure: { create: createAzureUpstream, models: azureModels },
  gemini: { create: createGeminiUpstream, models: geminiModels },
  openai: { create: createOpenAiUpstream, models: openAiModels },
  sandbox: { create: ({ name }) => createSandboxUpstream(name), models: sandboxModels },
};

/** The upstream of one configured provider. The caller closes it. */
export function createUpstream(provider: ProviderConfig, timeouts: TimeoutConfig): Upstream {
  return partsOf(provider).create(provider, timeouts);
}

/** The source of the provider's models; a list if no request is needed. */
export function modelsOf(provider: ProviderConfig): ModelSource | readonly string[] {
  return partsOf(provider).models(provider);
}

/** The table's type checks that a kind's parts fit its providers; here the two are combined at run time. */
function partsOf({ kind }: ProviderConfig): KindParts<ProviderKind> {
  return KINDS[kind] as KindParts<ProviderKind>;
}
