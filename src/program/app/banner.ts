import { relative } from 'node:path';
import type { ModelKind } from '../../domain/model.ts';
import { linkUrl } from '../../control/identity/links.ts';
import { formatUsd, type NanoUsd } from '../../domain/money.ts';

/** The first boot's key in plain text: it is shown once and not stored. */
export interface FirstKey {
  readonly key: string;
  readonly workspace: string;
  readonly credit: NanoUsd;
}

/** The text that a start prints for its operator. */
export interface BannerFacts {
  readonly url: string;
  /** The command by which a shell in the working directory controls this instance. */
  readonly command: string;
  /** Null on any boot but the first. */
  readonly firstKey: FirstKey | null;
  /** The address at which the first owner creates an account, once; null: there is one. */
  readonly setUpUrl: string | null;
  /** The models on sale. */
  readonly models: readonly { readonly id: string; readonly kind: ModelKind }[];
  /** Discovered local model servers, by name and address. */
  readonly servers: readonly { readonly name: string; readonly baseUrl: string }[];
  /** Provider keys in the environment that no configured provider uses. */
  readonly unusedKeys: readonly { readonly variable: string; readonly name: string }[];
}

const MODELS_SHOWN = 12;

/** A curl command for the first chat model, for any shell. */
function firstRequestLines({ url, command, models }: BannerFacts, key: string): string[] {
  const model = models.find(({ kind }) => kind === 'chat')?.id;
  if (model === undefined) return [];
  const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Hello, Faregate' }] });
  return [
    'A first request:',
    '',
    `  curl -N ${url}/v1/chat/completions -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${body}'`,
    '',
    'Its usage and cost:',
    '',
    `  ${command} receipt --last`,
    '',
  ];
}

function firstKeyLines(facts: BannerFacts, { key, workspace, credit }: FirstKey): string[] {
  return [
    `Workspace "${workspace}" has ${formatUsd(credit)} USD of starter credit. This is its key; it is shown once:`,
    '',
    `  ${key}`,
    '',
    ...firstRequestLines(facts, key),
  ];
}

/** The address of a set-up link; null if there is none. */
export function setUpUrlOf(publicUrl: string, secret: string | null): string | null {
  return secret === null ? null : linkUrl(publicUrl, 'set_up', secret);
}

function setUpLines(setUpUrl: string | null): string[] {
  if (setUpUrl === null) return [];
  return [
    'To create the account of the owner and operator, open this link, which works once and for a day:',
    '',
    `  ${setUpUrl}`,
    '',
  ];
}

function laterKeyLines({ command }: BannerFacts): string[] {
  return [
    'A key is shown once, when it is created. To create another one:',
    '',
    `  ${command} key create WORKSPACE/PROJECT`,
    '',
  ];
}

function modelsText({ models, command }: BannerFacts): string {
  if (models.length === 0) return `none yet: add some to the config file, then run "${command} catalogue apply"`;
  const more = models.length > MODELS_SHOWN ? ` and ${models.length - MODELS_SHOWN} more` : '';
  const shown = models.slice(0, MODELS_SHOWN).map(({ id }) => id);
  return shown.join(', ') + more;
}

/** The command for the instance of this data directory; `--data` is given unless the directory is the default. */
export function commandHere(command: string, dataDirectory: string, workingDirectory: string): string {
  const below = relative(workingDirectory, dataDirectory);
  if (below === 'data') return command;
  const data = below.startsWith('..') ? dataDirectory : below;
  return `${command} --data ${/^[\w./-]+$/.test(data) ? data : `'${data.replaceAll("'", `'\\''`)}'`}`;
}

/** The text of the banner, ending in a newline. */
export function banner(facts: BannerFacts): string {
  const { url, command, firstKey, setUpUrl, servers, unusedKeys } = facts;
  const lines = [
    `Faregate is ready at ${url}`,
    '',
    `  API      ${url}/v1`,
    `  Console  ${url}/`,
    `  Models   ${modelsText(facts)}`,
    ...servers.map(({ name, baseUrl }) => `  Found    ${name} at ${baseUrl}; its models are free of charge`),
    '',
    ...setUpLines(setUpUrl),
    ...(firstKey === null ? laterKeyLines(facts) : firstKeyLines(facts, firstKey)),
    ...unusedKeys.flatMap(({ variable, name }) => [
      `${variable} is set. To sell that provider's models:`,
      '',
      `  ${command} init --provider ${name}`,
      '',
    ]),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}
