-- `settle_receipts`, or `settle_receipts_again`, with the claims that the receipts complete, if any; its locks end with it.
create or replace procedure commit_settle_receipts(
  p_epoch bigint, p_purses bigint[], p_amounts bigint[],
  p_context_ids uuid[], p_context_numbers bigint[], p_context_texts text[],
  p_requests uuid[], p_charges bigint[], p_numbers bigint[], p_attempts jsonb[], p_client_requests text[],
  p_claim_workspaces uuid[] default null, p_claim_keys uuid[] default null, p_idempotency_keys text[] default null,
  p_claim_requests uuid[] default null, p_answers bytea[] default null,
  p_is_repeat boolean default false, p_extras jsonb[] default '{}'
) language plpgsql as $$
begin
  if p_is_repeat then
    perform settle_receipts_again(
      p_epoch, p_purses, p_amounts, p_context_ids, p_context_numbers, p_context_texts,
      p_requests, p_charges, p_numbers, p_attempts, p_client_requests, p_extras
    );
  else
    perform settle_receipts(
      p_epoch, p_purses, p_amounts, p_context_ids, p_context_numbers, p_context_texts,
      p_requests, p_charges, p_numbers, p_attempts, p_client_requests, p_extras
    );
  end if;
  if p_claim_requests is not null then
    perform complete_held_claims(p_claim_workspaces, p_claim_keys, p_idempotency_keys, p_claim_requests, p_answers);
  end if;
  commit;
end $$;
