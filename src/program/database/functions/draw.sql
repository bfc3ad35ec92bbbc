-- Sets each lease to what the process keeps plus what the purse can add. A request whose sequence number was applied
-- before changes nothing and reports the lease as it stands, with the number that it stands by; a first one that finds a
-- lease reports nothing. A purse that another transaction has locked is passed over, and has no row in the result; with
-- `p_waits` its lock is waited for, briefly.
--
-- A brief purse from which nothing is granted gets no row, and no lease: its figures have the id 0 where it has no row.
--
-- From purses of a workspace whose credit is shut nothing more is granted: a lease keeps what it uses, and none is made. The mode of
-- such a reply is 'shut'.
--
-- A new lease is written once its purse is locked, so that no two transactions ever wait for each other with it. The
-- requests come as `find_purses` returns them.
create or replace function draw(p_epoch bigint, p_requests draw_request[], p_waits boolean)
returns table (
  ordinal integer, subject_id uuid, purse_id bigint, limit_nano_usd bigint, spent_by_others_nano_usd bigint,
  available_nano_usd bigint, granted_nano_usd bigint, open boolean, mode text, sequence bigint, raised_until timestamptz
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
  v_asks boolean;
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
      perform from unnest(v_requests) q cross join lateral (
        select from member_limits m where q.purse is null and q.kind = 'member' and m.id = q.subject_id for no key update
      ) m;
    end if;
    perform open_purses(v_requests);
    v_requests := find_purses(p_requests);
    foreach v_request in array v_requests loop
      exit when v_request.purse is not null;
      if v_request.kind in ('end_user', 'session') then
        select limit_now(s.limit_nano_usd, s.raised_limit_nano_usd, s.raised_until),
            case when s.raised_until > now() and s.raised_limit_nano_usd > s.limit_nano_usd then s.raised_until end
          into limit_nano_usd, raised_until
          from served_limit(v_request.workspace_id, v_request.project_id, v_request.kind, v_request.subject_id) s;
        if not found then
          raise exception 'no project % to open a purse for', v_request.project_id;
        end if;
        ordinal := v_request.ordinal;
        subject_id := v_request.subject_id;
        purse_id := 0;
        spent_by_others_nano_usd := 0;
        available_nano_usd := limit_nano_usd;
        granted_nano_usd := 0;
        open := false;
        mode := 'wet';
        sequence := v_request.sequence;
        return next;
        continue;
      end if;
      if not exists (
        select from keys k
        where v_request.kind = 'key' and k.id = v_request.subject_id and (k.workspace_id = v_request.workspace_id) is true
      ) and not exists (
        select from projects x
        where v_request.kind = 'project' and x.id = v_request.subject_id and (x.workspace_id = v_request.workspace_id) is true
      ) and not exists (
        select from member_limits m
        where v_request.kind = 'member' and m.id = v_request.subject_id and (m.workspace_id = v_request.workspace_id) is true
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

  if exists (select from unnest(v_requests) q where q.kind in ('end_user', 'session')) then
    perform renew_limits(v_requests);
  end if;

  -- What is owed counts as spent, what corrections gave back does not. (This is not written back.) A raise counts until the
  -- beginning of this transaction at most, and its end is returned with what was granted by it.
  for r in
    select q.ordinal, q.subject_id, q.purse, q.sequence, q.keep, q.slack, q.needs, q.ahead, q.is_first,
      q.kind in ('end_user', 'session') as is_brief,
      coalesce(l.granted_nano_usd, 0) as granted, coalesce(l.charged_nano_usd, 0) as charged,
      coalesce(l.open, false) as is_open, coalesce(l.sequence, 0) as lease_sequence,
      limit_now(p.limit_nano_usd, p.raised_limit_nano_usd, p.raised_until) as purse_limit,
      case when p.raised_until > now() and p.raised_limit_nano_usd > p.limit_nano_usd then p.raised_until end as purse_raised_until,
      p.spent_nano_usd + p.owed_nano_usd - p.corrected_nano_usd as spent,
      p.leased_nano_usd as leased, p.mode as purse_mode, c.is_shut,
      o.charged_by_others, o.charged_closed, o.charged_foreign_open, o.is_foreign_open
    from unnest(v_requests) q
    cross join lateral (select * from purses x where x.id = q.purse offset 0) p
    left join lateral (select * from leases x where x.epoch_id = p_epoch and x.purse_id = q.purse offset 0) l on true
    cross join lateral (
      select coalesce(bool_or(x.shut), false) as is_shut from purses x where x.workspace_id = p.workspace_id and x.kind = 'credit'
    ) c
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
    v_asks := false;
    if r.is_shut then
      r.needs := '{}';
      r.ahead := 0;
      v_asks := r.lease_sequence = 0;
      v_applies := v_applies and not v_asks;
    elsif r.is_brief and r.lease_sequence = 0 and r.keep = 0 then
      v_available := r.purse_limit - r.spent - r.leased - r.charged_foreign_open;
      v_asks := not exists (
        select from unnest(r.needs) as n (need)
        where r.purse_limit is null or (n.need <= v_available and not r.is_foreign_open)
      );
      v_applies := not v_asks;
    end if;

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
    mode := case when r.is_shut then 'shut' else r.purse_mode end;
    raised_until := r.purse_raised_until;
    sequence := case when v_applies or v_asks then r.sequence else r.lease_sequence end;
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
