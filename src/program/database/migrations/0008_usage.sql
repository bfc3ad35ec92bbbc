-- What was used, added up from receipts: see src/usage/. Hours are counted from receipts; days and months are sums of
-- hours, kept so that long times are read fast. Buckets start at whole hours, days and months in UTC.

-- How far receipts are counted.
create table usage_folding (
  is_only boolean primary key default true check (is_only),
  -- The receipts that this snapshot shows are in the buckets, each once; all others are not.
  folded pg_snapshot not null,
  -- The server whose transactions the snapshot names.
  server bigint not null,
  -- Weeks of receipts whose buckets are still to be made. There are no answers until all are.
  unbuilt integer[] not null
);

create table usage_days (
  workspace_id uuid not null,
  starts_at timestamptz not null,
  project_id uuid not null,
  model text collate "C" not null,
  dialect text collate "C" not null,
  outcome text collate "C" not null,
  requests bigint not null default 0,
  charge_nano_usd bigint not null default 0,
  -- What corrections gave back, or took if negative; counted when they are posted.
  corrected_nano_usd bigint not null default 0,
  write_off_nano_usd bigint not null default 0,
  input_tokens bigint not null default 0,
  cached_input_tokens bigint not null default 0,
  cache_write_5m_tokens bigint not null default 0,
  cache_write_1h_tokens bigint not null default 0,
  audio_input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  audio_output_tokens bigint not null default 0,
  -- Requests by duration, and by the time of their first event: up to 50, 100, 250, 500, 1,000, 2,500, 5,000, 10,000 and
  -- 30,000 ms, and above.
  duration_1 integer not null default 0,
  duration_2 integer not null default 0,
  duration_3 integer not null default 0,
  duration_4 integer not null default 0,
  duration_5 integer not null default 0,
  duration_6 integer not null default 0,
  duration_7 integer not null default 0,
  duration_8 integer not null default 0,
  duration_9 integer not null default 0,
  duration_10 integer not null default 0,
  first_event_1 integer not null default 0,
  first_event_2 integer not null default 0,
  first_event_3 integer not null default 0,
  first_event_4 integer not null default 0,
  first_event_5 integer not null default 0,
  first_event_6 integer not null default 0,
  first_event_7 integer not null default 0,
  first_event_8 integer not null default 0,
  first_event_9 integer not null default 0,
  first_event_10 integer not null default 0,
  primary key (workspace_id, starts_at, project_id, model, dialect, outcome)
);

create table usage_hours (
  like usage_days including defaults,
  -- Of the receipts' ids, by which they are sealed and dropped: the number of weeks since Monday, 29 December 1969.
  week integer not null,
  primary key (workspace_id, starts_at, project_id, model, dialect, outcome, week)
);

-- The same by key, without histograms. A key's project never changes.
create table usage_key_days (
  workspace_id uuid not null,
  starts_at timestamptz not null,
  key_id uuid not null,
  project_id uuid not null,
  model text collate "C" not null,
  dialect text collate "C" not null,
  outcome text collate "C" not null,
  requests bigint not null default 0,
  charge_nano_usd bigint not null default 0,
  corrected_nano_usd bigint not null default 0,
  write_off_nano_usd bigint not null default 0,
  input_tokens bigint not null default 0,
  cached_input_tokens bigint not null default 0,
  cache_write_5m_tokens bigint not null default 0,
  cache_write_1h_tokens bigint not null default 0,
  audio_input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  audio_output_tokens bigint not null default 0,
  primary key (workspace_id, starts_at, key_id, model, dialect, outcome)
);

create table usage_key_hours (
  like usage_key_days including defaults,
  week integer not null,
  -- When the last of these requests was admitted; null: there are corrections alone.
  last_used_at timestamptz,
  primary key (workspace_id, starts_at, key_id, model, dialect, outcome, week)
);

create table usage_key_months (
  workspace_id uuid not null,
  starts_at timestamptz not null,
  key_id uuid not null,
  project_id uuid not null,
  requests bigint not null default 0,
  charge_nano_usd bigint not null default 0,
  corrected_nano_usd bigint not null default 0,
  write_off_nano_usd bigint not null default 0,
  input_tokens bigint not null default 0,
  cached_input_tokens bigint not null default 0,
  cache_write_5m_tokens bigint not null default 0,
  cache_write_1h_tokens bigint not null default 0,
  audio_input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  audio_output_tokens bigint not null default 0,
  last_used_at timestamptz,
  primary key (workspace_id, starts_at, key_id)
);

-- Finds the receipts that are not counted yet, which are the newest. No type that xid8 can be cast to has a BRIN operator
-- class; its bytes, the most significant first, have one and sort as it does. Ranges are summarized once they are full,
-- so a settlement writes nothing to the index.
create index receipts_settled on receipts using brin (xid8send(settled_xid))
  with (pages_per_range = 64, autosummarize = on);
