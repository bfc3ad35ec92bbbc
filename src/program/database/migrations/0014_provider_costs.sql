-- What the providers of routes ask, beside what callers pay, so that the operator sees margins.

-- The cost of a route, as config files have said. A version never changes: it is retired, and another may take its place. The
-- rows of a version have the same route and times; each is for requests of another size.
create table cost_versions (
  model text collate "C" not null,
  provider text collate "C" not null,
  upstream_model text collate "C" not null,
  -- It applies to requests that were admitted from created_at on, before retired_at.
  created_at timestamptz not null,
  retired_at timestamptz,
  -- The input tokens of the requests that the rates are for: from input_from on, below input_to; null: whatever their number.
  input_from integer not null,
  input_to integer,
  -- Nano-USD per million tokens.
  input_rate bigint not null,
  cached_input_rate bigint not null,
  cache_write_5m_rate bigint not null,
  cache_write_1h_rate bigint not null,
  audio_input_rate bigint not null,
  output_rate bigint not null,
  audio_output_rate bigint not null,
  primary key (model, provider, upstream_model, created_at, input_from),
  constraint cost_versions_last check (retired_at > created_at),
  constraint cost_versions_have_sizes check (input_to > input_from)
);
create unique index cost_versions_active on cost_versions (model, provider, upstream_model, input_from)
  where retired_at is null;

-- What requests cost their providers, as far as that is known, and how many requests' costs are known.
alter table usage_hours
  add column cost_nano_usd bigint not null default 0, add column costed_requests bigint not null default 0;
alter table usage_days
  add column cost_nano_usd bigint not null default 0, add column costed_requests bigint not null default 0;
alter table usage_key_hours
  add column cost_nano_usd bigint not null default 0, add column costed_requests bigint not null default 0;
alter table usage_key_days
  add column cost_nano_usd bigint not null default 0, add column costed_requests bigint not null default 0;
alter table usage_key_months
  add column cost_nano_usd bigint not null default 0, add column costed_requests bigint not null default 0;

-- Costs of receipts that are in buckets, added up by a proof, and the same as buckets have it.
alter table proof_workspaces
  add column cost_nano_usd numeric not null default 0,
  add column costed_requests numeric not null default 0,
  add column counted_cost_nano_usd numeric not null default 0,
  add column counted_costed_requests numeric not null default 0;
