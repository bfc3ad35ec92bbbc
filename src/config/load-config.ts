import { resolve, dirname } from 'node:path';
import { checkConfigText, type ConfigFile, placeOf, readConfigFile, readDataSetting } from './config-file.ts';
import { ConfigFault } from './config-fault.ts';
import { toModelConfig } from './config-model.ts';
import { toProviderConfig } from './config-provider.ts';
import type {
  Config,
  DatabaseConfig,
  IdentityConfig,
  PaymentsConfig,
  RoutingConfig,
  SecretsConfig,
  ServerConfig,
  TimeoutConfig,
} from './config.ts';
import { frozen } from './frozen.ts';
import {
  databaseUrlProblem,
  type FileSettings,
  isSchemaName,
  LOG_LEVELS,
  SCHEMA_RIGHT,
  WARM_UP_MS_MAX,
  WORKERS_MAX,
} from './file-schema.ts';
import { originsOf } from './origins.ts';
import { backupOf, ledgerOf } from './retention-config.ts';
import { sinksOf } from './sinks-config.ts';
import { telemetryOf } from './telemetry-config.ts';
import { parseDuration } from './units.ts';
import { type Environment, variable } from './variables.ts';

/** The command line's flags. Left out: the next source in precedence. */
export interface ConfigFlags {
  readonly config?: string | undefined;
  readonly data?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly workers?: string | undefined;
  readonly bootstrap?: boolean | undefined;
}

/** The sources of a configuration, besides its file. */
export interface ConfigSources {
  readonly flags: ConfigFlags;
  readonly env: Environment;
  readonly cwd: string;
}

/**
 * Makes the configuration: flags over environment over file over defaults. @throws ConfigFault, with a one-line message
 */
export function loadConfig(sources: ConfigSources): Config {
  return configOf(readConfigFile(fileNamed(sources), sources.env, sources.cwd), sources);
}

/** The same with a text in the place of the file. @throws ConfigFault */
export function loadConfigText(text: string, sources: ConfigSources): Config {
  return configOf(checkConfigText(text, fileNamed(sources), sources.env, sources.cwd), sources);
}

/** Where the config file is, or would be. */
export function locateConfigFile(sources: ConfigSources): string {
  return placeOf(fileNamed(sources), sources.cwd);
}

function fileNamed({ flags, env }: ConfigSources): string | undefined {
  return flags.config ?? variable(env, 'FAREGATE_CONFIG');
}

function configOf(file: ConfigFile, { flags, env, cwd }: ConfigSources): Config {
  const { settings } = file;
  const database = databaseOf(settings, env);
  const providers = Object.entries(settings.providers).map(([name, provider]) =>
    toProviderConfig(provider, { name, tree: file.tree, file: file.path, env }),
  );
  return frozen({
    file: file.path,
    filePlace: file.place,
    origins: originsOf(file.tree.value, { flags, env }, providers),
    dataDirectory: dataDirectoryOf(flags, env, cwd, dataSettingOf(file)),
    server: serverOf(settings, flags, env),
    database,
    timeouts: timeoutsOf(settings, env),
    routing: routingOf(settings),
    structured: { freePerHour: settings.structured_output.free_per_hour },
    responses: { storeForMs: settings.responses.store_for, storeBytesMax: settings.responses.store_max },
    ledger: ledgerOf(file),
    audit: { keepDays: settings.audit.keep ?? null },
    refusals: { keepDays: settings.refusals.keep },
    backup: backupOf(file),
    payments: paymentsOf(settings),
    alerts: { checkEveryMs: settings.alerts.check_every },
    mail: settings.mail === undefined ? null : { smtpUrl: settings.mail.smtp_url, from: settings.mail.from },
    webhooks: { allowedNetworks: settings.webhooks.allowed_networks },
    identity: identityOf(settings),
    secrets: secretsOf(file, env),
    telemetry: telemetryOf(settings, env),
    sinks: sinksOf(file),
    operatorToken: operatorTokenOf(env),
    providers,
    models: settings.models.map(toModelConfig),
    providerKeyVariables: Object.keys(env).filter((name) => name.endsWith('_API_KEY') && env[name] !== ''),
    bootstrap: flags.bootstrap ?? database.url === null,
    logLevel: logLevelOf(settings, env),
  });
}

/**
 * The data directory alone, for commands that look for the running instance. @throws ConfigFault if the file can't
 * be read
 */
export function locateDataDirectory(sources: ConfigSources): string {
  const { flags, env, cwd } = sources;
  const elsewhere = flags.data ?? variable(env, 'FAREGATE_DATA');
  const setting = elsewhere === undefined ? readDataSetting(fileNamed(sources), env, cwd) : null;
  return dataDirectoryOf(flags, env, cwd, setting);
}

