-- `release_leases`, whose locks end with it.
create or replace procedure commit_release_leases(
  p_epoch bigint, p_purses bigint[], p_charged bigint[], p_sequences bigint[], p_waits boolean, out free bigint[]
) language plpgsql as $$
begin
  free := array(select release_leases(p_epoch, p_purses, p_charged, p_sequences, p_waits));
  commit;
end $$;
