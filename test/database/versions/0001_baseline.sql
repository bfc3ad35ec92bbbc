set local check_function_bodies = off;

create table if not exists schema_migrations (
  name text primary key,
  sha256 text not null,
  applied_at timestamptz not null default now()
);
create table if not exists schema_functions (
  name text primary key,
  sha256 text not null,
  applied_at timestamptz not null default now()
);

\i migrations/0001_baseline.sql
-- Sets the limit of a project's current window, by the database's clock, and brings what that window has spent up to its
-- receipts. The caller has locked the project's row.
create or replace function apply_budget(p projects) returns void language plpgsql as $$
declare
  v_start timestamptz := case p.budget_period
    when 'never' then to_timestamp(0) else date_trunc(p.budget_period, clock_timestamp(), 'UTC') end;
  v_end timestamptz := case when p.budget_period <> 'never' then
    (v_start at time zone 'UTC' + ('1 ' || p.budget_period)::interval) at time zone 'UTC' end;
  -- A request's id is older than its admission by less than an hour, so receipts of a window can be sought by id.
  v_from uuid := rpad(
    lpad(to_hex(greatest(0, floor(extract(epoch from v_start) * 1000)::bigint - 3600000)), 12, '0'), 32, '0')::uuid;
  v_purse bigint;
begin
  -- The purse is written first, limit and all, because that locks it: what it has spent stands still while it is compared
  -- with the receipts.
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd)
    values (p.workspace_id, 'project', p.id, p.budget_period, v_start, v_end, p.budget_nano_usd)
    on conflict (workspace_id, kind, subject_id, period, window_start)
      do update set limit_nano_usd = excluded.limit_nano_usd
    returning id into v_purse;
  -- What the purse lacks of its window's receipts was charged to the purse of another period. Corrections count on both
  -- sides: what a receipt's purse was given back is lacking nowhere. Receipts that were dropped are counted by their
  -- sealed totals; only windows without an end reach so far back.
  with window_receipts as (
    select r.request_id, r.charge_nano_usd from receipts r
    where r.workspace_id = p.workspace_id and r.project_id = p.id and r.request_id >= v_from
      and r.admitted_at >= v_start and (v_end is null or r.admitted_at < v_end)
  )
  update purses set opening_nano_usd = opening_nano_usd + lacking.amount, spent_nano_usd = spent_nano_usd + lacking.amount
  from (
    select greatest(0, charged.amount + dropped.amount - corrections.amount
      - (purse.spent_nano_usd - purse.corrected_nano_usd) - leased.amount) as amount
    from purses purse
    cross join (select coalesce(sum(charge_nano_usd), 0)::bigint as amount from window_receipts) charged
    cross join (
      select coalesce(sum(total.charge_nano_usd), 0)::bigint as amount from partition_totals total
      join sealed_partitions sealed on sealed.name = total.partition and sealed.dropped_at is not null
      join purses other on other.id = total.purse_id and other.kind = 'project' and other.subject_id = p.id
      where v_end is null
    ) dropped
    cross join (
      select coalesce(sum(q.amount_nano_usd), 0)::bigint as amount from window_receipts
      join postings q on q.workspace_id = p.workspace_id and q.receipt_request_id = window_receipts.request_id
    ) corrections
    cross join (select coalesce(sum(charged_nano_usd), 0)::bigint as amount from leases where purse_id = v_purse) leased
    where purse.id = v_purse
  ) lacking
  where purses.id = v_purse and lacking.amount > 0;
  insert into changes (kind, subject_id) values ('purse', v_purse::text);
end $$;

-- Bounds the transaction that calls it: PostgreSQL ends the transaction, and its connection, after this time. A connection
-- may stand still after its statement has run, because its process or the network does, and the locks would outlive the
-- statement. Behind a pooler nothing may be set for a session, so each transaction bounds itself. Before PostgreSQL 17
-- nothing is bounded: fencing the epoch ends the connections that stand in the way.
create or replace function bound_transaction(p_most text default '5s') returns void language plpgsql as $$
begin
  if current_setting('server_version_num')::integer >= 170000 then
    perform set_config('transaction_timeout', p_most, true);
  end if;
end $$;

-- Returns the request that a late receipt's idempotency key belongs to by now, if that is another one: the receipt then
-- charges nothing. Otherwise null; a whole answer then takes the claim, if it is free or lost, as a repeated request would,
-- and the caller's statement completes it.
create or replace function claim_for_late_receipt(p_epoch bigint, l late_receipt) returns uuid language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_admitted timestamptz := to_timestamp(l.admitted_ms / 1000);
  r record;
begin
  if l.idempotency_key is null then
    return null;
  end if;
  if l.whole then
    insert into idempotent_requests (workspace_id, key_id, idempotency_key, epoch_id, request_id, claimed_at)
      values (l.workspace, l.key, l.idempotency_key, p_epoch, l.request, v_admitted)
      on conflict do nothing;
  end if;
  perform from idempotent_requests i
    where i.workspace_id = l.workspace and i.key_id = l.key and i.idempotency_key = l.idempotency_key
    for update;
  select
      i.request_id, i.superseded_request_id,
      i.claimed_at >= v_admitted + interval '24 hours' as is_another_use,
      i.completed_at is null and not exists (
        select from epochs e where e.id = i.epoch_id and e.fenced_at is null
      ) as is_free
    into r
    from idempotent_requests i
    where i.workspace_id = l.workspace and i.key_id = l.key and i.idempotency_key = l.idempotency_key;
  if not found or r.request_id = l.request then
    return null;
  elsif r.is_another_use then
    return case when r.superseded_request_id = l.request then r.request_id end;
  elsif not r.is_free then
    return r.request_id;
  end if;
  if l.whole then
    update idempotent_requests i
      set request_id = l.request, epoch_id = p_epoch, superseded_request_id = r.request_id
      where i.workspace_id = l.workspace and i.key_id = l.key and i.idempotency_key = l.idempotency_key;
  end if;
  return null;
end $$;

-- Claims a key for a request, or reports the request that has it. Repeating it for the same request changes nothing.
--   claimed     this request may run
--   running     another request with the same body runs
--   mismatch    the key was used for another body
--   done        `answer` is to be replayed; null if it was not kept
--   cancelled   this request has given its claim up
-- A claim is free after a day, and if its epoch is fenced before it is completed.
create or replace function claim_idempotency_key(
  p_epoch bigint, p_workspace uuid, p_key uuid, p_idempotency_key text, p_body bytea, p_request uuid
) returns table (state text, request_id uuid, answer bytea) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  r record;
begin
  perform require_live_epoch(p_epoch);
  perform pg_advisory_xact_lock(hashtextextended('claim of request ' || p_request, 0));
  if exists (select from cancelled_claims c where c.request_id = p_request) then
    return query select 'cancelled', p_request, null::bytea;
    return;
  end if;
  loop
    insert into idempotent_requests (workspace_id, key_id, idempotency_key, body_sha256, epoch_id, request_id)
      values (p_workspace, p_key, p_idempotency_key, p_body, p_epoch, p_request)
      on conflict do nothing;
    if found then
      return query select 'claimed', p_request, null::bytea;
      return;
    end if;
    -- The claim and its epoch are read in one snapshot: each claim that it shows is of an epoch that it shows too.
    select
        i.*,
        i.claimed_at < now() - interval '24 hours' as is_expired,
        i.completed_at is null and (i.request_id = p_request or i.body_sha256 = p_body and not exists (
          select from epochs e where e.id = i.epoch_id and e.fenced_at is null
        )) as is_free
      into r
      from idempotent_requests i
      where i.workspace_id = p_workspace and i.key_id = p_key and i.idempotency_key = p_idempotency_key;
    continue when not found;
    exit when not (r.is_expired or r.is_free);
    update idempotent_requests i set
        body_sha256 = p_body, epoch_id = p_epoch, request_id = p_request, claimed_at = now(), completed_at = null, answer = null,
        superseded_request_id = case
          when r.is_expired or r.request_id = p_request then i.superseded_request_id else r.request_id
        end
      where i.workspace_id = p_workspace and i.key_id = p_key and i.idempotency_key = p_idempotency_key
        and i.request_id = r.request_id and i.completed_at is not distinct from r.completed_at;
    if found then
      return query select 'claimed', p_request, null::bytea;
      return;
    end if;
  end loop;
  if r.body_sha256 <> p_body then
    return query select 'mismatch', r.request_id, null::bytea;
  elsif r.completed_at is null then
    return query select 'running', r.request_id, null::bytea;
  else
    return query select 'done', r.request_id, r.answer;
  end if;
end $$;

-- `draw_leases`, whose locks end with it: a procedure may commit, if it has no settings of its own. Amounts are text, because a
-- number in JSON holds less than they do.
create or replace procedure commit_draw_leases(p_epoch bigint, p_requests jsonb, p_waits boolean, out leases json)
language plpgsql as $$
begin
  select json_agg(json_build_object(
      'ordinal', d.ordinal,
      'purse_id', d.purse_id::text,
      'limit_nano_usd', d.limit_nano_usd::text,
      'spent_by_others_nano_usd', d.spent_by_others_nano_usd::text,
      'available_nano_usd', d.available_nano_usd::text,
      'granted_nano_usd', d.granted_nano_usd::text,
      'open', d.open,
      'mode', d.mode,
      'sequence', d.sequence::text
    )) into leases
    from draw_leases(p_epoch, p_requests, p_waits) d;
  commit;
end $$;

-- `draw_permits`, whose locks end with it.
create or replace procedure commit_draw_permits(p_epoch bigint, p_draws jsonb, p_now_ms bigint, p_waits boolean, out permits json)
language plpgsql as $$
begin
  select json_agg(d) into permits from draw_permits(p_epoch, p_draws, p_now_ms, p_waits) d;
  commit;
end $$;

-- `look_up_keys`, whose locks end with it.
create or replace procedure commit_look_up_keys(
  p_epoch bigint, p_secrets bytea[],
  p_periods text[], p_starts timestamptz[], p_ends timestamptz[],
  p_sequence bigint, p_ahead bigint, p_permit_sequence bigint, p_tokens bigint,
  out principals json, out leases json, out permits json
) language plpgsql as $$
begin
  select l.principals, l.leases, l.permits into principals, leases, permits
    from look_up_keys(
      p_epoch, p_secrets, p_periods, p_starts, p_ends, p_sequence, p_ahead, p_permit_sequence, p_tokens
    ) l;
  commit;
end $$;

-- `reap_epoch`, whose locks end with it, where the epoch is fenced.
create or replace procedure commit_reap_epoch(
  p_epoch bigint, p_after bigint, p_most integer, p_waits boolean, out last_purse bigint, out busy bigint[]
) language plpgsql as $$
begin
  select r.last_purse, r.busy into last_purse, busy
    from epochs cross join lateral reap_epoch(id, p_after, p_most, p_waits) r
    where id = p_epoch and fenced_at is not null;
  commit;
end $$;

