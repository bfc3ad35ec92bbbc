-- What moves money. Each function first takes its epoch's row, still live, or raises FG001; fencing takes the same row
-- exclusively, so a fenced process changes nothing. Locks are taken in one order: epoch, leases by purse, purses by id.
-- Purses are locked FOR NO KEY UPDATE: two epochs that open leases of one purse both hold its key by their foreign keys,
-- and would wait for each other for a lock that excludes those.

create function require_live_epoch(p_epoch bigint) returns void language plpgsql as $$
begin
  perform from epochs where id = p_epoch and fenced_at is null for key share;
  if not found then
    raise exception 'epoch % is fenced', p_epoch using errcode = 'FG001';
  end if;
end $$;

-- Sets each lease to what the process keeps plus what the purse can add. A request whose sequence number was applied
-- before changes nothing and reports the lease as it stands.
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
  mode_number bigint
)
language plpgsql as $$
#variable_conflict use_column
declare
  r record;
  l leases;
  p purses;
  v_limit bigint;
  v_charged_by_others bigint;
  v_charged_closed bigint;
  v_charged_foreign_open bigint;
  v_foreign_open boolean;
  v_available bigint;
  v_in_use bigint;
  v_taken bigint;
  v_needed bigint;
  v_unmet boolean;
  v_extra bigint;
  v_ahead bigint;
  v_need bigint;
begin
  perform require_live_epoch(p_epoch);

  for r in
    select * from draw_requests(p_requests) where purse is null
    order by workspace_id, kind, subject_id, period, window_start
  loop
    -- The shared lock makes a change of the limit either visible here or wait for this row.
    if r.kind = 'project' then
      select budget_nano_usd into v_limit from projects where workspace_id = r.workspace_id and id = r.subject_id for share;
    else
      select spend_limit_nano_usd into v_limit from keys where workspace_id = r.workspace_id and id = r.subject_id for share;
    end if;
    if not found then
      raise exception 'no % % to open a purse for', r.kind, r.subject_id;
    end if;
    insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd)
    values (r.workspace_id, r.kind, r.subject_id, r.period, r.window_start, r.window_end, v_limit)
    on conflict do nothing;
  end loop;

  perform from leases
    where epoch_id = p_epoch and leases.purse_id in (select purse from draw_requests(p_requests))
    order by leases.purse_id for update;
  insert into leases (epoch_id, purse_id)
    select p_epoch, q.purse from draw_requests(p_requests) q order by q.purse
    on conflict do nothing;

  for r in select * from draw_requests(p_requests) q order by q.purse loop
    select * into l from leases where epoch_id = p_epoch and leases.purse_id = r.purse;
    select * into p from purses where id = r.purse for no key update;
    -- What is owed counts as spent, what corrections gave back does not. (This is not written back.)
    p.spent_nano_usd := p.spent_nano_usd + p.owed_nano_usd - p.corrected_nano_usd;
    -- Another epoch's open lease has no bound yet, so nothing is drawn until it has turned into a closed one; that of a
    -- fenced epoch grows no more, so its charges are all it will take.
    select coalesce(sum(charged_nano_usd) filter (where epoch_id <> p_epoch), 0),
           coalesce(sum(charged_nano_usd) filter (where not leases.open), 0),
           coalesce(sum(charged_nano_usd) filter (where leases.open and epoch_id <> p_epoch), 0),
           coalesce(bool_or(leases.open and epoch_id <> p_epoch and fenced_at is null), false)
      into v_charged_by_others, v_charged_closed, v_charged_foreign_open, v_foreign_open
      from leases join epochs on epochs.id = epoch_id where leases.purse_id = r.purse;

    if l.sequence < r.sequence then
      if not l.open then
        p.leased_nano_usd := p.leased_nano_usd - l.granted_nano_usd;
      elsif p.limit_nano_usd is not null then
        v_charged_closed := v_charged_closed + l.charged_nano_usd;
      end if;

      if p.limit_nano_usd is null then
        l.open := true;
        l.granted_nano_usd := 0;
      else
        v_available := p.limit_nano_usd - p.spent_nano_usd - p.leased_nano_usd - v_charged_foreign_open - r.keep;
        v_in_use := p.leased_nano_usd + r.keep - v_charged_closed;
        v_taken := 0;
        v_unmet := false;
        foreach v_need in array r.needs loop
          if v_need <= v_available + r.slack - v_taken and not v_foreign_open then
            v_taken := v_taken + v_need;
          else
            v_unmet := true;
          end if;
        end loop;
        v_needed := greatest(0, v_taken - r.slack);
        v_ahead := least(r.ahead, greatest(0, v_available / 8));
        if v_foreign_open then
          v_ahead := 0;
        end if;

        if p.mode = 'wet' and (v_unmet or v_available - v_needed - v_ahead < 2::numeric * (v_in_use + v_needed + v_ahead)) then
          p.mode := 'dry';
          p.mode_number := p.mode_number + 1;
          insert into changes (kind, subject_id) values ('purse', p.id::text);
        elsif p.mode = 'dry' and not v_unmet and v_available - v_needed > 4::numeric * (v_in_use + v_needed) then
          p.mode := 'wet';
          p.mode_number := p.mode_number + 1;
        end if;

        v_extra := v_needed + case when p.mode = 'wet' then v_ahead else 0 end;
        l.open := false;
        l.granted_nano_usd := r.keep + v_extra;
        p.leased_nano_usd := p.leased_nano_usd + l.granted_nano_usd;
        if r.slack = 0 or p.mode = 'wet' then
          l.mode_acknowledged := r.mode_number;
        end if;
      end if;

      l.sequence := r.sequence;
      update leases set
        granted_nano_usd = l.granted_nano_usd, open = l.open,
        sequence = l.sequence, mode_acknowledged = l.mode_acknowledged
        where epoch_id = p_epoch and leases.purse_id = r.purse;
      update purses set leased_nano_usd = p.leased_nano_usd, mode = p.mode, mode_number = p.mode_number
        where id = r.purse
          and (leased_nano_usd, purses.mode, purses.mode_number) is distinct from (p.leased_nano_usd, p.mode, p.mode_number);
    end if;

    ordinal := r.ordinal;
    purse_id := r.purse;
    limit_nano_usd := p.limit_nano_usd;
    spent_by_others_nano_usd := p.spent_nano_usd + v_charged_by_others;
    available_nano_usd := p.limit_nano_usd - p.spent_nano_usd - p.leased_nano_usd - v_charged_foreign_open;
    granted_nano_usd := l.granted_nano_usd;
    open := l.open;
    mode := p.mode;
    mode_number := p.mode_number;
    return next;
  end loop;
