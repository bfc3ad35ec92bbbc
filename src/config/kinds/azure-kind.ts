import { accessSync, constants } from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { ConfigFault } from '../config-fault.ts';
import type { AzureProviderConfig } from '../config.ts';
import { baseUrl, plainText, section } from '../file-fields.ts';
import { ACCEPT_KEYS, capFieldName, CONNECTION_KEYS, KEY_KEYS, LIMIT_KEYS, PATH_RIGHT } from './common-keys.ts';
import type { KindOfProvider, PlaceInFile } from './kind-of-provider.ts';

const API_VERSION_RIGHT = 'write a version such as "2024-10-21", or leave it out for the v1 API';

const azureSection = section(
  {
    kind: z.literal('azure'),
    base_url: baseUrl().describe('The resource: https://NAME.openai.azure.com.'),
    ...KEY_KEYS,
    token_file: plainText(PATH_RIGHT)
      .optional()
      .describe('A file that holds a token of Entra ID; it is read again when it changes.'),
    api_version: z
      .string({ error: API_VERSION_RIGHT })
      .regex(/^[a-z0-9][a-z0-9.-]{0,63}$/, { error: API_VERSION_RIGHT })
      .optional()
      .describe('The dated version of the API, such as 2024-10-21. Left out: the v1 API.'),
    cap_field: capFieldName()
      .prefault('max_completion_tokens')
      .describe('The field in which the deployments obey an output cap.'),
    ...ACCEPT_KEYS,
    ...CONNECTION_KEYS,
    ...LIMIT_KEYS,
  },
  'write a mapping such as { kind: azure, base_url: "https://NAME.openai.azure.com", api_key: "${AZURE_OPENAI_API_KEY}" }',
);

/** OpenAI's models on Azure. */
export const azureKind: KindOfProvider<AzureProviderConfig, typeof azureSection> = {
  section: azureSection,
  own: ({ kind, api_version, token_file, cap_field }, place) => ({
    kind,
    apiVersion: api_version ?? null,
    tokenFile: token_file === undefined ? null : readableFile(token_file, place),
    capField: cap_field,
  }),
  describe: ({ tokenFile, apiVersion, capField }) => ({
    token_file: tokenFile,
    api_version: apiVersion,
    cap_field: capField,
  }),
};

/** The absolute path. A path in the file starts from the file's directory. */
function readableFile(path: string, { name, tree, file }: PlaceInFile): string {
  const absolute = resolve(dirname(file ?? '.'), path);
  try {
    accessSync(absolute, constants.R_OK);
  } catch (cause) {
    throw new ConfigFault(
      tree.where(['providers', name, 'token_file']),
      'the file named by token_file cannot be read; name a readable file that holds the token',
      { cause },
    );
  }
  return absolute;
}
