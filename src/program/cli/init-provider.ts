import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { KNOWN_PROVIDERS, type ProviderSection } from '../../config/known-providers.ts';
import { type Environment, variable } from '../../config/variables.ts';
import { CliFailure } from './cli-failure.ts';
import type { Surroundings } from './cli-context.ts';

// The first two questions of `faregate init`: which provider, and where its key is.

/** Options that answer the questions. */
export interface ProviderAnswers {
  readonly provider?: string;
  readonly baseUrl?: string;
  readonly keyVariable?: string;
  readonly keyFile?: string;
}

export interface ChosenProvider {
  readonly name: string;
  readonly section: ProviderSection;
  /** Where people keep its key. */
  readonly variable: string;
  /** Its name in the price map; null: none is known. */
  readonly vendor: string | null;
}

type Asks = Pick<Surroundings, 'ask'>;

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;

/** @throws CliFailure if there is nobody to ask and no option says it */
export async function chooseProvider({ provider, baseUrl }: ProviderAnswers, { ask }: Asks): Promise<ChosenProvider> {
  const names = KNOWN_PROVIDERS.map(({ name }) => name).join(', ');
  const asked = provider ?? (await ask(`Provider (${names}, or a name of your own): `));
  if (asked === null) throw new CliFailure(`name the provider with --provider: one of ${names}, or your own name`);
  const name = asked.trim();
  if (!NAME.test(name)) throw new CliFailure(`"${name}" is no name of a provider; write letters, digits, "_" and "-"`);
  const known = KNOWN_PROVIDERS.find((each) => each.name === name);
  if (known !== undefined) {
    return { ...known, section: baseUrl === undefined ? known.section : { ...known.section, base_url: baseUrl } };
  }
  const address = baseUrl ?? (await ask(`Address of its OpenAI-compatible API (such as http://127.0.0.1:11434/v1): `));
  if (address === null)
    throw new CliFailure(`"${name}" is not known; give its OpenAI-compatible address with --base-url`);
  const keyName = `${name.toUpperCase().replaceAll('-', '_')}_API_KEY`;
  return { name, section: { kind: 'openai', base_url: address.trim() }, variable: keyName, vendor: null };
}

export interface ChosenKey {
  /** How the config file refers to it. */
  readonly setting: { readonly api_key: string } | { readonly api_key_file: string } | Record<string, never>;
  /** Null: there is none. */
  readonly secret: string | null;
  /** The file to be written with the key that was typed; null: nothing is to be written. */
  readonly newFile: string | null;
}

/**
 * Where the key is: in the named file or variable, else in the provider's usual variable; else it is asked for, and will be
 * written to a file beside the config file. @throws CliFailure if the named place holds none
 */
export async function chooseKey(
  { name, variable: usual, vendor }: ChosenProvider,
  { keyVariable, keyFile }: ProviderAnswers,
  surroundings: Pick<Surroundings, 'askSecret' | 'cwd'> & { readonly env: Environment },
  configFile: string,
): Promise<ChosenKey> {
  const beside = (path: string): string => relative(dirname(configFile), path);
  if (keyFile !== undefined) {
    const path = resolve(surroundings.cwd, keyFile);
    return { setting: { api_key_file: beside(path) }, secret: readKey(path), newFile: null };
  }
  const named = keyVariable ?? usual;
  const value = variable(surroundings.env, named);
  if (value !== undefined) return { setting: { api_key: `\${${named}}` }, secret: value, newFile: null };
  if (keyVariable !== undefined) throw new CliFailure(`the environment variable ${keyVariable} is not set`);
  const answer = await surroundings.askSecret(`Key of ${name} (not shown; empty: it needs none): `);
  if (answer === null && vendor !== null) {
    throw new CliFailure(`set ${usual} to the key, or say where it is with --key-variable or --key-file`);
  }
  const typed = answer?.trim() ?? '';
  if (typed === '') return { setting: {}, secret: null, newFile: null };
  const path = join(dirname(configFile), `${name}.key`);
  if (existsSync(path)) throw new CliFailure(`${path} exists; name it with --key-file, or remove it`);
  return { setting: { api_key_file: beside(path) }, secret: typed, newFile: path };
}

function readKey(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (cause) {
    throw new CliFailure(`the key file ${path} cannot be read`, { cause });
  }
}
