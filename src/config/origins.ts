import type { Config, Origin } from './config.ts';
import { leavesOf } from './setting-texts.ts';
import { telemetryVariables } from './telemetry-config.ts';
import { type Environment, variable } from './variables.ts';

// Where the values of settings come from, by their dotted names. What is not named is a default.

type FlagName = 'data' | 'host' | 'port' | 'workers';

interface Sources {
  readonly flags: { readonly [Name in FlagName]?: string | undefined };
  readonly env: Environment;
}

interface OtherSources {
  readonly flag?: FlagName;
  readonly variable: string;
}

/** The settings that flags and variables have, too. */
const ELSEWHERE: Readonly<Record<string, OtherSources>> = {
  'server.host': { flag: 'host', variable: 'FAREGATE_HOST' },
  'server.port': { flag: 'port', variable: 'FAREGATE_PORT' },
  'server.workers': { flag: 'workers', variable: 'FAREGATE_WORKERS' },
  'database.url': { variable: 'DATABASE_URL' },
  'database.schema': { variable: 'FAREGATE_DATABASE_SCHEMA' },
  'database.replica_url': { variable: 'DATABASE_REPLICA_URL' },
  data: { flag: 'data', variable: 'FAREGATE_DATA' },
  'secrets.key': { variable: 'FAREGATE_SECRETS_KEY' },
  'telemetry.otlp.endpoint': { variable: 'OTEL_EXPORTER_OTLP_ENDPOINT' },
  'telemetry.service_name': { variable: 'OTEL_SERVICE_NAME' },
  'timeouts.warm_up': { variable: 'FAREGATE_WARM_UP' },
  log_level: { variable: 'FAREGATE_LOG_LEVEL' },
};

/** The origins of a configuration's settings, by its file's tree and what goes before it. */
export function originsOf(tree: unknown, { flags, env }: Sources, providers: Config['providers']): Config['origins'] {
  const { models: _, ...sections } = (tree ?? {}) as Record<string, unknown>;
  const inFile = leavesOf(sections).map(([name]) => name.replace(/\.api_key_file$/, '.api_key'));
  const proxied = providers.filter(({ proxy }) => proxy !== null).map(({ name }) => `providers.${name}.proxy`);
  const elsewhere = Object.entries(ELSEWHERE).flatMap(([name, { flag, variable: named }]): [string, Origin][] => {
    if (flag !== undefined && flags[flag] !== undefined) return [[name, 'flag']];
    return variable(env, named) === undefined ? [] : [[name, 'environment']];
  });
  return Object.fromEntries([
    ...proxied.map((name): [string, Origin] => [name, 'environment']),
    ...inFile.map((name): [string, Origin] => [name, 'file']),
    ...telemetryVariables(env).map((name): [string, Origin] => [name, 'environment']),
    ...elsewhere,
  ]);
}
