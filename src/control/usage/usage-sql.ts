import { DURATION_CLASSES_MS } from '../../domain/duration-classes.ts';
import type { Dialect, Outcome } from '../../domain/receipt.ts';
import type { UsageGrouping } from '../../domain/usage-groupings.ts';
import { assert } from '../../lib/assert.ts';
import type { SqlValue } from '../../lib/sql.ts';
import { type Grain, NOBODY, STARTS, withMembers } from './bucket-tables.ts';
import { receiptsAfter, SERVER } from './folding.ts';
import { COST_SUMS, HISTOGRAM_COLUMNS, HISTOGRAMS, SUMS } from './measures.ts';
import { RECEIPT_COST, RECEIPT_COST_SUMS } from './receipt-cost.ts';
import { type Segment, segmentsOf, type Stretch } from './segments.ts';

// SQL for rows of usage: buckets of a stretch of time, and the receipts in it that are not counted yet. Both are read in
// one statement, so that one snapshot shows each receipt on one side or the other.

/** Which usage is wanted; what is left out is not limited. */
export interface UsageFilter {
  readonly workspaceId?: string;
  /** Of one of these workspaces. */
  readonly workspaceIds?: readonly string[];
  readonly projectId?: string;
  readonly keyId?: string;
  /** Of one of these keys. */
  readonly keyIds?: readonly string[];
  readonly model?: string;
  readonly outcome?: Outcome;
  readonly dialect?: Dialect;
}

const FILTER_COLUMNS = {
  workspaceId: 'workspace_id',
  workspaceIds: 'workspace_id',
  projectId: 'project_id',
  keyId: 'key_id',
  keyIds: 'key_id',
  model: 'model',
  outcome: 'outcome',
  dialect: 'dialect',
} as const satisfies Record<keyof UsageFilter, string>;

const GROUP_COLUMNS: Readonly<Record<UsageGrouping, string>> = {
  model: 'model',
  project: 'project_id',
  key: 'key_id',
  member: `coalesce(nullif(member, ${NOBODY})::text, '')`,
  outcome: 'outcome',
  dialect: 'dialect',
  workspace: 'workspace_id',
  // Buckets don't have these.
  session: `''`,
  service_tier: `''`,
};

/** A filter that is of one workspace. */
export function ofWorkspace(filter: UsageFilter): UsageFilter & { readonly workspaceId: string } {
  const { workspaceId } = filter;
  assert(workspaceId !== undefined, 'usage by what buckets lack is of one workspace');
  return { ...filter, workspaceId };
}

/** What usage is grouped by: nothing, one thing, or two together. */
export interface Groupings {
  readonly groupBy: UsageGrouping | null;
  /** Left out, or null: by one alone. It has to be one that `canBePaired` with the other. */
  readonly andBy?: UsageGrouping | null | undefined;
}

/** What buckets are of. */
export type BucketOwner = 'projects' | 'keys' | 'members';

/** Whether a filter is of some keys. */
export function isOfKeys({ keyId, keyIds }: UsageFilter): boolean {
  return keyId !== undefined || keyIds !== undefined;
}

/** The buckets that usage by this, or of this, is added up from. */
export function ownerOf({ groupBy, andBy }: Groupings, filter: UsageFilter): BucketOwner {
  if (groupBy === 'member' || andBy === 'member') return 'members';
  return groupBy === 'key' || andBy === 'key' || isOfKeys(filter) ? 'keys' : 'projects';
}

/** The parameters of a statement, as it names them. */
export class Parameters {
  readonly values: SqlValue[] = [];

