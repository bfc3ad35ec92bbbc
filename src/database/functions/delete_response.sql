-- Deletes a stored response; all of those with the same id. Returns whether there was one.
create or replace function delete_response(p_workspace uuid, p_response text) returns boolean
language plpgsql set enable_seqscan = off as $$
begin
  perform bound_transaction();
  delete from stored_responses
    where workspace_id = p_workspace and response_id = p_response and expires_at > now();
  return found;
end $$;
