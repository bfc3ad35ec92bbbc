import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { onlyWorkspace } from '../only-workspace.ts';
import { pairs } from '../text-layout.ts';
import { modelPricesText } from './model-prices-text.ts';

type Model = Awaited<ReturnType<AdminClient['showModel']>>;

/** `model list|show`: models at the prices that a workspace pays. */
export function addModelCommands(program: Command, context: CliContext): void {
  const model = program.command('model').summary('models at the prices that a workspace pays');

  model
    .command('list')
    .summary('list the models that are on sale or were')
    .argument('[workspace]', 'id or name; may be left out if there is only one')
    .addHelpText('after', example('model list acme'))
    .action(async (named: string | undefined, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const listed = await client.listModels(await onlyWorkspace(client, named));
      context.print(options, listed, modelPricesText(listed.data));
    });

  model
    .command('show')
    .summary('show a model with all prices that a workspace has paid')
    .argument('<model>', 'its id')
    .option('--workspace <workspace>', 'id or name; may be left out if there is only one')
    .addHelpText('after', example('model show small-chat --workspace acme'))
    .action(async (id: string, own: { readonly workspace?: string }, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const shown = await client.showModel(await onlyWorkspace(client, own.workspace), id);
      context.print(options, shown, `${modelText(shown)}\n${modelPricesText([shown])}`);
    });
}

function modelText(model: Model): string {
  const { adjustment } = model.price;
  return pairs([
    ['id', model.id],
    ['kind', model.kind],
    ['on sale', model.on_sale ? 'yes' : 'no'],
    ['retired', model.retired_at],
    ['context window', `${model.context_window} tokens`],
    ['longest output', `${model.max_output} tokens`],
    ['thinks first', model.reasoning === null ? null : model.reasoning ? 'yes' : 'no'],
    ['answers in audio', model.sells_audio ? 'yes' : 'no'],
    ['relative to the list price', adjustment === null ? null : `${adjustment.change_percent} %`],
  ]);
}
