-- Gives back leases of a fenced epoch: of the purses after `p_after`, in their order, `p_most` at most; with `p_waits` it
-- waits for their locks, briefly. Returns the last of those purses, null if there are no more, and those that are busy.
-- An epoch without leases is reaped.
create or replace function reap_epoch(
  p_epoch bigint, p_after bigint, p_most integer, p_waits boolean, out last_purse bigint, out busy bigint[]
) language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_purses bigint[];
  v_free bigint[];
begin
  perform bound_transaction();
  perform from epochs where id = p_epoch and fenced_at is not null for update;
  if not found then
    raise exception 'epoch % is not fenced', p_epoch;
  end if;
  perform wait_briefly();
  v_purses := array(
    select purse_id from leases where epoch_id = p_epoch and purse_id > p_after order by purse_id limit p_most
  );
  v_free := lock_purses(p_epoch, v_purses, p_waits);
  perform give_back_leases(p_epoch, v_free);
  last_purse := v_purses[cardinality(v_purses)];
  busy := array(select u.purse from unnest(v_purses) as u (purse) except select u.purse from unnest(v_free) as u (purse));
  if not exists (select from leases where epoch_id = p_epoch) then
    update epochs set reaped_at = now(), leases_in_use = null where id = p_epoch and reaped_at is null;
  end if;
end $$;
