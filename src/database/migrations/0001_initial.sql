-- Amounts are whole nano-USD. Times are timestamptz, windows UTC.

-- One life of one process. A fenced epoch may not move money any more.
create table epochs (
  id bigint generated always as identity primary key,
  instance_id uuid not null,
  process_name text not null,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now(),
  fenced_at timestamptz,
  reaped_at timestamptz
);
create index epochs_unreaped on epochs (instance_id) where reaped_at is null;

create table workspaces (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null default now(),
  archived_at timestamptz
);
create unique index workspaces_name on workspaces (name) where archived_at is null;

create table projects (
  workspace_id uuid not null references workspaces (id),
  id uuid not null unique,
  name text not null,
  requests_per_minute integer check (requests_per_minute > 0),
  tokens_per_minute bigint check (tokens_per_minute > 0),
  concurrency integer check (concurrency > 0),
  budget_nano_usd bigint check (budget_nano_usd >= 0),
  budget_period text not null default 'month' check (budget_period in ('day', 'week', 'month', 'never')),
  models text[],
  created_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (workspace_id, id)
);
create unique index projects_name on projects (workspace_id, name) where archived_at is null;

create table keys (
  workspace_id uuid not null,
  id uuid not null unique,
  project_id uuid not null,
  name text not null,
  public_id text not null unique,
  last_four text not null,
  secret_sha256 bytea not null unique,
  spend_limit_nano_usd bigint check (spend_limit_nano_usd >= 0),
  models text[],
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, project_id) references projects (workspace_id, id)
);
create index keys_project on keys (workspace_id, project_id);

-- One bounded amount. available = limit − spent − leased.
--   limit_nano_usd   null: unlimited. Of a credit purse: all credit ever posted.
--   spent_nano_usd   what it opened with, and the charges of leases that are gone
--   leased_nano_usd  the grants of live closed leases, their charges included
--   owed_nano_usd    what disputes and corrections took beyond the credit
--   mode             wet: slices are leased ahead of need; dry: exactly what is needed
create table purses (
  id bigint generated always as identity primary key,
  workspace_id uuid not null references workspaces (id),
  kind text not null check (kind in ('credit', 'project', 'key')),
  subject_id uuid not null,
  period text not null check (period in ('day', 'week', 'month', 'never')),
  window_start timestamptz not null,
  window_end timestamptz,
  limit_nano_usd bigint,
  opening_nano_usd bigint not null default 0,
  spent_nano_usd bigint not null default 0,
  leased_nano_usd bigint not null default 0,
  owed_nano_usd bigint not null default 0 check (owed_nano_usd >= 0),
  mode text not null default 'wet' check (mode in ('wet', 'dry')),
  mode_number bigint not null default 1,
  unique (workspace_id, kind, subject_id, period, window_start),
  constraint purses_spent_not_negative check (spent_nano_usd >= 0 and leased_nano_usd >= 0),
  constraint purses_credit_is_limited check (kind <> 'credit' or limit_nano_usd is not null),
  constraint purses_credit_never_overdrawn
    check (kind <> 'credit' or spent_nano_usd + leased_nano_usd <= limit_nano_usd)
);

-- A slice of a purse that one epoch has drawn.
--   granted_nano_usd      all it was ever given, less what it returned; charges are inside it
--   charged_nano_usd      what settled receipts have taken
--   open                  the purse had no limit when it was drawn: no bound, not part of the purse's leased
--   sequence              number of the last draw or return applied, so that a repeat changes nothing
--   mode_acknowledged     the purse's mode number for which this lease has given its slack back
create table leases (
  epoch_id bigint not null references epochs (id),
  purse_id bigint not null references purses (id),
  granted_nano_usd bigint not null default 0,
  charged_nano_usd bigint not null default 0,
  open boolean not null default false,
  sequence bigint not null default 0,
  mode_acknowledged bigint not null default 0,
  primary key (epoch_id, purse_id),
  constraint leases_charged_within_grant
    check (charged_nano_usd >= 0 and granted_nano_usd >= 0 and (open or charged_nano_usd <= granted_nano_usd))
);
create index leases_purse on leases (purse_id);

