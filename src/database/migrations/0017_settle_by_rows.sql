-- Settles a batch as settle_receipts of 0015 does, for less. Each parameter, and each statement that an executor gets ready
-- for, costs as much as some receipts. So what is a number comes in one matrix, and what each lease is charged comes with
-- the batch; the lease is locked by being charged, not before.
--   p_purses, p_amounts     the purses whose leases are charged, in ascending order, which is that of locks; and what
--   p_context_ids           a row for each context, counted from one: workspace, project, key
--   p_context_numbers       likewise: purse of the credit, of the project, of the key, version of the price
--   p_requests, p_charges   an element for each receipt
--   p_numbers               a row for each receipt: context, hold, write-off, admitted (µs since 1970), duration and first
--                           event (ms), tokens of input, cached input, cache writes of 5 minutes and of an hour, audio
--                           input, output, audio output, the cap it was shortened to, streamed, outcome, certainty; a
--                           negative number stands for none
--   p_client_requests       an element for each receipt, or nothing where no receipt has one
-- A batch that was sent before violates the receipts' key, and is sent to settle_receipts_again.

drop function settle_receipts;
create function settle_receipts(
  p_epoch bigint, p_purses bigint[], p_amounts bigint[],
  p_context_ids uuid[], p_context_numbers bigint[], p_models text[],
  p_requests uuid[], p_charges bigint[], p_numbers bigint[], p_attempts jsonb, p_client_requests text[]
) returns void language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_charged bigint;
begin
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
    credit_purse_id, project_purse_id, key_purse_id,
    model, price_version_id, outcome,
    charge_nano_usd, hold_nano_usd, write_off_nano_usd, usage_certainty,
    input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
    audio_input_tokens, output_tokens, audio_output_tokens,
    shortened_to_tokens, streamed, admitted_at, duration_ms, first_event_ms, attempts, client_request_id
  )
  select
    p_context_ids[p_numbers[i][1]][1], p_requests[i], p_context_ids[p_numbers[i][1]][2], p_context_ids[p_numbers[i][1]][3],
    p_epoch,
    p_context_numbers[p_numbers[i][1]][1], p_context_numbers[p_numbers[i][1]][2], p_context_numbers[p_numbers[i][1]][3],
    p_models[p_numbers[i][1]], p_context_numbers[p_numbers[i][1]][4],
    (array['completed', 'interrupted', 'abandoned', 'failed'])[p_numbers[i][16]],
    p_charges[i], p_numbers[i][2], p_numbers[i][3], (array['exact', 'estimated'])[p_numbers[i][17]],
    p_numbers[i][7], p_numbers[i][8], p_numbers[i][9], p_numbers[i][10],
    p_numbers[i][11], p_numbers[i][12], p_numbers[i][13],
    nullif(p_numbers[i][14], -1), p_numbers[i][15] = 1, to_timestamp(p_numbers[i][4] / 1e6::double precision),
    p_numbers[i][5], nullif(p_numbers[i][6], -1), p_attempts -> (i - 1), p_client_requests[i]
  from generate_series(1, cardinality(p_requests)) as i;
end $$;

-- Settles what of a batch is not there yet. What was there before was charged when it came. The leases are locked first,
-- so that an earlier statement which is still under way is over before anybody looks for what it has left.
drop function settle_receipts_again;
create function settle_receipts_again(
  p_epoch bigint, p_purses bigint[], p_amounts bigint[],
  p_context_ids uuid[], p_context_numbers bigint[], p_models text[],
  p_requests uuid[], p_charges bigint[], p_numbers bigint[], p_attempts jsonb, p_client_requests text[]
) returns void language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_new integer[];
  v_purses bigint[];
  v_amounts bigint[];
begin
  perform require_live_epoch(p_epoch);
  perform from unnest(p_purses) as q (purse) cross join lateral (
    select from leases l where l.epoch_id = p_epoch and l.purse_id = q.purse for update
  ) l;
  v_new := array(
    select i from generate_series(1, cardinality(p_requests)) as i
    where array_position(p_requests, p_requests[i]) = i
      and not exists (
        select from receipts where workspace_id = p_context_ids[p_numbers[i][1]][1] and request_id = p_requests[i]
      )
  );
  if cardinality(v_new) = 0 then
    return;
  end if;
  select array_agg(purse order by purse), array_agg(amount order by purse) into v_purses, v_amounts
    from (
      select p_context_numbers[p_numbers[i][1]][level] as purse, sum(p_charges[i])::bigint as amount
      from unnest(v_new) as i cross join generate_series(1, 3) as level group by 1
    ) q;
  perform settle_receipts(
    p_epoch, v_purses, v_amounts, p_context_ids, p_context_numbers, p_models,
    array(select p_requests[i] from unnest(v_new) as i),
    array(select p_charges[i] from unnest(v_new) as i),
    array(select array(select unnest(p_numbers[i:i])) from unnest(v_new) as i),
    (select jsonb_agg(p_attempts -> (i - 1)) from unnest(v_new) as i),
    array(select p_client_requests[i] from unnest(v_new) as i)
  );
end $$;
