-- The items of a response and of those that it goes on from, the oldest first, in pieces. No row: there is no such response.
-- Pieces are null if all together are longer than p_bytes_max, or more than p_depth_max. The first row names a previous
-- response if that is gone.
create or replace function find_response_chain(
  p_workspace uuid, p_response text, p_bytes_max bigint, p_depth_max integer
) returns table (
  request_id uuid, previous_request_id uuid, input_length integer, encrypted boolean, piece bytea
)
language sql stable set enable_seqscan = off as $$
  with recursive chain as (
    (
      select r.request_id, r.previous_request_id, 1 as depth, octet_length(r.items)::bigint as bytes
      from stored_responses r
      where r.workspace_id = p_workspace and r.response_id = p_response and r.expires_at > now()
      order by r.request_id desc limit 1
    )
    union all
    select r.request_id, r.previous_request_id, c.depth + 1, c.bytes + octet_length(r.items)
    from chain c
    join stored_responses r
      on r.request_id = c.previous_request_id and r.workspace_id = p_workspace and r.expires_at > now()
    where c.bytes <= p_bytes_max and c.depth <= p_depth_max
  )
  select c.request_id, c.previous_request_id, r.input_length, r.encrypted, substring(r.items from p.at + 1 for 262144)
  from chain c
  join stored_responses r on r.request_id = c.request_id
  left join lateral generate_series(0, octet_length(r.items) - 1, 262144) as p (at)
    on (select max(bytes) <= p_bytes_max and max(depth) <= p_depth_max from chain)
  order by c.depth desc, p.at
$$;
