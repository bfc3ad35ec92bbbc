-- Members may have a limit a month, over all keys that they have made; a workspace, one for those who join; null: none. What is spent
-- of it is in a purse of the limit. A limit outlives the membership, because keys may do so.
create table member_limits (
  workspace_id uuid not null references workspaces (id),
  user_id uuid not null,
  id uuid not null default gen_random_uuid() unique,
  monthly_limit_nano_usd bigint check (monthly_limit_nano_usd >= 0),
  primary key (workspace_id, user_id)
);

-- Null: none.
alter table workspaces add column member_monthly_limit_nano_usd bigint;

-- The purse of the key's maker that the receipt charges; null: the maker had no limit.
alter table receipts add column member_purse_id bigint;

-- Not valid: rows that are there meet it, and are not read for it.
alter table purses drop constraint purses_kind_check;
alter table purses add constraint purses_kind_check check (kind in ('credit', 'project', 'member', 'key')) not valid;