end $$;

-- The requests of one draw as rows, each with its purse where that exists already.
create function draw_requests(p_requests jsonb)
returns table (
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
  mode_number bigint,
  purse bigint
)
language sql stable as $$
  select q.*, p.id
  from jsonb_to_recordset(p_requests) as q (
    ordinal integer, workspace_id uuid, kind text, subject_id uuid, period text,
    window_start timestamptz, window_end timestamptz,
    sequence bigint, keep bigint, slack bigint, needs bigint[], ahead bigint, mode_number bigint
  )
  left join purses p on p.workspace_id = q.workspace_id and p.kind = q.kind and p.subject_id = q.subject_id
    and p.period = q.period and p.window_start = q.window_start
$$;

-- Inserts receipts and charges the leases of the newly inserted ones, so that a repeated batch charges nothing twice.
create function settle_receipts(
  p_epoch bigint,
  p_workspace uuid[], p_request uuid[], p_project uuid[], p_key uuid[],
  p_credit_purse bigint[], p_project_purse bigint[], p_key_purse bigint[],
  p_model text[], p_price_version bigint[], p_outcome text[],
  p_charge bigint[], p_hold bigint[], p_write_off bigint[], p_certainty text[],
  p_input integer[], p_cached_input integer[], p_cache_write_5m integer[], p_cache_write_1h integer[],
  p_audio_input integer[], p_output integer[], p_audio_output integer[],
  p_shortened integer[], p_streamed boolean[], p_admitted_ms double precision[], p_duration_ms integer[],
  p_first_event_ms integer[], p_attempts text[], p_client_request text[]
) returns void language plpgsql as $$
declare
  v_missing bigint;
begin
  perform require_live_epoch(p_epoch);
  perform from leases
    where epoch_id = p_epoch and purse_id = any (p_credit_purse || p_project_purse || p_key_purse)
    order by purse_id for update;
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
    select purse, sum(charge_nano_usd)::bigint as amount
    from inserted cross join lateral (values (credit_purse_id), (project_purse_id), (key_purse_id)) as v (purse)
    where charge_nano_usd > 0
    group by purse
  ),
  charged as (
    update leases set charged_nano_usd = charged_nano_usd + c.amount
    from charges c where epoch_id = p_epoch and purse_id = c.purse
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
create function release_leases(p_epoch bigint, p_purses bigint[], p_charged bigint[], p_sequences bigint[])
returns setof bigint language plpgsql as $$
begin
  perform require_live_epoch(p_epoch);
  perform from leases where epoch_id = p_epoch and purse_id = any (p_purses) order by purse_id for update;
  perform from purses where id = any (p_purses) order by id for no key update;
  return query
    with gone as (
      delete from leases l using unnest(p_purses, p_charged, p_sequences) as q (purse, charged, sequence)
      where l.epoch_id = p_epoch and l.purse_id = q.purse
        and l.charged_nano_usd = q.charged and l.sequence = q.sequence
      returning l.purse_id, l.granted_nano_usd, l.charged_nano_usd, l.open
    )
    update purses p set
      spent_nano_usd = p.spent_nano_usd + g.charged_nano_usd,
      leased_nano_usd = p.leased_nano_usd - case when g.open then 0 else g.granted_nano_usd end
    from gone g where p.id = g.purse_id
    returning p.id;
end $$;

-- Gives back up to `p_most` leases of a fenced epoch; answers how many it found. Zero: the epoch is reaped.
create function reap_epoch(p_epoch bigint, p_most integer) returns integer language plpgsql as $$
declare
  v_purses bigint[];
begin
  perform from epochs where id = p_epoch and fenced_at is not null for update;
  if not found then
    raise exception 'epoch % is not fenced', p_epoch;
  end if;
  select array_agg(purse_id) into v_purses from (
    select purse_id from leases where epoch_id = p_epoch order by purse_id limit p_most for update
  ) as chosen;
  if v_purses is null then
    update epochs set reaped_at = now() where id = p_epoch and reaped_at is null;
    return 0;
  end if;
  perform from purses where id = any (v_purses) order by id for no key update;
  with gone as (
    delete from leases where epoch_id = p_epoch and purse_id = any (v_purses)
    returning purse_id, granted_nano_usd, charged_nano_usd, open
  )
  update purses p set
    spent_nano_usd = p.spent_nano_usd + g.charged_nano_usd,
    leased_nano_usd = p.leased_nano_usd - case when g.open then 0 else g.granted_nano_usd end
  from gone g where p.id = g.purse_id;
  return cardinality(v_purses);
end $$;
