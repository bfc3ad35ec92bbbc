-- Deletes a stored response; all of those with the same id. Returns whether there was one. Others may have its place
-- immediately.
create or replace function delete_response(p_workspace uuid, p_response text) returns boolean
language plpgsql set enable_seqscan = off as $$
declare
  v_bytes bigint;
begin
  perform bound_transaction();
  with gone as (
    delete from stored_responses
      where workspace_id = p_workspace and response_id = p_response and expires_at > now()
      returning octet_length(items)::bigint + octet_length(response) as bytes
  )
  select sum(bytes) into v_bytes from gone;
  if v_bytes is null then
    return false;
  end if;
  update stored_response_bytes set bytes = greatest(0, bytes - v_bytes) where workspace_id = p_workspace;
  return true;
end $$;
