-- Rate limits, kept once for all processes. A limit of n a minute is a bucket of n permits, each of 60,000 parts, that
-- regains n parts a millisecond: whole numbers, so that a wait is exact. Processes draw permits into their stock. Stock
-- counts as if it still lay in the bucket, which is never fuller than n less all stock, so that no stretch of time sees
-- more than n + what is regained in it, whichever process lets the requests through. The stock of a fenced epoch doesn't
-- count any more: it regenerates.

drop table rate_buckets;

--   request_parts, token_parts   null: full; below zero where answers took more tokens than they were quoted
--   refilled_ms                  as of when, by the database's clock
--   called_back_ms               when processes were last told to give their stock back
create table rate_buckets (
  workspace_id uuid not null,
  project_id uuid not null,
  request_parts bigint,
  token_parts bigint,
  refilled_ms bigint not null default 0,
  called_back_ms bigint not null default 0,
  primary key (workspace_id, project_id),
  foreign key (workspace_id, project_id) references projects (workspace_id, id) on delete cascade
);

-- What one epoch has in stock, as of its last draw, and how many requests run in it.
--   sequence              number of the last draw applied; with granted, what a repeat of it is answered with
--   taken, taken_before   requests let through in the minute that `minute` counts from 1970, and in the one before
create table rate_leases (
  workspace_id uuid not null,
  project_id uuid not null,
  epoch_id bigint not null references epochs (id) on delete cascade,
  sequence bigint not null default 0,
  requests bigint not null default 0,
  tokens bigint not null default 0,
  slots bigint not null default 0,
  running bigint not null default 0,
  granted boolean[] not null default '{}',
  minute bigint not null default 0,
  taken bigint not null default 0,
  taken_before bigint not null default 0,
  primary key (workspace_id, project_id, epoch_id),
  foreign key (workspace_id, project_id) references rate_buckets (workspace_id, project_id) on delete cascade
);
create index rate_leases_epoch on rate_leases (epoch_id);

alter table changes drop constraint changes_kind_check;
alter table changes add constraint changes_kind_check
  check (kind in ('workspace', 'project', 'key', 'purse', 'catalogue', 'rate'));

-- What a bucket holds some milliseconds later, while that much is in stock. Null where there is no limit.
create function permit_parts(p_parts numeric, p_per_minute bigint, p_elapsed_ms bigint, p_in_stock bigint)
returns bigint language sql immutable as $$
  select case when p_per_minute is not null then greatest(
    -9000000000000000000,
    least(
      coalesce(p_parts, p_per_minute * 60000::numeric) + greatest(0, p_elapsed_ms)::numeric * p_per_minute,
      (p_per_minute - p_in_stock) * 60000::numeric
    )
  )::bigint end
$$;

-- The stock after a draw: a sixteenth of the limit at most, and half of it stays where every process can reach it.
create function permit_stock(p_left bigint, p_limit bigint, p_keep bigint, p_target bigint)
returns bigint language sql immutable as $$
  select case
    when p_limit is null then p_keep
    else greatest(p_keep, least(p_target, p_limit / 16, p_left - (p_limit + 1) / 2))
  end
$$;

-- How long until a bucket has the parts that are needed. Where others' stock is in the way, it is called back meanwhile.
create function permit_wait_ms(p_parts bigint, p_needed bigint, p_per_minute bigint, p_others_stock bigint)
returns bigint language sql immutable as $$
  select case
    when p_per_minute is null or p_parts >= p_needed then 0
    else greatest(
      ceil((p_needed::numeric - p_parts) / p_per_minute)::bigint,
      case when p_needed > (p_per_minute - p_others_stock) * 60000::numeric then 1000 else 0 end
    )
  end
$$;

-- The requests that an epoch let through in the last minute, of which one and a part are counted.
create function permits_taken(p_minute bigint, p_taken bigint, p_taken_before bigint, p_now_ms bigint)
returns double precision language sql immutable as $$
  select case p_now_ms / 60000 - p_minute
    when 0 then p_taken + p_taken_before * (60000 - p_now_ms % 60000) / 60000.0
    when 1 then p_taken * (60000 - p_now_ms % 60000) / 60000.0
    else 0
  end::double precision
