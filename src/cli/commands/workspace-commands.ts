import type { Command } from 'commander';
import { type AdminClient, readAllPages } from '../../admin/client.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { pairs, table } from '../text-layout.ts';

type Workspace = Awaited<ReturnType<AdminClient['showWorkspace']>>;
type Project = Awaited<ReturnType<AdminClient['listProjects']>>['data'][number];

/** `workspace create|list|show`. */
export function addWorkspaceCommands(program: Command, context: CliContext): void {
  const workspace = program.command('workspace').summary('workspaces: prepaid credit');

  workspace
    .command('create')
    .summary('create a workspace')
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
      const client = context.connect(options);
      const data = await readAllPages((page) => client.listWorkspaces(page));
      const rows = data.map((each) => [each.name, each.balance_usd, each.created_at, each.id]);
      context.print(
        options,
        { data },
        table(['NAME', 'BALANCE USD', 'CREATED', 'ID'], rows, 'There is no workspace yet.', ['BALANCE USD']),
      );
    });

  workspace
    .command('show')
    .summary('show a workspace with its credit and projects')
    .argument('<workspace>', 'id or name')
    .action(async (reference: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const shown = await client.showWorkspace(reference);
      const projects = await readAllPages((page) => client.listProjects(shown.id, page));
      context.print(options, { ...shown, projects }, detailText(shown, projects));
    });
}

function detailText(shown: Workspace, projects: readonly Project[]): string {
  const facts = pairs([
    ['id', shown.id],
    ['name', shown.name],
    ['created', shown.created_at],
    ['balance', `${shown.balance_usd} USD`],
    ['credit', `${shown.credit_usd} USD`],
    ['held', `${shown.held_usd} USD`],
    ['owed', `${shown.owed_usd} USD`],
  ]);
  const rows = projects.map((project) => [project.name, project.id]);
  return `${facts}\n${table(['PROJECT', 'ID'], rows, 'The workspace has no project yet.')}`;
}
