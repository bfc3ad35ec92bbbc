import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { SINK_COMMANDS } from '../../../control/operations/sink-commands.ts';
import type { CliContext } from '../cli-context.ts';
import { type Column, columnsText } from '../columns.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { pairs } from '../text-layout.ts';

type Sink = Awaited<ReturnType<AdminClient['updateSink']>>;

const COLUMNS: readonly Column<Sink>[] = [
  ['NAME', 'name'],
  ['KIND', 'kind'],
  ['RECORDS', recordsOf],
  ['SAMPLE', sampleOf],
  ['REDACTED', ({ redact }) => redact.join(', ')],
  ['LOST', lostOf],
];

/** `sink list|update`: what a workspace has delivered to the sinks of the config file. */
export function addSinkCommands(program: Command, context: CliContext): void {
  const sink = program.command('sink').summary('places that records of a workspace are delivered to');
  const commands = new DeclaredCommands(sink, context, SINK_COMMANDS);
  commands.say('sink list', ({ data }) =>
    columnsText(data, 'The config file declares no sinks: see docs/sinks.md.', COLUMNS),
  );
  commands.say('sink update', (changed) =>
    pairs([
      ['name', changed.name],
      ['kind', changed.kind],
      ['records', recordsOf(changed)],
      ['sample', sampleOf(changed)],
      ['redacted', changed.redact.join(', ')],
      ['lost', lostOf(changed)],
    ]),
  );
}

function recordsOf({ records }: Sink): string {
  return records.length === 0 ? 'none' : records.join(', ');
}

function sampleOf({ records, sample_percent: percent }: Sink): string | null {
  return records.includes('content') ? `${percent} %` : null;
}

function lostOf({ lost_records: lost, last_lost_at: at }: Sink): string | null {
  return at === null ? null : `${lost}, last ${at}`;
}
