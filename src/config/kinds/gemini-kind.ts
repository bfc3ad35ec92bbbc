import * as z from 'zod';
import type { GeminiProviderConfig } from '../config.ts';
import { baseUrl, section } from '../file-fields.ts';
import { CONNECTION_KEYS, KEY_KEYS, LIMIT_KEYS } from './common-keys.ts';
import type { KindOfProvider } from './kind-of-provider.ts';

const geminiSection = section(
  {
    kind: z.literal('gemini'),
    base_url: baseUrl()
      .prefault('https://generativelanguage.googleapis.com/v1beta')
      .describe('Where the API is, with its version.'),
    ...KEY_KEYS,
    ...CONNECTION_KEYS,
    ...LIMIT_KEYS,
  },
  'write a mapping such as { kind: gemini, api_key: "${GEMINI_API_KEY}" }',
);

/** Google's own Gemini API. */
export const geminiKind: KindOfProvider<GeminiProviderConfig, typeof geminiSection> = {
  section: geminiSection,
  own: ({ kind }) => ({ kind }),
  describe: () => ({}),
};