  /** Adds one and returns its name. */
  add(value: SqlValue, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

/** SQL for a row if usage can be answered: buckets are there, and those of this server. */
export const COUNTED = `select folded from usage_folding where server = ${SERVER} and unbuilt = '{}'`;

/** What is left, or is arriving, of a workspace that lives in another cell is usage of that cell. */
const LIVES_HERE = 'workspace_id <> all (array(select id from workspaces where moved_to is not null))';

/** Conditions of a filter on a table's or receipts' columns. */
export function conditionsOf(filter: UsageFilter, parameters: Parameters): readonly string[] {
  const chosen = (Object.keys(FILTER_COLUMNS) as readonly (keyof UsageFilter)[]).flatMap((name) => {
    const value = filter[name];
    if (value === undefined) return [];
    if (typeof value !== 'string') return [`${FILTER_COLUMNS[name]} = any (${parameters.add(value, 'uuid[]')})`];
    return [`${FILTER_COLUMNS[name]} = ${parameters.add(value, name.endsWith('Id') ? 'uuid' : 'text')}`];
  });
  return filter.workspaceId === undefined ? [LIVES_HERE, ...chosen] : chosen;
}

/** SQL for the name of a group: the value of the column that usage is grouped by, or a JSON array of two. */
export function groupColumn({ groupBy, andBy = null }: Groupings): string {
  if (groupBy === null) return `''`;
  if (andBy === null) return `${GROUP_COLUMNS[groupBy]}::text`;
  return `json_build_array(${GROUP_COLUMNS[groupBy]}::text, ${GROUP_COLUMNS[andBy]}::text)::text`;
}

/** The group and, if usage is grouped by two, the second one, out of such a name. */
export function groupsOf(name: string, { andBy = null }: Groupings): readonly [group: string, second: string | null] {
  return andBy === null ? [name, null] : (JSON.parse(name) as [string, string]);
}

/** What is added up besides `SUMS`. */
export interface Measures {
  readonly withLatency: boolean;
  /** Only if `seesCosts`. */
  readonly withCosts: boolean;
}

/** The columns that usage adds up. */
export function columnsOf({ withLatency, withCosts }: Measures): readonly string[] {
  return [...SUMS, ...(withCosts ? COST_SUMS : []), ...(withLatency ? HISTOGRAM_COLUMNS : [])];
}

const WIDTHS = `'{${DURATION_CLASSES_MS.map((ms) => ms + 1).join(', ')}}'::integer[]`;
const ONE_RECEIPT: Readonly<Record<string, string>> = {
  requests: '1',
  ...RECEIPT_COST_SUMS,
  ...Object.fromEntries(
    Object.entries(HISTOGRAMS).flatMap(([time, columns]) =>
      columns.map((column, index) => [
        column,
        `coalesce((width_bucket(${time}_ms, ${WIDTHS}) = ${index})::integer, 0)`,
      ]),
    ),
  ),
};

/** SQL for what one receipt adds to these columns. `corrected`: what was given back of it. */
export function measuresOf(columns: readonly string[], { corrected }: { readonly corrected: string }): string {
  const one = { ...ONE_RECEIPT, corrected_nano_usd: corrected };
  return columns.map((column) => `${(one as Record<string, string>)[column] ?? column} as ${column}`).join(', ');
}

/**
 * SQL for the receipts of a stretch that are not counted yet, each as a bucket of its own. The conditions are hidden from
 * indexes: that of the newest receipts is the one to use.
 */
export function uncounted(
  stretch: Stretch,
  { filter, columns, parameters }: { filter: UsageFilter; columns: readonly string[]; parameters: Parameters },
): string {
  const { from, to } = boundsOf(stretch, parameters);
  const conditions = conditionsOf(filter, parameters).map((condition) => `and (${condition}) is true`);
  return `
    select workspace_id, project_id, key_id, model, dialect, outcome, ${STARTS.hour('admitted_at')} as starts_at,
      ${measuresOf(columns, { corrected: '0' })}
    from ${receiptsAfter('(select folded from counted)')} later ${columns.some((column) => COST_SUMS.includes(column)) ? RECEIPT_COST : ''}
    where admitted_at >= ${from} and admitted_at < ${to} ${conditions.join(' ')}`;
}

/** The bounds of a stretch, as parameters. */
export function boundsOf(
  { fromMs, toMs }: Stretch,
  parameters: Parameters,
): { readonly from: string; readonly to: string } {
  return {
    from: parameters.add(new Date(fromMs), 'timestamptz'),
    to: parameters.add(new Date(toMs), 'timestamptz'),
  };
}

interface BucketSelection {
  readonly of: BucketOwner;
  /** Kinds of buckets to use besides hours. */
  readonly grains: readonly Exclude<Grain, 'hour'>[];
  readonly select: string;
  readonly filter: UsageFilter;
  readonly parameters: Parameters;
  /** Further conditions. */
  readonly only?: readonly string[];
}

/** SQL for the buckets of a stretch, the longest of these grains that fit: a statement for each of its segments. */
export function bucketsIn(stretch: Stretch, selection: BucketSelection): readonly string[] {
  return segmentsOf(stretch, selection.grains).map((segment) => bucketsOf(segment, selection));
}

function bucketsOf(segment: Segment, { of, select, filter, parameters, only = [] }: BucketSelection): string {
  const { grain } = segment;
  const table = tableOf(of, grain, filter);
  const { from, to } = boundsOf(segment, parameters);
  const conditions = [...conditionsOf(filter, parameters), ...only];
  // A key's buckets lie apart, by time: without this, all keys' are read.
  const times =
    !isOfKeys(filter) || filter.workspaceId === undefined || grain === 'month'
      ? [`starts_at >= ${from}`, `starts_at < ${to}`]
      : [
          `starts_at = any (array(select generate_series(${from}, ${to} - interval '1 hour', interval '${LENGTHS[grain]}')))`,
        ];
  return `select ${select} from ${table} where ${[...times, ...conditions].join(' and ')}`;
}

/** Members have buckets of days only: what is shorter, or of some keys, is that of keys. */
function tableOf(of: BucketOwner, grain: Grain, filter: UsageFilter): string {
  if (of !== 'members') return `usage_${of === 'keys' ? 'key_' : ''}${grain}s`;
  return grain === 'day' && !isOfKeys(filter)
    ? 'usage_member_days'
    : `${withMembers(`usage_key_${grain}s`)} as of_keys`;
}

/** In hours, as a day's length depends on the session's time zone. */
const LENGTHS = { hour: '1 hour', day: '24 hours' } as const;
