-- The grants of a workspace that expire and have something left: what is left now follows from the total that has been charged.
create or replace function live_grants(p_workspace uuid) returns table (
  posting_id uuid, expires_at timestamptz, amount_nano_usd bigint, rest_nano_usd bigint, recurring_id uuid
) language sql stable as $$
  select g.posting_id, g.expires_at, g.amount_nano_usd, g.rest, g.recurring_id
  from (
    select live.*, (live.rest_nano_usd - least(live.rest_nano_usd, greatest(0, uncounted.amount - live.earlier)))::bigint as rest
    from (
      select q.*, sum(q.rest_nano_usd) over (order by q.expires_at, q.posting_id) - q.rest_nano_usd as earlier
      from expiring_grants q where q.workspace_id = p_workspace and q.ended_at is null
    ) live
    cross join (
      select p.spent_nano_usd + (select coalesce(sum(l.charged_nano_usd), 0) from leases l where l.purse_id = p.id)
        - c.charged_nano_usd as amount
      from purses p join grant_counts c on c.workspace_id = p.workspace_id
      where p.workspace_id = p_workspace and p.kind = 'credit' and p.subject_id = p_workspace
    ) uncounted
  ) g where g.rest > 0
  order by g.expires_at, g.posting_id
$$;