function dataSettingOf({ path, settings }: ConfigFile): { path: string; data: string } | null {
  return path === null || settings.data === undefined ? null : { path, data: settings.data };
}

/**
 * A path in the file starts from the file's directory; one from a flag or the environment from the working directory.
 */
function dataDirectoryOf(
  flags: ConfigFlags,
  env: Environment,
  cwd: string,
  setting: { path: string; data: string } | null,
): string {
  const named = flags.data ?? variable(env, 'FAREGATE_DATA');
  if (named !== undefined) return resolve(cwd, named);
  return setting === null ? resolve(cwd, 'data') : resolve(dirname(setting.path), setting.data);
}

function serverOf({ server }: FileSettings, flags: ConfigFlags, env: Environment): ServerConfig {
  return {
    host: flags.host ?? variable(env, 'FAREGATE_HOST') ?? server.host,
    port:
      numberOf(flags.port, '--port', portFrom) ??
      numberOf(variable(env, 'FAREGATE_PORT'), 'FAREGATE_PORT', portFrom) ??
      server.port,
    workers:
      numberOf(flags.workers, '--workers', workersFrom) ??
      numberOf(variable(env, 'FAREGATE_WORKERS'), 'FAREGATE_WORKERS', workersFrom) ??
      server.workers,
    bodyBytesMax: server.body_max,
    headerBytesMax: server.headers_max,
    bufferedBytesMax: server.buffered_max,
    connectionsMax: server.connections_max,
    connectionsPerAddressMax: server.connections_per_address_max ?? null,
    publicUrl: server.public_url ?? null,
    trustedProxies: server.trusted_proxies,
  };
}

function identityOf({ identity }: FileSettings): IdentityConfig {
  const { sign_up: signUp, operator_networks: operatorNetworks = null, oidc } = identity;
  if (oidc === undefined) return { signUp, operatorNetworks, oidc: null };
  const { issuer, client_id: clientId, client_secret: clientSecret = null, name } = oidc;
  return { signUp, operatorNetworks, oidc: { issuer, clientId, clientSecret, name } };
}

/** The environment goes before the file. */
function secretsOf({ path: file, settings: { secrets } }: ConfigFile, env: Environment): SecretsConfig {
  const { key_file: path, command, command_timeout: timeoutMs } = secrets;
  const keys = variable(env, 'FAREGATE_SECRETS_KEY');
  if (keys !== undefined) return { kind: 'given', keys };
  if (command === undefined) {
    return { kind: 'file', path: path === undefined ? null : resolve(dirname(file ?? '.'), path) };
  }
  if (path === undefined) return { kind: 'command', command, timeoutMs };
  throw new ConfigFault('secrets', 'names a key_file and a command; name one of them');
}

const OPERATOR_TOKEN = /^[\x21-\x7e]{32,200}$/;

function operatorTokenOf(env: Environment): string | null {
  const token = variable(env, 'FAREGATE_OPERATOR_TOKEN');
  if (token === undefined || OPERATOR_TOKEN.test(token)) return token ?? null;
  const right = 'write 32 to 200 characters without blanks, such as the output of "openssl rand -hex 32"';
  throw new ConfigFault('FAREGATE_OPERATOR_TOKEN', `is not a token that is hard to guess; ${right}`);
}

function databaseOf({ database }: FileSettings, env: Environment): DatabaseConfig {
  const url = addressOf(env, 'DATABASE_URL', database.url);
  // Whichever of several replicas can be reached.
  const anyServer = { ...env, PGTARGETSESSIONATTRS: 'any' };
  const replicaUrl = addressOf(anyServer, 'DATABASE_REPLICA_URL', database.replica_url);
  if (replicaUrl !== null && url === null) {
    throw new ConfigFault(
      'database.replica_url',
      'is a replica of the embedded database, which has none; set database.url',
    );
  }
  return {
    url,
    schema: schemaOf(env) ?? database.schema ?? null,
    replicaUrl,
    shard: database.shard,
    connectionsMax: database.connections_max,
    controlConnectionsMax: database.control_connections_max,
  };
}

function schemaOf(env: Environment): string | undefined {
  const schema = variable(env, 'FAREGATE_DATABASE_SCHEMA');
  if (schema === undefined || isSchemaName(schema)) return schema;
  throw new ConfigFault('FAREGATE_DATABASE_SCHEMA', `is no name of a schema; ${SCHEMA_RIGHT}`);
}

/** An address by its variable, else by the file. */
function addressOf(env: Environment, name: string, inFile: string | undefined): string | null {
  const fromEnvironment = variable(env, name);
  const problem = fromEnvironment === undefined ? null : databaseUrlProblem(fromEnvironment);
  if (problem !== null) throw new ConfigFault(name, `${problem.wrong}; ${problem.right}`);
  const url = fromEnvironment ?? inFile;
  return url === undefined ? null : withLibpqDefaults(url, env);
}

