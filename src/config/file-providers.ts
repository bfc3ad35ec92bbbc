import * as z from 'zod';
import { baseUrl, plainText, section, wholeNumber, yesOrNo } from './file-fields.ts';
import { OPENAI_PROFILE_NAMES } from './openai-profile-names.ts';

// The part of the file's schema that says where models run.

const NAME_RIGHT = 'write a name of letters, digits, "-" and "_", at most 64 of them';
const providerName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, { error: NAME_RIGHT });

const CAP_FIELDS = ['max_tokens', 'max_completion_tokens'] as const;
const capField = () => z.enum(CAP_FIELDS, { error: `write ${CAP_FIELDS.join(' or ')}` });

const PATH_RIGHT = 'write the path of a file';
const KEY_FIELDS = {
  api_key: plainText('write the key, best as "${VAR}"').optional().describe('The key, best as "${VAR}".'),
  api_key_file: plainText(PATH_RIGHT).optional().describe('A file that holds the key.'),
};

const LIMIT_FIELDS = {
  concurrency_max: wholeNumber(1, 1_000_000)
    .optional()
    .describe('Attempts of one process that may run there at once. Left out: without bound.'),
  drain: yesOrNo()
    .prefault(false)
    .describe('Whether a stream that its caller has left is read on for its usage until the deadline of the request.'),
};

const openaiProvider = section(
  {
    kind: z.literal('openai'),
    base_url: baseUrl().describe('Where the API is, with its version: https://api.openai.com/v1.'),
    ...KEY_FIELDS,
    profile: z
      .enum(OPENAI_PROFILE_NAMES, { error: `the profiles known here are ${OPENAI_PROFILE_NAMES.join(', ')}` })
      .optional()
      .describe('Whose habits the server has. Default: by the address.'),
    cap_field: capField()
      .optional()
      .describe('The field in which this upstream obeys an output cap. Default: by the profile.'),
    needs_cap: yesOrNo()
      .optional()
      .describe('It runs on without end unless it is sent a cap. Default: by the profile.'),
    ...LIMIT_FIELDS,
  },
  'write a mapping such as { kind: openai, base_url: "https://api.openai.com/v1", api_key: "${OPENAI_API_KEY}" }',
);

const API_VERSION_RIGHT = 'write a version such as "2024-10-21", or leave it out for the v1 API';

const azureProvider = section(
  {
    kind: z.literal('azure'),
    base_url: baseUrl().describe('The resource: https://NAME.openai.azure.com.'),
    ...KEY_FIELDS,
    token_file: plainText(PATH_RIGHT)
      .optional()
      .describe('A file that holds a token of Entra ID; it is read again when it changes.'),
    api_version: z
      .string({ error: API_VERSION_RIGHT })
      .regex(/^[a-z0-9][a-z0-9.-]{0,63}$/, { error: API_VERSION_RIGHT })
      .optional()
      .describe('The dated version of the API, such as 2024-10-21. Left out: the v1 API.'),
    cap_field: capField()
      .prefault('max_completion_tokens')
      .describe('The field in which the deployments obey an output cap.'),
    ...LIMIT_FIELDS,
  },
  'write a mapping such as { kind: azure, base_url: "https://NAME.openai.azure.com", api_key: "${AZURE_OPENAI_API_KEY}" }',
);

const VERSION_RIGHT = 'write a version such as "2023-06-01"';

const anthropicProvider = section(
  {
    kind: z.literal('anthropic'),
    base_url: baseUrl().prefault('https://api.anthropic.com').describe('Where the API is, without its version.'),
    ...KEY_FIELDS,
    version: z
      .string({ error: VERSION_RIGHT })
      .regex(/^\d{4}-\d{2}-\d{2}$/, { error: VERSION_RIGHT })
      .prefault('2023-06-01')
      .describe('What is sent as anthropic-version.'),
    ...LIMIT_FIELDS,
  },
  'write a mapping such as { kind: anthropic, api_key: "${ANTHROPIC_API_KEY}" }',
);

const geminiProvider = section(
  {
    kind: z.literal('gemini'),
    base_url: baseUrl()
      .prefault('https://generativelanguage.googleapis.com/v1beta')
      .describe('Where the API is, with its version.'),
    ...KEY_FIELDS,
    ...LIMIT_FIELDS,
  },
  'write a mapping such as { kind: gemini, api_key: "${GEMINI_API_KEY}" }',
);

const sandboxProvider = section({ kind: z.literal('sandbox'), ...LIMIT_FIELDS }, 'write { kind: sandbox }');

const provider = z.discriminatedUnion(
  'kind',
  [openaiProvider, azureProvider, anthropicProvider, geminiProvider, sandboxProvider],
  {
    error: (issue) =>
      issue.code === 'invalid_union'
        ? 'write kind: openai (or azure, anthropic, gemini, sandbox)'
        : 'write a mapping such as { kind: openai, base_url: "https://api.openai.com/v1" }',
  },
);

export const providers = z
  .record(providerName, provider, { error: 'write a mapping of names to providers' })
  .prefault({})
  .describe('Where models run, by name.');
