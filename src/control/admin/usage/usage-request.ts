import { definedFields } from '../../../lib/defined-fields.ts';
import { refuse, type Refusal } from '../../../domain/refusals.ts';
import { USAGE_DAYS_MAX, USAGE_POINTS_MAX, usageGroupsThatFit } from '../../../domain/usage-bounds.ts';
import {
  canBePaired,
  DAYS_OF_RECEIPTS,
  isReceiptGrouping,
  type UsageGrouping,
} from '../../../domain/usage-groupings.ts';
import { bucketEnd, bucketStart, type Stretch } from '../../usage/segments.ts';
import { stretchBefore, type UsageRequest } from '../../usage/usage-report.ts';
import { ownerOf, type UsageFilter } from '../../usage/usage-sql.ts';
import type { UsageExportQuery, UsageQuery, WorkspaceUsageQuery } from './usage-contract.ts';

// What a query of usage asks for.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DEFAULT_DAYS = 30;
const BUCKET_MS = { hour: HOUR_MS, day: DAY_MS } as const;
const GROUPS = 10;

/** A report that was asked for, and the stretch that its answer names. */
export interface RequestedUsage {
  readonly request: UsageRequest;
  readonly named: Stretch;
}

/** The filter of a query. */
export function requestedFilter(query: UsageQuery | WorkspaceUsageQuery | UsageExportQuery): UsageFilter {
  const { project, key, model, outcome, dialect } = query;
  return definedFields({
    workspaceIds: 'workspaces' in query ? query.workspaces?.split(',') : undefined,
    projectId: project,
    keyId: key,
    model,
    outcome,
    dialect,
  });
}

/** The stretch of a query. Without an end it ends with the present day or hour. */
export function requestedStretch(
  { from, to }: Pick<UsageQuery, 'from' | 'to'>,
  bucket: 'hour' | 'day',
  nowMs: number,
  defaultDays = DEFAULT_DAYS,
): Stretch | Refusal {
  const toMs = to === undefined ? bucketEnd(bucket, nowMs) : new Date(to).getTime();
  const fromMs = from === undefined ? bucketStart('day', toMs - defaultDays * DAY_MS) : new Date(from).getTime();
  for (const [param, timeMs] of [
    ['from', fromMs],
    ['to', toMs],
  ] as const) {
    if (timeMs % HOUR_MS === 0) continue;
    return refuse('INVALID_REQUEST', `"${param}" must be a whole hour in UTC.`, { param });
  }
  if (fromMs >= toMs) return refuse('INVALID_REQUEST', '"from" must be before "to".', { param: 'from' });
  if (toMs - fromMs > USAGE_DAYS_MAX * DAY_MS)
    return refuse('INVALID_REQUEST', 'Ask for three years at most.', { param: 'from' });
  return { fromMs, toMs };
}

function tooManyPoints(asked: {
  readonly buckets: number;
  readonly groups: number;
  readonly groupsFit: number;
}): Refusal {
  const { buckets, groups, groupsFit } = asked;
  const most = `an answer has ${USAGE_POINTS_MAX} points at most`;
  const advice =
    groupsFit === 0
      ? 'ask for a shorter time or longer buckets'
      : `send a "limit" of ${groupsFit} at most, or ask for a shorter time`;
  const message = `${buckets} buckets of ${groups} groups are ${buckets * groups} points, and ${most}: ${advice}.`;
  return refuse('INVALID_REQUEST', message, { param: groupsFit === 0 ? 'bucket' : 'limit' });
}

/** Refuses a second grouping that does not go with the first one; null: it does, or there is none. */
export function refuseUnpaired(groupBy: UsageGrouping | null, andBy: UsageGrouping | null): Refusal | null {
  if (andBy === null || (groupBy !== null && canBePaired(groupBy, andBy))) return null;
  const message =
    groupBy === null
      ? '"and_by" is a second grouping: send "group_by", too.'
      : `Usage can't be grouped by ${groupBy} and ${andBy} together.`;
  return refuse('INVALID_REQUEST', message, { param: 'and_by' });
}

/** The report that a query asks for. */
export function requestedUsage(query: UsageQuery | WorkspaceUsageQuery, nowMs: number): RequestedUsage | Refusal {
  const { bucket = null, group_by: groupBy = null, and_by: andBy = null, latency: withLatency, compare } = query;
  const unpaired = refuseUnpaired(groupBy, andBy);
  if (unpaired !== null) return unpaired;
  const days = isReceiptGrouping(groupBy) ? DAYS_OF_RECEIPTS[groupBy] : null;
  const named = requestedStretch(query, bucket ?? 'hour', nowMs, days?.usual ?? DEFAULT_DAYS);
  if ('code' in named) return named;
  if (days !== null && named.toMs - named.fromMs > days.most * DAY_MS) {
    const message = `Usage by ${groupBy} has ${days.most} days at most: ask for a later "from" or an earlier "to".`;
    return refuse('INVALID_REQUEST', message, { param: 'from' });
  }
  if (withLatency && ownerOf({ groupBy, andBy }, requestedFilter(query)) !== 'projects') {
    return refuse('INVALID_REQUEST', 'Durations are not counted by key.', { param: 'latency' });
  }
  const buckets = bucket === null ? 0 : Math.ceil((named.toMs - named.fromMs) / BUCKET_MS[bucket]);
  const groupsFit = usageGroupsThatFit(buckets);
  const groupsMax = query.limit ?? Math.max(1, Math.min(GROUPS, groupsFit));
  if (groupsMax > groupsFit) return tooManyPoints({ buckets, groups: groupsMax, groupsFit });
  // Nothing is later than now, so months that began are read as a whole.
  const stretch = query.to === undefined ? { fromMs: named.fromMs, toMs: bucketEnd('month', nowMs + DAY_MS) } : named;
  const before = compare ? stretchBefore(named) : null;
  return {
    named,
    request: { stretch, filter: requestedFilter(query), groupBy, andBy, groupsMax, bucket, before, withLatency },
  };
}
