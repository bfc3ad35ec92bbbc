-- Single items of answers, by their ids; of several with the same id, the newest. `bytes` are the items of the answer, encrypted,
-- once for each answer; of one in clear the item itself. They are null if all together are longer than p_bytes_max. An item
-- has no length if nothing of it can be sent again.
create or replace function find_response_items(p_workspace uuid, p_items text[], p_bytes_max bigint)
returns table (
  item_id text, request_id uuid, starts_at integer, length integer, encrypted boolean, is_too_large boolean, bytes bytea
) language sql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
  with found as (
    select f.*, row_number() over (partition by f.request_id order by f.item_id) = 1 as is_first
    from unnest(p_items) as q (id)
    cross join lateral (
      select i.* from stored_response_items i
      join stored_responses s on s.request_id = i.request_id and s.expires_at > now()
      where i.workspace_id = p_workspace and i.item_id = q.id
      order by i.request_id desc limit 1
    ) f
  ), measured as (
    select f.item_id, f.request_id, f.starts_at, f.length, f.is_first, r.encrypted, r.input_length, r.items,
      sum(
        case
          when not r.encrypted then f.length
          when f.is_first then octet_length(r.items) - r.input_length
          else 0
        end
      ) over () > p_bytes_max as is_too_large
    from found f
    join stored_responses r on r.request_id = f.request_id
  )
  select m.item_id, m.request_id, m.starts_at, m.length, m.encrypted, m.is_too_large,
    case
      when m.is_too_large then null
      when not m.encrypted then substring(m.items from m.starts_at + 1 for m.length)
      when m.is_first then substring(m.items from m.input_length + 1)
    end
  from measured m
$$;
