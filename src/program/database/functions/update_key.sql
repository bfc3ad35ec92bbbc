-- Changes the given columns of a workspace's key and leaves the others; no row if there is no such key. A new limit, or a
-- raise of it, holds in the month that runs now.
create or replace function update_key(p_workspace uuid, p_key uuid, p_given jsonb) returns setof keys
language plpgsql as $$
declare
  k keys;
begin
  perform bound_transaction();
  -- A draw that opens the key's purse locks this row too, so its limit is either set below or read after this has committed.
  select * into k from keys where workspace_id = p_workspace and id = p_key for no key update;
  if not found then
    return;
  end if;
  k := jsonb_populate_record(k, p_given);
  update keys set name = k.name, spend_limit_nano_usd = k.spend_limit_nano_usd, models = k.models,
    expires_at = k.expires_at, disabled_at = k.disabled_at, metadata = k.metadata,
    allowed_networks = k.allowed_networks, raised_limit_nano_usd = k.raised_limit_nano_usd, raised_until = k.raised_until
    where workspace_id = p_workspace and id = p_key returning * into k;
  if p_given ?| array['spend_limit_nano_usd', 'raised_limit_nano_usd', 'raised_until'] then
    with purse as (
      update purses set limit_nano_usd = k.spend_limit_nano_usd,
        raised_limit_nano_usd = k.raised_limit_nano_usd, raised_until = k.raised_until
      where workspace_id = p_workspace and kind = 'key' and subject_id = p_key and period = 'month'
        and window_start = date_trunc('month', clock_timestamp(), 'UTC')
      returning id
    )
    insert into changes (kind, subject_id) select 'purse', id::text from purse;
  end if;
  insert into changes (kind, subject_id) values ('key', p_key::text);
  return next k;
end $$;
