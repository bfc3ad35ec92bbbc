-- Takes an amount from what is left of a workspace's grants that expire, the earliest expiry first. Returns what they lack.
-- The caller has locked the purse.
create or replace function take_from_grants(p_workspace uuid, p_amount numeric) returns numeric language plpgsql as $$
declare
  v_all numeric;
begin
  if p_amount <= 0 then
    return 0;
  end if;
  select coalesce(sum(rest_nano_usd), 0) into v_all from expiring_grants where workspace_id = p_workspace and ended_at is null;
  update expiring_grants g
    set rest_nano_usd = g.rest_nano_usd - least(g.rest_nano_usd, p_amount - earlier.amount)
    from (
      select posting_id, sum(rest_nano_usd) over (order by expires_at, posting_id) - rest_nano_usd as amount
      from expiring_grants where workspace_id = p_workspace and ended_at is null
    ) earlier
    where g.workspace_id = p_workspace and g.posting_id = earlier.posting_id and earlier.amount < p_amount and g.rest_nano_usd > 0;
  return greatest(0, p_amount - v_all);
end $$;
