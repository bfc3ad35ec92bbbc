-- Refunds what is left of a workspace that is being closed, and archives it: what was paid in as a refund, the rest as an
-- adjustment. Returns false as long as any of its credit is leased and not charged, which it calls back, and unless it is being closed.
create or replace function refund_closing(p_workspace uuid, p_refund uuid, p_adjustment uuid, p_actor text) returns boolean
language plpgsql as $$
declare
  c_reason constant text := 'the workspace was closed';
  p purses;
  r posted;
  v_left bigint;
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
  v_left := p.limit_nano_usd - p.spent_nano_usd - p.leased_nano_usd;
  if v_left > 0 then
    r := post_credit(p_refund, p_workspace, 'refund', -v_left, p_actor, c_reason, null, null);
    if r.outcome = 'above_payments' then
      if r.most_nano_usd > 0 then
        perform post_credit(p_refund, p_workspace, 'refund', -r.most_nano_usd, p_actor, c_reason, null, null);
      end if;
      perform post_credit(
        p_adjustment, p_workspace, 'adjustment', -(v_left - r.most_nano_usd), p_actor, c_reason, null, null);
    end if;
  end if;
  update workspaces set archived_at = now() where id = p_workspace;
  insert into changes (kind, subject_id) values ('workspace', p_workspace::text);
  return true;
end $$;
