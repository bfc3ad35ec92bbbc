-- Keys of the console: those under which a member's requests from the playground are charged. Their secret was thrown away when
-- they were made, so that only the member's session or access token leads to one.

alter table keys
  add column kind text not null default 'api',
  add constraint keys_kind_check check (kind in ('api', 'console'));

-- A member has one in each project. The operator's tokens belong to no user, and share one.
create unique index keys_console on keys (workspace_id, project_id, created_by) nulls not distinct
  where kind = 'console' and revoked_at is null;
