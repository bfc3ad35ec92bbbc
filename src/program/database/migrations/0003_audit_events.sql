-- Every change that a person, a program or a job makes to what an instance keeps, written in the transaction that makes it.
-- Rows never change.
create table audit_events (
  id uuid primary key,
  -- Null: it concerns the whole instance, or a user's own account.
  workspace_id uuid references workspaces (id),
  at timestamptz not null default now(),
  actor_kind text not null check (actor_kind in ('operator', 'session', 'access_token', 'job')),
  -- The user; null for operator tokens and jobs.
  user_id uuid,
  -- The user's email address at that time, or the name of the token or job.
  actor_name text not null,
  -- A resource and a verb, such as 'project.update'.
  action text not null,
  target_kind text not null,
  target_id text not null,
  target_name text,
  -- The fields that changed, as they were and as they are. Null: there was nothing before, or is nothing after.
  before jsonb,
  after jsonb,
  -- The caller's network address, and the x-request-id of the request.
  address text,
  request_id uuid
);
-- In the order of their ids, so that a page of a workspace's events is read by index alone.
create index audit_events_workspace on audit_events (workspace_id, id);
create index audit_events_target on audit_events (target_id, id);
create trigger audit_events_append_only before update or delete on audit_events
  for each row execute function ledger_is_append_only();
