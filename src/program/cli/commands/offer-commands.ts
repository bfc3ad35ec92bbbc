import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ConfigFault } from '../../../config/config-fault.ts';
import { readYamlTree } from '../../../config/yaml-tree.ts';
import type { AdminClient } from '../../../control/admin/client.ts';
import { CATALOGUE_COMMANDS } from '../../../control/operations/catalogue-commands.ts';
import type { Declaration } from '../../../config/stored-declarations.ts';
import { CliFailure } from '../cli-failure.ts';
import type { CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { plain, table } from '../text-layout.ts';

type Offer = Awaited<ReturnType<AdminClient['showOffer']>>;

/** `offer show|print|store`: providers and models that the config file and the database declare. */
export function addOfferCommands(program: Command, context: CliContext): void {
  const offer = program.command('offer').summary('providers and models of the config file and of the database');
  const commands = new DeclaredCommands(offer, context, CATALOGUE_COMMANDS);
  commands.say('offer show', offerText);
  commands.run('offer print', async ({ options }) => {
    const { yaml } = await context.connect(options).showOffer();
    context.print(options, { yaml }, yaml);
  });
  commands.run('offer store', async ({ given, options }) => {
    const { providers, models } = readDeclarations(given.file, context);
    const client = context.connect(options);
    for (const [name, { api_key: key, ...declaration }] of providers) {
      await client.storeProvider(name, { declaration, ...(typeof key === 'string' && { api_key: key }) });
    }
    for (const [id, declaration] of models) await client.storeModel(id, { declaration });
    const names = { providers: providers.map(([name]) => name), models: models.map(([id]) => id) };
    const stored = [...names.providers, ...names.models].join(', ');
    context.print(options, names, stored === '' ? 'The file declares none.\n' : `Stored ${plain(stored)}.\n`);
  });
}

type Declared = readonly (readonly [name: string, declaration: Declaration])[];

function readDeclarations(
  file: string,
  { surroundings: { cwd, env } }: CliContext,
): { readonly providers: Declared; readonly models: Declared } {
  const root = readRoot(resolve(cwd, file), { shown: file, env });
  const unknown = Object.keys(root).find((key) => key !== 'providers' && key !== 'models');
  if (unknown !== undefined) throw new CliFailure(`${file} has "${unknown}"; only "providers" and "models" are stored`);
  const { providers = {}, models = [] } = root;
  if (!isMapping(providers)) throw new CliFailure(`${file}: providers is no mapping of names to providers`);
  if (!Array.isArray(models)) throw new CliFailure(`${file}: models is no list`);
  return {
    providers: Object.entries(providers).map(([name, provider]) => [name, objectOf(provider, `providers.${name}`)]),
    models: models.map((each: unknown, index) => {
      const model = objectOf(each, `models[${index}]`);
      if (typeof model['id'] !== 'string') throw new CliFailure(`${file}: models[${index}].id is missing`);
      return [model['id'], model];
    }),
  };
}

function readRoot(
  path: string,
  { shown, env }: { readonly shown: string; readonly env: CliContext['surroundings']['env'] },
) {
  try {
    return objectOf(readYamlTree(readFileSync(path, 'utf8'), shown, env).value, shown);
  } catch (cause) {
    if (cause instanceof ConfigFault || cause instanceof CliFailure) throw cause;
    throw new CliFailure(`${shown} cannot be read`, { cause });
  }
}

function objectOf(value: unknown, what: string): Declaration {
  if (isMapping(value)) return value;
  throw new CliFailure(`${what} is no mapping`);
}

function offerText({ providers, models }: Offer): string {
  const rowOf = (
    kind: string,
    name: string,
    { source, problem }: Offer['models'][number] | Offer['providers'][number],
  ) => [kind, name, source, problem ?? '-'];
  const rows = [
    ...providers.map((provider) => rowOf('provider', provider.name, provider)),
    ...models.map((model) => rowOf('model', model.id, model)),
  ];
  return table(
    ['KIND', 'NAME', 'DECLARED IN', 'PROBLEM'],
    rows,
    'Nothing is declared, in the config file or the database.',
  );
}

function isMapping(value: unknown): value is Declaration {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
