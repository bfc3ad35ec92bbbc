-- Counts the correction of a receipt in all buckets that the receipt is in, or will be once it is counted. Buckets are
-- described in src/control/usage/.
create or replace function correct_usage(p_workspace uuid, p_request uuid, p_amount bigint) returns void
language plpgsql as $$
declare
  c_nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  c_origin constant timestamptz := '2000-01-01 00:00:00+00';
  -- Of the id's time, its first 48 bits in milliseconds: weeks since Monday, 29 December 1969.
  v_week constant integer := (
    ('x' || translate(left(p_request::text, 13), '-', ''))::bit(48)::bigint + 259200000) / 604800000;
begin
  -- Those that are still to be made will have it.
  if not exists (select from usage_folding where v_week <> all (unbuilt)) then
    return;
  end if;
  insert into usage_hours as known (workspace_id, starts_at, project_id, model, dialect, outcome, week, corrected_nano_usd)
    select workspace_id, date_bin('1 hour', admitted_at, c_origin), project_id, model, dialect, outcome, v_week, p_amount
    from receipts where workspace_id = p_workspace and request_id = p_request
    on conflict (workspace_id, starts_at, project_id, model, dialect, outcome, week) do update set corrected_nano_usd = known.corrected_nano_usd + p_amount;
  insert into usage_days as known (workspace_id, starts_at, project_id, model, dialect, outcome, corrected_nano_usd)
    select workspace_id, date_bin('1 day', admitted_at, c_origin), project_id, model, dialect, outcome, p_amount
    from receipts where workspace_id = p_workspace and request_id = p_request
    on conflict (workspace_id, starts_at, project_id, model, dialect, outcome) do update set corrected_nano_usd = known.corrected_nano_usd + p_amount;
  insert into usage_key_hours as known (workspace_id, starts_at, key_id, project_id, model, dialect, outcome, week, corrected_nano_usd)
    select workspace_id, date_bin('1 hour', admitted_at, c_origin), key_id, project_id, model, dialect, outcome, v_week, p_amount
    from receipts where workspace_id = p_workspace and request_id = p_request
    on conflict (workspace_id, starts_at, key_id, model, dialect, outcome, week) do update set corrected_nano_usd = known.corrected_nano_usd + p_amount;
  insert into usage_key_days as known (workspace_id, starts_at, key_id, project_id, model, dialect, outcome, corrected_nano_usd)
    select workspace_id, date_bin('1 day', admitted_at, c_origin), key_id, project_id, model, dialect, outcome, p_amount
    from receipts where workspace_id = p_workspace and request_id = p_request
    on conflict (workspace_id, starts_at, key_id, model, dialect, outcome) do update set corrected_nano_usd = known.corrected_nano_usd + p_amount;
  insert into usage_key_months as known (workspace_id, starts_at, key_id, project_id, corrected_nano_usd)
    select workspace_id, date_trunc('month', admitted_at, 'UTC'), key_id, project_id, p_amount
    from receipts where workspace_id = p_workspace and request_id = p_request
    on conflict (workspace_id, starts_at, key_id) do update set corrected_nano_usd = known.corrected_nano_usd + p_amount;
  insert into usage_member_days as known (workspace_id, starts_at, member, project_id, model, dialect, outcome, corrected_nano_usd)
    select receipts.workspace_id, date_bin('1 day', admitted_at, c_origin), coalesce(created_by, c_nobody), receipts.project_id,
      model, dialect, outcome, p_amount
    from receipts join keys on keys.id = key_id where receipts.workspace_id = p_workspace and request_id = p_request
    on conflict (workspace_id, starts_at, member, project_id, model, dialect, outcome) do update set corrected_nano_usd = known.corrected_nano_usd + p_amount;
end $$;
