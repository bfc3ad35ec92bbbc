import type { NanoUsd } from '../../domain/money.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { Page } from '../../lib/page.ts';
import { readSortedPage, type SortedPageRequest, type SortOrder } from '../../lib/sorted-page.ts';
import type { Sql } from '../../lib/sql.ts';
import { POSTING_KINDS } from '../../domain/posting-kinds.ts';
import { STARTS } from './bucket-tables.ts';
import { bucketEnd } from './segments.ts';
import { notCountedYet, USAGE_LIMITS } from './usage-report.ts';
import { COUNTED, Parameters, uncounted } from './usage-sql.ts';

// The statement of a month: what its requests were charged, a line a day, and each posting. One database statement reads
// it from the present balance backwards, so that its lines lead from the balance before them to the one after them exactly.

/** What a line of a statement is: a day's charges, or a posting of this kind. */
export const STATEMENT_KINDS = ['usage', ...POSTING_KINDS] as const;

export type StatementKind = (typeof STATEMENT_KINDS)[number];

export const STATEMENT_ORDERS = {
  time: { value: 'line.at', type: 'timestamptz', direction: 'desc' },
} as const satisfies Record<string, SortOrder>;

/** A line of a statement. Amounts in nano-USD. */
export interface StatementLine {
  /** The posting's; that of a day's usage stays the same, too. */
  readonly id: string;
  readonly kind: StatementKind;
  /** When it was posted; for a day's usage, the start of the day. */
  readonly startsAt: Date;
  /** Below zero it was taken. */
  readonly amount: NanoUsd;
  /** What all lines until this one have left. */
  readonly balance: NanoUsd;
  /** Requests of the day; null for a posting. */
  readonly requests: bigint | null;
  /** Null for usage, like the reason. */
  readonly actor: string | null;
  readonly reason: string | null;
  /** The receipt that it corrects. */
  readonly receiptRequestId: string | null;
  /** The top-up that it credits, refunds or disputes. */
  readonly topUpId: string | null;
  /** What the payment of a top-up had as tax; null for other lines. */
  readonly tax: NanoUsd | null;
  /** When what is left of a grant expires. */
  readonly expiresAt: Date | null;
}

/** A month of the statement, by its first moment in UTC, and a page of its lines. */
export interface Statement {
  readonly number: string;
  readonly startsAt: Date;
  /** The balance before its first line, and after its last one. */
  readonly opening: NanoUsd;
  readonly closing: NanoUsd;
  readonly lines: Page<StatementLine>;
}

type Row = { readonly [Field in keyof StatementLine]: StatementLine[Field] | null } & {
  readonly opening: NanoUsd;
  readonly closing: NanoUsd;
  readonly place: string | null;
};

/** The number of a month's statement. It follows from the workspace and the month, so it is the same for ever, also after a restore. */
export function statementNumber(workspaceId: string, startsAt: Date): string {
  return `${startsAt.toISOString().slice(0, 7)}-${workspaceId.slice(-12).toUpperCase()}`;
}

/** Later than any request. */
const NEVER_MS = Date.UTC(9999, 0);

/** Reads a month of the workspace's statement. Refused until all receipts were counted once. */
export async function readStatement(
  sql: Sql,
  { workspaceId }: WorkspaceScope,
  startsAt: Date,
  page: SortedPageRequest<'time'> = {},
): Promise<Statement | Refusal> {
  const startMs = startsAt.getTime();
  const standings: Pick<Row, 'opening' | 'closing'>[] = [];
  const lines = await readSortedPage(STATEMENT_ORDERS.time, 'line.id', page, async (paged) => {
    const parameters = new Parameters();
    parameters.values.push(...paged.values);
    const workspace = parameters.add(workspaceId, 'uuid');
    const start = parameters.add(startsAt, 'timestamptz');
    const end = parameters.add(new Date(bucketEnd('month', startMs)), 'timestamptz');
    const late = uncounted(
      { fromMs: startMs, toMs: NEVER_MS },
      { filter: { workspaceId }, columns: ['requests', 'charge_nano_usd'], parameters },
    );
    const text = statementSql({ workspace, start, end, late, ...paged });
    const rows = await sql.transaction((tx) => tx.query<Row>(text, parameters.values), USAGE_LIMITS);
    standings.push(...rows.map(({ opening, closing }) => ({ opening, closing })));
    return rows.flatMap(({ place, opening: _opening, closing: _closing, ...line }) =>
      line.id === null ? [] : [[line as StatementLine, place] as const],
    );
  });
  const [standing] = standings;
  return standing === undefined
    ? notCountedYet()
    : { number: statementNumber(workspaceId, startsAt), startsAt, ...standing, lines };
}