-- `release_leases`, whose locks end with it.
create or replace procedure commit_release_leases(
  p_epoch bigint, p_purses bigint[], p_charged bigint[], p_sequences bigint[], p_waits boolean, out free bigint[]
) language plpgsql as $$
begin
  free := array(select release_leases(p_epoch, p_purses, p_charged, p_sequences, p_waits));
  commit;
end $$;

-- `settle_late_receipts`, with the claims that the receipts complete; its locks end with it.
create or replace procedure commit_settle_late_receipts(
  p_epoch bigint, p_receipts jsonb,
  p_workspaces uuid[], p_keys uuid[], p_idempotency_keys text[], p_requests uuid[], p_answers bytea[]
) language plpgsql as $$
begin
  perform settle_late_receipts(p_epoch, p_receipts);
  perform complete_idempotent_requests(p_workspaces, p_keys, p_idempotency_keys, p_requests, p_answers);
  commit;
end $$;

-- `settle_receipts`, or `settle_receipts_again`, with the claims that the receipts complete, if any; its locks end with it.
create or replace procedure commit_settle_receipts(
  p_epoch bigint, p_purses bigint[], p_amounts bigint[],
  p_context_ids uuid[], p_context_numbers bigint[], p_models text[],
  p_requests uuid[], p_charges bigint[], p_numbers bigint[], p_attempts jsonb, p_client_requests text[],
  p_claim_workspaces uuid[] default null, p_claim_keys uuid[] default null, p_idempotency_keys text[] default null,
  p_claim_requests uuid[] default null, p_answers bytea[] default null,
  p_is_repeat boolean default false
) language plpgsql as $$
begin
  if p_is_repeat then
    perform settle_receipts_again(
      p_epoch, p_purses, p_amounts, p_context_ids, p_context_numbers, p_models,
      p_requests, p_charges, p_numbers, p_attempts, p_client_requests
    );
  else
    perform settle_receipts(
      p_epoch, p_purses, p_amounts, p_context_ids, p_context_numbers, p_models,
      p_requests, p_charges, p_numbers, p_attempts, p_client_requests
    );
  end if;
  if p_claim_requests is not null then
    perform complete_held_claims(p_claim_workspaces, p_claim_keys, p_idempotency_keys, p_claim_requests, p_answers);
  end if;
  commit;
end $$;

-- Completes the claims of receipts that are settled by their leases. If a claim is no longer its request's, the batch is
-- refused (FG003): that receipt is settled late, by itself.
create or replace function complete_held_claims(
  p_workspace uuid[], p_key uuid[], p_idempotency_key text[], p_request uuid[], p_answer bytea[]
) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_gone bigint;
begin
  perform lock_claims(p_workspace, p_key, p_idempotency_key);
  perform complete_idempotent_requests(p_workspace, p_key, p_idempotency_key, p_request, p_answer);
  select count(*) into v_gone
    from unnest(p_workspace, p_key, p_idempotency_key, p_request) as q (workspace, key, idempotency_key, request)
    where not exists (
      select from idempotent_requests i
      where i.workspace_id = q.workspace and i.key_id = q.key and i.idempotency_key = q.idempotency_key
        and i.request_id = q.request
    );
  if v_gone > 0 then
    raise exception '% claims of idempotency keys are gone', v_gone using errcode = 'FG003';
  end if;
end $$;

-- Completes claims with their answers; each only by the request that holds it.
create or replace function complete_idempotent_requests(
  p_workspace uuid[], p_key uuid[], p_idempotency_key text[], p_request uuid[], p_answer bytea[]
) returns void language sql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  update idempotent_requests i set completed_at = now(), answer = q.answer
  from unnest(p_workspace, p_key, p_idempotency_key, p_request, p_answer) as q (workspace, key, idempotency_key, request, answer)
  where i.workspace_id = q.workspace and i.key_id = q.key and i.idempotency_key = q.idempotency_key
    and i.request_id = q.request and i.completed_at is null;
$$;

-- Corrects what a request is charged: posts the difference as an adjustment that names the receipt, and counts it in the
-- project's and the key's purse that the receipt charged.
create or replace function correct_receipt(
  p_id uuid, p_workspace uuid, p_request uuid, p_charge bigint, p_actor text, p_reason text, p_once text
) returns posted language plpgsql as $$
declare
  r posted;
  v_receipt record;
  v_corrected bigint;
  v_until bigint;
begin
  perform bound_transaction();
  select charge_nano_usd as charge, hold_nano_usd as hold, credit_purse_id as credit,
      array[project_purse_id, key_purse_id] as purses
    into strict v_receipt from receipts where workspace_id = p_workspace and request_id = p_request;
  if p_charge < 0 or p_charge > v_receipt.hold then
    raise exception 'a request is charged from nothing to what it held' using errcode = 'check_violation';
  end if;
  perform from purses where id = any (v_receipt.purses || v_receipt.credit::bigint) order by id for no key update;
  -- Another correction may have been made while this one waited for the locks.
  if p_once is not null then
    select q into r.posting from postings q where q.workspace_id = p_workspace and q.once = p_once;
    if found then
      select coalesce(sum(q.amount_nano_usd), 0) into v_until from postings q
        where q.workspace_id = p_workspace and q.receipt_request_id = p_request and q.number <= (r.posting).number;
      r.outcome := case
        when (r.posting).receipt_request_id = p_request and (r.posting).reason = p_reason
          and v_receipt.charge - v_until = p_charge then 'repeated'
        else 'other_once'
      end;
      return r;
    end if;
  end if;
  select coalesce(sum(q.amount_nano_usd), 0) into v_corrected from postings q
    where q.workspace_id = p_workspace and q.receipt_request_id = p_request;
  if v_receipt.charge - v_corrected = p_charge then
    r.outcome := 'unchanged';
    return r;
  end if;
  r := post_credit(
    p_id, p_workspace, 'adjustment', v_receipt.charge - v_corrected - p_charge, p_actor, p_reason, p_once, p_request);
  if r.outcome = 'posted' then
    insert into purse_corrections (posting_id, purse_id, amount_nano_usd)
      select p_id, purse, (r.posting).amount_nano_usd from unnest(v_receipt.purses) as purse;
    update purses set corrected_nano_usd = corrected_nano_usd + (r.posting).amount_nano_usd
      where id = any (v_receipt.purses);
    insert into changes (kind, subject_id) select 'purse', purse::text from unnest(v_receipt.purses) as purse;
  end if;
  return r;
end $$;

-- Sets each lease to what the process keeps plus what the purse can add. A request whose sequence number was applied
-- before changes nothing and reports the lease as it stands, with the number that it stands by; a first one that finds a
-- lease reports nothing. A purse that another transaction has locked is passed over, and has no row in the result; with
-- `p_waits` its lock is waited for, briefly.
--
-- A new lease is written once its purse is locked, so that no two transactions ever wait for each other with it. The
-- requests come as `find_purses` returns them.
create or replace function draw(p_epoch bigint, p_requests draw_request[], p_waits boolean)
returns table (
  ordinal integer, subject_id uuid, purse_id bigint, limit_nano_usd bigint, spent_by_others_nano_usd bigint,
  available_nano_usd bigint, granted_nano_usd bigint, open boolean, mode text, sequence bigint
) language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_request draw_request;
  r record;
  v_requests draw_request[] := p_requests;
  v_available bigint;
  v_in_use bigint;
  v_taken bigint;
  v_needed bigint;
  v_need bigint;
  v_unmet boolean;
  v_ahead bigint;
  v_applies boolean;
  v_purses bigint[] := '{}';
  v_granted bigint[] := '{}';
  v_open boolean[] := '{}';
  v_sequences bigint[] := '{}';
  v_leased bigint[] := '{}';
  v_modes text[] := '{}';
begin
  perform require_live_epoch(p_epoch);

  perform wait_briefly();
  if v_requests[1].purse is null then
    if p_waits then
      perform from unnest(v_requests) q cross join lateral (
        select from keys k where q.purse is null and q.kind = 'key' and k.id = q.subject_id for no key update
      ) k;
      perform from unnest(v_requests) q cross join lateral (
        select from projects x where q.purse is null and q.kind = 'project' and x.id = q.subject_id for no key update
      ) x;
    end if;
    perform open_purses(v_requests);
    v_requests := find_purses(p_requests);
    foreach v_request in array v_requests loop
      exit when v_request.purse is not null;
      if not exists (
        select from keys k
        where v_request.kind = 'key' and k.id = v_request.subject_id and (k.workspace_id = v_request.workspace_id) is true
      ) and not exists (
        select from projects x
        where v_request.kind = 'project' and x.id = v_request.subject_id and (x.workspace_id = v_request.workspace_id) is true
      ) then
        raise exception 'no % % to open a purse for', v_request.kind, v_request.subject_id;
      end if;
    end loop;
  end if;
  v_requests := array(
    select u from unnest(v_requests) u
    join unnest(lock_purses(p_epoch, array(select x.purse from unnest(v_requests) x where x.purse is not null), p_waits))
      as locked (purse) on locked.purse = u.purse
    order by u.purse
  );

  -- What is owed counts as spent, what corrections gave back does not. (This is not written back.)
  for r in
    select q.ordinal, q.subject_id, q.purse, q.sequence, q.keep, q.slack, q.needs, q.ahead, q.is_first,
      coalesce(l.granted_nano_usd, 0) as granted, coalesce(l.charged_nano_usd, 0) as charged,
      coalesce(l.open, false) as is_open, coalesce(l.sequence, 0) as lease_sequence,
      p.limit_nano_usd as purse_limit, p.spent_nano_usd + p.owed_nano_usd - p.corrected_nano_usd as spent,
      p.leased_nano_usd as leased, p.mode as purse_mode,
      o.charged_by_others, o.charged_closed, o.charged_foreign_open, o.is_foreign_open
    from unnest(v_requests) q
    cross join lateral (select * from purses x where x.id = q.purse offset 0) p
    left join lateral (select * from leases x where x.epoch_id = p_epoch and x.purse_id = q.purse offset 0) l on true
    cross join lateral (
      -- Another epoch's open lease has no bound yet, so nothing is drawn until it has turned into a closed one; that of
      -- a fenced epoch grows no more, so its charges are all it will take.
      select coalesce(sum(x.charged_nano_usd) filter (where x.epoch_id <> p_epoch), 0)::bigint as charged_by_others,
        coalesce(sum(x.charged_nano_usd) filter (where not x.open), 0)::bigint as charged_closed,
        coalesce(sum(x.charged_nano_usd) filter (where x.open and x.epoch_id <> p_epoch), 0)::bigint
          as charged_foreign_open,
        coalesce(bool_or(case when x.open and x.epoch_id <> p_epoch then
          (select e.fenced_at is null from epochs e where e.id = x.epoch_id)
        end), false) as is_foreign_open
      from leases x where x.purse_id = q.purse
    ) o
  loop
    v_applies := case when r.is_first then r.lease_sequence = 0 else r.lease_sequence < r.sequence end;
    continue when r.is_first and not v_applies and r.lease_sequence <> r.sequence;

    if v_applies then
      if not r.is_open then
        r.leased := r.leased - r.granted;
      elsif r.purse_limit is not null then
        r.charged_closed := r.charged_closed + r.charged;
      end if;

      if r.purse_limit is null then
        r.is_open := true;
        r.granted := 0;
      else
        v_available := r.purse_limit - r.spent - r.leased - r.charged_foreign_open - r.keep;
        v_in_use := r.leased + r.keep - r.charged_closed;
        v_taken := 0;
        v_unmet := false;
        foreach v_need in array r.needs loop
          if v_need <= v_available + r.slack - v_taken and not r.is_foreign_open then
            v_taken := v_taken + v_need;
          else
            v_unmet := true;
          end if;
        end loop;
        v_needed := greatest(0, v_taken - r.slack);
        v_ahead := case when r.is_foreign_open then 0 else least(r.ahead, greatest(0, v_available / 8)) end;

        if r.purse_mode = 'wet'
            and (v_unmet or v_available - v_needed - v_ahead < 2::numeric * (v_in_use + v_needed + v_ahead)) then
          r.purse_mode := 'dry';
          insert into changes (kind, subject_id) values ('purse', r.purse::text);
        elsif r.purse_mode = 'dry' and not v_unmet and v_available - v_needed > 4::numeric * (v_in_use + v_needed) then
          r.purse_mode := 'wet';
        end if;

        r.is_open := false;
        r.granted := r.keep + v_needed + case when r.purse_mode = 'wet' then v_ahead else 0 end;
        r.leased := r.leased + r.granted;
      end if;

      v_purses := v_purses || r.purse;
      v_granted := v_granted || r.granted;
      v_open := v_open || r.is_open;
      v_sequences := v_sequences || r.sequence;
      v_leased := v_leased || r.leased;
      v_modes := v_modes || r.purse_mode;
    end if;

    ordinal := r.ordinal;
    subject_id := r.subject_id;
    purse_id := r.purse;
    limit_nano_usd := r.purse_limit;
    spent_by_others_nano_usd := r.spent + r.charged_by_others;
    available_nano_usd := r.purse_limit - r.spent - r.leased - r.charged_foreign_open;
    granted_nano_usd := r.granted;
    open := r.is_open;
    mode := r.purse_mode;
    sequence := case when v_applies then r.sequence else r.lease_sequence end;
    return next;
  end loop;

  if v_purses <> '{}' then
    update purses x set leased_nano_usd = q.leased, mode = q.mode
      from unnest(v_purses, v_leased, v_modes) as q (purse, leased, mode)
      where x.id = any (array[q.purse])
        and (x.leased_nano_usd, x.mode) is distinct from (q.leased, q.mode);
    insert into leases as l (epoch_id, purse_id, granted_nano_usd, open, sequence)
      select p_epoch, q.purse, q.granted, q.is_open, q.sequence
      from unnest(v_purses, v_granted, v_open, v_sequences) as q (purse, granted, is_open, sequence)
      on conflict (epoch_id, purse_id) do update set
        granted_nano_usd = excluded.granted_nano_usd, open = excluded.open, sequence = excluded.sequence;
  end if;
