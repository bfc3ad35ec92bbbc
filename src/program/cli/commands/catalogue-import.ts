import { existsSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { ProviderConfig } from '../../../config/config.ts';
import { loadConfig } from '../../../config/load-config.ts';
import { nearestName } from '../../../lib/nearest-name.ts';
import { mergeEntries } from '../../../config/price-map/merge-entries.ts';
import { entriesText, modelEntry, type ModelEntry } from '../../../config/price-map/model-entries.ts';
import { type MapEntry, readPriceMap } from '../../../config/price-map/price-map.ts';
import { providerFor } from '../../../config/price-map/provider-choice.ts';
import { CliFailure, codeOf } from '../cli-failure.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { modelList } from '../option-values.ts';
import { plain } from '../text-layout.ts';

interface ImportOptions {
  readonly models?: readonly string[];
  readonly provider?: string;
  readonly out?: string;
}

/** `catalogue import FILE`: models of the community's price map as entries of the config file. */
export function addImportCommand(catalogue: Command, context: CliContext): void {
  catalogue
    .command('import')
    .summary("write models of LiteLLM's price map as entries of the config file")
    .description(
      "Reads LiteLLM's model_prices_and_context_window.json and prints models as entries of the config file, or merges " +
        'them into one. Prices are exact; models with inexact prices are skipped, with the reason.',
    )
    .argument('<file>')
    .option(
      '--models <ids>',
      'comma-separated names of models in the map (default: all models of the configured providers)',
      modelList,
    )
    .option('--provider <name>', 'the configured provider that serves them (default: the one of the matching kind)')
    .option('--out <file>', 'a config file to merge them into (default: print them)')
    .addHelpText(
      'after',
      example('catalogue import model_prices_and_context_window.json --models gpt-5 --out faregate.yaml'),
    )
    .action((name: string, own: ImportOptions, command: Command) => {
      const options = globalsOf(command);
      const map = readMap(name, context);
      const target = own.out === undefined ? null : resolve(context.surroundings.cwd, own.out);
      const existing = target === null ? null : readIfThere(target);
      const sources = context.configSources(
        target === null || existing === null ? options : { ...options, config: target },
      );
      const { chosen, skipped } = choose(map, own, loadConfig(sources).providers);
      for (const { id, reason } of skipped) context.surroundings.err(`skipped ${plain(id)}: ${plain(reason)}\n`);
      if (target === null) {
        context.print(options, { models: chosen, skipped }, chosen.length === 0 ? '' : entriesText(chosen));
      } else {
        const { text, ...outcome } = mergeEntries(existing ?? '', chosen);
        if (outcome.added.length + outcome.updated.length > 0) replace(target, text);
        const { untouched } = outcome;
        if (untouched.length > 0)
          context.complain(
            `edit these entries yourself, as they are in braces, have anchors or are sold at a mark-up on other routes: ${plain(untouched.join(', '))}`,
          );
        const counts = Object.entries(outcome).map(([what, ids]) => `${ids.length} ${what}`);
        context.print(options, { file: target, ...outcome, skipped }, `${target}: ${counts.join(', ')}.\n`);
      }
      const unmet = own.models?.filter((id) => !chosen.some((entry) => entry.id === id)) ?? [];
      if (unmet.length > 0) context.complain(`not imported: ${plain(unmet.join(', '))}`);
      else if (chosen.length === 0) context.complain('no model of the map was imported; name some with --models');
    });
}

interface SkippedModel {
  readonly id: string;
  readonly reason: string;
}

/** Chooses the provider of each entry; an entry without one is skipped, with the reason. */
function choose(
  map: readonly MapEntry[],
  own: ImportOptions,
  configured: readonly ProviderConfig[],
): { readonly chosen: readonly ModelEntry[]; readonly skipped: readonly SkippedModel[] } {
  const providers = own.provider === undefined ? configured : [named(own.provider, configured)];
  const chosen: ModelEntry[] = [];
  const skipped: SkippedModel[] = [];
  const entries = own.models === undefined ? map : map.filter(({ id }) => own.models?.includes(id));
  for (const entry of entries) {
    const fitting = providerFor(entry.vendor, providers);
    // An operator who names a model and a provider knows that it runs there, even if the map lacks it.
    const provider = own.models === undefined ? fitting : (own.provider ?? fitting);
    if (provider === null && own.models === undefined) continue;
    if (!entry.ok) skipped.push({ id: entry.id, reason: entry.reason });
    else if (provider !== null) chosen.push(modelEntry(entry.model, provider));
    else skipped.push({ id: entry.id, reason: noProvider(entry.vendor) });
  }
  const ids = map.map(({ id }) => id);
  for (const id of own.models ?? []) {
    if (ids.includes(id)) continue;
    const meant = nearestName(id, ids);
    skipped.push({ id, reason: `the map has no such model${meant === null ? '' : `; did you mean "${meant}"?`}` });
  }
  return { chosen, skipped };
}

function noProvider(vendor: string): string {
  return `none of the configured providers, or more than one, is of the kind "${vendor}"; name one with --provider`;
}

function named(provider: string, configured: readonly ProviderConfig[]): ProviderConfig {
  const found = configured.find(({ name }) => name === provider);
  if (found !== undefined) return found;
  const known = configured.map(({ name }) => name).join(', ');
  throw new CliFailure(
    `the configuration has no provider "${provider}"; ${known === '' ? 'define it first' : `it has ${known}`}`,
  );
}

function readMap(name: string, { surroundings }: CliContext): readonly MapEntry[] {
  const path = resolve(surroundings.cwd, name);
  const text = readIfThere(path);
  if (text === null) throw new CliFailure(`${path} does not exist`);
  const map = readPriceMap(text);
  if (map === null) throw new CliFailure(`${path} is not LiteLLM's price map`);
  return map;
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const code = codeOf(cause, 'unreadable');
    if (code === 'ENOENT') return null;
    throw new CliFailure(`${path} cannot be read (${code})`, { cause });
  }
}

/** Replaces the file in one step: an instance may be watching it. */
function replace(path: string, text: string): void {
  try {
    const real = existsSync(path) ? realpathSync(path) : path;
    const mode = existsSync(real) ? statSync(real).mode : 0o644;
    writeFileSync(`${real}.partial`, text, { mode });
    renameSync(`${real}.partial`, real);
  } catch (cause) {
    const code = codeOf(cause, 'failed');
    throw new CliFailure(`${path} cannot be written (${code})`, { cause });
  }
}
