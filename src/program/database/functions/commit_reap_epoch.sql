-- `reap_epoch`, whose locks end with it, where the epoch is fenced.
create or replace procedure commit_reap_epoch(
  p_epoch bigint, p_after bigint, p_most integer, p_waits boolean, out last_purse bigint, out busy bigint[]
) language plpgsql as $$
begin
  select r.last_purse, r.busy into last_purse, busy
    from epochs cross join lateral reap_epoch(id, p_after, p_most, p_waits) r
    where id = p_epoch and fenced_at is not null;
  commit;
end $$;