end $$;

-- The draw of a process that knows its leases, with the requests as JSON.
create or replace function draw_leases(p_epoch bigint, p_requests jsonb, p_waits boolean)
returns table (
  ordinal integer, purse_id bigint, limit_nano_usd bigint, spent_by_others_nano_usd bigint, available_nano_usd bigint,
  granted_nano_usd bigint, open boolean, mode text, sequence bigint
) language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  return query select
    d.ordinal, d.purse_id, d.limit_nano_usd, d.spent_by_others_nano_usd, d.available_nano_usd, d.granted_nano_usd,
    d.open, d.mode, d.sequence
  from draw(p_epoch, find_purses(array(
    select row(
      q.ordinal, q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end,
      q.sequence, q.keep, q.slack, q.needs, q.ahead, false, null
    )::draw_request
    from jsonb_to_recordset(p_requests) as q (
      ordinal integer, workspace_id uuid, kind text, subject_id uuid, period text,
      window_start timestamptz, window_end timestamptz,
      sequence bigint, keep bigint, slack bigint, needs bigint[], ahead bigint
    )
  )), p_waits) d;
end $$;

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

-- Ends the connections that keep an epoch from being fenced: their statements have run, or can't end, and their process may
-- stand still for good. Returns how many; none if this role may not.
create or replace function end_statements_of(p_epoch bigint) returns integer language plpgsql as $$
declare
  v_waiting integer[];
begin
  v_waiting := array(
    select l.pid from epochs e join pg_locks l on l.locktype = 'tuple' and l.relation = 'epochs'::regclass
      and l.database = (select oid from pg_database where datname = current_database())
      and format('(%s,%s)', l.page, l.tuple)::tid = e.ctid
    where e.id = p_epoch
  );
  return (
    select count(*) filter (where pg_terminate_backend(pid))
    from (select distinct unnest(pg_blocking_pids(waiting)) as pid from unnest(v_waiting) as waiting) blocking
    where pid <> all (v_waiting)
  );
exception when insufficient_privilege then
  return 0;
end $$;

-- Declares an epoch dead; with a heartbeat, only if it has sent none since. The exclusive lock waits for the epoch's
-- statements that are under way, so that none of them follows once this has returned. False: it lives, or there is none.
create or replace function fence_epoch(p_epoch bigint, p_heartbeat timestamptz) returns boolean language plpgsql as $$
declare
  e epochs;
begin
  select * into e from epochs where id = p_epoch for update;
  if not found or e.fenced_at is null and e.heartbeat_at <> p_heartbeat then
    return false;
  end if;
  update epochs set fenced_at = clock_timestamp() where id = p_epoch and fenced_at is null;
  return true;
end $$;

-- Resolves keys to their holders by the SHA-256 of their secrets. No row: the key is unknown or revoked, or its project or
-- workspace is archived.
create or replace function find_principals(p_secrets bytea[])
returns table (
  ordinal integer,
  workspace_id uuid,
  project_id uuid,
  key_id uuid,
  project_models text[],
  key_models text[],
  expires_ms double precision,
  requests_per_minute bigint,
  tokens_per_minute bigint,
  concurrency bigint,
  budget_period text
)
language plpgsql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    select (q.number - 1)::integer, k.workspace_id, k.project_id, k.id, p.models, k.models,
      (extract(epoch from k.expires_at) * 1000)::double precision,
      p.requests_per_minute::bigint, p.tokens_per_minute, p.concurrency::bigint, p.budget_period
    from unnest(p_secrets) with ordinality as q (secret, number)
    cross join lateral (select * from keys x where x.secret_sha256 = q.secret offset 0) k
    cross join lateral (select * from projects x where x.id = k.project_id offset 0) p
    cross join lateral (select * from workspaces x where x.id = k.workspace_id offset 0) w
    -- Apart, so that no index of what is not archived is read from end to end for it.
    where k.revoked_at is null and p.archived_at is null and w.archived_at is null;
end $$;

-- The requests with the ids of their purses, in the order in which leases and purses are locked.
create or replace function find_purses(p_requests draw_request[]) returns draw_request[]
language plpgsql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select row(
      q.ordinal, q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end,
      q.sequence, q.keep, q.slack, q.needs, q.ahead, q.is_first, p.id
    )::draw_request
    from unnest(p_requests) q
    left join lateral (
      select id from purses x
      where x.workspace_id = q.workspace_id and x.kind = q.kind and x.subject_id = q.subject_id
        and x.period = q.period and x.window_start = q.window_start
      offset 0
    ) p on true
    order by p.id nulls first
  );
end $$;

-- An id that never means two things, even after a failover to a server that lacks the last commits: sequences go back with
-- them. So it is made of the time as well: milliseconds since 1970, then twenty bits that count.
create or replace function fresh_id() returns bigint language sql volatile as $$
  select (floor(extract(epoch from clock_timestamp()) * 1000)::bigint << 20) | (nextval('fresh_ids') & 1048575)
$$;

-- Gives back an epoch's leases of these purses, which the caller has locked.
create or replace function give_back_leases(p_epoch bigint, p_purses bigint[]) returns void
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  with gone as (
    delete from leases l using (select p_epoch as epoch, u.purse from unnest(p_purses) as u (purse) offset 0) q
    where l.epoch_id = any (array[q.epoch]) and l.purse_id = any (array[q.purse])
    returning l.purse_id, l.granted_nano_usd, l.charged_nano_usd, l.open
  )
  update purses p set
    spent_nano_usd = p.spent_nano_usd + g.charged_nano_usd,
    leased_nano_usd = p.leased_nano_usd - case when g.open then 0 else g.granted_nano_usd end
  from gone g where p.id = any (array[g.purse_id]);
end $$;

-- The purses that a receipt charges, credit first; null for one that is not there.
create or replace function late_purses(l late_receipt) returns bigint[] language sql stable as $$
  select array[
    (select id from purses p where p.id = l.credit_purse),
    coalesce(
      (select id from purses p where p.id = l.project_purse),
      (select id from purses p where p.workspace_id = l.workspace and p.kind = 'project' and p.subject_id = l.project
        and p.period = l.project_period and p.window_start = l.project_start)
    ),
    coalesce(
      (select id from purses p where p.id = l.key_purse),
      (select id from purses p where p.workspace_id = l.workspace and p.kind = 'key' and p.subject_id = l.key
        and p.period = l.key_period and p.window_start = l.key_start)
    )
  ]
$$;

-- The receipts of one statement as rows.
create or replace function late_receipts(p_receipts jsonb) returns setof late_receipt language sql stable as $$
  select * from jsonb_populate_recordset(null::late_receipt, p_receipts)
$$;

-- Keeps postings, entries and corrections from being changed or deleted.
create or replace function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

-- Double entry: the entries of a posting sum to zero when its transaction commits.
create or replace function ledger_posting_balances() returns trigger language plpgsql as $$
begin
  if (select sum(amount_nano_usd) from ledger_entries where posting_id = new.posting_id) <> 0 then
    raise exception 'ledger posting % does not balance', new.posting_id;
  end if;
  return null;
end $$;

-- Locks claims in the order of their keys, so that two batches never wait for each other.
create or replace function lock_claims(p_workspace uuid[], p_key uuid[], p_idempotency_key text[]) returns void language sql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select from idempotent_requests i
    join unnest(p_workspace, p_key, p_idempotency_key) as q (workspace, key, idempotency_key)
      on i.workspace_id = q.workspace and i.key_id = q.key and i.idempotency_key = q.idempotency_key
    order by i.workspace_id, i.key_id, i.idempotency_key
    for update of i
$$;

-- Locks purses, and the epoch's leases of them, and returns those that are locked now, in the order of locks. Those that
-- another transaction has locked are passed over; with `p_waits` their locks are waited for, briefly.
create or replace function lock_purses(p_epoch bigint, p_purses bigint[], p_waits boolean) returns bigint[]
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  if p_waits then
    perform from (select * from unnest(p_purses) as u (purse) order by purse) q cross join lateral (
      select from leases l where l.epoch_id = p_epoch and l.purse_id = q.purse for update
    ) l;
    perform from (select * from unnest(p_purses) as u (purse) order by purse) q cross join lateral (
      select from purses p where p.id = q.purse for no key update
    ) p;
  end if;
  return array(
    select q.purse from (
      select u.purse from unnest(p_purses) as u (purse)
      left join lateral (
        select true as is_locked from leases l where l.epoch_id = p_epoch and l.purse_id = u.purse for update skip locked
      ) l on true
      where l.is_locked
        or not exists (select from leases x where x.epoch_id = p_epoch and x.purse_id = u.purse offset 0)
      offset 0
    ) q
    cross join lateral (select from purses p where p.id = q.purse for no key update skip locked) p
    order by q.purse
  );
