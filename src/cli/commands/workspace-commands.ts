import type { Command } from 'commander';
import type { AdminClient } from '../../admin/client.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { pairs, table } from '../text-layout.ts';

/** `workspace create|list|show`. */
export function addWorkspaceCommands(program: Command, context: CliContext): void {
  const workspace = program.command('workspace').summary('workspaces, which hold credit');

  workspace
    .command('create')
    .summary('make a workspace')
    .argument('<name>')
    .action(async (name: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const made = await context.connect(options).createWorkspace({ name });
      context.print(
        options,
        made,
        pairs([
          ['id', made.id],
          ['name', made.name],
          ['balance', `${made.balance_usd} USD`],
        ]),
      );
    });

  workspace
    .command('list')
    .summary('list the workspaces')
    .action(async (_own: unknown, command: Command) => {
      const options = globalsOf(command);
      const list = await context.connect(options).listWorkspaces();
      const rows = list.data.map((each) => [each.name, each.balance_usd, each.created_at, each.id]);
      context.print(
        options,
        list,
        table(['NAME', 'BALANCE USD', 'CREATED', 'ID'], rows, 'There is no workspace yet.', ['BALANCE USD']),
      );
    });

  workspace
    .command('show')
    .summary('show a workspace with its credit and projects')
    .argument('<workspace>', 'id or name')
    .action(async (reference: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const shown = await context.connect(options).showWorkspace(reference);
      context.print(options, shown, detailText(shown));
    });
}

function detailText(shown: Awaited<ReturnType<AdminClient['showWorkspace']>>): string {
  const facts = pairs([
    ['id', shown.id],
    ['name', shown.name],
    ['created', shown.created_at],
    ['balance', `${shown.balance_usd} USD`],
    ['credit', `${shown.credit_usd} USD`],
    ['held', `${shown.held_usd} USD`],
    ['owed', `${shown.owed_usd} USD`],
  ]);
  const rows = shown.projects.map((project) => [project.name, project.id]);
  return `${facts}\n${table(['PROJECT', 'ID'], rows, 'It has no project yet.')}`;
}
