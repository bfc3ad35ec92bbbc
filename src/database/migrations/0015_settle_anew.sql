-- Settles a batch as before, without a thought of whether it was sent before: an executor gets ready for every part of a
-- statement, whether it comes to it or not, and for those that look for former receipts that took a sixth of the whole.
-- A batch that was sent before violates the receipts' key, and is sent to settle_receipts_again.

drop function settle_receipts;
create function settle_receipts(
  p_epoch bigint,
  p_workspaces uuid[], p_projects uuid[], p_keys uuid[],
  p_credit_purses bigint[], p_project_purses bigint[], p_key_purses bigint[],
  p_models text[], p_price_versions bigint[],
  p_context integer[], p_request uuid[], p_charge bigint[], p_hold bigint[], p_input integer[], p_output integer[],
  p_admitted_ms double precision[], p_duration_ms integer[], p_first_event_ms integer[], p_attempts jsonb,
  p_outcome text[], p_streamed boolean[], p_certainty text[], p_write_off bigint[], p_cached_input integer[],
  p_cache_write_5m integer[], p_cache_write_1h integer[], p_audio_input integer[], p_audio_output integer[],
  p_shortened integer[], p_client_request text[]
) returns void language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_purses bigint[] := array(
    select distinct purse from unnest(p_credit_purses || p_project_purses || p_key_purses) as q (purse) order by purse
  );
  v_found bigint;
begin
  perform require_live_epoch(p_epoch);
  perform from unnest(v_purses) as q (purse) cross join lateral (
    select from leases l where l.epoch_id = p_epoch and l.purse_id = q.purse for update
  ) l;
  get diagnostics v_found = row_count;
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
    p_workspaces[p_context[i]], p_request[i], p_projects[p_context[i]], p_keys[p_context[i]], p_epoch,
    p_credit_purses[p_context[i]], p_project_purses[p_context[i]], p_key_purses[p_context[i]],
    p_models[p_context[i]], p_price_versions[p_context[i]], coalesce(p_outcome[i], 'completed'),
    p_charge[i], p_hold[i], coalesce(p_write_off[i], 0), coalesce(p_certainty[i], 'exact'),
    p_input[i], coalesce(p_cached_input[i], 0), coalesce(p_cache_write_5m[i], 0), coalesce(p_cache_write_1h[i], 0),
    coalesce(p_audio_input[i], 0), p_output[i], coalesce(p_audio_output[i], 0),
    p_shortened[i], coalesce(p_streamed[i], false), to_timestamp(p_admitted_ms[i] / 1000), p_duration_ms[i],
    p_first_event_ms[i], p_attempts -> (i - 1), p_client_request[i]
  from generate_series(1, cardinality(p_request)) as i;
  if v_found < cardinality(v_purses) then
    raise exception '% leases of epoch % are gone', cardinality(v_purses) - v_found, p_epoch using errcode = 'FG002';
  end if;
  with charges as (
    select p_epoch as epoch, v.purse, sum(c.charge)::bigint as amount
    from (
      select p_context[i] as context, sum(p_charge[i]) as charge
      from generate_series(1, cardinality(p_request)) as i
      group by 1
    ) c
    cross join lateral (
      values (p_credit_purses[c.context]), (p_project_purses[c.context]), (p_key_purses[c.context])
    ) as v (purse)
    where c.charge > 0
    group by v.purse
  )
  update leases set charged_nano_usd = charged_nano_usd + c.amount
    from charges c where epoch_id = any (array[c.epoch]) and purse_id = any (array[c.purse]);
end $$;

-- Settles what of a batch is not there yet. What was there before was charged when it came. The leases are locked first,
-- so that an earlier statement which is still under way is over before anybody looks for what it has left.
create function settle_receipts_again(
  p_epoch bigint,
  p_workspaces uuid[], p_projects uuid[], p_keys uuid[],
  p_credit_purses bigint[], p_project_purses bigint[], p_key_purses bigint[],
  p_models text[], p_price_versions bigint[],
  p_context integer[], p_request uuid[], p_charge bigint[], p_hold bigint[], p_input integer[], p_output integer[],
  p_admitted_ms double precision[], p_duration_ms integer[], p_first_event_ms integer[], p_attempts jsonb,
  p_outcome text[], p_streamed boolean[], p_certainty text[], p_write_off bigint[], p_cached_input integer[],
  p_cache_write_5m integer[], p_cache_write_1h integer[], p_audio_input integer[], p_audio_output integer[],
  p_shortened integer[], p_client_request text[]
) returns void language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_purses bigint[] := array(
    select distinct purse from unnest(p_credit_purses || p_project_purses || p_key_purses) as q (purse) order by purse
  );
  v_new integer[];
  v_contexts integer[];
begin
  perform require_live_epoch(p_epoch);
  perform from unnest(v_purses) as q (purse) cross join lateral (
    select from leases l where l.epoch_id = p_epoch and l.purse_id = q.purse for update
  ) l;
  v_new := array(
    select i from generate_series(1, cardinality(p_request)) as i
    where array_position(p_request, p_request[i]) = i
      and not exists (
        select from receipts where workspace_id = p_workspaces[p_context[i]] and request_id = p_request[i]
      )
  );
  if cardinality(v_new) = 0 then
    return;
  end if;
  v_contexts := array(select distinct p_context[i] from unnest(v_new) as i);
  perform settle_receipts(
    p_epoch,
    array(select p_workspaces[c] from unnest(v_contexts) as c),
    array(select p_projects[c] from unnest(v_contexts) as c),
    array(select p_keys[c] from unnest(v_contexts) as c),
    array(select p_credit_purses[c] from unnest(v_contexts) as c),
    array(select p_project_purses[c] from unnest(v_contexts) as c),
    array(select p_key_purses[c] from unnest(v_contexts) as c),
    array(select p_models[c] from unnest(v_contexts) as c),
    array(select p_price_versions[c] from unnest(v_contexts) as c),
    array(select array_position(v_contexts, p_context[i]) from unnest(v_new) as i),
    array(select p_request[i] from unnest(v_new) as i),
    array(select p_charge[i] from unnest(v_new) as i),
    array(select p_hold[i] from unnest(v_new) as i),
    array(select p_input[i] from unnest(v_new) as i),
    array(select p_output[i] from unnest(v_new) as i),
    array(select p_admitted_ms[i] from unnest(v_new) as i),
    array(select p_duration_ms[i] from unnest(v_new) as i),
    array(select p_first_event_ms[i] from unnest(v_new) as i),
    (select jsonb_agg(p_attempts -> (i - 1)) from unnest(v_new) as i),
    array(select p_outcome[i] from unnest(v_new) as i),
    array(select p_streamed[i] from unnest(v_new) as i),
    array(select p_certainty[i] from unnest(v_new) as i),
    array(select p_write_off[i] from unnest(v_new) as i),
    array(select p_cached_input[i] from unnest(v_new) as i),
    array(select p_cache_write_5m[i] from unnest(v_new) as i),
    array(select p_cache_write_1h[i] from unnest(v_new) as i),
    array(select p_audio_input[i] from unnest(v_new) as i),
    array(select p_audio_output[i] from unnest(v_new) as i),
    array(select p_shortened[i] from unnest(v_new) as i),
    array(select p_client_request[i] from unnest(v_new) as i)
  );
end $$;
