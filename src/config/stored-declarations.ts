import { stringify } from 'yaml';
import { checkSettings } from './config-file.ts';
import { ConfigFault } from './config-fault.ts';
import { toModelConfig } from './config-model.ts';
import { toProviderConfig } from './config-provider.ts';
import type { ModelConfig, ProviderConfig } from './config.ts';
import { processEnvironment } from './environment.ts';
import { frozen } from './frozen.ts';
import type { Path, YamlTree } from './yaml-tree.ts';

// Providers and models that the database keeps. Each is declared as in the config file, and read by the same schema.

/** A provider or a model in the form of the file. */
export type Declaration = Readonly<Record<string, unknown>>;

export interface StoredProvider {
  readonly name: string;
  /** Without its key. */
  readonly declaration: Declaration;
  /** Null: it needs none. */
  readonly apiKey: string | null;
}

/**
 * What a stored provider may say. Whatever names a file is left to the config file, because it would be read on the machine of
 * the instance; the key is kept apart, encrypted.
 */
const PROVIDER_KEYS: readonly string[] = [
  'kind',
  'base_url',
  'profile',
  'cap_field',
  'needs_cap',
  'completions',
  'accept_fields',
  'api_version',
  'version',
  'concurrency_max',
  'drain',
];

/** A declaration is of no use; the message says why, in one line. */
export class DeclarationFault extends Error {
  override readonly name = 'DeclarationFault';
}

/** The provider, with its defaults. @throws DeclarationFault */
export function readStoredProvider({ name, declaration, apiKey }: StoredProvider): ProviderConfig {
  const unknown = Object.keys(declaration).find((key) => !PROVIDER_KEYS.includes(key));
  if (unknown !== undefined) {
    throw new DeclarationFault(`a stored provider has no "${unknown}"; it may have ${PROVIDER_KEYS.join(', ')}`);
  }
  const section = apiKey === null ? declaration : { ...declaration, api_key: apiKey };
  const tree = plainTree({ providers: Object.fromEntries([[name, section]]) });
  return read(`providers.${name}`, () => {
    // A record of the schema has no "__proto__", and passes over it.
    const [provider] = Object.values(checkSettings(tree).providers);
    if (provider === undefined) throw new DeclarationFault(`the name "${name}" is not usable; write another one`);
    return toProviderConfig(provider, { name, tree, file: null, env: processEnvironment() });
  });
}

/** The model, with its defaults; `providers` are the names of all that there are. @throws DeclarationFault */
export function readStoredModel(declaration: Declaration, providers: readonly string[]): ModelConfig {
  // Only that there is a provider of that name counts here.
  const known = Object.fromEntries(providers.map((name) => [name, { kind: 'sandbox' }]));
  const tree = plainTree({ providers: known, models: [declaration] });
  return read('models[0]', () => {
    const [model] = checkSettings(tree).models;
    if (model === undefined) throw new DeclarationFault('it declares nothing');
    return toModelConfig(model);
  });
}

/** Providers and models as a part of a config file. Keys are variables there, since the file is in clear. */
export function printDeclarations(
  providers: readonly { readonly name: string; readonly declaration: Declaration; readonly hasKey: boolean }[],
  models: readonly Declaration[],
): string {
  const variables = new Set<string>();
  const sections = providers.map(({ name, declaration, hasKey }) => {
    if (!hasKey) return [name, escaped(declaration)] as const;
    const variable = variableOf(name, variables);
    variables.add(variable);
    return [name, { ...escaped(declaration), api_key: `\${${variable}}` }] as const;
  });
  return stringify({ providers: Object.fromEntries(sections), models: models.map(escaped) }, { lineWidth: 0 });
}

/** The variable of a provider's key: one of its own, since the key must reach no other provider. */
function variableOf(name: string, taken: ReadonlySet<string>): string {
  const words = name
    .toUpperCase()
    .replaceAll('-', '_')
    .replace(/^(?=[0-9])/, '_');
  let variable = `${words}_API_KEY`;
  for (let count = 2; taken.has(variable); count++) variable = `${words}_${count}_API_KEY`;
  return variable;
}

/** In the file `${…}` is a variable, in the database a text. */
function escaped(declaration: Declaration): Declaration {
  return JSON.parse(JSON.stringify(declaration).replaceAll('${', () => '$${')) as Declaration;
}

function read<Config>(place: string, make: () => Config): Config {
  try {
    return frozen(make());
  } catch (fault) {
    if (!(fault instanceof ConfigFault)) throw fault;
    throw new DeclarationFault(fault.problem.replaceAll(`${place}.`, ''), { cause: fault });
  }
}

/** A value as if it had been read from a file, of which there are no lines. */
function plainTree(value: unknown): YamlTree {
  const at = (path: Path): unknown =>
    path.reduce<unknown>(
      (inner, step) =>
        typeof inner === 'object' && inner !== null ? Object.getOwnPropertyDescriptor(inner, step)?.value : undefined,
      value,
    );
  const written = (path: Path): string => {
    const text = at(path);
    return typeof text === 'string' ? text : '';
  };
  return {
    value,
    where: () => '',
    whereKey: () => '',
    offset: () => 0,
    has: (path) => at(path) !== undefined,
    written,
  };
}
