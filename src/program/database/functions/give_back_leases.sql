-- Gives back an epoch's leases of these purses, which the caller has locked.
create or replace function give_back_leases(p_epoch bigint, p_purses bigint[]) returns void
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  with gone as (
    delete from leases l using (select p_epoch as epoch, u.purse from unnest(p_purses) as u (purse) offset 0) q
    where l.epoch_id = any (array[q.epoch]) and l.purse_id = any (array[q.purse])
    returning l.purse_id, l.granted_nano_usd, l.charged_nano_usd, l.open
  )
  update purses p set
    spent_nano_usd = p.spent_nano_usd + g.charged_nano_usd,
    leased_nano_usd = p.leased_nano_usd - case when g.open then 0 else g.granted_nano_usd end
  from gone g where p.id = any (array[g.purse_id]);
end $$;
