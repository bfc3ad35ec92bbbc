import type { Config } from './config.ts';
import { sinkSecrets } from './sinks-config.ts';
import { settingTexts } from './setting-texts.ts';

/** The result of reloading a running configuration. */
export interface Takeover {
  /** The running one, with all of the new one that can change while the program runs. */
  readonly config: Config;
  /** The settings that have another value in the new one, which counts from the next start on; dotted names. */
  readonly left: readonly string[];
}

/** Settings that need a restart. Keys of the file; a section stands for all its keys. */
const FIXED = [
  'server',
  'database',
  'data',
  'ledger',
  'audit',
  'refusals',
  'backup',
  'alerts',
  'mail',
  'webhooks',
  'identity.sign_up',
  'identity.operator_networks',
  'identity.oidc',
  'secrets',
  'payments',
  'sinks',
  'timeouts.hold_wait',
  'timeouts.epoch',
] as const;

/** Takes over what can change while the program runs: providers, models, the log level, and most of the timeouts. */
export function takeOver(running: Config, read: Config): Takeover {
  const { holdWaitMs, epochMs } = running.timeouts;
  const config = {
    ...running,
    file: read.file,
    origins: mergedOrigins(running, read),
    timeouts: { ...read.timeouts, holdWaitMs, epochMs },
    routing: read.routing,
    structured: read.structured,
    responses: read.responses,
    telemetry: read.telemetry,
    providers: read.providers,
    models: read.models,
    providerKeyVariables: read.providerKeyVariables,
    logLevel: read.logLevel,
  };
  return { config, left: fixedKeysThatDiffer(running, read) };
}

function mergedOrigins(running: Config, read: Config): Config['origins'] {
  return Object.fromEntries([
    ...Object.entries(read.origins).filter(([name]) => !isFixed(name)),
    ...Object.entries(running.origins).filter(([name]) => isFixed(name)),
  ]);
}

function isFixed(name: string): boolean {
  return FIXED.some((key) => name === key || name.startsWith(`${key}.`));
}

function fixedKeysThatDiffer(running: Config, read: Config): string[] {
  const [old, now] = [settingTexts(running), settingTexts(read)];
  // A secret is hidden in a text, and may be all that differs.
  const [oldSecrets, nowSecrets] = [secretsOf(running), secretsOf(read)];
  return [...new Set([...old.keys(), ...now.keys()])].filter(
    (name) => isFixed(name) && (old.get(name) !== now.get(name) || oldSecrets.get(name) !== nowSecrets.get(name)),
  );
}

function secretsOf({
  database,
  mail,
  identity,
  secrets,
  payments,
  sinks,
}: Config): ReadonlyMap<string, string | null | undefined> {
  return new Map([
    ['database.url', database.url],
    ['database.replica_url', database.replicaUrl],
    ['mail.smtp_url', mail?.smtpUrl],
    ['identity.oidc.client_secret', identity.oidc?.clientSecret],
    ['secrets.key', secrets.kind === 'given' ? secrets.keys : null],
    ['payments.stripe.secret_key', payments.stripe?.secretKey],
    ['payments.stripe.webhook_secret', payments.stripe?.webhookSecret],
    ...sinkSecrets(sinks),
  ]);
}
