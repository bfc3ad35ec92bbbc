-- Since when the workspace is paused, because it moves to another cell: nothing of it changes, and nothing is spent.
alter table workspaces add column paused_at timestamptz;
-- Whether nothing more is leased from the purse: that of the credit of a workspace that is paused, or lives in another cell.
alter table purses add column shut boolean not null default false;

-- The last move of each workspace from this cell to another one. copied: the receipts that were sent, by the transactions that settled
-- them; copied_to: the last of those from before that. paused_xid: the transaction that paused the workspace. figures: what was counted in
-- both cells when it moved; sealed_receipts and sealed_write_off_nano_usd: of the receipts that came along, those that were sealed here,
-- which the proof counts by weeks.
create table workspace_moves (
  workspace_id uuid primary key references workspaces,
  id uuid not null,
  shard text not null,
  state text not null check (state in ('copying', 'paused', 'moved', 'returning', 'ended', 'returned')),
  wait_ms integer not null check (wait_ms > 0),
  actor text not null,
  begun_at timestamptz not null default now(),
  copied pg_snapshot,
  copied_to uuid,
  rows bigint not null default 0,
  paused_xid xid8,
  figures jsonb,
  moved_at timestamptz,
  sealed_receipts bigint not null default 0,
  sealed_write_off_nano_usd numeric not null default 0,
  ended_at timestamptz,
  problem text,
  holder uuid,
  held_until timestamptz
);
create index workspace_moves_open on workspace_moves (begun_at) where state not in ('ended', 'returned');

-- Workspaces that are arriving from other cells, and what has arrived of each, in the order of its numbers. prices: ids of prices by those
-- of the other cell.
create table arrivals (
  workspace_id uuid primary key,
  move_id uuid not null,
  shard text not null,
  state text not null check (state in ('arriving', 'landed', 'open')),
  prices jsonb not null default '{}',
  begun_at timestamptz not null default now()
);
create table arriving_rows (
  workspace_id uuid not null references arrivals on delete cascade,
  table_name text not null,
  key text not null,
  number bigint generated always as identity,
  row jsonb not null,
  primary key (workspace_id, table_name, key)
);

-- Keeps what is copied from being changed between its copy and the end of the move.
create function keep_paused() returns trigger language plpgsql as $$ begin raise exception 'only declared'; end $$;
do $$
declare
  t text;
begin
  foreach t in array array[
    'alert_rules', 'audit_events', 'directories', 'directory_group_members', 'directory_groups', 'directory_leavers',
    'directory_users', 'end_user_limits', 'expiring_grants', 'former_secrets', 'grant_counts', 'invitations', 'keys', 'ledger_postings',
    'member_limits', 'members', 'payment_reversals', 'payment_settings', 'price_adjustments', 'projects', 'recurring_grants',
    'top_ups', 'webhook_endpoints', 'workspace_access', 'workspace_domains', 'workspace_sinks'
  ] loop
    execute format('create trigger %1$s_paused before insert or update or delete on %1$s for each row execute function keep_paused()', t);
  end loop;
end $$;
create trigger workspaces_paused before update on workspaces for each row execute function keep_paused();
create trigger access_tokens_paused before insert or delete or update of revoked_at, scopes, name on access_tokens
  for each row execute function keep_paused();
-- Whether the workspace lives in this cell, so that the sums count it.
alter table proof_workspaces add column is_here boolean not null default true;
