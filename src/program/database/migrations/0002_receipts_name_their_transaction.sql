-- A receipt names the transaction that settled it, so that all receipts of one snapshot can be read in slices, without a
-- snapshot that is held. Null: settled before there was this column, so every snapshot from then on shows it. The default
-- comes in a step of its own, so that no table is rewritten.
alter table receipts add column settled_xid xid8;
alter table receipts alter column settled_xid set default pg_current_xact_id();

-- The working tables of a proof: what one snapshot shows, and what is added up from slices of receipts. Their rows mean
-- nothing once the proof has ended.
create unlogged table proof_totals (
  proof_id uuid primary key,
  postings bigint not null,
  receipts numeric not null,
  write_offs_nano_usd numeric not null
);
create unlogged table proof_workspaces (
  id uuid not null,
  credit_nano_usd numeric not null,
  charges_nano_usd numeric not null,
  balance_nano_usd numeric not null,
  owed_nano_usd numeric not null
);
-- Not unique: a workspace with two purses of credit is for the proof to find.
create index proof_workspaces_id on proof_workspaces (id);
create unlogged table proof_purses (
  id bigint primary key,
  workspace_id uuid not null,
  kind text not null,
  subject_id uuid not null,
  charges_nano_usd numeric not null,
  spent_nano_usd numeric not null
);
create unlogged table proof_sealed_totals (
  partition text not null,
  purse_id bigint not null,
  sealed_nano_usd numeric not null,
  counted_nano_usd numeric not null,
  primary key (partition, purse_id)
);
create unlogged table proof_corrections (
  workspace_id uuid not null,
  request_id uuid not null,
  given_nano_usd numeric not null,
  primary key (workspace_id, request_id)
);

-- The lines of a backup that one snapshot shows, until they are read. They mean nothing once the backup has ended.
create unlogged table backup_lines (
  backup_id uuid not null,
  table_name text not null,
  number bigint not null,
  line text not null,
  primary key (table_name, number)
);
