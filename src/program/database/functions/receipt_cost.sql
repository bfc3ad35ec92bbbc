-- What these tokens and uses cost the provider of the route that served them: by the cost that was in force when the request was
-- admitted, rounded up to one nano-USD. No row if it is not known, for its service tier; a use without a known fee costs nothing. The
-- planner puts the body in the place of the call, so that many receipts are joined with costs in one step.
create or replace function receipt_cost(
  p_model text, p_provider text, p_upstream_model text, p_admitted_at timestamptz, p_input integer, p_cached_input integer,
  p_cache_write_5m integer, p_cache_write_1h integer, p_audio_input integer, p_output integer, p_audio_output integer,
  p_uses jsonb default null, p_service_tier text default null
) returns table (cost_nano_usd bigint) language sql stable as $$
  select div(
      p_input::numeric * coalesce((service_tiers -> p_service_tier ->> 'input')::numeric, input_rate)
      + p_cached_input::numeric * coalesce((service_tiers -> p_service_tier ->> 'cached_input')::numeric, cached_input_rate)
      + p_cache_write_5m::numeric * coalesce((service_tiers -> p_service_tier ->> 'cache_write_5m')::numeric, cache_write_5m_rate)
      + p_cache_write_1h::numeric * coalesce((service_tiers -> p_service_tier ->> 'cache_write_1h')::numeric, cache_write_1h_rate)
      + p_audio_input::numeric * coalesce((service_tiers -> p_service_tier ->> 'audio_input')::numeric, audio_input_rate)
      + p_output::numeric * coalesce((service_tiers -> p_service_tier ->> 'output')::numeric, output_rate)
      + p_audio_output::numeric * coalesce((service_tiers -> p_service_tier ->> 'audio_output')::numeric, audio_output_rate)
      + 999999
      + case when p_uses is null or fees is null then 0 else 1000000 * coalesce((
          select sum(number::numeric * (fees ->> use)::numeric) from jsonb_each_text(p_uses) as used (use, number)
        ), 0) end,
      1000000)::bigint
  from cost_versions
  where model = p_model and provider = p_provider and upstream_model = p_upstream_model
    and (p_service_tier is null or service_tiers ? p_service_tier)
    and p_admitted_at >= created_at and (retired_at is null or p_admitted_at < retired_at)
    and p_input::bigint + p_cached_input + p_cache_write_5m + p_cache_write_1h + p_audio_input >= input_from
    and (input_to is null
      or p_input::bigint + p_cached_input + p_cache_write_5m + p_cache_write_1h + p_audio_input < input_to)
$$;
