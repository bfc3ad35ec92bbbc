import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { CATALOGUE_COMMANDS } from '../../../control/operations/catalogue-commands.ts';
import type { CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { onlyWorkspace } from '../only-workspace.ts';
import { pairs, plain, yesOrNo } from '../text-layout.ts';
import { modelPricesText } from './model-prices-text.ts';

type Model = Awaited<ReturnType<AdminClient['showModel']>>;

/** `model list|show|remove`: models at the prices that a workspace pays, and their end. */
export function addModelCommands(program: Command, context: CliContext): void {
  const model = program.command('model').summary('models at the prices that a workspace pays');
  const commands = new DeclaredCommands(model, context, CATALOGUE_COMMANDS);
  commands.run('model list', async ({ given, options }) => {
    const client = context.connect(options);
    const listed = await client.listModels(await onlyWorkspace(client, given.workspace));
    context.print(options, listed, modelPricesText(listed.data));
  });
  commands.run('model show', async ({ given, options }) => {
    const client = context.connect(options);
    const shown = await client.showModel(await onlyWorkspace(client, given.workspace), given.model);
    context.print(options, shown, `${modelText(shown)}\n${modelPricesText([shown])}`);
  });
  commands.say('model remove', ({ id }) => `Removed the model ${plain(id)}.\n`, {
    confirm: ({ model: id }) => `This takes the model ${plain(id)} off sale.`,
  });
}

function modelText(model: Model): string {
  const { adjustment } = model.price;
  return pairs([
    ['id', model.id],
    ['kind', model.kind],
    ['on sale', yesOrNo(model.on_sale)],
    ['retired', model.retired_at],
    ['context window', `${model.context_window} tokens`],
    ['longest output', `${model.max_output} tokens`],
    ['thinks first', model.reasoning === null ? null : yesOrNo(model.reasoning)],
    ['answers in audio', yesOrNo(model.sells_audio)],
    ['relative to the list price', adjustment === null ? null : `${adjustment.change_percent} %`],
  ]);
}
