import type { Config, ModelConfig, ProviderConfig, TimeoutConfig } from '../../config/config.ts';
import { providersOfKeys } from '../../config/known-providers.ts';
import type { Keyring } from '../../control/encryption/keyring.ts';
import { type FileNames, readStoredOffer, type StoredOffer } from '../../control/offer/stored-offer.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { discoverLocalServers } from '../../gate/upstreams/discovery.ts';
import { SANDBOX_MODELS, SANDBOX_PROVIDER } from '../../gate/upstreams/sandbox/models.ts';
import type { Sources } from '../../gate/upstreams/upstream-set.ts';
import type { BannerFacts } from './banner.ts';

const PROBE_MS = 300;

/** What a process offers without the database. */
export interface BaseOffer {
  readonly providers: readonly ProviderConfig[];
  readonly models: readonly ModelConfig[];
  /** Whether they are from a config file. */
  readonly isFile: boolean;
  readonly found: Pick<BannerFacts, 'servers' | 'unusedKeys'>;
}

/** The models that this process can sell, and the discovered local servers. */
export interface Offer {
  /** Includes the providers that `kept` needs. */
  readonly providers: readonly ProviderConfig[];
  readonly models: readonly ModelConfig[];
  /** Models of an earlier file that stay on sale until an operator accepts their removal. */
  readonly kept: readonly ModelConfig[];
  /** Whether an operator has declared it, in a config file or in the database. */
  readonly isConfigured: boolean;
  /** Which of it the config file declares; all else is in the database, or comes with the program. */
  readonly file: FileNames;
  /** Models that the database declares. */
  readonly stored: readonly string[];
  /** What of the database can't be used, for the operator. */
  readonly problems: readonly string[];
  /** The mark of what was read of the database. */
  readonly mark: string;
  readonly found: Pick<BannerFacts, 'servers' | 'unusedKeys'>;
}

/** The file's providers and models. Without a file: the sandbox, and discovered servers on this machine. */
export async function readBaseOffer(config: Config): Promise<BaseOffer> {
  if (config.file !== null) {
    const { providers, models } = config;
    return { providers, models, isFile: true, found: { servers: [], unusedKeys: [] } };
  }
  const local = await discoverLocalServers({ fetchTimeoutMs: PROBE_MS, ownPort: config.server.port });
  return {
    providers: [SANDBOX_PROVIDER, ...local.providers],
    models: [...SANDBOX_MODELS, ...local.models],
    isFile: false,
    found: { servers: local.providers, unusedKeys: providersOfKeys(config.providerKeyVariables) },
  };
}

/** What is read of the database for an offer. */
export interface StoredParts {
  readonly sql: SqlRunner;
  readonly keyring: Keyring;
}

/** The offer with what the database declares. @throws DatabaseUnavailable */
export async function readOffer(base: BaseOffer, { sql, keyring }: StoredParts): Promise<Offer> {
  const file = fileNames(base);
  return withStored(base, await readStoredOffer(sql, keyring, file));
}

function fileNames({ isFile, providers, models }: BaseOffer): FileNames {
  if (!isFile) return { providers: [], models: [] };
  return { providers: providers.map(({ name }) => name), models: models.map(({ id }) => id) };
}

/** A stored model takes the place of all that comes with the program, as a config file does. */
export function withStored(base: BaseOffer, stored: StoredOffer): Offer {
  const providers = stored.providers.flatMap(({ config }) => config ?? []);
  const models = stored.models.flatMap(({ config }) => config ?? []);
  const isConfigured = base.isFile || models.length > 0;
  const names = new Set(providers.map(({ name }) => name));
  const given = base.isFile || models.length === 0 ? base : { providers: [], models: [] };
  return {
    providers: [...given.providers.filter(({ name }) => !names.has(name)), ...providers],
    models: [...given.models, ...models],
    kept: [],
    isConfigured,
    file: fileNames(base),
    stored: models.map(({ id }) => id),
    problems: [...stored.providers, ...stored.models].flatMap(({ kind, name, problem }) =>
      problem === null ? [] : [`The ${kind} "${name}" of the database: ${problem}`],
    ),
    mark: stored.mark,
    found: base.found,
  };
}

/** What of the offer is declared in the config file. */
export function declaredInFile({ providers, models, file }: Offer): Pick<Offer, 'providers' | 'models'> {
  return {
    providers: providers.filter(({ name }) => file.providers.includes(name)),
    models: models.filter(({ id }) => file.models.includes(id)),
  };
}

/** The parameters of the upstreams. */
export function sourcesOf({ providers, models, kept }: Offer, timeouts: TimeoutConfig): Sources {
  return { providers, models: [...models, ...kept], timeouts };
}
