-- Usage by the users who made the keys, by day: added up from buckets of keys, a workspace with very many keys took seconds.
create table usage_member_days (
  workspace_id uuid not null,
  starts_at timestamptz not null,
  -- The user who made the keys; zero for keys that no user made.
  member uuid not null,
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
  cost_nano_usd bigint not null default 0,
  costed_requests bigint not null default 0,
  primary key (workspace_id, starts_at, member, project_id, model, dialect, outcome)
) with (fillfactor = 80);

insert into usage_member_days
  select days.workspace_id, starts_at, coalesce(created_by, '00000000-0000-0000-0000-000000000000'), days.project_id, model,
    dialect, outcome, sum(requests), sum(charge_nano_usd), sum(corrected_nano_usd), sum(write_off_nano_usd),
    sum(input_tokens), sum(cached_input_tokens), sum(cache_write_5m_tokens), sum(cache_write_1h_tokens),
    sum(audio_input_tokens), sum(output_tokens), sum(audio_output_tokens), sum(cost_nano_usd), sum(costed_requests)
  from usage_key_days days join keys on keys.id = key_id
  group by 1, 2, 3, 4, 5, 6, 7;
