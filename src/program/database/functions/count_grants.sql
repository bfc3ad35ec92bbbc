-- Counts the charges of a workspace, up to this total, against its grants that expire. Charges between two changes of the grants
-- meet the same grants in the same order, so their sum says what is left of each. The caller has locked the purse.
create or replace function count_grants(p_workspace uuid, p_charged numeric) returns void language plpgsql as $$
declare
  c grant_counts;
  v_other numeric;
begin
  insert into grant_counts (workspace_id, charged_nano_usd, other_nano_usd) values (p_workspace, p_charged, 0)
    on conflict (workspace_id) do nothing;
  select * into c from grant_counts where workspace_id = p_workspace;
  v_other := take_from_grants(p_workspace, p_charged - c.charged_nano_usd);
  update grant_counts set charged_nano_usd = p_charged, other_nano_usd = c.other_nano_usd + v_other
    where workspace_id = p_workspace and charged_nano_usd < p_charged;
end $$;
