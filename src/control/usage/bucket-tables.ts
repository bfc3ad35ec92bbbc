import { DURATION_CLASSES_MS } from '../../domain/duration-classes.ts';
import { COST_SUMS, HISTOGRAM_COLUMNS, HISTOGRAMS, SUMS, sumsOf } from './measures.ts';
import { RECEIPT_COST, RECEIPT_COST_SUMS } from './receipt-cost.ts';
import { weekSql } from './weeks.ts';

// The tables of buckets, and how receipts are added to them. Hours are counted from receipts; all others are sums of
// hours. Times are cut in UTC, whatever the session's time zone is.

/** SQL for the start of the hour, day or month that a time is in. */
export const STARTS = {
  hour: (time: string): string => `date_bin('1 hour', ${time}, timestamptz '2000-01-01 00:00:00+00')`,
  day: (time: string): string => `date_bin('1 day', ${time}, timestamptz '2000-01-01 00:00:00+00')`,
  month: (time: string): string => `date_trunc('month', ${time}, 'UTC')`,
} as const;

/** How long the times of a table are. */
export type Grain = keyof typeof STARTS;

interface BucketTable {
  readonly grain: Grain;
  /** Distinguishes buckets of the same time; with the time it is the table's key. */
  readonly key: readonly string[];
  /** Columns that follow from the key. */
  readonly known: readonly string[];
  readonly sums: readonly string[];
  readonly hasLastUse: boolean;
}

const OF_PROJECTS = {
  key: ['workspace_id', 'project_id', 'model', 'dialect', 'outcome'],
  known: [],
  sums: [...SUMS, ...COST_SUMS, ...HISTOGRAM_COLUMNS],
  hasLastUse: false,
};
const OF_KEYS = {
  key: ['workspace_id', 'key_id', 'model', 'dialect', 'outcome'],
  known: ['project_id'],
  sums: [...SUMS, ...COST_SUMS],
};
/** Usage by the users who made the keys. */
const OF_MEMBERS = {
  key: ['workspace_id', 'member', 'project_id', 'model', 'dialect', 'outcome'],
  known: [],
  sums: [...SUMS, ...COST_SUMS],
  hasLastUse: false,
};

export const BUCKET_TABLES = {
  usage_hours: { ...OF_PROJECTS, grain: 'hour', key: [...OF_PROJECTS.key, 'week'] },
  usage_days: { ...OF_PROJECTS, grain: 'day' },
  usage_key_hours: { ...OF_KEYS, grain: 'hour', key: [...OF_KEYS.key, 'week'], hasLastUse: true },
  usage_key_days: { ...OF_KEYS, grain: 'day', hasLastUse: false },
  usage_key_months: { ...OF_KEYS, grain: 'month', key: ['workspace_id', 'key_id'], hasLastUse: false },
  usage_member_days: { ...OF_MEMBERS, grain: 'day' },
} as const satisfies Record<string, BucketTable>;

export type BucketTableName = keyof typeof BUCKET_TABLES;

/** The tables that are counted from receipts, and those that are sums of them. */
export const HOUR_TABLES = ['usage_hours', 'usage_key_hours'] as const;
export const ALL_TABLES = Object.keys(BUCKET_TABLES) as readonly BucketTableName[];

/** SQL that adds the buckets of `source`, which may be shorter ones, to a table. */
export function addTo(table: BucketTableName, source: string): string {
  const { grain, key, known, sums, hasLastUse }: BucketTable = BUCKET_TABLES[table];
  const use = hasLastUse ? ['last_used_at'] : [];
  const columns = ['starts_at', ...key, ...known, ...sums, ...use];
  const starts = STARTS[grain]('starts_at');
  const dimensions = [starts, ...key, ...known];
  const last = hasLastUse ? ', max(last_used_at)' : '';
  const added = [
    ...sums.map((sum) => `${sum} = known.${sum} + excluded.${sum}`),
    ...use.map((column) => `${column} = greatest(known.${column}, excluded.${column})`),
  ];
  return `
    insert into ${table} as known (${columns.join(', ')})
    select ${dimensions.join(', ')}, ${sumsOf(sums)}${last}
    from ${key.includes('member') ? withMembers(source) : source} as added group by ${dimensions.join(', ')}
    on conflict (starts_at, ${key.join(', ')}) do update set ${added.join(', ')}`;
}

/** SQL for what stands for the user who made a key where no user did. */
export const NOBODY = `'00000000-0000-0000-0000-000000000000'::uuid`;

/** SQL for rows with keys, with the users who made these as \`member\`. */
export function withMembers(source: string): string {
  return `(
    select used.*, coalesce((select created_by from keys where keys.id = key_id), ${NOBODY}) as member from ${source} as used
  )`;
}

/** SQL that notes when keys were used last, out of the rows of `source`. */
export function noteLastUses(source: string): string {
  return `
    insert into usage_keys as known (workspace_id, key_id, last_used_at)
    select workspace_id, key_id, max(last_used_at) from ${source} where last_used_at is not null group by workspace_id, key_id
    on conflict (workspace_id, key_id) do update set last_used_at = excluded.last_used_at
      where known.last_used_at < excluded.last_used_at`;
}

const DIMENSIONS = 'workspace_id, project_id, key_id, model, dialect, outcome';
const WIDTHS = `'{${DURATION_CLASSES_MS.map((ms) => ms + 1).join(', ')}}'::integer[]`;

/** SQL for what all buckets are made of: sums of receipts by everything that distinguishes buckets. `bounds`: see weeks.ts. */
export function countedHours(receipts: string, bounds: string): string {
  const classes = Object.entries(HISTOGRAMS).flatMap(([time, columns]) =>
    columns.map((column, index) => `count(*) filter (where ${time}_class = ${index}) as ${column}`),
  );
  const counted = SUMS.filter((column) => column !== 'requests' && column !== 'corrected_nano_usd');
  return `
    select ${DIMENSIONS}, starts_at, week, count(*) as requests, 0 as corrected_nano_usd,
      ${sumsOf([...counted, ...COST_SUMS])}, ${classes.join(', ')}, max(admitted_at) as last_used_at
    from (
      select ${DIMENSIONS}, ${counted.join(', ')}, ${COST_SUMS.map((column) => `${RECEIPT_COST_SUMS[column]} as ${column}`).join(', ')}, admitted_at, ${STARTS.hour('admitted_at')} as starts_at,
        ${weekSql(bounds)} as week, width_bucket(duration_ms, ${WIDTHS}) as duration_class,
        width_bucket(first_event_ms, ${WIDTHS}) as first_event_class
      from ${receipts} receipts ${RECEIPT_COST}
    ) receipts group by ${DIMENSIONS}, starts_at, week`;
}
