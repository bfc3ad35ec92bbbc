-- Statements that move money begin with this. It takes the epoch's row, still live, or raises FG001; fencing takes the same
-- row exclusively, so a fenced process changes nothing. Locks are taken in one order: epoch, key or project, leases, purses,
-- each by their ids. Purses are locked FOR NO KEY UPDATE: two epochs that open leases of one purse both hold its key by
-- their foreign keys, and would wait for each other for a lock that excludes those. The transaction is bounded, so none
-- keeps its locks for long.
create or replace function require_live_epoch(p_epoch bigint) returns void language plpgsql as $$
begin
  perform bound_transaction();
  perform from epochs where id = p_epoch and fenced_at is null for key share;
  if not found then
    raise exception 'epoch % is fenced', p_epoch using errcode = 'FG001';
  end if;
end $$;
