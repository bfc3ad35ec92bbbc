import { formatUsd, type NanoUsd } from '../domain/money.ts';

/** The first boot's key, in the clear: it is shown once and kept nowhere. */
export interface FirstKey {
  readonly key: string;
  readonly workspace: string;
  readonly credit: NanoUsd;
}

/** What a start prints for the person who started it. */
export interface BannerFacts {
  readonly url: string;
  /** Null on any boot but the first. */
  readonly firstKey: FirstKey | null;
  readonly models: readonly string[];
  /** Local model servers that were found, by name and address. */
  readonly servers: readonly { readonly name: string; readonly baseUrl: string }[];
  /** Provider keys that the environment has and no configured provider uses, with the lines that would use them. */
  readonly unusedKeys: readonly { readonly variable: string; readonly yaml: string }[];
}

const MODELS_SHOWN = 12;

function firstKeyLines(url: string, first: FirstKey): string[] {
  const body = '{"model":"sandbox/echo","stream":true,"messages":[{"role":"user","content":"Hello, Faregate"}]}';
  return [
    `Workspace "${first.workspace}" has ${formatUsd(first.credit)} USD of starter credit. This is its key; it is shown once:`,
    '',
    `  ${first.key}`,
    '',
    'A first request:',
    '',
    `  curl -N ${url}/v1/chat/completions -H 'Authorization: Bearer ${first.key}' -H 'Content-Type: application/json' -d '${body}'`,
    '',
  ];
}

/** The text of the banner, ending in a newline. */
export function banner(facts: BannerFacts): string {
  const { url, firstKey, models, servers, unusedKeys } = facts;
  const more = models.length > MODELS_SHOWN ? ` and ${models.length - MODELS_SHOWN} more` : '';
  const lines = [
    `Faregate is ready at ${url}`,
    '',
    `  API      ${url}/v1`,
    `  Console  ${url}/`,
    `  Models   ${models.length === 0 ? 'none: see "faregate catalogue diff"' : models.slice(0, MODELS_SHOWN).join(', ') + more}`,
    ...servers.map(({ name, baseUrl }) => `  Found    ${name} at ${baseUrl}; its models are free of charge`),
    '',
    ...(firstKey === null ? [] : firstKeyLines(url, firstKey)),
    ...unusedKeys.flatMap(({ variable, yaml }) => [
      `${variable} is set. To sell that provider's models, put this into faregate.yaml:`,
      '',
      ...yaml.split('\n').map((line) => `  ${line}`),
      '',
    ]),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}
