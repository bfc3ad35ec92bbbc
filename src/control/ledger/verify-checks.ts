import type { AuditCheck } from './verify-audit.ts';
import type { KeyUsageCheck } from './verify-key-usage.ts';
import type { COST_CHECKS } from './verify-costs.ts';
import type { USAGE_CHECKS } from './verify-usage.ts';

// The checks of the proof. Each is a query of (workspace_id, subject_id, expected, actual) over all subjects of a kind;
// a row in which the two amounts differ is money made or lost. Sums of bigint are numeric in PostgreSQL, so nothing
// overflows before it is compared.
//
// Checks that need no receipts run in the snapshot. The others compare the proof's working tables, which
// verify-copies.ts fills from the same snapshot, with receipts, slice by slice, or with their sums.

/** The totals of each workspace's ledger entries. */
const POSTED = `
  posted as (
    select workspace_id, sum(amount_nano_usd) filter (where account = 'credit') as credit,
      sum(amount_nano_usd) filter (where account = 'owed') as owed
    from ledger_entries group by workspace_id
  )`;

const POSTING_SUMS = `
  posting_sums as (
    select postings.id, postings.workspace_id, postings.receipt_request_id, coalesce(sum(amount_nano_usd), 0) as amount,
      coalesce(sum(amount_nano_usd) filter (where account in ('credit', 'owed')), 0) as given, count(account) as lines
    from ledger_postings postings left join ledger_entries on posting_id = postings.id group by postings.id
  )`;

const LEASE_SUMS = `
  lease_sums as (
    select purse_id, sum(charged_nano_usd) as charged, sum(granted_nano_usd) filter (where not open) as granted
    from leases group by purse_id
  )`;

