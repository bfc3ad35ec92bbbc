import { isDeepStrictEqual } from 'node:util';
import type { Config } from './config.ts';
import { describeConfig } from './print-config.ts';

/** The result of reloading a running configuration. */
export interface Takeover {
  /** The running one, with all of the new one that can change while the program runs. */
  readonly config: Config;
  /** The keys that have another value in the new one, and count from the next start on. */
  readonly left: readonly string[];
}

/** Settings that need a restart. Keys of the file; a section stands for all its keys. */
const FIXED = [
  'server',
  'database',
  'data',
  'mail',
  'webhooks',
  'identity.sign_up',
  'identity.oidc',
  'payments',
  'timeouts.hold_wait',
  'timeouts.epoch',
] as const;

/** Takes over what can change while the program runs: providers, models, the log level, and most of the timeouts. */
export function takeOver(running: Config, read: Config): Takeover {
  const { holdWaitMs, epochMs } = running.timeouts;
  const config = {
    ...running,
    file: read.file,
    timeouts: { ...read.timeouts, holdWaitMs, epochMs },
    routing: read.routing,
    structured: read.structured,
    providers: read.providers,
    models: read.models,
    providerKeyVariables: read.providerKeyVariables,
    logLevel: read.logLevel,
  };
  return { config, left: fixedKeysThatDiffer(running, read) };
}

function fixedKeysThatDiffer(running: Config, read: Config): string[] {
  const [old, now] = [describeConfig(running), describeConfig(read)];
  const keys = FIXED.flatMap((key) => leavesOf(key, { ...asSection(at(old, key)), ...asSection(at(now, key)) }));
  // A password is hidden in a description, and may be all that differs.
  const hasOther = new Map([
    ['database.url', running.database.url !== read.database.url],
    ['mail.smtp_url', running.mail?.smtpUrl !== read.mail?.smtpUrl],
    ['identity.oidc.client_secret', running.identity.oidc?.clientSecret !== read.identity.oidc?.clientSecret],
    ['payments.stripe', !isDeepStrictEqual(running.payments.stripe, read.payments.stripe)],
  ]);
  return keys.filter((key) => hasOther.get(key) ?? !isDeepStrictEqual(at(old, key), at(now, key)));
}

function leavesOf(key: string, section: object): string[] {
  const names = Object.keys(section);
  return names.length === 0 ? [key] : names.map((name) => `${key}.${name}`);
}

function asSection(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

function at(root: unknown, key: string): unknown {
  return key
    .split('.')
    .reduce<unknown>((value, step) => Object.entries(asSection(value)).find(([name]) => name === step)?.[1], root);
}
