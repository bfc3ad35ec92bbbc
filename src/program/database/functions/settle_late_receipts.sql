-- Inserts receipts whose leases or claims are gone, once each: takes what is available in all their purses and writes off
-- the rest; all of it if the receipt's idempotency key belongs to another request by now. A purse whose id doesn't exist
-- any more is found by its subject and window, and opened if there is none. The shared lock makes a change of its limit
-- either visible here or wait for it.
create or replace function settle_late_receipts(p_epoch bigint, p_receipts jsonb) returns void language plpgsql as $$
declare
  r record;
  v_free bigint;
  v_taken bigint;
  v_superseded_by uuid;
  v_workspace uuid;
begin
  perform bound_transaction();
  perform wait_briefly();
  -- The same journal may be replayed by two processes; the second finds the receipts there.
  perform pg_advisory_xact_lock(hashtextextended('late charges of epoch ' || p_epoch, lock_number(0)));
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, raised_limit_nano_usd, raised_until)
    select l.workspace, 'key', l.key, l.key_period, l.key_start, l.key_end, k.spend_limit_nano_usd,
      k.raised_limit_nano_usd, k.raised_until
    from late_receipts(p_receipts) l join keys k on k.workspace_id = l.workspace and k.id = l.key
    where not exists (select from purses p where p.id = l.key_purse)
    order by l.workspace, l.key, l.key_period, l.key_start
    for share of k
    on conflict do nothing;
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, raised_limit_nano_usd, raised_until)
    select l.workspace, 'project', l.project, l.project_period, l.project_start, l.project_end, x.budget_nano_usd,
      x.raised_limit_nano_usd, x.raised_until
    from late_receipts(p_receipts) l join projects x on x.workspace_id = l.workspace and x.id = l.project
    where not exists (select from purses p where p.id = l.project_purse)
    order by l.workspace, l.project, l.project_period, l.project_start
    for share of x
    on conflict do nothing;
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, raised_limit_nano_usd, raised_until)
    select l.workspace, 'member', m.id, l.key_period, l.key_start, l.key_end, m.monthly_limit_nano_usd,
      m.raised_limit_nano_usd, m.raised_until
    from late_receipts(p_receipts) l join keys k on k.workspace_id = l.workspace and k.id = l.key
    join member_limits m on m.workspace_id = k.workspace_id and m.user_id = k.created_by and m.monthly_limit_nano_usd is not null
    order by l.workspace, m.id, l.key_period, l.key_start
    for share of m
    on conflict do nothing;
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, raised_limit_nano_usd, raised_until,
      project_id)
    select l.workspace, s.kind, s.subject, s.period, s.window_start, s.window_end, x.limit_nano_usd,
      x.raised_limit_nano_usd, x.raised_until, l.project
    from late_receipts(p_receipts) l cross join lateral late_served(l) s
    cross join lateral served_limit(l.workspace, l.project, s.kind, s.subject) x
    where s.purse is null
    order by l.workspace, s.kind, s.subject, s.period, s.window_start
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
  -- What is paid late while a workspace is paused would be paid here alone, so that it goes back. It can't be waited for: a process
  -- pays what a former one owed before it does anything else, and the pause may be one that ends by that process.
  for v_workspace in
    select distinct l.workspace from late_receipts(p_receipts) l join workspaces w on w.id = l.workspace
    where w.paused_at is not null order by 1
  loop
    perform from workspaces where id = v_workspace for update;
    update workspace_moves set state = 'returning', problem = 'charges of a process that had ended came in the pause.'
      where workspace_id = v_workspace and state = 'paused';
    update purses set shut = false where workspace_id = v_workspace and kind = 'credit';
    update workspaces set paused_at = null where id = v_workspace;
    insert into changes (kind, subject_id)
      select 'workspace', v_workspace::text
      union all select 'purse', id::text from purses where workspace_id = v_workspace and kind = 'credit';
  end loop;
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
        limit_now(limit_nano_usd, raised_limit_nano_usd, raised_until)
          - spent_nano_usd - leased_nano_usd - owed_nano_usd + corrected_nano_usd
          - (select coalesce(sum(charged_nano_usd), 0) from leases l where l.purse_id = p.id and l.open)
      ) into v_free
      from purses p where id = any (r.purses)
        and not exists (select from purses q where q.id = any (r.purses) and q.shut);
    v_taken := case when v_superseded_by is null then least(r.charge, greatest(0, coalesce(v_free, 0))) else 0 end;
    update purses set spent_nano_usd = spent_nano_usd + v_taken where id = any (r.purses);
    insert into receipts (
      workspace_id, request_id, project_id, key_id, epoch_id,
      credit_purse_id, project_purse_id, key_purse_id, member_purse_id, end_user_purse_id, session_purse_id,
      dialect, model, price_version_id, outcome,
      charge_nano_usd, hold_nano_usd, write_off_nano_usd, fees_nano_usd, usage_certainty,
      input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
      audio_input_tokens, output_tokens, audio_output_tokens,
      shortened_to_tokens, streamed, admitted_at, duration_ms, first_event_ms,
      provider, upstream_model, attempt_ms, attempts, client_request_id, late, superseded_by,
      session, left_out, retry, uses, service_tier, requested_model, affinity, affinity_missed
    ) values (
      r.workspace, r.request, r.project, r.key, p_epoch,
      r.purses[1], r.purses[2], r.purses[3],
      (select id from purses where id = any (r.purses[4:]) and kind = 'member'),
      (select id from purses where id = any (r.purses[4:]) and kind = 'end_user'),
      (select id from purses where id = any (r.purses[4:]) and kind = 'session'),
      r.dialect, r.model, r.price_version, r.outcome,
      v_taken, r.hold, r.write_off + r.charge - v_taken, r.fees, r.certainty,
      r.input, r.cached_input, r.cache_write_5m, r.cache_write_1h,
      r.audio_input, r.output, r.audio_output,
      r.shortened, r.streamed, to_timestamp(r.admitted_ms / 1000), r.duration_ms, r.first_event_ms,
      r.provider, r.upstream_model, r.attempt_ms, r.attempts, r.client_request, true, v_superseded_by,
      r.extras ->> 'session', (r.extras ->> 'left_out')::text[], (r.extras ->> 'retry')::boolean,
      r.extras -> 'uses', r.extras ->> 'service_tier', r.extras ->> 'requested_model', r.extras ->> 'affinity',
      (r.extras ->> 'affinity_missed')::boolean
    );
  end loop;
end $$;