/** Checks that need no receipts, made in the snapshot. */
export const SNAPSHOT_CHECKS = {
  /** Of a chain of audit events: the position of its last link, 0 if that has another hash = its length. */
  audit_chain: `
    select nullif(scope_id, '00000000-0000-0000-0000-000000000000') as workspace_id, scope_id::text as subject_id,
      length as expected, coalesce((
        select case when last.chain_sha256 = audit_chains.chain_sha256 then position else 0 end
        from audit_links last where last.scope_id = audit_chains.scope_id order by position desc limit 1
      ), 0) as actual
    from audit_chains`,
  /** Of a chain of audit events: the position up to which an event of it says that it was dropped = that up to which it is. */
  audit_dropped: `
    select workspace_id, scope_id::text as subject_id, dropped_to as expected, coalesce((
        select l.position from audit_events e join audit_links l
          on l.scope_id = chain.scope_id and l.position = (e.after ->> 'position')::bigint
        where e.id = dropped_by and e.action = 'audit.drop' and e.workspace_id is not distinct from chain.workspace_id
          and encode(l.chain_sha256, 'hex') = e.after ->> 'chain_sha256'
      ), 0) as actual
    from (
      select scope_id, nullif(scope_id, '00000000-0000-0000-0000-000000000000') as workspace_id, dropped_to, dropped_by
      from audit_chains
    ) chain`,
  /** Of a closed workspace: the credit that it holds, beyond payments that go back through their provider = 0. */
  closed_credit: `
    select workspace_id, workspace_id::text as subject_id, 0 as expected, credit_nano_usd as actual from closed_credit()`,
  /** Of a correction: its amount = the amount returned to the purses of project and key, and to that of a member if any was. */
  correction_purses: `
    with ${POSTING_SUMS}
    select workspace_id, id::text as subject_id, (2 + returned.members) * given as expected, returned.amount as actual
    from posting_sums cross join lateral (
      select coalesce(sum(amount_nano_usd), 0) as amount, least(1, count(*) filter (where kind = 'member')) as members
      from purse_corrections join purses on purses.id = purse_id where posting_id = posting_sums.id
    ) returned
    where receipt_request_id is not null`,
  /** Of a grant that expires: what its posting added to the credit = its amount. */
  grant_amount: `
    select g.workspace_id, g.posting_id::text as subject_id, coalesce(sum(e.amount_nano_usd), 0) as expected,
      g.amount_nano_usd as actual
    from expiring_grants g left join ledger_entries e
      on e.workspace_id = g.workspace_id and e.posting_id = g.posting_id and e.account = 'credit'
    group by g.workspace_id, g.posting_id`,
  /** Of a grant that expires: the postings of its expiry = what has expired of it. */
  grant_expired: `
    select g.workspace_id, g.posting_id::text as subject_id, coalesce(expired.amount, 0) as expected, g.expired_nano_usd as actual
    from expiring_grants g left join (
      select workspace_id, split_part(once, ':', 2) as grant_id, -sum(amount_nano_usd) as amount
      from postings where kind = 'expiry' group by 1, 2
    ) expired on expired.workspace_id = g.workspace_id and expired.grant_id = g.posting_id::text`,
  /** Of a workspace: what is left of its grants that expire, beyond the credit that is not charged = 0. */
  grants_covered: `
    select p.workspace_id, p.workspace_id::text as subject_id, 0 as expected,
      greatest(0, sum(g.rest_nano_usd) - (p.limit_nano_usd - p.spent_nano_usd::numeric - charged.amount)) as actual
    from purses p
    cross join lateral (select coalesce(sum(charged_nano_usd), 0) as amount from leases where purse_id = p.id) charged
    cross join lateral live_grants(p.workspace_id) g
    where p.kind = 'credit' and exists (select from expiring_grants e where e.workspace_id = p.workspace_id and e.ended_at is null)
    group by p.id, charged.amount`,
  /** Of a lease that isn't open: the part of its charges above its grant = 0. */
  lease_overdrawn: `
    select purses.workspace_id, leases.epoch_id || '/' || leases.purse_id as subject_id, 0 as expected,
      greatest(0, charged_nano_usd - granted_nano_usd) as actual
    from leases left join purses on purses.id = leases.purse_id where not leases.open`,
  /** Of a posting: its entries sum to zero. */
  posting_balance: `
    with ${POSTING_SUMS} select workspace_id, id::text as subject_id, 0 as expected, amount as actual from posting_sums`,
  /** Of a posting: it has at least two entries. */
  posting_entries: `
    with ${POSTING_SUMS}
    select workspace_id, id::text as subject_id, 2 as expected, least(2, lines) as actual from posting_sums`,
  /** Of a purse that is kept for good: its corrections = corrected. */
  purse_corrected: `
    with sums as (select purse_id, sum(amount_nano_usd) as amount from purse_corrections group by purse_id)
    select workspace_id, id::text as subject_id, coalesce(sums.amount, 0) as expected, corrected_nano_usd as actual
    from purses left join sums on sums.purse_id = purses.id where kind not in ('end_user', 'session')`,
  /** Of a purse: grants of its closed leases = leased. */
  purse_leased: `
    with ${LEASE_SUMS}
    select workspace_id, id::text as subject_id, coalesce(granted, 0) as expected, leased_nano_usd as actual
    from purses left join lease_sums on lease_sums.purse_id = purses.id`,
  /** Of a credit purse: the part of spent + leased above the limit = 0. */
  purse_overdrawn: `
    select workspace_id, id::text as subject_id, 0 as expected,
      greatest(0, spent_nano_usd::numeric + leased_nano_usd - limit_nano_usd) as actual
    from purses where kind = 'credit'`,
  /** Of a workspace: owed by the ledger = owed by its credit purse. */
  workspace_owed: `
    with ${POSTED}
    select workspaces.id as workspace_id, workspaces.id::text as subject_id, -coalesce(posted.owed, 0) as expected,
      coalesce(owed_nano_usd, 0) as actual
    from workspaces
    left join posted on posted.workspace_id = workspaces.id
    left join purses on purses.workspace_id = workspaces.id and kind = 'credit'`,
} as const;

/** Whether the purse of a caller's end user or session is one of the workspace, or is gone as those of former windows are. */
const served = (kind: string): string => `
        select coalesce(
          (
            select purse.kind = '${kind}' and purse.workspace_id = callers.workspace_id from proof_purses purse
            where purse.id = callers.${kind}_purse_id
          ),
          not callers.is_recent
        ) as fits`;