const LIBPQ_VARIABLES = {
  PGSSLMODE: 'sslmode',
  PGSSLROOTCERT: 'sslrootcert',
  PGSSLCERT: 'sslcert',
  PGSSLKEY: 'sslkey',
  PGTARGETSESSIONATTRS: 'target_session_attrs',
};

/** A database's address with what libpq's variables say of what it leaves out. */
function withLibpqDefaults(url: string, env: Environment): string {
  const given = new URLSearchParams(url.split('?')[1]);
  const missing = Object.entries(LIBPQ_VARIABLES).flatMap(([name, parameter]) => {
    const value = variable(env, name);
    return value === undefined || given.has(parameter) ? [] : [[parameter, value]];
  });
  if (missing.length === 0) return url;
  const completed = `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(missing).toString()}`;
  const problem = databaseUrlProblem(completed);
  if (problem !== null) throw new ConfigFault('PGSSLMODE', `${problem.wrong}; ${problem.right}`);
  return completed;
}

function timeoutsOf({ timeouts }: FileSettings, env: Environment): TimeoutConfig {
  return {
    headersMs: timeouts.headers,
    requestMs: timeouts.request,
    plainMs: timeouts.plain,
    streamMs: timeouts.stream,
    upstreamConnectMs: timeouts.upstream_connect,
    upstreamFirstByteMs: timeouts.upstream_first_byte,
    upstreamFirstEventMs: timeouts.upstream_first_event,
    upstreamIdleMs: timeouts.upstream_idle,
    upstreamKeepAliveMs: timeouts.upstream_keep_alive,
    pingMs: timeouts.ping,
    usageMs: timeouts.usage,
    holdWaitMs: timeouts.hold_wait,
    lameDuckMs: timeouts.lame_duck,
    drainMs: timeouts.drain,
    warmUpMs: numberOf(variable(env, 'FAREGATE_WARM_UP'), 'FAREGATE_WARM_UP', warmUpFrom) ?? timeouts.warm_up,
    epochMs: timeouts.epoch,
  };
}

function routingOf({ routing }: FileSettings): RoutingConfig {
  return {
    windowMs: routing.window,
    resultsMin: routing.results_min,
    failureRatio: routing.failure_percent / 100,
    restMs: routing.rest,
    refusedKeyMs: routing.refused_key_rest,
  };
}

function paymentsOf({ payments }: FileSettings): PaymentsConfig {
  const { stripe, fee, amount_min: amountMin, amount_max: amountMax, return_url: returnUrl = null } = payments;
  const { secret_key: secretKey, webhook_secret: webhookSecret = null, base_url: baseUrl } = stripe ?? {};
  const { automatic_tax: automaticTax = false, invoices = false } = stripe ?? {};
  const { seller } = payments;
  return {
    seller:
      seller === undefined
        ? null
        : { name: seller.name, address: seller.address ?? null, taxId: seller.tax_id ?? null },
    stripe:
      secretKey === undefined || baseUrl === undefined
        ? null
        : { secretKey, webhookSecret, baseUrl, automaticTax, invoices },
    fee: { share: fee.percent, min: fee.min },
    amountMin,
    amountMax,
    returnUrl,
  };
}

function logLevelOf(settings: FileSettings, env: Environment): Config['logLevel'] {
  const named = variable(env, 'FAREGATE_LOG_LEVEL');
  if (named === undefined) return settings.log_level;
  const level = LOG_LEVELS.find((known) => known === named);
  if (level === undefined)
    throw new ConfigFault('FAREGATE_LOG_LEVEL', `is not a known level; write one of ${LOG_LEVELS.join(', ')}`);
  return level;
}

/** The number in the text, if there is one. */
function numberOf(
  text: string | undefined,
  source: string,
  read: (source: string, text: string) => number,
): number | undefined {
  return text === undefined ? undefined : read(source, text);
}

function workersFrom(source: string, text: string): number {
  const workers = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (workers >= 1 && workers <= WORKERS_MAX) return workers;
  throw new ConfigFault(source, `is not a number of processes; write a whole number from 1 to ${WORKERS_MAX}`);
}

function warmUpFrom(source: string, text: string): number {
  const ms = parseDuration(text);
  if (ms !== null && ms <= WARM_UP_MS_MAX) return ms;
  throw new ConfigFault(source, 'is not a time; write one from 0s to 60s, such as 1500ms');
}

function portFrom(source: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new ConfigFault(source, 'is not a port; write a whole number from 0 to 65535');
}
