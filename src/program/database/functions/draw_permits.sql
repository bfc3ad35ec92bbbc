-- Each draw brings the process's stock and corrections to it, takes what waits (each need is one request, one slot and
-- that many tokens: all or nothing), and returns the stock from now on. A draw whose sequence number was applied before
-- changes nothing and gets the same reply; a first one, of a process that doesn't know whether it has any stock, skips a
-- project that it has stock of. A project that another transaction has locked is passed over, and has no row in the
-- result; with `p_waits` its lock is waited for, briefly. Buckets are locked in order; no lock on money is ever taken.
-- Stock of fenced epochs counts for nothing. `p_now_ms` is the database's own clock unless given.
create or replace function draw_permits(p_epoch bigint, p_draws jsonb, p_now_ms bigint, p_waits boolean)
returns table (
  ordinal integer, requests_per_minute bigint, tokens_per_minute bigint, concurrency bigint, requests bigint, tokens bigint,
  slots bigint, granted boolean[], waits_ms bigint[], short_of text[], request_parts bigint, token_parts bigint,
  slots_left bigint, share double precision
) language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  r record;
  p record;
  o record;
  b rate_buckets;
  l rate_leases;
  v_now bigint;
  v_need bigint;
  v_fits boolean;
  v_granted bigint;
  v_is_new boolean;
  v_wait_requests bigint;
  v_wait_tokens bigint;
  v_wait_slots bigint;
  v_call_back boolean;
