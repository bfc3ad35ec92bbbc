-- Postings by hand, once each; corrections of receipts; the record of proofs.

-- number          the order in which postings moved their purse; times don't tell, as transactions wait for each other
-- balance_nano_usd  the workspace's balance that it led to
-- once            a caller's name for the posting, under which it is made only once
-- receipt_request_id  the receipt that it corrects
alter table ledger_postings
  add column number bigint generated always as identity,
  add column balance_nano_usd bigint not null default 0,
  add column once text,
  add column receipt_request_id uuid,
  add constraint ledger_postings_corrections_adjust check (receipt_request_id is null or kind = 'adjustment');
alter table ledger_postings alter column balance_nano_usd drop default;
-- Of older postings: what was posted until then less what was charged until then.
alter table ledger_postings disable trigger ledger_postings_append_only;
update ledger_postings posting set balance_nano_usd =
  (select sum(amount_nano_usd)::bigint from ledger_entries entry join ledger_postings earlier on earlier.id = posting_id
   where earlier.workspace_id = posting.workspace_id and earlier.number <= posting.number
     and account in ('credit', 'owed'))
  - (select coalesce(sum(charge_nano_usd), 0)::bigint from receipts
     where receipts.workspace_id = posting.workspace_id and settled_at <= posting.posted_at);
alter table ledger_postings enable trigger ledger_postings_append_only;
create unique index ledger_postings_number on ledger_postings (workspace_id, number);
create unique index ledger_postings_once on ledger_postings (workspace_id, once) where once is not null;
create index ledger_postings_receipt on ledger_postings (workspace_id, receipt_request_id)
  where receipt_request_id is not null;
drop index ledger_postings_workspace;

-- What corrections of receipts gave back to a purse, or took from it where negative. The receipts' charges stay in
-- spent; used = spent − corrected. Credit purses have none: there a correction moves the limit.
alter table purses add column corrected_nano_usd bigint not null default 0;

create table purse_corrections (
  posting_id uuid not null references ledger_postings (id),
  purse_id bigint not null references purses (id),
  amount_nano_usd bigint not null check (amount_nano_usd <> 0),
  primary key (posting_id, purse_id)
);
create index purse_corrections_purse on purse_corrections (purse_id);
create trigger purse_corrections_append_only before update or delete on purse_corrections
  for each statement execute function ledger_is_append_only();

-- Proofs of the whole ledger, by the nightly job and by people.
create table ledger_verifications (
  id bigint generated always as identity primary key,
  -- The night whose proof it is; null where somebody asked for it.
  night timestamptz unique,
  started_at timestamptz not null,
  finished_at timestamptz not null default clock_timestamp(),
  difference_count bigint not null,
  -- The first differences, as the report names them.
  differences jsonb not null
);
create index ledger_verifications_started on ledger_verifications (started_at);

-- Receipts partitions that take no more rows. Their totals stand for them in every proof, so that they may be dropped.
create table sealed_partitions (
  name text primary key,
  from_id uuid not null,
  -- No receipt with an id below this is taken any more.
  up_to uuid not null,
  receipts bigint not null,
  write_off_nano_usd numeric not null,
  sealed_at timestamptz not null default now(),
  dropped_at timestamptz
);
create unique index sealed_partitions_up_to on sealed_partitions (up_to);

create table partition_totals (
  partition text not null references sealed_partitions (name),
  purse_id bigint not null references purses (id),
  receipts bigint not null,
  charge_nano_usd numeric not null,
  primary key (partition, purse_id)
);
create index partition_totals_purse on partition_totals (purse_id);

create function receipts_are_sealed() returns trigger language plpgsql as $$
begin
  raise exception 'the receipts of % are sealed', tg_table_name using errcode = 'check_violation';
end $$;
