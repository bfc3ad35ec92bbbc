import * as z from 'zod';
import type { AnthropicProviderConfig } from '../config.ts';
import { baseUrl, section } from '../file-fields.ts';
import { ACCEPT_KEYS, CONNECTION_KEYS, KEY_KEYS, LIMIT_KEYS } from './common-keys.ts';
import type { KindOfProvider } from './kind-of-provider.ts';

const VERSION_RIGHT = 'write a version such as "2023-06-01"';

const anthropicSection = section(
  {
    kind: z.literal('anthropic'),
    base_url: baseUrl().prefault('https://api.anthropic.com').describe('Where the API is, without its version.'),
    ...KEY_KEYS,
    version: z
      .string({ error: VERSION_RIGHT })
      .regex(/^\d{4}-\d{2}-\d{2}$/, { error: VERSION_RIGHT })
      .prefault('2023-06-01')
      .describe('What is sent as anthropic-version.'),
    ...ACCEPT_KEYS,
    ...CONNECTION_KEYS,
    ...LIMIT_KEYS,
  },
  'write a mapping such as { kind: anthropic, api_key: "${ANTHROPIC_API_KEY}" }',
);

/** Anthropic's own Messages API. */
export const anthropicKind: KindOfProvider<AnthropicProviderConfig, typeof anthropicSection> = {
  section: anthropicSection,
  own: ({ kind, version }) => ({ kind, version }),
  describe: ({ version }) => ({ version }),
};
