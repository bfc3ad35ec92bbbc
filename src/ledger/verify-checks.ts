// What the proof compares. Each check is a query of (workspace_id, subject_id, expected, actual) over all subjects of a
// kind; a row in which the two differ is money made or lost. Sums of bigint are numeric in PostgreSQL, so nothing
// overflows before it is compared.

/** Ids from here on are receipts that aren't sealed. */
const SEALED_TO = `coalesce(
  (select up_to from sealed_partitions order by up_to desc limit 1), '00000000-0000-0000-0000-000000000000')`;

/**
 * All receipts, read with rests: a scan that keeps a core busy for as long as it lasts delays everybody who shares it. It
 * rests for 2 ms after a thousand rows on average, which take about as long.
 */
const RECEIPTS = `(
  select tableoid, * from receipts where random() > 0.001 or pg_sleep(0.002) is not null
) receipts`;

const PURSES_OF_RECEIPT = `cross join lateral (values (credit_purse_id), (project_purse_id), (key_purse_id)) as three (purse_id)`;

/** What receipts charged to each purse: counted, or as it was sealed. */
const CHARGES = `
  charges as (
    select purse_id, sum(amount) as amount from (
      select purse_id, sum(charge_nano_usd) as amount from ${RECEIPTS} ${PURSES_OF_RECEIPT}
      where request_id >= ${SEALED_TO} group by purse_id
      union all select purse_id, charge_nano_usd from partition_totals
    ) parts group by purse_id
  )`;

/** What each workspace's ledger entries add up to. */
const POSTED = `
  posted as (
    select workspace_id, sum(amount_nano_usd) filter (where account = 'credit') as credit,
      sum(amount_nano_usd) filter (where account = 'owed') as owed
    from ledger_entries group by workspace_id
  )`;