end $$;

-- Looks keys up, and makes the first draws of those purses and projects that this epoch has no lease of yet. An unknown key
-- draws nothing and locks nothing. What another transaction has locked is drawn later, like any purse that the epoch has
-- no lease of.
--   p_periods, p_starts, p_ends     the current windows, as the process sees them
--   p_sequence, p_ahead             of the draws of purses
--   p_permit_sequence, p_tokens     of the draws of permits: a request, a place and so many tokens for each key, and once
--                                   more, so that the first request leaves as much as it takes
-- Sent again under the same numbers it returns the same draws.
create or replace function look_up_keys(
  p_epoch bigint, p_secrets bytea[],
  p_periods text[], p_starts timestamptz[], p_ends timestamptz[],
  p_sequence bigint, p_ahead bigint, p_permit_sequence bigint, p_tokens bigint
) returns table (principals json, leases json, permits json)
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_purses draw_request[];
  v_projects jsonb;
begin
  with found as materialized (
    select * from find_principals(p_secrets)
  ),
  passed as (
    select workspace_id, 'credit' as kind, workspace_id as subject_id, 'never' as period from found
    union select workspace_id, 'project', project_id, budget_period from found
    union select workspace_id, 'key', key_id, 'month' from found
  ),
  limited as (
    select q.*, row_number() over () - 1 as ordinal
    from (
      select workspace_id, project_id, count(*) + 1 as most from found
      where requests_per_minute is not null or tokens_per_minute is not null or concurrency is not null
      group by workspace_id, project_id
    ) q
    left join lateral (
      select true as has_stock from rate_leases x
      where x.workspace_id = q.workspace_id and x.project_id = q.project_id and x.epoch_id = p_epoch
        and (x.requests <> 0 or x.tokens <> 0 or x.slots <> 0 or x.running <> 0)
        and x.sequence <> p_permit_sequence
      offset 0
    ) s on true
    where s.has_stock is null
  )
  select
    (select json_agg(found) from found),
    (
      select array_agg(row(
        0, passed.workspace_id, passed.kind, passed.subject_id, passed.period, w.starts, w.ends,
        p_sequence, 0, 0, '{}'::bigint[], p_ahead, true, null
      )::draw_request)
      from passed join unnest(p_periods, p_starts, p_ends) as w (period, starts, ends) on w.period = passed.period
    ),
    (
      select jsonb_agg(jsonb_build_object(
        'ordinal', ordinal, 'workspace_id', workspace_id, 'project_id', project_id,
        'is_first', true, 'sequence', p_permit_sequence, 'taken', 0, 'running', 0,
        'stock_requests', 0, 'stock_tokens', 0, 'stock_slots', 0,
        'keep_requests', 0, 'keep_tokens', 0, 'keep_slots', 0,
        'returned_requests', 0, 'returned_tokens', 0,
        'target_requests', most, 'target_tokens', most * p_tokens, 'target_slots', most, 'needs', '[]'::jsonb
      ) order by ordinal)
      from limited
    )
    into principals, v_purses, v_projects;

  if v_projects is not null then
    select json_agg(json_build_object('project_id', v_projects -> d.ordinal ->> 'project_id', 'draw', d)) into permits
      from draw_permits(p_epoch, v_projects, null, false) d;
  end if;
  v_purses := array(
    select q from unnest(find_purses(v_purses)) q
    left join lateral (
      select x.sequence from leases x where x.epoch_id = p_epoch and x.purse_id = q.purse offset 0
    ) l on true
    where l.sequence is null or l.sequence = p_sequence
  );
  if v_purses <> '{}' then
    select json_agg(json_build_object(
        'subject_id', d.subject_id,
        'purse_id', d.purse_id::text,
        'limit_nano_usd', d.limit_nano_usd::text,
        'spent_by_others_nano_usd', d.spent_by_others_nano_usd::text,
        'available_nano_usd', d.available_nano_usd::text,
        'granted_nano_usd', d.granted_nano_usd::text,
        'open', d.open,
        'mode', d.mode,
        'sequence', d.sequence::text
      )) into leases
      from draw(p_epoch, v_purses, false) d;
  end if;
  return next;
end $$;

-- Opens the purses that don't exist yet, except those that another transaction is opening or changing the limit of: the
-- lock makes such a change either visible here or wait for the new row.
create or replace function open_purses(p_requests draw_request[]) returns void
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd)
    select q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end, s.spend_limit_nano_usd
    from (
      select * from unnest(p_requests) where purse is null and kind = 'key'
      order by workspace_id, subject_id, period, window_start
    ) q
    cross join lateral (
      select spend_limit_nano_usd from keys k
      where k.id = q.subject_id and (k.workspace_id = q.workspace_id) is true
      for no key update skip locked
    ) s
    on conflict do nothing;
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd)
    select q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end, s.budget_nano_usd
    from (
      select * from unnest(p_requests) where purse is null and kind = 'project'
      order by workspace_id, subject_id, period, window_start
    ) q
    cross join lateral (
      select budget_nano_usd from projects x
      where x.id = q.subject_id and (x.workspace_id = q.workspace_id) is true
      for no key update skip locked
    ) s
    on conflict do nothing;
end $$;

-- What a bucket holds some milliseconds later, while that much is in stock. Null if there is no limit.
create or replace function permit_parts(p_parts numeric, p_per_minute bigint, p_elapsed_ms bigint, p_in_stock bigint)
returns bigint language sql immutable as $$
  select case when p_per_minute is not null then greatest(
    -9000000000000000000,
    least(
      coalesce(p_parts, p_per_minute * 60000::numeric) + greatest(0, p_elapsed_ms)::numeric * p_per_minute,
      (p_per_minute - p_in_stock) * 60000::numeric
    )
  )::bigint end
$$;

-- The stock after a draw: a sixteenth of the limit at most, and half of the limit stays where every process can reach it.
create or replace function permit_stock(p_left bigint, p_limit bigint, p_keep bigint, p_target bigint)
returns bigint language sql immutable as $$
  select case
    when p_limit is null then p_keep
    else greatest(p_keep, least(p_target, p_limit / 16, p_left - (p_limit + 1) / 2))
  end
$$;

-- How long until a bucket has the parts that are needed. Others' stock that is in the way is called back during the wait.
create or replace function permit_wait_ms(p_parts bigint, p_needed bigint, p_per_minute bigint, p_others_stock bigint)
returns bigint language sql immutable as $$
  select case
    when p_per_minute is null or p_parts >= p_needed then 0
    else greatest(
      ceil((p_needed::numeric - p_parts) / p_per_minute)::bigint,
      case when p_needed > (p_per_minute - p_others_stock) * 60000::numeric then 1000 else 0 end
    )
  end
$$;

-- The requests that an epoch let through in the last minute, estimated from the current minute and a part of the one
-- before.
create or replace function permits_taken(p_minute bigint, p_taken bigint, p_taken_before bigint, p_now_ms bigint)
returns double precision language sql immutable as $$
  select case p_now_ms / 60000 - p_minute
    when 0 then p_taken + p_taken_before * (60000 - p_now_ms % 60000) / 60000.0
    when 1 then p_taken * (60000 - p_now_ms % 60000) / 60000.0
    else 0
  end::double precision
$$;

-- Posts an amount to a workspace's credit, by double entry, and moves its purse with it. What is given repays the debt
-- first; what is taken comes from credit that is neither leased nor spent, and the rest is owed.
create or replace function post_credit(
  p_id uuid, p_workspace uuid, p_kind text, p_amount bigint, p_actor text, p_reason text, p_once text, p_receipt uuid
) returns posted language plpgsql as $$
declare
  -- All credit of a workspace fits a 64-bit column with room to spare.
  c_most constant bigint := 9000000000000000000;
  r posted;
  p purses;
  v_charged bigint;
  v_credit numeric;
  v_owed numeric;
begin
  perform bound_transaction();
  select * into p from purses where workspace_id = p_workspace and kind = 'credit' and subject_id = p_workspace
    for no key update;
  if not found then
    r.outcome := 'no_workspace';
    return r;
  end if;
  -- Each statement from here on sees every earlier posting.
  if p_once is not null then
    select q into r.posting from postings q where q.workspace_id = p_workspace and q.once = p_once;
    if found then
      r.outcome := case
        when ((r.posting).kind, (r.posting).amount_nano_usd, (r.posting).reason) = (p_kind, p_amount, p_reason)
          and (r.posting).receipt_request_id is not distinct from p_receipt then 'repeated'
        else 'other_once'
      end;
      return r;
    end if;
  end if;
  -- Disputes give back what they took, refunds take what was paid and has not gone back.
  r.most_nano_usd := case p_kind
    when 'dispute' then (select coalesce(-sum(q.amount_nano_usd), 0) from postings q
      where q.workspace_id = p_workspace and q.kind = 'dispute')
    when 'refund' then (select coalesce(-sum(e.amount_nano_usd), 0) from ledger_entries e
      where e.workspace_id = p_workspace and e.account = 'payments')
  end;
  if p_amount >= 0 then
    v_owed := least(p_amount, p.owed_nano_usd);
  else
    v_owed := least(0, p_amount + (p.limit_nano_usd - p.spent_nano_usd - p.leased_nano_usd)::numeric);
  end if;
  v_credit := p_amount - v_owed;
  r.outcome := case
    when p_amount = 0 then 'nothing'
    when p_kind in ('top_up', 'grant') and p_amount < 0 or p_kind = 'refund' and p_amount > 0 then 'wrong_way'
    when p_kind = 'dispute' and p_amount > r.most_nano_usd then 'above_disputes'
    when p_kind = 'refund' and -p_amount > r.most_nano_usd then 'above_payments'
    when p.limit_nano_usd + v_credit > c_most or p.owed_nano_usd - v_owed > c_most then 'beyond_count'
    else 'posted'
  end;
  if r.outcome <> 'posted' then
    return r;
  end if;
  select coalesce(sum(charged_nano_usd), 0) into v_charged from leases where purse_id = p.id;
  insert into ledger_postings (id, workspace_id, kind, actor, reason, once, receipt_request_id, balance_nano_usd)
    values (p_id, p_workspace, p_kind, p_actor, p_reason, p_once, p_receipt,
      p.limit_nano_usd - p.spent_nano_usd - p.owed_nano_usd - v_charged + p_amount);
  insert into ledger_entries (workspace_id, posting_id, account, amount_nano_usd)
    select p_workspace, p_id, account, amount from (values
      ('credit', v_credit), ('owed', v_owed),
      (case p_kind when 'grant' then 'promotions' when 'adjustment' then 'adjustments' else 'payments' end, -p_amount)
    ) as entry (account, amount) where amount <> 0;
  update purses set limit_nano_usd = limit_nano_usd + v_credit, owed_nano_usd = owed_nano_usd - v_owed where id = p.id;
  insert into changes (kind, subject_id) values ('purse', p.id::text);
  select q into r.posting from postings q where q.id = p_id;
  return r;
