import type { NanoUsd } from '../domain/money.ts';
import type { SqlRunner } from '../lib/sql.ts';

// The proof that no money was made or lost. It is one statement, so it sees one snapshot, and it takes nothing on trust
// that it can count: charges come from receipts, credit from ledger entries.

/** What is compared; each holds to the last nano-USD. */
export type LedgerCheck =
  /** Of a workspace: credit posted − receipts' charges = balance + owed. */
  | 'workspace_balance'
  /** Of a workspace: what the ledger says is owed = its credit purse's debt. */
  | 'workspace_owed'
  /** Of a purse: opening + charges of its receipts = spent + charges of its leases. */
  | 'purse_spent'
  /** Of a purse: grants of its closed leases = leased. */
  | 'purse_leased'
  /** Of a credit purse: the part of spent + leased above the limit = 0. */
  | 'purse_overdrawn'
  /** Of a lease that isn't open: the part of its charges above its grant = 0. */
  | 'lease_overdrawn'
  /** Of a posting: its entries sum to zero, and there are at least two. */
  | 'posting_balance'
  | 'posting_entries'
  /** Of a receipt: the part of the charge above the hold, or below zero = 0. */
  | 'receipt_charge'
  /** Of receipts: those whose purses don't exist, or aren't the request's own = 0. */
  | 'receipt_purses';

/** Two figures that should be equal. `subjectId` is the id of the workspace, purse, lease, posting or receipt. */
export interface LedgerDifference {
  readonly check: LedgerCheck;
  readonly workspaceId: string | null;
  readonly subjectId: string;
  readonly expected: NanoUsd;
  readonly actual: NanoUsd;
}

export interface LedgerReport {
  readonly ok: boolean;
  readonly workspaces: bigint;
  readonly purses: bigint;
  readonly postings: bigint;
  readonly receipts: bigint;
  readonly credit: NanoUsd;
  readonly charges: NanoUsd;
  readonly writeOffs: NanoUsd;
  readonly balance: NanoUsd;
  readonly owed: NanoUsd;
  /** At most a thousand; `ok` and `differenceCount` speak for all. */
  readonly differences: readonly LedgerDifference[];
  readonly differenceCount: bigint;
}

// Sums of bigint are numeric in PostgreSQL, so nothing overflows before it is compared.
const FIGURES = `
  charges as (
    select purse_id, sum(charge_nano_usd) as amount
    from receipts cross join lateral unnest(array[credit_purse_id, project_purse_id, key_purse_id]) as purse_id
    group by purse_id
  ), workspace_charges as (
    select workspace_id, sum(charge_nano_usd) as amount from receipts group by workspace_id
  ), lease_sums as (
    select purse_id, sum(charged_nano_usd) as charged, sum(granted_nano_usd) filter (where not open) as granted
    from leases group by purse_id
  ), figures as (
    select purses.*, coalesce(charges.amount, 0) as receipts_charge, coalesce(lease_sums.charged, 0) as charged,
      coalesce(lease_sums.granted, 0) as granted
    from purses
    left join charges on charges.purse_id = purses.id
    left join lease_sums on lease_sums.purse_id = purses.id
  ), posting_sums as (
    select posting_id, sum(amount_nano_usd) as amount, count(*) as lines from ledger_entries group by posting_id
  ), posted as (
    select workspace_id, sum(amount_nano_usd) filter (where account = 'credit') as credit,
      sum(amount_nano_usd) filter (where account = 'owed') as owed
    from ledger_entries group by workspace_id
  ), standings as (
    select workspaces.id, coalesce(posted.credit, 0) as credit, coalesce(posted.owed, 0) as owed_posted,
      coalesce(workspace_charges.amount, 0) as charges, coalesce(figures.owed_nano_usd, 0) as owed,
      coalesce(figures.limit_nano_usd - figures.spent_nano_usd - figures.charged - figures.owed_nano_usd, 0) as balance
    from workspaces
    left join posted on posted.workspace_id = workspaces.id
    left join workspace_charges on workspace_charges.workspace_id = workspaces.id
    left join figures on figures.workspace_id = workspaces.id and figures.kind = 'credit'
  )`;

