-- Refusals of the last day, so that a refused request can be explained by its id. No table is referenced, so that writing
-- them takes no lock on rows that requests need.

create table refusals (
  request_id uuid primary key,
  workspace_id uuid not null,
  project_id uuid not null,
  key_id uuid not null,
  refused_at timestamptz not null,
  code text not null,
  -- Of HTTP.
  status integer not null,
  -- The path of the public API, by name.
  endpoint text,
  -- The model and the field of the request at fault: the first 200 characters of what the caller sent.
  model text,
  param text,
  retry_after_ms bigint,
  -- Which levels did not cover the request, and what would.
  shortage jsonb,
  -- Which rate limit was exceeded, and how the project's limits stood.
  rate jsonb
);
create index refusals_of_workspace on refusals (workspace_id, request_id);

-- How many refusals were not recorded, because there were too many or the database was away.
create table unrecorded_refusals (
  workspace_id uuid not null,
  hour timestamptz not null,
  requests bigint not null,
  primary key (workspace_id, hour)
);
