import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { CATALOGUE_COMMANDS } from '../../../control/operations/catalogue-commands.ts';
import type { CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { plain, table } from '../text-layout.ts';
import { addImportCommand } from './catalogue-import.ts';
import { feesText, modelPricesText, ratesText, serviceTiersText } from './model-prices-text.ts';

type Model = Awaited<ReturnType<AdminClient['listCatalogue']>>['data'][number];
type Change = Awaited<ReturnType<AdminClient['previewCatalogue']>>['changes'][number];

/** `catalogue list|diff|import|apply`: the prices in force, and the steps by which the prices in the file come into force. */
export function addCatalogueCommands(program: Command, context: CliContext): void {
  const catalogue = program.command('catalogue').summary('models and prices on sale');
  const commands = new DeclaredCommands(catalogue, context, CATALOGUE_COMMANDS);
  commands.say('catalogue list', ({ data }) => modelPricesText(data) + costsText(data));
  commands.say('catalogue diff', ({ changes }) => changesText(changes, 'The models on sale match the config.'));
  addImportCommand(catalogue, context);
  commands.run('catalogue apply', async ({ given, options }) => {
    const result = await context.connect(options).applyCatalogue({ accept: given.accept ?? [] });
    context.print(options, result, changesText(result.applied, 'Nothing was changed.'));
    if (result.withheld.length > 0) context.complain(withheldText(result.withheld));
  });
}

/** A line for each cost of a route, or each tier of it, and one for each fee; nothing if none is known. */
function costsText(models: readonly Model[]): string {
  const costs = models.flatMap((model) =>
    model.costs.map((cost) => ({ ...cost, id: model.id, of: `${cost.provider}/${cost.upstream_model}` })),
  );
  if (costs.length === 0) return '';
  const beside = `${serviceTiersText('COST OF', costs)}${feesText('COST OF', costs)}`;
  return `\n${ratesText('COST OF', costs, '')}${beside}`;
}

function withheldText(withheld: readonly Change[]): string {
  const idsOf = (kind: Change['change']): string =>
    withheld
      .filter(({ change }) => change === kind)
      .map(({ model }) => model)
      .join(' ');
  const reasons = [
    { ids: idsOf('update'), reason: 'a price changes more than tenfold' },
    { ids: idsOf('retire'), reason: 'most of the models would go off sale' },
  ].filter(({ ids }) => ids !== '');
  const which = reasons.map(({ ids, reason }) => `as ${reason}: ${ids}`).join('; ');
  return plain(`not applied, ${which}; to accept, run apply with --accept ${reasons.map(({ ids }) => ids).join(' ')}`);
}

/** One line for each field that changes. */
function changesText(changes: readonly Change[], none: string): string {
  const rows = changes.flatMap((change) => {
    const note = change.needs_accept ? `needs --accept ${change.model}` : '';
    const first = [change.model, change.change, '', '', '', note];
    const fields = change.fields.map(({ field, from, to }) => [change.model, change.change, field, from, to, note]);
    return fields.length === 0 ? [first] : fields;
  });
  const text = table(['MODEL', 'CHANGE', 'FIELD', 'FROM', 'TO', 'NOTE'], rows, none);
  if (rows.length === 0) return text;
  const hasFees = changes.some(({ fields }) => fields.some(({ field }) => field.includes('.fees.')));
  return `${text}\nPrices are USD per million tokens${hasFees ? ', fees USD per use' : ''}.\n`;
}
