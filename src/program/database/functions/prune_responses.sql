-- Deletes so many stored responses at most: those whose time is over, and those of workspaces that were closed. Returns how
-- many it has deleted.
create or replace function prune_responses(p_most integer) returns integer
language plpgsql set enable_seqscan = off as $$
declare
  v_deleted integer;
begin
  delete from stored_responses where request_id in (
    (select request_id from stored_responses where expires_at < now() limit p_most)
    union all
    (
      select r.request_id from workspaces w join stored_responses r on r.workspace_id = w.id
      where w.archived_at is not null limit p_most
    )
    limit p_most
  );
  get diagnostics v_deleted = row_count;
  return v_deleted;
end $$;
