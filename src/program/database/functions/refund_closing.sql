-- Refunds what is left of a workspace that is being closed, and archives it. Returns false as long as any of its credit is
-- leased and not charged, which it calls back, and unless it is being closed.
create or replace function refund_closing(p_workspace uuid, p_actor text) returns boolean language plpgsql as $$
declare
  p purses;
begin
  perform bound_transaction();
  perform from workspaces where id = p_workspace and closing_at is not null and archived_at is null for no key update;
  if not found then
    return false;
  end if;
  select * into p from purses where workspace_id = p_workspace and kind = 'credit' and subject_id = p_workspace
    for no key update;
  -- Leases include what they were charged.
  if p.leased_nano_usd <> (select coalesce(sum(charged_nano_usd), 0) from leases where purse_id = p.id) then
    -- Has processes give back what they lease and don't use.
    insert into changes (kind, subject_id) values ('purse', p.id::text);
    return false;
  end if;
  -- Postings read the clock under the same lock, so those that come later have a later time.
  update workspaces set archived_at = clock_timestamp() where id = p_workspace;
  perform refund_closed(p_workspace, p_actor);
  insert into changes (kind, subject_id) values ('workspace', p_workspace::text);
  return true;
end $$;
