import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { readAllPages } from '../../../control/admin/client/all-pages.ts';
import { CliFailure } from '../cli-failure.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { wholeTimeSince } from '../option-values.ts';
import { table } from '../text-layout.ts';
import { MARGIN_HEADINGS, marginCells } from './usage-command.ts';

type Workspace = Awaited<ReturnType<AdminClient['listWorkspaces']>>['data'][number];
type Sums = Awaited<ReturnType<AdminClient['showUsage']>>['total'];

/** The most workspaces of one question about usage. */
const NAMED_MAX = 200;
const NOTHING_USED = ['0.00', '0.00', '0.00', 0] as const;

/** `workspace list`: the workspaces, and what each brings. */
export function addWorkspaceListCommand(workspace: Command, context: CliContext): void {
  workspace
    .command('list')
    .summary('list the workspaces')
    .option('--margin', 'what each was charged, what providers asked, and what is left (the operator alone sees it)')
    .option(
      '--since <time>',
      'with --margin: from here on, such as 7d or 2026-11-01 (whole hours, UTC)',
      wholeTimeSince,
    )
    .addHelpText('after', example('workspace list --margin --since 30d'))
    .action(async (own: { readonly margin?: true; readonly since?: string }, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      if (own.since !== undefined && own.margin === undefined) throw new CliFailure('--since takes --margin');
      const data = await readAllPages((page) => client.listWorkspaces(page));
      if (own.margin === undefined) return context.print(options, { data }, listText(data));
      const sums = await readMargins(client, data, own.since ?? wholeTimeSince('30d'));
      const withSums = data.map((each) => ({ ...each, usage: sums.get(each.id) ?? null }));
      context.print(options, { data: withSums }, marginText(withSums));
    });
}

async function readMargins(client: AdminClient, workspaces: readonly Workspace[], from: string) {
  const sums = new Map<string, Sums>();
  for (let first = 0; first < workspaces.length; first += NAMED_MAX) {
    const ids = workspaces.slice(first, first + NAMED_MAX).map(({ id }) => id);
    const query = { from, group_by: 'workspace', workspaces: ids.join(','), limit: NAMED_MAX } as const;
    const { groups } = await client.showUsage(null, query);
    for (const { group, total } of groups) sums.set(group, total);
  }
  return sums;
}

function listText(data: readonly Workspace[]): string {
  const rows = data.map((each) => [each.name, each.state, each.balance_usd, each.created_at, each.id]);
  return table(['NAME', 'STATE', 'BALANCE USD', 'CREATED', 'ID'], rows, 'There is no workspace yet.', ['BALANCE USD']);
}

function marginText(data: readonly (Workspace & { readonly usage: Sums | null })[]): string {
  const amounts = ['BALANCE USD', 'CHARGE USD', ...MARGIN_HEADINGS];
  const rows = data.map(({ name, state, balance_usd: balance, usage, id }) => [
    name,
    state,
    balance,
    ...(usage === null ? NOTHING_USED : [usage.net_charge_usd, ...marginCells(usage)]),
    id,
  ]);
  return table(['NAME', 'STATE', ...amounts, 'ID'], rows, 'There is no workspace yet.', amounts);
}
