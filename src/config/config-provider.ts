import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigFault } from './config-fault.ts';
import type { ProviderBasics, ProviderConfig } from './config.ts';
import { environmentProxy } from './environment-proxy.ts';
import type { FileProvider } from './file-schema.ts';
import type { PlaceInFile } from './kinds/kind-of-provider.ts';
import { kindOf } from './provider-kinds.ts';
import { readTlsFiles } from './tls-files.ts';

/** The provider with its defaults filled in and its key read. @throws ConfigFault if a file that it names can't be. */
export function toProviderConfig(provider: FileProvider, place: PlaceInFile): ProviderConfig {
  const basics: ProviderBasics = {
    name: place.name,
    ...('base_url' in provider ? reachOf(provider, place) : NOWHERE),
    concurrencyMax: provider.concurrency_max ?? null,
    drains: provider.drain,
    ...('accept_fields' in provider && provider.accept_fields.length > 0 && { acceptFields: provider.accept_fields }),
  };
  return { ...basics, ...kindOf(provider.kind).own(provider, place) } as ProviderConfig;
}

type Reach = Pick<ProviderBasics, 'baseUrl' | 'apiKey' | 'proxy' | 'tls'>;

/** The sandbox has neither an address nor a key. */
const NOWHERE: Reach = { baseUrl: '', apiKey: null, proxy: null, tls: null };

function reachOf(provider: Extract<FileProvider, { base_url: string }>, place: PlaceInFile): Reach {
  const { base_url: baseUrl, proxy, tls } = provider;
  return {
    baseUrl,
    apiKey: apiKeyOf(provider, place),
    proxy: proxy === undefined ? environmentProxy(baseUrl, place.env) : proxy,
    tls: readTlsFiles(tls, place),
  };
}

interface KeySettings {
  readonly api_key?: string | undefined;
  readonly api_key_file?: string | undefined;
}

function apiKeyOf({ api_key: key, api_key_file: keyFile }: KeySettings, place: PlaceInFile): string | null {
  return key ?? (keyFile === undefined ? null : readSecret(keyFile, place));
}

/** A path in the file starts from the file's directory. */
function readSecret(path: string, { name, tree, file }: PlaceInFile): string {
  const where = tree.where(['providers', name, 'api_key_file']);
  let secret: string;
  try {
    secret = readFileSync(resolve(dirname(file ?? '.'), path), 'utf8').trim();
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
