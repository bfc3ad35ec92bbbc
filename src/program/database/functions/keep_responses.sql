-- Stores responses, which may be there already: a batch whose outcome was lost is sent again. All bytes come as one value,
-- because the elements of an array of bytes would come as text. Returns the requests whose responses are not stored, because
-- their workspace would have more than p_bytes_max; of those that don't fit together, each that fits is. The commit doesn't wait for the disk: everyone finds the responses
-- immediately, and a crash of the database loses those of the last three times wal_writer_delay at most, 0.6 seconds unless
-- configured otherwise. Preparing a statement costs as much as a response, so those that have nothing to do are left out.
--   p_spans         a row for each response: where its bytes start in p_bytes, counted from one; the lengths of its items,
--                   of those of its request among them, and of the answer, which follows them
--   p_item_numbers  a row for each item of an answer: the number of its response, counted from one; where it stands in the
--                   answer's items before they are encrypted, and its length
--   p_ancestors     the requests whose responses they go on from, which are kept as long as they are; a while longer, so
--                   that not every response changes them
create or replace function keep_responses(
  p_keep_ms bigint, p_bytes_max bigint, p_workspaces uuid[], p_requests uuid[], p_ids text[], p_previous uuid[],
  p_spans integer[], p_bytes bytea, p_item_ids text[], p_item_numbers integer[], p_ancestors uuid[]
) returns table (refused uuid)
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_expires timestamptz := now() + p_keep_ms * interval '1 ms';
  v_with_room uuid[];
  v_refused uuid[] := '{}';
  v_one record;
begin
  perform bound_transaction(), set_config('synchronous_commit', 'off', true);
  with added as (
    select p_workspaces[i] as workspace_id, sum(p_spans[i][2] + p_spans[i][4]) as bytes
    from generate_series(1, cardinality(p_requests)) as i group by 1
  ), counted as (
    -- In the order of ids, as every process does it, so that none waits for another in a circle.
    insert into stored_response_bytes as b (workspace_id, bytes)
      select workspace_id, bytes from added where bytes <= p_bytes_max order by workspace_id
      on conflict (workspace_id) do update set bytes = b.bytes + excluded.bytes
        where b.bytes + excluded.bytes <= p_bytes_max
      returning workspace_id
  )
  select coalesce(array_agg(workspace_id), '{}') into v_with_room from counted;
  if not p_workspaces <@ v_with_room then
    for v_one in
      select p_workspaces[i] as workspace, p_requests[i] as request, p_spans[i][2] + p_spans[i][4] as bytes
      from generate_series(1, cardinality(p_requests)) as i where p_workspaces[i] <> all (v_with_room)
      order by p_workspaces[i], i
    loop
      insert into stored_response_bytes as b (workspace_id, bytes)
        select v_one.workspace, v_one.bytes where v_one.bytes <= p_bytes_max
        on conflict (workspace_id) do update set bytes = b.bytes + excluded.bytes
          where b.bytes + excluded.bytes <= p_bytes_max;
      if not found then
        v_refused := v_refused || v_one.request;
      end if;
    end loop;
  end if;
  insert into stored_responses (
    request_id, workspace_id, response_id, previous_request_id, expires_at, items, input_length, response, encrypted
  )
  select p_requests[i], p_workspaces[i], p_ids[i], p_previous[i], v_expires,
    substring(p_bytes from p_spans[i][1] for p_spans[i][2]), p_spans[i][3],
    substring(p_bytes from p_spans[i][1] + p_spans[i][2] for p_spans[i][4]), true
  from generate_series(1, cardinality(p_requests)) as i
  where p_requests[i] <> all (v_refused)
  on conflict do nothing;
  insert into stored_response_items (workspace_id, item_id, request_id, starts_at, length)
  select p_workspaces[p_item_numbers[i][1]], p_item_ids[i], p_requests[p_item_numbers[i][1]],
    p_item_numbers[i][2], p_item_numbers[i][3]
  from generate_series(1, cardinality(p_item_ids)) as i
  where p_requests[p_item_numbers[i][1]] <> all (v_refused)
  on conflict do nothing;
  if p_ancestors <> '{}' then
    -- What is locked is being prolonged by another process.
    update stored_responses set expires_at = v_expires + p_keep_ms / 8 * interval '1 ms'
      where request_id in (
        select a.request_id from stored_responses a where a.request_id = any (p_ancestors) and a.expires_at < v_expires
          for no key update skip locked
      );
  end if;
  return query select unnest(v_refused);
end $$;
