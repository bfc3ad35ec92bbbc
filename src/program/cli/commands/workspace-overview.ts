import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { pairs, plain } from '../text-layout.ts';

type Overview = Awaited<ReturnType<AdminClient['showOverview']>>;

/** `workspace overview`: what asks for attention in a workspace. */
export function addOverviewCommand(workspace: Command, context: CliContext): void {
  workspace
    .command('overview')
    .summary('show what asks for attention: limits nearly used up, keys about to expire, open alerts')
    .argument('<workspace>', 'id or name')
    .addHelpText('after', example('workspace overview acme'))
    .action(async (reference: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const overview = await context.connect(options).showOverview(reference);
      context.print(options, overview, overviewText(overview));
    });
}

function overviewText(overview: Overview): string {
  const { refused, auto_top_up_stop: stop } = overview;
  const sentences = [
    ...overview.near_limits.map(
      (each) => `The ${each.kind} ${each.name} has used ${each.used_usd} of its ${each.limit_usd} USD.`,
    ),
    ...overview.expiring_keys.map((each) => `The key ${each.name} expires at ${each.expires_at}.`),
    ...overview.open_alerts.map(({ summary }) => summary),
    ...(stop === null ? [] : [`Automatic top-ups have stopped: ${stop.replaceAll('_', ' ')}.`]),
  ];
  const count = pairs([['refused in the last 24 hours', refused.recorded + refused.unrecorded]]);
  return count + sentences.map((sentence) => `${plain(sentence)}\n`).join('');
}
