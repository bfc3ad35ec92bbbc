import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { countUpTo, instant, timeSince } from '../option-values.ts';
import { printRecords } from '../print-records.ts';
import { pairs, table } from '../text-layout.ts';

type AuditEvent = Awaited<ReturnType<AdminClient['listAuditEvents']>>['data'][number];

interface FilterOptions {
  readonly action?: string;
  readonly target?: string;
  readonly user?: string;
  readonly since?: string;
  readonly until?: string;
}

/** `audit list|show|export`: who changed what in a workspace. */
export function addAuditCommands(program: Command, context: CliContext): void {
  const audit = program
    .command('audit')
    .summary('changes to a workspace: what was changed by whom, when and from where');
  filtered(audit.command('list').summary('list the newest changes'))
    .option('-n, --limit <number>', 'how many at most', countUpTo(200), 50)
    .addHelpText('after', example('audit list acme --action key.create --since 7d'))
    .action(async (workspace: string, { limit, ...own }: FilterOptions & { limit: number }, command: Command) => {
      const options = globalsOf(command);
      const page = await context.connect(options).listAuditEvents(workspace, { ...queryOf(own), limit });
      context.print(options, page, auditText(page.data));
    });
  audit
    .command('show')
    .summary('show a change, with what was before and after')
    .argument('<workspace>', 'id or name')
    .argument('<event>', 'its id, as "audit list" prints it')
    .addHelpText('after', example('audit show acme 0199b2d4-7a51-7000-8000-000000000001'))
    .action(async (workspace: string, event: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const shown = await context.connect(options).showAuditEvent(workspace, event);
      context.print(options, shown, eventText(shown));
    });
  filtered(audit.command('export').summary('print all changes as CSV, or as lines of JSON'))
    .addHelpText('after', example('audit export acme --since 30d'))
    .action(async (workspace: string, own: FilterOptions, command: Command) => {
      const options = globalsOf(command);
      const query = { ...queryOf(own), ...(options.json === true ? { format: 'ndjson' as const } : {}) };
      await printRecords(context, await context.connect(options).exportAuditEvents(workspace, query));
    });
}

function filtered(command: Command): Command {
  return command
    .argument('<workspace>', 'id or name')
    .option('--action <name>', 'only this action, such as key.create')
    .option('--target <id>', 'only changes of the thing with this id')
    .option('--user <id>', 'only changes by this user')
    .option('--since <time>', 'from here on: 12h, 7d, a date or an instant', timeSince)
    .option('--until <date>', 'before this date or instant', instant);
}

function queryOf({ action, target, user, since, until }: FilterOptions) {
  return definedFields({ action, target, user, from: since, to: until });
}

function auditText(events: readonly AuditEvent[]): string {
  const rows = events.map(({ id, at, actor, action, target, address }) => [
    at,
    actor.name,
    action,
    target.name ?? target.id,
    address,
    id,
  ]);
  return table(['AT', 'BY', 'ACTION', 'TARGET', 'FROM', 'ID'], rows, 'Nothing was changed.');
}

function eventText({
  id,
  at,
  actor,
  action,
  target,
  before,
  after,
  address,
  request_id: requestId,
}: AuditEvent): string {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const said = (value: unknown): string => (value === undefined || value === null ? 'none' : JSON.stringify(value));
  return pairs([
    ['id', id],
    ['at', at],
    ['by', actor.name],
    ['action', action],
    ['target', `${target.kind} ${target.name ?? target.id}`],
    ['from', address],
    ['request', requestId],
    ...fields.map((name) => [name, `${said(before?.[name])} -> ${said(after?.[name])}`] as const),
  ]);
}
