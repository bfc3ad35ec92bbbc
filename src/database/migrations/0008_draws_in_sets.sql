-- Draws, settlements and releases in few statements each, however many purses they are about.
--
-- Where PostgreSQL takes a table for as small as it was when it last looked, it would rather read all of it than seek a
-- few rows, join it the wrong way round, or seek by the wrong index. So no function here leaves it the choice: rows are
-- sought one by one, by a lateral query that `offset 0` or a lock keeps whole, or by `= any (array[…])`, which no join can
-- be turned around on; and a condition that another index would serve badly is hidden from it by `is true`. Generic plans
-- are as good, and need not be made for each call.

drop function draw_leases(bigint, jsonb);
drop function draw_requests(jsonb);
alter table leases drop column mode_acknowledged;

-- One purse of a draw; `purse` is its id where it is open already.
--   is_first   the process doesn't know whether it has a lease: only a new one is drawn, one that is there stays
create type draw_request as (
  ordinal integer,
  workspace_id uuid,
  kind text,
  subject_id uuid,
  period text,
  window_start timestamptz,
  window_end timestamptz,
  sequence bigint,
  keep bigint,
  slack bigint,
  needs bigint[],
  ahead bigint,
  is_first boolean,
  purse bigint
);

-- The requests with the ids of their purses, in the order in which leases and purses are locked.
create function find_purses(p_requests draw_request[]) returns draw_request[]
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

-- Opens the purses that aren't there yet. The shared lock makes a change of the limit either visible here or wait for
-- the new row.
create function open_purses(p_requests draw_request[]) returns void
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
      for share
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
      for share
    ) s
    on conflict do nothing;
end $$;

-- Sets each lease to what the process keeps plus what the purse can add. A request whose sequence number was applied
-- before changes nothing and reports the lease as it stands, with the number that it stands by; a first one that comes upon
-- a lease reports nothing.
--
-- A new lease is written once its purse is locked, so that no two transactions ever wait for each other with it. The
-- requests come as `find_purses` answers.
create function draw(p_epoch bigint, p_requests draw_request[])
returns table (
  ordinal integer,
  subject_id uuid,
  purse_id bigint,
  limit_nano_usd bigint,
  spent_by_others_nano_usd bigint,
  available_nano_usd bigint,
  granted_nano_usd bigint,
  open boolean,
  mode text,
  mode_number bigint,
  sequence bigint
)
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
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
  v_mode_numbers bigint[] := '{}';
begin
  perform require_live_epoch(p_epoch);

  if v_requests[1].purse is null then
    perform open_purses(v_requests);
    v_requests := find_purses(p_requests);
    if v_requests[1].purse is null then
      raise exception 'no % % to open a purse for', v_requests[1].kind, v_requests[1].subject_id;
    end if;
  end if;
  perform from unnest(v_requests) q cross join lateral (
    select from leases l where l.epoch_id = p_epoch and l.purse_id = q.purse for update
  ) l;
  perform from unnest(v_requests) q cross join lateral (
    select from purses p where p.id = q.purse for no key update
  ) p;

  -- What is owed counts as spent, what corrections gave back does not. (This is not written back.)
  for r in
    select q.ordinal, q.subject_id, q.purse, q.sequence, q.keep, q.slack, q.needs, q.ahead, q.is_first,
      coalesce(l.granted_nano_usd, 0) as granted, coalesce(l.charged_nano_usd, 0) as charged,
      coalesce(l.open, false) as is_open, coalesce(l.sequence, 0) as lease_sequence,
      p.limit_nano_usd as purse_limit, p.spent_nano_usd + p.owed_nano_usd - p.corrected_nano_usd as spent,
      p.leased_nano_usd as leased, p.mode as purse_mode, p.mode_number as purse_mode_number,
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
          r.purse_mode_number := r.purse_mode_number + 1;
          insert into changes (kind, subject_id) values ('purse', r.purse::text);
        elsif r.purse_mode = 'dry' and not v_unmet and v_available - v_needed > 4::numeric * (v_in_use + v_needed) then
          r.purse_mode := 'wet';
          r.purse_mode_number := r.purse_mode_number + 1;
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
      v_mode_numbers := v_mode_numbers || r.purse_mode_number;
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
    mode_number := r.purse_mode_number;
    sequence := case when v_applies then r.sequence else r.lease_sequence end;
    return next;
  end loop;

  if v_purses <> '{}' then
    update purses x set leased_nano_usd = q.leased, mode = q.mode, mode_number = q.mode_number
      from unnest(v_purses, v_leased, v_modes, v_mode_numbers) as q (purse, leased, mode, mode_number)
      where x.id = any (array[q.purse])
        and (x.leased_nano_usd, x.mode, x.mode_number) is distinct from (q.leased, q.mode, q.mode_number);
    insert into leases as l (epoch_id, purse_id, granted_nano_usd, open, sequence)
      select p_epoch, q.purse, q.granted, q.is_open, q.sequence
      from unnest(v_purses, v_granted, v_open, v_sequences) as q (purse, granted, is_open, sequence)
      on conflict (epoch_id, purse_id) do update set
        granted_nano_usd = excluded.granted_nano_usd, open = excluded.open, sequence = excluded.sequence;
  end if;