-- Token buckets, kept once for all processes.
create table rate_buckets (
  workspace_id uuid not null,
  project_id uuid not null,
  kind text not null check (kind in ('requests', 'tokens')),
  level double precision not null,
  refilled_at timestamptz not null,
  primary key (workspace_id, project_id, kind)
);

-- Terms on which a model is sold. A row never changes; receipts point at the one that applied.
create table price_versions (
  id bigint generated always as identity primary key,
  model text not null,
  version integer not null,
  terms jsonb not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  unique (model, version)
);
create unique index price_versions_active on price_versions (model) where retired_at is null;

-- One row for each request that reached an attempt. request_id is a UUIDv7, so partitions go by its time.
create table receipts (
  workspace_id uuid not null,
  request_id uuid not null,
  project_id uuid not null,
  key_id uuid not null,
  epoch_id bigint not null,
  credit_purse_id bigint not null,
  project_purse_id bigint not null,
  key_purse_id bigint not null,
  model text not null,
  price_version_id bigint not null,
  outcome text not null,
  charge_nano_usd bigint not null check (charge_nano_usd >= 0),
  hold_nano_usd bigint not null check (hold_nano_usd >= charge_nano_usd),
  write_off_nano_usd bigint not null check (write_off_nano_usd >= 0),
  usage_certainty text not null check (usage_certainty in ('exact', 'estimated')),
  input_tokens integer not null,
  cached_input_tokens integer not null,
  cache_write_5m_tokens integer not null,
  cache_write_1h_tokens integer not null,
  audio_input_tokens integer not null,
  output_tokens integer not null,
  audio_output_tokens integer not null,
  shortened_to_tokens integer,
  streamed boolean not null,
  admitted_at timestamptz not null,
  duration_ms integer not null,
  first_event_ms integer,
  attempts jsonb not null,
  client_request_id text,
  settled_at timestamptz not null default now(),
  primary key (workspace_id, request_id)
) partition by range (request_id);
-- Holds rows whose own partition is missing, so that no charge is lost for want of one.
create table receipts_default partition of receipts default;

-- Double entry: what comes and goes by hand. Each posting has lines that sum to zero.
create table ledger_postings (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  kind text not null check (kind in ('top_up', 'grant', 'refund', 'dispute', 'adjustment')),
  actor text not null,
  reason text not null,
  posted_at timestamptz not null default now()
);
create index ledger_postings_workspace on ledger_postings (workspace_id, posted_at);

create table ledger_entries (
  workspace_id uuid not null,
  posting_id uuid not null references ledger_postings (id),
  account text not null check (account in ('credit', 'owed', 'payments', 'promotions', 'adjustments')),
  amount_nano_usd bigint not null check (amount_nano_usd <> 0),
  primary key (posting_id, account)
);
create index ledger_entries_workspace on ledger_entries (workspace_id);

create function ledger_posting_balances() returns trigger language plpgsql as $$
begin
  if (select sum(amount_nano_usd) from ledger_entries where posting_id = new.posting_id) <> 0 then
    raise exception 'ledger posting % does not balance', new.posting_id;
  end if;
  return null;
end $$;
create constraint trigger ledger_entries_balance after insert on ledger_entries
  deferrable initially deferred for each row execute function ledger_posting_balances();

create function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger ledger_postings_append_only before update or delete on ledger_postings
  for each statement execute function ledger_is_append_only();
create trigger ledger_entries_append_only before update or delete on ledger_entries
  for each statement execute function ledger_is_append_only();

-- What processes must know within a second. Read by transaction horizon, so that a late commit isn't missed.
create table changes (
  id bigint generated always as identity primary key,
  transaction_id xid8 not null default pg_current_xact_id(),
  kind text not null check (kind in ('workspace', 'project', 'key', 'purse', 'catalogue')),
  subject_id text not null,
  changed_at timestamptz not null default now()
);
create index changes_transaction on changes (transaction_id);
