import type { Config } from './config.ts';
import { describeConfig, HIDDEN } from './print-config.ts';

/** What is shown instead of a secret that there is, and of a setting without a value. */
const SET = 'set';
export const NOT_SET = 'not set';

/** Settings that may have no value. They are named nevertheless, so that nobody has to guess. */
const OPTIONAL = [
  'server.connections_per_address_max',
  'server.public_url',
  'database.url',
  'database.schema',
  'database.replica_url',
  'ledger.keep',
  'ledger.export_to',
  'audit.keep',
  'backup.schedule',
  'mail.smtp_url',
  'identity.operator_networks',
  'identity.oidc.client_secret',
  'secrets.key_file',
  'secrets.command',
  'payments.seller.name',
  'payments.stripe.secret_key',
  'payments.stripe.webhook_secret',
  'payments.return_url',
  'telemetry.otlp.endpoint',
] as const;

/**
 * All settings besides the models as text, by their dotted names in the order of the file. Secrets and passwords are
 * hidden.
 */
export function settingTexts(config: Config): ReadonlyMap<string, string> {
  const { models: _, ...described } = describeConfig(config);
  const texts = new Map(leavesOf(described).map(([name, value]) => [name, textOf(name, value)]));
  const keys = config.providers.map(({ name }) => `providers.${name}.api_key`);
  for (const name of [...OPTIONAL, ...keys]) if (!texts.has(name)) texts.set(name, NOT_SET);
  return texts;
}

/** The leaves of a tree by their dotted names; a list is a leaf. */
export function leavesOf(root: object): [name: string, value: unknown][] {
  return Object.entries(root).flatMap(([name, value]): [string, unknown][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? leavesOf(value as object).map(([below, leaf]) => [`${name}.${below}`, leaf])
      : [[name, value]],
  );
}

const SECRET = /\.(?:api_key|client_secret|secret_key|webhook_secret)$/;

function textOf(name: string, value: unknown): string {
  if (SECRET.test(name) || value === HIDDEN) return SET;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  return String(value);
}