end $$;

-- The draw of a process that knows what it has, its requests as JSON.
create function draw_leases(p_epoch bigint, p_requests jsonb)
returns table (
  ordinal integer,
  purse_id bigint,
  limit_nano_usd bigint,
  spent_by_others_nano_usd bigint,
  available_nano_usd bigint,
  granted_nano_usd bigint,
  open boolean,
  mode text,
  mode_number bigint,
  sequence bigint
)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  return query select
    d.ordinal, d.purse_id, d.limit_nano_usd, d.spent_by_others_nano_usd, d.available_nano_usd, d.granted_nano_usd,
    d.open, d.mode, d.mode_number, d.sequence
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
  ))) d;
end $$;

-- Inserts receipts and charges the leases of the newly inserted ones, so that a repeated batch charges nothing twice.
create or replace function settle_receipts(
  p_epoch bigint,
  p_workspace uuid[], p_request uuid[], p_project uuid[], p_key uuid[],
  p_credit_purse bigint[], p_project_purse bigint[], p_key_purse bigint[],
  p_model text[], p_price_version bigint[], p_outcome text[],
  p_charge bigint[], p_hold bigint[], p_write_off bigint[], p_certainty text[],
  p_input integer[], p_cached_input integer[], p_cache_write_5m integer[], p_cache_write_1h integer[],
  p_audio_input integer[], p_output integer[], p_audio_output integer[],
  p_shortened integer[], p_streamed boolean[], p_admitted_ms double precision[], p_duration_ms integer[],
  p_first_event_ms integer[], p_attempts text[], p_client_request text[]
) returns void language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_missing bigint;
begin
  perform require_live_epoch(p_epoch);
  perform from (
    select distinct purse from unnest(p_credit_purse || p_project_purse || p_key_purse) as q (purse) order by purse
  ) q cross join lateral (
    select from leases l where l.epoch_id = p_epoch and l.purse_id = q.purse for update
  ) l;
  with inserted as (
    insert into receipts (
      workspace_id, request_id, project_id, key_id, epoch_id,
      credit_purse_id, project_purse_id, key_purse_id,
      model, price_version_id, outcome,
      charge_nano_usd, hold_nano_usd, write_off_nano_usd, usage_certainty,
      input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
      audio_input_tokens, output_tokens, audio_output_tokens,
      shortened_to_tokens, streamed, admitted_at, duration_ms, first_event_ms, attempts, client_request_id
    )
    select
      q.workspace, q.request, q.project, q.key, p_epoch,
      q.credit_purse, q.project_purse, q.key_purse,
      q.model, q.price_version, q.outcome,
      q.charge, q.hold, q.write_off, q.certainty,
      q.input, q.cached_input, q.cache_write_5m, q.cache_write_1h,
      q.audio_input, q.output, q.audio_output,
      q.shortened, q.streamed, to_timestamp(q.admitted_ms / 1000), q.duration_ms, q.first_event_ms,
      q.attempts::jsonb, q.client_request
    from unnest(
      p_workspace, p_request, p_project, p_key, p_credit_purse, p_project_purse, p_key_purse,
      p_model, p_price_version, p_outcome, p_charge, p_hold, p_write_off, p_certainty,
      p_input, p_cached_input, p_cache_write_5m, p_cache_write_1h, p_audio_input, p_output, p_audio_output,
      p_shortened, p_streamed, p_admitted_ms, p_duration_ms, p_first_event_ms, p_attempts, p_client_request
    ) as q (
      workspace, request, project, key, credit_purse, project_purse, key_purse,
      model, price_version, outcome, charge, hold, write_off, certainty,
      input, cached_input, cache_write_5m, cache_write_1h, audio_input, output, audio_output,
      shortened, streamed, admitted_ms, duration_ms, first_event_ms, attempts, client_request
    )
    on conflict do nothing
    returning credit_purse_id, project_purse_id, key_purse_id, charge_nano_usd
  ),
  charges as (
    select p_epoch as epoch, purse, sum(charge_nano_usd)::bigint as amount
    from inserted cross join lateral (values (credit_purse_id), (project_purse_id), (key_purse_id)) as v (purse)
    where charge_nano_usd > 0
    group by purse
  ),
  charged as (
    update leases set charged_nano_usd = charged_nano_usd + c.amount
    from charges c where epoch_id = any (array[c.epoch]) and purse_id = any (array[c.purse])
    returning 1
  )
  select (select count(*) from charges) - (select count(*) from charged) into v_missing;
  if v_missing <> 0 then
    raise exception '% leases of epoch % are gone', v_missing, p_epoch using errcode = 'FG002';
  end if;
