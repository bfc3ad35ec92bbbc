-- Makes an automatic top-up of a workspace if it wants one now: its balance is below its threshold, none is under way, the
-- month has room for it, and the last failure is an hour ago. Answers whether it did. The lock keeps one that is paid at the same
-- time from being seen as neither under way nor in the balance.
create or replace function begin_auto_top_up(
  p_workspace uuid, p_id uuid, p_amount bigint, p_fee bigint
) returns boolean language plpgsql as $$
declare
  s payment_settings;
  v_balance numeric;
  v_month numeric;
begin
  perform bound_transaction();
  select * into s from payment_settings where workspace_id = p_workspace for no key update;
  if not found or not s.auto_enabled or s.auto_stop is not null or s.customer_reference is null
      or s.auto_amount_nano_usd <> p_amount or s.auto_failed_at > now() - interval '1 hour'
      or exists (select from workspaces where id = p_workspace and num_nonnulls(closing_at, archived_at, paused_at, moved_to) > 0) then
    return false;
  end if;
  perform from top_ups where workspace_id = p_workspace and origin = 'auto' and state in ('pending', 'processing');
  if found then
    return false;
  end if;
  select p.limit_nano_usd - p.spent_nano_usd - p.owed_nano_usd
      - (select coalesce(sum(l.charged_nano_usd), 0) from leases l where l.purse_id = p.id) into v_balance
    from purses p where p.workspace_id = p_workspace and p.kind = 'credit';
  select coalesce(sum(amount_nano_usd + fee_nano_usd), 0) into v_month from top_ups
    where workspace_id = p_workspace and origin = 'auto' and state in ('pending', 'processing', 'paid')
      and created_at >= date_trunc('month', now() at time zone 'UTC') at time zone 'UTC';
  if v_balance >= s.auto_threshold_nano_usd or v_month + p_amount + p_fee > s.auto_month_max_nano_usd then
    return false;
  end if;
  insert into top_ups (workspace_id, id, provider, origin, amount_nano_usd, fee_nano_usd, actor)
    values (p_workspace, p_id, s.provider, 'auto', p_amount, p_fee, 'auto top-up');
  return true;
end $$;
