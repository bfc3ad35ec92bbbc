-- Single items of answers, by their ids; of several with the same id, the newest. Null if all together are longer than
-- p_bytes_max; empty if nothing of one can be sent again.
create or replace function find_response_items(p_workspace uuid, p_items text[], p_bytes_max bigint)
returns table (item_id text, request_id uuid, item bytea) language sql stable set enable_seqscan = off as $$
  select found.item_id, found.request_id,
    case when sum(found.length) over () <= p_bytes_max
      then substring(r.items from found.starts_at + 1 for found.length)
    end
  from unnest(p_items) as q (id)
  cross join lateral (
    select i.* from stored_response_items i
    join stored_responses s on s.request_id = i.request_id and s.expires_at > now()
    where i.workspace_id = p_workspace and i.item_id = q.id
    order by i.request_id desc limit 1
  ) found
  join stored_responses r on r.request_id = found.request_id
$$;
