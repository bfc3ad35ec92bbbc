// What usage can be grouped by.

const SHARED_GROUPINGS = ['model', 'project', 'key', 'member', 'outcome', 'dialect'] as const;

/** Usage of a workspace. */
export const WORKSPACE_GROUPINGS = [...SHARED_GROUPINGS, 'session'] as const;

/** Usage of all workspaces. */
export const OPERATOR_GROUPINGS = ['workspace', ...SHARED_GROUPINGS] as const;

export const GROUPINGS = [...SHARED_GROUPINGS, 'workspace', 'session'] as const;

export type UsageGrouping = (typeof GROUPINGS)[number];

/**
 * Whether usage can be grouped by both together. That of sessions is added up from receipts, and a key is a single member's.
 */
export function canBePaired(first: UsageGrouping, second: UsageGrouping): boolean {
  const both = [first, second];
  return first !== second && !both.includes('session') && !(both.includes('key') && both.includes('member'));
}

/** The lengths of points in time, which begin at whole hours or days of UTC. */
export const USAGE_BUCKETS = ['hour', 'day'] as const;
