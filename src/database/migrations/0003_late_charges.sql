-- What happens when a process is declared dead while it lives, or dies with charges that only its journal has.

-- Each process says itself after how much silence it may be declared dead.
alter table epochs add column timeout_ms integer not null default 30000 check (timeout_ms > 0);

-- Charged after its epoch was fenced: what its purses still had was taken, the rest is in the write-off.
alter table receipts add column late boolean not null default false;

-- Receipts that the database refused for good, as the process wrote them. Somebody must look.
create table quarantined_receipts (
  id bigint generated always as identity primary key,
  request_id text not null,
  receipt text not null,
  reason text not null,
  quarantined_at timestamptz not null default now()
);
create unique index quarantined_receipts_request on quarantined_receipts (request_id);

-- Declares an epoch dead; with a heartbeat, only if it has not been heard of since. The exclusive lock waits for what it
-- has under way, so that once this has returned, nothing of its can follow. False: it lives, or there is none.
create function fence_epoch(p_epoch bigint, p_heartbeat timestamptz) returns boolean language plpgsql as $$
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

-- Inserts receipts whose leases are gone, once each: takes what is available in all three purses and writes off the rest.
create function settle_late_receipts(p_epoch bigint, p_receipts jsonb) returns void language plpgsql as $$
declare
  r record;
  v_found bigint;
  v_free bigint;
  v_taken bigint;
begin
  -- The same journal may be replayed by two processes; the second finds the receipts there.
  perform pg_advisory_xact_lock(hashtextextended('late charges of epoch ' || p_epoch, 0));
  perform from purses where id in (
    select unnest(array[credit_purse, project_purse, key_purse])
    from jsonb_to_recordset(p_receipts) as q (credit_purse bigint, project_purse bigint, key_purse bigint)
  ) order by id for no key update;
  for r in
    select * from jsonb_to_recordset(p_receipts) as q (
      workspace uuid, request uuid, project uuid, key uuid,
      credit_purse bigint, project_purse bigint, key_purse bigint,
      model text, price_version bigint, outcome text, charge bigint, hold bigint, write_off bigint, certainty text,
      input integer, cached_input integer, cache_write_5m integer, cache_write_1h integer,
      audio_input integer, output integer, audio_output integer,
      shortened integer, streamed boolean, admitted_ms double precision, duration_ms integer,
      first_event_ms integer, attempts jsonb, client_request text
    ) order by request
  loop
    continue when exists (select 1 from receipts where workspace_id = r.workspace and request_id = r.request);
    -- What an open lease has charged is in no sum of its purse yet.
    select count(*), min(
        limit_nano_usd - spent_nano_usd - leased_nano_usd - owed_nano_usd + corrected_nano_usd
          - (select coalesce(sum(charged_nano_usd), 0) from leases l where l.purse_id = p.id and l.open)
      ) into v_found, v_free
      from purses p where id in (r.credit_purse, r.project_purse, r.key_purse);
    if v_found < 3 then
      raise exception 'a late charge names a purse that is not there';
    end if;
    v_taken := least(r.charge, greatest(0, v_free));
    update purses set spent_nano_usd = spent_nano_usd + v_taken
      where id in (r.credit_purse, r.project_purse, r.key_purse);
    insert into receipts (
      workspace_id, request_id, project_id, key_id, epoch_id,
      credit_purse_id, project_purse_id, key_purse_id,
      model, price_version_id, outcome,
      charge_nano_usd, hold_nano_usd, write_off_nano_usd, usage_certainty,
      input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
      audio_input_tokens, output_tokens, audio_output_tokens,
      shortened_to_tokens, streamed, admitted_at, duration_ms, first_event_ms, attempts, client_request_id, late
    ) values (
      r.workspace, r.request, r.project, r.key, p_epoch,
      r.credit_purse, r.project_purse, r.key_purse,
      r.model, r.price_version, r.outcome,
      v_taken, r.hold, r.write_off + r.charge - v_taken, r.certainty,
      r.input, r.cached_input, r.cache_write_5m, r.cache_write_1h,
      r.audio_input, r.output, r.audio_output,
      r.shortened, r.streamed, to_timestamp(r.admitted_ms / 1000), r.duration_ms, r.first_event_ms,
      r.attempts, r.client_request, true
    );
  end loop;
end $$;
