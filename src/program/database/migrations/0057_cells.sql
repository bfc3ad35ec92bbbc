-- The other cells that this one knows, by their shards. The token is an operator's of that cell, and is encrypted.
create table cells (
  shard text collate "C" primary key check (shard ~ '^[0-9A-Za-z]{2}$'),
  url text not null,
  encrypted_token bytea not null,
  version integer not null default 1,
  added_at timestamptz not null default now()
);
-- The cell in which the workspace lives now; null: in this one.
-- Not valid: no row names one yet.
alter table workspaces add column moved_to text collate "C";
alter table workspaces add constraint workspaces_moved_to_fkey foreign key (moved_to) references cells (shard) not valid;
create index workspaces_moved on workspaces (moved_to) where moved_to is not null;
-- A change of cells reaches each process.
alter table changes drop constraint changes_kind_check;
alter table changes add constraint changes_kind_check
  check (kind in ('workspace', 'project', 'key', 'purse', 'catalogue', 'rate', 'cell')) not valid;
