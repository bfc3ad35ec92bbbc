import { stringify } from 'yaml';
import { formatUsd } from '../domain/money.ts';
import type { ModelTerms } from '../domain/model.ts';
import type { Rates } from '../domain/price.ts';
import type { BackupConfig, Config, ModelConfig, OtlpConfig, ProviderConfig } from './config.ts';
import { describeAmounts, describePrice } from './config-price.ts';
import { describeRoute } from './config-route.ts';
import { kindOf } from './provider-kinds.ts';
import { NO_EXPORT } from './retention-config.ts';
import { describeSinks } from './sinks-config.ts';
import { formatDuration, formatSize } from './units.ts';

/** Stands for a secret. */
export const HIDDEN = '***';

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
      ...known({ connections_per_address_max: server.connectionsPerAddressMax, public_url: server.publicUrl }),
      trusted_proxies: [...server.trustedProxies],
    },
    database: {
      ...(database.url === null ? {} : { url: withoutPassword(database.url) }),
      ...known({ schema: database.schema }),
      ...(database.replicaUrl === null ? {} : { replica_url: withoutPassword(database.replicaUrl) }),
      shard: database.shard,
      connections_max: database.connectionsMax,
      control_connections_max: database.controlConnectionsMax,
    },
    data: config.dataDirectory,
    timeouts: describeTimeouts(config),
    routing: describeRouting(config),
    structured_output: { free_per_hour: formatUsd(config.structured.freePerHour) },
    responses: {
      store_for: formatDuration(config.responses.storeForMs),
      store_max: formatSize(config.responses.storeBytesMax),
    },
    ledger: describeLedger(config),
    audit: known({ keep: daysText(config.audit.keepDays) }),
    refusals: { keep: daysText(config.refusals.keepDays) },
    ...(config.backup === null ? {} : { backup: describeBackup(config.backup) }),
    alerts: { check_every: formatDuration(config.alerts.checkEveryMs) },
    ...(config.mail === null
      ? {}
      : { mail: { smtp_url: withoutPassword(config.mail.smtpUrl), from: config.mail.from } }),
    webhooks: { allowed_networks: config.webhooks.allowedNetworks },
    identity: describeIdentity(config),
    secrets: describeSecrets(config),
    payments: describePayments(config),
    telemetry: describeTelemetry(config),
    sinks: describeSinks(config.sinks, HIDDEN),
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
    stream: formatDuration(timeouts.streamMs),
    upstream_connect: formatDuration(timeouts.upstreamConnectMs),
    upstream_first_byte: formatDuration(timeouts.upstreamFirstByteMs),
    upstream_first_event: formatDuration(timeouts.upstreamFirstEventMs),
    upstream_idle: formatDuration(timeouts.upstreamIdleMs),
    upstream_keep_alive: formatDuration(timeouts.upstreamKeepAliveMs),
    ping: formatDuration(timeouts.pingMs),
    usage: formatDuration(timeouts.usageMs),
    hold_wait: formatDuration(timeouts.holdWaitMs),
    lame_duck: formatDuration(timeouts.lameDuckMs),
    drain: formatDuration(timeouts.drainMs),
    warm_up: formatDuration(timeouts.warmUpMs),
    epoch: formatDuration(timeouts.epochMs),
  };
}

function describeIdentity({ identity: { signUp, operatorNetworks, oidc } }: Config): Record<string, unknown> {
  const people = { sign_up: signUp, ...known({ operator_networks: operatorNetworks }) };
  if (oidc === null) return people;
  const { issuer, clientId, clientSecret, name } = oidc;
  const secret = clientSecret === null ? null : HIDDEN;
  return { ...people, oidc: known({ issuer, client_id: clientId, client_secret: secret, name }) };
}

function describeSecrets({ secrets }: Config): Record<string, unknown> {
  switch (secrets.kind) {
    case 'given':
      return { key: HIDDEN };
    case 'command':
      return { command: [...secrets.command], command_timeout: formatDuration(secrets.timeoutMs) };
    case 'file':
      return known({ key_file: secrets.path });
  }
}

function describeTelemetry({ telemetry }: Config): Record<string, unknown> {
  const { otlp, serviceName, attributes, traces, metrics, requestLog } = telemetry;
  return {
    ...(otlp === null ? {} : { otlp: describeOtlp(otlp) }),
    service_name: serviceName,
    ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
    // A percentage such as 0.07 is no whole part of 1.
    traces: { sample_percent: Number((traces.sampleRatio * 100).toFixed(6)), follow_callers: traces.followCallers },
    metrics: { push_every: formatDuration(metrics.pushEveryMs) },
    request_log: requestLog,
  };
}

function describeOtlp({ endpoint, headers, timeoutMs }: OtlpConfig): Record<string, unknown> {
  const hidden = Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN]));
  return {
    endpoint,
    ...(Object.keys(headers).length > 0 ? { headers: hidden } : {}),
    timeout: formatDuration(timeoutMs),
  };
}