end $$;

-- Gives back leases of a fenced epoch: of the purses after `p_after`, in their order, `p_most` at most; with `p_waits` it
-- waits for their locks, briefly. Returns the last of those purses, null if there are no more, and those that are busy.
-- An epoch without leases is reaped.
create or replace function reap_epoch(
  p_epoch bigint, p_after bigint, p_most integer, p_waits boolean, out last_purse bigint, out busy bigint[]
) language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_purses bigint[];
  v_free bigint[];
begin
  perform bound_transaction();
  perform from epochs where id = p_epoch and fenced_at is not null for update;
  if not found then
    raise exception 'epoch % is not fenced', p_epoch;
  end if;
  perform wait_briefly();
  v_purses := array(
    select purse_id from leases where epoch_id = p_epoch and purse_id > p_after order by purse_id limit p_most
  );
  v_free := lock_purses(p_epoch, v_purses, p_waits);
  perform give_back_leases(p_epoch, v_free);
  last_purse := v_purses[cardinality(v_purses)];
  busy := array(select u.purse from unnest(v_purses) as u (purse) except select u.purse from unnest(v_free) as u (purse));
  if not exists (select from leases where epoch_id = p_epoch) then
    update epochs set reaped_at = now() where id = p_epoch and reaped_at is null;
  end if;
end $$;

-- Keeps a sealed partition of the receipts as it was proven. Sealing a partition makes the trigger.
create or replace function receipts_are_sealed() returns trigger language plpgsql as $$
begin
  raise exception 'the receipts of % are sealed', tg_table_name using errcode = 'check_violation';
end $$;

-- Gives up a claim that is not completed. In doubt, a claim statement of the request may still be under way: the lock
-- waits for one that has begun, and the row in cancelled_claims stops one that has not.
create or replace function release_idempotency_key(
  p_workspace uuid, p_key uuid, p_idempotency_key text, p_request uuid, p_in_doubt boolean
) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  perform bound_transaction();
  if p_in_doubt then
    perform pg_advisory_xact_lock(hashtextextended('claim of request ' || p_request, 0));
    insert into cancelled_claims (request_id) values (p_request) on conflict do nothing;
  end if;
  delete from idempotent_requests
    where workspace_id = p_workspace and key_id = p_key and idempotency_key = p_idempotency_key
      and request_id = p_request and completed_at is null;
end $$;

-- Closes leases of a live epoch whose charges are all settled: `p_charged` is what the process has charged to each,
-- `p_sequences` the number of the last draw. A lease with another sum or number stays as it is: it follows the one that is
-- meant, and this statement comes late. Returns the purses whose leases were free to be closed; others are busy.
create or replace function release_leases(
  p_epoch bigint, p_purses bigint[], p_charged bigint[], p_sequences bigint[], p_waits boolean
) returns setof bigint
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_free bigint[];
begin
  perform require_live_epoch(p_epoch);
  perform wait_briefly();
  v_free := lock_purses(p_epoch, p_purses, p_waits);
  perform give_back_leases(p_epoch, array(
    select q.purse from unnest(p_purses, p_charged, p_sequences) as q (purse, charged, sequence)
    join unnest(v_free) as free (purse) on free.purse = q.purse
    cross join lateral (select * from leases x where x.epoch_id = p_epoch and x.purse_id = q.purse offset 0) l
    where l.charged_nano_usd = q.charged and l.sequence = q.sequence
  ));
  return query select unnest(v_free);
end $$;

-- Statements that move money begin with this. It takes the epoch's row, still live, or raises FG001; fencing takes the same
-- row exclusively, so a fenced process changes nothing. Locks are taken in one order: epoch, key or project, leases, purses,
-- each by their ids. Purses are locked FOR NO KEY UPDATE: two epochs that open leases of one purse both hold its key by
-- their foreign keys, and would wait for each other for a lock that excludes those. The transaction is bounded, so none
-- keeps its locks for long.
create or replace function require_live_epoch(p_epoch bigint) returns void language plpgsql as $$
begin
  perform bound_transaction();
  perform from epochs where id = p_epoch and fenced_at is null for key share;
  if not found then
    raise exception 'epoch % is fenced', p_epoch using errcode = 'FG001';
  end if;
end $$;

-- Inserts receipts whose leases or claims are gone, once each: takes what is available in all three purses and writes off
-- the rest; all of it if the receipt's idempotency key belongs to another request by now. A purse whose id doesn't exist
-- any more is found by its subject and window, and opened if there is none. The shared lock makes a change of its limit
-- either visible here or wait for it.
create or replace function settle_late_receipts(p_epoch bigint, p_receipts jsonb) returns void language plpgsql as $$
declare
  r record;
  v_free bigint;
  v_taken bigint;
  v_superseded_by uuid;
begin
  perform bound_transaction();
  perform wait_briefly();
  -- The same journal may be replayed by two processes; the second finds the receipts there.
  perform pg_advisory_xact_lock(hashtextextended('late charges of epoch ' || p_epoch, 0));
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd)
    select l.workspace, 'key', l.key, l.key_period, l.key_start, l.key_end, k.spend_limit_nano_usd
    from late_receipts(p_receipts) l join keys k on k.workspace_id = l.workspace and k.id = l.key
    where not exists (select from purses p where p.id = l.key_purse)
    order by l.workspace, l.key, l.key_period, l.key_start
    for share of k
    on conflict do nothing;
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd)
    select l.workspace, 'project', l.project, l.project_period, l.project_start, l.project_end, x.budget_nano_usd
    from late_receipts(p_receipts) l join projects x on x.workspace_id = l.workspace and x.id = l.project
    where not exists (select from purses p where p.id = l.project_purse)
    order by l.workspace, l.project, l.project_period, l.project_start
    for share of x
    on conflict do nothing;
  perform from purses where id in (
    select unnest(late_purses(l)) from late_receipts(p_receipts) l
  ) order by id for no key update;
  -- What the epoch had leased comes first: it is what the charges are to be taken from.
  if exists (
    select from leases l join epochs e on e.id = l.epoch_id
    where l.epoch_id = p_epoch and e.fenced_at is not null
      and l.purse_id in (select unnest(late_purses(q)) from late_receipts(p_receipts) q)
  ) then
    raise exception 'epoch % still has leases of these purses', p_epoch using errcode = 'lock_not_available';
  end if;
  perform lock_claims(array_agg(workspace), array_agg(key), array_agg(idempotency_key)) from late_receipts(p_receipts);
  for r in
    select l.*, l as receipt, late_purses(l) as purses from late_receipts(p_receipts) l order by request
  loop
    continue when exists (select 1 from receipts where workspace_id = r.workspace and request_id = r.request);
    if array_position(r.purses, null) is not null then
      raise exception 'a late charge names a purse that is not there';
    end if;
    v_superseded_by := claim_for_late_receipt(p_epoch, r.receipt);
    -- What an open lease has charged is in no sum of its purse yet.
    select min(
        limit_nano_usd - spent_nano_usd - leased_nano_usd - owed_nano_usd + corrected_nano_usd
          - (select coalesce(sum(charged_nano_usd), 0) from leases l where l.purse_id = p.id and l.open)
      ) into v_free
      from purses p where id = any (r.purses);
    v_taken := case when v_superseded_by is null then least(r.charge, greatest(0, v_free)) else 0 end;
    update purses set spent_nano_usd = spent_nano_usd + v_taken where id = any (r.purses);
    insert into receipts (
      workspace_id, request_id, project_id, key_id, epoch_id,
      credit_purse_id, project_purse_id, key_purse_id,
      dialect, model, price_version_id, outcome,
      charge_nano_usd, hold_nano_usd, write_off_nano_usd, fees_nano_usd, usage_certainty,
      input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
      audio_input_tokens, output_tokens, audio_output_tokens,
      shortened_to_tokens, streamed, admitted_at, duration_ms, first_event_ms, attempts, client_request_id, late,
      superseded_by
    ) values (
      r.workspace, r.request, r.project, r.key, p_epoch,
      r.purses[1], r.purses[2], r.purses[3],
      r.dialect, r.model, r.price_version, r.outcome,
      v_taken, r.hold, r.write_off + r.charge - v_taken, r.fees, r.certainty,
      r.input, r.cached_input, r.cache_write_5m, r.cache_write_1h,
      r.audio_input, r.output, r.audio_output,
      r.shortened, r.streamed, to_timestamp(r.admitted_ms / 1000), r.duration_ms, r.first_event_ms,
      r.attempts, r.client_request, true,
      v_superseded_by
    );
  end loop;
end $$;

