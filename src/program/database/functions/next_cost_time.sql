-- When costs that this transaction writes come into force: after all receipts were admitted that usage has counted, and after
-- all other costs did. So receipts that are counted again have the same costs. Takes the turn of counting until the
-- transaction ends. See src/control/usage/folding.ts.
create or replace function next_cost_time() returns timestamptz language plpgsql as $$
begin
  perform pg_advisory_xact_lock(lock_number(4611220105103825));
  return greatest(
    clock_timestamp(),
    (select max(last_used_at) from usage_keys) + interval '1 microsecond',
    (select max(created_at) from cost_versions) + interval '1 microsecond');
end $$;