function describeLedger({ ledger: { keepDays, exportTo } }: Config): Record<string, unknown> {
  return known({ keep: daysText(keepDays), export_to: exportTo ?? (keepDays === null ? null : NO_EXPORT) });
}

function daysText(days: number | null): string | null {
  return days === null ? null : `${days}d`;
}

function describeBackup({ schedule, folder, recipients, keep, verifies }: BackupConfig): Record<string, unknown> {
  return { schedule: scheduleText(schedule), folder, recipients: [...recipients], keep, verify: verifies };
}

function scheduleText({ everyMs, afterMs }: BackupConfig['schedule']): string {
  // An interval of a day is written as the time of day that it is.
  if (everyMs !== 86_400_000) return formatDuration(everyMs);
  const minutes = afterMs / 60_000;
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

function describeRouting({ routing }: Config): Record<string, unknown> {
  return {
    window: formatDuration(routing.windowMs),
    results_min: routing.resultsMin,
    failure_percent: Math.round(routing.failureRatio * 100),
    rest: formatDuration(routing.restMs),
    refused_key_rest: formatDuration(routing.refusedKeyMs),
  };
}

function describePayments({ payments }: Config): Record<string, unknown> {
  const { seller, stripe, fee, amountMin, amountMax, returnUrl } = payments;
  const described =
    stripe === null
      ? null
      : known({
          secret_key: stripe.secretKey.replace(/^(.._(?:test|live)_).*$/s, `$1${HIDDEN}`),
          webhook_secret: stripe.webhookSecret === null ? null : `whsec_${HIDDEN}`,
          base_url: stripe.baseUrl,
          automatic_tax: stripe.automaticTax,
          invoices: stripe.invoices,
        });
  return known({
    seller: seller === null ? null : known({ name: seller.name, address: seller.address, tax_id: seller.taxId }),
    stripe: described,
    fee: { percent: `${fee.share / 100n}.${(fee.share % 100n).toString().padStart(2, '0')}`, min: formatUsd(fee.min) },
    amount_min: formatUsd(amountMin),
    amount_max: formatUsd(amountMax),
    return_url: returnUrl,
  });
}

/** A provider in the form of the file, its secrets hidden. */
export function describeProvider(provider: ProviderConfig): Record<string, unknown> {
  const { kind, baseUrl, apiKey, proxy, tls, concurrencyMax, drains, acceptFields } = provider;
  return known({
    kind,
    base_url: baseUrl === '' ? null : baseUrl,
    api_key: apiKey === null ? null : HIDDEN,
    ...kindOf(kind).describe(provider),
    proxy: proxy === null ? null : withoutPassword(proxy),
    tls: tls === null ? null : known({ ca: tls.ca?.path, cert: tls.cert?.path, key: tls.key?.path }),
    concurrency_max: concurrencyMax,
    accept_fields: acceptFields,
    drain: drains,
  });
}

/** A model in the form of the file, with the price that a mark-up makes. */
export function describeModel({ id, terms, routes, reasoning, fallback }: ModelConfig): Record<string, unknown> {
  const { imageTokens, audioTokens, fileTokens } = terms.media;
  const media = known({ image_tokens: imageTokens, audio_tokens: audioTokens, file_tokens: fileTokens });
  const tools = Object.entries(terms.tools ?? {}).map(
    ([tool, { maxUses, inputTokens }]) => [tool, known({ max_uses: maxUses, input_tokens: inputTokens })] as const,
  );
  return {
    id,
    kind: terms.kind,
    routes: routes.map(describeRoute),
    price: describeListPrice(terms),
    context_window: terms.contextWindow,
    max_output: terms.maxOutput,
    ...(reasoning ? { reasoning } : {}),
    ...(fallback === undefined ? {} : { fallback }),
    ...(Object.keys(media).length > 0 ? { media } : {}),
    ...(tools.length > 0 ? { tools: Object.fromEntries(tools) } : {}),
  };
}

/** The fields that have a value: the file says nothing of the others. */
function known(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}

/** What callers pay; rates of audio output at all lengths of input would say that audio is for sale. */
function describeListPrice({ price, sellsAudio }: ModelTerms): Record<string, unknown> {
  return describePrice(price, sellsAudio === true ? describeAmounts : describeOwnAudio);
}

/** Without the rate of audio output where it is that of text. */
function describeOwnAudio({ audio_output: audio, ...rates }: Rates): Record<string, string> {
  return describeAmounts(audio === rates.output ? rates : { ...rates, audio_output: audio });
}

/** A password may stand in the address's authority or, as libpq allows, in its query. */
function withoutPassword(address: string): string {
  const [place = '', query] = address.split(/\?(.*)/s);
  const shown = place.replace(/^(\w+:\/\/[^:@/]*):[^@/]+@/, `$1:${HIDDEN}@`);
  if (query === undefined) return shown;
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) if (/password|secret/i.test(name)) parameters.set(name, HIDDEN);
  return `${shown}?${parameters.toString()}`;
}
