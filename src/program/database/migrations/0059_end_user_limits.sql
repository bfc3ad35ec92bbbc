-- Single end users of a project with limits of their own, which hold in the place of the project's for each. The id is the subject of
-- their purses, a digest of project and name; the name is what requests say, and goes with the row. Null: no limit. A raise is as
-- that of other limits.
create table end_user_limits (
  workspace_id uuid not null,
  project_id uuid not null,
  id uuid not null,
  name text not null check (octet_length(name) between 1 and 512),
  limit_nano_usd bigint check (limit_nano_usd >= 0),
  raised_limit_nano_usd bigint,
  raised_until timestamptz,
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  foreign key (workspace_id, project_id) references projects (workspace_id, id)
);
