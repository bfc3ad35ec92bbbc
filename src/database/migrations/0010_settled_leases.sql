-- A receipt is refused whose leases are gone, also where it charges nothing: its purses may be gone with them.

-- Inserts receipts and charges the leases of the newly inserted ones, so that a repeated batch charges nothing twice.
create or replace function settle_receipts(
  p_epoch bigint,
  p_workspace uuid[], p_request uuid[], p_project uuid[], p_key uuid[],
  p_credit_purse bigint[], p_project_purse bigint[], p_key_purse bigint[],
  p_model text[], p_price_version bigint[], p_outcome text[],
  p_charge bigint[], p_hold bigint[], p_write_off bigint[], p_certainty text[],
  p_input integer[], p_cached_input integer[], p_cache_write_5m integer[], p_cache_write_1h integer[],
  p_audio_input integer[], p_output integer[], p_audio_output integer[],
  p_shortened integer[], p_streamed boolean[], p_admitted_ms double precision[], p_duration_ms integer[],
  p_first_event_ms integer[], p_attempts text[], p_client_request text[]
) returns void language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_purses bigint[] := array(
    select distinct purse from unnest(p_credit_purse || p_project_purse || p_key_purse) as q (purse) order by purse
  );
  v_found bigint;
  v_missing bigint;
begin
  perform require_live_epoch(p_epoch);
  perform from unnest(v_purses) as q (purse) cross join lateral (
    select from leases l where l.epoch_id = p_epoch and l.purse_id = q.purse for update
  ) l;
  get diagnostics v_found = row_count;
  with inserted as (
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
      q.workspace, q.request, q.project, q.key, p_epoch,
      q.credit_purse, q.project_purse, q.key_purse,
      q.model, q.price_version, q.outcome,
      q.charge, q.hold, q.write_off, q.certainty,
      q.input, q.cached_input, q.cache_write_5m, q.cache_write_1h,
      q.audio_input, q.output, q.audio_output,
      q.shortened, q.streamed, to_timestamp(q.admitted_ms / 1000), q.duration_ms, q.first_event_ms,
      q.attempts::jsonb, q.client_request
    from unnest(
      p_workspace, p_request, p_project, p_key, p_credit_purse, p_project_purse, p_key_purse,
      p_model, p_price_version, p_outcome, p_charge, p_hold, p_write_off, p_certainty,
      p_input, p_cached_input, p_cache_write_5m, p_cache_write_1h, p_audio_input, p_output, p_audio_output,
      p_shortened, p_streamed, p_admitted_ms, p_duration_ms, p_first_event_ms, p_attempts, p_client_request
    ) as q (
      workspace, request, project, key, credit_purse, project_purse, key_purse,
      model, price_version, outcome, charge, hold, write_off, certainty,
      input, cached_input, cache_write_5m, cache_write_1h, audio_input, output, audio_output,
      shortened, streamed, admitted_ms, duration_ms, first_event_ms, attempts, client_request
    )
    on conflict do nothing
    returning credit_purse_id, project_purse_id, key_purse_id, charge_nano_usd
  ),
  charges as (
    select p_epoch as epoch, purse, sum(charge_nano_usd)::bigint as amount
    from inserted cross join lateral (values (credit_purse_id), (project_purse_id), (key_purse_id)) as v (purse)
    where charge_nano_usd > 0
    group by purse
  ),
  charged as (
    update leases set charged_nano_usd = charged_nano_usd + c.amount
    from charges c where epoch_id = any (array[c.epoch]) and purse_id = any (array[c.purse])
    returning 1
  )
  select case
      when v_found = cardinality(v_purses) then (select count(*) from charges) - (select count(*) from charged)
      else (
        select count(*) from inserted cross join lateral (values (credit_purse_id), (project_purse_id), (key_purse_id)) v (purse)
        where not exists (select from leases l where l.epoch_id = p_epoch and l.purse_id = v.purse)
      )
    end into v_missing;
  if v_missing <> 0 then
    raise exception '% leases of epoch % are gone', v_missing, p_epoch using errcode = 'FG002';
  end if;
end $$;