end $$;

-- Closes leases of a live epoch whose charges are all settled: `p_charged` is what the process has charged to each,
-- `p_sequences` the number of the last draw. Answers with the purses whose leases are closed. One with another sum or
-- number stays as it is: it follows the one that is meant, and this statement comes late.
create or replace function release_leases(p_epoch bigint, p_purses bigint[], p_charged bigint[], p_sequences bigint[])
returns setof bigint
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  perform require_live_epoch(p_epoch);
  perform from (select * from unnest(p_purses) as u (purse) order by purse) q cross join lateral (
    select from leases l where l.epoch_id = p_epoch and l.purse_id = q.purse for update
  ) l;
  perform from (select * from unnest(p_purses) as u (purse) order by purse) q cross join lateral (
    select from purses p where p.id = q.purse for no key update
  ) p;
  return query
    with gone as (
      delete from leases l
      using (
        select p_epoch as epoch, * from unnest(p_purses, p_charged, p_sequences) as u (purse, charged, sequence) offset 0
      ) q
      where l.epoch_id = any (array[q.epoch]) and l.purse_id = any (array[q.purse])
        and l.charged_nano_usd = q.charged and l.sequence = q.sequence
      returning l.purse_id, l.granted_nano_usd, l.charged_nano_usd, l.open
    )
    update purses p set
      spent_nano_usd = p.spent_nano_usd + g.charged_nano_usd,
      leased_nano_usd = p.leased_nano_usd - case when g.open then 0 else g.granted_nano_usd end
    from gone g where p.id = any (array[g.purse_id])
    returning p.id;
end $$;

-- Gives back up to `p_most` leases of a fenced epoch; answers how many it found. Zero: the epoch is reaped.
create or replace function reap_epoch(p_epoch bigint, p_most integer) returns integer
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_purses bigint[];
begin
  perform from epochs where id = p_epoch and fenced_at is not null for update;
  if not found then
    raise exception 'epoch % is not fenced', p_epoch;
  end if;
  select array_agg(purse_id order by purse_id) into v_purses from (
    select purse_id from leases where epoch_id = p_epoch order by purse_id limit p_most for update
  ) as chosen;
  if v_purses is null then
    update epochs set reaped_at = now() where id = p_epoch and reaped_at is null;
    return 0;
  end if;
  perform from unnest(v_purses) as q (purse) cross join lateral (
    select from purses p where p.id = q.purse for no key update
  ) p;
  with gone as (
    delete from leases where epoch_id = p_epoch and purse_id = any (v_purses)
    returning purse_id, granted_nano_usd, charged_nano_usd, open
  )
  update purses p set
    spent_nano_usd = p.spent_nano_usd + g.charged_nano_usd,
    leased_nano_usd = p.leased_nano_usd - case when g.open then 0 else g.granted_nano_usd end
  from gone g where p.id = any (array[g.purse_id]);
  return cardinality(v_purses);
end $$;
