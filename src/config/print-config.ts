import { stringify } from 'yaml';
import { formatUsd } from '../domain/money.ts';
import type { Rates } from '../domain/price.ts';
import type { Config, ModelConfig, ProviderConfig } from './config.ts';
import { formatDuration, formatSize } from './units.ts';

const HIDDEN = '***';

/** The configuration in effect in the form of its file, secrets hidden. */
export function describeConfig(config: Config): Record<string, unknown> {
  const { server, database } = config;
  return {
    server: {
      host: server.host,
      port: server.port,
      workers: server.workers,
      body_max: formatSize(server.bodyBytesMax),
      headers_max: formatSize(server.headerBytesMax),
      buffered_max: formatSize(server.bufferedBytesMax),
      connections_max: server.connectionsMax,
    },
    database: {
      ...(database.url === null ? {} : { url: withoutPassword(database.url) }),
      connections_max: database.connectionsMax,
    },
    data: config.dataDirectory,
    timeouts: describeTimeouts(config),
    log_level: config.logLevel,
    providers: Object.fromEntries(config.providers.map((provider) => [provider.name, describeProvider(provider)])),
    models: config.models.map(describeModel),
  };
}

/** The same as YAML text. */
export function printConfig(config: Config): string {
  return stringify(describeConfig(config), { lineWidth: 0 });
}

function describeTimeouts({ timeouts }: Config): Record<string, string> {
  return {
    headers: formatDuration(timeouts.headersMs),
    request: formatDuration(timeouts.requestMs),
    plain: formatDuration(timeouts.plainMs),
    upstream_connect: formatDuration(timeouts.upstreamConnectMs),
    upstream_first_byte: formatDuration(timeouts.upstreamFirstByteMs),
    upstream_idle: formatDuration(timeouts.upstreamIdleMs),
    ping: formatDuration(timeouts.pingMs),
    usage: formatDuration(timeouts.usageMs),
    hold_wait: formatDuration(timeouts.holdWaitMs),
    drain: formatDuration(timeouts.drainMs),
    epoch: formatDuration(timeouts.epochMs),
  };
}

function describeProvider(provider: ProviderConfig): Record<string, unknown> {
  if (provider.kind === 'sandbox') return { kind: provider.kind };
  return {
    kind: provider.kind,
    base_url: provider.baseUrl,
    ...(provider.apiKey === null ? {} : { api_key: HIDDEN }),
    cap_field: provider.capField,
    needs_cap: provider.needsCap,
  };
}

function describeModel({ id, terms, routes }: ModelConfig): Record<string, unknown> {
  const { imageTokens, audioTokens, fileTokens } = terms.media;
  const media = { image_tokens: imageTokens, audio_tokens: audioTokens, file_tokens: fileTokens };
  const known = Object.fromEntries(Object.entries(media).filter(([, tokens]) => tokens !== null));
  const tiers = terms.price.tiers.map((tier) => ({
    above_input_tokens: tier.aboveInputTokens,
    ...describeRates(tier.rates),
  }));
  return {
    id,
    kind: terms.kind,
    routes: routes.map((route) => ({ provider: route.provider, model: route.upstreamModel })),
    price: { ...describeRates(terms.price.rates), ...(tiers.length > 0 ? { tiers } : {}) },
    context_window: terms.contextWindow,
    max_output: terms.maxOutput,
    ...(Object.keys(known).length > 0 ? { media: known } : {}),
  };
}

function describeRates(rates: Rates): Record<string, string> {
  return Object.fromEntries(Object.entries(rates).map(([tokenClass, amount]) => [tokenClass, formatUsd(amount)]));
}

/** A password may stand in the address's authority or, as libpq allows, in its query. */
function withoutPassword(address: string): string {
  const url = new URL(address);
  if (url.password !== '') url.password = HIDDEN;
  for (const name of url.searchParams.keys()) if (/password|secret/i.test(name)) url.searchParams.set(name, HIDDEN);
  return url.href;
}
