-- When each key was last used, as far as its receipts are counted: one narrow row a key, so that a list of very many keys can
-- be sorted by it, and changed in place, as no index has the time.
create table usage_keys (
  workspace_id uuid not null,
  key_id uuid not null,
  last_used_at timestamptz not null,
  primary key (workspace_id, key_id)
) with (fillfactor = 70);

insert into usage_keys (workspace_id, key_id, last_used_at)
  select workspace_id, key_id, max(last_used_at) from usage_key_months
  where last_used_at is not null group by workspace_id, key_id;

alter table usage_key_months drop column last_used_at;
