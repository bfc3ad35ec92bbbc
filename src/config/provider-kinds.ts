import type * as z from 'zod';
import type { ProviderConfig, ProviderKind } from './config.ts';
import { anthropicKind } from './kinds/anthropic-kind.ts';
import { azureKind } from './kinds/azure-kind.ts';
import { geminiKind } from './kinds/gemini-kind.ts';
import type { KindOfProvider } from './kinds/kind-of-provider.ts';
import { openaiKind } from './kinds/openai-kind.ts';
import { sandboxKind } from './kinds/sandbox-kind.ts';

/** All kinds of provider that the config file knows: a new one is a line here. */
export const PROVIDER_KINDS = {
  openai: openaiKind,
  azure: azureKind,
  anthropic: anthropicKind,
  gemini: geminiKind,
  sandbox: sandboxKind,
} satisfies { readonly [Kind in ProviderKind]: KindOfProvider<Extract<ProviderConfig, { kind: Kind }>, z.ZodType> };

/** That a kind takes its providers is checked where the table is made; here they come together at run time. */
export function kindOf(kind: ProviderKind): KindOfProvider<ProviderConfig, z.ZodType> {
  return PROVIDER_KINDS[kind];
}