const COMPARISONS = `
  select 'workspace_balance' as check, id as workspace_id, id::text as subject_id,
    credit - charges as expected, balance + owed as actual from standings
  union all select 'workspace_owed', id, id::text, -owed_posted, owed from standings
  union all select 'purse_spent', workspace_id, id::text, opening_nano_usd + receipts_charge, spent_nano_usd + charged
    from figures
  union all select 'purse_leased', workspace_id, id::text, granted, leased_nano_usd from figures
  union all select 'purse_overdrawn', workspace_id, id::text, 0,
    greatest(0, spent_nano_usd::numeric + leased_nano_usd - limit_nano_usd) from figures where kind = 'credit'
  union all select 'lease_overdrawn', purses.workspace_id, leases.epoch_id || '/' || leases.purse_id, 0,
    greatest(0, charged_nano_usd - granted_nano_usd)
    from leases left join purses on purses.id = leases.purse_id where not leases.open
  union all select 'posting_balance', postings.workspace_id, postings.id::text, 0, coalesce(posting_sums.amount, 0)
    from ledger_postings postings left join posting_sums on posting_sums.posting_id = postings.id
  union all select 'posting_entries', postings.workspace_id, postings.id::text, 2,
    least(2, coalesce(posting_sums.lines, 0))
    from ledger_postings postings left join posting_sums on posting_sums.posting_id = postings.id
  union all select 'receipt_charge', workspace_id, request_id::text, 0,
    greatest(0, charge_nano_usd - hold_nano_usd, -charge_nano_usd) from receipts
  union all select 'receipt_purses', receipts.workspace_id, receipts.request_id::text, 3,
    (credit.id is not null)::int + (project.id is not null)::int + (key.id is not null)::int
    from receipts
    left join purses credit on credit.id = credit_purse_id and credit.kind = 'credit'
      and credit.subject_id = receipts.workspace_id
    left join purses project on project.id = project_purse_id and project.kind = 'project'
      and project.subject_id = receipts.project_id
    left join purses key on key.id = key_purse_id and key.kind = 'key' and key.subject_id = receipts.key_id`;

const VERIFY = `
  with ${FIGURES}, differences as (
    select * from (${COMPARISONS}) comparisons where expected <> actual
  )
  select
    (select count(*) from workspaces) as workspaces, (select count(*) from purses) as purses,
    (select count(*) from ledger_postings) as postings, (select count(*) from receipts) as receipts,
    (select coalesce(sum(write_off_nano_usd), 0)::text from receipts) as write_offs,
    coalesce(sum(credit), 0)::text as credit, coalesce(sum(charges), 0)::text as charges,
    coalesce(sum(balance), 0)::text as balance, coalesce(sum(owed), 0)::text as owed,
    (select count(*) from differences) as difference_count,
    (select coalesce(json_agg(json_build_object('check', "check", 'workspaceId', workspace_id, 'subjectId', subject_id,
       'expected', expected::text, 'actual', actual::text)), '[]')
     from (select * from differences order by "check", subject_id limit 1000) shown) as differences
  from standings`;

interface ReportRow {
  readonly workspaces: bigint;
  readonly purses: bigint;
  readonly postings: bigint;
  readonly receipts: bigint;
  readonly write_offs: string;
  readonly credit: string;
  readonly charges: string;
  readonly balance: string;
  readonly owed: string;
  readonly difference_count: bigint;
  readonly differences: readonly (Omit<LedgerDifference, 'expected' | 'actual'> & {
    expected: string;
    actual: string;
  })[];
}

/** Proves, in one snapshot, that credit posted − charges = balance + owed, purse by purse, or says where it is not. */
export async function verifyLedger(sql: SqlRunner): Promise<LedgerReport> {
  const [row] = (await sql.query<ReportRow>(VERIFY)) as readonly [ReportRow];
  return {
    ok: row.difference_count === 0n,
    workspaces: row.workspaces,
    purses: row.purses,
    postings: row.postings,
    receipts: row.receipts,
    credit: BigInt(row.credit),
    charges: BigInt(row.charges),
    writeOffs: BigInt(row.write_offs),
    balance: BigInt(row.balance),
    owed: BigInt(row.owed),
    differenceCount: row.difference_count,
    differences: row.differences.map((difference) => ({
      ...difference,
      expected: BigInt(difference.expected),
      actual: BigInt(difference.actual),
    })),
  };
}
