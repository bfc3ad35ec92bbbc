import { z } from '@hono/zod-openapi';
import { DIALECTS, OUTCOMES } from '../../../domain/receipt.ts';
import { DURATION_CLASSES_MS } from '../../../domain/duration-classes.ts';
import { USAGE_GROUPS_MAX, USAGE_POINTS_MAX } from '../../../domain/usage-bounds.ts';
import { OPERATOR_GROUPINGS, USAGE_BUCKETS, WORKSPACE_GROUPINGS } from '../../../domain/usage-groupings.ts';
import { amount, choice, decimal, nano, queryNumber, time, timestamp } from '../contract-fields.ts';

// The admin API's wire for usage.

const uuid = z.uuid({ error: 'must be an id' });

const filters = {
  from: time.optional().openapi({
    description:
      'From this whole hour (UTC) on. Default: 30 days ago; 7 days for usage by session, which has 8 days at most. Usage by service tier has 31.',
  }),
  to: time.optional().openapi({ description: 'Before this whole hour (UTC). Default: now.' }),
  project: uuid.optional().openapi({ description: 'Only of this project, by its id.' }),
  key: uuid.optional().openapi({ description: 'Only of this key, by its id.' }),
  model: z.string().max(500).optional().openapi({ description: 'Only of this model.' }),
  outcome: choice(OUTCOMES).optional(),
  dialect: choice(DIALECTS).optional(),
};

const bucket = z
  .enum(USAGE_BUCKETS, { error: 'must be hour or day' })
  .optional()
  .openapi({ description: 'The length of points in time, cut in UTC.' });

const flag = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .optional()
  .transform((text) => text === 'true');

const WORKSPACES_HELP = `must be the ids of 1 to ${USAGE_GROUPS_MAX} workspaces, separated by commas`;
const workspaces = z
  .string({ error: WORKSPACES_HELP })
  .regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(,[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}){0,199}$/, WORKSPACES_HELP)
  .optional()
  .openapi({ description: 'Only of these workspaces, by their ids, separated by commas.' });

const AND_BY_HELP =
  'A second grouping: groups are pairs, such as a member and a model. Not by session or service tier, and not by key and member. With `key`, pairs of the keys that were charged most, as many as `limit` says.';

function usageQueryBy<const Groupings extends readonly [string, ...string[]]>(groupings: Groupings) {
  return z.strictObject({
    ...filters,
    bucket,
    group_by: choice(groupings).optional(),
    and_by: choice(groupings).optional().openapi({ description: AND_BY_HELP }),
    limit: queryNumber(1, USAGE_GROUPS_MAX)
      .optional()
      .openapi({
        description: `How many groups are named, those that were charged most. Default: 10, or as many as an answer has room for: groups times buckets are ${USAGE_POINTS_MAX} at most.`,
      }),
    compare: flag.openapi({ description: 'Whether to add up the stretch of the same length before, too.' }),
    latency: flag.openapi({
      description:
        'Whether to count durations in classes. Usage of keys and members has none, nor has that of the role `member`.',
    }),
  });
}

function usageExportQueryBy<const Groupings extends readonly [string, ...string[]]>(groupings: Groupings) {
  return z.strictObject({
    ...filters,
    bucket,
    group_by: choice(groupings).optional(),
    and_by: choice(groupings).optional().openapi({ description: AND_BY_HELP }),
    format: z
      .enum(['csv', 'ndjson'], { error: 'must be csv or ndjson' })
      .optional()
      .openapi({ description: 'Default: `csv`. `ndjson` is one JSON object per line.' }),
  });
}

export const usageQuery = usageQueryBy(WORKSPACE_GROUPINGS);
export const operatorUsageQuery = usageQueryBy(OPERATOR_GROUPINGS).extend({ workspaces });
export const usageExportQuery = usageExportQueryBy(WORKSPACE_GROUPINGS);

const classes = z.array(z.int());

const sums = z
  .object({
    requests: z.int(),
    ...amount('charge'),
    ...amount('correction', 'What corrections changed: below zero if they gave back.'),
    ...amount('net_charge'),
    ...amount('write_off'),
    cost_nano_usd: nano.optional().openapi({
      description: 'What providers asked, as far as that is known. Costs and margins are for the operator alone.',
    }),
    cost_usd: decimal.optional(),
    costed_requests: z.int().optional().openapi({ description: 'The requests whose cost is known.' }),
    margin_nano_usd: nano.optional().openapi({
      description:
        'The net charge less the known cost: the margin if the cost of all requests is known, otherwise the most that it can be.',
    }),
    margin_usd: decimal.optional(),
    tokens: z.record(z.string(), z.int()),
    latency: z
      .object({ duration: classes, first_event: classes })
      .nullable()
      .openapi({
        description: `Requests by milliseconds: up to ${DURATION_CLASSES_MS.join(', ')}, and above. Null if not asked for, or not counted.`,
      }),
  })
  .openapi('UsageSums');

const points = z.array(z.object({ starts_at: timestamp, sums }));

export const usage = z
  .object({
    from: timestamp,
    to: timestamp.openapi({ description: 'The end of the stretch; of the present hour or day by default.' }),
    total: sums,
    before: sums.nullable().openapi({ description: 'The stretch before; null if not asked for.' }),
    groups: z.array(
      z.object({
        group: z.string().openapi({
          description:
            'A model, outcome, dialect or session, or an id. Empty without `group_by`, for keys that no member made, and for requests of no session, which are named in any case.',
        }),
        name: z
          .string()
          .nullable()
          .openapi({ description: 'The present name of what has the id; the address of a member.' }),
        second_group: z.string().nullable().openapi({ description: 'By `and_by`; null without it.' }),
        second_name: z.string().nullable(),
        total: sums,
        before: sums.nullable(),
        points: points.openapi({ description: 'Buckets that have usage. Empty without `bucket`.' }),
      }),
    ),
    others: sums.openapi({ description: 'All groups that are not named.' }),
    points: points.openapi({ description: 'All groups together: buckets that have usage. Empty without `bucket`.' }),
    points_before: points.openapi({ description: 'The same of the stretch before. Empty without `compare`.' }),
  })
  .openapi('Usage');

export const recounted = z.object({ recounted: z.literal(true) }).openapi('Recounted');

export type UsageQuery = z.output<typeof operatorUsageQuery>;
export type WorkspaceUsageQuery = z.output<typeof usageQuery>;
export type UsageExportQuery = z.output<typeof usageExportQuery>;
export type UsageSumsJson = z.infer<typeof sums>;
export type UsageJson = z.infer<typeof usage>;
/** Of a workspace or, for the operator, of all. */
export type UsageQueryInput = Omit<z.input<typeof operatorUsageQuery>, 'group_by' | 'and_by'> & {
  readonly group_by?: UsageQuery['group_by'] | WorkspaceUsageQuery['group_by'];
  readonly and_by?: UsageQuery['and_by'] | WorkspaceUsageQuery['and_by'];
};
