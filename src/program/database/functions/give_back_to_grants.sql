-- Gives back what a correction returns of a charge, in the reverse order of charging: to other credit, as far as that was charged
-- since the oldest grant that the charge may have come from, then to these grants, the latest expiry first. A grant that has
-- expired, or came after the receipt, gets nothing; what no grant takes is credit that doesn't expire.
create or replace function give_back_to_grants(p_workspace uuid, p_receipt uuid, p_amount numeric) returns void
language plpgsql as $$
declare
  v_settled timestamptz := (select settled_at from receipts where workspace_id = p_workspace and request_id = p_receipt);
  v_other numeric;
begin
  select least(p_amount, greatest(0, c.other_nano_usd - min(g.other_nano_usd))) into v_other
    from grant_counts c join expiring_grants g on g.workspace_id = c.workspace_id
    where c.workspace_id = p_workspace and g.ended_at is null and g.expires_at > clock_timestamp() and g.given_at < v_settled
    group by c.other_nano_usd;
  if v_other is null then
    return;
  end if;
  update grant_counts set other_nano_usd = other_nano_usd - v_other where workspace_id = p_workspace;
  update expiring_grants g
    set rest_nano_usd = g.rest_nano_usd + least(later.room, p_amount - v_other - later.amount)
    from (
      select posting_id, amount_nano_usd - rest_nano_usd as room,
        sum(amount_nano_usd - rest_nano_usd) over (order by expires_at desc, posting_id desc)
          - (amount_nano_usd - rest_nano_usd) as amount
      from expiring_grants
      where workspace_id = p_workspace and ended_at is null and expires_at > clock_timestamp() and given_at < v_settled
    ) later
    where g.workspace_id = p_workspace and g.posting_id = later.posting_id and later.amount < p_amount - v_other;
end $$;
