import type { Command } from 'commander';
import { stringify } from 'yaml';
import type { AdminClient } from '../../../control/admin/client.ts';
import { readAllPages } from '../../../control/admin/client/all-pages.ts';
import { WORKSPACE_COMMANDS } from '../../../control/operations/workspace-commands.ts';
import type { CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { pairs, table } from '../text-layout.ts';
import { addMoveCommands } from './move-commands.ts';
import { addPriceCommand } from './price-commands.ts';
import { addWorkspaceListCommand } from './workspace-list.ts';
import { partyText } from './credit-statement.ts';
import { overviewText } from './workspace-overview.ts';

type Workspace = Awaited<ReturnType<AdminClient['showWorkspace']>>;
type Project = Awaited<ReturnType<AdminClient['listProjects']>>['data'][number];

/** `workspace create|list|show|rename|update|suspend|resume|close|move|show-move|cancel-move|overview|export|price`. */
export function addWorkspaceCommands(program: Command, context: CliContext): void {
  const workspace = program.command('workspace').summary('workspaces: prepaid credit');
  const commands = new DeclaredCommands(workspace, context, WORKSPACE_COMMANDS);
  commands.say('workspace create', ({ id, name, balance_usd: balance }) => {
    return pairs(Object.entries({ id, name, balance: `${balance} USD` }));
  });
  addWorkspaceListCommand(workspace, context);
  commands.run('workspace show', async ({ given, options }) => {
    const client = context.connect(options);
    const shown = await client.showWorkspace(given.workspace);
    const projects = await readAllPages((page) => client.listProjects(shown.id, page));
    context.print(options, { ...shown, projects }, detailText(shown, projects));
  });
  commands.say('workspace rename', ({ name }) => `The workspace is named ${name} now.\n`);
  commands.say('workspace update', ({ name, member_monthly_limit_usd: limit, ...shown }) =>
    pairs([
      ['name', name],
      ['limit a month for new members', limit === null ? 'none' : `${limit} USD`],
      [
        'statements to',
        partyText({ name: shown.billing_name ?? name, address: shown.billing_address, tax_id: shown.billing_tax_id }),
      ],
    ]),
  );
  commands.say('workspace suspend', () => 'Suspended; its keys are refused within a second.\n');
  commands.say('workspace resume', () => 'Resumed; its keys work again within a second.\n');
  commands.say('workspace close', () => 'Closed; its credit is refunded once its last requests are charged.\n', {
    confirm: (given) => `This ends ${given.workspace} and all its keys for good.`,
  });
  addMoveCommands(commands, context);
  commands.say('workspace overview', overviewText);
  commands.run('workspace export', async ({ given, options }) => {
    const { exportWorkspaces } = await import('../workspace-file/export-file.ts');
    const file = await exportWorkspaces(context.connect(options), given.workspaces);
    context.print(options, file, stringify(file));
  });
  addPriceCommand(workspace, context);
}

function detailText(shown: Workspace, projects: readonly Project[]): string {
  const facts = pairs([
    ['id', shown.id],
    ['name', shown.name],
    ['state', shown.suspension_reason === null ? shown.state : `${shown.state}: ${shown.suspension_reason}`],
    ['created', shown.created_at],
    ['balance', `${shown.balance_usd} USD`],
    ['expiring', shown.expires_at === null ? null : `${shown.expiring_usd} USD at ${shown.expires_at}`],
    ['credit', `${shown.credit_usd} USD`],
    ['held', `${shown.held_usd} USD`],
    ['leased', `${shown.leased_usd} USD, including holds`],
    ['owed', `${shown.owed_usd} USD`],
    [
      'new members',
      shown.member_monthly_limit_usd === null ? null : `${shown.member_monthly_limit_usd} USD a month each`,
    ],
  ]);
  const rows = projects.map((project) => [project.name, project.id]);
  return `${facts}\n${table(['PROJECT', 'ID'], rows, 'The workspace has no project yet.')}`;
}
