-- Follows a posting in the grants that expire: counts what was charged before it, adds the grant that it is, and takes from grants
-- what a debit takes beyond all other credit. p_credit is what it added to the credit, p_left the credit after it that is not
-- charged. The caller has locked the purse.
create or replace function share_posting(
  p_workspace uuid, p_posting uuid, p_charged numeric, p_credit numeric, p_left numeric, p_expires timestamptz, p_receipt uuid
) returns void language plpgsql as $$
begin
  perform count_grants(p_workspace, p_charged);
  if p_expires is not null then
    insert into expiring_grants (
      workspace_id, posting_id, expires_at, given_at, amount_nano_usd, rest_nano_usd, other_nano_usd
    )
      select p_workspace, p_posting, p_expires, clock_timestamp(), p_credit, p_credit, other_nano_usd
      from grant_counts where workspace_id = p_workspace;
  elsif p_receipt is not null and p_credit > 0 then
    perform give_back_to_grants(p_workspace, p_receipt, p_credit);
  elsif p_receipt is not null then
    perform take_from_grants(p_workspace, -p_credit);
  end if;
  perform take_from_grants(p_workspace, (
    select coalesce(sum(rest_nano_usd), 0) from expiring_grants where workspace_id = p_workspace and ended_at is null
  ) - p_left);
end $$;
