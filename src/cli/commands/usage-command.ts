import { Option, type Command } from 'commander';
import type { AdminClient } from '../../admin/client.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import { CliFailure } from '../cli-failure.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { instant, wholeTimeSince } from '../option-values.ts';
import { table } from '../text-layout.ts';

type Usage = Awaited<ReturnType<AdminClient['showUsage']>>;
type Sums = Usage['total'];

interface UsageOptions {
  readonly by: 'model' | 'day' | 'key' | 'member' | 'project' | 'outcome' | 'dialect' | 'workspace';
  readonly since: string;
  readonly until?: string;
  readonly project?: string;
  readonly key?: string;
  readonly model?: string;
  readonly margin?: boolean;
}

const GROUPS = 200;
const HEADINGS = ['REQUESTS', 'INPUT TOKENS', 'OUTPUT TOKENS', 'CHARGE USD', 'WRITE-OFF USD'];
export const MARGIN_HEADINGS = ['COST USD', 'MARGIN USD', 'OF KNOWN COST'];

/** `usage`: what a workspace used, or all of them. */
export function addUsageCommand(program: Command, context: CliContext): void {
  program
    .command('usage')
    .summary('add up what a workspace used, or all workspaces')
    .argument('[workspace]', 'id or name; all if it is left out')
    .addOption(
      new Option('--by <what>', 'how to group it')
        .choices(['model', 'day', 'key', 'member', 'project', 'outcome', 'dialect', 'workspace'])
        .default('model'),
    )
    .option(
      '--since <time>',
      'from here on: 12h, 7d, a date or an instant (whole hours, UTC)',
      wholeTimeSince,
      wholeTimeSince('7d'),
    )
    .option('--until <date>', 'before this date or instant (a whole hour, UTC)', instant)
    .option('--project <id>', 'only of this project')
    .option('--key <id>', 'only of this key')
    .option('--model <id>', 'only of this model')
    .option('--margin', 'what providers asked, and what is left of the charge (the operator alone sees it)')
    .addHelpText('after', example('usage acme --by key --since 30d'))
    .action(async (workspace: string | undefined, own: UsageOptions, command: Command) => {
      const { by, since: from, until, project, key, model, margin = false } = own;
      const options = globalsOf(command);
      const usage = await context.connect(options).showUsage(workspace ?? null, {
        ...definedFields({ from, to: until, project, key, model }),
        ...(by === 'day' ? { bucket: 'day' } : { group_by: by, limit: GROUPS }),
      });
      if (margin && usage.total.cost_usd === undefined) {
        throw new CliFailure('only the operator sees what providers cost: use an operator token');
      }
      context.print(options, usage, usageText(usage, by, margin ? marginCells : () => []));
    });
}

type Cells = (sums: Sums) => readonly (string | number)[];

function usageText({ groups, others, total }: Usage, by: UsageOptions['by'], more: Cells): string {
  const cells: Cells = (sums) => [...usageCells(sums), ...more(sums)];
  const points = groups[0]?.points ?? [];
  const rows =
    by === 'day'
      ? points.map(({ starts_at: startsAt, sums }) => [startsAt.slice(0, 10), ...cells(sums)])
      : groups.map(({ group, name, total: sums }) => [name ?? (group === '' ? '(none)' : group), ...cells(sums)]);
  if (rows.length === 0) return 'Nothing was used.\n';
  const rest = others.requests > 0 ? [['(others)', ...cells(others)]] : [];
  const heading = by === 'day' ? 'DAY (UTC)' : by.toUpperCase();
  const headings = more(total).length === 0 ? HEADINGS : [...HEADINGS, ...MARGIN_HEADINGS];
  return table([heading, ...headings], [...rows, ...rest, ['total', ...cells(total)]], '', headings);
}

function usageCells({
  requests,
  tokens,
  net_charge_usd: charge,
  write_off_usd: writeOff,
}: Sums): readonly (string | number)[] {
  const outputs = (tokens['output'] ?? 0) + (tokens['audio_output'] ?? 0);
  const all = Object.values(tokens).reduce((sum, count) => sum + count, 0);
  return [requests, all - outputs, outputs, charge, writeOff];
}

/** The cost, the margin, and how many of the requests have a known cost. What is not known is not taken for zero. */
export function marginCells({
  requests,
  cost_usd,
  margin_usd,
  costed_requests: known,
}: Sums): readonly (string | number)[] {
  if (known === undefined) return ['', '', ''];
  if (known === requests) return [cost_usd ?? '', margin_usd ?? '', known];
  return known === 0 ? ['unknown', 'unknown', 0] : [`>= ${cost_usd ?? ''}`, `<= ${margin_usd ?? ''}`, known];
}