/** Checks of single receipts, and of their callers, for each slice. */
export const RECEIPT_CHECKS = {
  /** Of a receipt: the part of the charge above the hold, or below zero = 0. */
  receipt_charge: `
    select workspace_id, request_id::text as subject_id, 0 as expected,
      greatest(0, charge_nano_usd - hold_nano_usd, -charge_nano_usd) as actual from slice`,
  /** Of a corrected receipt: the part of its net charge above the hold, or below zero = 0. */
  receipt_corrected: `
    select workspace_id, request_id::text as subject_id, 0 as expected,
      greatest(0, given_nano_usd - charge_nano_usd, charge_nano_usd - given_nano_usd - hold_nano_usd) as actual
    from slice join proof_corrections using (workspace_id, request_id)`,
  /**
   * Of receipts: those whose purses don't exist, or aren't the request's own = 0. Looked up once for each caller. A purse of an end
   * user or a session may have been pruned, some time after the request.
   */
  receipt_purses: `
    with known as materialized (
      select callers.*, (credit.id is not null)::int + (project.id is not null)::int + (key.id is not null)::int
          + (member.id is not null)::int - (end_user_purse_id is not null and not end_user.fits)::int
          - (session_purse_id is not null and not session.fits)::int as purses,
        3 + (member_purse_id is not null)::int as named
      from callers
      left join proof_purses credit on credit.id = credit_purse_id and credit.kind = 'credit'
        and credit.subject_id = callers.workspace_id
      left join proof_purses project on project.id = project_purse_id and project.kind = 'project'
        and project.subject_id = callers.project_id
      left join proof_purses key on key.id = key_purse_id and key.kind = 'key' and key.subject_id = callers.key_id
      left join lateral (
        select proof_purses.id from proof_purses
        join member_limits on member_limits.id = proof_purses.subject_id
        join keys on keys.workspace_id = member_limits.workspace_id and keys.created_by = member_limits.user_id
        where proof_purses.id = member_purse_id and proof_purses.kind = 'member'
          and keys.workspace_id = callers.workspace_id and keys.id = callers.key_id
      ) member on true
      cross join lateral (${served('end_user')}) end_user
      cross join lateral (${served('session')}) session
    )
    select workspace_id, request_id::text as subject_id, named as expected, purses as actual
    from (select * from known where purses <> named) known
    join slice using (workspace_id, project_id, key_id, credit_purse_id, project_purse_id, key_purse_id)
    where (request_id >= $5) = is_open and slice.member_purse_id is not distinct from known.member_purse_id
      and slice.end_user_purse_id is not distinct from known.end_user_purse_id
      and slice.session_purse_id is not distinct from known.session_purse_id`,
} as const;

/** Checks of sums, made once all receipts are read. */
export const SUM_CHECKS = {
  /** Of a purse: opening + charges of its receipts = spent + charges of its leases. */
  purse_spent: `
    select workspace_id, id::text as subject_id, charges_nano_usd as expected, spent_nano_usd as actual
    from proof_purses`,
  /** Of a purse in a sealed partition that still exists: charges of its receipts = the sealed total. */
  sealed_totals: `
    select purses.workspace_id, partition || '/' || purse_id as subject_id, sealed_nano_usd as expected,
      counted_nano_usd as actual
    from proof_sealed_totals left join proof_purses purses on purses.id = purse_id`,
  /** Of a workspace: credit posted − receipts' charges = balance + owed. */
  workspace_balance: `
    select id as workspace_id, id::text as subject_id, credit_nano_usd - charges_nano_usd as expected,
      balance_nano_usd + owed_nano_usd as actual
    from proof_workspaces`,
} as const;

export type LedgerCheck =
  | AuditCheck
  | KeyUsageCheck
  | keyof typeof USAGE_CHECKS
  | keyof typeof SNAPSHOT_CHECKS
  | keyof typeof RECEIPT_CHECKS
  | keyof typeof SUM_CHECKS
  | keyof typeof COST_CHECKS;
