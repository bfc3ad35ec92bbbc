-- Gives up a claim that is not completed. In doubt, a claim statement of the request may still be under way: the lock
-- waits for one that has begun, and the row in cancelled_claims stops one that has not.
create or replace function release_idempotency_key(
  p_workspace uuid, p_key uuid, p_idempotency_key text, p_request uuid, p_in_doubt boolean
) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  perform bound_transaction();
  if p_in_doubt then
    perform pg_advisory_xact_lock(hashtextextended('claim of request ' || p_request, 0));
    insert into cancelled_claims (request_id) values (p_request) on conflict do nothing;
  end if;
  delete from idempotent_requests
    where workspace_id = p_workspace and key_id = p_key and idempotency_key = p_idempotency_key
      and request_id = p_request and completed_at is null;
end $$;
