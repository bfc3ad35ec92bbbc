-- Declares an epoch dead; with a heartbeat, only if it has sent none since. The exclusive lock waits for the epoch's
-- statements that are under way, so that none of them follows once this has returned. False: it lives, or there is none.
create or replace function fence_epoch(p_epoch bigint, p_heartbeat timestamptz) returns boolean language plpgsql as $$
declare
  e epochs;
begin
  select * into e from epochs where id = p_epoch for update;
  if not found or e.fenced_at is null and e.heartbeat_at <> p_heartbeat then
    return false;
  end if;
  update epochs set fenced_at = clock_timestamp() where id = p_epoch and fenced_at is null;
  return true;
end $$;
