-- What expires next in each of these workspaces, and when; those in which nothing does are left out.
create or replace function next_expiries(p_workspaces uuid[]) returns table (
  workspace_id uuid, amount_nano_usd bigint, expires_at timestamptz
) language sql stable as $$
  select w.id, upcoming.amount, upcoming.expires_at
  from unnest(p_workspaces) as w (id)
  cross join lateral (
    select sum(g.rest_nano_usd)::bigint as amount, g.expires_at from live_grants(w.id) g
    group by g.expires_at order by g.expires_at limit 1
  ) upcoming
$$;