begin
  perform require_live_epoch(p_epoch);
  perform wait_briefly();
  if p_waits then
    perform from (
      select * from jsonb_to_recordset(p_draws) as u (workspace_id uuid, project_id uuid)
      order by u.workspace_id, u.project_id
    ) q cross join lateral (
      select from rate_buckets x where x.workspace_id = q.workspace_id and x.project_id = q.project_id for update
    ) x;
  end if;

  for r in
    select * from jsonb_to_recordset(p_draws) as q (
      ordinal integer, workspace_id uuid, project_id uuid, is_first boolean, sequence bigint, taken bigint,
      running bigint, stock_requests bigint, stock_tokens bigint, stock_slots bigint,
      keep_requests bigint, keep_tokens bigint, keep_slots bigint,
      returned_requests bigint, returned_tokens bigint,
      target_requests bigint, target_tokens bigint, target_slots bigint, needs bigint[]
    ) order by q.workspace_id, q.project_id
  loop
    select * into b from rate_buckets
      where workspace_id = r.workspace_id and project_id = r.project_id for update skip locked;
    if not found then
      -- A project's row that is locked says that somebody else makes its bucket, or changes its limits.
      insert into rate_buckets (workspace_id, project_id)
        select x.workspace_id, x.id from projects x where x.workspace_id = r.workspace_id and x.id = r.project_id
          and not exists (select from rate_buckets y where y.workspace_id = x.workspace_id and y.project_id = x.id)
        for no key update skip locked
        on conflict do nothing;
      select * into b from rate_buckets
        where workspace_id = r.workspace_id and project_id = r.project_id for update skip locked;
      continue when not found and exists (
        select from projects x where x.workspace_id = r.workspace_id and x.id = r.project_id
      );
    end if;
    -- A project that is gone has no limits, and its keys don't work any more.
    select x.requests_per_minute::bigint as rpm, x.concurrency::bigint as slots,
        case when x.tokens_per_minute is not null then least(x.tokens_per_minute, 10000000000000) end as tpm
      into p from projects x where x.workspace_id = r.workspace_id and x.id = r.project_id;
    v_now := coalesce(p_now_ms, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
    select coalesce(sum(x.requests), 0)::bigint as requests, coalesce(sum(x.tokens), 0)::bigint as tokens,
        coalesce(sum(x.slots + x.running), 0)::bigint as slots,
        coalesce(sum(permits_taken(x.minute, x.taken, x.taken_before, v_now)), 0) as taken
      into o from rate_leases x
      where x.workspace_id = r.workspace_id and x.project_id = r.project_id and x.epoch_id <> p_epoch
        and (select e.fenced_at is null from epochs e where e.id = x.epoch_id);
    select * into l from rate_leases
      where workspace_id = r.workspace_id and project_id = r.project_id and epoch_id = p_epoch;
    if not found then
      l := (r.workspace_id, r.project_id, p_epoch, 0, 0, 0, 0, 0, '{}', 0, 0, 0);
    end if;

    b.request_parts := permit_parts(b.request_parts, p.rpm, v_now - b.refilled_ms, o.requests + l.requests);
    b.token_parts := permit_parts(b.token_parts, p.tpm, v_now - b.refilled_ms, o.tokens + l.tokens);
    b.refilled_ms := v_now;
    slots_left := p.slots - o.slots - l.running - l.slots;
    v_is_new := r.sequence > l.sequence
      and not (r.is_first is true and (l.requests <> 0 or l.tokens <> 0 or l.slots <> 0 or l.running <> 0));
    continue when r.is_first is true and not v_is_new and r.sequence <> l.sequence;

    if v_is_new then
      b.request_parts := permit_parts(
        b.request_parts + (r.stock_requests + r.returned_requests) * 60000::numeric, p.rpm, 0, o.requests);
      b.token_parts := permit_parts(
        b.token_parts + (r.stock_tokens + r.returned_tokens) * 60000::numeric, p.tpm, 0, o.tokens);
      slots_left := p.slots - o.slots - r.running;

      l.granted := '{}';
      v_granted := 0;
      foreach v_need in array r.needs loop
        v_fits := coalesce(b.request_parts >= 60000, true)
          and coalesce(b.token_parts >= least(v_need, p.tpm) * 60000, true)
          and coalesce(slots_left >= 1, true);
        l.granted := l.granted || v_fits;
        if v_fits then
          b.request_parts := b.request_parts - 60000;
          b.token_parts := b.token_parts - least(v_need, p.tpm) * 60000;
          slots_left := slots_left - 1;
          v_granted := v_granted + 1;
        end if;
      end loop;

      -- While anybody is refused, nothing is stocked.
      if v_granted < cardinality(r.needs) then
        r.target_requests := 0;
        r.target_tokens := 0;
        r.target_slots := 0;
      end if;
      l.requests := permit_stock(b.request_parts / 60000, p.rpm, r.keep_requests, r.target_requests);
      l.tokens := permit_stock(b.token_parts / 60000, p.tpm, r.keep_tokens, r.target_tokens);
      l.slots := permit_stock(slots_left, p.slots, r.keep_slots, r.target_slots);
      l.running := r.running + v_granted;
      b.request_parts := b.request_parts - l.requests * 60000;
      b.token_parts := b.token_parts - l.tokens * 60000;
      slots_left := slots_left - l.slots;

      l.taken_before := case v_now / 60000 - l.minute when 0 then l.taken_before when 1 then l.taken else 0 end;
      l.taken := case when l.minute = v_now / 60000 then l.taken else 0 end + r.taken + v_granted;
      l.minute := v_now / 60000;
      l.sequence := r.sequence;
    end if;

    waits_ms := '{}';
    short_of := '{}';
    v_call_back := false;
    for i in 1 .. cardinality(l.granted) loop
      v_wait_requests := permit_wait_ms(b.request_parts, 60000, p.rpm, o.requests);
      v_wait_tokens := permit_wait_ms(b.token_parts, least(r.needs[i], p.tpm) * 60000, p.tpm, o.tokens);
      v_wait_slots := case when slots_left < 1 then 1000 else 0 end;
      if l.granted[i] then
        waits_ms := waits_ms || 0::bigint;
        short_of := short_of || null::text;
      else
        waits_ms := waits_ms || greatest(1, v_wait_requests, v_wait_tokens, v_wait_slots);
        short_of := short_of || case greatest(v_wait_requests, v_wait_tokens, v_wait_slots)
          when v_wait_requests then 'requests' when v_wait_tokens then 'tokens' else 'concurrency' end;
        v_call_back := v_call_back or (v_wait_requests > 0 and o.requests > 0)
          or (v_wait_tokens > 0 and o.tokens > 0) or (v_wait_slots > 0 and o.slots > 0);
      end if;
    end loop;

    if v_is_new and b.project_id is not null then
      if v_call_back and abs(v_now - b.called_back_ms) >= 1000 then
        b.called_back_ms := v_now;
        insert into changes (kind, subject_id) values ('rate', r.project_id::text);
      end if;
      update rate_buckets set
        request_parts = b.request_parts, token_parts = b.token_parts,
        refilled_ms = b.refilled_ms, called_back_ms = b.called_back_ms
        where workspace_id = r.workspace_id and project_id = r.project_id;
      insert into rate_leases select l.*
        on conflict (workspace_id, project_id, epoch_id) do update set
          sequence = l.sequence, requests = l.requests, tokens = l.tokens, slots = l.slots, running = l.running,
          granted = l.granted, minute = l.minute, taken = l.taken, taken_before = l.taken_before;
    end if;

    ordinal := r.ordinal;
    requests_per_minute := p.rpm;
    tokens_per_minute := p.tpm;
    concurrency := p.slots;
    requests := l.requests;
    tokens := l.tokens;
    slots := l.slots;
    granted := l.granted;
    request_parts := b.request_parts;
    token_parts := b.token_parts;
    share := permits_taken(l.minute, l.taken, l.taken_before, v_now);
    share := case when share + o.taken > 0 then share / (share + o.taken) else 0 end;
    return next;
  end loop;
end $$;
