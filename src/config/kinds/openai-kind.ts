import * as z from 'zod';
import type { OpenAiProviderConfig } from '../config.ts';
import { baseUrl, section, yesOrNo } from '../file-fields.ts';
import { OPENAI_PROFILE_NAMES } from '../openai-profile-names.ts';
import { ACCEPT_KEYS, capFieldName, CONNECTION_KEYS, KEY_KEYS, LIMIT_KEYS } from './common-keys.ts';
import type { KindOfProvider } from './kind-of-provider.ts';

const openaiSection = section(
  {
    kind: z.literal('openai'),
    base_url: baseUrl().describe('Where the API is, with its version: https://api.openai.com/v1.'),
    ...KEY_KEYS,
    profile: z
      .enum(OPENAI_PROFILE_NAMES, { error: `the profiles known here are ${OPENAI_PROFILE_NAMES.join(', ')}` })
      .optional()
      .describe('Whose habits the server has. Default: by the address.'),
    cap_field: capFieldName()
      .optional()
      .describe('The field in which this upstream obeys an output cap. Default: by the profile.'),
    needs_cap: yesOrNo()
      .optional()
      .describe('It runs on without end unless it is sent a cap. Default: by the profile.'),
    completions: yesOrNo()
      .optional()
      .describe('It has the legacy completions, with all of its models. Default: by the profile.'),
    ...ACCEPT_KEYS,
    ...CONNECTION_KEYS,
    ...LIMIT_KEYS,
  },
  'write a mapping such as { kind: openai, base_url: "https://api.openai.com/v1", api_key: "${OPENAI_API_KEY}" }',
);

/** Servers that speak OpenAI's protocol. */
export const openaiKind: KindOfProvider<OpenAiProviderConfig, typeof openaiSection> = {
  section: openaiSection,
  own: ({ kind, profile, cap_field, needs_cap, completions }) => ({
    kind,
    profile: profile ?? null,
    capField: cap_field ?? null,
    needsCap: needs_cap ?? null,
    hasCompletions: completions ?? null,
  }),
  describe: ({ profile, capField, needsCap, hasCompletions }) => ({
    profile,
    cap_field: capField,
    needs_cap: needsCap,
    completions: hasCompletions,
  }),
};