-- Settles a batch: charges the leases and inserts the receipts. Each parameter, and each statement that an executor
-- prepares, costs as much as some receipts. So numbers come in one matrix, and each lease's sum comes with the batch; the
-- lease is locked by being charged, not before. Its lock is waited for briefly: the sender of a batch then sends its halves.
--   p_purses, p_amounts     the purses whose leases are charged, in ascending order, which is that of locks; and the sums
--   p_context_ids           a row for each context, counted from one: workspace, project, key
--   p_context_numbers       likewise: purse of the credit, of the project, of the key, version of the price
--   p_models                the model of each context
--   p_requests, p_charges   an element for each receipt
--   p_numbers               a row for each receipt: context, hold, write-off, admitted (µs since 1970), duration and first
--                           event (ms), tokens of input, cached input, cache writes of 5 minutes and of an hour, audio
--                           input, output, audio output, the cap it was shortened to, streamed, outcome, certainty,
--                           dialect, fees; a negative number stands for none
--   p_attempts              an element for each receipt
--   p_client_requests       an element for each receipt, or nothing if no receipt has one
-- It doesn't check for receipts that are there already, because that took a sixth of the whole: a batch that was sent
-- before violates the receipts' key, and is sent to settle_receipts_again. A lease that is gone raises FG002, also where
-- nothing is charged: its purse may be gone with it.
create or replace function settle_receipts(
  p_epoch bigint, p_purses bigint[], p_amounts bigint[],
  p_context_ids uuid[], p_context_numbers bigint[], p_models text[],
  p_requests uuid[], p_charges bigint[], p_numbers bigint[], p_attempts jsonb, p_client_requests text[]
) returns void language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_charged bigint;
begin
  perform bound_transaction();
  perform wait_briefly();
  perform from epochs where id = p_epoch and fenced_at is null for key share;
  if not found then
    raise exception 'epoch % is fenced', p_epoch using errcode = 'FG001';
  end if;
  -- What is compared comes from a row that stays apart, so that leases are found one by one, in its order.
  update leases set charged_nano_usd = charged_nano_usd + c.amount
    from (
      select p_epoch as epoch, purse, amount from unnest(p_purses, p_amounts) as q (purse, amount) offset 0
    ) c
    where epoch_id = any (array[c.epoch]) and purse_id = any (array[c.purse]);
  get diagnostics v_charged = row_count;
  if v_charged <> cardinality(p_purses) then
    raise exception '% leases of epoch % are gone', cardinality(p_purses) - v_charged, p_epoch using errcode = 'FG002';
  end if;
  insert into receipts (
    workspace_id, request_id, project_id, key_id, epoch_id,
    credit_purse_id, project_purse_id, key_purse_id,
    dialect, model, price_version_id, outcome,
    charge_nano_usd, hold_nano_usd, write_off_nano_usd, fees_nano_usd, usage_certainty,
    input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
    audio_input_tokens, output_tokens, audio_output_tokens,
    shortened_to_tokens, streamed, admitted_at, duration_ms, first_event_ms, attempts, client_request_id
  )
  select
    p_context_ids[p_numbers[i][1]][1], p_requests[i], p_context_ids[p_numbers[i][1]][2], p_context_ids[p_numbers[i][1]][3],
    p_epoch,
    p_context_numbers[p_numbers[i][1]][1], p_context_numbers[p_numbers[i][1]][2], p_context_numbers[p_numbers[i][1]][3],
    (array['chat_completions', 'embeddings'])[p_numbers[i][18]], p_models[p_numbers[i][1]], p_context_numbers[p_numbers[i][1]][4],
    (array['completed', 'interrupted', 'abandoned', 'failed'])[p_numbers[i][16]],
    p_charges[i], p_numbers[i][2], p_numbers[i][3], p_numbers[i][19], (array['exact', 'estimated'])[p_numbers[i][17]],
    p_numbers[i][7], p_numbers[i][8], p_numbers[i][9], p_numbers[i][10],
    p_numbers[i][11], p_numbers[i][12], p_numbers[i][13],
    nullif(p_numbers[i][14], -1), p_numbers[i][15] = 1, to_timestamp(p_numbers[i][4] / 1e6::double precision),
    p_numbers[i][5], nullif(p_numbers[i][6], -1), p_attempts -> (i - 1), p_client_requests[i]
  from generate_series(1, cardinality(p_requests)) as i;
end $$;

-- Settles the receipts of a batch that are not there yet; the others were charged when they were inserted. The leases are
-- locked first, so that an earlier statement which is still under way is over before this one looks for its receipts.
create or replace function settle_receipts_again(
  p_epoch bigint, p_purses bigint[], p_amounts bigint[],
  p_context_ids uuid[], p_context_numbers bigint[], p_models text[],
  p_requests uuid[], p_charges bigint[], p_numbers bigint[], p_attempts jsonb, p_client_requests text[]
) returns void language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_new integer[];
  v_purses bigint[];
  v_amounts bigint[];
begin
  perform require_live_epoch(p_epoch);
  perform wait_briefly();
  perform from unnest(p_purses) as q (purse) cross join lateral (
    select from leases l where l.epoch_id = p_epoch and l.purse_id = q.purse for update
  ) l;
  v_new := array(
    select i from generate_series(1, cardinality(p_requests)) as i
    where array_position(p_requests, p_requests[i]) = i
      and not exists (
        select from receipts where workspace_id = p_context_ids[p_numbers[i][1]][1] and request_id = p_requests[i]
      )
  );
  if cardinality(v_new) = 0 then
    return;
  end if;
  select array_agg(purse order by purse), array_agg(amount order by purse) into v_purses, v_amounts
    from (
      select p_context_numbers[p_numbers[i][1]][level] as purse, sum(p_charges[i])::bigint as amount
      from unnest(v_new) as i cross join generate_series(1, 3) as level group by 1
    ) q;
  perform settle_receipts(
    p_epoch, v_purses, v_amounts, p_context_ids, p_context_numbers, p_models,
    array(select p_requests[i] from unnest(v_new) as i),
    array(select p_charges[i] from unnest(v_new) as i),
    array(select array(select unnest(p_numbers[i:i])) from unnest(v_new) as i),
    (select jsonb_agg(p_attempts -> (i - 1)) from unnest(v_new) as i),
    array(select p_client_requests[i] from unnest(v_new) as i)
  );
end $$;

-- Takes an answer's cost out of what a project has free in this hour, `p_most` in all. No row: it isn't free any more.
create or replace function take_free_answer(p_workspace uuid, p_project uuid, p_cost bigint, p_most bigint)
returns table (taken_nano_usd bigint) language sql as $$
  insert into free_answers as f (workspace_id, project_id, hour, cost_nano_usd)
    select p_workspace, p_project, date_trunc('hour', now(), 'UTC'), p_cost where p_cost <= p_most
    on conflict (workspace_id, project_id) do update set
      hour = excluded.hour,
      cost_nano_usd = excluded.cost_nano_usd + case when f.hour = excluded.hour then f.cost_nano_usd else 0 end
      where excluded.cost_nano_usd + case when f.hour = excluded.hour then f.cost_nano_usd else 0 end <= p_most
    returning cost_nano_usd
$$;

-- Changes the given columns of a project and leaves the others; no row if there is no such project.
create or replace function update_project(p_project uuid, p_given jsonb) returns setof projects language plpgsql as $$
declare
  p projects;
begin
  -- Counting a window's receipts takes a while where there are many.
  perform bound_transaction('30s');
  select * into p from projects where id = p_project and archived_at is null for no key update;
  if not found then
    return;
  end if;
  p := jsonb_populate_record(p, p_given);
  update projects set name = p.name, requests_per_minute = p.requests_per_minute, tokens_per_minute = p.tokens_per_minute,
    concurrency = p.concurrency, budget_nano_usd = p.budget_nano_usd, budget_period = p.budget_period, models = p.models
    where id = p_project;
  if p_given ?| array['budget_nano_usd', 'budget_period'] then
    perform apply_budget(p);
  end if;
  insert into changes (kind, subject_id) values ('project', p_project::text);
  return next p;
end $$;

-- Bounds how long the transaction that calls it waits for any lock. A statement about rows of several purses or projects
-- passes over what is locked and reports it; a statement of its own then waits for it, briefly. A waiter holds only locks
-- that come earlier in the order of locks.
create or replace function wait_briefly() returns void language plpgsql as $$
begin
  perform set_config('lock_timeout', '250ms', true);
end $$;

create table receipts_2026_w22 partition of receipts FOR VALUES FROM ('019e5c6e-6800-0000-0000-000000000000') TO ('019e807a-ec00-0000-0000-000000000000');
create table receipts_2026_w47 partition of receipts FOR VALUES FROM ('01a1e1a7-4c00-0000-0000-000000000000') TO ('01a205b3-d000-0000-0000-000000000000');
create table receipts_2026_w48 partition of receipts FOR VALUES FROM ('01a205b3-d000-0000-0000-000000000000') TO ('01a229c0-5400-0000-0000-000000000000');
create table receipts_2026_w49 partition of receipts FOR VALUES FROM ('01a229c0-5400-0000-0000-000000000000') TO ('01a24dcc-d800-0000-0000-000000000000');

