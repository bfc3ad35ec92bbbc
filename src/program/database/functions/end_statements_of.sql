-- Ends the connections that keep an epoch from being fenced: their statements have run, or can't end, and their process may
-- stand still for good. Returns how many; none if this role may not.
create or replace function end_statements_of(p_epoch bigint) returns integer language plpgsql as $$
declare
  v_waiting integer[];
begin
  v_waiting := array(
    select l.pid from epochs e join pg_locks l on l.locktype = 'tuple' and l.relation = 'epochs'::regclass
      and l.database = (select oid from pg_database where datname = current_database())
      and format('(%s,%s)', l.page, l.tuple)::tid = e.ctid
    where e.id = p_epoch
  );
  return (
    select count(*) filter (where pg_terminate_backend(pid))
    from (select distinct unnest(pg_blocking_pids(waiting)) as pid from unnest(v_waiting) as waiting) blocking
    where pid <> all (v_waiting)
  );
exception when insufficient_privilege then
  return 0;
end $$;
