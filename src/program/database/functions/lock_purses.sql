-- Locks purses, and the epoch's leases of them, and returns those that are locked now, in the order of locks. Those that
-- another transaction has locked are passed over; with `p_waits` their locks are waited for, briefly.
create or replace function lock_purses(p_epoch bigint, p_purses bigint[], p_waits boolean) returns bigint[]
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  if p_waits then
    perform from (select * from unnest(p_purses) as u (purse) order by purse) q cross join lateral (
      select from leases l where l.epoch_id = p_epoch and l.purse_id = q.purse for update
    ) l;
    perform from (select * from unnest(p_purses) as u (purse) order by purse) q cross join lateral (
      select from purses p where p.id = q.purse for no key update
    ) p;
  end if;
  return array(
    select q.purse from (
      select u.purse from unnest(p_purses) as u (purse)
      left join lateral (
        select true as is_locked from leases l where l.epoch_id = p_epoch and l.purse_id = u.purse for update skip locked
      ) l on true
      where l.is_locked
        or not exists (select from leases x where x.epoch_id = p_epoch and x.purse_id = u.purse offset 0)
      offset 0
    ) q
    cross join lateral (select from purses p where p.id = q.purse for no key update skip locked) p
    order by q.purse
  );
end $$;
