-- The items of a response and of those that it goes on from, as far as they are stored, the oldest first, in pieces; with
-- p_input_only, of the response itself its request's items alone. No row: there is no such response. The first row names a
-- previous response if that is gone. There are no pieces if all together are longer than p_bytes_max, or more than p_depth_max.
create or replace function find_response_chain(
  p_workspace uuid, p_response text, p_bytes_max bigint, p_depth_max integer, p_input_only boolean default false
) returns table (
  request_id uuid, previous_request_id uuid, is_too_large boolean, input_length integer, encrypted boolean, piece bytea
)
language sql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
  with recursive chain as (
    (
      select r.request_id, r.previous_request_id, 1 as depth, l.length, l.length::bigint as bytes
      from stored_responses r
      cross join lateral (select case when p_input_only then r.input_length else octet_length(r.items) end as length) l
      where r.workspace_id = p_workspace and r.response_id = p_response and r.expires_at > now()
      order by r.request_id desc limit 1
    )
    union all
    select r.request_id, r.previous_request_id, c.depth + 1, octet_length(r.items), c.bytes + octet_length(r.items)
    from chain c
    join stored_responses r
      on r.request_id = c.previous_request_id and r.workspace_id = p_workspace and r.expires_at > now()
    where c.bytes <= p_bytes_max and c.depth <= p_depth_max
  ), fit as (
    select max(bytes) > p_bytes_max or max(depth) > p_depth_max as is_too_large from chain
  )
  select c.request_id, c.previous_request_id, fit.is_too_large, r.input_length, r.encrypted,
    substring(r.items from p.at + 1 for least(262144, c.length - p.at))
  from chain c
  cross join fit
  join stored_responses r on r.request_id = c.request_id
  left join lateral generate_series(0, c.length - 1, 262144) as p (at) on not fit.is_too_large
  order by c.depth desc, p.at
$$;
