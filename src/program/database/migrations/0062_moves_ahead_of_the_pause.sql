-- How far the copy of a move has come, as src/control/moves/move-progress.ts has it; how many rows there are to send; and since when
-- the workspace has been paused.
alter table workspace_moves add column progress jsonb not null default '{}';
alter table workspace_moves add column paused_at timestamptz;
alter table workspace_moves add column rows_expected bigint not null default 0;
alter table workspace_moves drop column copied;
alter table workspace_moves drop column copied_to;

-- Rows of a workspace that moves, as of one moment, until they are sent.
create unlogged table departing_rows (
  workspace_id uuid not null,
  number bigint generated always as identity,
  table_name text not null,
  key text not null,
  row text not null,
  primary key (workspace_id, number)
);

-- What has been counted of the receipts of a workspace that arrives, with each that landed.
alter table arrivals add column receipts bigint not null default 0;
alter table arrivals add column charges_nano_usd numeric not null default 0;
alter table arrivals add column write_offs_nano_usd numeric not null default 0;
