import { accessSync, constants, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigFault } from './config-fault.ts';
import type { ProviderConfig } from './config.ts';
import type { FileProvider } from './file-schema.ts';
import type { YamlTree } from './yaml-tree.ts';

/** Where a provider stands, for what its paths start from and what is said of them. */
interface Place {
  readonly name: string;
  readonly tree: YamlTree;
  readonly file: string | null;
}

/** The provider with its defaults filled in and its key read. @throws ConfigFault where a file that it names can't be. */
export function toProviderConfig(
  name: string,
  provider: FileProvider,
  tree: YamlTree,
  file: string | null,
): ProviderConfig {
  const place = { name, tree, file };
  const limits = { concurrencyMax: provider.concurrency_max ?? null, drains: provider.drain };
  if (provider.kind === 'sandbox') return { name, kind: 'sandbox', baseUrl: '', apiKey: null, ...limits };
  const basics = { name, baseUrl: provider.base_url, apiKey: apiKeyOf(provider, place), ...limits };
  switch (provider.kind) {
    case 'openai':
      return {
        ...basics,
        kind: 'openai',
        profile: provider.profile ?? null,
        capField: provider.cap_field ?? null,
        needsCap: provider.needs_cap ?? null,
      };
    case 'azure':
      return {
        ...basics,
        kind: 'azure',
        apiVersion: provider.api_version ?? null,
        tokenFile: provider.token_file === undefined ? null : readableFile(provider.token_file, place),
        capField: provider.cap_field,
      };
    case 'anthropic':
      return { ...basics, kind: 'anthropic', version: provider.version };
    case 'gemini':
      return { ...basics, kind: 'gemini' };
  }
}

function apiKeyOf(provider: { api_key?: string | undefined; api_key_file?: string | undefined }, place: Place) {
  const { api_key: key, api_key_file: keyFile } = provider;
  return key ?? (keyFile === undefined ? null : readSecret(keyFile, place));
}

/** A path in the file starts from the file's directory. */
function absolute(path: string, { file }: Place): string {
  return resolve(dirname(file ?? '.'), path);
}

function readableFile(path: string, place: Place): string {
  const token = absolute(path, place);
  try {
    accessSync(token, constants.R_OK);
  } catch (cause) {
    throw new ConfigFault(
      place.tree.where(['providers', place.name, 'token_file']),
      'the file named by token_file cannot be read; name a readable file that holds the token',
      { cause },
    );
  }
  return token;
}

function readSecret(path: string, place: Place): string {
  const where = place.tree.where(['providers', place.name, 'api_key_file']);
  let secret: string;
  try {
    secret = readFileSync(absolute(path, place), 'utf8').trim();
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
