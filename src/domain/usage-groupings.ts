// What usage can be grouped by.

const SHARED_GROUPINGS = ['model', 'project', 'key', 'member', 'outcome', 'dialect'] as const;

/** Those that are added up from receipts, for some days of one workspace. */
const RECEIPT_GROUPINGS = ['session', 'service_tier'] as const;

export type ReceiptGrouping = (typeof RECEIPT_GROUPINGS)[number];

/** The most days of an answer, and those that it has by default. */
export const DAYS_OF_RECEIPTS: Readonly<Record<ReceiptGrouping, { readonly most: number; readonly usual: number }>> = {
  session: { most: 8, usual: 7 },
  service_tier: { most: 31, usual: 30 },
};

/** Usage of a workspace. */
export const WORKSPACE_GROUPINGS = [...SHARED_GROUPINGS, ...RECEIPT_GROUPINGS] as const;

/** Usage of all workspaces. */
export const OPERATOR_GROUPINGS = ['workspace', ...SHARED_GROUPINGS] as const;

export const GROUPINGS = [...SHARED_GROUPINGS, 'workspace', ...RECEIPT_GROUPINGS] as const;

export type UsageGrouping = (typeof GROUPINGS)[number];

/** Whether usage by this is added up from receipts. */
export function isReceiptGrouping(by: UsageGrouping | null): by is ReceiptGrouping {
  return by !== null && by in DAYS_OF_RECEIPTS;
}

/** Whether usage can be grouped by both together: not by what is added up from receipts, and a key is a single member's. */
export function canBePaired(first: UsageGrouping, second: UsageGrouping): boolean {
  const both = [first, second];
  return first !== second && !both.some(isReceiptGrouping) && !(both.includes('key') && both.includes('member'));
}

/** The lengths of points in time, which begin at whole hours or days of UTC. */
export const USAGE_BUCKETS = ['hour', 'day'] as const;
