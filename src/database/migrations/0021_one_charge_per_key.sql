-- An Idempotency-Key is charged once, also if a claim's outcome is lost or its process is declared dead.

-- Claims that were given up while their outcome was unknown. A claim statement that arrives after this has no effect.
create table cancelled_claims (
  request_id uuid primary key,
  cancelled_at timestamptz not null default now()
);
create index cancelled_claims_cancelled on cancelled_claims (cancelled_at);

alter table idempotent_requests
  -- Null on a completed request whose claim a failover lost: any body counts as a repeat.
  alter column body_sha256 drop not null,
  -- The request that lost this claim because its process was declared dead. Its late receipt charges nothing.
  add column superseded_request_id uuid;

-- On a late receipt: the request that its idempotency key belonged to by then. It charges nothing.
alter table receipts add column superseded_by uuid;

alter type late_receipt add attribute idempotency_key text, add attribute whole boolean;

-- Claims a key for a request, or reports the request that has it. Repeating it for the same request changes nothing.
--   claimed: this request may run.   running: another with the same body does.   mismatch: it was used for another body.
--   done: `answer` is to be replayed; null if it was not kept.   cancelled: this request has given its claim up.
-- A claim is free after a day, and if its epoch is fenced before it is completed.
create or replace function claim_idempotency_key(
  p_epoch bigint, p_workspace uuid, p_key uuid, p_idempotency_key text, p_body bytea, p_request uuid
) returns table (state text, request_id uuid, answer bytea) language plpgsql as $$
#variable_conflict use_column
declare
  r record;
begin
  perform bound_transaction();
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

-- Gives up a claim that is not completed. In doubt, a claim statement of the request may still be under way: the lock
-- waits for one that has begun, and the row in cancelled_claims stops one that has not.
create function release_idempotency_key(
  p_workspace uuid, p_key uuid, p_idempotency_key text, p_request uuid, p_in_doubt boolean
) returns void language plpgsql as $$
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

-- Completes the claims of receipts that are settled by their leases. If a claim is no longer its request's, the batch is
-- refused: that receipt is settled late, by itself.
create function complete_held_claims(
  p_workspace uuid[], p_key uuid[], p_idempotency_key text[], p_request uuid[], p_answer bytea[]
) returns void language plpgsql as $$
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
        and i.request_id = q.request and i.completed_at is not null
    );
  if v_gone > 0 then
    raise exception '% claims of idempotency keys are gone', v_gone using errcode = 'FG003';
  end if;
end $$;

-- Locks claims in the order of their keys, so that two batches never wait for each other.
create function lock_claims(p_workspace uuid[], p_key uuid[], p_idempotency_key text[]) returns void language sql as $$
  select from idempotent_requests i
    join unnest(p_workspace, p_key, p_idempotency_key) as q (workspace, key, idempotency_key)
      on i.workspace_id = q.workspace and i.key_id = q.key and i.idempotency_key = q.idempotency_key
    order by i.workspace_id, i.key_id, i.idempotency_key
    for update of i
$$;

-- The request that a late receipt's idempotency key belongs to by now, if that is another one: the receipt then charges
-- nothing. Else null. A whole answer then takes the claim, if it is free or lost, as a repeated request would; the claim
-- is completed by the caller's statement.
create function claim_for_late_receipt(p_epoch bigint, l late_receipt) returns uuid language plpgsql as $$
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

-- Inserts receipts whose leases or claims are gone, once each: takes what is available in all three purses and writes off
-- the rest; all of it if the receipt's idempotency key belongs to another request by now. A purse whose id is not there
-- any more is found by what it is the purse of, and opened where it isn't. The shared lock makes a change of its limit
-- either visible here or wait for it.
create or replace function settle_late_receipts(p_epoch bigint, p_receipts jsonb) returns void language plpgsql as $$
declare
  r record;
  v_free bigint;
  v_taken bigint;
  v_superseded_by uuid;
begin
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
      model, price_version_id, outcome,
      charge_nano_usd, hold_nano_usd, write_off_nano_usd, usage_certainty,
      input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
      audio_input_tokens, output_tokens, audio_output_tokens,
      shortened_to_tokens, streamed, admitted_at, duration_ms, first_event_ms, attempts, client_request_id, late,
      superseded_by
    ) values (
      r.workspace, r.request, r.project, r.key, p_epoch,
      r.purses[1], r.purses[2], r.purses[3],
      r.model, r.price_version, r.outcome,
      v_taken, r.hold, r.write_off + r.charge - v_taken, r.certainty,
      r.input, r.cached_input, r.cache_write_5m, r.cache_write_1h,
      r.audio_input, r.output, r.audio_output,
      r.shortened, r.streamed, to_timestamp(r.admitted_ms / 1000), r.duration_ms, r.first_event_ms,
      r.attempts, r.client_request, true,
      v_superseded_by
    );
  end loop;
end $$;
