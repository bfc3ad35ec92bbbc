-- Prices of one workspace: by how much they differ from the list, and the price versions that this makes.

create table price_adjustments (
  workspace_id uuid not null references workspaces (id),
  id uuid not null unique,
  -- Null: for all models that have no adjustment of their own.
  model text,
  -- What is added to each rate of the list price, in hundredths of a percent of it; below zero: a discount.
  basis_points integer not null check (basis_points between -10000 and 90000),
  started_at timestamptz not null default now(),
  -- An adjustment never changes: it is ended, and another one may take its place.
  ended_at timestamptz,
  primary key (workspace_id, id)
);
create unique index price_adjustments_active on price_adjustments (workspace_id, model) nulls not distinct
  where ended_at is null;

alter table price_versions
  -- The workspace that it is for; null: it is the list price. Both count in the same versions of the model.
  add column workspace_id uuid,
  -- The list price that it was made of, and the adjustment that made it.
  add column list_id bigint,
  add column adjustment_id uuid,
  add foreign key (workspace_id, adjustment_id) references price_adjustments (workspace_id, id),
  add constraint price_versions_of_workspaces check (num_nonnulls(workspace_id, list_id, adjustment_id) in (0, 3));
drop index price_versions_active;
create unique index price_versions_active on price_versions (model, workspace_id) nulls not distinct
  where retired_at is null;
create index price_versions_workspace on price_versions (workspace_id, model) where workspace_id is not null;
