-- Lowers the limits of a project's keys to the one given, of those that members with one of these roles have made, raised for a time
-- or not, and returns how many were above it. The new limit holds in the month that runs now.
create or replace function limit_member_keys(p_workspace uuid, p_project uuid, p_limit bigint, p_roles text[])
returns bigint language plpgsql as $$
declare
  v_keys uuid[];
begin
  perform bound_transaction('30s');
  select array_agg(id) into v_keys from (
    select k.id from keys k join members m on m.workspace_id = k.workspace_id and m.user_id = k.created_by
    where k.workspace_id = p_workspace and k.project_id = p_project and k.revoked_at is null and m.role = any (p_roles)
      and (k.spend_limit_nano_usd is null or limit_now(k.spend_limit_nano_usd, k.raised_limit_nano_usd, k.raised_until) > p_limit)
    order by k.id for no key update of k
  ) above;
  if v_keys is null then
    return 0;
  end if;
  update keys set spend_limit_nano_usd = least(spend_limit_nano_usd, p_limit), raised_limit_nano_usd = null, raised_until = null
    where workspace_id = p_workspace and id = any (v_keys);
  -- In the order of draws, and with the project's, which the caller may change next.
  perform 1 from purses
    where workspace_id = p_workspace
      and (kind = 'project' and subject_id = p_project or kind = 'key' and subject_id = any (v_keys))
      and (window_end is null or window_end > clock_timestamp())
    order by id for no key update;
  with purse as (
    update purses set limit_nano_usd = least(limit_nano_usd, p_limit), raised_limit_nano_usd = null, raised_until = null
    where workspace_id = p_workspace and kind = 'key' and subject_id = any (v_keys) and period = 'month'
      and window_start = date_trunc('month', clock_timestamp(), 'UTC')
    returning id
  )
  insert into changes (kind, subject_id) select 'purse', id::text from purse;
  insert into changes (kind, subject_id) select 'key', id::text from unnest(v_keys) as key (id);
  return cardinality(v_keys);
end $$;
