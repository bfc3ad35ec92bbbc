-- Workspaces that are suspended or being closed; keys that are disabled, rotated, described and made by somebody; and versions,
-- by which two people who edit the same thing notice each other.

create function count_version() returns trigger language plpgsql as $$ begin raise exception 'only declared'; end $$;

alter table workspaces
  add column version integer not null default 1,
  -- Its keys are refused while this is set, with the reason.
  add column suspended_at timestamptz,
  add column suspension_reason text,
  -- Its keys have ended for good. It is archived once all its leases are back and its credit is refunded.
  add column closing_at timestamptz,
  add constraint workspaces_suspended_for_a_reason check ((suspended_at is null) = (suspension_reason is null));
create trigger workspaces_version before update on workspaces for each row execute function count_version();
create index workspaces_closing on workspaces (closing_at) where closing_at is not null and archived_at is null;

alter table projects add column version integer not null default 1;
create trigger projects_version before update on projects for each row execute function count_version();

alter table keys
  add column version integer not null default 1,
  add column disabled_at timestamptz,
  -- What its holders note about it, for themselves: names and texts.
  add column metadata jsonb not null default '{}',
  -- The user who made it; null: the operator, or the first start.
  add column created_by uuid;
create trigger keys_version before update on keys for each row execute function count_version();

-- The secrets that keys had before they were rotated, for as long as they still open the key.
create table former_secrets (
  workspace_id uuid not null,
  key_id uuid not null,
  public_id text not null unique,
  last_four text not null,
  secret_sha256 bytea not null unique,
  expires_at timestamptz not null,
  -- A key has one former secret at most.
  primary key (workspace_id, key_id),
  foreign key (workspace_id, key_id) references keys (workspace_id, id)
);

-- Creations under a name that the caller gave, so that a repeat within 24 hours creates nothing.
create table creations (
  -- The workspace; the nil UUID for what belongs to the instance.
  scope_id uuid not null,
  once text not null,
  kind text not null,
  request_sha256 bytea not null,
  target_id text not null,
  created_at timestamptz not null default now(),
  primary key (scope_id, once)
);
create index creations_created on creations (created_at);
