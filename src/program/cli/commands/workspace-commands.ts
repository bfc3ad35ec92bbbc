import type { Command } from 'commander';
import { type AdminClient, readAllPages } from '../../../control/admin/client.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { onceOption, yesOption } from '../option-values.ts';
import { addPriceCommand } from './price-commands.ts';
import { addWorkspaceListCommand } from './workspace-list.ts';
import { addOverviewCommand } from './workspace-overview.ts';
import { pairs, table } from '../text-layout.ts';

type Workspace = Awaited<ReturnType<AdminClient['showWorkspace']>>;
type Project = Awaited<ReturnType<AdminClient['listProjects']>>['data'][number];

/** `workspace create|list|show|overview|rename|suspend|resume|close|price`. */
export function addWorkspaceCommands(program: Command, context: CliContext): void {
  const workspace = program.command('workspace').summary('workspaces: prepaid credit');

  workspace
    .command('create')
    .summary('create a workspace')
    .argument('<name>')
    .addOption(onceOption())
    .addHelpText('after', example('workspace create acme'))
    .action(async (name: string, own: { readonly once?: string }, command: Command) => {
      const options = globalsOf(command);
      const made = await context.connect(options).createWorkspace({ name, ...own });
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

  addWorkspaceListCommand(workspace, context);
  workspace
    .command('show')
    .summary('show a workspace with its credit and projects')
    .argument('<workspace>', 'id or name')
    .addHelpText('after', example('workspace show acme'))
    .action(async (reference: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const shown = await client.showWorkspace(reference);
      const projects = await readAllPages((page) => client.listProjects(shown.id, page));
      context.print(options, { ...shown, projects }, detailText(shown, projects));
    });

  addWorkspaceChanges(workspace, context);
  addOverviewCommand(workspace, context);
  addPriceCommand(workspace, context);
}

function addWorkspaceChanges(workspace: Command, context: CliContext): void {
  workspace
    .command('rename')
    .summary('rename a workspace')
    .argument('<workspace>', 'id or name')
    .argument('<name>', 'the new name')
    .addHelpText('after', example('workspace rename acme acme-eu'))
    .action(async (reference: string, name: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const renamed = await context.connect(options).renameWorkspace(reference, { name });
      context.print(options, renamed, `The workspace is named ${renamed.name} now.\n`);
    });

  workspace
    .command('suspend')
    .summary('refuse the requests of all keys of a workspace until it is resumed')
    .argument('<workspace>', 'id or name')
    .requiredOption('--reason <text>', 'the reason, which callers are shown')
    .addHelpText('after', example('workspace suspend acme --reason "unpaid invoice"'))
    .action(async (reference: string, { reason }: { reason: string }, command: Command) => {
      const options = globalsOf(command);
      const suspended = await context.connect(options).suspendWorkspace(reference, { reason });
      context.print(options, suspended, 'Suspended; its keys are refused within a second.\n');
    });

  workspace
    .command('resume')
    .summary('serve a suspended workspace again')
    .argument('<workspace>', 'id or name')
    .addHelpText('after', example('workspace resume acme'))
    .action(async (reference: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const resumed = await context.connect(options).resumeWorkspace(reference);
      context.print(options, resumed, 'Resumed; its keys work again within a second.\n');
    });

  workspace
    .command('close')
    .summary('close a workspace for good: its keys stop, and what is left of its credit is refunded')
    .argument('<workspace>', 'id or name')
    .addOption(yesOption())
    .addHelpText('after', example('workspace close acme'))
    .action(async (reference: string, own: { yes?: boolean }, command: Command) => {
      const options = globalsOf(command);
      await context.confirm(`This ends ${reference} and all its keys for good.`, own);
      const closed = await context.connect(options).closeWorkspace(reference);
      context.print(options, closed, 'Closed; its credit is refunded once its last requests are charged.\n');
    });
}

function detailText(shown: Workspace, projects: readonly Project[]): string {
  const facts = pairs([
    ['id', shown.id],
    ['name', shown.name],
    ['state', shown.suspension_reason === null ? shown.state : `${shown.state}: ${shown.suspension_reason}`],
    ['created', shown.created_at],
    ['balance', `${shown.balance_usd} USD`],
    ['credit', `${shown.credit_usd} USD`],
    ['held', `${shown.held_usd} USD`],
    ['leased', `${shown.leased_usd} USD, with what is held`],
    ['owed', `${shown.owed_usd} USD`],
  ]);
  const rows = projects.map((project) => [project.name, project.id]);
  return `${facts}\n${table(['PROJECT', 'ID'], rows, 'The workspace has no project yet.')}`;
}