$$;

-- Each draw brings the process's stock and what is to be corrected, takes what waits (each need is one request, one
-- slot and that many tokens: all or nothing), and answers with the stock from now on. A draw whose sequence number was
-- applied before changes nothing and is answered again. Buckets are locked in order; no lock on money is ever taken.
-- `p_now_ms` is the database's own clock unless given.
create function draw_permits(p_epoch bigint, p_draws jsonb, p_now_ms bigint default null)
returns table (
  ordinal integer,
  requests_per_minute bigint,
  tokens_per_minute bigint,
  concurrency bigint,
  requests bigint,
  tokens bigint,
  slots bigint,
  granted boolean[],
  waits_ms bigint[],
  short_of text[],
  request_parts bigint,
  token_parts bigint,
  slots_left bigint,
  share double precision
)
language plpgsql as $$
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

  insert into rate_buckets (workspace_id, project_id)
    select p.workspace_id, p.id from projects p
    join permit_draws(p_draws) q on q.workspace_id = p.workspace_id and q.project_id = p.id
    order by p.workspace_id, p.id
    on conflict do nothing;

  for r in select * from permit_draws(p_draws) q order by q.workspace_id, q.project_id loop
    select * into b from rate_buckets
      where workspace_id = r.workspace_id and project_id = r.project_id for update;
    -- A project that is gone has no limits, and its keys don't work any more.
    select x.requests_per_minute::bigint as rpm, x.concurrency::bigint as slots,
        case when x.tokens_per_minute is not null then least(x.tokens_per_minute, 10000000000000) end as tpm
      into p from projects x where x.workspace_id = r.workspace_id and x.id = r.project_id;
    delete from rate_leases x using epochs e
      where x.workspace_id = r.workspace_id and x.project_id = r.project_id
        and e.id = x.epoch_id and e.fenced_at is not null;
    v_now := coalesce(p_now_ms, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
    select coalesce(sum(x.requests), 0)::bigint as requests, coalesce(sum(x.tokens), 0)::bigint as tokens,
        coalesce(sum(x.slots + x.running), 0)::bigint as slots,
        coalesce(sum(permits_taken(x.minute, x.taken, x.taken_before, v_now)), 0) as taken
      into o from rate_leases x
      where x.workspace_id = r.workspace_id and x.project_id = r.project_id and x.epoch_id <> p_epoch;
    select * into l from rate_leases
      where workspace_id = r.workspace_id and project_id = r.project_id and epoch_id = p_epoch;
    if not found then
      l := (r.workspace_id, r.project_id, p_epoch, 0, 0, 0, 0, 0, '{}', 0, 0, 0);
    end if;

    b.request_parts := permit_parts(b.request_parts, p.rpm, v_now - b.refilled_ms, o.requests + l.requests);
    b.token_parts := permit_parts(b.token_parts, p.tpm, v_now - b.refilled_ms, o.tokens + l.tokens);
    b.refilled_ms := v_now;
    slots_left := p.slots - o.slots - l.running - l.slots;
    v_is_new := r.sequence > l.sequence;

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

-- The draws of one statement as rows.
create function permit_draws(p_draws jsonb)
returns table (
  ordinal integer,
  workspace_id uuid,
  project_id uuid,
  sequence bigint,
  taken bigint,
  running bigint,
  stock_requests bigint,
  stock_tokens bigint,
  stock_slots bigint,
  keep_requests bigint,
  keep_tokens bigint,
  keep_slots bigint,
  returned_requests bigint,
  returned_tokens bigint,
  target_requests bigint,
  target_tokens bigint,
  target_slots bigint,
  needs bigint[]
)
language sql stable as $$
  select * from jsonb_to_recordset(p_draws) as q (
    ordinal integer, workspace_id uuid, project_id uuid, sequence bigint, taken bigint, running bigint,
    stock_requests bigint, stock_tokens bigint, stock_slots bigint,
    keep_requests bigint, keep_tokens bigint, keep_slots bigint,
    returned_requests bigint, returned_tokens bigint,
    target_requests bigint, target_tokens bigint, target_slots bigint, needs bigint[]
  )
$$;