interface StatementParts {
  readonly workspace: string;
  readonly start: string;
  readonly end: string;
  /** SQL for receipts that are not counted yet. */
  readonly late: string;
  readonly place: string;
  readonly where: string;
  readonly orderBy: string;
}

/** A day's usage is listed after the day's postings. */
function statementSql({ workspace, start, end, late, place, where, orderBy }: StatementParts): string {
  return `
    with counted as materialized (${COUNTED}),
    late as materialized (${late}),
    days as materialized (
      select starts_at, sum(requests)::bigint as requests, sum(charge_nano_usd)::bigint as charge from (
        select starts_at, requests, charge_nano_usd from usage_days where workspace_id = ${workspace} and starts_at >= ${start}
        union all
        select ${STARTS.day('starts_at')}, requests, charge_nano_usd from late
      ) buckets group by starts_at having sum(charge_nano_usd) <> 0
    ),
    posted as materialized (
      select * from postings where workspace_id = ${workspace} and posted_at >= ${start}
    ),
    closed as materialized (
      select (
        purse.limit_nano_usd - purse.spent_nano_usd - purse.owed_nano_usd
          - (select coalesce(sum(charged_nano_usd), 0) from leases where purse_id = purse.id)
          - (select coalesce(sum(amount_nano_usd), 0) from posted where posted_at >= ${end})
          + (select coalesce(sum(charge), 0) from days where starts_at >= ${end})
      )::bigint as balance
      from purses purse cross join counted
      where purse.workspace_id = ${workspace} and purse.kind = 'credit' and purse.subject_id = ${workspace}
    ),
    month as materialized (
      select md5(${workspace}::text || starts_at::text)::uuid as id, 'usage' as kind, starts_at,
        starts_at + interval '24 hours' as at, -charge as amount, requests, null as actor, null as reason,
        null as once, null::uuid as receipt
      from days where starts_at < ${end}
      union all
      select id, kind, posted_at, posted_at, amount_nano_usd, null, actor, reason, once, receipt_request_id
      from posted where posted_at < ${end}
    ),
    opened as materialized (
      select (closed.balance - (select coalesce(sum(amount), 0) from month))::bigint as balance from closed
    ),
    lines as materialized (
      select month.*, ((select balance from opened) + sum(amount) over (order by at, id))::bigint as balance from month
    ),
    page as materialized (
      select line.*, (${place})::text as place, row_number() over (order by ${orderBy}) as turn
      from lines line where ${where} order by ${orderBy} limit $3
    )
    select opened.balance as opening, closed.balance as closing, page.place, page.id, page.kind,
      page.starts_at as "startsAt", page.amount, page.balance, page.requests, page.actor, page.reason,
      page.receipt as "receiptRequestId", coalesce(
        (select id from top_ups where workspace_id = ${workspace} and posting_id = page.id
          and provider = split_part(page.once, ':', 2) and payment_reference = split_part(page.once, ':', 3)),
        (select top_up_id from payment_reversals reversal where workspace_id = ${workspace}
          and reversal.kind = split_part(page.once, ':', 1) and provider = split_part(page.once, ':', 2)
          and reference = split_part(page.once, ':', 3))
      ) as "topUpId",
      (select tax_nano_usd from top_ups where workspace_id = ${workspace} and posting_id = page.id) as tax,
      (select expires_at from expiring_grants where workspace_id = ${workspace} and posting_id = page.id) as "expiresAt"
    from closed cross join opened left join page on true
    order by page.turn`;
}