insert into cancelled_claims overriding system value select * from jsonb_populate_record(null::cancelled_claims, '{"request_id": "01a202e4-dc32-786f-9e13-3b9b4e74a0a8", "cancelled_at": "2026-11-22T10:54:42.740762+00:00"}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1882555555048849412, "fenced_at": "2026-11-22T10:54:42.180903+00:00", "reaped_at": "2026-11-22T10:54:42.183988+00:00", "started_at": "2026-11-22T10:54:42.057638+00:00", "timeout_ms": 30000, "instance_id": "6551b006-b80a-484f-86a2-4dddf678c19b", "heartbeat_at": "2026-11-22T10:54:42.057638+00:00", "process_name": "test"}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1882555555200892935, "fenced_at": null, "reaped_at": null, "started_at": "2026-11-22T10:54:42.202853+00:00", "timeout_ms": 30000, "instance_id": "ffb06eda-cd5e-4b26-a6b5-25faf6c43746", "heartbeat_at": "2026-11-22T10:54:42.202853+00:00", "process_name": "test"}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1882555555290021896, "fenced_at": "2026-11-22T10:54:42.325071+00:00", "reaped_at": "2026-11-22T10:54:42.334032+00:00", "started_at": "2026-11-22T10:54:42.288636+00:00", "timeout_ms": 30000, "instance_id": "01a5ac77-592d-4d72-9563-4b3ad75a7e25", "heartbeat_at": "2026-11-22T10:54:42.288636+00:00", "process_name": "test"}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1882555555741958154, "fenced_at": null, "reaped_at": null, "started_at": "2026-11-22T10:54:42.71939+00:00", "timeout_ms": 30000, "instance_id": "6523e558-a6ec-4a50-87e0-a0ee6ad12cf5", "heartbeat_at": "2026-11-22T10:54:42.71939+00:00", "process_name": "test"}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "name": "workspace dcd3e1c6-f624-40f7-ae52-c4fb394c7f1b", "created_at": "2026-11-22T10:54:41.702711+00:00", "archived_at": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a202e4-dbf0-7679-97d4-0b3c145a65e1", "name": "workspace c677bcb2-2ffd-4477-9566-d741c3f75223", "created_at": "2026-11-22T10:54:42.673452+00:00", "archived_at": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a202e4-dc71-7e55-8b20-207dd4679675", "name": "archived", "created_at": "2026-11-22T10:54:42.801441+00:00", "archived_at": "2026-11-22T10:54:42.807198+00:00"}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a202e4-d85a-7601-9264-8ff3cc608db4", "name": "project 0261c517-2ce4-4bc1-96cd-250b87706a20", "models": ["small-chat"], "created_at": "2026-11-22T10:54:41.757081+00:00", "archived_at": null, "concurrency": 4, "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "budget_period": "month", "budget_nano_usd": 3000000000, "tokens_per_minute": 100000, "requests_per_minute": 60}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a202e4-dc03-7c63-b2f3-364406e35967", "name": "project 145ad6dc-1e65-4f0f-ad1b-74604a8aee18", "models": null, "created_at": "2026-11-22T10:54:42.692038+00:00", "archived_at": null, "concurrency": null, "workspace_id": "01a202e4-dbf0-7679-97d4-0b3c145a65e1", "budget_period": "month", "budget_nano_usd": null, "tokens_per_minute": null, "requests_per_minute": null}');
insert into free_answers overriding system value select * from jsonb_populate_record(null::free_answers, '{"hour": "2026-11-22T10:00:00+00:00", "project_id": "01a202e4-d85a-7601-9264-8ff3cc608db4", "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "cost_nano_usd": 7}');
insert into idempotent_requests overriding system value select * from jsonb_populate_record(null::idempotent_requests, '{"answer": "\\x616e20616e73776572", "key_id": "01a202e4-d91b-704b-8346-566fd58020da", "epoch_id": 1882555555741958154, "claimed_at": "2026-11-22T10:54:42.729593+00:00", "request_id": "01a202e4-dc29-7f15-af78-231211acc240", "body_sha256": "\\x612068617368", "completed_at": "2026-11-22T10:54:42.734078+00:00", "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "idempotency_key": "it is done", "superseded_request_id": null}');
insert into idempotent_requests overriding system value select * from jsonb_populate_record(null::idempotent_requests, '{"answer": null, "key_id": "01a202e4-d91b-704b-8346-566fd58020da", "epoch_id": 1882555555741958154, "claimed_at": "2026-11-22T10:54:42.724775+00:00", "request_id": "01a202e4-dc21-76a6-bda4-1cc9afc79e64", "body_sha256": "\\x612068617368", "completed_at": null, "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "idempotency_key": "it runs", "superseded_request_id": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a202e4-d91b-704b-8346-566fd58020da", "name": "key", "models": null, "last_four": "9yFO", "public_id": "00mQ47CbHjfCly", "created_at": "2026-11-22T10:54:42.038829+00:00", "expires_at": null, "project_id": "01a202e4-d85a-7601-9264-8ff3cc608db4", "revoked_at": null, "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "secret_sha256": "\\x7ffad0f4026dfe449ea3e22c859acc3ee7d1f853051aa0ca6c5e23a850f15e2f", "spend_limit_nano_usd": 2000000000}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a202e4-dc0a-71fb-8101-756c8155b2d1", "name": "key", "models": null, "last_four": "80IX", "public_id": "00njsjirVSjqmv", "created_at": "2026-11-22T10:54:42.700034+00:00", "expires_at": null, "project_id": "01a202e4-dc03-7c63-b2f3-364406e35967", "revoked_at": null, "workspace_id": "01a202e4-dbf0-7679-97d4-0b3c145a65e1", "secret_sha256": "\\xcd2e5abd63ebed270537f34e7c43981cd6ee139d502667974c38703789111e04", "spend_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a202e4-dc14-7c5c-837e-30ceda1ecc7d", "name": "revoked", "models": null, "last_four": "9Ays", "public_id": "00gehU68vD21CD", "created_at": "2026-11-22T10:54:42.708693+00:00", "expires_at": null, "project_id": "01a202e4-dc03-7c63-b2f3-364406e35967", "revoked_at": "2026-11-22T10:54:42.71525+00:00", "workspace_id": "01a202e4-dbf0-7679-97d4-0b3c145a65e1", "secret_sha256": "\\xc93a26700c4fe2ed9ed608b136510fcd21f678bcd2b3ab353cc85f0210f5734f", "spend_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1882555554676604931, "kind": "credit", "mode": "wet", "period": "never", "subject_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "window_end": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "owed_nano_usd": 0, "limit_nano_usd": 5310000001, "spent_nano_usd": 20000000, "leased_nano_usd": 50000000, "opening_nano_usd": 0, "corrected_nano_usd": 0}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1882555555121201157, "kind": "project", "mode": "wet", "period": "month", "subject_id": "01a202e4-d85a-7601-9264-8ff3cc608db4", "window_end": "2026-12-01T00:00:00+00:00", "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "owed_nano_usd": 0, "limit_nano_usd": 3000000000, "spent_nano_usd": 20000000, "leased_nano_usd": 50000000, "opening_nano_usd": 0, "corrected_nano_usd": 10000001}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1882555555128541190, "kind": "key", "mode": "wet", "period": "month", "subject_id": "01a202e4-d91b-704b-8346-566fd58020da", "window_end": "2026-12-01T00:00:00+00:00", "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "owed_nano_usd": 0, "limit_nano_usd": 2000000000, "spent_nano_usd": 20000000, "leased_nano_usd": 50000000, "opening_nano_usd": 0, "corrected_nano_usd": 10000001}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1882555555694772233, "kind": "credit", "mode": "wet", "period": "never", "subject_id": "01a202e4-dbf0-7679-97d4-0b3c145a65e1", "window_end": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a202e4-dbf0-7679-97d4-0b3c145a65e1", "owed_nano_usd": 20000000, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1882555555827941387, "kind": "credit", "mode": "wet", "period": "never", "subject_id": "01a202e4-dc71-7e55-8b20-207dd4679675", "window_end": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a202e4-dc71-7e55-8b20-207dd4679675", "owed_nano_usd": 0, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0}');
insert into leases overriding system value select * from jsonb_populate_record(null::leases, '{"open": false, "epoch_id": 1882555555200892935, "purse_id": 1882555554676604931, "sequence": 1, "charged_nano_usd": 20000001, "granted_nano_usd": 50000000}');
insert into leases overriding system value select * from jsonb_populate_record(null::leases, '{"open": false, "epoch_id": 1882555555200892935, "purse_id": 1882555555121201157, "sequence": 1, "charged_nano_usd": 20000001, "granted_nano_usd": 50000000}');
insert into leases overriding system value select * from jsonb_populate_record(null::leases, '{"open": false, "epoch_id": 1882555555200892935, "purse_id": 1882555555128541190, "sequence": 1, "charged_nano_usd": 20000001, "granted_nano_usd": 50000000}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a202e4-d845-7699-8941-9682177b9c9f", "kind": "grant", "once": null, "actor": "test", "number": 1, "reason": "a test", "posted_at": "2026-11-22T10:54:41.733933+00:00", "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "balance_nano_usd": 5000000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a202e4-dade-749d-81d8-7c19d8b83956", "kind": "top_up", "once": "payment 1", "actor": "operator", "number": 2, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-22T10:54:42.40241+00:00", "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "balance_nano_usd": 5359999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a202e4-daee-70aa-b434-7c6cf879e8c6", "kind": "refund", "once": null, "actor": "operator", "number": 3, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-22T10:54:42.415084+00:00", "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "balance_nano_usd": 5259999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a202e4-dbce-7eca-972f-bb15660eb956", "kind": "adjustment", "once": null, "actor": "operator", "number": 4, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-22T10:54:42.639271+00:00", "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "balance_nano_usd": 5270000000, "receipt_request_id": "01a202e4-da40-7c84-a5da-41c407290530"}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a202e4-dbf7-797a-a764-671d5efaee87", "kind": "grant", "once": null, "actor": "test", "number": 5, "reason": "a test", "posted_at": "2026-11-22T10:54:42.679404+00:00", "workspace_id": "01a202e4-dbf0-7679-97d4-0b3c145a65e1", "balance_nano_usd": 10000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a202e4-dc0e-7e2d-a403-9a22f69279e5", "kind": "dispute", "once": null, "actor": "operator", "number": 6, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-22T10:54:42.702882+00:00", "workspace_id": "01a202e4-dbf0-7679-97d4-0b3c145a65e1", "balance_nano_usd": -20000000, "receipt_request_id": null}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a202e4-d845-7699-8941-9682177b9c9f", "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "amount_nano_usd": 5000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a202e4-d845-7699-8941-9682177b9c9f", "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "amount_nano_usd": -5000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a202e4-dade-749d-81d8-7c19d8b83956", "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "amount_nano_usd": 400000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "01a202e4-dade-749d-81d8-7c19d8b83956", "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "amount_nano_usd": -400000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a202e4-daee-70aa-b434-7c6cf879e8c6", "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "amount_nano_usd": -100000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "01a202e4-daee-70aa-b434-7c6cf879e8c6", "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "amount_nano_usd": 100000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "adjustments", "posting_id": "01a202e4-dbce-7eca-972f-bb15660eb956", "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "amount_nano_usd": -10000001}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a202e4-dbce-7eca-972f-bb15660eb956", "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "amount_nano_usd": 10000001}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a202e4-dbf7-797a-a764-671d5efaee87", "workspace_id": "01a202e4-dbf0-7679-97d4-0b3c145a65e1", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a202e4-dbf7-797a-a764-671d5efaee87", "workspace_id": "01a202e4-dbf0-7679-97d4-0b3c145a65e1", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a202e4-dc0e-7e2d-a403-9a22f69279e5", "workspace_id": "01a202e4-dbf0-7679-97d4-0b3c145a65e1", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "owed", "posting_id": "01a202e4-dc0e-7e2d-a403-9a22f69279e5", "workspace_id": "01a202e4-dbf0-7679-97d4-0b3c145a65e1", "amount_nano_usd": -20000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "01a202e4-dc0e-7e2d-a403-9a22f69279e5", "workspace_id": "01a202e4-dbf0-7679-97d4-0b3c145a65e1", "amount_nano_usd": 30000000}');
insert into ledger_verifications overriding system value select * from jsonb_populate_record(null::ledger_verifications, '{"id": 1, "night": null, "started_at": "2026-11-22T10:54:42.752+00:00", "differences": [], "finished_at": "2026-11-22T10:54:42.796505+00:00", "difference_count": 0}');
insert into sealed_partitions overriding system value select * from jsonb_populate_record(null::sealed_partitions, '{"name": "receipts_2026_w22", "up_to": "019e807a-ec00-0000-0000-000000000000", "from_id": "019e5c6e-6800-0000-0000-000000000000", "receipts": 1, "sealed_at": "2026-11-22T10:54:42.353689+00:00", "dropped_at": null, "write_off_nano_usd": 0}');
insert into partition_totals overriding system value select * from jsonb_populate_record(null::partition_totals, '{"purse_id": 1882555554676604931, "receipts": 1, "partition": "receipts_2026_w22", "charge_nano_usd": 10000000}');
insert into partition_totals overriding system value select * from jsonb_populate_record(null::partition_totals, '{"purse_id": 1882555555121201157, "receipts": 1, "partition": "receipts_2026_w22", "charge_nano_usd": 10000000}');
insert into partition_totals overriding system value select * from jsonb_populate_record(null::partition_totals, '{"purse_id": 1882555555128541190, "receipts": 1, "partition": "receipts_2026_w22", "charge_nano_usd": 10000000}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1882555554651439105, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "version": 1, "created_at": "2026-11-22T10:54:41.656107+00:00", "retired_at": null}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1882555554653536258, "model": "sandbox/slow", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "version": 1, "created_at": "2026-11-22T10:54:41.656107+00:00", "retired_at": null}');
insert into purse_corrections overriding system value select * from jsonb_populate_record(null::purse_corrections, '{"purse_id": 1882555555121201157, "posting_id": "01a202e4-dbce-7eca-972f-bb15660eb956", "amount_nano_usd": 10000001}');
insert into purse_corrections overriding system value select * from jsonb_populate_record(null::purse_corrections, '{"purse_id": 1882555555128541190, "posting_id": "01a202e4-dbce-7eca-972f-bb15660eb956", "amount_nano_usd": 10000001}');
insert into quarantined_receipts overriding system value select * from jsonb_populate_record(null::quarantined_receipts, '{"id": 1, "reason": "it was refused", "receipt": "{}", "request_id": "01a202e4-d91b-704b-8346-566fd58020da", "quarantined_at": "2026-11-22T10:54:42.746431+00:00"}');
insert into rate_buckets overriding system value select * from jsonb_populate_record(null::rate_buckets, '{"project_id": "01a202e4-d85a-7601-9264-8ff3cc608db4", "refilled_ms": 0, "token_parts": 6, "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "request_parts": 5, "called_back_ms": 0}');
insert into rate_leases overriding system value select * from jsonb_populate_record(null::rate_leases, '{"slots": 0, "taken": 0, "minute": 0, "tokens": 0, "granted": [], "running": 0, "epoch_id": 1882555555200892935, "requests": 2, "sequence": 1, "project_id": "01a202e4-d85a-7601-9264-8ff3cc608db4", "taken_before": 0, "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5"}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "model": "small-chat", "key_id": "01a202e4-d91b-704b-8346-566fd58020da", "dialect": "chat_completions", "outcome": "completed", "attempts": [{"fault": null, "status": 200, "provider": "local", "duration_ms": 10, "upstream_model": "qwen3"}], "epoch_id": 1882555555290021896, "streamed": false, "project_id": "01a202e4-d85a-7601-9264-8ff3cc608db4", "request_id": "019e63ec-2a51-7000-8000-000000000001", "settled_at": "2026-11-22T10:54:42.317773+00:00", "admitted_at": "2026-05-26T10:54:42.257+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1882555555128541190, "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "fees_nano_usd": 0, "hold_nano_usd": 10000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "charge_nano_usd": 10000000, "credit_purse_id": 1882555554676604931, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1882555555121201157, "client_request_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "model": "small-chat", "key_id": "01a202e4-d91b-704b-8346-566fd58020da", "dialect": "chat_completions", "outcome": "completed", "attempts": [{"fault": null, "status": 200, "provider": "local", "duration_ms": 10, "upstream_model": "qwen3"}], "epoch_id": 1882555555048849412, "streamed": false, "project_id": "01a202e4-d85a-7601-9264-8ff3cc608db4", "request_id": "01a202e4-d9de-7ad3-a164-e3543c01358c", "settled_at": "2026-11-22T10:54:42.143695+00:00", "admitted_at": "2026-11-22T10:54:42.069+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1882555555128541190, "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "fees_nano_usd": 0, "hold_nano_usd": 20000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "charge_nano_usd": 10000000, "credit_purse_id": 1882555554676604931, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1882555555121201157, "client_request_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "model": "small-chat", "key_id": "01a202e4-d91b-704b-8346-566fd58020da", "dialect": "chat_completions", "outcome": "failed", "attempts": [{"fault": null, "status": 200, "provider": "local", "duration_ms": 10, "upstream_model": "qwen3"}], "epoch_id": 1882555555048849412, "streamed": false, "project_id": "01a202e4-d85a-7601-9264-8ff3cc608db4", "request_id": "01a202e4-da00-7e4f-ad34-cb5ab49b99fb", "settled_at": "2026-11-22T10:54:42.176686+00:00", "admitted_at": "2026-11-22T10:54:42.152+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1882555555128541190, "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "fees_nano_usd": 0, "hold_nano_usd": 30000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "charge_nano_usd": 0, "credit_purse_id": 1882555554676604931, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1882555555121201157, "client_request_id": "mine", "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "model": "small-chat", "key_id": "01a202e4-d91b-704b-8346-566fd58020da", "dialect": "embeddings", "outcome": "completed", "attempts": [{"fault": null, "status": 200, "provider": "local", "duration_ms": 10, "upstream_model": "qwen3"}], "epoch_id": 1882555555200892935, "streamed": true, "project_id": "01a202e4-d85a-7601-9264-8ff3cc608db4", "request_id": "01a202e4-da40-7c84-a5da-41c407290530", "settled_at": "2026-11-22T10:54:42.24037+00:00", "admitted_at": "2026-11-22T10:54:42.214+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1882555555128541190, "workspace_id": "01a202e4-d826-77c1-8d04-a1b16230d3d5", "fees_nano_usd": 0, "hold_nano_usd": 50000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": 3, "charge_nano_usd": 20000001, "credit_purse_id": 1882555554676604931, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1882555555121201157, "client_request_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0001_baseline", "sha256": "ebb659db4c12027da2ea3b5b70af0970e6dfd4c46ac4edb12d7b31bf8de53788", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "apply_budget", "sha256": "38e85a64e9049fafa1bb9b8979db9615a6d046a879406654ba966605185334a1", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "bound_transaction", "sha256": "247423debef678cbc3bc39fcd03500df1a3c7da0306ed318d6c15e33f0990ad7", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "claim_for_late_receipt", "sha256": "d7e5423fd69cab785cd3ca405e30748b75c4ff7703498d85c5963439cfd54acb", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "claim_idempotency_key", "sha256": "24e16c30eb4d0f59ea13e78a78fc6da93db290e441b755df821585ba97556c52", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_draw_leases", "sha256": "4c27a5be72ef012f676aaca292a633e1a2492badad83492f6a14f2e0a02f2073", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_draw_permits", "sha256": "fd86daa8182807731e3bfdc9719d16df8377d377486cda1fbeb6a50e4b182f96", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_look_up_keys", "sha256": "ab777707a8f0872e53da6c287e6a41a2362c30a5d61f7cdffcad9e7d8fa12e2e", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_reap_epoch", "sha256": "9be3fb79ce3391afae14142b1780ab016b362cc4f3904310f9f6f8ad23efdee2", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_release_leases", "sha256": "fd88128e37f6a8b33a06da63879e5857b5648111119175cbbc64ae80a8a94293", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_settle_late_receipts", "sha256": "64d3cf3db4ab8e4891be890d61052b2a75c411ab55a24d8d95c9b559f19c92d4", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_settle_receipts", "sha256": "2fca506d43f56075040e9b1d2344578d6932c38fb254cbf8f893d39e635aea60", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "complete_held_claims", "sha256": "60618d5de0152765796086d39430f9aefd8255d4c0e5f6ad332574d7c5250152", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "complete_idempotent_requests", "sha256": "105b1c267bf38dc387aa2e06c7f619da88bef1aced99633f962e5fe969422821", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "correct_receipt", "sha256": "5cb2d1b442db50b7b3f283161ef70e84ff79964d18d1f09611dd7fd6ecac3c7f", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "draw", "sha256": "44cd8a9aa796d98d2af5042345d30de29f50ee6f0540407b313970b6acd2cb9d", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "draw_leases", "sha256": "2a292d8e4cfd3815dabe762e48eeeeb04fecebb6361b1ca65066fee1b794616a", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "draw_permits", "sha256": "69f689cf40165148dbe75adaabd6eddf8a88b899c5ee6eabe564f1020134fa17", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "end_statements_of", "sha256": "a576c6eb79b972f8b49644ae38b10f53cca57ccff2cee1d13767444b8dc748c8", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "fence_epoch", "sha256": "85c2ce59c6cb47060f86bc1260f22ac15f213cbf36f6aa0c2d8f01d6ac1eefe2", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_principals", "sha256": "a8ed048204b1820b2b45eee810964307f807ddb1fd824a8084b134097d3f3493", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_purses", "sha256": "c794041895c577dd9ec6a61fb6ca1c30daeb5710e1462408443b2943d5f26868", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "fresh_id", "sha256": "07918f79e7624cd0852a20b96d076f312d48c0222150c7f7ab18b60ee3ea38b5", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "give_back_leases", "sha256": "8cfe5fb4ce1fa443554ae1e7c0417b33701e68b3421f2b2c03ecaaae88e57662", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "late_purses", "sha256": "a622cedc0de38acb3a859d3a5df11194b66ca166b61f639e1852bd5c6f5f6bde", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "late_receipts", "sha256": "c9b5c8a62eadf3d4032f0c7274397412606e92387050a5d1de13b4b671888029", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "ledger_is_append_only", "sha256": "090c24317091f9cf93dfdae319b3cc3f7f026f6bf87c2436ae588781e30481b6", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "ledger_posting_balances", "sha256": "975f345bd4783e6428276e27ab05f11817e8be8db0760ceda0bc6be69cd943ea", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "lock_claims", "sha256": "f19dabc05cdd0c8ad7773483df8516d05c5efaed7a05eb4b189da46751dd380b", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "lock_purses", "sha256": "63ed4c0c6d06c298fd07fb3a543aa7d23de08964744daf1f52165e9bdb9a2afe", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "look_up_keys", "sha256": "e566aab90728df3c5eb7dc6eadaf68c10401e712043a36147cd84242b2f2633f", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "open_purses", "sha256": "9076e37933be03735a8e54684c939cbec0a17ce5790a3aff42ec0e5ca022c4c6", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permit_parts", "sha256": "01c07276dae5dac744f6f29c8194cd52bd5d51431368e7adf93a3679455bf718", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permit_stock", "sha256": "4488f04e449b5b3ddaf3120a5160b9c9e918d6e686175383918a9e741f067eab", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permit_wait_ms", "sha256": "54861cfa8f7d027695efe63c13f150904fa6d8204330a2e564d3dfe99837b12f", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permits_taken", "sha256": "37df2526b8efba2913c66cc9cbbd9fd383dbe38c137d5f4f3ab5da7bd6dda152", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "post_credit", "sha256": "a8e1dd55bd87bad9353b523c8d60c047cc5b3ec86253d94c7be4553b5a1ea2c8", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "reap_epoch", "sha256": "6b70d9095e084f9cc91fa03cf6d5f81d1b69b23ae6c8aa1915e62309450280e3", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "receipts_are_sealed", "sha256": "02ae37fa205a791f5b4150af20e4b223239072170e625ad092480d7f96f7b64c", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "release_idempotency_key", "sha256": "e56a4602e4c3c9b57aff7cbf69cf2b9122c0d4d918e75b50bfbf21292fe1b5ba", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "release_leases", "sha256": "8c3d124bd45a44850976e84f114000a5ed2b41d4deee8bf77a594ffc5f7371b4", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "require_live_epoch", "sha256": "3e5da93147671fa3f440e4f056252eab78b6fcba7219ba84471c212050703413", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "settle_late_receipts", "sha256": "3f7302f3e22ed6918eb1a2331478970f857fba448de865ad9a2ca55286b74ce5", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "settle_receipts", "sha256": "bc832c7c30ee67c18bfade38d45cb1ba2c5b2e86ececf0e8ae87662f99132c97", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "settle_receipts_again", "sha256": "76169bbd06c6208d7b7d09472e1ef391f4981713f7d5d31e45b30530878a4699", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "take_free_answer", "sha256": "d0fc54a4234993d238997ae0dedc1dcf359f736c4d6b3c23deafbea663a114db", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "update_project", "sha256": "a2b6dbf808916b91d0ba00c446f32adab749048497598371b9bcaf3f5069920e", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "wait_briefly", "sha256": "4c33ba6adb7a8b419ed49aa7a1252a8fb80bbcdea268e014e9dec64a39462f47", "applied_at": "2026-11-22T10:54:40.601283+00:00"}');

CREATE TRIGGER receipts_sealed BEFORE INSERT OR DELETE OR UPDATE ON public.receipts_2026_w22 FOR EACH ROW EXECUTE FUNCTION receipts_are_sealed();
select setval('changes_id_seq', 19);
select setval('fresh_ids', 11);
select setval('ledger_postings_number_seq', 6);
select setval('ledger_verifications_id_seq', 1);
select setval('quarantined_receipts_id_seq', 1);
