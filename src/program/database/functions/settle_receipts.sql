-- Settles a batch: charges the leases and inserts the receipts. Each parameter, and each statement that an executor
-- prepares, costs as much as some receipts. So numbers come in one matrix, and each lease's sum comes with the batch; the
-- lease is locked by being charged, not before. Its lock is waited for briefly: the sender of a batch then sends its halves.
--   p_purses, p_amounts     the purses whose leases are charged, in ascending order, which is that of locks; and the sums
--   p_context_ids           a row for each context, counted from one: workspace, project, key
--   p_context_numbers       likewise: purse of the credit, of the project, of the key, version of the price,
--                           and purses of the key's maker, of the end user and of the session, left out from the first that
--                           no context has
--   p_context_texts         likewise: dialect, model, outcome, certainty, provider and upstream model of the last attempt
--   p_requests, p_charges   an element for each receipt
--   p_numbers               a row for each receipt: its context, the numbers in the order of the table of fields (src/domain/
--                           receipt.ts): amounts, tokens by class, the cap that it was shortened to, times (µs since 1970) and
--                           durations (ms); and the duration of the last attempt; a negative number stands for none
--   p_attempts              an element for each receipt, null if its columns say as much; or nothing if none has more
--   p_client_requests       an element for each receipt, or nothing if no receipt has one
--   p_extras                what few receipts say, an object for each that says some of it, with the keys session, left_out,
--                           retry, uses, service_tier, requested_model, affinity and affinity_missed; left out if no receipt
--                           does
-- It doesn't check for receipts that are there already, because that took a sixth of the whole: a batch that was sent
-- before violates the receipts' key, and is sent to settle_receipts_again. A lease that is gone raises FG002, also where
-- nothing is charged: its purse may be gone with it. A process of another version is refused like one that calls a function
-- that is not there, so that it keeps its receipts.
create or replace function settle_receipts(
  p_epoch bigint, p_purses bigint[], p_amounts bigint[],
  p_context_ids uuid[], p_context_numbers bigint[], p_context_texts text[],
  p_requests uuid[], p_charges bigint[], p_numbers bigint[], p_attempts jsonb[], p_client_requests text[],
  p_extras jsonb[] default '{}'
) returns void language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_charged bigint;
begin
  if array_length(p_context_texts, 2) <> 6 then
    raise exception 'receipts of another version of the program' using errcode = 'undefined_function';
  end if;
  perform bound_transaction();
  perform wait_briefly();
  perform from epochs where id = p_epoch and fenced_at is null for key share;
  if not found then
    raise exception 'epoch % is fenced', p_epoch using errcode = 'FG001';
  end if;
  -- What is compared comes from a row that stays apart, so that leases are found one by one, in its order.
  update leases set charged_nano_usd = charged_nano_usd + c.amount
    from (
      select p_epoch as epoch, purse, amount from unnest(p_purses, p_amounts) as q (purse, amount) offset 0
    ) c
    where epoch_id = any (array[c.epoch]) and purse_id = any (array[c.purse]);
  get diagnostics v_charged = row_count;
  if v_charged <> cardinality(p_purses) then
    raise exception '% leases of epoch % are gone', cardinality(p_purses) - v_charged, p_epoch using errcode = 'FG002';
  end if;
  insert into receipts (
    workspace_id, request_id, project_id, key_id, epoch_id,
    credit_purse_id, project_purse_id, key_purse_id, member_purse_id, end_user_purse_id, session_purse_id,
    dialect, model, price_version_id, outcome,
    charge_nano_usd, hold_nano_usd, write_off_nano_usd, fees_nano_usd, usage_certainty,
    input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
    audio_input_tokens, output_tokens, audio_output_tokens,
    shortened_to_tokens, streamed, admitted_at, duration_ms, first_event_ms,
    provider, upstream_model, attempt_ms, attempts, client_request_id,
    session, left_out, retry, uses, service_tier, requested_model, affinity, affinity_missed
  )
  select
    p_context_ids[context][1], p_requests[i], p_context_ids[context][2], p_context_ids[context][3],
    p_epoch,
    p_context_numbers[context][1], p_context_numbers[context][2], p_context_numbers[context][3],
    p_context_numbers[context][5], p_context_numbers[context][6], p_context_numbers[context][7],
    p_context_texts[context][1], p_context_texts[context][2], p_context_numbers[context][4], p_context_texts[context][3],
    p_charges[i], p_numbers[i][2], p_numbers[i][3], p_numbers[i][4], p_context_texts[context][4],
    p_numbers[i][5], p_numbers[i][6], p_numbers[i][7], p_numbers[i][8],
    p_numbers[i][9], p_numbers[i][10], p_numbers[i][11],
    nullif(p_numbers[i][12], -1), p_numbers[i][13] = 1, to_timestamp(p_numbers[i][14] / 1e6::double precision),
    p_numbers[i][15], nullif(p_numbers[i][16], -1),
    p_context_texts[context][5], p_context_texts[context][6], nullif(p_numbers[i][17], -1),
    p_attempts[i], p_client_requests[i],
    extras ->> 'session', (extras ->> 'left_out')::text[], (extras ->> 'retry')::boolean, extras -> 'uses',
    extras ->> 'service_tier', extras ->> 'requested_model', extras ->> 'affinity', (extras ->> 'affinity_missed')::boolean
  from (
    -- A subquery that stays apart computes the context once a receipt, not for each column that comes from it.
    select i, p_numbers[i][1] as context, p_extras[i] as extras from generate_series(1, cardinality(p_requests)) as i offset 0
  ) q;
end $$;
