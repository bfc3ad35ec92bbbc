import { Option, type Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { GROUPINGS, USAGE_BUCKETS, type UsageGrouping } from '../../../domain/usage-groupings.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import { CliFailure } from '../cli-failure.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { instant, wholeTimeSince } from '../option-values.ts';
import { table } from '../text-layout.ts';

type Usage = Awaited<ReturnType<AdminClient['showUsage']>>;
type Sums = Usage['total'];
type Group = Usage['groups'][number];

interface UsageOptions {
  readonly by: 'day' | UsageGrouping;
  readonly andBy?: UsageGrouping;
  readonly since: string;
  readonly until?: string;
  readonly project?: string;
  readonly key?: string;
  readonly model?: string;
  readonly margin?: boolean;
  readonly bucket?: 'hour' | 'day';
  readonly compare?: boolean;
}

/** Buckets leave room for fewer groups: as many as the API names by itself. */
const GROUPS_MAX = 200;
const HEADINGS = ['REQUESTS', 'INPUT TOKENS', 'OUTPUT TOKENS', 'CHARGE USD', 'WRITE-OFF USD'];
export const MARGIN_HEADINGS = ['COST USD', 'MARGIN USD', 'OF KNOWN COST'];

/** `usage`: what a workspace used, or all of them. */
export function addUsageCommand(program: Command, context: CliContext): void {
  program
    .command('usage')
    .summary('add up what a workspace used, or all workspaces')
    .argument('[workspace]', 'id or name; all if it is left out')
    .addOption(new Option('--by <what>', 'how to group it').choices(['day', ...GROUPINGS]).default('model'))
    .addOption(new Option('--and-by <what>', 'by pairs, with this one').choices(GROUPINGS))
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
    .addOption(new Option('--bucket <length>', 'list each hour or day (UTC) of its own').choices(USAGE_BUCKETS))
    .option('--compare', 'beside the time of the same length before')
    .option('--margin', 'what providers asked, and what is left of the charge (the operator alone sees it)')
    .addHelpText('after', example('usage acme --by key --since 30d'))
    .action(async (workspace: string | undefined, own: UsageOptions, command: Command) => {
      const { by, andBy, since: from, until, project, key, model, margin = false, bucket, compare = false } = own;
      const options = globalsOf(command);
      if (by === 'day' && bucket !== undefined) command.error('"--by day" lists days already: leave "--bucket" out');
      if (by === 'day' && andBy !== undefined) command.error('"--by day" has no second grouping: leave "--and-by" out');
      const usage = await context.connect(options).showUsage(workspace ?? null, {
        ...definedFields({ from, to: until, project, key, model }),
        ...(by === 'day'
          ? { bucket: 'day' }
          : {
              group_by: by,
              ...definedFields({ and_by: andBy }),
              ...(bucket === undefined ? { limit: GROUPS_MAX } : { bucket }),
            }),
        ...(compare ? { compare: 'true' } : {}),
      });
      if (margin && usage.total.cost_usd === undefined) {
        throw new CliFailure('only the operator sees what providers cost: use an operator token');
      }
      context.print(
        options,
        usage,
        usageText(usage, { by, andBy: andBy ?? null, bucket: bucket ?? null }, margin ? marginCells : () => []),
      );
    });
}

type Cells = (sums: Sums) => readonly (string | number)[];

interface Listing {
  readonly by: UsageOptions['by'];
  readonly andBy: UsageGrouping | null;
  /** Each group has a row for each of its buckets; null: one for all of the time. */
  readonly bucket: 'hour' | 'day' | null;
}

function usageText(usage: Usage, listing: Listing, more: Cells): string {
  const { others, total, before } = usage;
  const { by, andBy, bucket } = listing;
  const cells: Cells = (sums) => [...usageCells(sums), ...more(sums)];
  const rows = rowsOf(usage, listing, cells);
  if (rows.length === 0 && before === null) return 'Nothing was used.\n';
  const blank = [bucket, andBy].filter((each) => each !== null).map(() => '');
  const rest = others.requests > 0 ? [['(others)', ...blank, ...cells(others)]] : [];
  const former = before === null ? [] : [['before', ...blank, ...cells(before)]];
  const numbers = more(total).length === 0 ? HEADINGS : [...HEADINGS, ...MARGIN_HEADINGS];
  const heading = by === 'day' ? 'DAY (UTC)' : by.toUpperCase().replace('_', ' ');
  const time = bucket === null ? [] : [`${bucket.toUpperCase()} (UTC)`];
  const headings = [...time, heading, ...(andBy === null ? [] : [andBy.toUpperCase()]), ...numbers];
  return table(headings, [...rows, ...rest, ['total', ...blank, ...cells(total)], ...former], '', numbers);
}

function rowsOf(
  { groups }: Usage,
  { by, andBy, bucket }: Listing,
  cells: Cells,
): readonly (readonly (string | number)[])[] {
  if (by === 'day') {
    return (groups[0]?.points ?? []).map(({ starts_at: at, sums }) => [at.slice(0, 10), ...cells(sums)]);
  }
  const namesOf = (group: Group): readonly string[] =>
    andBy === null
      ? [nameOf(group, by)]
      : [nameOf(group, by), nameOf({ group: group.second_group ?? '', name: group.second_name }, andBy)];
  if (bucket === null) return groups.map((group) => [...namesOf(group), ...cells(group.total)]);
  return groups
    .flatMap((group) => group.points.map((point) => ({ ...point, names: namesOf(group) })))
    .toSorted((one, other) => one.starts_at.localeCompare(other.starts_at))
    .map(({ starts_at: at, names, sums }) => [
      bucket === 'day' ? at.slice(0, 10) : at.slice(0, 16).replace('T', ' '),
      ...names,
      ...cells(sums),
    ]);
}

function nameOf({ group, name }: Pick<Group, 'group' | 'name'>, by: UsageGrouping): string {
  if (group === '') return by === 'service_tier' ? '(standard)' : '(none)';
  return name ?? group;
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
