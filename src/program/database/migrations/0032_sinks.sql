-- What workspaces have delivered to the sinks of the config file, by the sinks' names.
create table workspace_sinks (
  workspace_id uuid not null references workspaces,
  sink text not null,
  -- Kinds of records; none: nothing is delivered.
  records text[] not null,
  -- Of 100 requests, how many have their prompts and answers delivered.
  sample_percent integer not null,
  -- What is taken out of prompts and answers.
  redact text[] not null,
  version integer not null default 1,
  changed_at timestamptz not null default now(),
  -- Receipts that this snapshot shows are delivered, or from before they were asked for; null: as the sink's.
  receipts_from pg_snapshot,
  -- The last audit event of the workspace's chain that is delivered, or from before they were asked for.
  audit_position bigint not null,
  -- Records that were dropped instead of delivered, since the beginning.
  lost_records bigint not null default 0,
  last_lost_at timestamptz,
  primary key (workspace_id, sink)
);

-- Sinks that receipts and audit events are delivered to.
create table sink_progress (
  sink text primary key,
  -- The server whose transactions the snapshots are about.
  server bigint not null,
  -- Receipts that this snapshot shows are delivered, of workspaces that have no snapshot of their own.
  delivered pg_snapshot not null,
  -- The process that delivers, and until when no other does.
  holder uuid,
  held_until timestamptz,
  -- Since when it fails, and why; null: it doesn't.
  failing_since timestamptz,
  fault text
);
