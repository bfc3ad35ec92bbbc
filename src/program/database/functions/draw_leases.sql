-- The draw of a process that knows its leases, with the requests as JSON.
create or replace function draw_leases(p_epoch bigint, p_requests jsonb, p_waits boolean)
returns table (
  ordinal integer, purse_id bigint, limit_nano_usd bigint, spent_by_others_nano_usd bigint, available_nano_usd bigint,
  granted_nano_usd bigint, open boolean, mode text, sequence bigint,
  raised_until timestamptz
) language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  return query select
    d.ordinal, d.purse_id, d.limit_nano_usd, d.spent_by_others_nano_usd, d.available_nano_usd, d.granted_nano_usd,
    d.open, d.mode, d.sequence, d.raised_until
  from draw(p_epoch, find_purses(array(
    select row(
      q.ordinal, q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end,
      q.sequence, q.keep, q.slack, q.needs, q.ahead, false, null, q.project_id
    )::draw_request
    from jsonb_to_recordset(p_requests) as q (
      ordinal integer, workspace_id uuid, kind text, subject_id uuid, period text,
      window_start timestamptz, window_end timestamptz,
      sequence bigint, keep bigint, slack bigint, needs bigint[], ahead bigint, project_id uuid
    )
  )), p_waits) d;
end $$;
