-- What goes after its time, and the schedule of it: receipts, audit events, and people who are erased.

-- Of a sealed partition: the file to which its receipts were exported. Without a time, it was not.
alter table sealed_partitions
  add column exported_at timestamptz,
  add column export_file text,
  add column export_sha256 bytea;

alter table audit_chains
  -- Events up to this position were dropped. Their links stay.
  add column dropped_to bigint not null default 0,
  -- The audit event that says so.
  add column dropped_by uuid;

-- Audit events from which a person was erased. Their links keep the digests that they were recorded with.
create table audit_redactions (
  number bigint generated always as identity primary key,
  event_id uuid not null,
  -- Of the event as it is from here on.
  event_sha256 bytea not null,
  -- The audit event that has the digest of all redactions made with this one.
  by_event uuid not null
);
create index audit_redactions_event on audit_redactions (event_id, number);
create index audit_redactions_by on audit_redactions (by_event, number);

create function keep_audit_event() returns trigger language plpgsql as $$ begin raise exception 'only declared'; end $$;
create or replace trigger audit_events_append_only before update or delete on audit_events
  for each row execute function keep_audit_event();
create function keep_posting() returns trigger language plpgsql as $$ begin raise exception 'only declared'; end $$;
create or replace trigger ledger_postings_append_only before update or delete on ledger_postings
  for each row execute function keep_posting();

-- When the person behind an account was erased.
alter table users add column erased_at timestamptz;

-- Work that one process of all does, each time that its turn has come.
create table scheduled_work (
  name text primary key,
  -- The process that is at it, and until when it counts as alive.
  holder uuid,
  held_until timestamptz,
  -- The turn that was done last, what it made, and when it ended.
  done_turn timestamptz,
  outcome jsonb,
  succeeded_at timestamptz,
  -- Why the last attempt since has failed; null: none has.
  problem text,
  failed_at timestamptz
);
