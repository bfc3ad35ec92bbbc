import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { AUDIT_COMMANDS } from '../../../control/operations/access-commands.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import type { CliContext } from '../cli-context.ts';
import { columnsText } from '../columns.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { printRecords } from '../print-records.ts';
import { pairs } from '../text-layout.ts';

type AuditEvent = Awaited<ReturnType<AdminClient['listAuditEvents']>>['data'][number];

/** `audit list|show|export`: who changed what in a workspace. */
export function addAuditCommands(program: Command, context: CliContext): void {
  const audit = program
    .command('audit')
    .summary('changes to a workspace: what was changed by whom, when and from where');
  const commands = new DeclaredCommands(audit, context, AUDIT_COMMANDS);
  commands.say('audit list', ({ data }) =>
    columnsText(data, 'Nothing was changed.', [
      ['AT', 'at'],
      ['BY', ({ actor }) => actor.name],
      ['ACTION', 'action'],
      ['TARGET', ({ target }) => target.name ?? target.id],
      ['FROM', 'address'],
      ['ID', 'id'],
    ]),
  );
  commands.say('audit show', eventText);
  commands.run('audit export', async ({ given, options }) => {
    const { workspace, ...filters } = given;
    const query = definedFields({ ...filters, format: options.json === true ? ('ndjson' as const) : undefined });
    await printRecords(context, await context.connect(options).exportAuditEvents(workspace, query));
  });
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
  position,
  chain_sha256: hash,
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
    ['position', position],
    ['hash', hash],
    ...fields.map((name) => [name, `${said(before?.[name])} -> ${said(after?.[name])}`] as const),
  ]);
}