/** How each workspace stands by its ledger entries, its receipts and its credit purse. */
const STANDINGS = `
  ${POSTED},
  charged as (
    select workspace_id, sum(amount) as amount from (
      select workspace_id, sum(charge_nano_usd) as amount from ${RECEIPTS}
      where request_id >= ${SEALED_TO} group by workspace_id
      union all select workspace_id, charge_nano_usd from partition_totals
      join purses on purses.id = purse_id and kind = 'credit'
    ) parts group by workspace_id
  ), standings as (
    select workspaces.id, coalesce(posted.credit, 0) as credit, coalesce(charged.amount, 0) as charges, coalesce(purse.owed_nano_usd, 0) as owed,
      coalesce(limit_nano_usd - spent_nano_usd - owed_nano_usd
        - (select coalesce(sum(charged_nano_usd), 0) from leases where purse_id = purse.id), 0) as balance
    from workspaces
    left join posted on posted.workspace_id = workspaces.id
    left join charged on charged.workspace_id = workspaces.id
    left join purses purse on purse.workspace_id = workspaces.id and purse.kind = 'credit'
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

/** The queries, by the name of what they compare; each holds to the last nano-USD. */
export const CHECKS = {
  /** Of a correction: what it gave is what it gave back to the purses of project and key. */
  correction_purses: `
    with ${POSTING_SUMS}
    select workspace_id, id::text as subject_id, 2 * given as expected,
      (select coalesce(sum(amount_nano_usd), 0) from purse_corrections where posting_id = id) as actual
    from posting_sums where receipt_request_id is not null`,
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
  /** Of a purse: its corrections = corrected. */
  purse_corrected: `
    with sums as (select purse_id, sum(amount_nano_usd) as amount from purse_corrections group by purse_id)
    select workspace_id, id::text as subject_id, coalesce(sums.amount, 0) as expected, corrected_nano_usd as actual
    from purses left join sums on sums.purse_id = purses.id`,
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
  /** Of a purse: opening + charges of its receipts = spent + charges of its leases. */
  purse_spent: `
    with ${CHARGES}, ${LEASE_SUMS}
    select workspace_id, id::text as subject_id, opening_nano_usd + coalesce(charges.amount, 0) as expected,
      spent_nano_usd + coalesce(charged, 0) as actual
    from purses
    left join charges on charges.purse_id = purses.id
    left join lease_sums on lease_sums.purse_id = purses.id`,
  /** Of a receipt: the part of the charge above the hold, or below zero = 0. */
  receipt_charge: `
    select workspace_id, request_id::text as subject_id, 0 as expected,
      greatest(0, charge_nano_usd - hold_nano_usd, -charge_nano_usd) as actual from ${RECEIPTS}`,
  /** Of a corrected receipt: the part of its net charge above the hold, or below zero = 0. */
  receipt_corrected: `
    with ${POSTING_SUMS}, corrections as (
      select workspace_id, receipt_request_id, sum(given) as given from posting_sums
      where receipt_request_id is not null group by workspace_id, receipt_request_id
    )
    select workspace_id, request_id::text as subject_id, 0 as expected,
      greatest(0, given - charge_nano_usd, charge_nano_usd - given - hold_nano_usd) as actual
    from corrections join receipts using (workspace_id) where request_id = receipt_request_id`,
  /** Of receipts: those whose purses don't exist, or aren't the request's own = 0. */
  receipt_purses: `
    select receipts.workspace_id, receipts.request_id::text as subject_id, 3 as expected,
      (credit.id is not null)::int + (project.id is not null)::int + (key.id is not null)::int as actual
    from ${RECEIPTS}
    left join purses credit on credit.id = credit_purse_id and credit.kind = 'credit'
      and credit.subject_id = receipts.workspace_id
    left join purses project on project.id = project_purse_id and project.kind = 'project'
      and project.subject_id = receipts.project_id
    left join purses key on key.id = key_purse_id and key.kind = 'key' and key.subject_id = receipts.key_id`,
  /** Of a purse in a sealed partition that is still there: charges of its receipts = what was sealed. */
  sealed_totals: `
    with counted as (
      select receipts.tableoid::regclass::text as partition, purse_id, sum(charge_nano_usd) as amount
      from ${RECEIPTS} ${PURSES_OF_RECEIPT} where request_id < ${SEALED_TO} group by receipts.tableoid, purse_id
    ), sealed as (
      select partition, purse_id, charge_nano_usd as amount from partition_totals
      join sealed_partitions on name = partition where dropped_at is null
    )
    select purses.workspace_id, partition || '/' || purse_id as subject_id, coalesce(sealed.amount, 0) as expected,
      coalesce(counted.amount, 0) as actual
    from counted full join sealed using (partition, purse_id) left join purses on purses.id = purse_id`,
  /** Of a workspace: credit posted − receipts' charges = balance + owed. */
  workspace_balance: `
    with ${STANDINGS}
    select id as workspace_id, id::text as subject_id, credit - charges as expected, balance + owed as actual
    from standings`,
  /** Of a workspace: what the ledger says is owed = its credit purse's debt. */
  workspace_owed: `
    with ${POSTED}
    select workspaces.id as workspace_id, workspaces.id::text as subject_id, -coalesce(posted.owed, 0) as expected,
      coalesce(owed_nano_usd, 0) as actual
    from workspaces
    left join posted on posted.workspace_id = workspaces.id
    left join purses on purses.workspace_id = workspaces.id and kind = 'credit'`,
} as const;

export type LedgerCheck = keyof typeof CHECKS;

/** What the report says of the whole. */
export const TOTALS = `
  with ${STANDINGS}, open_receipts as (
    select count(*) as receipts, coalesce(sum(write_off_nano_usd), 0) as write_offs from ${RECEIPTS}
    where request_id >= ${SEALED_TO}
  ), sealed_receipts as (
    select coalesce(sum(receipts), 0) as receipts, coalesce(sum(write_off_nano_usd), 0) as write_offs
    from sealed_partitions
  )
  select
    (select count(*) from workspaces) as workspaces, (select count(*) from purses) as purses,
    (select count(*) from ledger_postings) as postings,
    (open_receipts.receipts + sealed_receipts.receipts)::text as receipts,
    (open_receipts.write_offs + sealed_receipts.write_offs)::text as "writeOffs",
    (select coalesce(sum(credit), 0)::text from standings) as credit,
    (select coalesce(sum(charges), 0)::text from standings) as charges,
    (select coalesce(sum(balance), 0)::text from standings) as balance,
    (select coalesce(sum(owed), 0)::text from standings) as owed
  from open_receipts, sealed_receipts`;
