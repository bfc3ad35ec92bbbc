import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigFault } from './config-fault.ts';
import type { ProviderConfig } from './config.ts';
import type { FileProvider } from './file-schema.ts';
import type { YamlTree } from './yaml-tree.ts';

/** The provider with its defaults filled in and its key read. @throws ConfigFault where the key's file can't be. */
export function toProviderConfig(
  name: string,
  provider: FileProvider,
  tree: YamlTree,
  file: string | null,
): ProviderConfig {
  if (provider.kind === 'sandbox') {
    return { name, kind: 'sandbox', baseUrl: '', apiKey: null, capField: 'max_tokens', needsCap: false };
  }
  const path = ['providers', name, 'api_key_file'];
  const { api_key_file: keyFile } = provider;
  const fromFile = keyFile === undefined ? null : readSecret(resolve(dirname(file ?? '.'), keyFile), tree.where(path));
  return {
    name,
    kind: 'openai',
    baseUrl: provider.base_url,
    apiKey: provider.api_key ?? fromFile,
    capField: provider.cap_field ?? defaultCapField(provider.base_url),
    needsCap: provider.needs_cap,
  };
}

/** OpenAI's newer models refuse `max_tokens`; other servers often know nothing else. */
function defaultCapField(baseUrl: string): ProviderConfig['capField'] {
  return new URL(baseUrl).hostname === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens';
}

function readSecret(path: string, where: string): string {
  let secret: string;
  try {
    secret = readFileSync(path, 'utf8').trim();
  } catch (cause) {
    throw new ConfigFault(
      where,
      'the file named by api_key_file cannot be read; name a readable file that holds the key',
      { cause },
    );
  }
  if (/^[\u0021-\u007e]+$/.test(secret)) return secret;
  throw new ConfigFault(
    where,
    'the file named by api_key_file holds no key; write the key, and nothing else, on its one line',
  );
}
