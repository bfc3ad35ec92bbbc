-- What another server that takes over may lack: the last commits of the former one.

-- Sequences go back with them, so ids that must never mean two things are made of the time as well: milliseconds since
-- 1970, then twenty bits that count.
create sequence fresh_ids as bigint;
create function fresh_id() returns bigint language sql volatile as $$
  select (floor(extract(epoch from clock_timestamp()) * 1000)::bigint << 20) | (nextval('fresh_ids') & 1048575)
$$;
alter table epochs alter column id drop identity;
alter table epochs alter column id set default fresh_id();
alter table purses alter column id drop identity;
alter table purses alter column id set default fresh_id();
alter table price_versions alter column id drop identity;
alter table price_versions alter column id set default fresh_id();

-- Inserts receipts whose leases are gone, once each: takes what is available in all three purses and writes off the
-- rest. A purse whose id is not there any more is found by what it is the purse of, and opened where it isn't. The shared
-- lock makes a change of its limit either visible here or wait for it.
create or replace function settle_late_receipts(p_epoch bigint, p_receipts jsonb) returns void language plpgsql as $$
declare
  r record;
  v_purses bigint[];
  v_free bigint;
  v_taken bigint;
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
  for r in
    select l.*, late_purses(l) as purses from late_receipts(p_receipts) l order by request
  loop
    continue when exists (select 1 from receipts where workspace_id = r.workspace and request_id = r.request);
    if array_position(r.purses, null) is not null then
      raise exception 'a late charge names a purse that is not there';
    end if;
    -- What an open lease has charged is in no sum of its purse yet.
    select min(
        limit_nano_usd - spent_nano_usd - leased_nano_usd - owed_nano_usd + corrected_nano_usd
          - (select coalesce(sum(charged_nano_usd), 0) from leases l where l.purse_id = p.id and l.open)
      ) into v_free
      from purses p where id = any (r.purses);
    v_taken := least(r.charge, greatest(0, v_free));
    update purses set spent_nano_usd = spent_nano_usd + v_taken where id = any (r.purses);
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
      r.purses[1], r.purses[2], r.purses[3],
      r.model, r.price_version, r.outcome,
      v_taken, r.hold, r.write_off + r.charge - v_taken, r.certainty,
      r.input, r.cached_input, r.cache_write_5m, r.cache_write_1h,
      r.audio_input, r.output, r.audio_output,
      r.shortened, r.streamed, to_timestamp(r.admitted_ms / 1000), r.duration_ms, r.first_event_ms,
      r.attempts, r.client_request, true
    );
  end loop;
end $$;

create type late_receipt as (
  workspace uuid, request uuid, project uuid, key uuid,
  credit_purse bigint, project_purse bigint, key_purse bigint,
  project_period text, project_start timestamptz, project_end timestamptz,
  key_period text, key_start timestamptz, key_end timestamptz,
  model text, price_version bigint, outcome text, charge bigint, hold bigint, write_off bigint, certainty text,
  input integer, cached_input integer, cache_write_5m integer, cache_write_1h integer,
  audio_input integer, output integer, audio_output integer,
  shortened integer, streamed boolean, admitted_ms double precision, duration_ms integer,
  first_event_ms integer, attempts jsonb, client_request text
);

create function late_receipts(p_receipts jsonb) returns setof late_receipt language sql stable as $$
  select * from jsonb_populate_recordset(null::late_receipt, p_receipts)
$$;

-- The purses that a receipt charges, credit first; null where one is not there.
create function late_purses(l late_receipt) returns bigint[] language sql stable as $$
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
