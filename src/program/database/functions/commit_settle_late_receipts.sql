-- `settle_late_receipts`, with the claims that the receipts complete; its locks end with it.
create or replace procedure commit_settle_late_receipts(
  p_epoch bigint, p_receipts jsonb,
  p_workspaces uuid[], p_keys uuid[], p_idempotency_keys text[], p_requests uuid[], p_answers bytea[]
) language plpgsql as $$
begin
  perform settle_late_receipts(p_epoch, p_receipts);
  perform complete_idempotent_requests(p_workspaces, p_keys, p_idempotency_keys, p_requests, p_answers);
  commit;
end $$;
