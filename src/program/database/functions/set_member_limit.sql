-- Sets the limit of a member over all keys that they have made, from the month that runs now; null: none; and how far it is raised
-- for a time, if it is. Their purse of this
-- month counts what the keys were charged so far. What requests are charged that run while a first limit is set is counted when it
-- is set once more.
create or replace function set_member_limit(
  p_workspace uuid, p_user uuid, p_limit bigint, p_raised bigint default null, p_raised_until timestamptz default null
) returns void
language plpgsql as $$
declare
  v_start timestamptz := date_trunc('month', clock_timestamp(), 'UTC');
  v_end timestamptz := (v_start at time zone 'UTC' + interval '1 month') at time zone 'UTC';
  v_former bigint;
  v_id uuid;
  v_purse bigint;
begin
  perform bound_transaction('30s');
  -- A draw that opens the member's purse locks this row too, so its limit is either set below or read after this has committed.
  insert into member_limits as known (workspace_id, user_id) values (p_workspace, p_user)
    on conflict (workspace_id, user_id) do update set monthly_limit_nano_usd = known.monthly_limit_nano_usd
    returning known.id, known.monthly_limit_nano_usd into v_id, v_former;
  update member_limits set monthly_limit_nano_usd = p_limit, raised_limit_nano_usd = p_raised, raised_until = p_raised_until
    where workspace_id = p_workspace and user_id = p_user;
  -- The purse is written first, limit and all, because that locks it: what it has spent stands still while it is compared.
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, raised_limit_nano_usd, raised_until)
    values (p_workspace, 'member', v_id, 'month', v_start, v_end, p_limit, p_raised, p_raised_until)
    on conflict (workspace_id, kind, subject_id, period, window_start)
      do update set limit_nano_usd = excluded.limit_nano_usd,
        raised_limit_nano_usd = excluded.raised_limit_nano_usd, raised_until = excluded.raised_until
    returning id into v_purse;
  with counted as (
    select purse.id, (purse.spent_nano_usd - purse.corrected_nano_usd + leased.charged)::bigint as amount
    from (
      select v_purse as id
      union all
      select x.id from keys k
      cross join lateral (
        select id from purses p where p.workspace_id = p_workspace and p.kind = 'key' and p.subject_id = k.id
          and p.period = 'month' and p.window_start = v_start
        offset 0
      ) x
      where k.workspace_id = p_workspace and k.created_by = p_user
    ) q
    join purses purse on purse.id = q.id
    cross join lateral (select coalesce(sum(charged_nano_usd), 0) as charged from leases where purse_id = q.id) leased
  ),
  lacking as (
    select sum(case when id = v_purse then -amount else amount end)::bigint as amount from counted
  )
  update purses set opening_nano_usd = opening_nano_usd + lacking.amount, spent_nano_usd = spent_nano_usd + lacking.amount
    from lacking where purses.id = v_purse and lacking.amount > 0;
  insert into changes (kind, subject_id) values ('purse', v_purse::text);
  -- Processes know by their keys who has a limit at all.
  if (v_former is null) <> (p_limit is null) then
    insert into changes (kind, subject_id)
      select 'key', id::text from keys where workspace_id = p_workspace and created_by = p_user and revoked_at is null;
  end if;
end $$;
