-- What a project allows keys that members make who manage their own keys alone. Null: no bound.
alter table projects
  -- The largest monthly limit of such a key.
  add column member_key_spend_limit_nano_usd bigint check (member_key_spend_limit_nano_usd >= 0),
  -- How many such keys each member has at most. One that is revoked counts until its month ends.
  add column member_keys_max integer check (member_keys_max > 0);

-- They take or return rows of that table.
drop function if exists update_project(uuid, uuid, jsonb);
drop function if exists apply_budget(projects);
