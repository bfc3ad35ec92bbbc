import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../../config/variables.ts';
import { CliFailure } from './cli-failure.ts';
import { withoutTrailingSlashes } from '../../lib/trailing-slashes.ts';

// Locates the running instance, which writes its address and the operator token to its data directory.

const DEFAULT_URL = 'http://127.0.0.1:8080';

export interface Instance {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token: string;
}

/** The address of the instance, and its operator token. @throws CliFailure if there is no token or no usable address */
export function locateInstance(options: { readonly url?: string }, env: Environment, dataDirectory: string): Instance {
  const named = options.url ?? env['FAREGATE_URL'];
  const url = named === undefined || named === '' ? addressIn(dataDirectory) : named;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new CliFailure('the address of the instance is not usable; write one such as --url http://127.0.0.1:8080');
  }
  return { url: withoutTrailingSlashes(url), token: tokenFrom(env, dataDirectory) };
}

/** The address that an instance has written; the default address if there is none. */
export function addressIn(dataDirectory: string): string {
  const address = readIfThere(join(dataDirectory, 'address'));
  return address === null || address === '' ? DEFAULT_URL : address;
}

function tokenFrom(env: Environment, dataDirectory: string): string {
  const token = env['FAREGATE_OPERATOR_TOKEN'] || readIfThere(join(dataDirectory, 'operator-token'));
  if (token) return token;
  throw new CliFailure(
    `no instance has run with the data directory ${dataDirectory}; run "faregate start", give another directory with --data, or set FAREGATE_OPERATOR_TOKEN`,
  );
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new CliFailure(`${path} cannot be read (${String(code)}); run this as the user who started the instance`, {
      cause,
    });
  }
}
