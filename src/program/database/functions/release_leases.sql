-- Closes leases of a live epoch whose charges are all settled: `p_charged` is what the process has charged to each,
-- `p_sequences` the number of the last draw. A lease with another sum or number stays as it is: it follows the one that is
-- meant, and this statement comes late. Returns the purses whose leases were free to be closed; others are busy.
create or replace function release_leases(
  p_epoch bigint, p_purses bigint[], p_charged bigint[], p_sequences bigint[], p_waits boolean
) returns setof bigint
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_free bigint[];
begin
  perform require_live_epoch(p_epoch);
  perform wait_briefly();
  v_free := lock_purses(p_epoch, p_purses, p_waits);
  perform give_back_leases(p_epoch, array(
    select q.purse from unnest(p_purses, p_charged, p_sequences) as q (purse, charged, sequence)
    join unnest(v_free) as free (purse) on free.purse = q.purse
    cross join lateral (select * from leases x where x.epoch_id = p_epoch and x.purse_id = q.purse offset 0) l
    where l.charged_nano_usd = q.charged and l.sequence = q.sequence
  ));
  return query select unnest(v_free);
end $$;
