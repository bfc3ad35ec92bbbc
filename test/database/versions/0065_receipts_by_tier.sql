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
create table if not exists schema_files (
  kind text not null check (kind in ('migration', 'function')),
  name text not null,
  sha256 text not null,
  applied_at timestamptz not null default now(),
  primary key (kind, name)
);
create table if not exists schema_programs (
  digest text primary key,
  version text not null
);
insert into schema_files (kind, name, sha256, applied_at)
  select record.kind, record.name, record.sha256, record.applied_at from (
    select 'migration' as kind, name, sha256, applied_at from schema_migrations
    union all select 'function', name, sha256, applied_at from schema_functions
  ) record
  where not exists (select from schema_files);

\i migrations/0001_baseline.sql
\i migrations/0002_receipts_name_their_transaction.sql
\i migrations/0003_audit_events.sql
\i migrations/0004_receipts_name_their_route.sql
\i migrations/0005_alerts.sql
\i migrations/0006_identity.sql
\i migrations/0007_payments.sql
\i migrations/0008_usage.sql
\i migrations/0009_resource_lives.sql
\i migrations/0010_workspace_prices.sql
\i migrations/0011_stopped_top_ups.sql
\i migrations/0012_refusals.sql
\i migrations/0013_last_uses.sql
\i migrations/0014_provider_costs.sql
\i migrations/0015_console_keys.sql
\i migrations/0016_usage_by_member.sql
\i migrations/0017_receipts_have_extras.sql
\i migrations/0018_stored_responses.sql
\i migrations/0019_stored_response_bytes.sql
\i migrations/0020_fees.sql
\i migrations/0021_links_name_their_makers.sql
\i migrations/0022_encrypted_secrets.sql
\i migrations/0023_sign_in_networks.sql
\i migrations/0024_tokens_for_backups.sql
\i migrations/0025_member_keys_are_bounded.sql
\i migrations/0026_projects_report_costs.sql
\i migrations/0027_encrypted_responses.sql
\i migrations/0028_leases_in_use.sql
\i migrations/0029_audit_chains.sql
\i migrations/0030_workspace_access.sql
\i migrations/0031_directories.sql
\i migrations/0032_sinks.sql
\i migrations/0033_retention.sql
\i migrations/0034_passkeys.sql
\i migrations/0035_shards.sql
\i migrations/0036_member_limits.sql
\i migrations/0037_route_hours.sql
\i migrations/0038_member_role.sql
\i migrations/0039_service_tiers.sql
\i migrations/0040_offer_declarations.sql
\i migrations/0041_colleagues.sql
\i migrations/0042_requested_models.sql
\i migrations/0043_owner_suspensions.sql
\i migrations/0049_expiring_credit.sql
\i migrations/0050_raised_limits.sql
\i migrations/0051_served_limits.sql
\i migrations/0052_billing_parties.sql
\i migrations/0053_default_alerts.sql
\i migrations/0054_models_when_spent.sql
\i migrations/0055_payment_tax.sql
\i migrations/0056_alert_kinds.sql
\i migrations/0057_cells.sql
\i migrations/0059_end_user_limits.sql
\i migrations/0060_alerts_of_served.sql
\i migrations/0061_workspace_moves.sql
\i migrations/0062_moves_ahead_of_the_pause.sql
\i migrations/0064_affinity.sql
\i migrations/0065_receipts_by_tier.sql
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
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, raised_limit_nano_usd, raised_until)
    values (p.workspace_id, 'project', p.id, p.budget_period, v_start, v_end, p.budget_nano_usd,
      p.raised_limit_nano_usd, p.raised_until)
    on conflict (workspace_id, kind, subject_id, period, window_start)
      do update set limit_nano_usd = excluded.limit_nano_usd,
        raised_limit_nano_usd = excluded.raised_limit_nano_usd, raised_until = excluded.raised_until
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

-- Applies what a provider reports of a payment, once for each event: the event's row, the top-up's new state and the
-- postings to the credit are one statement. Events may come in any order, any number of times and at the same time; what
-- they lead to depends only on which of them came.
--
-- A top-up moves from pending through processing, expired and failed to paid, and never back. p_workspace is the workspace
-- that the provider's record names.
--   applied, repeated    it is in effect, now or before
--   ignored              it is about none of our top-ups, or about one of a workspace that lives in another cell, which applies it;
--                        if it comes again, it is looked at again, because that workspace may live here by then
--   mismatch             it contradicts the top-up, so it has no effect; the detail is for the operator
create or replace function apply_payment_fact(
  p_provider text, p_event text, p_fact text, p_payment text, p_top_up uuid, p_workspace uuid, p_origin text,
  p_reference text, p_amount bigint, p_currency text, p_customer text, p_failure text, p_tax bigint default 0,
  out outcome text, out detail text, out top_up uuid, out workspace uuid
) language plpgsql as $$
declare
  t top_ups;
begin
  perform bound_transaction();
  outcome := 'applied';
  insert into payment_events as e (provider, id, fact, outcome) values (p_provider, p_event, p_fact, 'applied')
    on conflict (provider, id) do update set outcome = 'applied', detail = null where e.outcome = 'ignored';
  if not found then
    select 'repeated', e.detail, e.top_up_id, e.workspace_id into outcome, detail, top_up, workspace
      from payment_events e where e.provider = p_provider and e.id = p_event;
    return;
  end if;
  -- The facts of one payment are applied one after the other, also those that come before its top-up is known.
  if p_payment is not null then
    perform pg_advisory_xact_lock(hashtextextended(p_provider || ' ' || p_payment, lock_number(4611220105103830)));
  end if;
  select format('the workspace lives in the cell %s', w.moved_to) into detail from workspaces w
    where w.moved_to is not null and (
      w.id = p_workspace or w.id = (select x.workspace_id from top_ups x where x.id = p_top_up)
      or w.id = (select x.workspace_id from top_ups x where x.provider = p_provider and x.payment_reference = p_payment)
    );
  if detail is not null then
    outcome := 'ignored';
    update payment_events e set outcome = 'ignored', detail = apply_payment_fact.detail
      where e.provider = p_provider and e.id = p_event;
    return;
  end if;
  if p_reference is not null then
    select * into outcome, detail from record_reversal(
      p_provider, p_fact, p_reference, p_payment, p_amount, p_currency);
    select * into t from top_ups where provider = p_provider and payment_reference = p_payment for no key update;
    if outcome = 'applied' and t.id is not null then
      perform post_reversals(t);
    end if;
  else
    select * into t from top_ups where id = p_top_up for no key update;
    select * into outcome, detail from match_payment(
      t, p_provider, p_fact, p_payment, p_workspace, p_origin, p_amount, p_currency, p_tax);
    if outcome = 'applied' then
      if p_fact = 'paid' then
        t.tax_nano_usd := p_tax;
      end if;
      perform move_top_up(t, p_fact, p_payment, p_customer, p_failure);
    end if;
  end if;
  top_up := t.id;
  workspace := coalesce(t.workspace_id, (select w.id from workspaces w where w.id = p_workspace));
  update payment_events e set outcome = apply_payment_fact.outcome, detail = apply_payment_fact.detail,
      workspace_id = workspace, top_up_id = top_up
    where e.provider = p_provider and e.id = p_event;
end $$;

-- SHA-256 of an audit event's fields, as the text of a JSON array. It is part of what auditors recompute: docs/security.md.
create or replace function audit_event_digest(e audit_events) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(e.id, e.workspace_id, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    e.actor_kind, e.user_id, e.actor_name, e.action, e.target_kind, e.target_id, e.target_name, e.before, e.after, e.address,
    e.request_id)::text, 'UTF8'))
$$;

-- Makes an automatic top-up of a workspace if it wants one now: its balance is below its threshold, none is under way, the
-- month has room for it, and the last failure is an hour ago. Answers whether it did. The lock keeps one that is paid at the same
-- time from being seen as neither under way nor in the balance.
create or replace function begin_auto_top_up(
  p_workspace uuid, p_id uuid, p_amount bigint, p_fee bigint
) returns boolean language plpgsql as $$
declare
  s payment_settings;
  v_balance numeric;
  v_month numeric;
begin
  perform bound_transaction();
  select * into s from payment_settings where workspace_id = p_workspace for no key update;
  if not found or not s.auto_enabled or s.auto_stop is not null or s.customer_reference is null
      or s.auto_amount_nano_usd <> p_amount or s.auto_failed_at > now() - interval '1 hour'
      or exists (select from workspaces where id = p_workspace and num_nonnulls(closing_at, archived_at, paused_at, moved_to) > 0) then
    return false;
  end if;
  perform from top_ups where workspace_id = p_workspace and origin = 'auto' and state in ('pending', 'processing');
  if found then
    return false;
  end if;
  select p.limit_nano_usd - p.spent_nano_usd - p.owed_nano_usd
      - (select coalesce(sum(l.charged_nano_usd), 0) from leases l where l.purse_id = p.id) into v_balance
    from purses p where p.workspace_id = p_workspace and p.kind = 'credit';
  select coalesce(sum(amount_nano_usd + fee_nano_usd), 0) into v_month from top_ups
    where workspace_id = p_workspace and origin = 'auto' and state in ('pending', 'processing', 'paid')
      and created_at >= date_trunc('month', now() at time zone 'UTC') at time zone 'UTC';
  if v_balance >= s.auto_threshold_nano_usd or v_month + p_amount + p_fee > s.auto_month_max_nano_usd then
    return false;
  end if;
  insert into top_ups (workspace_id, id, provider, origin, amount_nano_usd, fee_nano_usd, actor)
    values (p_workspace, p_id, s.provider, 'auto', p_amount, p_fee, 'auto top-up');
  return true;
end $$;

-- Bounds the transaction that calls it: PostgreSQL ends the transaction, and its connection, after this time. A connection
-- may stand still after its statement has run, because its process or the network does, and the locks would outlive the
-- statement. Between two statements it may stand still for a second, which is less than requests wait for money. Behind a
-- pooler nothing may be set for a session, so each transaction bounds itself. Before PostgreSQL 17 the whole is not
-- bounded: fencing the epoch ends the connections that stand in the way. A query, so that its callers' plans have it inline.
create or replace function bound_transaction(p_most text default '5s') returns text language sql as $$
  select set_config('idle_in_transaction_session_timeout', '1s', true)
    || case when current_setting('server_version_num')::integer >= 170000
      then set_config('transaction_timeout', p_most, true)
    end
$$;

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

-- Archived workspaces that hold credit, which nobody can spend, beyond the payments that go back through their provider.
create or replace function closed_credit() returns table (
  workspace_id uuid, workspace_name text, credit_nano_usd bigint
) language sql stable as $$
  select w.id, w.name, p.limit_nano_usd - p.spent_nano_usd - p.leased_nano_usd - coalesce(pending.amount, 0)
  from workspaces w
  join purses p on p.workspace_id = w.id and p.kind = 'credit' and p.subject_id = w.id
  left join (
    select c.workspace_id, sum(c.credit_nano_usd)::bigint as amount from closed_payments() c group by c.workspace_id
  ) pending on pending.workspace_id = w.id
  where w.archived_at is not null
    and p.limit_nano_usd - p.spent_nano_usd - p.leased_nano_usd > coalesce(pending.amount, 0)
$$;

-- Payments that were posted after their workspace was archived and have not gone back to the payer in full: with what was
-- paid, fee and tax included, and what of it is still in the credit. The fee goes back last.
create or replace function closed_payments() returns table (
  workspace_id uuid, workspace_name text, top_up_id uuid, provider text, paid_nano_usd bigint, credit_nano_usd bigint,
  paid_at timestamptz
) language sql stable as $$
  select w.id, w.name, t.id, t.provider, t.amount_nano_usd + t.fee_nano_usd + t.tax_nano_usd,
    (t.amount_nano_usd - returned_credit(t, returned.amount))::bigint,
    q.posted_at
  from workspaces w
  join top_ups t on t.workspace_id = w.id and t.state = 'paid' and t.payment_reference is not null
  join ledger_postings q on q.workspace_id = w.id and q.id = t.posting_id and q.posted_at > w.archived_at
  cross join lateral (
    select coalesce(sum(r.amount_nano_usd), 0)::bigint as amount from payment_reversals r
    where r.workspace_id = w.id and r.top_up_id = t.id and r.counted
  ) returned
  where w.archived_at is not null and t.amount_nano_usd + t.fee_nano_usd + t.tax_nano_usd > returned.amount
$$;

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
      'sequence', d.sequence::text,
      'raised_until_ms', extract(epoch from d.raised_until) * 1000
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
  out principals json, out leases json, out permits json,
  p_members boolean default false
) language plpgsql as $$
begin
  select l.principals, l.leases, l.permits into principals, leases, permits
    from look_up_keys(
      p_epoch, p_secrets, p_periods, p_starts, p_ends, p_sequence, p_ahead, p_permit_sequence, p_tokens, p_members
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
  p_context_ids uuid[], p_context_numbers bigint[], p_context_texts text[],
  p_requests uuid[], p_charges bigint[], p_numbers bigint[], p_attempts jsonb[], p_client_requests text[],
  p_claim_workspaces uuid[] default null, p_claim_keys uuid[] default null, p_idempotency_keys text[] default null,
  p_claim_requests uuid[] default null, p_answers bytea[] default null,
  p_is_repeat boolean default false, p_extras jsonb[] default '{}'
) language plpgsql as $$
begin
  if p_is_repeat then
    perform settle_receipts_again(
      p_epoch, p_purses, p_amounts, p_context_ids, p_context_numbers, p_context_texts,
      p_requests, p_charges, p_numbers, p_attempts, p_client_requests, p_extras
    );
  else
    perform settle_receipts(
      p_epoch, p_purses, p_amounts, p_context_ids, p_context_numbers, p_context_texts,
      p_requests, p_charges, p_numbers, p_attempts, p_client_requests, p_extras
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
-- project's, the member's and the key's purse that the receipt charged, and in the buckets of usage that it is counted in, or will be.
-- The purses of an end user and a session get it too, but no record of it, because they are pruned.
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
  -- Before any purse is locked: what counts receipts holds it for moments. See src/control/usage/folding.ts.
  perform pg_advisory_xact_lock(lock_number(4611220105103825));
  select charge_nano_usd as charge, hold_nano_usd as hold, credit_purse_id as credit,
      array_remove(array[project_purse_id, key_purse_id, member_purse_id], null) as purses,
      array_remove(array[end_user_purse_id, session_purse_id], null) as brief
    into strict v_receipt from receipts where workspace_id = p_workspace and request_id = p_request;
  if p_charge < 0 or p_charge > v_receipt.hold then
    raise exception 'a request is charged from nothing to what it held' using errcode = 'check_violation';
  end if;
  perform from purses where id = any (v_receipt.purses || v_receipt.brief || v_receipt.credit::bigint) order by id for no key update;
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
      where id = any (v_receipt.purses || v_receipt.brief);
    insert into changes (kind, subject_id)
      select 'purse', purse::text from unnest(v_receipt.purses || v_receipt.brief) as purse;
    perform correct_usage(p_workspace, p_request, (r.posting).amount_nano_usd);
  end if;
  return r;
end $$;

-- Counts the correction of a receipt in all buckets that the receipt is in, or will be once it is counted. Buckets are
-- described in src/control/usage/.
create or replace function correct_usage(p_workspace uuid, p_request uuid, p_amount bigint) returns void
language plpgsql as $$
declare
  c_nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  c_origin constant timestamptz := '2000-01-01 00:00:00+00';
  -- Of the id's time, its first 48 bits in milliseconds: weeks since Monday, 29 December 1969.
  v_week constant integer := (
    ('x' || translate(left(p_request::text, 13), '-', ''))::bit(48)::bigint + 259200000) / 604800000;
begin
  -- Those that are still to be made will have it.
  if not exists (select from usage_folding where v_week <> all (unbuilt)) then
    return;
  end if;
  insert into usage_hours as known (workspace_id, starts_at, project_id, model, dialect, outcome, week, corrected_nano_usd)
    select workspace_id, date_bin('1 hour', admitted_at, c_origin), project_id, model, dialect, outcome, v_week, p_amount
    from receipts where workspace_id = p_workspace and request_id = p_request
    on conflict (workspace_id, starts_at, project_id, model, dialect, outcome, week) do update set corrected_nano_usd = known.corrected_nano_usd + p_amount;
  insert into usage_days as known (workspace_id, starts_at, project_id, model, dialect, outcome, corrected_nano_usd)
    select workspace_id, date_bin('1 day', admitted_at, c_origin), project_id, model, dialect, outcome, p_amount
    from receipts where workspace_id = p_workspace and request_id = p_request
    on conflict (workspace_id, starts_at, project_id, model, dialect, outcome) do update set corrected_nano_usd = known.corrected_nano_usd + p_amount;
  insert into usage_key_hours as known (workspace_id, starts_at, key_id, project_id, model, dialect, outcome, week, corrected_nano_usd)
    select workspace_id, date_bin('1 hour', admitted_at, c_origin), key_id, project_id, model, dialect, outcome, v_week, p_amount
    from receipts where workspace_id = p_workspace and request_id = p_request
    on conflict (workspace_id, starts_at, key_id, model, dialect, outcome, week) do update set corrected_nano_usd = known.corrected_nano_usd + p_amount;
  insert into usage_key_days as known (workspace_id, starts_at, key_id, project_id, model, dialect, outcome, corrected_nano_usd)
    select workspace_id, date_bin('1 day', admitted_at, c_origin), key_id, project_id, model, dialect, outcome, p_amount
    from receipts where workspace_id = p_workspace and request_id = p_request
    on conflict (workspace_id, starts_at, key_id, model, dialect, outcome) do update set corrected_nano_usd = known.corrected_nano_usd + p_amount;
  insert into usage_key_months as known (workspace_id, starts_at, key_id, project_id, corrected_nano_usd)
    select workspace_id, date_trunc('month', admitted_at, 'UTC'), key_id, project_id, p_amount
    from receipts where workspace_id = p_workspace and request_id = p_request
    on conflict (workspace_id, starts_at, key_id) do update set corrected_nano_usd = known.corrected_nano_usd + p_amount;
  insert into usage_member_days as known (workspace_id, starts_at, member, project_id, model, dialect, outcome, corrected_nano_usd)
    select receipts.workspace_id, date_bin('1 day', admitted_at, c_origin), coalesce(created_by, c_nobody), receipts.project_id,
      model, dialect, outcome, p_amount
    from receipts join keys on keys.id = key_id where receipts.workspace_id = p_workspace and request_id = p_request
    on conflict (workspace_id, starts_at, member, project_id, model, dialect, outcome) do update set corrected_nano_usd = known.corrected_nano_usd + p_amount;
end $$;

-- Counts the charges of a workspace, up to this total, against its grants that expire. Charges between two changes of the grants
-- meet the same grants in the same order, so their sum says what is left of each. The caller has locked the purse.
create or replace function count_grants(p_workspace uuid, p_charged numeric) returns void language plpgsql as $$
declare
  c grant_counts;
  v_other numeric;
begin
  insert into grant_counts (workspace_id, charged_nano_usd, other_nano_usd) values (p_workspace, p_charged, 0)
    on conflict (workspace_id) do nothing;
  select * into c from grant_counts where workspace_id = p_workspace;
  v_other := take_from_grants(p_workspace, p_charged - c.charged_nano_usd);
  update grant_counts set charged_nano_usd = p_charged, other_nano_usd = c.other_nano_usd + v_other
    where workspace_id = p_workspace and charged_nano_usd < p_charged;
end $$;

-- Counts the version of a row that people edit, whichever statement changes it. A row that arrives from another cell has its own.
create or replace function count_version() returns trigger language plpgsql as $$
begin
  if current_setting('faregate.landing', true) is distinct from 'on' then
    new.version := old.version + 1;
  end if;
  return new;
end $$;

-- Deletes a stored response; all of those with the same id. Returns whether there was one. Others may have its place
-- immediately.
create or replace function delete_response(p_workspace uuid, p_response text) returns boolean
language plpgsql set enable_seqscan = off as $$
declare
  v_bytes bigint;
begin
  perform bound_transaction();
  with gone as (
    delete from stored_responses
      where workspace_id = p_workspace and response_id = p_response and expires_at > now()
      returning octet_length(items)::bigint + octet_length(response) as bytes
  )
  select sum(bytes) into v_bytes from gone;
  if v_bytes is null then
    return false;
  end if;
  update stored_response_bytes set bytes = greatest(0, bytes - v_bytes) where workspace_id = p_workspace;
  return true;
end $$;

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

-- The draw of a process that knows its leases, with the requests as JSON.
create or replace function draw_leases(p_epoch bigint, p_requests jsonb, p_waits boolean)
returns table (
  ordinal integer, purse_id bigint, limit_nano_usd bigint, spent_by_others_nano_usd bigint, available_nano_usd bigint,
  granted_nano_usd bigint, open boolean, mode text, sequence bigint,
  raised_until timestamptz
) language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  return query select
    d.ordinal, d.purse_id, d.limit_nano_usd, d.spent_by_others_nano_usd, d.available_nano_usd, d.granted_nano_usd,
    d.open, d.mode, d.sequence, d.raised_until
  from draw(p_epoch, find_purses(array(
    select row(
      q.ordinal, q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end,
      q.sequence, q.keep, q.slack, q.needs, q.ahead, false, null, q.project_id
    )::draw_request
    from jsonb_to_recordset(p_requests) as q (
      ordinal integer, workspace_id uuid, kind text, subject_id uuid, period text,
      window_start timestamptz, window_end timestamptz,
      sequence bigint, keep bigint, slack bigint, needs bigint[], ahead bigint, project_id uuid
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

-- Posts what has expired of a grant, whichever process does it first. Money in leases is left for the requests that were running:
-- the first time all that is not leased is taken; later, what is certain to have come back, because it is more than all leases
-- have; a day later no such request runs any more, and what is missing then is owed. Returns whether it is at its end.
create or replace function expire_grant(p_workspace uuid, p_posting uuid, p_actor text) returns boolean language plpgsql as $$
declare
  p purses;
  g expiring_grants;
  v_charged bigint;
  v_free bigint;
  v_taken bigint;
  r posted;
begin
  perform bound_transaction();
  select * into p from purses where workspace_id = p_workspace and kind = 'credit' and subject_id = p_workspace
    for no key update;
  select coalesce(sum(charged_nano_usd), 0) into v_charged from leases where purse_id = p.id;
  perform count_grants(p_workspace, p.spent_nano_usd + v_charged);
  select * into g from expiring_grants where workspace_id = p_workspace and posting_id = p_posting;
  if g.ended_at is not null or g.expires_at > clock_timestamp() then
    return g.ended_at is not null;
  end if;
  v_free := p.limit_nano_usd - p.spent_nano_usd - p.leased_nano_usd;
  v_taken := case
    when g.looked_at < clock_timestamp() - interval '1 day' then g.rest_nano_usd
    when g.looked_at is null then least(g.rest_nano_usd, v_free)
    else least(v_free, greatest(0, g.rest_nano_usd - (p.leased_nano_usd - v_charged)))
  end;
  update expiring_grants set rest_nano_usd = rest_nano_usd - v_taken, expired_nano_usd = expired_nano_usd + v_taken,
      looked_at = coalesce(looked_at, clock_timestamp()),
      ended_at = case when rest_nano_usd = v_taken then clock_timestamp() end
    where workspace_id = p_workspace and posting_id = p_posting;
  if v_taken > 0 then
    r := post_credit(gen_random_uuid(), p_workspace, 'expiry', -v_taken, p_actor,
      format('expired on %s', to_char(g.expires_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')),
      format('expiry:%s:%s', p_posting, g.expired_nano_usd), null);
    if r.outcome <> 'posted' then
      raise exception 'the expiry of the grant % could not be posted: %', p_posting, r.outcome;
    end if;
  end if;
  if g.rest_nano_usd > v_taken then
    -- Has processes give back what they lease and don't use.
    insert into changes (kind, subject_id) values ('purse', p.id::text);
  end if;
  return g.rest_nano_usd = v_taken;
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

-- Resolves keys to their holders by the SHA-256 of their secrets, those of rotated keys included as long as they hold. No
-- row: the key is unknown, disabled or revoked, or its project or workspace is archived or being closed. What became of a key whose
-- workspace lives in another cell is known there alone, so each of them has a row.
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
  budget_period text,
  reports_cost boolean,
  suspension_reason text,
  workspace_networks text[],
  key_networks text[],
  member_limit_id uuid,
  end_user_period text,
  limits_sessions boolean,
  model_when_spent text,
  moved_to text,
  is_paused boolean
)
language plpgsql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    select (q.number - 1)::integer, k.workspace_id, k.project_id, k.id, p.models, k.models,
      (extract(epoch from least(k.expires_at, k.secret_expires_at)) * 1000)::double precision,
      p.requests_per_minute::bigint, p.tokens_per_minute, p.concurrency::bigint, p.budget_period,
      p.reports_cost, w.suspension_reason, a.allowed_networks, k.allowed_networks, m.id,
      case when p.end_user_limit_nano_usd is not null or exists (select from end_user_limits e where e.project_id = p.id)
        then p.end_user_period end,
      p.session_limit_nano_usd is not null,
      p.model_when_spent, w.moved_to, w.paused_at is not null
    from unnest(p_secrets) with ordinality as q (secret, number)
    cross join lateral (
      select x.*, null::timestamptz as secret_expires_at from keys x where x.secret_sha256 = q.secret
      union all
      select x.*, s.expires_at from former_secrets s
      cross join lateral (select * from keys y where y.id = s.key_id offset 0) x
      where s.secret_sha256 = q.secret
      offset 0
    ) k
    cross join lateral (select * from projects x where x.id = k.project_id offset 0) p
    cross join lateral (select * from workspaces x where x.id = k.workspace_id offset 0) w
    left join lateral (select * from workspace_access x where x.workspace_id = k.workspace_id offset 0) a on true
    left join lateral (
      select id from member_limits x
      where x.workspace_id = k.workspace_id and x.user_id = k.created_by and x.monthly_limit_nano_usd is not null
      offset 0
    ) m on true
    -- Apart, so that no index of what is not archived is read from end to end for it.
    where (k.revoked_at is null and k.disabled_at is null and p.archived_at is null and w.archived_at is null
      and w.closing_at is null) or w.moved_to is not null;
end $$;

-- The requests with the ids of their purses, in the order in which leases and purses are locked.
create or replace function find_purses(p_requests draw_request[]) returns draw_request[]
language plpgsql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select row(
      q.ordinal, q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end,
      q.sequence, q.keep, q.slack, q.needs, q.ahead, q.is_first, p.id, q.project_id
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

-- The items of a response and of those that it goes on from, as far as they are stored, the oldest first, in pieces; with
-- p_input_only, of the response itself its request's items alone. No row: there is no such response. The first row names a
-- previous response if that is gone. There are no pieces if all together are longer than p_bytes_max, or more than p_depth_max.
create or replace function find_response_chain(
  p_workspace uuid, p_response text, p_bytes_max bigint, p_depth_max integer, p_input_only boolean default false
) returns table (
  request_id uuid, previous_request_id uuid, is_too_large boolean, input_length integer, encrypted boolean, piece bytea
)
language sql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
  with recursive chain as (
    (
      select r.request_id, r.previous_request_id, 1 as depth, l.length, l.length::bigint as bytes
      from stored_responses r
      cross join lateral (select case when p_input_only then r.input_length else octet_length(r.items) end as length) l
      where r.workspace_id = p_workspace and r.response_id = p_response and r.expires_at > now()
      order by r.request_id desc limit 1
    )
    union all
    select r.request_id, r.previous_request_id, c.depth + 1, octet_length(r.items), c.bytes + octet_length(r.items)
    from chain c
    join stored_responses r
      on r.request_id = c.previous_request_id and r.workspace_id = p_workspace and r.expires_at > now()
    where c.bytes <= p_bytes_max and c.depth <= p_depth_max
  ), fit as (
    select max(bytes) > p_bytes_max or max(depth) > p_depth_max as is_too_large from chain
  )
  select c.request_id, c.previous_request_id, fit.is_too_large, r.input_length, r.encrypted,
    substring(r.items from p.at + 1 for least(262144, c.length - p.at))
  from chain c
  cross join fit
  join stored_responses r on r.request_id = c.request_id
  left join lateral generate_series(0, c.length - 1, 262144) as p (at) on not fit.is_too_large
  order by c.depth desc, p.at
$$;

-- Single items of answers, by their ids; of several with the same id, the newest. `bytes` are the items of the answer, encrypted,
-- once for each answer; of one in clear the item itself. They are null if all together are longer than p_bytes_max. An item
-- has no length if nothing of it can be sent again.
create or replace function find_response_items(p_workspace uuid, p_items text[], p_bytes_max bigint)
returns table (
  item_id text, request_id uuid, starts_at integer, length integer, encrypted boolean, is_too_large boolean, bytes bytea
) language sql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
  with found as (
    select f.*, row_number() over (partition by f.request_id order by f.item_id) = 1 as is_first
    from unnest(p_items) as q (id)
    cross join lateral (
      select i.* from stored_response_items i
      join stored_responses s on s.request_id = i.request_id and s.expires_at > now()
      where i.workspace_id = p_workspace and i.item_id = q.id
      order by i.request_id desc limit 1
    ) f
  ), measured as (
    select f.item_id, f.request_id, f.starts_at, f.length, f.is_first, r.encrypted, r.input_length, r.items,
      sum(
        case
          when not r.encrypted then f.length
          when f.is_first then octet_length(r.items) - r.input_length
          else 0
        end
      ) over () > p_bytes_max as is_too_large
    from found f
    join stored_responses r on r.request_id = f.request_id
  )
  select m.item_id, m.request_id, m.starts_at, m.length, m.encrypted, m.is_too_large,
    case
      when m.is_too_large then null
      when not m.encrypted then substring(m.items from m.starts_at + 1 for m.length)
      when m.is_first then substring(m.items from m.input_length + 1)
    end
  from measured m
$$;

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

-- Gives back what a correction returns of a charge, in the reverse order of charging: to other credit, as far as that was charged
-- since the oldest grant that the charge may have come from, then to these grants, the latest expiry first. A grant that has
-- expired, or came after the receipt, gets nothing; what no grant takes is credit that doesn't expire.
create or replace function give_back_to_grants(p_workspace uuid, p_receipt uuid, p_amount numeric) returns void
language plpgsql as $$
declare
  v_settled timestamptz := (select settled_at from receipts where workspace_id = p_workspace and request_id = p_receipt);
  v_other numeric;
begin
  select least(p_amount, greatest(0, c.other_nano_usd - min(g.other_nano_usd))) into v_other
    from grant_counts c join expiring_grants g on g.workspace_id = c.workspace_id
    where c.workspace_id = p_workspace and g.ended_at is null and g.expires_at > clock_timestamp() and g.given_at < v_settled
    group by c.other_nano_usd;
  if v_other is null then
    return;
  end if;
  update grant_counts set other_nano_usd = other_nano_usd - v_other where workspace_id = p_workspace;
  update expiring_grants g
    set rest_nano_usd = g.rest_nano_usd + least(later.room, p_amount - v_other - later.amount)
    from (
      select posting_id, amount_nano_usd - rest_nano_usd as room,
        sum(amount_nano_usd - rest_nano_usd) over (order by expires_at desc, posting_id desc)
          - (amount_nano_usd - rest_nano_usd) as amount
      from expiring_grants
      where workspace_id = p_workspace and ended_at is null and expires_at > clock_timestamp() and given_at < v_settled
    ) later
    where g.workspace_id = p_workspace and g.posting_id = later.posting_id and later.amount < p_amount - v_other;
end $$;

-- Keeps audit events from being deleted, unless their chain says that they were dropped, and from being changed, unless
-- into what a redaction has made of them.
create or replace function keep_audit_event() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if exists (
      select from audit_links join audit_chains using (scope_id) where event_id = old.id and position <= dropped_to
    ) then
      return old;
    end if;
  elsif audit_event_digest(new) = (
    select event_sha256 from audit_redactions where event_id = old.id order by number desc limit 1
  ) then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;

-- Keeps a workspace that is paused or lives in another cell, and its rows, from being changed: they are copied, or were. The lock of
-- the workspace's row lets each change come before a pause, or see it. What arrives, or takes a person out, says so first.
create or replace function keep_paused() returns trigger language plpgsql as $$
declare
  v_workspace uuid;
  v_paused timestamptz;
  v_moved text;
begin
  if tg_table_name = 'workspaces' then
    -- A change that begins or ends the pause or the stay in another cell passes.
    if (old.paused_at, old.moved_to) is not distinct from (new.paused_at, new.moved_to) then
      v_paused := old.paused_at;
      v_moved := old.moved_to;
      v_workspace := old.id;
    end if;
  else
    v_workspace := case when tg_op = 'DELETE' then old.workspace_id else new.workspace_id end;
    select paused_at, moved_to into v_paused, v_moved from workspaces where id = v_workspace for key share;
  end if;
  if v_paused is not null then
    raise exception 'workspace % is moving to another cell', v_workspace using errcode = 'lock_not_available';
  elsif v_moved is not null and current_setting('faregate.remains', true) is distinct from 'on' then
    raise exception 'workspace % has moved to the cell %', v_workspace, v_moved using errcode = 'FG004';
  end if;
  if tg_op = 'DELETE' then
    return old;
  end if;
  return new;
end $$;

-- Keeps postings from being changed or deleted, but for the address of an actor who is erased: src/domain/erased.ts.
create or replace function keep_posting() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.actor like '%@erased.invalid' and to_jsonb(new) - 'actor' = to_jsonb(old) - 'actor' then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;

-- Stores responses, which may be there already: a batch whose outcome was lost is sent again. All bytes come as one value,
-- because the elements of an array of bytes would come as text. Returns the requests whose responses are not stored, because
-- their workspace would have more than p_bytes_max; of those that don't fit together, each that fits is. The commit doesn't wait for the disk: everyone finds the responses
-- immediately, and a crash of the database loses those of the last three times wal_writer_delay at most, 0.6 seconds unless
-- configured otherwise. Preparing a statement costs as much as a response, so those that have nothing to do are left out.
--   p_spans         a row for each response: where its bytes start in p_bytes, counted from one; the lengths of its items,
--                   of those of its request among them, and of the answer, which follows them
--   p_item_numbers  a row for each item of an answer: the number of its response, counted from one; where it stands in the
--                   answer's items before they are encrypted, and its length
--   p_ancestors     the requests whose responses they go on from, which are kept as long as they are; a while longer, so
--                   that not every response changes them
create or replace function keep_responses(
  p_keep_ms bigint, p_bytes_max bigint, p_workspaces uuid[], p_requests uuid[], p_ids text[], p_previous uuid[],
  p_spans integer[], p_bytes bytea, p_item_ids text[], p_item_numbers integer[], p_ancestors uuid[]
) returns table (refused uuid)
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_expires timestamptz := now() + p_keep_ms * interval '1 ms';
  v_with_room uuid[];
  v_refused uuid[] := '{}';
  v_one record;
begin
  perform bound_transaction(), set_config('synchronous_commit', 'off', true);
  with added as (
    select p_workspaces[i] as workspace_id, sum(p_spans[i][2] + p_spans[i][4]) as bytes
    from generate_series(1, cardinality(p_requests)) as i group by 1
  ), counted as (
    -- In the order of ids, as every process does it, so that none waits for another in a circle.
    insert into stored_response_bytes as b (workspace_id, bytes)
      select workspace_id, bytes from added where bytes <= p_bytes_max order by workspace_id
      on conflict (workspace_id) do update set bytes = b.bytes + excluded.bytes
        where b.bytes + excluded.bytes <= p_bytes_max
      returning workspace_id
  )
  select coalesce(array_agg(workspace_id), '{}') into v_with_room from counted;
  if not p_workspaces <@ v_with_room then
    for v_one in
      select p_workspaces[i] as workspace, p_requests[i] as request, p_spans[i][2] + p_spans[i][4] as bytes
      from generate_series(1, cardinality(p_requests)) as i where p_workspaces[i] <> all (v_with_room)
      order by p_workspaces[i], i
    loop
      insert into stored_response_bytes as b (workspace_id, bytes)
        select v_one.workspace, v_one.bytes where v_one.bytes <= p_bytes_max
        on conflict (workspace_id) do update set bytes = b.bytes + excluded.bytes
          where b.bytes + excluded.bytes <= p_bytes_max;
      if not found then
        v_refused := v_refused || v_one.request;
      end if;
    end loop;
  end if;
  insert into stored_responses (
    request_id, workspace_id, response_id, previous_request_id, expires_at, items, input_length, response, encrypted
  )
  select p_requests[i], p_workspaces[i], p_ids[i], p_previous[i], v_expires,
    substring(p_bytes from p_spans[i][1] for p_spans[i][2]), p_spans[i][3],
    substring(p_bytes from p_spans[i][1] + p_spans[i][2] for p_spans[i][4]), true
  from generate_series(1, cardinality(p_requests)) as i
  where p_requests[i] <> all (v_refused)
  on conflict do nothing;
  insert into stored_response_items (workspace_id, item_id, request_id, starts_at, length)
  select p_workspaces[p_item_numbers[i][1]], p_item_ids[i], p_requests[p_item_numbers[i][1]],
    p_item_numbers[i][2], p_item_numbers[i][3]
  from generate_series(1, cardinality(p_item_ids)) as i
  where p_requests[p_item_numbers[i][1]] <> all (v_refused)
  on conflict do nothing;
  if p_ancestors <> '{}' then
    -- What is locked is being prolonged by another process.
    update stored_responses set expires_at = v_expires + p_keep_ms / 8 * interval '1 ms'
      where request_id in (
        select a.request_id from stored_responses a where a.request_id = any (p_ancestors) and a.expires_at < v_expires
          for no key update skip locked
      );
  end if;
  return query select unnest(v_refused);
end $$;

-- The purses that a receipt charges, credit first; null for one that is not there. The purse of the key's maker comes behind those of
-- each receipt, if there is one for the key's month, and those of an end user and a session last, if the receipt names them.
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
  ] || array(
    select p.id from keys k
    join member_limits m on m.workspace_id = k.workspace_id and m.user_id = k.created_by
    join purses p on p.workspace_id = m.workspace_id and p.kind = 'member' and p.subject_id = m.id
      and p.period = l.key_period and p.window_start = l.key_start
    where k.workspace_id = l.workspace and k.id = l.key
  ) || array(select s.purse from late_served(l) s)
$$;

-- The receipts of one statement as rows.
create or replace function late_receipts(p_receipts jsonb) returns setof late_receipt language sql stable as $$
  select * from jsonb_populate_recordset(null::late_receipt, p_receipts)
$$;

-- The end user and the session that a receipt is for, as it names their purses; `purse` is null for one that is not there.
create or replace function late_served(l late_receipt)
returns table (kind text, subject uuid, period text, window_start timestamptz, window_end timestamptz, purse bigint)
language sql stable as $$
  select s.kind, s.subject, s.period, s.window_start, s.window_end, coalesce(
      (select id from purses p where p.id = s.id and p.kind = s.kind and p.subject_id = s.subject),
      (select id from purses p where p.workspace_id = l.workspace and p.kind = s.kind and p.subject_id = s.subject
        and p.period = s.period and p.window_start = s.window_start)
    )
  from jsonb_to_recordset(l.extras -> 'served') as s (
    kind text, id bigint, subject uuid, period text, window_start timestamptz, window_end timestamptz
  )
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

-- Lowers the limits of a project's keys to the one given, of those that members with one of these roles have made, raised for a time
-- or not, and returns how many were above it. The new limit holds in the month that runs now.
create or replace function limit_member_keys(p_workspace uuid, p_project uuid, p_limit bigint, p_roles text[])
returns bigint language plpgsql as $$
declare
  v_keys uuid[];
begin
  perform bound_transaction('30s');
  select array_agg(id) into v_keys from (
    select k.id from keys k join members m on m.workspace_id = k.workspace_id and m.user_id = k.created_by
    where k.workspace_id = p_workspace and k.project_id = p_project and k.revoked_at is null and m.role = any (p_roles)
      and (k.spend_limit_nano_usd is null or limit_now(k.spend_limit_nano_usd, k.raised_limit_nano_usd, k.raised_until) > p_limit)
    order by k.id for no key update of k
  ) above;
  if v_keys is null then
    return 0;
  end if;
  update keys set spend_limit_nano_usd = least(spend_limit_nano_usd, p_limit), raised_limit_nano_usd = null, raised_until = null
    where workspace_id = p_workspace and id = any (v_keys);
  -- In the order of draws, and with the project's, which the caller may change next.
  perform 1 from purses
    where workspace_id = p_workspace
      and (kind = 'project' and subject_id = p_project or kind = 'key' and subject_id = any (v_keys))
      and (window_end is null or window_end > clock_timestamp())
    order by id for no key update;
  with purse as (
    update purses set limit_nano_usd = least(limit_nano_usd, p_limit), raised_limit_nano_usd = null, raised_until = null
    where workspace_id = p_workspace and kind = 'key' and subject_id = any (v_keys) and period = 'month'
      and window_start = date_trunc('month', clock_timestamp(), 'UTC')
    returning id
  )
  insert into changes (kind, subject_id) select 'purse', id::text from purse;
  insert into changes (kind, subject_id) select 'key', id::text from unnest(v_keys) as key (id);
  return cardinality(v_keys);
end $$;

-- The limit that holds in this transaction: the ordinary one, or the one to which it is raised for a time; null: none.
create or replace function limit_now(p_limit bigint, p_raised bigint, p_until timestamptz) returns bigint
language sql stable as $$
  select case when p_until > now() and p_limit is not null then greatest(p_limit, p_raised) else p_limit end
$$;

-- Appends an audit event to the hash chain of its workspace. It runs at the commit, so the chain's last link is locked
-- after all that the transaction has locked, and for as long as a commit takes.
create or replace function link_audit_event() returns trigger language plpgsql as $$
declare
  digest bytea := audit_event_digest(new);
  last audit_chains%rowtype;
begin
  -- A restore brings the links of its events.
  if exists (select from audit_links where event_id = new.id) then return null; end if;
  insert into audit_chains as chain (scope_id, length, chain_sha256)
    values (coalesce(new.workspace_id, '00000000-0000-0000-0000-000000000000'), 1, sha256(digest))
    on conflict (scope_id) do update set length = chain.length + 1, chain_sha256 = sha256(chain.chain_sha256 || digest)
    returning * into last;
  insert into audit_links (scope_id, position, event_id, event_sha256, chain_sha256)
    values (last.scope_id, last.length, new.id, digest, last.chain_sha256);
  return null;
end $$;

-- The grants of a workspace that expire and have something left: what is left now follows from the total that has been charged.
create or replace function live_grants(p_workspace uuid) returns table (
  posting_id uuid, expires_at timestamptz, amount_nano_usd bigint, rest_nano_usd bigint, recurring_id uuid
) language sql stable as $$
  select g.posting_id, g.expires_at, g.amount_nano_usd, g.rest, g.recurring_id
  from (
    select live.*, (live.rest_nano_usd - least(live.rest_nano_usd, greatest(0, uncounted.amount - live.earlier)))::bigint as rest
    from (
      select q.*, sum(q.rest_nano_usd) over (order by q.expires_at, q.posting_id) - q.rest_nano_usd as earlier
      from expiring_grants q where q.workspace_id = p_workspace and q.ended_at is null
    ) live
    cross join (
      select p.spent_nano_usd + (select coalesce(sum(l.charged_nano_usd), 0) from leases l where l.purse_id = p.id)
        - c.charged_nano_usd as amount
      from purses p join grant_counts c on c.workspace_id = p.workspace_id
      where p.workspace_id = p_workspace and p.kind = 'credit' and p.subject_id = p_workspace
    ) uncounted
  ) g where g.rest > 0
  order by g.expires_at, g.posting_id
$$;

-- Locks claims in the order of their keys, so that two batches never wait for each other.
create or replace function lock_claims(p_workspace uuid[], p_key uuid[], p_idempotency_key text[]) returns void language sql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select from idempotent_requests i
    join unnest(p_workspace, p_key, p_idempotency_key) as q (workspace, key, idempotency_key)
      on i.workspace_id = q.workspace and i.key_id = q.key and i.idempotency_key = q.idempotency_key
    order by i.workspace_id, i.key_id, i.idempotency_key
    for update of i
$$;

-- The number under which this schema has an advisory lock: other schemas of the database have instances of their own. In
-- `public` it is the bare one, as src/lib/transaction-lock.ts has it.
create or replace function lock_number(p_lock bigint) returns bigint
language sql stable as $$
  select p_lock # case current_schema() when 'public' then 0 else hashtextextended(current_schema(), 0) end
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
-- draws nothing and locks nothing, and neither does a key whose workspace lives in another cell. What another transaction has
-- locked is drawn later, like any purse that the epoch has no lease of.
--   p_periods, p_starts, p_ends     the current windows, as the process sees them
--   p_sequence, p_ahead             of the draws of purses
--   p_permit_sequence, p_tokens     of the draws of permits: a request, a place and so many tokens for each key, and once
--                                   more, so that the first request leaves as much as it takes
--   p_members                       whether purses of members are drawn, which release 0.2.0 doesn't know
-- Sent again under the same numbers it returns the same draws.
create or replace function look_up_keys(
  p_epoch bigint, p_secrets bytea[],
  p_periods text[], p_starts timestamptz[], p_ends timestamptz[],
  p_sequence bigint, p_ahead bigint, p_permit_sequence bigint, p_tokens bigint,
  p_members boolean default false
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
  spending as (
    select * from found where moved_to is null
  ),
  passed as (
    select workspace_id, 'credit' as kind, workspace_id as subject_id, 'never' as period from spending
    union select workspace_id, 'project', project_id, budget_period from spending
    union select workspace_id, 'key', key_id, 'month' from spending
    union select workspace_id, 'member', member_limit_id, 'month' from spending
      where p_members and member_limit_id is not null
  ),
  limited as (
    select q.*, row_number() over () - 1 as ordinal
    from (
      select workspace_id, project_id, count(*) + 1 as most from spending
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
        p_sequence, 0, 0, '{}'::bigint[], p_ahead, true, null, null
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
        'sequence', d.sequence::text,
        'raised_until_ms', extract(epoch from d.raised_until) * 1000
      )) into leases
      from draw(p_epoch, v_purses, false) d;
  end if;
  return next;
end $$;

-- Compares what a provider reports of a top-up with its row, which the caller has locked.
create or replace function match_payment(
  t top_ups, p_provider text, p_fact text, p_payment text, p_workspace uuid, p_origin text, p_amount bigint,
  p_currency text, p_tax bigint default 0, out outcome text, out detail text
) language plpgsql as $$
begin
  outcome := 'mismatch';
  if t.id is null then
    if p_fact = 'paid' and exists (select from workspaces where id = p_workspace) then
      detail := 'the top-up that was paid is not known here';
    else
      outcome := 'ignored';
    end if;
  elsif (t.provider, t.workspace_id, t.origin) is distinct from (p_provider, p_workspace, p_origin) then
    detail := 'the top-up was made for another provider, workspace or purpose';
  elsif p_fact <> 'paid' then
    outcome := 'applied';
  elsif p_payment is null then
    detail := 'the payment has no id';
  elsif p_currency is distinct from 'usd' then
    detail := format('it was paid in %s and not in usd', p_currency);
  elsif p_tax is null or p_tax < 0 then
    detail := format('its tax is %s nano-USD', coalesce(p_tax::text, 'unknown'));
  elsif p_amount is distinct from t.amount_nano_usd + t.fee_nano_usd + p_tax then
    detail := format('%s nano-USD were paid and not %s', p_amount, t.amount_nano_usd + t.fee_nano_usd + p_tax)
      || case when p_tax = 0 then '' else format(', of them %s as tax', p_tax) end;
  elsif t.state = 'paid' and t.tax_nano_usd <> p_tax then
    detail := format('its tax was %s nano-USD before, and not %s', t.tax_nano_usd, p_tax);
  elsif t.state = 'paid' and t.payment_reference <> p_payment then
    detail := format('it was paid before, by %s', t.payment_reference);
  elsif exists (select from top_ups o where o.provider = p_provider and o.payment_reference = p_payment and o.id <> t.id) then
    detail := 'the payment has paid another top-up';
  elsif t.state <> 'paid' and exists (
    select from postings q
    where q.workspace_id = t.workspace_id and q.once = format('payment:%s:%s', p_provider, p_payment)
  ) then
    detail := 'its credit was posted by hand';
  else
    outcome := 'applied';
  end if;
end $$;

-- Moves a top-up, which the caller has locked, to the state that a fact leads to, unless it is beyond that. If it is paid by
-- that, posts its credit, and takes back what has gone back to the payer by then.
create or replace function move_top_up(
  t top_ups, p_fact text, p_payment text, p_customer text, p_failure text
) returns void language plpgsql as $$
declare
  c_order constant text[] := '{pending,processing,expired,failed,paid}';
  c_failures_max constant integer := 3;
  r posted;
begin
  if array_position(c_order, p_fact) <= array_position(c_order, t.state) then
    return;
  end if;
  -- The settings come first: they may be locked by somebody who edits them, and the purse must not wait for that.
  if p_fact = 'paid' then
    if t.saves_method and p_customer is not null then
      insert into payment_settings as s (workspace_id, provider, customer_reference)
        values (t.workspace_id, t.provider, p_customer)
        on conflict (workspace_id) do update set provider = excluded.provider,
          customer_reference = excluded.customer_reference, version = s.version + 1;
    end if;
    -- A success ends the count of failures; paying the recovery top-up ends the pause.
    update payment_settings set auto_failures = 0,
        auto_stop = null, auto_stopped_at = null, auto_noticed_at = null, recovery_top_up_id = null
      where workspace_id = t.workspace_id and auto_stop is distinct from 'failures'
        and (t.origin = 'auto' or recovery_top_up_id = t.id);
  elsif p_fact = 'failed' and t.origin = 'auto' then
    update payment_settings set auto_failures = auto_failures + 1, auto_failed_at = now(),
        auto_stop = case
          when auto_failures + 1 >= c_failures_max then 'failures'
          when p_failure = 'authentication_required' then 'authentication_required'
        end,
        auto_stopped_at = now(), auto_noticed_at = null, recovery_top_up_id = null,
        auto_enabled = auto_enabled and auto_failures + 1 < c_failures_max, version = version + 1
      where workspace_id = t.workspace_id;
  end if;
  if p_fact = 'paid' then
    r := post_credit(gen_random_uuid(), t.workspace_id, t.posting_kind, t.amount_nano_usd, t.provider,
      format('Payment %s of top-up %s', p_payment, t.id), format('payment:%s:%s', t.provider, p_payment), null, true);
    if r.outcome <> 'posted' then
      raise exception 'the payment % of top-up % could not be posted: %', p_payment, t.id, r.outcome;
    end if;
  end if;
  update top_ups set state = p_fact, updated_at = now(), tax_nano_usd = t.tax_nano_usd,
      failure = case p_fact when 'failed' then p_failure end,
      payment_reference = case p_fact when 'paid' then p_payment end, posting_id = (r.posting).id
    where workspace_id = t.workspace_id and id = t.id returning * into t;
  if p_fact = 'paid' then
    update payment_reversals set workspace_id = t.workspace_id, top_up_id = t.id
      where provider = t.provider and payment_reference = p_payment;
    perform post_reversals(t);
  end if;
end $$;

-- When costs that this transaction writes come into force: after all receipts were admitted that usage has counted, and after
-- all other costs did. So receipts that are counted again have the same costs. Takes the turn of counting until the
-- transaction ends. See src/control/usage/folding.ts.
create or replace function next_cost_time() returns timestamptz language plpgsql as $$
begin
  perform pg_advisory_xact_lock(lock_number(4611220105103825));
  return greatest(
    clock_timestamp(),
    (select max(last_used_at) from usage_keys) + interval '1 microsecond',
    (select max(created_at) from cost_versions) + interval '1 microsecond');
end $$;

-- What expires next in each of these workspaces, and when; those in which nothing does are left out.
create or replace function next_expiries(p_workspaces uuid[]) returns table (
  workspace_id uuid, amount_nano_usd bigint, expires_at timestamptz
) language sql stable as $$
  select w.id, upcoming.amount, upcoming.expires_at
  from unnest(p_workspaces) as w (id)
  cross join lateral (
    select sum(g.rest_nano_usd)::bigint as amount, g.expires_at from live_grants(w.id) g
    group by g.expires_at order by g.expires_at limit 1
  ) upcoming
$$;

-- Opens the purses that don't exist yet, except those that another transaction is opening or changing the limit of: the
-- lock makes such a change either visible here or wait for the new row.
create or replace function open_purses(p_requests draw_request[]) returns void
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, raised_limit_nano_usd, raised_until)
    select q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end, s.spend_limit_nano_usd,
      s.raised_limit_nano_usd, s.raised_until
    from (
      select * from unnest(p_requests) where purse is null and kind = 'key'
      order by workspace_id, subject_id, period, window_start
    ) q
    cross join lateral (
      select spend_limit_nano_usd, raised_limit_nano_usd, raised_until from keys k
      where k.id = q.subject_id and (k.workspace_id = q.workspace_id) is true
      for no key update skip locked
    ) s
    on conflict do nothing;
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, raised_limit_nano_usd, raised_until)
    select q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end, s.budget_nano_usd,
      s.raised_limit_nano_usd, s.raised_until
    from (
      select * from unnest(p_requests) where purse is null and kind = 'project'
      order by workspace_id, subject_id, period, window_start
    ) q
    cross join lateral (
      select budget_nano_usd, raised_limit_nano_usd, raised_until from projects x
      where x.id = q.subject_id and (x.workspace_id = q.workspace_id) is true
      for no key update skip locked
    ) s
    on conflict do nothing;
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, raised_limit_nano_usd, raised_until)
    select q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end, s.monthly_limit_nano_usd,
      s.raised_limit_nano_usd, s.raised_until
    from (
      select * from unnest(p_requests) where purse is null and kind = 'member'
      order by workspace_id, subject_id, period, window_start
    ) q
    cross join lateral (
      select monthly_limit_nano_usd, raised_limit_nano_usd, raised_until from member_limits m
      where m.id = q.subject_id and (m.workspace_id = q.workspace_id) is true
      for no key update skip locked
    ) s
    on conflict do nothing;
  -- A brief purse is opened once something is granted from it. Each draw renews its limit, so nothing is locked for that.
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, raised_limit_nano_usd, raised_until,
      project_id)
    select q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end, s.limit_nano_usd,
      s.raised_limit_nano_usd, s.raised_until, q.project_id
    from (
      select * from unnest(p_requests) where purse is null and kind in ('end_user', 'session')
      order by workspace_id, kind, subject_id, period, window_start
    ) q
    cross join lateral served_limit(q.workspace_id, q.project_id, q.kind, q.subject_id) s
    where q.keep > 0
      or exists (
        select from unnest(q.needs) as n (need)
        where n.need <= coalesce(limit_now(s.limit_nano_usd, s.raised_limit_nano_usd, s.raised_until), n.need)
      )
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
-- first; what is taken comes from credit that is neither leased nor spent, and the rest is owed. A workspace that is being
-- closed is given nothing, except what a payment provider reports (p_is_reported): that money is there. Archiving locks the purse
-- too, so a posting comes before it, or sees it. A grant with p_expires is followed by share_posting; nothing else
-- expires.
create or replace function post_credit(
  p_id uuid, p_workspace uuid, p_kind text, p_amount bigint, p_actor text, p_reason text, p_once text, p_receipt uuid,
  p_is_reported boolean default false, p_expires timestamptz default null
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
          and (r.posting).receipt_request_id is not distinct from p_receipt
          and (
            select g.expires_at from expiring_grants g where g.workspace_id = p_workspace and g.posting_id = (r.posting).id
          ) is not distinct from p_expires then 'repeated'
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
    when p_amount > 0 and not p_is_reported
      and exists (select from workspaces where id = p_workspace and closing_at is not null) then 'closed'
    when p_kind in ('top_up', 'grant') and p_amount < 0 or p_kind = 'refund' and p_amount > 0 then 'wrong_way'
    when p_expires is not null and p_kind <> 'grant' then 'no_grant'
    when p_expires <= clock_timestamp() then 'expired'
    when p_kind = 'dispute' and p_amount > r.most_nano_usd then 'above_disputes'
    when p_kind = 'refund' and -p_amount > r.most_nano_usd then 'above_payments'
    when p.limit_nano_usd + v_credit > c_most or p.owed_nano_usd - v_owed > c_most then 'beyond_count'
    else 'posted'
  end;
  if r.outcome <> 'posted' then
    return r;
  end if;
  select coalesce(sum(charged_nano_usd), 0) into v_charged from leases where purse_id = p.id;
  -- The clock is read under the purse's lock, so that times are in the order of postings and of archiving.
  insert into ledger_postings (
    id, workspace_id, kind, actor, reason, once, receipt_request_id, balance_nano_usd, posted_at
  ) values (
    p_id, p_workspace, p_kind, p_actor, p_reason, p_once, p_receipt,
    p.limit_nano_usd - p.spent_nano_usd - p.owed_nano_usd - v_charged + p_amount, clock_timestamp()
  );
  insert into ledger_entries (workspace_id, posting_id, account, amount_nano_usd)
    select p_workspace, p_id, account, amount from (values
      ('credit', v_credit), ('owed', v_owed),
      (case when p_kind in ('grant', 'expiry') then 'promotions' when p_kind = 'adjustment' then 'adjustments' else 'payments' end, -p_amount)
    ) as entry (account, amount) where amount <> 0;
  update purses set limit_nano_usd = limit_nano_usd + v_credit, owed_nano_usd = owed_nano_usd - v_owed where id = p.id;
  insert into changes (kind, subject_id) values ('purse', p.id::text);
  if p_expires is not null or exists (select from grant_counts where workspace_id = p_workspace) then
    perform share_posting(p_workspace, p_id, p.spent_nano_usd + v_charged, v_credit,
      p.limit_nano_usd + v_credit - p.spent_nano_usd - v_charged, p_expires, p_receipt);
  end if;
  select q into r.posting from postings q where q.id = p_id;
  return r;
end $$;

-- Posts a recurring grant for each period that has begun since the last time, at most so many, whichever process does it first. A
-- period whose credit would have expired by now is passed over. A workspace that is being closed ends it. Returns how many were
-- posted.
create or replace function post_recurring_grant(p_id uuid, p_most integer) returns integer language plpgsql as $$
declare
  g recurring_grants;
  v_begin timestamptz;
  v_expires timestamptz;
  v_posted integer := 0;
  r posted;
begin
  perform bound_transaction();
  select * into g from recurring_grants where id = p_id and ended_at is null for no key update;
  if not found then
    return 0;
  end if;
  if exists (select from workspaces where id = g.workspace_id and closing_at is not null) then
    update recurring_grants set ended_at = clock_timestamp() where id = p_id;
    return 0;
  end if;
  while g.next_at <= clock_timestamp() and v_posted < p_most loop
    v_begin := g.next_at;
    g.next_at := (v_begin at time zone 'UTC' + ('1 ' || g.period)::interval) at time zone 'UTC';
    v_expires := case
      when g.expires_with_period then g.next_at
      else v_begin + make_interval(days => g.expires_after_days)
    end;
    continue when v_expires <= clock_timestamp();
    r := post_credit(gen_random_uuid(), g.workspace_id, 'grant', g.amount_nano_usd, g.actor, g.reason,
      format('recurring:%s:%s', p_id, to_char(v_begin at time zone 'UTC', 'YYYY-MM-DD')), null, false, v_expires);
    if r.outcome <> 'posted' then
      raise exception 'the recurring grant % could not be posted: %', p_id, r.outcome;
    end if;
    update expiring_grants set recurring_id = p_id where workspace_id = g.workspace_id and posting_id = (r.posting).id;
    v_posted := v_posted + 1;
  end loop;
  update recurring_grants set next_at = g.next_at where id = p_id;
  return v_posted;
end $$;

-- Posts what the refunds and disputes of a payment have changed since the last time. Together they take what goes back to
-- the payer, at most the payment's credit, without its share of the tax: the fee goes back last. The caller has locked the paid top-up.
create or replace function post_reversals(t top_ups) returns void language plpgsql as $$
declare
  v payment_reversals;
  v_counts boolean;
  v_before numeric;
  v_after numeric;
  v_delta bigint;
  v_kind text;
  v_reason text;
  r posted;
begin
  if t.state <> 'paid' then
    return;
  end if;
  for v in
    select * from payment_reversals q where q.provider = t.provider and q.payment_reference = t.payment_reference
      and q.counted <> (q.state in ('taken', 'lost'))
    order by q.created_at, q.kind, q.reference for no key update
  loop
    v_counts := not v.counted;
    select coalesce(sum(q.amount_nano_usd), 0) into v_before from payment_reversals q
      where q.provider = t.provider and q.payment_reference = t.payment_reference and q.counted;
    v_after := v_before + case when v_counts then v.amount_nano_usd else -v.amount_nano_usd end;
    v_delta := returned_credit(t, v_before) - returned_credit(t, v_after);
    update payment_reversals q
      set counted = v_counts, workspace_id = t.workspace_id, top_up_id = t.id, updated_at = now()
      where q.provider = v.provider and q.kind = v.kind and q.reference = v.reference;
    continue when v_delta = 0;
    -- A dispute that was won gives back more than disputes took if refunds have failed in between, and more than was paid
    -- goes back if an operator has posted a part of it by hand: the ledger takes those under other kinds.
    foreach v_kind in array case
      when v_delta > 0 and v.kind = 'dispute' then '{dispute,top_up}'
      when v_delta > 0 then '{top_up}'
      else array[v.kind, 'adjustment']
    end::text[] loop
      v_reason := format('%s %s of payment %s %s', case v.kind when 'refund' then 'Refund' else 'Dispute' end,
        v.reference, t.payment_reference, case when v_counts then 'taken' else 'returned' end);
      r := post_credit(gen_random_uuid(), t.workspace_id, v_kind, v_delta, t.provider, v_reason,
        format('%s:%s:%s%s', v.kind, t.provider, v.reference, case when v_counts then '' else ':returned' end), null, true);
      exit when r.outcome = 'posted';
    end loop;
    if r.outcome <> 'posted' then
      raise exception 'the % % could not be posted: %', v.kind, v.reference, r.outcome;
    end if;
  end loop;
  -- What has come back to a closed workspace can't be spent there.
  if exists (select from workspaces where id = t.workspace_id and archived_at is not null) then
    perform refund_closed(t.workspace_id, t.provider);
  end if;
end $$;

-- Deletes so many stored responses at most: those whose time is over, and those of workspaces that were closed. Returns how
-- many it has deleted.
create or replace function prune_responses(p_most integer) returns integer
language plpgsql set enable_seqscan = off as $$
declare
  v_deleted integer;
begin
  delete from stored_responses where request_id in (
    (select request_id from stored_responses where expires_at < now() limit p_most)
    union all
    (
      select r.request_id from workspaces w join stored_responses r on r.workspace_id = w.id
      where w.archived_at is not null limit p_most
    )
    limit p_most
  );
  get diagnostics v_deleted = row_count;
  return v_deleted;
end $$;

-- A stored response in pieces; of several with the same id, the newest. No row: there is none.
create or replace function read_response(p_workspace uuid, p_response text) 
returns table (request_id uuid, encrypted boolean, piece bytea)
language sql stable set enable_seqscan = off as $$
  select newest.request_id, newest.encrypted, substring(newest.response from p.at + 1 for 262144)
  from (
    select r.request_id, r.encrypted, r.response from stored_responses r
    where r.workspace_id = p_workspace and r.response_id = p_response and r.expires_at > now()
    order by r.request_id desc limit 1
  ) newest
  cross join lateral generate_series(0, octet_length(newest.response) - 1, 262144) as p (at)
  order by p.at
$$;

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
    update epochs set reaped_at = now(), leases_in_use = null where id = p_epoch and reaped_at is null;
  end if;
end $$;

-- What these tokens and uses cost the provider of the route that served them: by the cost that was in force when the request was
-- admitted, rounded up to one nano-USD. No row if it is not known, for its service tier; a use without a known fee costs nothing. The
-- planner puts the body in the place of the call, so that many receipts are joined with costs in one step.
create or replace function receipt_cost(
  p_model text, p_provider text, p_upstream_model text, p_admitted_at timestamptz, p_input integer, p_cached_input integer,
  p_cache_write_5m integer, p_cache_write_1h integer, p_audio_input integer, p_output integer, p_audio_output integer,
  p_uses jsonb default null, p_service_tier text default null
) returns table (cost_nano_usd bigint) language sql stable as $$
  select div(
      p_input::numeric * coalesce((service_tiers -> p_service_tier ->> 'input')::numeric, input_rate)
      + p_cached_input::numeric * coalesce((service_tiers -> p_service_tier ->> 'cached_input')::numeric, cached_input_rate)
      + p_cache_write_5m::numeric * coalesce((service_tiers -> p_service_tier ->> 'cache_write_5m')::numeric, cache_write_5m_rate)
      + p_cache_write_1h::numeric * coalesce((service_tiers -> p_service_tier ->> 'cache_write_1h')::numeric, cache_write_1h_rate)
      + p_audio_input::numeric * coalesce((service_tiers -> p_service_tier ->> 'audio_input')::numeric, audio_input_rate)
      + p_output::numeric * coalesce((service_tiers -> p_service_tier ->> 'output')::numeric, output_rate)
      + p_audio_output::numeric * coalesce((service_tiers -> p_service_tier ->> 'audio_output')::numeric, audio_output_rate)
      + 999999
      + case when p_uses is null or fees is null then 0 else 1000000 * coalesce((
          select sum(number::numeric * (fees ->> use)::numeric) from jsonb_each_text(p_uses) as used (use, number)
        ), 0) end,
      1000000)::bigint
  from cost_versions
  where model = p_model and provider = p_provider and upstream_model = p_upstream_model
    and (p_service_tier is null or service_tiers ? p_service_tier)
    and p_admitted_at >= created_at and (retired_at is null or p_admitted_at < retired_at)
    and p_input::bigint + p_cached_input + p_cache_write_5m + p_cache_write_1h + p_audio_input >= input_from
    and (input_to is null
      or p_input::bigint + p_cached_input + p_cache_write_5m + p_cache_write_1h + p_audio_input < input_to)
$$;

-- Keeps a sealed partition of the receipts as it was proven. Sealing a partition makes the trigger.
create or replace function receipts_are_sealed() returns trigger language plpgsql as $$
begin
  raise exception 'the receipts of % are sealed', tg_table_name using errcode = 'check_violation';
end $$;

-- Keeps what a provider reports of a refund or dispute. Its state only moves on, so the order of reports makes no difference.
create or replace function record_reversal(
  p_provider text, p_fact text, p_reference text, p_payment text, p_amount bigint, p_currency text,
  out outcome text, out detail text
) language plpgsql as $$
declare
  c_order constant text[] := '{announced,taken,lost,returned}';
  v_kind text := split_part(p_fact, ' ', 1);
  v_state text := split_part(p_fact, ' ', 2);
  v payment_reversals;
begin
  outcome := 'mismatch';
  if p_currency is distinct from 'usd' then
    detail := format('the %s %s is in %s and not in usd', v_kind, p_reference, p_currency);
    return;
  end if;
  insert into payment_reversals as r (provider, kind, reference, payment_reference, amount_nano_usd, state)
    values (p_provider, v_kind, p_reference, p_payment, p_amount, v_state)
    on conflict (provider, kind, reference) do update set updated_at = now(), state = case
        when array_position(c_order, excluded.state) > array_position(c_order, r.state) then excluded.state
        else r.state
      end
      where r.payment_reference = excluded.payment_reference and r.amount_nano_usd = excluded.amount_nano_usd
    returning * into v;
  if v.reference is null then
    detail := format('the %s %s was of another payment or amount before', v_kind, p_reference);
    return;
  end if;
  outcome := 'applied';
end $$;

-- Redeems a code for a workspace: its row is claimed, and its credit posted as that of a payment that it is, in one
-- statement.
--   redeemed, repeated     by this workspace, now or before
--   unknown, used, expired, closed   refused; closed: the workspace is being closed. A closing that is under way waits, and
--                                    refunds the credit
create or replace function redeem_code(
  p_sha256 bytea, p_workspace uuid, p_top_up uuid, p_actor text, out outcome text, out top_up uuid
) language plpgsql as $$
declare
  c redemption_codes;
  b redemption_batches;
  w workspaces;
  r record;
begin
  perform bound_transaction();
  select * into c from redemption_codes q where q.code_sha256 = p_sha256 for no key update;
  select * into b from redemption_batches q where q.id = c.batch_id;
  select * into w from workspaces where id = p_workspace for share;
  outcome := case
    when c.id is null then 'unknown'
    when c.workspace_id = p_workspace then 'repeated'
    when c.workspace_id is not null then 'used'
    when b.expires_at <= now() then 'expired'
    when w.closing_at is not null then 'closed'
    else 'redeemed'
  end;
  top_up := case when outcome = 'repeated' then c.top_up_id end;
  if outcome <> 'redeemed' then
    return;
  end if;
  insert into top_ups (workspace_id, id, provider, origin, posting_kind, amount_nano_usd, actor)
    values (p_workspace, p_top_up, 'codes', 'code', b.posting_kind, b.amount_nano_usd, p_actor);
  update redemption_codes q set workspace_id = p_workspace, top_up_id = p_top_up, redeemed_by = p_actor, redeemed_at = now()
    where q.id = c.id;
  select * into r from apply_payment_fact('codes', c.id::text, 'paid', c.id::text, p_top_up, p_workspace, 'code',
    null, b.amount_nano_usd, 'usd', null, null);
  if r.outcome <> 'applied' then
    raise exception 'the code % could not be redeemed: % %', c.id, r.outcome, r.detail;
  end if;
  top_up := p_top_up;
end $$;

-- Refunds the credit that an archived workspace holds although nobody can spend it: what was paid in as a refund, the rest as
-- an adjustment. Payments that go back through their provider stay. Returns whether there was any.
create or replace function refund_closed(p_workspace uuid, p_actor text) returns boolean language plpgsql as $$
declare
  c_reason constant text := 'the workspace was closed';
  v_left bigint;
  v_paid bigint;
  v_part record;
  r posted;
begin
  perform bound_transaction();
  perform from purses where workspace_id = p_workspace and kind = 'credit' and subject_id = p_workspace for no key update;
  select c.credit_nano_usd into v_left from closed_credit() c where c.workspace_id = p_workspace;
  if v_left is null then
    return false;
  end if;
  -- Of what was paid, the provider will return some.
  select greatest(0, coalesce(-sum(e.amount_nano_usd), 0)
      - (select coalesce(sum(c.credit_nano_usd), 0) from closed_payments() c where c.workspace_id = p_workspace)) into v_paid
    from ledger_entries e where e.workspace_id = p_workspace and e.account = 'payments';
  for v_part in
    select * from (values ('refund', least(v_left, v_paid)), ('adjustment', v_left - least(v_left, v_paid))) as t (kind, amount)
    where amount > 0
  loop
    r := post_credit(gen_random_uuid(), p_workspace, v_part.kind, -v_part.amount, p_actor, c_reason, null, null);
    if r.outcome <> 'posted' then
      raise exception 'the credit of the closed workspace % could not be refunded: %', p_workspace, r.outcome;
    end if;
  end loop;
  return true;
end $$;

-- Refunds what is left of a workspace that is being closed, and archives it. Returns false as long as any of its credit is
-- leased and not charged, which it calls back, and unless it is being closed.
create or replace function refund_closing(p_workspace uuid, p_actor text) returns boolean language plpgsql as $$
declare
  p purses;
begin
  perform bound_transaction();
  perform from workspaces where id = p_workspace and closing_at is not null and archived_at is null for no key update;
  if not found then
    return false;
  end if;
  select * into p from purses where workspace_id = p_workspace and kind = 'credit' and subject_id = p_workspace
    for no key update;
  -- Leases include what they were charged.
  if p.leased_nano_usd <> (select coalesce(sum(charged_nano_usd), 0) from leases where purse_id = p.id) then
    -- Has processes give back what they lease and don't use.
    insert into changes (kind, subject_id) values ('purse', p.id::text);
    return false;
  end if;
  -- Postings read the clock under the same lock, so those that come later have a later time.
  update workspaces set archived_at = clock_timestamp() where id = p_workspace;
  perform refund_closed(p_workspace, p_actor);
  insert into changes (kind, subject_id) values ('workspace', p_workspace::text);
  return true;
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

-- Brings the limits of brief purses up to what is set for them now. The caller has locked the purses.
create or replace function renew_limits(p_requests draw_request[]) returns void
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  update purses p set limit_nano_usd = q.limit_nano_usd, raised_limit_nano_usd = q.raised_limit_nano_usd,
      raised_until = q.raised_until, project_id = q.project_id
    from (
      select r.purse, r.project_id, s.* from unnest(p_requests) r
      cross join lateral served_limit(r.workspace_id, r.project_id, r.kind, r.subject_id) s
      where r.kind in ('end_user', 'session')
      offset 0
    ) q
    where p.id = any (array[q.purse])
      and (p.limit_nano_usd, p.raised_limit_nano_usd, p.raised_until, p.project_id)
        is distinct from (q.limit_nano_usd, q.raised_limit_nano_usd, q.raised_until, q.project_id);
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

-- What of a payment's credit goes back if so much of the payment does: each part of it returns its share of the tax, rounded down to
-- one nano-USD, and the fee goes back last.
create or replace function returned_credit(t top_ups, p_returned numeric) returns numeric language sql immutable as $$
  select least(
    t.amount_nano_usd,
    p_returned - least(t.tax_nano_usd, div(p_returned * t.tax_nano_usd, t.amount_nano_usd::numeric + t.fee_nano_usd + t.tax_nano_usd))
  )
$$;

-- The limit of an end user or a session of a project as it is now, and how far it is raised for a time; null: none. One that is set for
-- this end user holds in the place of the project's. No row: there is no such project in the workspace.
create or replace function served_limit(p_workspace uuid, p_project uuid, p_kind text, p_subject uuid)
returns table (limit_nano_usd bigint, raised_limit_nano_usd bigint, raised_until timestamptz) language sql stable as $$
  select case when p_kind = 'session' then x.session_limit_nano_usd
      when own.id is not null then own.limit_nano_usd else x.end_user_limit_nano_usd end,
    own.raised_limit_nano_usd, own.raised_until
  from projects x
  left join end_user_limits own on p_kind = 'end_user' and own.project_id = x.id and own.id = p_subject
  where x.id = p_project and x.workspace_id = p_workspace
$$;

-- Sets the limit of a member over all keys that they have made, from the month that runs now; null: none; and how far it is raised
-- for a time, if it is. Their purse of this
-- month counts what the keys were charged so far. What requests are charged that run while a first limit is set is counted when it
-- is set once more.
create or replace function set_member_limit(
  p_workspace uuid, p_user uuid, p_limit bigint, p_raised bigint default null, p_raised_until timestamptz default null
) returns void
language plpgsql as $$
declare
  v_start timestamptz := date_trunc('month', clock_timestamp(), 'UTC');
  v_end timestamptz := (v_start at time zone 'UTC' + interval '1 month') at time zone 'UTC';
  v_former bigint;
  v_id uuid;
  v_purse bigint;
begin
  perform bound_transaction('30s');
  -- A draw that opens the member's purse locks this row too, so its limit is either set below or read after this has committed.
  insert into member_limits as known (workspace_id, user_id) values (p_workspace, p_user)
    on conflict (workspace_id, user_id) do update set monthly_limit_nano_usd = known.monthly_limit_nano_usd
    returning known.id, known.monthly_limit_nano_usd into v_id, v_former;
  update member_limits set monthly_limit_nano_usd = p_limit, raised_limit_nano_usd = p_raised, raised_until = p_raised_until
    where workspace_id = p_workspace and user_id = p_user;
  -- The purse is written first, limit and all, because that locks it: what it has spent stands still while it is compared.
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, raised_limit_nano_usd, raised_until)
    values (p_workspace, 'member', v_id, 'month', v_start, v_end, p_limit, p_raised, p_raised_until)
    on conflict (workspace_id, kind, subject_id, period, window_start)
      do update set limit_nano_usd = excluded.limit_nano_usd,
        raised_limit_nano_usd = excluded.raised_limit_nano_usd, raised_until = excluded.raised_until
    returning id into v_purse;
  with counted as (
    select purse.id, (purse.spent_nano_usd - purse.corrected_nano_usd + leased.charged)::bigint as amount
    from (
      select v_purse as id
      union all
      select x.id from keys k
      cross join lateral (
        select id from purses p where p.workspace_id = p_workspace and p.kind = 'key' and p.subject_id = k.id
          and p.period = 'month' and p.window_start = v_start
        offset 0
      ) x
      where k.workspace_id = p_workspace and k.created_by = p_user
    ) q
    join purses purse on purse.id = q.id
    cross join lateral (select coalesce(sum(charged_nano_usd), 0) as charged from leases where purse_id = q.id) leased
  ),
  lacking as (
    select sum(case when id = v_purse then -amount else amount end)::bigint as amount from counted
  )
  update purses set opening_nano_usd = opening_nano_usd + lacking.amount, spent_nano_usd = spent_nano_usd + lacking.amount
    from lacking where purses.id = v_purse and lacking.amount > 0;
  insert into changes (kind, subject_id) values ('purse', v_purse::text);
  -- Processes know by their keys who has a limit at all.
  if (v_former is null) <> (p_limit is null) then
    insert into changes (kind, subject_id)
      select 'key', id::text from keys where workspace_id = p_workspace and created_by = p_user and revoked_at is null;
  end if;
end $$;

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

-- Settles a batch: charges the leases and inserts the receipts. Each parameter, and each statement that an executor
-- prepares, costs as much as some receipts. So numbers come in one matrix, and each lease's sum comes with the batch; the
-- lease is locked by being charged, not before. Its lock is waited for briefly: the sender of a batch then sends its halves.
--   p_purses, p_amounts     the purses whose leases are charged, in ascending order, which is that of locks; and the sums
--   p_context_ids           a row for each context, counted from one: workspace, project, key
--   p_context_numbers       likewise: purse of the credit, of the project, of the key, version of the price,
--                           and purses of the key's maker, of the end user and of the session, left out from the first that
--                           no context has
--   p_context_texts         likewise: dialect, model, outcome, certainty, provider and upstream model of the last attempt
--   p_requests, p_charges   an element for each receipt
--   p_numbers               a row for each receipt: its context, the numbers in the order of the table of fields (src/domain/
--                           receipt.ts): amounts, tokens by class, the cap that it was shortened to, times (µs since 1970) and
--                           durations (ms); and the duration of the last attempt; a negative number stands for none
--   p_attempts              an element for each receipt, null if its columns say as much; or nothing if none has more
--   p_client_requests       an element for each receipt, or nothing if no receipt has one
--   p_extras                what few receipts say, an object for each that says some of it, with the keys session, left_out,
--                           retry, uses, service_tier, requested_model, affinity and affinity_missed; left out if no receipt
--                           does
-- It doesn't check for receipts that are there already, because that took a sixth of the whole: a batch that was sent
-- before violates the receipts' key, and is sent to settle_receipts_again. A lease that is gone raises FG002, also where
-- nothing is charged: its purse may be gone with it. A process of another version is refused like one that calls a function
-- that is not there, so that it keeps its receipts.
create or replace function settle_receipts(
  p_epoch bigint, p_purses bigint[], p_amounts bigint[],
  p_context_ids uuid[], p_context_numbers bigint[], p_context_texts text[],
  p_requests uuid[], p_charges bigint[], p_numbers bigint[], p_attempts jsonb[], p_client_requests text[],
  p_extras jsonb[] default '{}'
) returns void language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_charged bigint;
begin
  if array_length(p_context_texts, 2) <> 6 then
    raise exception 'receipts of another version of the program' using errcode = 'undefined_function';
  end if;
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
    credit_purse_id, project_purse_id, key_purse_id, member_purse_id, end_user_purse_id, session_purse_id,
    dialect, model, price_version_id, outcome,
    charge_nano_usd, hold_nano_usd, write_off_nano_usd, fees_nano_usd, usage_certainty,
    input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
    audio_input_tokens, output_tokens, audio_output_tokens,
    shortened_to_tokens, streamed, admitted_at, duration_ms, first_event_ms,
    provider, upstream_model, attempt_ms, attempts, client_request_id,
    session, left_out, retry, uses, service_tier, requested_model, affinity, affinity_missed
  )
  select
    p_context_ids[context][1], p_requests[i], p_context_ids[context][2], p_context_ids[context][3],
    p_epoch,
    p_context_numbers[context][1], p_context_numbers[context][2], p_context_numbers[context][3],
    p_context_numbers[context][5], p_context_numbers[context][6], p_context_numbers[context][7],
    p_context_texts[context][1], p_context_texts[context][2], p_context_numbers[context][4], p_context_texts[context][3],
    p_charges[i], p_numbers[i][2], p_numbers[i][3], p_numbers[i][4], p_context_texts[context][4],
    p_numbers[i][5], p_numbers[i][6], p_numbers[i][7], p_numbers[i][8],
    p_numbers[i][9], p_numbers[i][10], p_numbers[i][11],
    nullif(p_numbers[i][12], -1), p_numbers[i][13] = 1, to_timestamp(p_numbers[i][14] / 1e6::double precision),
    p_numbers[i][15], nullif(p_numbers[i][16], -1),
    p_context_texts[context][5], p_context_texts[context][6], nullif(p_numbers[i][17], -1),
    p_attempts[i], p_client_requests[i],
    extras ->> 'session', (extras ->> 'left_out')::text[], (extras ->> 'retry')::boolean, extras -> 'uses',
    extras ->> 'service_tier', extras ->> 'requested_model', extras ->> 'affinity', (extras ->> 'affinity_missed')::boolean
  from (
    -- A subquery that stays apart computes the context once a receipt, not for each column that comes from it.
    select i, p_numbers[i][1] as context, p_extras[i] as extras from generate_series(1, cardinality(p_requests)) as i offset 0
  ) q;
end $$;

-- Settles the receipts of a batch that are not there yet; the others were charged when they were inserted. The leases are
-- locked first, so that an earlier statement which is still under way is over before this one looks for its receipts.
create or replace function settle_receipts_again(
  p_epoch bigint, p_purses bigint[], p_amounts bigint[],
  p_context_ids uuid[], p_context_numbers bigint[], p_context_texts text[],
  p_requests uuid[], p_charges bigint[], p_numbers bigint[], p_attempts jsonb[], p_client_requests text[],
  p_extras jsonb[] default '{}'
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
      from unnest(v_new) as i cross join unnest(array[1, 2, 3, 5, 6, 7]) as level
      where p_context_numbers[p_numbers[i][1]][level] is not null
      group by 1
    ) q;
  perform settle_receipts(
    p_epoch, v_purses, v_amounts, p_context_ids, p_context_numbers, p_context_texts,
    array(select p_requests[i] from unnest(v_new) as i),
    array(select p_charges[i] from unnest(v_new) as i),
    array(select array(select unnest(p_numbers[i:i])) from unnest(v_new) as i),
    array(select p_attempts[i] from unnest(v_new) as i),
    array(select p_client_requests[i] from unnest(v_new) as i),
    array(select p_extras[i] from unnest(v_new) as i)
  );
end $$;

-- Follows a posting in the grants that expire: counts what was charged before it, adds the grant that it is, and takes from grants
-- what a debit takes beyond all other credit. p_credit is what it added to the credit, p_left the credit after it that is not
-- charged. The caller has locked the purse.
create or replace function share_posting(
  p_workspace uuid, p_posting uuid, p_charged numeric, p_credit numeric, p_left numeric, p_expires timestamptz, p_receipt uuid
) returns void language plpgsql as $$
begin
  perform count_grants(p_workspace, p_charged);
  if p_expires is not null then
    insert into expiring_grants (
      workspace_id, posting_id, expires_at, given_at, amount_nano_usd, rest_nano_usd, other_nano_usd
    )
      select p_workspace, p_posting, p_expires, clock_timestamp(), p_credit, p_credit, other_nano_usd
      from grant_counts where workspace_id = p_workspace;
  elsif p_receipt is not null and p_credit > 0 then
    perform give_back_to_grants(p_workspace, p_receipt, p_credit);
  elsif p_receipt is not null then
    perform take_from_grants(p_workspace, -p_credit);
  end if;
  perform take_from_grants(p_workspace, (
    select coalesce(sum(rest_nano_usd), 0) from expiring_grants where workspace_id = p_workspace and ended_at is null
  ) - p_left);
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

-- Takes an amount from what is left of a workspace's grants that expire, the earliest expiry first. Returns what they lack.
-- The caller has locked the purse.
create or replace function take_from_grants(p_workspace uuid, p_amount numeric) returns numeric language plpgsql as $$
declare
  v_all numeric;
begin
  if p_amount <= 0 then
    return 0;
  end if;
  select coalesce(sum(rest_nano_usd), 0) into v_all from expiring_grants where workspace_id = p_workspace and ended_at is null;
  update expiring_grants g
    set rest_nano_usd = g.rest_nano_usd - least(g.rest_nano_usd, p_amount - earlier.amount)
    from (
      select posting_id, sum(rest_nano_usd) over (order by expires_at, posting_id) - rest_nano_usd as amount
      from expiring_grants where workspace_id = p_workspace and ended_at is null
    ) earlier
    where g.workspace_id = p_workspace and g.posting_id = earlier.posting_id and earlier.amount < p_amount and g.rest_nano_usd > 0;
  return greatest(0, p_amount - v_all);
end $$;

-- Changes the given columns of a workspace's key and leaves the others; no row if there is no such key. A new limit, or a
-- raise of it, holds in the month that runs now.
create or replace function update_key(p_workspace uuid, p_key uuid, p_given jsonb) returns setof keys
language plpgsql as $$
declare
  k keys;
begin
  perform bound_transaction();
  -- A draw that opens the key's purse locks this row too, so its limit is either set below or read after this has committed.
  select * into k from keys where workspace_id = p_workspace and id = p_key for no key update;
  if not found then
    return;
  end if;
  k := jsonb_populate_record(k, p_given);
  update keys set name = k.name, spend_limit_nano_usd = k.spend_limit_nano_usd, models = k.models,
    expires_at = k.expires_at, disabled_at = k.disabled_at, metadata = k.metadata,
    allowed_networks = k.allowed_networks, raised_limit_nano_usd = k.raised_limit_nano_usd, raised_until = k.raised_until
    where workspace_id = p_workspace and id = p_key returning * into k;
  if p_given ?| array['spend_limit_nano_usd', 'raised_limit_nano_usd', 'raised_until'] then
    with purse as (
      update purses set limit_nano_usd = k.spend_limit_nano_usd,
        raised_limit_nano_usd = k.raised_limit_nano_usd, raised_until = k.raised_until
      where workspace_id = p_workspace and kind = 'key' and subject_id = p_key and period = 'month'
        and window_start = date_trunc('month', clock_timestamp(), 'UTC')
      returning id
    )
    insert into changes (kind, subject_id) select 'purse', id::text from purse;
  end if;
  insert into changes (kind, subject_id) values ('key', p_key::text);
  return next k;
end $$;

-- Changes the given columns of a workspace's project and leaves the others; no row if there is no such project.
create or replace function update_project(p_workspace uuid, p_project uuid, p_given jsonb) returns setof projects
language plpgsql as $$
declare
  p projects;
begin
  -- Counting a window's receipts takes a while where there are many.
  perform bound_transaction('30s');
  select * into p from projects where workspace_id = p_workspace and id = p_project and archived_at is null
    for no key update;
  if not found then
    return;
  end if;
  p := jsonb_populate_record(p, p_given);
  update projects set name = p.name, requests_per_minute = p.requests_per_minute, tokens_per_minute = p.tokens_per_minute,
    concurrency = p.concurrency, budget_nano_usd = p.budget_nano_usd, budget_period = p.budget_period, models = p.models,
    member_key_spend_limit_nano_usd = p.member_key_spend_limit_nano_usd, member_keys_max = p.member_keys_max,
    reports_cost = p.reports_cost, model_when_spent = p.model_when_spent,
    raised_limit_nano_usd = p.raised_limit_nano_usd, raised_until = p.raised_until,
    end_user_limit_nano_usd = p.end_user_limit_nano_usd,
    end_user_period = p.end_user_period, session_limit_nano_usd = p.session_limit_nano_usd
    where workspace_id = p_workspace and id = p_project returning * into p;
  if p_given ?| array['budget_nano_usd', 'budget_period', 'raised_limit_nano_usd', 'raised_until'] then
    perform apply_budget(p);
  end if;
  insert into changes (kind, subject_id) values ('project', p_project::text);
  return next p;
end $$;

-- Bounds how long the transaction that calls it waits for any lock. A statement about rows of several purses or projects
-- passes over what is locked and reports it; a statement of its own then waits for it, briefly. A waiter holds only locks
-- that come earlier in the order of locks. A query, so that its callers' plans have it inline.
create or replace function wait_briefly() returns text language sql as $$
  select set_config('lock_timeout', '250ms', true)
$$;

create table receipts_2026_w23 partition of receipts FOR VALUES FROM ('019e807a-ec00-0000-0000-000000000000') TO ('019ea487-7000-0000-0000-000000000000');
create table receipts_2026_w48 partition of receipts FOR VALUES FROM ('01a205b3-d000-0000-0000-000000000000') TO ('01a229c0-5400-0000-0000-000000000000');
create table receipts_2026_w49 partition of receipts FOR VALUES FROM ('01a229c0-5400-0000-0000-000000000000') TO ('01a24dcc-d800-0000-0000-000000000000');
create table receipts_2026_w50 partition of receipts FOR VALUES FROM ('01a24dcc-d800-0000-0000-000000000000') TO ('01a271d9-5c00-0000-0000-000000000000');

insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a2286a-c786-77a7-a1a5-fb2947da4e03", "name": "A user", "email": "owner@example.com", "version": 1, "erased_at": null, "created_at": "2026-11-29T17:46:56.261824+00:00", "disabled_at": null, "is_operator": true, "password_hash": "$argon2id$v=19$m=64,t=1,p=1$JmolsDpfUjNKj6b4vgadag$/VEcE4ofzFVDkCdB3i6q12EcxtNSFw9WGKq+aJFJkac", "email_verified_at": null}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a2286a-c7d7-7123-8031-c3074dbb126f", "name": "A user", "email": "second@example.com", "version": 1, "erased_at": null, "created_at": "2026-11-29T17:46:56.34298+00:00", "disabled_at": null, "is_operator": false, "password_hash": null, "email_verified_at": null}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a2286a-c82f-7772-9352-4fddea89113e", "name": "Engineer", "email": "engineer@company.example", "version": 1, "erased_at": null, "created_at": "2026-11-29T17:46:56.428174+00:00", "disabled_at": null, "is_operator": false, "password_hash": null, "email_verified_at": "2026-11-29T17:46:56.428174+00:00"}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a2286a-c856-7040-8bd9-8671a1bb95a0", "name": "Ada", "email": "ada@company.example", "version": 1, "erased_at": null, "created_at": "2026-11-29T17:46:56.463217+00:00", "disabled_at": null, "is_operator": false, "password_hash": null, "email_verified_at": "2026-11-29T17:46:56.463217+00:00"}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a2286a-c887-70a0-8c62-49043a6240db", "name": "Ada", "email": "left@company.example", "version": 1, "erased_at": null, "created_at": "2026-11-29T17:46:56.511208+00:00", "disabled_at": null, "is_operator": false, "password_hash": null, "email_verified_at": "2026-11-29T17:46:56.511208+00:00"}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a2286a-cae1-775b-8052-87b128c7007b", "name": "erased", "email": "01a2286a-cae1-775b-8052-87b128c7007b@erased.invalid", "version": 3, "erased_at": "2026-11-29T17:46:57.165203+00:00", "created_at": "2026-11-29T17:46:57.121098+00:00", "disabled_at": "2026-11-29T17:46:57.132549+00:00", "is_operator": false, "password_hash": null, "email_verified_at": null}');
insert into cells overriding system value select * from jsonb_populate_record(null::cells, '{"url": "https://one.gateway.example", "shard": "01", "version": 1, "added_at": "2026-11-29T17:46:57.75596+00:00", "encrypted_token": "\\x015119ceb9d1e84557a53ce4195bc28ed27b46ce9ba2f1f2469bfc96a8f534ea3cf6e78fc1ddb792f2d0a40d6b3f1b290deaf5e004c282"}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a2286a-c4e0-747c-88c4-15ca15314803", "name": "workspace f0fd0921-55a2-4639-9ed5-0621360adaa6", "version": 2, "moved_to": null, "paused_at": null, "closing_at": null, "created_at": "2026-11-29T17:46:55.583968+00:00", "archived_at": null, "billing_name": "Acme", "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": 200000000}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a2286a-c68c-71bc-add3-7211d993f34f", "name": "workspace a8b5438d-a0cb-458d-9df5-438a028442d4", "version": 1, "moved_to": null, "paused_at": null, "closing_at": null, "created_at": "2026-11-29T17:46:56.012792+00:00", "archived_at": null, "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a2286a-ca4e-70aa-86d4-66c275370fd5", "name": "workspace 1ec96d00-36b7-42e4-ac9e-56d61720dcfe", "version": 2, "moved_to": null, "paused_at": null, "closing_at": null, "created_at": "2026-11-29T17:46:56.973917+00:00", "archived_at": null, "billing_name": null, "suspended_at": "2026-11-29T17:46:57.089913+00:00", "billing_tax_id": null, "billing_address": null, "suspension_reason": "unpaid", "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a2286a-ca78-756f-b45f-15c3f2ed1038", "name": "workspace a34e8f29-c1ce-43e0-a779-bd062c062910", "version": 2, "moved_to": null, "paused_at": null, "closing_at": "2026-11-29T17:46:57.10275+00:00", "created_at": "2026-11-29T17:46:57.01562+00:00", "archived_at": null, "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a2286a-cb21-71e8-b8bc-66fdae1a8e0d", "name": "long ago", "version": 1, "moved_to": null, "paused_at": null, "closing_at": null, "created_at": "2026-11-29T17:46:57.185064+00:00", "archived_at": null, "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a2286a-cd45-736e-8cff-453b2df579d1", "name": "archived", "version": 2, "moved_to": null, "paused_at": null, "closing_at": null, "created_at": "2026-11-29T17:46:57.731614+00:00", "archived_at": "2026-11-29T17:46:57.744336+00:00", "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a2286a-cd63-70cb-9ba8-e3c15608f1e4", "name": "moved", "version": 2, "moved_to": "01", "paused_at": null, "closing_at": null, "created_at": "2026-11-29T17:46:57.763353+00:00", "archived_at": null, "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into members overriding system value select * from jsonb_populate_record(null::members, '{"role": "owner", "user_id": "01a2286a-c786-77a7-a1a5-fb2947da4e03", "version": 1, "created_at": "2026-11-29T17:46:56.261824+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into members overriding system value select * from jsonb_populate_record(null::members, '{"role": "owner", "user_id": "01a2286a-c7d7-7123-8031-c3074dbb126f", "version": 1, "created_at": "2026-11-29T17:46:56.34298+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into members overriding system value select * from jsonb_populate_record(null::members, '{"role": "developer", "user_id": "01a2286a-c82f-7772-9352-4fddea89113e", "version": 1, "created_at": "2026-11-29T17:46:56.428174+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into members overriding system value select * from jsonb_populate_record(null::members, '{"role": "developer", "user_id": "01a2286a-c856-7040-8bd9-8671a1bb95a0", "version": 1, "created_at": "2026-11-29T17:46:56.485956+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into access_tokens overriding system value select * from jsonb_populate_record(null::access_tokens, '{"id": "01a2286a-c7b8-748e-a457-7f233d3b5633", "name": "ci", "scopes": ["keys:read"], "user_id": "01a2286a-c786-77a7-a1a5-fb2947da4e03", "last_four": "OGeo", "created_at": "2026-11-29T17:46:56.309603+00:00", "expires_at": "2026-11-30T17:46:56.307+00:00", "revoked_at": null, "last_used_at": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "secret_sha256": "\\x302253324f9e11d6cf77e88ea915d61e190606246b7ece0302592861cb142a12"}');
insert into access_tokens overriding system value select * from jsonb_populate_record(null::access_tokens, '{"id": "01a2286a-c7e9-7746-b5aa-04f7b28e20e5", "name": "staff", "scopes": ["members:write", "owners:write"], "user_id": "01a2286a-c7d7-7123-8031-c3074dbb126f", "last_four": "Ca4H", "created_at": "2026-11-29T17:46:56.358951+00:00", "expires_at": "2026-11-30T17:46:56.352+00:00", "revoked_at": null, "last_used_at": "2026-11-29T17:46:56.375676+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "secret_sha256": "\\xcd257f18c46ff42261859365be9fd29b2c9922624c01a9951608e540810ccfac"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8dd-715c-b5a9-a15f566acdf1", "kind": "provider_key_refused", "name": "Provider refuses its API key", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T17:46:56.591255+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "00000000-0000-0000-0000-000000000000"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8dd-715c-b5aa-acbd4d6abc54", "kind": "ledger_difference", "name": "Ledger does not add up", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T17:46:56.591255+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "00000000-0000-0000-0000-000000000000"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8dd-715c-b5ab-153363f047c5", "kind": "payment_after_closing", "name": "Payment for a closed workspace", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T17:46:56.591255+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "00000000-0000-0000-0000-000000000000"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8c4-7760-9703-04d9e4f9c945", "kind": "balance_below", "name": "much", "enabled": true, "mail_to": ["ops@example.com"], "version": 1, "threshold": 1000000000000, "created_at": "2026-11-29T17:46:56.57982+00:00", "mail_roles": ["owner"], "subject_id": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a1ef-f0dd0fb037e8", "kind": "balance_share", "name": "Balance below 20 % of the last top-up", "enabled": true, "mail_to": [], "version": 1, "threshold": 20, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a1f0-66aba4624500", "kind": "balance_below", "name": "Balance below 1 USD", "enabled": true, "mail_to": [], "version": 1, "threshold": 1000000000, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a1f1-695e4bbf076f", "kind": "project_budget", "name": "Project budget used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a1f2-42fba507d793", "kind": "project_budget", "name": "Project budget used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a1f3-662a26fc0463", "kind": "auto_top_up_stopped", "name": "Automatic top-ups have stopped", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a1f4-ad0c3ea804ec", "kind": "key_limit", "name": "Key limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a1f5-b59687532239", "kind": "key_limit", "name": "Key limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a1f6-3817f121d476", "kind": "member_limit", "name": "Member''s limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a1f7-7c870c255967", "kind": "member_limit", "name": "Member''s limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a1f8-eabb04d8c98f", "kind": "end_user_limit", "name": "End user''s limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a1f9-6b5eeb8bf80d", "kind": "end_user_limit", "name": "End user''s limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a1fa-af836f4aac52", "kind": "session_limit", "name": "Session''s limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a1fb-af553d19e886", "kind": "session_limit", "name": "Session''s limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a1fc-71defc94a561", "kind": "balance_share", "name": "Balance below 20 % of the last top-up", "enabled": true, "mail_to": [], "version": 1, "threshold": 20, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a1fd-a63731a6ae3e", "kind": "balance_below", "name": "Balance below 1 USD", "enabled": true, "mail_to": [], "version": 1, "threshold": 1000000000, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a1fe-4c2cd6bce713", "kind": "project_budget", "name": "Project budget used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a1ff-39b586c66d80", "kind": "project_budget", "name": "Project budget used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a200-9b67edc65d16", "kind": "auto_top_up_stopped", "name": "Automatic top-ups have stopped", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a201-72e214f53989", "kind": "key_limit", "name": "Key limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a202-b1c3396f17b1", "kind": "key_limit", "name": "Key limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a203-9598d9577a3b", "kind": "member_limit", "name": "Member''s limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a204-33388e4db70f", "kind": "member_limit", "name": "Member''s limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a205-a3c56731f678", "kind": "end_user_limit", "name": "End user''s limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a206-af888312c683", "kind": "end_user_limit", "name": "End user''s limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a207-f1a34beff1b6", "kind": "session_limit", "name": "Session''s limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2286a-c8e4-73fe-a208-e2ac5eba7457", "kind": "session_limit", "name": "Session''s limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T17:46:56.608804+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f"}');
insert into alert_watches overriding system value select * from jsonb_populate_record(null::alert_watches, '{"marks": [], "looked_at": "2026-11-29T17:46:56.591255+00:00", "workspace_id": "00000000-0000-0000-0000-000000000000", "spent_nano_usd": 0, "defaults_version": 1, "credited_nano_usd": 0}');
insert into alert_watches overriding system value select * from jsonb_populate_record(null::alert_watches, '{"marks": [[1795974416608, "60000001"]], "looked_at": "2026-11-29T17:46:56.689777+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "spent_nano_usd": 60000001, "defaults_version": 3, "credited_nano_usd": 15330000000}');
insert into alert_watches overriding system value select * from jsonb_populate_record(null::alert_watches, '{"marks": [[1795974416608, "0"]], "looked_at": "2026-11-29T17:46:56.689777+00:00", "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f", "spent_nano_usd": 0, "defaults_version": 3, "credited_nano_usd": -20000000}');
insert into alerts overriding system value select * from jsonb_populate_record(null::alerts, '{"id": "01a2286a-c908-76b7-ae2c-3ac923fd6f28", "url": null, "kind": "balance_below", "rule_id": "01a2286a-c8c4-7760-9703-04d9e4f9c945", "seen_at": "2026-11-29T17:46:56.608804+00:00", "summary": "The balance of \"workspace f0fd0921-55a2-4639-9ed5-0621360adaa6\" is 15.26 USD, below 1,000.00 USD. Of it, 0.01 USD will expire on 1 December 2026.", "raised_at": "2026-11-29T17:46:56.608804+00:00", "threshold": 1000000000000, "subject_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "window_end": null, "resolved_at": null, "subject_kind": "workspace", "subject_name": "workspace f0fd0921-55a2-4639-9ed5-0621360adaa6", "window_start": "-infinity", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "limit_nano_usd": 1000000000000, "value_nano_usd": 15269999999}');
insert into alerts overriding system value select * from jsonb_populate_record(null::alerts, '{"id": "01a2286a-c90f-739b-8faf-2938fc90cec5", "url": null, "kind": "balance_share", "rule_id": "01a2286a-c8e4-73fe-a1fc-71defc94a561", "seen_at": "2026-11-29T17:46:56.608804+00:00", "summary": "The balance of \"workspace a8b5438d-a0cb-458d-9df5-438a028442d4\" is -0.02 USD, below 20 % of the last top-up of 0.01 USD.", "raised_at": "2026-11-29T17:46:56.608804+00:00", "threshold": 20, "subject_id": "01a2286a-c68c-71bc-add3-7211d993f34f", "window_end": null, "resolved_at": null, "subject_kind": "workspace", "subject_name": "workspace a8b5438d-a0cb-458d-9df5-438a028442d4", "window_start": "-infinity", "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f", "limit_nano_usd": 2000000, "value_nano_usd": -20000000}');
insert into alerts overriding system value select * from jsonb_populate_record(null::alerts, '{"id": "01a2286a-c912-71d9-90d1-ee8345dd4990", "url": null, "kind": "balance_below", "rule_id": "01a2286a-c8e4-73fe-a1fd-a63731a6ae3e", "seen_at": "2026-11-29T17:46:56.608804+00:00", "summary": "The balance of \"workspace a8b5438d-a0cb-458d-9df5-438a028442d4\" is -0.02 USD, below 1.00 USD.", "raised_at": "2026-11-29T17:46:56.608804+00:00", "threshold": 1000000000, "subject_id": "01a2286a-c68c-71bc-add3-7211d993f34f", "window_end": null, "resolved_at": null, "subject_kind": "workspace", "subject_name": "workspace a8b5438d-a0cb-458d-9df5-438a028442d4", "window_start": "-infinity", "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f", "limit_nano_usd": 1000000000, "value_nano_usd": -20000000}');
insert into arrivals overriding system value select * from jsonb_populate_record(null::arrivals, '{"shard": "01", "state": "arriving", "prices": {}, "move_id": "1ab3275d-d91f-4a58-b78a-3794aa4d85e1", "begun_at": "2026-11-29T17:46:57.791351+00:00", "receipts": 0, "workspace_id": "b9001329-6947-4dbf-af58-08a9ef66b01e", "charges_nano_usd": 0, "write_offs_nano_usd": 0}');
insert into arriving_rows overriding system value select * from jsonb_populate_record(null::arriving_rows, '{"key": "p", "row": {}, "number": 1, "table_name": "projects", "workspace_id": "b9001329-6947-4dbf-af58-08a9ef66b01e"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 15, "scope_id": "00000000-0000-0000-0000-000000000000", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\x0cf7f1c504cd14eb920d70097ba5017f5535c71cf2c14954a809c9be7852259d"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 45, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\x42314b70e108124ea05e423b615e48e7bb47ce8e1bc7a055b48008a9e3299fb5"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 4, "scope_id": "01a2286a-c68c-71bc-add3-7211d993f34f", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\x7d0a72bc0c0b19aafc207ef93a75b84f9a82d00f63114fbb12963a51ed527c3e"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 3, "scope_id": "01a2286a-ca4e-70aa-86d4-66c275370fd5", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\x55326ab45cefcc3b82fd53e66efe7a378acc465f6f5b910f9fba2790b082aa21"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 3, "scope_id": "01a2286a-ca78-756f-b45f-15c3f2ed1038", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\x766dabe9503b5938b86fd190cac326c707b12728b972e0f4a9b5b1fe6570addf"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 2, "scope_id": "01a2286a-cb21-71e8-b8bc-66fdae1a8e0d", "dropped_by": "01a2286a-cb37-70c0-9050-5e7606a59508", "dropped_to": 1, "chain_sha256": "\\x3bbdcd94f90bba1bf2ddfb6062486aece953c86c0740a2709472e396b2e200b7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:55.583968+00:00", "id": "01a2286a-c4e5-760e-aac0-740ab7c864fa", "after": {"name": "workspace f0fd0921-55a2-4639-9ed5-0621360adaa6"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace f0fd0921-55a2-4639-9ed5-0621360adaa6", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:55.629606+00:00", "id": "01a2286a-c510-75f6-93d8-c519e2fa5bd9", "after": {"name": "project 73514fc3-2174-4648-8859-e40b222e9f27", "models": ["small-chat"], "concurrency": 4, "reports_cost": true, "budget_period": "month", "budget_nano_usd": "3000000000", "end_user_period": "month", "member_keys_max": 5, "model_when_spent": null, "tokens_per_minute": 100000, "requests_per_minute": 60, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": "2500000000"}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project 73514fc3-2174-4648-8859-e40b222e9f27", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:55.640552+00:00", "id": "01a2286a-c522-74dc-b216-4c29beb4f020", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": ["10.0.0.0/8"], "spend_limit_nano_usd": "2000000000"}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-c518-71b5-a55f-1b220ff87127", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:55.65425+00:00", "id": "01a2286a-c530-727b-82ba-606ba2681c01", "after": {"model": null, "change_percent": "-5"}, "action": "price.adjust", "before": {"model": null, "change_percent": null}, "address": null, "user_id": null, "target_id": "01a2286a-c529-731d-bf45-4ff3154d5900", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "price_adjustment", "target_name": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:55.669829+00:00", "id": "01a2286a-c541-74d6-9a49-b8b2db418577", "after": {"model": null, "change_percent": "-10"}, "action": "price.adjust", "before": {"model": null, "change_percent": "-5"}, "address": null, "user_id": null, "target_id": "01a2286a-c538-72bb-8e6d-0219c80abcf8", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "price_adjustment", "target_name": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:55.683614+00:00", "id": "01a2286a-c54e-720d-9785-d79fd9af0118", "after": {"model": "sandbox/echo", "change_percent": "25"}, "action": "price.adjust", "before": {"model": "sandbox/echo", "change_percent": null}, "address": null, "user_id": null, "target_id": "01a2286a-c545-727b-be0a-4218bc5f988d", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "price_adjustment", "target_name": "sandbox/echo", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:55.99195+00:00", "id": "01a2286a-c67d-75e1-8246-306742d41b01", "after": {"period": "month", "reason": "a \"reason\", with Ünïcode", "starts": "now", "expires": "with_period", "amount_nano_usd": "10000000", "expires_after_days": null}, "action": "recurring_grant.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-c678-70c1-ae1c-80a808c09f85", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "recurring_grant", "target_name": "0.01 USD each month", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.012792+00:00", "id": "01a2286a-c68d-7470-ad5d-1dfc6b54c86b", "after": {"name": "workspace a8b5438d-a0cb-458d-9df5-438a028442d4"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-c68c-71bc-add3-7211d993f34f", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace a8b5438d-a0cb-458d-9df5-438a028442d4", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.031238+00:00", "id": "01a2286a-c6a1-707b-a2be-3515e5f2853f", "after": {"name": "project fae09c96-037c-4382-a978-9c075d3bda20", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-c69f-76b3-b871-e0e6dbad7c75", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project fae09c96-037c-4382-a978-9c075d3bda20", "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.037971+00:00", "id": "01a2286a-c6ab-74b7-8bb8-584e0dcfc36c", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-c6a6-7324-8925-4a5594629304", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.046868+00:00", "id": "01a2286a-c6b4-77d0-b01d-5887003c477c", "after": {"name": "revoked", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-c6af-771b-986c-c3f91aa32a30", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "revoked", "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.054803+00:00", "id": "01a2286a-c6c0-7089-a7f3-93e2843d88a1", "after": {"revoked_at": "2026-11-29T17:46:56.054Z"}, "action": "key.revoke", "before": {"revoked_at": null}, "address": null, "user_id": null, "target_id": "01a2286a-c6af-771b-986c-c3f91aa32a30", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "revoked", "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.066826+00:00", "id": "01a2286a-c6cd-7722-8026-7a55fed25910", "after": {"provider": "stripe", "fee_nano_usd": "800000000", "amount_nano_usd": "10000000000"}, "action": "top_up.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-c6c8-711f-bd42-2bbcac717e9c", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "top_up", "target_name": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.119864+00:00", "id": "01a2286a-c6fa-726a-837b-14c6fff0c8d1", "after": {"provider": "stripe", "fee_nano_usd": "800000000", "amount_nano_usd": "10000000000"}, "action": "top_up.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-c6f8-73b4-b88f-68442e6f6d0c", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "top_up", "target_name": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.125636+00:00", "id": "01a2286a-c700-771a-974f-385d15990a09", "after": {"sold": true, "count": 2, "reason": "sold", "expires_at": "2026-11-30T17:46:56.124Z", "amount_nano_usd": "10000000"}, "action": "codes.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-c6fc-7177-9479-0ad1f69e4592", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "code_batch", "target_name": null, "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.133759+00:00", "id": "01a2286a-c708-77c2-b3e3-68da4e2ff284", "after": {"code": "…T0MR"}, "action": "code.redeem", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-c705-732c-8a31-ed6947d8d76b", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "top_up", "target_name": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.288715+00:00", "id": "01a2286a-c7a4-71ac-b77d-9978bc705911", "after": null, "action": "authenticator.add", "before": null, "address": "192.0.2.1", "user_id": "01a2286a-c786-77a7-a1a5-fb2947da4e03", "target_id": "01a2286a-c786-77a7-a1a5-fb2947da4e03", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "f66a69cf-e5ec-4836-a18c-3a6dd986947a", "target_kind": "user", "target_name": "owner@example.com", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.299146+00:00", "id": "01a2286a-c7ae-765d-b275-e248e22acaa2", "after": {"issuer": "https://login.example", "subject": "1"}, "action": "openid.link", "before": null, "address": "192.0.2.1", "user_id": "01a2286a-c786-77a7-a1a5-fb2947da4e03", "target_id": "01a2286a-c786-77a7-a1a5-fb2947da4e03", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "f66a69cf-e5ec-4836-a18c-3a6dd986947a", "target_kind": "user", "target_name": "owner@example.com", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.309603+00:00", "id": "01a2286a-c7bb-7125-a0d5-5bdc4a5ad53b", "after": {"scopes": ["keys:read"], "expires_at": "2026-11-30T17:46:56.307Z"}, "action": "access_token.create", "before": null, "address": "192.0.2.1", "user_id": "01a2286a-c786-77a7-a1a5-fb2947da4e03", "target_id": "01a2286a-c7b8-748e-a457-7f233d3b5633", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "f66a69cf-e5ec-4836-a18c-3a6dd986947a", "target_kind": "access_token", "target_name": "ci", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.320136+00:00", "id": "01a2286a-c7c6-706a-a8fa-15f6a6418c01", "after": {"role": "member"}, "action": "invitation.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-c7c0-7105-9193-effe03f9a547", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "invitation", "target_name": "new@example.com", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.331752+00:00", "id": "01a2286a-c7cd-7412-a15a-4081d1c960b8", "after": {"access": "read_and_backup"}, "action": "operator_token.create", "before": null, "address": "192.0.2.1", "user_id": "01a2286a-c786-77a7-a1a5-fb2947da4e03", "target_id": "01a2286a-c7cc-7138-81f1-31ed1414f941", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "f66a69cf-e5ec-4836-a18c-3a6dd986947a", "target_kind": "operator_token", "target_name": "metrics", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.358951+00:00", "id": "01a2286a-c7eb-757f-bd08-04526e9b9182", "after": {"scopes": ["members:write", "owners:write"], "expires_at": "2026-11-30T17:46:56.352Z"}, "action": "access_token.create", "before": null, "address": "192.0.2.1", "user_id": "01a2286a-c7d7-7123-8031-c3074dbb126f", "target_id": "01a2286a-c7e9-7746-b5aa-04f7b28e20e5", "actor_kind": "session", "actor_name": "second@example.com", "request_id": "695fe607-e266-41a4-be78-59e89ea3bb33", "target_kind": "access_token", "target_name": "staff", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.379586+00:00", "id": "01a2286a-c7fe-74c6-b6e9-497b60a64759", "after": {"role": "viewer"}, "action": "invitation.create", "before": null, "address": null, "user_id": "01a2286a-c7d7-7123-8031-c3074dbb126f", "target_id": "01a2286a-c7fb-76c0-9bcb-9c7d8c00bd93", "actor_kind": "access_token", "actor_name": "second@example.com", "request_id": null, "target_kind": "invitation", "target_name": "third@example.com", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.390261+00:00", "id": "01a2286a-c809-70b3-b1dd-79cbfc59270a", "after": null, "action": "password.reset_link", "before": null, "address": null, "user_id": "01a2286a-c7d7-7123-8031-c3074dbb126f", "target_id": "01a2286a-c7d7-7123-8031-c3074dbb126f", "actor_kind": "access_token", "actor_name": "second@example.com", "request_id": null, "target_kind": "user", "target_name": "second@example.com", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.397369+00:00", "id": "01a2286a-c81b-7560-9d3e-ce42784e5830", "after": {"issuer": "https://login.company.example", "client_id": "faregate", "group_roles": "{\"engineers\":\"developer\"}", "client_secret": "replaced", "allowed_networks": ["0.0.0.0/0", "::/0"]}, "action": "access.update", "before": {"issuer": null, "client_id": null, "group_roles": "{}", "client_secret": null, "allowed_networks": null}, "address": null, "user_id": null, "target_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "access", "target_name": "workspace f0fd0921-55a2-4639-9ed5-0621360adaa6", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.416363+00:00", "id": "01a2286a-c823-7424-ac82-f4812b687fc8", "after": null, "action": "domain.add", "before": null, "address": null, "user_id": null, "target_id": "unproven.example", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "domain", "target_name": "unproven.example", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.421618+00:00", "id": "01a2286a-c827-76ff-8095-e0906df84302", "after": null, "action": "domain.add", "before": null, "address": null, "user_id": null, "target_id": "company.example", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "domain", "target_name": "company.example", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.425454+00:00", "id": "01a2286a-c82a-75dc-96de-289d88936ddd", "after": {"by": "operator"}, "action": "domain.prove", "before": null, "address": null, "user_id": null, "target_id": "company.example", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "domain", "target_name": "company.example", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.428174+00:00", "id": "01a2286a-c830-7391-9934-b703807f1eb5", "after": {"issuer": "https://login.company.example", "subject": "2"}, "action": "openid.link", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a2286a-c82f-7772-9352-4fddea89113e", "actor_kind": "job", "actor_name": "single sign-on", "request_id": "2c2fcdd3-b8fc-45c9-9c39-4059782e442a", "target_kind": "user", "target_name": "engineer@company.example", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.428174+00:00", "id": "01a2286a-c83b-7648-b358-9fec3093c478", "after": {"role": "developer"}, "action": "member.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a2286a-c82f-7772-9352-4fddea89113e", "actor_kind": "job", "actor_name": "single sign-on", "request_id": "2c2fcdd3-b8fc-45c9-9c39-4059782e442a", "target_kind": "member", "target_name": "engineer@company.example", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.428174+00:00", "id": "01a2286a-c842-75a4-985f-56daab420218", "after": {"by": "openid"}, "action": "session.begin", "before": null, "address": "192.0.2.1", "user_id": "01a2286a-c82f-7772-9352-4fddea89113e", "target_id": "01a2286a-c83e-70ee-b7dc-1a8347fb20f5", "actor_kind": "session", "actor_name": "engineer@company.example", "request_id": "2c2fcdd3-b8fc-45c9-9c39-4059782e442a", "target_kind": "session", "target_name": "engineer@company.example", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.452459+00:00", "id": "01a2286a-c847-72f1-b567-53dbc0f3f95c", "after": null, "action": "directory_token.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "directory", "target_name": "workspace f0fd0921-55a2-4639-9ed5-0621360adaa6", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.463217+00:00", "id": "01a2286a-c858-73e3-962b-c9aa36692f5b", "after": {"email": "ada@company.example", "active": true, "external_id": "1"}, "action": "directory_user.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a2286a-c857-7431-9097-15f1b799b827", "actor_kind": "job", "actor_name": "directory", "request_id": "3af49632-2482-4e8d-895a-a2a7f88172a8", "target_kind": "directory_user", "target_name": "ada@company.example", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.485956+00:00", "id": "01a2286a-c86d-7464-8bdc-59b37366b9f1", "after": {"members": 1, "external_id": "2"}, "action": "directory_group.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a2286a-c869-766c-b742-762360429b78", "actor_kind": "job", "actor_name": "directory", "request_id": "3af49632-2482-4e8d-895a-a2a7f88172a8", "target_kind": "directory_group", "target_name": "engineers", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.485956+00:00", "id": "01a2286a-c878-7422-bfa6-eb02d79ff1dd", "after": {"role": "developer"}, "action": "member.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a2286a-c856-7040-8bd9-8671a1bb95a0", "actor_kind": "job", "actor_name": "directory", "request_id": "3af49632-2482-4e8d-895a-a2a7f88172a8", "target_kind": "member", "target_name": "ada@company.example", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.511208+00:00", "id": "01a2286a-c88e-7451-84d4-af23e8eb7f6b", "after": {"email": "left@company.example", "active": false, "external_id": null}, "action": "directory_user.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a2286a-c88c-7250-9c6c-e4b3069738d0", "actor_kind": "job", "actor_name": "directory", "request_id": "3af49632-2482-4e8d-895a-a2a7f88172a8", "target_kind": "directory_user", "target_name": "left@company.example", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.511208+00:00", "id": "01a2286a-c89e-7451-8c5c-807e0e3001b4", "after": {"keys": 0, "sessions": 0, "access_tokens": 0}, "action": "directory_user.deactivate", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a2286a-c88c-7250-9c6c-e4b3069738d0", "actor_kind": "job", "actor_name": "directory", "request_id": "3af49632-2482-4e8d-895a-a2a7f88172a8", "target_kind": "directory_user", "target_name": "left@company.example", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.556815+00:00", "id": "01a2286a-c8b3-71e4-9372-0d5087d90df3", "after": {"url": "https://hooks.example/", "enabled": true, "description": "ours"}, "action": "webhook.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-c8a7-7526-bd58-e3a7c4bd81e8", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "webhook", "target_name": "https://hooks.example/", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.571622+00:00", "id": "01a2286a-c8bf-76a2-ae69-8bc837a7df07", "after": {"overlap_hours": 24}, "action": "webhook.rotate", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-c8a7-7526-bd58-e3a7c4bd81e8", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "webhook", "target_name": "https://hooks.example/", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.57982+00:00", "id": "01a2286a-c8ca-7167-89d1-e0aeb6c338c2", "after": {"kind": "balance_below", "name": "much", "enabled": true, "mail_to": ["ops@example.com"], "threshold": "1000000000000", "mail_roles": ["owner"], "subject_id": null}, "action": "alert_rule.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-c8c4-7760-9703-04d9e4f9c945", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "alert_rule", "target_name": "much", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.696106+00:00", "id": "01a2286a-c93c-7798-82b1-64a276299dd6", "after": {"redact": ["keys"], "records": ["content", "receipts"], "sample_percent": 10}, "action": "sink.update", "before": {"redact": [], "records": [], "sample_percent": 100}, "address": null, "user_id": null, "target_id": "archive", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "sink", "target_name": "archive", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.709557+00:00", "id": "01a2286a-c94e-7291-bf05-ff669741f07e", "after": {"billing_name": "Acme", "member_monthly_limit_nano_usd": "200000000"}, "action": "workspace.update", "before": {"billing_name": null, "member_monthly_limit_nano_usd": null}, "address": null, "user_id": null, "target_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace f0fd0921-55a2-4639-9ed5-0621360adaa6", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.723141+00:00", "id": "01a2286a-c958-75ff-b624-c08ea2d66b4e", "after": {"name": "of a member", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-c953-7262-a4cf-f8533212636c", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "of a member", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.774713+00:00", "id": "01a2286a-c993-74d7-94a3-053b89afbd8f", "after": {"name": "raised", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": "500000000"}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-c986-7582-b7cb-67a871d9345a", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "raised", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.791284+00:00", "id": "01a2286a-c9a0-7030-adc0-f99cdb1971d9", "after": {"raised_until": "2099-01-01T00:00:00.000Z", "raised_limit_nano_usd": "900000000"}, "action": "key.update", "before": {"raised_until": null, "raised_limit_nano_usd": null}, "address": null, "user_id": null, "target_id": "01a2286a-c986-7582-b7cb-67a871d9345a", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "raised", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.815363+00:00", "id": "01a2286a-c9b2-7412-9a68-1c0b83c9a1b5", "after": {"name": "raised", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": "500000000", "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-c9b0-7223-9f3a-00f13b82082f", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "raised", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.829141+00:00", "id": "01a2286a-c9c1-7410-8aa6-461eba320a15", "after": {"raised_until": "2099-01-01T00:00:00.000Z", "model_when_spent": "small-chat", "raised_limit_nano_usd": "900000000"}, "action": "project.update", "before": {"raised_until": null, "model_when_spent": null, "raised_limit_nano_usd": null}, "address": null, "user_id": null, "target_id": "01a2286a-c9b0-7223-9f3a-00f13b82082f", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "raised", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.85973+00:00", "id": "01a2286a-c9de-708a-a8ef-f7243ffc4399", "after": {"name": "serves many", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": "100000000", "end_user_limit_nano_usd": "200000000", "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-c9dc-71ec-acba-a03d3e58dde6", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "serves many", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.865643+00:00", "id": "01a2286a-c9e6-708e-b94c-950c9b08219a", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-c9e1-77e4-8d90-db339007a1f8", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.896345+00:00", "id": "01a2286a-ca09-7495-9d4c-206bb58beabc", "after": {"raised_until": "2099-01-01T00:00:00.000Z", "limit_nano_usd": "300000000", "raised_limit_nano_usd": "900000000"}, "action": "end_user.limit", "before": null, "address": null, "user_id": null, "target_id": "112b7d25-231c-1918-ee90-5820b8842918", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "end_user", "target_name": "serves many", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.910652+00:00", "id": "01a2286a-ca13-76f7-8183-1269fc976fcc", "after": {"name": "rotated", "models": null, "metadata": "{\"team\":\"search\"}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-ca0e-73f8-a13b-5a104d49bfa8", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "rotated", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.91694+00:00", "id": "01a2286a-ca25-74ab-8855-90150202b327", "after": {"masked_key": "fg_live_00uDooBjgjium1…ZTG0", "former_secret_until": "2026-12-29T17:46:56.916Z"}, "action": "key.rotate", "before": {"masked_key": "fg_live_00S7dZlehHdWaX…58JO"}, "address": null, "user_id": null, "target_id": "01a2286a-ca0e-73f8-a13b-5a104d49bfa8", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "rotated", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.935373+00:00", "id": "01a2286a-ca2d-7728-b336-0ac5f937be67", "after": {"name": "disabled", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-ca27-77ad-9965-10f36df856e8", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "disabled", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.943092+00:00", "id": "01a2286a-ca34-70a2-a49b-b6f80a74b1c2", "after": {"disabled_at": "2026-11-29T17:46:56.948Z"}, "action": "key.update", "before": {"disabled_at": null}, "address": null, "user_id": null, "target_id": "01a2286a-ca27-77ad-9965-10f36df856e8", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "disabled", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.954952+00:00", "id": "01a2286a-ca3c-77b1-bcd8-03269f7f83f4", "after": {"name": "archived", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-ca3b-70ee-aaad-699a04f2ad67", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "archived", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.959615+00:00", "id": "01a2286a-ca45-72fc-83fa-b58a4d7e90cd", "after": null, "action": "project.archive", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-ca3b-70ee-aaad-699a04f2ad67", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "archived", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.973917+00:00", "id": "01a2286a-ca4f-7739-be3a-4b842a2461f8", "after": {"name": "workspace 1ec96d00-36b7-42e4-ac9e-56d61720dcfe"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-ca4e-70aa-86d4-66c275370fd5", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 1ec96d00-36b7-42e4-ac9e-56d61720dcfe", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.986275+00:00", "id": "01a2286a-ca5b-7139-9155-a877c02ae603", "after": {"name": "project 74233900-eb7a-40a8-b8eb-7f767528bfec", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-ca5a-72a9-b63f-2a63ef997b61", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project 74233900-eb7a-40a8-b8eb-7f767528bfec", "workspace_id": "01a2286a-ca4e-70aa-86d4-66c275370fd5"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:56.999014+00:00", "id": "01a2286a-ca70-76e5-ad34-a0cdccdc50b7", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-ca67-70bb-bd02-c2d8d55a2a67", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a2286a-ca4e-70aa-86d4-66c275370fd5"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:57.01562+00:00", "id": "01a2286a-ca7a-74dd-bfb6-d90119ac5bee", "after": {"name": "workspace a34e8f29-c1ce-43e0-a779-bd062c062910"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-ca78-756f-b45f-15c3f2ed1038", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace a34e8f29-c1ce-43e0-a779-bd062c062910", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:57.037693+00:00", "id": "01a2286a-ca92-74f9-afcf-aa388420e833", "after": {"name": "project 11e2e9a4-b29d-43bd-993e-872c0db9f559", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-ca8d-70f9-9d92-ef7e5f720f73", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project 11e2e9a4-b29d-43bd-993e-872c0db9f559", "workspace_id": "01a2286a-ca78-756f-b45f-15c3f2ed1038"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:57.058195+00:00", "id": "01a2286a-cab2-703a-8ec8-ba2da9873f15", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-caa7-73b5-ad75-a7f5e2f9da7c", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a2286a-ca78-756f-b45f-15c3f2ed1038"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:57.089913+00:00", "id": "01a2286a-cac7-77f0-8d0c-fe2599ab31e1", "after": {"suspension_reason": "unpaid"}, "action": "workspace.suspend", "before": {"suspension_reason": null}, "address": null, "user_id": null, "target_id": "01a2286a-ca4e-70aa-86d4-66c275370fd5", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 1ec96d00-36b7-42e4-ac9e-56d61720dcfe", "workspace_id": "01a2286a-ca4e-70aa-86d4-66c275370fd5"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:57.10275+00:00", "id": "01a2286a-cad8-7704-87c6-e8fc62b557c4", "after": null, "action": "workspace.close", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-ca78-756f-b45f-15c3f2ed1038", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace a34e8f29-c1ce-43e0-a779-bd062c062910", "workspace_id": "01a2286a-ca78-756f-b45f-15c3f2ed1038"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:57.132549+00:00", "id": "01a2286a-cb03-72f6-855a-d12886200290", "after": null, "action": "member.remove", "before": {"role": "viewer"}, "address": null, "user_id": null, "target_id": "01a2286a-cae1-775b-8052-87b128c7007b", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "member", "target_name": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:57.165203+00:00", "id": "01a2286a-cb1e-742f-9957-c279dbe2f6f5", "after": null, "action": "user.erase", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-cae1-775b-8052-87b128c7007b", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "user", "target_name": null, "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:57.185064+00:00", "id": "01a2286a-cb22-7233-b999-4f055f50f422", "after": {"name": "long ago"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-cb21-71e8-b8bc-66fdae1a8e0d", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "long ago", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:57.203483+00:00", "id": "01a2286a-cb37-70c0-9050-5e7606a59508", "after": {"events": 1, "position": "1", "chain_sha256": "a469f77970f23290518127717b690bc12d5c281bd11099f16481be00716a0033"}, "action": "audit.drop", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-cb21-71e8-b8bc-66fdae1a8e0d", "actor_kind": "job", "actor_name": "retention", "request_id": null, "target_kind": "audit_chain", "target_name": null, "workspace_id": "01a2286a-cb21-71e8-b8bc-66fdae1a8e0d"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:57.731614+00:00", "id": "01a2286a-cd47-74d5-a438-425d646af2f8", "after": {"name": "archived"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-cd45-736e-8cff-453b2df579d1", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "archived", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:57.75596+00:00", "id": "01a2286a-cd5e-74f2-83cf-264edd77b39c", "after": {"url": "https://one.gateway.example"}, "action": "cell.create", "before": null, "address": null, "user_id": null, "target_id": "01", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "cell", "target_name": null, "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T17:46:57.763353+00:00", "id": "01a2286a-cd67-75be-b0a9-e2dbc3a56ed3", "after": {"name": "moved"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a2286a-cd63-70cb-9ba8-e3c15608f1e4", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "moved", "workspace_id": null}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c4e5-760e-aac0-740ab7c864fa", "position": 1, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xbd62e9873673869e4c07ce166dc61cc4c8054883d4bd1b398fb15dfcf696c63d", "event_sha256": "\\x49c99e84f97c9e9f69acaddd99f3cac9cc5bacd2e0161efb4366ed4f9151f25e"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-ca7a-74dd-bfb6-d90119ac5bee", "position": 10, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x80c7c84147e8013d4887481c01bdf0f47baffc06b488bad8a6a084ae414b2cf2", "event_sha256": "\\x1a220c7c0da3fd97c13c707ced468b3ecf48a55e8c0afc8532a8a191d5253326"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-cb1e-742f-9957-c279dbe2f6f5", "position": 11, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x032ca8a661825272f8123b8ba0d9179d1943c36b27801683cdbe42951cfc5f4a", "event_sha256": "\\xb916f82211bf991f41c0f879cb4af11b983b244121a0cfe3c41ab3150aba2377"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-cb22-7233-b999-4f055f50f422", "position": 12, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xa84f09ebeb6cdea2dc102eb1ea12f68682c4d8c5987e72f13c0cd840b68b94d2", "event_sha256": "\\x8a9c1829980a2c8f6c314d4b246a6a55bb8c367778daa11c0d5c5ada20305cf7"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-cd47-74d5-a438-425d646af2f8", "position": 13, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x3a7a1a9be784c96fef5af824fbf707ef41681786d80d42c3ee76653ceda5222e", "event_sha256": "\\xa0729c46a34d4ddf3b3652aa5bbcd85c4327a41ae88849fcf979ef96722cb09e"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-cd5e-74f2-83cf-264edd77b39c", "position": 14, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xcaa0e5af02c83b3d6451cc2759b67241622caef317f70fc9d4d2bb2befb413be", "event_sha256": "\\x16d573b063f8e6045ee1e6bc14d244653c75006abe7e29fda7fd1b728044f14e"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-cd67-75be-b0a9-e2dbc3a56ed3", "position": 15, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x0cf7f1c504cd14eb920d70097ba5017f5535c71cf2c14954a809c9be7852259d", "event_sha256": "\\xbdd218ff6251159e7f84bc8a940c133cb483d247213c023c0ad2fc5ea17f7d01"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c68d-7470-ad5d-1dfc6b54c86b", "position": 2, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x5aa4d664162360400ef415cbc78f7af13486cf8c4e64f2f7c3a62827a12d1983", "event_sha256": "\\x7073fe27aaa9d1bd75210ac1c188472d7c6881b2323d505b6b52c5ebb181a218"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c700-771a-974f-385d15990a09", "position": 3, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xdede2919746c6d2977dd52f01b0ecb7b94ae36bd791665bfcbbb250703440cbe", "event_sha256": "\\x054867d2b31afc403099e37dd9f7087c1d6f25d22044836de6b8cfa51fdb0514"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c7a4-71ac-b77d-9978bc705911", "position": 4, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xc14a20d43a980bd3a2ca3b4431c8a5b39495e58e5f5e1dc551c7f54662845c8a", "event_sha256": "\\x842447a045ce282631a40affc1e26db08386ea5bce39a9184a771537575a8e0c"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c7ae-765d-b275-e248e22acaa2", "position": 5, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x0dd32f0d04d83e9db83e18f595cc28fd469a26a54d7e0ff641bdbddbc0a54cec", "event_sha256": "\\xf0e1fab5d2cf2a84d3d763dc06154c66967ce420c159f69fa844d37702952ee8"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c7cd-7412-a15a-4081d1c960b8", "position": 6, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xfea8910919c435a9e612247c878aa0913af12d81870a00082e859f990350834d", "event_sha256": "\\xfb003339543ae35381adf9004dfd75936706675c737048831d2957bae79e23c4"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c830-7391-9934-b703807f1eb5", "position": 7, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xd1423ef63435607e4af2f0572fcd3632387f732bf0e4f5d36a152722008be282", "event_sha256": "\\x64f10cac015ab15cd4167f3af13649d653fac8d18a5543c7eb12fd9fb17721ee"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c842-75a4-985f-56daab420218", "position": 8, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x3bfef0a94782e547249601ac7cff245914684068f987da92c3143a096a0c7805", "event_sha256": "\\x64a7ff0bac89825929fa2c5ae9af3e3e915a6e60c03867c7ce2de5bbedeb904f"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-ca4f-7739-be3a-4b842a2461f8", "position": 9, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x0cdfc9dc8041e74d1937bd9bba5bca9d5cf8232187b598bbf4a239be02b31040", "event_sha256": "\\x7d4aecd05fe7210d50976c8760c1efa53614c77d5cf9cbbf01e613c0ad7a1f42"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c510-75f6-93d8-c519e2fa5bd9", "position": 1, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\xa395ebb574269ce100772ef730c630affceb5b1ea3b3e9a65036c6427b41f4a8", "event_sha256": "\\x8c555d490461c92f42ccbeeba3e94cd057c379a75b82963b3b6c8f17c77196bf"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c7bb-7125-a0d5-5bdc4a5ad53b", "position": 10, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x3a4b5fa26f47b062ceefa666f3f6e166882bdf4a52f7874fe38485677b9e6a06", "event_sha256": "\\x63b987a4651f07bdccd1475928366bfab086c26119b3361b5a442c4a0cdd5480"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c7c6-706a-a8fa-15f6a6418c01", "position": 11, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x3c190e0f3997c3f88e5c337b85142cd03dc5d2e90fc9a37ae9324e1b13e4a2ff", "event_sha256": "\\x0497a2b88f190a8b2a2f5e3fbbbeb6a27d89ee52a8c165f83bb5d4c4e7a1f110"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c7eb-757f-bd08-04526e9b9182", "position": 12, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x216b9e714dbfa6be5fdbf0801f5e35b1153f3b023bdc2305d49b1af993d0483c", "event_sha256": "\\x2787de96ed4cb93ae66355f5f4cac38d031968e1d9f1e9f18afd414e8f86269a"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c7fe-74c6-b6e9-497b60a64759", "position": 13, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\xb3fae3420c90cd1493e691fbb71242c902d4cc4434a984bb7274b363666902a0", "event_sha256": "\\x17d2a91a989260d6bbc677eeb8162e263e3436951d4ec591bcc5dd8e0d1cd9ab"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c809-70b3-b1dd-79cbfc59270a", "position": 14, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\xe6711c7f37386fbfbaec2a9edeed63de854e94c40a2ef95a538fdbba6ab36e8a", "event_sha256": "\\x8ec88890436bfc28ef4021847b82b711fa13e1a2197331ca9d140c091c513406"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c81b-7560-9d3e-ce42784e5830", "position": 15, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x424742b8fc96554934bb4995cee2c60816a847ef9779c4ccdf94d16bb3a0f360", "event_sha256": "\\x3c11afed1a59c4ed8d067f7aa76b1b86157cef20e9dcb052a126936f841d2c43"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c823-7424-ac82-f4812b687fc8", "position": 16, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x9f0afa2573e44e65a7d021de36e4623993da26d80a2f099002560b1b2f30f1bd", "event_sha256": "\\x22c4dd393707d037996418fa52856519a5733af12e59e356930983610a4a1875"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c827-76ff-8095-e0906df84302", "position": 17, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x5882ce9ed723aee36b81f5aef91c9f3af7c519e73c4b8d6d1d01a9659182517e", "event_sha256": "\\xceb9bcde8aef1ec13474a243d7d357d7d81abb06013daad2044e6614ae0b4829"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c82a-75dc-96de-289d88936ddd", "position": 18, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x625b59e9b8092d5ff50d744cf68609abcd4ec9110adc26775daa1f606b49de46", "event_sha256": "\\xa0ece8767171b59be523cb0019acb9c710afdb0b3e149fac384e00ddd3ba05ef"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c83b-7648-b358-9fec3093c478", "position": 19, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\xfd1bb5447b90182e3591f317fec5793cdc393dda832f30698483885631871d4f", "event_sha256": "\\x92741626b25bf6b0d9cc4b036165dc23ebacdacd23f4f3db38eed749cddbd114"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c522-74dc-b216-4c29beb4f020", "position": 2, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\xd875bb837e6cef258f30ee192554ffb6d93176e47a6e9bc1977d7c38270f990d", "event_sha256": "\\x8cc8a2b8d05d61fa5c2729d1bf6e087632a1c3107405f34adefb5099d0ffbfe9"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c847-72f1-b567-53dbc0f3f95c", "position": 20, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x281cd005f051a23b2a98406aa895797cda495c8455fd917197c6bb9a5873af74", "event_sha256": "\\x18b62d2cd2e36e7c9bd95f210af51ed119855e81fa23c9f310def18a6516f159"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c858-73e3-962b-c9aa36692f5b", "position": 21, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\xa6407bf3d8c4f38a8a74c621915abed7feef369fa7d339f6bf69d0857434d5f0", "event_sha256": "\\x3d2e19a3880c7ef52e66606316fcac81637193deaf68415a6372f8263fcfe952"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c86d-7464-8bdc-59b37366b9f1", "position": 22, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x6b42c796260c2ef52c4725a9b2022f6b3fd80dcb8a2793ae9c81d242acf830af", "event_sha256": "\\x25e75d798231c89b265b713d45729d6d069abddfc2e84c284f5fdc66786961c2"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c878-7422-bfa6-eb02d79ff1dd", "position": 23, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x6e40acd58a9c7c3bdf9fd4737c43a6733f3466b300eb774b4a6ca37015a7a9b3", "event_sha256": "\\xbf3a6f1a8473b5903cd36b0b47c1b6c1c8438167e57e68b0dd0103d0baae363a"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c88e-7451-84d4-af23e8eb7f6b", "position": 24, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\xaaf45a02a3e8a074ecf5a3ea980891bdc05469b565d2817392ad1275966b8d4b", "event_sha256": "\\xf0584f1755325d23a40cc41a87934bbf57f56c9e0c05df9d1ce200f45496f399"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c89e-7451-8c5c-807e0e3001b4", "position": 25, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x40380a4727c4274a13b84d02e411f9b4b4b7c0548137d6cc1eef41e7095e0b38", "event_sha256": "\\x54ce9aa819173d9d03d0c01c9f4e943789bb3a21d0aca2f8e986030b4774450f"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c8b3-71e4-9372-0d5087d90df3", "position": 26, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x78a3fa5a708e1a9c1f7f97b772a9f658e59abfeee5a1cb4d090312761ca37cb7", "event_sha256": "\\x0c8f1da91676c4f39a064945424889376d7a1bad4c2fb926a2e3d3223ec94ccd"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c8bf-76a2-ae69-8bc837a7df07", "position": 27, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\xa12552f0bda3fbdff721384144eb0d8678835d2216f1d3f357cb95a803d6a9b2", "event_sha256": "\\xb7fa2188ffec2cd1f5ce661006256f781cff213c247f36ed548c8e2d291a374a"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c8ca-7167-89d1-e0aeb6c338c2", "position": 28, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x088582f076604b9e7625575fcde18ab5e5da9ee9e5a23d5b42539015cb3d6e5f", "event_sha256": "\\xd2a0887ad763dadc1d204e39d5ef74d2f93e1006fb4cdf9f79c9b7fce28f4cce"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c93c-7798-82b1-64a276299dd6", "position": 29, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\xe18d716968159574ffdd8d9f6dc32fbe5cfdbc85f568af43f4751f52f605d255", "event_sha256": "\\xab9a9188a647067a3890ed5ade55d9758f60f6a22036c1c129f76101912aa615"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c530-727b-82ba-606ba2681c01", "position": 3, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\xe1128790b9a2583816ad5ab5ed62b4102a3c0ad03f2097756b4bb4e4af787e8a", "event_sha256": "\\x434c33e6b876d6392d06edf74d03ecb0ab094eda528da2be61e8eb17b486e9eb"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c94e-7291-bf05-ff669741f07e", "position": 30, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x718291a28b5ea9d883c18f633cb1df7d412ceccee1ee70723ba0cd0c322e06c3", "event_sha256": "\\xc492cb01f36df8aacbdac5885a5cbf041db546d48cdb545195ede0e34f6348cf"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c958-75ff-b624-c08ea2d66b4e", "position": 31, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\xce23fed9c64f7db03f38d8c38fdc348a9daff70e6bb7a3fa5b5ceea757e77f09", "event_sha256": "\\x21d825af5c533fa0a24333550dd852e878f3e9bae2f504445ac84ddea19ef7b5"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c993-74d7-94a3-053b89afbd8f", "position": 32, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x79dbfa1620bf8d4b0dd94636f723ddddcfc4e07e2fafdc9a35a6556eec1ab9a6", "event_sha256": "\\x6a0f5833be20e22bdd02680401b1c6a8ab24c3765d447777e70da460c9254f58"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c9a0-7030-adc0-f99cdb1971d9", "position": 33, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x553ac17cdfb13e73f66dec0dc544579821e52fc20961c73e880209759d686c46", "event_sha256": "\\xe14cee03183131a7e7da278486262a0c14da76e75b51ce786d0f99f6f9838e13"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c9b2-7412-9a68-1c0b83c9a1b5", "position": 34, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\xa0b6a9e25e4f55b6a736111c22cd8163bfe9c018b6072aa6e80429c339d52e2c", "event_sha256": "\\xc1565311bca6068b42080e0d3691625e6f06e02916a357934fa703f04a0123d1"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c9c1-7410-8aa6-461eba320a15", "position": 35, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x177b01487ff37452b0748d81602747e03f79e463a9d9edf33122fc506a510191", "event_sha256": "\\xd8ba4f217f91bcc003a73677c1f97a70ef2a50786278cfcae257e461297a67c7"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c9de-708a-a8ef-f7243ffc4399", "position": 36, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\xeac4f6808fdb92a76d5aa61d330ca5ffdf5a07c0ee363a4b1453c6cb36b1cd48", "event_sha256": "\\xac66345cb3fad528d4a97ab10b486475add33a82dd1bfd7557d2903f0575c82f"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c9e6-708e-b94c-950c9b08219a", "position": 37, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x6e49d6c1d7a36a37f25280d00b5ba2e20815cc4cae8bb15a0289811de3edb7df", "event_sha256": "\\x14fbf03a6819fa73dad24e09362c9a64d30dff045eb4b2e8ae3372d413655126"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-ca09-7495-9d4c-206bb58beabc", "position": 38, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\xf26e585f1bd35f27a6cd31e0cf08103ef05647dd5510dbc3c3a298f7465f77e0", "event_sha256": "\\x237475f4a1c5bd20fd799c71790d6d87ae35669de7a4fe9fca362e5ca67822c0"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-ca13-76f7-8183-1269fc976fcc", "position": 39, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\xcbc9e02f5b248a7f4a8a4d9fb2c72ec24522b027ea407e91881119629f80b7d5", "event_sha256": "\\x62a7df468686839154b822f2303a02e4a3241ac4fd8d73ad324893be955fcd2a"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c541-74d6-9a49-b8b2db418577", "position": 4, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\xf36683bda23e30e74b37b7937a489e4706ceb9fe60c355b05c4b418e2fdd0a0b", "event_sha256": "\\x64045858783544af68b613f1afc5b4cd71e8b875b518819318af64be6da58b7f"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-ca25-74ab-8855-90150202b327", "position": 40, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x4c9049aef70dc853fbb26713e8f2ccbb7708c80f33da6c721f2e727dae80dc28", "event_sha256": "\\xa044d9bb57c8b68210ddc6edb141cd7d2bed234c0915ac3011e90a15fd38c7ea"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-ca2d-7728-b336-0ac5f937be67", "position": 41, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x82e315e8ac14d0c4d1c0730e37b2a6ed891c81da63a6861d6be04256354241ef", "event_sha256": "\\xc22bc9397ddd4cdca34dd680c89a31988c40186bce65a9add68425516d5a5da4"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-ca34-70a2-a49b-b6f80a74b1c2", "position": 42, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x8b176964fc87b3b85913239a4fd2b8006746f3c2b4f15a5c86e2c4f762a2402a", "event_sha256": "\\x31b23dcc12a1b3116f6cc5e58cd561d8d439de5dc8ee659995b5de48d96837d1"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-ca3c-77b1-bcd8-03269f7f83f4", "position": 43, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\xc6bb2e3df8dfc771b242ce069e7c251ddf1f5b7418bad134b621b6bec1740606", "event_sha256": "\\xf68fcd2e7e25a1e7728fd0fc31531d6fc6ee2e6db1c8a409788dac21977aa7b2"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-ca45-72fc-83fa-b58a4d7e90cd", "position": 44, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\xddbe4ad3c5f9dfcc23899bd2eeed5a83063f316898d8c09c119d89563c1621dc", "event_sha256": "\\x0b30e276a283e3aa354ed80e743d624507a4faf295e29d16d7ba136e7876fa45"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-cb03-72f6-855a-d12886200290", "position": 45, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x42314b70e108124ea05e423b615e48e7bb47ce8e1bc7a055b48008a9e3299fb5", "event_sha256": "\\x86b6bc04b9065808868c46f4d9d1cac33424b46ca71a61ece036c93198445a32"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c54e-720d-9785-d79fd9af0118", "position": 5, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x64b69ca0093afe5e5abbd0357d7012302e2a0316da11beaefbbb9c348ae85bff", "event_sha256": "\\x4d884842d96a54e6a68bc96e21af47225c973fe84f02c8a2001c9c2631121bb2"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c67d-75e1-8246-306742d41b01", "position": 6, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x537b8bd39a1f8842a594ec856338045a99a307e55deb253e8211c7a7cdba6bb4", "event_sha256": "\\x008ae54e044556a1904901084343c282f86400b1621deae5d44b72bb4f5bfe4c"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c6cd-7722-8026-7a55fed25910", "position": 7, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\xef0790f2df744a969cae0129d7cfbaf9cb4358f691966b4fc0733317518177cb", "event_sha256": "\\x79dfa14141c8033b29313fb0afae50ef2314b5cacb8644881077de93df563edd"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c6fa-726a-837b-14c6fff0c8d1", "position": 8, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x43fbfc60039403f3a847c4305304a15bea644b360cd925c92d15711cd398d942", "event_sha256": "\\xd22bb0140756709b8015eb698184f016ba53afe355c6f5ca7ac76841e93b6cca"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c708-77c2-b3e3-68da4e2ff284", "position": 9, "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "chain_sha256": "\\x97c573c1162314c572008ce08a4142aad91f7a078601f6eccd260cfb431a2438", "event_sha256": "\\xbb74f212c6833307cda999f515a7281b71486152c229240100c6d01a573f7d06"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c6a1-707b-a2be-3515e5f2853f", "position": 1, "scope_id": "01a2286a-c68c-71bc-add3-7211d993f34f", "chain_sha256": "\\x6ae19630dd69567a0d6126d7192702a433c674ff4948bb15aff3448630ee5781", "event_sha256": "\\xec24d1bcb4ccac7e14e7d3f2a92b89148d3fb6c10f01b1cc4a4659daf272e0db"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c6ab-74b7-8bb8-584e0dcfc36c", "position": 2, "scope_id": "01a2286a-c68c-71bc-add3-7211d993f34f", "chain_sha256": "\\x3187dabf0a57bf114c725939c920eeb0b5e41cc376ed870840b495eb12444246", "event_sha256": "\\x6573746a26f9af6b8c54b8746854f4da02f0d88d485ce8f62f452830c8f47f05"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c6b4-77d0-b01d-5887003c477c", "position": 3, "scope_id": "01a2286a-c68c-71bc-add3-7211d993f34f", "chain_sha256": "\\xb59a0456c7177cb99eb5c23d6a453a93b2644aafe35781cd30259e3ab55abab5", "event_sha256": "\\xcb78eb0c8934355fe96d5c34f596f0acd9fc054f5f7ec5e8befe4bb5e54cc68d"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-c6c0-7089-a7f3-93e2843d88a1", "position": 4, "scope_id": "01a2286a-c68c-71bc-add3-7211d993f34f", "chain_sha256": "\\x7d0a72bc0c0b19aafc207ef93a75b84f9a82d00f63114fbb12963a51ed527c3e", "event_sha256": "\\xf037dd165e01b656e96451535fe70e1cad63809295e5cfc03ec57bf26c9d3b28"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-ca5b-7139-9155-a877c02ae603", "position": 1, "scope_id": "01a2286a-ca4e-70aa-86d4-66c275370fd5", "chain_sha256": "\\x73179a836ea7abb38609c37f52d07eca2a5ca6983f1894c9e2bb79fd141a78eb", "event_sha256": "\\x40db03ca4573d39ccfcbc40131466b944c49f464c9eeb36035272c4c443c4650"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-ca70-76e5-ad34-a0cdccdc50b7", "position": 2, "scope_id": "01a2286a-ca4e-70aa-86d4-66c275370fd5", "chain_sha256": "\\xe69cd526d980a2a508b7493baadf73aa711d7cd6c7047eb059dae1220c9fa0a2", "event_sha256": "\\xe8767fb523e8dff942db9a4a3784d17b93d0e30858ce3b6aa0ad26c0c446249a"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-cac7-77f0-8d0c-fe2599ab31e1", "position": 3, "scope_id": "01a2286a-ca4e-70aa-86d4-66c275370fd5", "chain_sha256": "\\x55326ab45cefcc3b82fd53e66efe7a378acc465f6f5b910f9fba2790b082aa21", "event_sha256": "\\xaa1db883c4db7e5e96bbafe244816ee1d3f9cb49f74236add22e397b4cc8ad4d"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-ca92-74f9-afcf-aa388420e833", "position": 1, "scope_id": "01a2286a-ca78-756f-b45f-15c3f2ed1038", "chain_sha256": "\\xd46e38a55eb0de6ace0cf6868b17cadf6ee7a1fbec7a52bc06ed95fb13e5844e", "event_sha256": "\\xdc174675d8b8e43c3e8664423b1b88b38bdc6e3757c99b7c30bc9e6414d4407c"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-cab2-703a-8ec8-ba2da9873f15", "position": 2, "scope_id": "01a2286a-ca78-756f-b45f-15c3f2ed1038", "chain_sha256": "\\xf446da84a672db92581c9af335e41193030ab833017af6197b9f8736181afa45", "event_sha256": "\\xf58bd868995892c7ba2820734631bfc1585fe2e61bb9471bf9fb082499d749fd"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-cad8-7704-87c6-e8fc62b557c4", "position": 3, "scope_id": "01a2286a-ca78-756f-b45f-15c3f2ed1038", "chain_sha256": "\\x766dabe9503b5938b86fd190cac326c707b12728b972e0f4a9b5b1fe6570addf", "event_sha256": "\\xa6d4ff989a42d8224b0295c530def147ec1712379bd8987815f537e739616c2c"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "7c5009ac-09c6-4ff3-adcd-690521bf9ca6", "position": 1, "scope_id": "01a2286a-cb21-71e8-b8bc-66fdae1a8e0d", "chain_sha256": "\\xa469f77970f23290518127717b690bc12d5c281bd11099f16481be00716a0033", "event_sha256": "\\xdbafe5131e82a909ee7a9d28707f106a325a5a0ad78ddbd942aa82d57c080ae6"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2286a-cb37-70c0-9050-5e7606a59508", "position": 2, "scope_id": "01a2286a-cb21-71e8-b8bc-66fdae1a8e0d", "chain_sha256": "\\x3bbdcd94f90bba1bf2ddfb6062486aece953c86c0740a2709472e396b2e200b7", "event_sha256": "\\x33263a6b708793b45536554cd2b218bdcb748b360a180f747e8eb31597fbb3fe"}');
insert into authenticators overriding system value select * from jsonb_populate_record(null::authenticators, '{"secret": null, "user_id": "01a2286a-c786-77a7-a1a5-fb2947da4e03", "last_step": 59865813, "created_at": "2026-11-29T17:46:56.282563+00:00", "confirmed_at": "2026-11-29T17:46:56.288715+00:00", "encrypted_secret": "\\x015119ceb9d1e84557a53ce4195bc28ed2e99b8877895584eb0174a72ed1c6f4d41f6610acd191d0d50ab11edc57f92f423171bdafd9b45ea7ebd2d097a2246891"}');
insert into cancelled_claims overriding system value select * from jsonb_populate_record(null::cancelled_claims, '{"request_id": "01a2286a-c734-74c5-a56e-f4c9b47d45fa", "cancelled_at": "2026-11-29T17:46:56.183476+00:00"}');
insert into cost_versions overriding system value select * from jsonb_populate_record(null::cost_versions, '{"fees": null, "model": "sandbox/slow", "input_to": null, "provider": "sandbox", "created_at": "2026-11-29T17:46:55.544828+00:00", "input_from": 0, "input_rate": 250000000, "retired_at": "2026-11-29T17:46:55.57886+00:00", "output_rate": 2000000000, "service_tiers": null, "upstream_model": "slow", "audio_input_rate": 250000000, "audio_output_rate": 2000000000, "cached_input_rate": 250000000, "cache_write_1h_rate": 250000000, "cache_write_5m_rate": 250000000}');
insert into cost_versions overriding system value select * from jsonb_populate_record(null::cost_versions, '{"fees": null, "model": "small-chat", "input_to": null, "provider": "local", "created_at": "2026-11-29T17:46:55.544828+00:00", "input_from": 0, "input_rate": 250000000, "retired_at": null, "output_rate": 2000000000, "service_tiers": {"flex": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}}, "upstream_model": "qwen3", "audio_input_rate": 250000000, "audio_output_rate": 2000000000, "cached_input_rate": 250000000, "cache_write_1h_rate": 250000000, "cache_write_5m_rate": 250000000}');
insert into creations overriding system value select * from jsonb_populate_record(null::creations, '{"kind": "key", "once": "first", "scope_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "target_id": "01a2286a-ca27-77ad-9965-10f36df856e8", "created_at": "2026-11-29T17:46:56.935373+00:00", "request_sha256": "\\xccb7993eec3b32ded47bb9eea1850c7b200f7ed03e5ab6b22520f55da8aa81da"}');
insert into data_keys overriding system value select * from jsonb_populate_record(null::data_keys, '{"id": "5119ceb9-d1e8-4557-a53c-e4195bc28ed2", "lost_at": null, "wrapped": "\\x015119ceb9d1e84557a53ce4195bc28ed245116115e6b815edc5c5c6470bda7d5cf0460b92c5ea98fc37d20f1a74eb276a48da49d404e6d170dbce305a417ae65348306cac4cf1220f5132e344", "created_at": "2026-11-29T17:46:56.200308+00:00", "wrapped_by": "ad0dec1b0f53896f"}');
insert into database_shard overriding system value select * from jsonb_populate_record(null::database_shard, '{"shard": "00", "is_only": true}');
insert into directories overriding system value select * from jsonb_populate_record(null::directories, '{"last_four": "eArr", "created_at": "2026-11-29T17:46:56.452459+00:00", "created_by": "test", "last_used_at": "2026-11-29T17:46:56.461466+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "secret_sha256": "\\x0784fcdb5d716fb0271cf741d3888147bad83d385535917e09f7388b8409ecf4"}');
insert into directory_groups overriding system value select * from jsonb_populate_record(null::directory_groups, '{"id": "01a2286a-c869-766c-b742-762360429b78", "changed_at": "2026-11-29T17:46:56.485956+00:00", "created_at": "2026-11-29T17:46:56.485956+00:00", "external_id": "2", "display_name": "engineers", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into directory_users overriding system value select * from jsonb_populate_record(null::directory_users, '{"id": "01a2286a-c857-7431-9097-15f1b799b827", "active": true, "user_id": "01a2286a-c856-7040-8bd9-8671a1bb95a0", "user_name": "ada@company.example", "changed_at": "2026-11-29T17:46:56.463217+00:00", "created_at": "2026-11-29T17:46:56.463217+00:00", "given_name": "Ada", "external_id": "1", "family_name": "Lovelace", "display_name": "Ada", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into directory_users overriding system value select * from jsonb_populate_record(null::directory_users, '{"id": "01a2286a-c88c-7250-9c6c-e4b3069738d0", "active": false, "user_id": "01a2286a-c887-70a0-8c62-49043a6240db", "user_name": "left@company.example", "changed_at": "2026-11-29T17:46:56.511208+00:00", "created_at": "2026-11-29T17:46:56.511208+00:00", "given_name": "Ada", "external_id": null, "family_name": "Lovelace", "display_name": "Ada", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into directory_group_members overriding system value select * from jsonb_populate_record(null::directory_group_members, '{"group_id": "01a2286a-c869-766c-b742-762360429b78", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "directory_user_id": "01a2286a-c857-7431-9097-15f1b799b827"}');
insert into directory_leavers overriding system value select * from jsonb_populate_record(null::directory_leavers, '{"left_at": "2026-11-29T17:46:56.511208+00:00", "user_id": "01a2286a-c887-70a0-8c62-49043a6240db", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a2286a-c50e-7553-a5ab-e0840e445912", "name": "project 73514fc3-2174-4648-8859-e40b222e9f27", "models": ["small-chat"], "version": 1, "created_at": "2026-11-29T17:46:55.629606+00:00", "archived_at": null, "concurrency": 4, "raised_until": null, "reports_cost": true, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "budget_period": "month", "budget_nano_usd": 3000000000, "end_user_period": "month", "member_keys_max": 5, "model_when_spent": null, "tokens_per_minute": 100000, "requests_per_minute": 60, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": 2500000000}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a2286a-c9b0-7223-9f3a-00f13b82082f", "name": "raised", "models": null, "version": 2, "created_at": "2026-11-29T17:46:56.815363+00:00", "archived_at": null, "concurrency": null, "raised_until": "2099-01-01T00:00:00+00:00", "reports_cost": false, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "budget_period": "month", "budget_nano_usd": 500000000, "end_user_period": "month", "member_keys_max": null, "model_when_spent": "small-chat", "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": 900000000, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a2286a-c9dc-71ec-acba-a03d3e58dde6", "name": "serves many", "models": null, "version": 1, "created_at": "2026-11-29T17:46:56.85973+00:00", "archived_at": null, "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": 100000000, "end_user_limit_nano_usd": 200000000, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a2286a-ca3b-70ee-aaad-699a04f2ad67", "name": "archived", "models": null, "version": 2, "created_at": "2026-11-29T17:46:56.954952+00:00", "archived_at": "2026-11-29T17:46:56.959615+00:00", "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a2286a-c69f-76b3-b871-e0e6dbad7c75", "name": "project fae09c96-037c-4382-a978-9c075d3bda20", "models": null, "version": 1, "created_at": "2026-11-29T17:46:56.031238+00:00", "archived_at": null, "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a2286a-ca5a-72a9-b63f-2a63ef997b61", "name": "project 74233900-eb7a-40a8-b8eb-7f767528bfec", "models": null, "version": 1, "created_at": "2026-11-29T17:46:56.986275+00:00", "archived_at": null, "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a2286a-ca4e-70aa-86d4-66c275370fd5", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a2286a-ca8d-70f9-9d92-ef7e5f720f73", "name": "project 11e2e9a4-b29d-43bd-993e-872c0db9f559", "models": null, "version": 1, "created_at": "2026-11-29T17:46:57.037693+00:00", "archived_at": null, "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a2286a-ca78-756f-b45f-15c3f2ed1038", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into end_user_limits overriding system value select * from jsonb_populate_record(null::end_user_limits, '{"id": "112b7d25-231c-1918-ee90-5820b8842918", "name": "a", "created_at": "2026-11-29T17:46:56.896345+00:00", "project_id": "01a2286a-c9dc-71ec-acba-a03d3e58dde6", "raised_until": "2099-01-01T00:00:00+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "limit_nano_usd": 300000000, "raised_limit_nano_usd": 900000000}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883215668914946060, "fenced_at": "2026-11-29T17:46:55.76582+00:00", "reaped_at": "2026-11-29T17:46:55.766506+00:00", "started_at": "2026-11-29T17:46:55.698349+00:00", "timeout_ms": 30000, "instance_id": "12965e68-8ff1-4cd9-a475-ddaa07b2bc39", "heartbeat_at": "2026-11-29T17:46:55.698349+00:00", "process_name": "test", "leases_in_use": null}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883215668990443535, "fenced_at": null, "reaped_at": null, "started_at": "2026-11-29T17:46:55.770242+00:00", "timeout_ms": 30000, "instance_id": "336207f3-6adf-4709-9984-fde11fa884dd", "heartbeat_at": "2026-11-29T17:46:55.785425+00:00", "process_name": "test", "leases_in_use": {"1883215668797505540": "40000001", "1883215668941160461": "40000001", "1883215668948500494": "40000001"}}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883215669038678032, "fenced_at": "2026-11-29T17:46:55.825787+00:00", "reaped_at": "2026-11-29T17:46:55.826218+00:00", "started_at": "2026-11-29T17:46:55.815819+00:00", "timeout_ms": 30000, "instance_id": "079ab5d2-7acd-440c-a315-f8dec8e04506", "heartbeat_at": "2026-11-29T17:46:55.815819+00:00", "process_name": "test", "leases_in_use": null}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883215669394145298, "fenced_at": null, "reaped_at": null, "started_at": "2026-11-29T17:46:56.154785+00:00", "timeout_ms": 30000, "instance_id": "c17f970c-3c93-4002-a30b-f42a9677a6b9", "heartbeat_at": "2026-11-29T17:46:56.154785+00:00", "process_name": "test", "leases_in_use": null}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883215670005465108, "fenced_at": "2026-11-29T17:46:56.765711+00:00", "reaped_at": "2026-11-29T17:46:56.767466+00:00", "started_at": "2026-11-29T17:46:56.737844+00:00", "timeout_ms": 30000, "instance_id": "ee7d58a6-7d12-486c-8bba-2185c3ee3887", "heartbeat_at": "2026-11-29T17:46:56.737844+00:00", "process_name": "test", "leases_in_use": null}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883215670145974295, "fenced_at": "2026-11-29T17:46:56.893477+00:00", "reaped_at": "2026-11-29T17:46:56.89409+00:00", "started_at": "2026-11-29T17:46:56.872428+00:00", "timeout_ms": 30000, "instance_id": "283adcba-58c4-4567-9d0c-121f893a22c2", "heartbeat_at": "2026-11-29T17:46:56.872428+00:00", "process_name": "test", "leases_in_use": null}');
insert into expiring_grants overriding system value select * from jsonb_populate_record(null::expiring_grants, '{"ended_at": null, "given_at": "2026-11-29T17:46:55.987479+00:00", "looked_at": null, "expires_at": "2026-12-29T17:46:55.982+00:00", "posting_id": "01a2286a-c66e-72e9-adad-0d9a416ea507", "recurring_id": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "rest_nano_usd": 30000000, "other_nano_usd": 0, "amount_nano_usd": 30000000, "expired_nano_usd": 0}');
insert into expiring_grants overriding system value select * from jsonb_populate_record(null::expiring_grants, '{"ended_at": null, "given_at": "2026-11-29T17:46:56.002185+00:00", "looked_at": null, "expires_at": "2026-12-01T00:00:00+00:00", "posting_id": "0f5b49ca-7ce4-4c91-8ab2-a8a42a0b8e1d", "recurring_id": "01a2286a-c678-70c1-ae1c-80a808c09f85", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "rest_nano_usd": 10000000, "other_nano_usd": 0, "amount_nano_usd": 10000000, "expired_nano_usd": 0}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2286a-c518-71b5-a55f-1b220ff87127", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "MSru", "public_id": "00YYQyXeIiJ4dN", "created_at": "2026-11-29T17:46:55.640552+00:00", "created_by": null, "expires_at": null, "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "secret_sha256": "\\x3b06c9e023c93bfee827fc17a2a9bfe6c72776fc5c62cfd8add570222ad2a1d5", "allowed_networks": ["10.0.0.0/8"], "spend_limit_nano_usd": 2000000000, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2286a-c953-7262-a4cf-f8533212636c", "kind": "api", "name": "of a member", "models": null, "version": 2, "metadata": {}, "last_four": "64fK", "public_id": "00VDXw8ayw0Z5E", "created_at": "2026-11-29T17:46:56.723141+00:00", "created_by": "f8ab0866-980d-4627-ae66-f596f25dd494", "expires_at": null, "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "secret_sha256": "\\xd32f8889f8406a3c5fc79fb7cbb197de8ae967309f7f16c3453615e476b08db9", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2286a-c986-7582-b7cb-67a871d9345a", "kind": "api", "name": "raised", "models": null, "version": 2, "metadata": {}, "last_four": "tQ9x", "public_id": "00A0WyvSnQS8NC", "created_at": "2026-11-29T17:46:56.774713+00:00", "created_by": null, "expires_at": null, "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "revoked_at": null, "disabled_at": null, "raised_until": "2099-01-01T00:00:00+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "secret_sha256": "\\x0c7abc59ea4b7b858f90ec76e1f9e4e5599d1429737c788c356aed956b9cd60e", "allowed_networks": null, "spend_limit_nano_usd": 500000000, "raised_limit_nano_usd": 900000000}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2286a-c9e1-77e4-8d90-db339007a1f8", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "iCdX", "public_id": "000nxFPB5tRLKE", "created_at": "2026-11-29T17:46:56.865643+00:00", "created_by": null, "expires_at": null, "project_id": "01a2286a-c9dc-71ec-acba-a03d3e58dde6", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "secret_sha256": "\\x568245f9e19fd19859f4afd37f3ff8abe366c08213110c2fca6a3b5733c7bbcc", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2286a-ca0e-73f8-a13b-5a104d49bfa8", "kind": "api", "name": "rotated", "models": null, "version": 2, "metadata": {"team": "search"}, "last_four": "ZTG0", "public_id": "00uDooBjgjium1", "created_at": "2026-11-29T17:46:56.910652+00:00", "created_by": null, "expires_at": null, "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "secret_sha256": "\\xc83de5bd6772732800ab7210f3afd969d4647ec54ea2c26fae84f4f42b945349", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2286a-ca27-77ad-9965-10f36df856e8", "kind": "api", "name": "disabled", "models": null, "version": 2, "metadata": {}, "last_four": "1Ae6", "public_id": "00CpqlgjL5Kiyt", "created_at": "2026-11-29T17:46:56.935373+00:00", "created_by": null, "expires_at": null, "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "revoked_at": null, "disabled_at": "2026-11-29T17:46:56.948+00:00", "raised_until": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "secret_sha256": "\\x8199c8907562ca25dd4166950486ef073a1ea7dac32d9743a4a172271f5bfb3c", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2286a-c6a6-7324-8925-4a5594629304", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "hu6u", "public_id": "00wGqQjhtU8mDu", "created_at": "2026-11-29T17:46:56.037971+00:00", "created_by": null, "expires_at": null, "project_id": "01a2286a-c69f-76b3-b871-e0e6dbad7c75", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f", "secret_sha256": "\\xd3f740d11b040a65d9e5b7d42b5906dd17fa0b44335b789d263d62b6da792c50", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2286a-c6af-771b-986c-c3f91aa32a30", "kind": "api", "name": "revoked", "models": null, "version": 2, "metadata": {}, "last_four": "QUi6", "public_id": "00rUtarC6m4mFR", "created_at": "2026-11-29T17:46:56.046868+00:00", "created_by": null, "expires_at": null, "project_id": "01a2286a-c69f-76b3-b871-e0e6dbad7c75", "revoked_at": "2026-11-29T17:46:56.054803+00:00", "disabled_at": null, "raised_until": null, "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f", "secret_sha256": "\\x31513ca4aa00e3123c52cbae90d6077f20356dae0dd42e246bd34765ae4e6bf9", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2286a-ca67-70bb-bd02-c2d8d55a2a67", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "qvND", "public_id": "00RD9BMTafME4F", "created_at": "2026-11-29T17:46:56.999014+00:00", "created_by": null, "expires_at": null, "project_id": "01a2286a-ca5a-72a9-b63f-2a63ef997b61", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a2286a-ca4e-70aa-86d4-66c275370fd5", "secret_sha256": "\\x08caae9fc0dbd97a3c5d3d420675fc54d3ba10e5684552261b2737fb10c9c150", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2286a-caa7-73b5-ad75-a7f5e2f9da7c", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "YnFL", "public_id": "000OhVoFUz1NR4", "created_at": "2026-11-29T17:46:57.058195+00:00", "created_by": null, "expires_at": null, "project_id": "01a2286a-ca8d-70f9-9d92-ef7e5f720f73", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a2286a-ca78-756f-b45f-15c3f2ed1038", "secret_sha256": "\\x06c20014ce800c27a17ebdd2d0b035e0158042fe654d4b8e51a3d5cc96f0fc93", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into former_secrets overriding system value select * from jsonb_populate_record(null::former_secrets, '{"key_id": "01a2286a-ca0e-73f8-a13b-5a104d49bfa8", "last_four": "58JO", "public_id": "00S7dZlehHdWaX", "expires_at": "2026-12-29T17:46:56.91694+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "secret_sha256": "\\x8e7aa8edfd903abc2739b0ed28230e73d1382f77121c7bb3359becdab4aaf7b1"}');
insert into free_answers overriding system value select * from jsonb_populate_record(null::free_answers, '{"hour": "2026-11-29T17:00:00+00:00", "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "cost_nano_usd": 7}');
insert into grant_counts overriding system value select * from jsonb_populate_record(null::grant_counts, '{"workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "other_nano_usd": 0, "charged_nano_usd": 60000001}');
insert into idempotent_requests overriding system value select * from jsonb_populate_record(null::idempotent_requests, '{"answer": "\\x616e20616e73776572", "key_id": "01a2286a-c518-71b5-a55f-1b220ff87127", "epoch_id": 1883215669394145298, "claimed_at": "2026-11-29T17:46:56.164295+00:00", "request_id": "01a2286a-c724-72fb-9926-59381a4b8fa9", "body_sha256": "\\x612068617368", "completed_at": "2026-11-29T17:46:56.178123+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "idempotency_key": "it is done", "superseded_request_id": null}');
insert into idempotent_requests overriding system value select * from jsonb_populate_record(null::idempotent_requests, '{"answer": null, "key_id": "01a2286a-c518-71b5-a55f-1b220ff87127", "epoch_id": 1883215669394145298, "claimed_at": "2026-11-29T17:46:56.159699+00:00", "request_id": "01a2286a-c71f-7211-bc6b-23605948009c", "body_sha256": "\\x612068617368", "completed_at": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "idempotency_key": "it runs", "superseded_request_id": null}');
insert into invitations overriding system value select * from jsonb_populate_record(null::invitations, '{"id": "01a2286a-c7c0-7105-9193-effe03f9a547", "role": "member", "email": "new@example.com", "key_id": null, "mailed": false, "batch_id": null, "created_at": "2026-11-29T17:46:56.320136+00:00", "expires_at": "2026-12-06T17:46:56.320136+00:00", "invited_by": null, "revoked_at": null, "accepted_at": null, "accepted_by": null, "token_sha256": "\\x350fdef99d93e971777db1dd62d3cf175b2ced5b7b85983a2e264192e36bf521", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "invited_by_token": null, "monthly_limit_nano_usd": null}');
insert into invitations overriding system value select * from jsonb_populate_record(null::invitations, '{"id": "01a2286a-c7fb-76c0-9bcb-9c7d8c00bd93", "role": "viewer", "email": "third@example.com", "key_id": null, "mailed": false, "batch_id": null, "created_at": "2026-11-29T17:46:56.379586+00:00", "expires_at": "2026-12-06T17:46:56.379586+00:00", "invited_by": "01a2286a-c7d7-7123-8031-c3074dbb126f", "revoked_at": null, "accepted_at": null, "accepted_by": null, "token_sha256": "\\x18610aacc09bd121ab2894e767d0869fa8bcf1f798b059da83c747413030291b", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "invited_by_token": "01a2286a-c7e9-7746-b5aa-04f7b28e20e5", "monthly_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883215668797505540, "kind": "credit", "mode": "wet", "shut": false, "period": "never", "project_id": null, "subject_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "owed_nano_usd": 0, "limit_nano_usd": 15330000000, "spent_nano_usd": 70000000, "leased_nano_usd": 30000001, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883215668941160461, "kind": "project", "mode": "wet", "shut": false, "period": "month", "project_id": null, "subject_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "owed_nano_usd": 0, "limit_nano_usd": 3000000000, "spent_nano_usd": 50000000, "leased_nano_usd": 30000001, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883215668948500494, "kind": "key", "mode": "wet", "shut": false, "period": "month", "project_id": null, "subject_id": "01a2286a-c518-71b5-a55f-1b220ff87127", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "owed_nano_usd": 0, "limit_nano_usd": 2000000000, "spent_nano_usd": 30000000, "leased_nano_usd": 30000001, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883215669245247505, "kind": "credit", "mode": "wet", "shut": false, "period": "never", "project_id": null, "subject_id": "01a2286a-c68c-71bc-add3-7211d993f34f", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f", "owed_nano_usd": 20000000, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883215670000222227, "kind": "member", "mode": "wet", "shut": false, "period": "month", "project_id": null, "subject_id": "db215d2c-aafd-471b-a552-17c0d7919a0e", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "owed_nano_usd": 0, "limit_nano_usd": 500000000, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883215670020145173, "kind": "key", "mode": "wet", "shut": false, "period": "month", "project_id": null, "subject_id": "01a2286a-c953-7262-a4cf-f8533212636c", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "owed_nano_usd": 0, "limit_nano_usd": null, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883215670109274134, "kind": "project", "mode": "wet", "shut": false, "period": "month", "project_id": null, "subject_id": "01a2286a-c9b0-7223-9f3a-00f13b82082f", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": "2099-01-01T00:00:00+00:00", "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "owed_nano_usd": 0, "limit_nano_usd": 500000000, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": 900000000}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883215670150168600, "kind": "project", "mode": "wet", "shut": false, "period": "month", "project_id": null, "subject_id": "01a2286a-c9dc-71ec-acba-a03d3e58dde6", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "owed_nano_usd": 0, "limit_nano_usd": null, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883215670153314329, "kind": "key", "mode": "wet", "shut": false, "period": "month", "project_id": null, "subject_id": "01a2286a-c9e1-77e4-8d90-db339007a1f8", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "owed_nano_usd": 0, "limit_nano_usd": null, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883215670159605786, "kind": "end_user", "mode": "wet", "shut": false, "period": "month", "project_id": "01a2286a-c9dc-71ec-acba-a03d3e58dde6", "subject_id": "112b7d25-231c-1918-ee90-5820b8842918", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "owed_nano_usd": 0, "limit_nano_usd": 200000000, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883215670163800091, "kind": "session", "mode": "wet", "shut": false, "period": "month", "project_id": "01a2286a-c9dc-71ec-acba-a03d3e58dde6", "subject_id": "a42bd253-a30a-f440-d887-48323c2fef48", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "owed_nano_usd": 0, "limit_nano_usd": 100000000, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883215670252929052, "kind": "credit", "mode": "wet", "shut": false, "period": "never", "project_id": null, "subject_id": "01a2286a-ca4e-70aa-86d4-66c275370fd5", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a2286a-ca4e-70aa-86d4-66c275370fd5", "owed_nano_usd": 0, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883215670298017821, "kind": "credit", "mode": "wet", "shut": false, "period": "never", "project_id": null, "subject_id": "01a2286a-ca78-756f-b45f-15c3f2ed1038", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a2286a-ca78-756f-b45f-15c3f2ed1038", "owed_nano_usd": 0, "limit_nano_usd": 10000000, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883215670474178590, "kind": "credit", "mode": "wet", "shut": false, "period": "never", "project_id": null, "subject_id": "01a2286a-cb21-71e8-b8bc-66fdae1a8e0d", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a2286a-cb21-71e8-b8bc-66fdae1a8e0d", "owed_nano_usd": 0, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883215671049846815, "kind": "credit", "mode": "wet", "shut": false, "period": "never", "project_id": null, "subject_id": "01a2286a-cd45-736e-8cff-453b2df579d1", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a2286a-cd45-736e-8cff-453b2df579d1", "owed_nano_usd": 0, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883215671081304096, "kind": "credit", "mode": "wet", "shut": false, "period": "never", "project_id": null, "subject_id": "01a2286a-cd63-70cb-9ba8-e3c15608f1e4", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a2286a-cd63-70cb-9ba8-e3c15608f1e4", "owed_nano_usd": 0, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into leases overriding system value select * from jsonb_populate_record(null::leases, '{"open": false, "epoch_id": 1883215668990443535, "purse_id": 1883215668797505540, "sequence": 2, "charged_nano_usd": 30000001, "granted_nano_usd": 30000001}');
insert into leases overriding system value select * from jsonb_populate_record(null::leases, '{"open": false, "epoch_id": 1883215668990443535, "purse_id": 1883215668941160461, "sequence": 2, "charged_nano_usd": 30000001, "granted_nano_usd": 30000001}');
insert into leases overriding system value select * from jsonb_populate_record(null::leases, '{"open": false, "epoch_id": 1883215668990443535, "purse_id": 1883215668948500494, "sequence": 2, "charged_nano_usd": 30000001, "granted_nano_usd": 30000001}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a2286a-c4f7-7638-a32a-343648cf6f87", "kind": "grant", "once": null, "actor": "test", "number": 1, "reason": "a test", "posted_at": "2026-11-29T17:46:55.617034+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "balance_nano_usd": 5000000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a2286a-c657-74bc-9dff-b6eda506b878", "kind": "top_up", "once": "payment 1", "actor": "test", "number": 2, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T17:46:55.960887+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "balance_nano_usd": 5339999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a2286a-c65c-7206-b309-9e330c939bfd", "kind": "refund", "once": null, "actor": "test", "number": 3, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T17:46:55.966159+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "balance_nano_usd": 5239999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a2286a-c66e-72e9-adad-0d9a416ea507", "kind": "grant", "once": null, "actor": "test", "number": 4, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T17:46:55.983864+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "balance_nano_usd": 5269999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a2286a-c69a-7129-b6c0-799d7282a3b5", "kind": "grant", "once": null, "actor": "test", "number": 6, "reason": "a test", "posted_at": "2026-11-29T17:46:56.028414+00:00", "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f", "balance_nano_usd": 10000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a2286a-c6ac-729c-902a-761b0836f5a8", "kind": "dispute", "once": null, "actor": "test", "number": 7, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T17:46:56.045698+00:00", "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f", "balance_nano_usd": -20000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a2286a-ca8a-7349-b258-fab40c7771dd", "kind": "grant", "once": null, "actor": "test", "number": 11, "reason": "a test", "posted_at": "2026-11-29T17:46:57.034804+00:00", "workspace_id": "01a2286a-ca78-756f-b45f-15c3f2ed1038", "balance_nano_usd": 10000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "0f5b49ca-7ce4-4c91-8ab2-a8a42a0b8e1d", "kind": "grant", "once": "recurring:01a2286a-c678-70c1-ae1c-80a808c09f85:2026-11-01", "actor": "test", "number": 5, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T17:46:56.001432+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "balance_nano_usd": 5279999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "99976ab5-924c-422c-905d-f0403cd7b308", "kind": "top_up", "once": "payment:codes:01a2286a-c6fe-777c-a202-15f24cb8e30e", "actor": "codes", "number": 10, "reason": "Payment 01a2286a-c6fe-777c-a202-15f24cb8e30e of top-up 01a2286a-c705-732c-8a31-ed6947d8d76b", "posted_at": "2026-11-29T17:46:56.142717+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "balance_nano_usd": 15269999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "af843a3b-6d8d-4cdd-8029-37a48889f645", "kind": "top_up", "once": "payment:stripe:pi_1", "actor": "stripe", "number": 8, "reason": "Payment pi_1 of top-up 01a2286a-c6c8-711f-bd42-2bbcac717e9c", "posted_at": "2026-11-29T17:46:56.10101+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "balance_nano_usd": 15279999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "c1be6290-59e3-42ac-af67-09734777d017", "kind": "refund", "once": "refund:stripe:re_1", "actor": "stripe", "number": 9, "reason": "Refund re_1 of payment pi_1 taken", "posted_at": "2026-11-29T17:46:56.111532+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "balance_nano_usd": 15259999999, "receipt_request_id": null}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a2286a-c4f7-7638-a32a-343648cf6f87", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "amount_nano_usd": 5000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a2286a-c4f7-7638-a32a-343648cf6f87", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "amount_nano_usd": -5000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a2286a-c657-74bc-9dff-b6eda506b878", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "amount_nano_usd": 400000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "01a2286a-c657-74bc-9dff-b6eda506b878", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "amount_nano_usd": -400000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a2286a-c65c-7206-b309-9e330c939bfd", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "amount_nano_usd": -100000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "01a2286a-c65c-7206-b309-9e330c939bfd", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "amount_nano_usd": 100000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a2286a-c66e-72e9-adad-0d9a416ea507", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "amount_nano_usd": 30000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a2286a-c66e-72e9-adad-0d9a416ea507", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "amount_nano_usd": -30000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "0f5b49ca-7ce4-4c91-8ab2-a8a42a0b8e1d", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "0f5b49ca-7ce4-4c91-8ab2-a8a42a0b8e1d", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "99976ab5-924c-422c-905d-f0403cd7b308", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "99976ab5-924c-422c-905d-f0403cd7b308", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "af843a3b-6d8d-4cdd-8029-37a48889f645", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "amount_nano_usd": 10000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "af843a3b-6d8d-4cdd-8029-37a48889f645", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "amount_nano_usd": -10000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "c1be6290-59e3-42ac-af67-09734777d017", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "amount_nano_usd": -20000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "c1be6290-59e3-42ac-af67-09734777d017", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "amount_nano_usd": 20000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a2286a-c69a-7129-b6c0-799d7282a3b5", "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a2286a-c69a-7129-b6c0-799d7282a3b5", "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a2286a-c6ac-729c-902a-761b0836f5a8", "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "owed", "posting_id": "01a2286a-c6ac-729c-902a-761b0836f5a8", "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f", "amount_nano_usd": -20000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "01a2286a-c6ac-729c-902a-761b0836f5a8", "workspace_id": "01a2286a-c68c-71bc-add3-7211d993f34f", "amount_nano_usd": 30000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a2286a-ca8a-7349-b258-fab40c7771dd", "workspace_id": "01a2286a-ca78-756f-b45f-15c3f2ed1038", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a2286a-ca8a-7349-b258-fab40c7771dd", "workspace_id": "01a2286a-ca78-756f-b45f-15c3f2ed1038", "amount_nano_usd": -10000000}');
insert into ledger_verifications overriding system value select * from jsonb_populate_record(null::ledger_verifications, '{"id": 1, "night": null, "started_at": "2026-11-29T17:46:57.223+00:00", "differences": [], "finished_at": "2026-11-29T17:46:57.709241+00:00", "difference_count": 0}');
insert into member_limits overriding system value select * from jsonb_populate_record(null::member_limits, '{"id": "db215d2c-aafd-471b-a552-17c0d7919a0e", "user_id": "f8ab0866-980d-4627-ae66-f596f25dd494", "raised_until": "2099-01-01T00:00:00+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "raised_limit_nano_usd": 900000000, "monthly_limit_nano_usd": 500000000}');
insert into offer_declarations overriding system value select * from jsonb_populate_record(null::offer_declarations, '{"kind": "model", "name": "stored", "version": 1, "changed_at": "2026-11-29T17:46:56.69418+00:00", "declaration": {"id": "stored", "routes": [{"model": "echo", "provider": "stored"}]}, "encrypted_key": null}');
insert into offer_declarations overriding system value select * from jsonb_populate_record(null::offer_declarations, '{"kind": "provider", "name": "stored", "version": 1, "changed_at": "2026-11-29T17:46:56.69418+00:00", "declaration": {"kind": "sandbox"}, "encrypted_key": null}');
insert into one_time_links overriding system value select * from jsonb_populate_record(null::one_time_links, '{"id": "01a2286a-c781-76d6-9f56-d9c4dee3490a", "email": null, "mailed": false, "purpose": "set_up", "user_id": null, "claimed_at": null, "created_at": "2026-11-29T17:46:56.252495+00:00", "expires_at": "2026-11-30T17:46:56.252495+00:00", "by_right_in": null, "made_by_user": null, "token_sha256": "\\x5705bca41bdfec0ad9fe1027bb9b3a15693b300fe9e2ed3ebf7fd3a09463ebf4", "made_by_token": null}');
insert into one_time_links overriding system value select * from jsonb_populate_record(null::one_time_links, '{"id": "01a2286a-c808-7066-8d71-e5066f8b052d", "email": null, "mailed": false, "purpose": "reset", "user_id": "01a2286a-c7d7-7123-8031-c3074dbb126f", "claimed_at": null, "created_at": "2026-11-29T17:46:56.390261+00:00", "expires_at": "2026-11-29T19:46:56.390261+00:00", "by_right_in": "01a2286a-c4e0-747c-88c4-15ca15314803", "made_by_user": "01a2286a-c7d7-7123-8031-c3074dbb126f", "token_sha256": "\\xa384fbdc1b11a301d86e4c0d32050c17925d4246bfc1db1aba903f31da8a03b7", "made_by_token": "01a2286a-c7e9-7746-b5aa-04f7b28e20e5"}');
insert into operator_tokens overriding system value select * from jsonb_populate_record(null::operator_tokens, '{"id": "01a2286a-c7cc-7138-81f1-31ed1414f941", "name": "metrics", "last_four": "U36t", "read_only": true, "created_at": "2026-11-29T17:46:56.331752+00:00", "created_by": "owner@example.com", "revoked_at": null, "last_used_at": null, "secret_sha256": "\\xe56d9b3a4e8832f24225015b821f688f8cdf345a26a205359a6fe123e8c8ab55", "downloads_backups": true}');
insert into sealed_partitions overriding system value select * from jsonb_populate_record(null::sealed_partitions, '{"name": "receipts_2026_w23", "up_to": "019ea487-7000-0000-0000-000000000000", "from_id": "019e807a-ec00-0000-0000-000000000000", "receipts": 1, "sealed_at": "2026-11-29T17:46:55.938467+00:00", "dropped_at": null, "export_file": "/exports/receipts_2026_w23", "exported_at": "2026-11-29T17:46:57.213927+00:00", "export_sha256": "\\xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "write_off_nano_usd": 0}');
insert into partition_totals overriding system value select * from jsonb_populate_record(null::partition_totals, '{"purse_id": 1883215668797505540, "receipts": 1, "partition": "receipts_2026_w23", "charge_nano_usd": 10000000}');
insert into partition_totals overriding system value select * from jsonb_populate_record(null::partition_totals, '{"purse_id": 1883215668941160461, "receipts": 1, "partition": "receipts_2026_w23", "charge_nano_usd": 10000000}');
insert into partition_totals overriding system value select * from jsonb_populate_record(null::partition_totals, '{"purse_id": 1883215668948500494, "receipts": 1, "partition": "receipts_2026_w23", "charge_nano_usd": 10000000}');
insert into passkey_challenges overriding system value select * from jsonb_populate_record(null::passkey_challenges, '{"challenge": "\\xc1ee51cde3d4efd1b0dee9ea83e15e7e40a65cd2d462fa16ec7a0a517c4b0e0e", "expires_at": "2026-11-29T17:51:56.339367+00:00", "session_id": null, "secret_sha256": "\\xce1b95b63c396efb50680d878067ea68ec4d9e7722e5d71b8d5b469a3188e20e"}');
insert into passkeys overriding system value select * from jsonb_populate_record(null::passkeys, '{"id": "01a2286a-c7d4-752a-888c-e745d5e8182c", "name": "Laptop", "counter": 3, "user_id": "01a2286a-c786-77a7-a1a5-fb2947da4e03", "created_at": "2026-11-29T17:46:56.341135+00:00", "public_key": "\\x7075626c6963206b6579", "transports": ["internal"], "last_used_at": "2026-11-29T17:46:56.341135+00:00", "credential_id": "\\x63726564656e7469616c"}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "01a2286a-c6fe-777c-a202-15f24cb8e30e", "fact": "paid", "detail": null, "outcome": "applied", "provider": "codes", "top_up_id": "01a2286a-c705-732c-8a31-ed6947d8d76b", "received_at": "2026-11-29T17:46:56.133759+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "0a581a4c-0512-417a-bda4-3f689bcd9849", "fact": "refund taken", "detail": null, "outcome": "applied", "provider": "stripe", "top_up_id": null, "received_at": "2026-11-29T17:46:56.114135+00:00", "workspace_id": null}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "3797b16c-cdb0-4114-a3cc-759878363177", "fact": "paid", "detail": "10000000000 nano-USD were paid and not 10800000000", "outcome": "mismatch", "provider": "stripe", "top_up_id": "01a2286a-c6c8-711f-bd42-2bbcac717e9c", "received_at": "2026-11-29T17:46:56.116556+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "917f4420-d6b2-4862-8d78-a0561ad411dd", "fact": "refund taken", "detail": null, "outcome": "applied", "provider": "stripe", "top_up_id": "01a2286a-c6c8-711f-bd42-2bbcac717e9c", "received_at": "2026-11-29T17:46:56.106338+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "9f7962a5-0e36-47c1-94f8-951abe23ab74", "fact": "paid", "detail": null, "outcome": "applied", "provider": "stripe", "top_up_id": "01a2286a-c6c8-711f-bd42-2bbcac717e9c", "received_at": "2026-11-29T17:46:56.08505+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into payment_reconciliations overriding system value select * from jsonb_populate_record(null::payment_reconciliations, '{"night": "2026-11-29T17:46:56.123972+00:00", "missed": 1, "compared": 2, "provider": "stripe", "started_at": "2026-11-29T17:46:56.123972+00:00", "differences": ["one"], "finished_at": "2026-11-29T17:46:56.124171+00:00", "events_until": "2026-11-29T17:46:56.123972+00:00", "difference_count": 1}');
insert into top_ups overriding system value select * from jsonb_populate_record(null::top_ups, '{"id": "01a2286a-c6c8-711f-bd42-2bbcac717e9c", "once": null, "actor": "test", "state": "paid", "origin": "checkout", "failure": null, "provider": "stripe", "created_at": "2026-11-29T17:46:56.066826+00:00", "expires_at": null, "posting_id": "af843a3b-6d8d-4cdd-8029-37a48889f645", "updated_at": "2026-11-29T17:46:56.08505+00:00", "checkout_url": null, "fee_nano_usd": 800000000, "posting_kind": "top_up", "saves_method": true, "tax_nano_usd": 0, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "amount_nano_usd": 10000000000, "payment_reference": "pi_1", "checkout_reference": null}');
insert into top_ups overriding system value select * from jsonb_populate_record(null::top_ups, '{"id": "01a2286a-c6f8-73b4-b88f-68442e6f6d0c", "once": null, "actor": "test", "state": "pending", "origin": "auto", "failure": null, "provider": "stripe", "created_at": "2026-11-29T17:46:56.119864+00:00", "expires_at": null, "posting_id": null, "updated_at": "2026-11-29T17:46:56.119864+00:00", "checkout_url": null, "fee_nano_usd": 800000000, "posting_kind": "top_up", "saves_method": false, "tax_nano_usd": 0, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "amount_nano_usd": 10000000000, "payment_reference": null, "checkout_reference": null}');
insert into top_ups overriding system value select * from jsonb_populate_record(null::top_ups, '{"id": "01a2286a-c705-732c-8a31-ed6947d8d76b", "once": null, "actor": "test", "state": "paid", "origin": "code", "failure": null, "provider": "codes", "created_at": "2026-11-29T17:46:56.133759+00:00", "expires_at": null, "posting_id": "99976ab5-924c-422c-905d-f0403cd7b308", "updated_at": "2026-11-29T17:46:56.133759+00:00", "checkout_url": null, "fee_nano_usd": 0, "posting_kind": "top_up", "saves_method": false, "tax_nano_usd": 0, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "amount_nano_usd": 10000000, "payment_reference": "01a2286a-c6fe-777c-a202-15f24cb8e30e", "checkout_reference": null}');
insert into payment_reversals overriding system value select * from jsonb_populate_record(null::payment_reversals, '{"kind": "refund", "state": "taken", "counted": true, "provider": "stripe", "reference": "re_1", "top_up_id": "01a2286a-c6c8-711f-bd42-2bbcac717e9c", "created_at": "2026-11-29T17:46:56.106338+00:00", "updated_at": "2026-11-29T17:46:56.106338+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "amount_nano_usd": 20000000, "payment_reference": "pi_1"}');
insert into payment_reversals overriding system value select * from jsonb_populate_record(null::payment_reversals, '{"kind": "refund", "state": "taken", "counted": false, "provider": "stripe", "reference": "re_2", "top_up_id": null, "created_at": "2026-11-29T17:46:56.114135+00:00", "updated_at": "2026-11-29T17:46:56.114135+00:00", "workspace_id": null, "amount_nano_usd": 20000000, "payment_reference": "pi_other"}');
insert into payment_settings overriding system value select * from jsonb_populate_record(null::payment_settings, '{"version": 1, "provider": "stripe", "auto_stop": null, "auto_enabled": false, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "auto_failures": 0, "auto_failed_at": null, "auto_consent_at": null, "auto_consent_by": null, "auto_noticed_at": null, "auto_stopped_at": null, "customer_reference": "cus_1", "recovery_top_up_id": null, "auto_amount_nano_usd": null, "auto_month_noticed_at": null, "auto_month_max_nano_usd": null, "auto_threshold_nano_usd": null}');
insert into price_adjustments overriding system value select * from jsonb_populate_record(null::price_adjustments, '{"id": "01a2286a-c529-731d-bf45-4ff3154d5900", "model": null, "ended_at": "2026-11-29T17:46:55.669829+00:00", "started_at": "2026-11-29T17:46:55.65425+00:00", "basis_points": -500, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into price_adjustments overriding system value select * from jsonb_populate_record(null::price_adjustments, '{"id": "01a2286a-c538-72bb-8e6d-0219c80abcf8", "model": null, "ended_at": null, "started_at": "2026-11-29T17:46:55.669829+00:00", "basis_points": -1000, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into price_adjustments overriding system value select * from jsonb_populate_record(null::price_adjustments, '{"id": "01a2286a-c545-727b-be0a-4218bc5f988d", "model": "sandbox/echo", "ended_at": null, "started_at": "2026-11-29T17:46:55.683614+00:00", "basis_points": 2500, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883215668733542401, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": null, "version": 1, "created_at": "2026-11-29T17:46:55.518111+00:00", "retired_at": null, "workspace_id": null, "adjustment_id": null}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883215668738785282, "model": "sandbox/slow", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": null, "version": 1, "created_at": "2026-11-29T17:46:55.518111+00:00", "retired_at": null, "workspace_id": null, "adjustment_id": null}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883215668739833859, "model": "small-chat", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": null, "version": 1, "created_at": "2026-11-29T17:46:55.518111+00:00", "retired_at": null, "workspace_id": null, "adjustment_id": null}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883215668876148741, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "237500000", "output": "1900000000", "audio_input": "237500000", "audio_output": "1900000000", "cached_input": "237500000", "cache_write_1h": "237500000", "cache_write_5m": "237500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883215668733542401, "version": 2, "created_at": "2026-11-29T17:46:55.65425+00:00", "retired_at": "2026-11-29T17:46:55.669829+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "adjustment_id": "01a2286a-c529-731d-bf45-4ff3154d5900"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883215668876148742, "model": "sandbox/slow", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "237500000", "output": "1900000000", "audio_input": "237500000", "audio_output": "1900000000", "cached_input": "237500000", "cache_write_1h": "237500000", "cache_write_5m": "237500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883215668738785282, "version": 2, "created_at": "2026-11-29T17:46:55.65425+00:00", "retired_at": "2026-11-29T17:46:55.669829+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "adjustment_id": "01a2286a-c529-731d-bf45-4ff3154d5900"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883215668876148743, "model": "small-chat", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "237500000", "output": "1900000000", "audio_input": "237500000", "audio_output": "1900000000", "cached_input": "237500000", "cache_write_1h": "237500000", "cache_write_5m": "237500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883215668739833859, "version": 2, "created_at": "2026-11-29T17:46:55.65425+00:00", "retired_at": "2026-11-29T17:46:55.669829+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "adjustment_id": "01a2286a-c529-731d-bf45-4ff3154d5900"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883215668893974536, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "225000000", "output": "1800000000", "audio_input": "225000000", "audio_output": "1800000000", "cached_input": "225000000", "cache_write_1h": "225000000", "cache_write_5m": "225000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883215668733542401, "version": 3, "created_at": "2026-11-29T17:46:55.669829+00:00", "retired_at": "2026-11-29T17:46:55.683614+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "adjustment_id": "01a2286a-c538-72bb-8e6d-0219c80abcf8"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883215668896071689, "model": "sandbox/slow", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "225000000", "output": "1800000000", "audio_input": "225000000", "audio_output": "1800000000", "cached_input": "225000000", "cache_write_1h": "225000000", "cache_write_5m": "225000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883215668738785282, "version": 3, "created_at": "2026-11-29T17:46:55.669829+00:00", "retired_at": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "adjustment_id": "01a2286a-c538-72bb-8e6d-0219c80abcf8"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883215668896071690, "model": "small-chat", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "225000000", "output": "1800000000", "audio_input": "225000000", "audio_output": "1800000000", "cached_input": "225000000", "cache_write_1h": "225000000", "cache_write_5m": "225000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883215668739833859, "version": 3, "created_at": "2026-11-29T17:46:55.669829+00:00", "retired_at": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "adjustment_id": "01a2286a-c538-72bb-8e6d-0219c80abcf8"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883215668908654603, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "312500000", "output": "2500000000", "audio_input": "312500000", "audio_output": "2500000000", "cached_input": "312500000", "cache_write_1h": "312500000", "cache_write_5m": "312500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883215668733542401, "version": 4, "created_at": "2026-11-29T17:46:55.683614+00:00", "retired_at": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "adjustment_id": "01a2286a-c545-727b-be0a-4218bc5f988d"}');
insert into quarantined_receipts overriding system value select * from jsonb_populate_record(null::quarantined_receipts, '{"id": 1, "reason": "it was refused", "receipt": "{}", "request_id": "01a2286a-c518-71b5-a55f-1b220ff87127", "quarantined_at": "2026-11-29T17:46:56.190935+00:00"}');
insert into rate_buckets overriding system value select * from jsonb_populate_record(null::rate_buckets, '{"project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "refilled_ms": 0, "token_parts": 6, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "request_parts": 5, "called_back_ms": 0}');
insert into rate_leases overriding system value select * from jsonb_populate_record(null::rate_leases, '{"slots": 0, "taken": 0, "minute": 0, "tokens": 0, "granted": [], "running": 0, "epoch_id": 1883215668990443535, "requests": 2, "sequence": 1, "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "taken_before": 0, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a2286a-c518-71b5-a55f-1b220ff87127", "dialect": "chat_completions", "outcome": "completed", "session": null, "affinity": null, "attempts": null, "epoch_id": 1883215669038678032, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "request_id": "019e8972-15ae-7000-8000-000000000001", "settled_at": "2026-11-29T17:46:55.823573+00:00", "admitted_at": "2026-06-02T17:46:55.79+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883215668948500494, "service_tier": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "fees_nano_usd": 0, "hold_nano_usd": 10000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "affinity_missed": null, "charge_nano_usd": 10000000, "credit_purse_id": 1883215668797505540, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883215668941160461, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a2286a-c518-71b5-a55f-1b220ff87127", "dialect": "chat_completions", "outcome": "completed", "session": null, "affinity": null, "attempts": null, "epoch_id": 1883215668914946060, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "request_id": "01a2286a-c576-7342-ad02-83bb6430639f", "settled_at": "2026-11-29T17:46:55.737107+00:00", "admitted_at": "2026-11-29T17:46:55.701+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883215668948500494, "service_tier": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "fees_nano_usd": 0, "hold_nano_usd": 20000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "affinity_missed": null, "charge_nano_usd": 10000000, "credit_purse_id": 1883215668797505540, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883215668941160461, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a2286a-c518-71b5-a55f-1b220ff87127", "dialect": "chat_completions", "outcome": "completed", "session": null, "affinity": null, "attempts": [{"fault": "overloaded", "status": 503, "provider": "main", "duration_ms": 4, "upstream_model": "mock"}, {"fault": null, "status": 200, "provider": "main", "duration_ms": 4, "upstream_model": "mock"}], "epoch_id": 1883215668914946060, "left_out": null, "provider": "main", "streamed": false, "attempt_ms": 4, "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "request_id": "01a2286a-c58c-73c6-acb2-507d62b6be21", "settled_at": "2026-11-29T17:46:55.756959+00:00", "admitted_at": "2026-11-29T17:46:55.747+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883215668948500494, "service_tier": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "fees_nano_usd": 0, "hold_nano_usd": 20000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "mock", "affinity_missed": null, "charge_nano_usd": 10000000, "credit_purse_id": 1883215668797505540, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883215668941160461, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a2286a-c518-71b5-a55f-1b220ff87127", "dialect": "chat_completions", "outcome": "failed", "session": null, "affinity": null, "attempts": null, "epoch_id": 1883215668914946060, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "request_id": "01a2286a-c593-770d-9ee3-2a8796c532e7", "settled_at": "2026-11-29T17:46:55.763772+00:00", "admitted_at": "2026-11-29T17:46:55.757+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883215668948500494, "service_tier": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "fees_nano_usd": 0, "hold_nano_usd": 30000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "affinity_missed": null, "charge_nano_usd": 0, "credit_purse_id": 1883215668797505540, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883215668941160461, "session_purse_id": null, "client_request_id": "mine", "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a2286a-c518-71b5-a55f-1b220ff87127", "dialect": "embeddings", "outcome": "completed", "session": null, "affinity": null, "attempts": null, "epoch_id": 1883215668990443535, "left_out": null, "provider": "local", "streamed": true, "attempt_ms": 10, "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "request_id": "01a2286a-c5a1-7b24-aca3-87b80beae343", "settled_at": "2026-11-29T17:46:55.777588+00:00", "admitted_at": "2026-11-29T17:46:55.77+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883215668948500494, "service_tier": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "fees_nano_usd": 0, "hold_nano_usd": 50000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": 3, "upstream_model": "qwen3", "affinity_missed": null, "charge_nano_usd": 20000001, "credit_purse_id": 1883215668797505540, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883215668941160461, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": {"request": 1, "web_search": 3}, "model": "small-chat", "retry": true, "key_id": "01a2286a-c518-71b5-a55f-1b220ff87127", "dialect": "responses", "outcome": "completed", "session": "a \"session\", {of} ours", "affinity": "a \"session\", {of} ours", "attempts": null, "epoch_id": 1883215668990443535, "left_out": ["web_search", "tool {odd}", "NULL"], "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "request_id": "01a2286a-c5a6-70c6-8ff5-41b3cbef7ec5", "settled_at": "2026-11-29T17:46:55.783413+00:00", "admitted_at": "2026-11-29T17:46:55.778+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883215668948500494, "service_tier": "a \"session\", {of} ours", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "fees_nano_usd": 0, "hold_nano_usd": 10000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "affinity_missed": true, "charge_nano_usd": 10000000, "credit_purse_id": 1883215668797505540, "member_purse_id": null, "requested_model": "a \"session\", {of} ours", "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883215668941160461, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a2286a-c953-7262-a4cf-f8533212636c", "dialect": "chat_completions", "outcome": "completed", "session": null, "affinity": null, "attempts": null, "epoch_id": 1883215670005465108, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "request_id": "01a2286a-c97a-789b-8b0e-36daecdb573e", "settled_at": "2026-11-29T17:46:56.763805+00:00", "admitted_at": "2026-11-29T17:46:56.738+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883215670020145173, "service_tier": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "fees_nano_usd": 0, "hold_nano_usd": 30000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "affinity_missed": null, "charge_nano_usd": 20000000, "credit_purse_id": 1883215668797505540, "member_purse_id": 1883215670000222227, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883215668941160461, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a2286a-c9e1-77e4-8d90-db339007a1f8", "dialect": "chat_completions", "outcome": "completed", "session": null, "affinity": null, "attempts": null, "epoch_id": 1883215670145974295, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a2286a-c9dc-71ec-acba-a03d3e58dde6", "request_id": "01a2286a-c9fb-7679-b831-5c572994b687", "settled_at": "2026-11-29T17:46:56.891459+00:00", "admitted_at": "2026-11-29T17:46:56.873+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883215670153314329, "service_tier": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "fees_nano_usd": 0, "hold_nano_usd": 30000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "affinity_missed": null, "charge_nano_usd": 20000000, "credit_purse_id": 1883215668797505540, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883215670150168600, "session_purse_id": 1883215670163800091, "client_request_id": null, "end_user_purse_id": 1883215670159605786, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2286a-c786-77a7-a1a5-fb2947da4e03", "code_sha256": "\\x1e2a9c607735b42cdd3a3634cf05d791c1d61d7a63d01a303ab0b21798248fa4"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2286a-c786-77a7-a1a5-fb2947da4e03", "code_sha256": "\\x456792324c29092b4af16324ebb18001c665971ece3fe650c18a1d50a8520cd1"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2286a-c786-77a7-a1a5-fb2947da4e03", "code_sha256": "\\x4e4a847c7c66126d31117b50e887ef0fe667b0f21a7981df571dbe20c8a49bc6"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2286a-c786-77a7-a1a5-fb2947da4e03", "code_sha256": "\\x861d845a604419df9a740efb11fd34c39c7b1ce8f491a208104ca04133652696"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2286a-c786-77a7-a1a5-fb2947da4e03", "code_sha256": "\\x9ea642f9c8a9d9469af4d48a8d2e9dc0a146011a30efdaf7dc5f1aaf61b630ae"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2286a-c786-77a7-a1a5-fb2947da4e03", "code_sha256": "\\xafecc466485e6e861d4c9ce1029e85e08987fcfb20fc743223f52ae4a9823627"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2286a-c786-77a7-a1a5-fb2947da4e03", "code_sha256": "\\xc7b25a04d0002d171b1cf85afd62907f7da777fa323b82f3bee942232bb4221d"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2286a-c786-77a7-a1a5-fb2947da4e03", "code_sha256": "\\xd383c6a8996ce2d9f39260d826608e776122f10a6734f2bd66221b97f971f1ba"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2286a-c786-77a7-a1a5-fb2947da4e03", "code_sha256": "\\xed9c5ad09147195a345a1ab83ab864be09d4e3f4bcf6fbbfafd3f8fc27d12426"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2286a-c786-77a7-a1a5-fb2947da4e03", "code_sha256": "\\xf8e9e806a5dab376f7260cfe9f3be1b2573510aae1e93cc456dad482013f0fe5"}');
insert into recurring_grants overriding system value select * from jsonb_populate_record(null::recurring_grants, '{"id": "01a2286a-c678-70c1-ae1c-80a808c09f85", "actor": "test", "period": "month", "reason": "a \"reason\", with Ünïcode", "next_at": "2026-12-01T00:00:00+00:00", "ended_at": null, "created_at": "2026-11-29T17:46:55.99195+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "amount_nano_usd": 10000000, "expires_after_days": null, "expires_with_period": true}');
insert into redemption_batches overriding system value select * from jsonb_populate_record(null::redemption_batches, '{"id": "01a2286a-c6fc-7177-9479-0ad1f69e4592", "once": null, "actor": "test", "count": 2, "reason": "sold", "created_at": "2026-11-29T17:46:56.125636+00:00", "expires_at": "2026-11-30T17:46:56.124+00:00", "posting_kind": "top_up", "amount_nano_usd": 10000000}');
insert into redemption_codes overriding system value select * from jsonb_populate_record(null::redemption_codes, '{"id": "01a2286a-c6fe-777c-a202-15f24cb8e30e", "batch_id": "01a2286a-c6fc-7177-9479-0ad1f69e4592", "last_four": "T0MR", "top_up_id": "01a2286a-c705-732c-8a31-ed6947d8d76b", "code_sha256": "\\xf1fe07e7dc17a07e4fad4c9bc4a8290a1e6b758b205b799273d75f0ffde8eee5", "redeemed_at": "2026-11-29T17:46:56.133759+00:00", "redeemed_by": "test", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into redemption_codes overriding system value select * from jsonb_populate_record(null::redemption_codes, '{"id": "01a2286a-c6fe-777c-a203-713776c166e3", "batch_id": "01a2286a-c6fc-7177-9479-0ad1f69e4592", "last_four": "WQSY", "top_up_id": null, "code_sha256": "\\xac88ae02bab5313d191b3b70d2748aec198ccd3f61bc106f94b2547762326b51", "redeemed_at": null, "redeemed_by": null, "workspace_id": null}');
insert into refusals overriding system value select * from jsonb_populate_record(null::refusals, '{"code": "MODEL_NOT_FOUND", "rate": null, "model": "none", "param": "model", "key_id": "01a2286a-c518-71b5-a55f-1b220ff87127", "status": 404, "endpoint": "chat_completions", "shortage": null, "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "refused_at": "2026-11-29T17:46:56.224+00:00", "request_id": "01a2286a-c760-72a3-bbb6-0f07c0f798a6", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "retry_after_ms": null}');
insert into route_hours overriding system value select * from jsonb_populate_record(null::route_hours, '{"hour": "2026-11-29T17:00:00+00:00", "fault": {"kind": "failed", "status": 500, "request_id": "26561d26-27ab-4fad-88b3-124fc44223a6"}, "model": "small-chat", "whole": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "faults": {"failed": 1}, "answered": 2, "fault_at": "2026-11-29T17:46:56.236+00:00", "provider": "local", "rejected": 0, "abandoned": 0, "answered_at": "2026-11-29T17:46:56.236+00:00", "first_event": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "upstream_model": "qwen3"}');
insert into scheduled_work overriding system value select * from jsonb_populate_record(null::scheduled_work, '{"name": "backup", "holder": null, "outcome": {"file": "/backups/one", "bytes": 1, "verified": true}, "problem": null, "done_turn": "2026-11-28T17:46:57.217+00:00", "failed_at": null, "held_until": "2026-11-29T17:48:57.218406+00:00", "succeeded_at": "2026-11-29T17:46:57.220616+00:00"}');
insert into sessions overriding system value select * from jsonb_populate_record(null::sessions, '{"id": "01a2286a-c789-740b-93b5-c3ec163f850f", "address": "192.0.2.1", "user_id": "01a2286a-c786-77a7-a1a5-fb2947da4e03", "created_at": "2026-11-29T17:46:56.261824+00:00", "expires_at": "2026-12-29T17:46:56.261824+00:00", "user_agent": "a browser", "is_recovery": false, "last_seen_at": "2026-11-29T17:46:56.261824+00:00", "token_sha256": "\\xba2f0b0daf92ec6888464f6351943314ba6e4fce75c5fd010653a8838fe16dd9", "authenticated_at": "2026-11-29T17:46:56.261824+00:00", "second_factor_at": null, "provider_workspace_id": null}');
insert into sessions overriding system value select * from jsonb_populate_record(null::sessions, '{"id": "01a2286a-c7d9-76dd-8312-25093979c3f5", "address": "192.0.2.1", "user_id": "01a2286a-c7d7-7123-8031-c3074dbb126f", "created_at": "2026-11-29T17:46:56.34298+00:00", "expires_at": "2026-12-29T17:46:56.34298+00:00", "user_agent": "a browser", "is_recovery": false, "last_seen_at": "2026-11-29T17:46:56.34298+00:00", "token_sha256": "\\xd80a31157d3e8c9ad4b893f86b5e5304e79642b578e5a0920e78f5b8c7ed8a12", "authenticated_at": "2026-11-29T17:46:56.34298+00:00", "second_factor_at": null, "provider_workspace_id": null}');
insert into sessions overriding system value select * from jsonb_populate_record(null::sessions, '{"id": "01a2286a-c83e-70ee-b7dc-1a8347fb20f5", "address": "192.0.2.1", "user_id": "01a2286a-c82f-7772-9352-4fddea89113e", "created_at": "2026-11-29T17:46:56.428174+00:00", "expires_at": "2026-12-29T17:46:56.428174+00:00", "user_agent": "a browser", "is_recovery": false, "last_seen_at": "2026-11-29T17:46:56.428174+00:00", "token_sha256": "\\x6e6f505604a7b455fd107e32102d750d40277dfd9c41d4db475cb763e94cd84f", "authenticated_at": "2026-11-29T17:46:56.428174+00:00", "second_factor_at": null, "provider_workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into sign_in_networks overriding system value select * from jsonb_populate_record(null::sign_in_networks, '{"network": "192.0.2.1", "used_at": "2026-11-29T17:46:56.261824+00:00", "user_id": "01a2286a-c786-77a7-a1a5-fb2947da4e03"}');
insert into sign_in_networks overriding system value select * from jsonb_populate_record(null::sign_in_networks, '{"network": "192.0.2.1", "used_at": "2026-11-29T17:46:56.34298+00:00", "user_id": "01a2286a-c7d7-7123-8031-c3074dbb126f"}');
insert into sign_in_networks overriding system value select * from jsonb_populate_record(null::sign_in_networks, '{"network": "192.0.2.1", "used_at": "2026-11-29T17:46:56.428174+00:00", "user_id": "01a2286a-c82f-7772-9352-4fddea89113e"}');
insert into sink_progress overriding system value select * from jsonb_populate_record(null::sink_progress, '{"sink": "archive", "fault": null, "holder": "6bc4ba1e-6b88-4447-9400-cfd0f31ff08a", "server": 7713651361095068617, "delivered": "889:889:", "held_until": "2026-11-29T17:51:56.704693+00:00", "failing_since": null}');
insert into stored_response_bytes overriding system value select * from jsonb_populate_record(null::stored_response_bytes, '{"bytes": 448, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into stored_responses overriding system value select * from jsonb_populate_record(null::stored_responses, '{"items": "\\x015119ceb9d1e84557a53ce4195bc28ed21d821f9e49d6bae4f269d06c7e2764ecebe05380a6fdf2fbee45c55ba8264080cefc7e49aa63d54355523020b9369ad62d85c63d29e5330f327d015119ceb9d1e84557a53ce4195bc28ed2b6ae93604c41a94b8068ea33d9bff17ed0fce8319f098a99e3ecb65a6afeeae3d53d7da39083b085c315a0074850a33ed75b8f093f705f32ff6e89d1b250bceeeb57388c71fef832", "response": "\\x015119ceb9d1e84557a53ce4195bc28ed2baacb193fe549b9ab34a2a0697161c3a96835b3074295cbc12f5da45a66179fc4ceca1a91eb7fe9acba0ec", "encrypted": true, "expires_at": "2026-11-30T20:46:56.220182+00:00", "request_id": "01a2286a-c744-7636-afc0-eea08c77d411", "response_id": "resp_1", "input_length": 75, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "previous_request_id": null}');
insert into stored_responses overriding system value select * from jsonb_populate_record(null::stored_responses, '{"items": "\\x015119ceb9d1e84557a53ce4195bc28ed29ad1b907e18c0cdb4a231193e8701abc35f6b7cbc56df1a85e5aca7d235375a94278b32f0e538d4a903a3edf924ccb29d60ef3d7f2c809326474015119ceb9d1e84557a53ce4195bc28ed264f07fb56677f2e1466bef6bdb4d1c914cb2c805f75bbc53a75830480c1f5c72c38cfb7c2cd5e36fe2dab218946a24fb31c357fef5cd6d40900daa3c7f16db6e1f400b44da60db41", "response": "\\x015119ceb9d1e84557a53ce4195bc28ed2dc25784ed4ae734b1f7faaf1ddc9893c115988ac6d7e25bfc37ef1f3e73dd0d57432b49747907bada60d4b", "encrypted": true, "expires_at": "2026-11-30T17:46:56.220182+00:00", "request_id": "01a2286a-c75b-796b-92e2-decf6d4a3343", "response_id": "resp_1", "input_length": 75, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "previous_request_id": "01a2286a-c744-7636-afc0-eea08c77d411"}');
insert into stored_response_items overriding system value select * from jsonb_populate_record(null::stored_response_items, '{"length": 44, "item_id": "msg_1", "starts_at": 0, "request_id": "01a2286a-c744-7636-afc0-eea08c77d411", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into stored_response_items overriding system value select * from jsonb_populate_record(null::stored_response_items, '{"length": 44, "item_id": "msg_1", "starts_at": 0, "request_id": "01a2286a-c75b-796b-92e2-decf6d4a3343", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into unrecorded_refusals overriding system value select * from jsonb_populate_record(null::unrecorded_refusals, '{"hour": "2026-11-29T17:00:00+00:00", "requests": 3, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2944, "model": "small-chat", "dialect": "chat_completions", "outcome": "completed", "requests": 1, "starts_at": "2026-06-02T17:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "cost_nano_usd": 0, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 10000000, "costed_requests": 0, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "chat_completions", "outcome": "completed", "requests": 2, "starts_at": "2026-11-29T17:00:00+00:00", "duration_1": 2, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "duration_10": 0, "input_tokens": 14, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "cost_nano_usd": 23750, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 22, "first_event_10": 0, "charge_nano_usd": 20000000, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "chat_completions", "outcome": "failed", "requests": 1, "starts_at": "2026-11-29T17:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "cost_nano_usd": 23750, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 0, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "embeddings", "outcome": "completed", "requests": 1, "starts_at": "2026-11-29T17:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "cost_nano_usd": 23750, "first_event_1": 1, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 20000001, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "responses", "outcome": "completed", "requests": 1, "starts_at": "2026-11-29T17:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "cost_nano_usd": 0, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 10000000, "costed_requests": 0, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2944, "model": "small-chat", "key_id": "01a2286a-c518-71b5-a55f-1b220ff87127", "dialect": "chat_completions", "outcome": "completed", "requests": 1, "starts_at": "2026-06-02T17:00:00+00:00", "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "input_tokens": 7, "last_used_at": "2026-06-02T17:46:55.79+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "cost_nano_usd": 0, "output_tokens": 11, "charge_nano_usd": 10000000, "costed_requests": 0, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a2286a-c518-71b5-a55f-1b220ff87127", "dialect": "chat_completions", "outcome": "completed", "requests": 2, "starts_at": "2026-11-29T17:00:00+00:00", "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "input_tokens": 14, "last_used_at": "2026-11-29T17:46:55.747+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "cost_nano_usd": 23750, "output_tokens": 22, "charge_nano_usd": 20000000, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a2286a-c518-71b5-a55f-1b220ff87127", "dialect": "chat_completions", "outcome": "failed", "requests": 1, "starts_at": "2026-11-29T17:00:00+00:00", "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "input_tokens": 7, "last_used_at": "2026-11-29T17:46:55.757+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "cost_nano_usd": 23750, "output_tokens": 11, "charge_nano_usd": 0, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a2286a-c518-71b5-a55f-1b220ff87127", "dialect": "embeddings", "outcome": "completed", "requests": 1, "starts_at": "2026-11-29T17:00:00+00:00", "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "input_tokens": 7, "last_used_at": "2026-11-29T17:46:55.77+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "cost_nano_usd": 23750, "output_tokens": 11, "charge_nano_usd": 20000001, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a2286a-c518-71b5-a55f-1b220ff87127", "dialect": "responses", "outcome": "completed", "requests": 1, "starts_at": "2026-11-29T17:00:00+00:00", "project_id": "01a2286a-c50e-7553-a5ab-e0840e445912", "input_tokens": 7, "last_used_at": "2026-11-29T17:46:55.778+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "cost_nano_usd": 0, "output_tokens": 11, "charge_nano_usd": 10000000, "costed_requests": 0, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_keys overriding system value select * from jsonb_populate_record(null::usage_keys, '{"key_id": "01a2286a-c518-71b5-a55f-1b220ff87127", "last_used_at": "2026-11-29T17:46:55.778+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into user_identities overriding system value select * from jsonb_populate_record(null::user_identities, '{"issuer": "https://login.company.example", "subject": "2", "user_id": "01a2286a-c82f-7772-9352-4fddea89113e", "created_at": "2026-11-29T17:46:56.428174+00:00"}');
insert into user_identities overriding system value select * from jsonb_populate_record(null::user_identities, '{"issuer": "https://login.example", "subject": "1", "user_id": "01a2286a-c786-77a7-a1a5-fb2947da4e03", "created_at": "2026-11-29T17:46:56.299146+00:00"}');
insert into webhook_endpoints overriding system value select * from jsonb_populate_record(null::webhook_endpoints, '{"id": "01a2286a-c8a7-7526-bd58-e3a7c4bd81e8", "url": "https://hooks.example/", "secret": null, "enabled": true, "version": 2, "created_at": "2026-11-29T17:46:56.556815+00:00", "description": "ours", "former_until": "2026-11-30T17:46:56.571622+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "former_secret": null, "encrypted_secret": "\\x015119ceb9d1e84557a53ce4195bc28ed27d984dfaf5b45a70ae09859ed92d5ca0c888dbbb4107b6f8784f26fefa1464c0759b5bb1b431d2d5f9fceaf9ba233d071005ce3cdcfa3f4c19da136b64e226c5c9a54648a767344f2f117151d59d9018", "encrypted_former_secret": "\\x015119ceb9d1e84557a53ce4195bc28ed2f6269305960d46e5e2112740ad57d8afb4a49b4bf28944cb1d135f1b6ffafd1c365341bc058175ac1cb3f3d0ad8dd277e76b282b73f601ecc950c8cb6e11724241c75d8cd4d636de88f14d51ce41f2fa"}');
insert into workspace_access overriding system value select * from jsonb_populate_record(null::workspace_access, '{"issuer": "https://login.company.example", "version": 1, "client_id": "faregate", "group_roles": {"engineers": "developer"}, "only_openid": false, "default_role": "none", "groups_claim": null, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "second_factor": false, "allowed_networks": ["0.0.0.0/0", "::/0"], "trusts_addresses": false, "ends_leavers_keys": true, "encrypted_client_secret": "\\x015119ceb9d1e84557a53ce4195bc28ed26747ec60fad95f58155ea012c0c0e60f00d13d5ac0c37134d348fd9d6b877bc6df30f849e01ffd8a3b54bf"}');
insert into workspace_domains overriding system value select * from jsonb_populate_record(null::workspace_domains, '{"token": "f9c937e2aa883676b1b48c8b3fdb54787255b4e3", "domain": "company.example", "proven_at": "2026-11-29T17:46:56.425454+00:00", "proven_by": "operator", "created_at": "2026-11-29T17:46:56.421618+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into workspace_domains overriding system value select * from jsonb_populate_record(null::workspace_domains, '{"token": "309b5e2cbb75673dfcd67291e74081584523439c", "domain": "unproven.example", "proven_at": null, "proven_by": null, "created_at": "2026-11-29T17:46:56.416363+00:00", "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803"}');
insert into workspace_moves overriding system value select * from jsonb_populate_record(null::workspace_moves, '{"id": "6b989807-f1a5-451d-8715-cd655cd7ecf0", "rows": 0, "actor": "operator", "shard": "01", "state": "moved", "holder": null, "figures": null, "problem": null, "wait_ms": 1000, "begun_at": "2026-11-29T17:46:57.787302+00:00", "ended_at": null, "moved_at": null, "progress": {}, "paused_at": null, "held_until": null, "paused_xid": null, "workspace_id": "01a2286a-cd63-70cb-9ba8-e3c15608f1e4", "rows_expected": 0, "sealed_receipts": 0, "sealed_write_off_nano_usd": 0}');
insert into workspace_sinks overriding system value select * from jsonb_populate_record(null::workspace_sinks, '{"sink": "archive", "redact": ["keys"], "records": ["content", "receipts"], "version": 1, "changed_at": "2026-11-29T17:46:56.696106+00:00", "last_lost_at": "2026-11-29T17:46:56.702947+00:00", "lost_records": 2, "workspace_id": "01a2286a-c4e0-747c-88c4-15ca15314803", "receipts_from": "887:887:", "audit_position": 28, "sample_percent": 10}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0001_baseline", "sha256": "ebb659db4c12027da2ea3b5b70af0970e6dfd4c46ac4edb12d7b31bf8de53788", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0002_receipts_name_their_transaction", "sha256": "d89660b1112dceabefd3d835a0d2a86e825640738aad3236387ded5bc5c3fe65", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0003_audit_events", "sha256": "2d6de6c1ecf24deaf1b15d38f9d1805dbf2602fd6d8221a5b23a64aaefcd8de9", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0004_receipts_name_their_route", "sha256": "647a98b35b43368fe220ad736d91af073fe33c3d9b63267ef2d55aa2654d064c", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0005_alerts", "sha256": "4687662bea793a337483b4a659498c0debb0abd9ca38d7203159790a7a3272cf", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0006_identity", "sha256": "3aab94dd61f9f0fbd5f3127e63a8713558da21e16e8477d1b698befda74a17b1", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0007_payments", "sha256": "0f4bc319c797e84bdd869c6456f439429d9627eecbc7508377545df3a2ae40e4", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0008_usage", "sha256": "f096f3615f57b9b6ca1a3e256f2491d5b6ea045f7fe4d5b29726db31161a9a8d", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0009_resource_lives", "sha256": "720823a00cc8c54ac661c5f590be3b61a6f9077961e842fe805a12d82478b47f", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0010_workspace_prices", "sha256": "4f16867aac15717f2353557be32c31680888715a035081df8899c7fc8942305c", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0011_stopped_top_ups", "sha256": "a0288135fb604a9e843fd206d64e85142484f74475e9bfcb56fb3c0a5ca6aae4", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0012_refusals", "sha256": "4e45136f989938863c15b2ad5d6094131b1162a539791064e246f0bf3307b57b", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0013_last_uses", "sha256": "4d0dcf3a705cce5c129838c24c12569420fbc27a4bd732f9d4fa9292182872e0", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0014_provider_costs", "sha256": "5d0d9a4f1c73e5f99df821c1c5ddb50b22ddf1dc330b9dafca692710fdc9a8b5", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0015_console_keys", "sha256": "dafb5035af02c9e1ea243ae3afa0a3a7176ae8938e91cd6255d286ca3bbff749", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0016_usage_by_member", "sha256": "338f3ce2e3765d2a443389635bbf9cf88f48c4e2f1bc8db44650406aef1e1b3f", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0017_receipts_have_extras", "sha256": "f8912e4a25f8bf604e0fe52a7b1f40c6242b9240aa929457ee885ce9db3b9142", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0018_stored_responses", "sha256": "089a16ba83117860f47db3e163ec2da917e4054baf0fa27cf2017494a1613498", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0019_stored_response_bytes", "sha256": "00e42557b020fd1e8b061977f60c86c094ff7a7eae42068a96f09055b8cd9e78", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0020_fees", "sha256": "60f348b631539ea4e196995c93e66ce37d67570915d0b1ce486408af7f64afcb", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0021_links_name_their_makers", "sha256": "f5d2b319d1e10f03ecf63dd0979cfac80f822146dfe677c20b36801db4eb7a91", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0022_encrypted_secrets", "sha256": "7268d4770c89485bcc0349269ea76072fe8e514cef89338b5529ca36a66cc838", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0023_sign_in_networks", "sha256": "6c338250b62c39fa2efaf31be534c45f0137aacb5c6cfa984db3b5499c91038c", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0024_tokens_for_backups", "sha256": "e109c654df97b2d75a88746e6addeb1de611687704a23f1bae4e8d25fbf0c34f", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0025_member_keys_are_bounded", "sha256": "11399c572511730e5020fa14975652ba923f075c32f8148cdde39f55fcab45f3", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0026_projects_report_costs", "sha256": "e90c21368f1e811534b28c0a37b41fcde0c57c7f7245da6b645a5f92a33609f5", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0027_encrypted_responses", "sha256": "710a774743c244631da09e74b7c9c2bd8f9185a9f91fa4a7e373dc99fd113b8f", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0028_leases_in_use", "sha256": "6fc8c255cb726234369265c8c8aaf7834e8f7726dd4d3460ebb9d369c13d667c", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "apply_budget", "sha256": "38e85a64e9049fafa1bb9b8979db9615a6d046a879406654ba966605185334a1", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "apply_payment_fact", "sha256": "96ec5683385db5ce993ac8b597509d6d167209167f122071c7a53e6a06c87cab", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "begin_auto_top_up", "sha256": "2fd5b3d8d58ae61b9b998d0d673389eb3fe3faf009e3784aedddce4fb0f43e76", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "bound_transaction", "sha256": "8f46049bfb4fa8b5feb0888f673405ca21315e00288e9a383c7be7c007ac45d5", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "claim_for_late_receipt", "sha256": "d7e5423fd69cab785cd3ca405e30748b75c4ff7703498d85c5963439cfd54acb", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "claim_idempotency_key", "sha256": "24e16c30eb4d0f59ea13e78a78fc6da93db290e441b755df821585ba97556c52", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "closed_credit", "sha256": "9d1826aca7f5150b31f766acf211199d3b4e6e90c6dbc1cc85b20d6df4e2736f", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "closed_payments", "sha256": "04f3918c0b0930cebc7ab6e86e4f16d5f9dcd76f80305738fcd63f0222602038", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_draw_leases", "sha256": "4c27a5be72ef012f676aaca292a633e1a2492badad83492f6a14f2e0a02f2073", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_draw_permits", "sha256": "fd86daa8182807731e3bfdc9719d16df8377d377486cda1fbeb6a50e4b182f96", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_look_up_keys", "sha256": "ab777707a8f0872e53da6c287e6a41a2362c30a5d61f7cdffcad9e7d8fa12e2e", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_reap_epoch", "sha256": "9be3fb79ce3391afae14142b1780ab016b362cc4f3904310f9f6f8ad23efdee2", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_release_leases", "sha256": "fd88128e37f6a8b33a06da63879e5857b5648111119175cbbc64ae80a8a94293", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_settle_late_receipts", "sha256": "64d3cf3db4ab8e4891be890d61052b2a75c411ab55a24d8d95c9b559f19c92d4", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_settle_receipts", "sha256": "51d9c975be827da1e5ed2ab1ae317a28842b420ad1ff8d478344a5714de7e005", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "complete_held_claims", "sha256": "60618d5de0152765796086d39430f9aefd8255d4c0e5f6ad332574d7c5250152", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "complete_idempotent_requests", "sha256": "105b1c267bf38dc387aa2e06c7f619da88bef1aced99633f962e5fe969422821", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "correct_receipt", "sha256": "1f6daeff86f8e897a7e9132ad83507b79e67fa87d8e28886cd86ef6b8cbfb1cc", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "correct_usage", "sha256": "0ccc82b3dab895c502b37ef9cc9c07b719f7f14d446b83491cf8a54948b3a51a", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "count_version", "sha256": "0cd97a1377dff2da527066a990e103216cf03ebd0b9ed9d85588b3155276c334", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "delete_response", "sha256": "3e6a631f5c142623c7879f72a35e305b623313e22152a55ed2929dae10d741ca", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "draw", "sha256": "44cd8a9aa796d98d2af5042345d30de29f50ee6f0540407b313970b6acd2cb9d", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "draw_leases", "sha256": "2a292d8e4cfd3815dabe762e48eeeeb04fecebb6361b1ca65066fee1b794616a", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "draw_permits", "sha256": "69f689cf40165148dbe75adaabd6eddf8a88b899c5ee6eabe564f1020134fa17", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "end_statements_of", "sha256": "a576c6eb79b972f8b49644ae38b10f53cca57ccff2cee1d13767444b8dc748c8", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "fence_epoch", "sha256": "85c2ce59c6cb47060f86bc1260f22ac15f213cbf36f6aa0c2d8f01d6ac1eefe2", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_principals", "sha256": "76626cd424090d0a66037eaef5957d370b1aded8bbbc2ecfdf7c2521902bb3c5", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_purses", "sha256": "c794041895c577dd9ec6a61fb6ca1c30daeb5710e1462408443b2943d5f26868", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_response_chain", "sha256": "47ce7f6b7c89a0d2c888e06a921f315418e7c267438262eef1f70a4f608e8a56", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_response_items", "sha256": "b649d6351268dd847f983d905c14a79b264b4b23cab1f83baad9d10ef47b2082", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "fresh_id", "sha256": "07918f79e7624cd0852a20b96d076f312d48c0222150c7f7ab18b60ee3ea38b5", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "give_back_leases", "sha256": "8cfe5fb4ce1fa443554ae1e7c0417b33701e68b3421f2b2c03ecaaae88e57662", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "keep_responses", "sha256": "2668bc2ab74e6e8dc074b7598a2c0e9eb6017de60f6899ec905c2de32fdb9cb1", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "late_purses", "sha256": "a622cedc0de38acb3a859d3a5df11194b66ca166b61f639e1852bd5c6f5f6bde", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "late_receipts", "sha256": "c9b5c8a62eadf3d4032f0c7274397412606e92387050a5d1de13b4b671888029", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "ledger_is_append_only", "sha256": "090c24317091f9cf93dfdae319b3cc3f7f026f6bf87c2436ae588781e30481b6", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "ledger_posting_balances", "sha256": "975f345bd4783e6428276e27ab05f11817e8be8db0760ceda0bc6be69cd943ea", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "limit_member_keys", "sha256": "2130113a91817800949e314e5eaf538adeadf510a77adcc899d58590461894d3", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "lock_claims", "sha256": "f19dabc05cdd0c8ad7773483df8516d05c5efaed7a05eb4b189da46751dd380b", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "lock_purses", "sha256": "63ed4c0c6d06c298fd07fb3a543aa7d23de08964744daf1f52165e9bdb9a2afe", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "look_up_keys", "sha256": "e566aab90728df3c5eb7dc6eadaf68c10401e712043a36147cd84242b2f2633f", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "match_payment", "sha256": "fb56c909e6a7f3cd7cedbd6fedc34338ad63164bf1dbfbd3eecdf9f5e497d557", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "move_top_up", "sha256": "17ecf38736f61703ca4de95a5ee5a4064609fb08d173ed0b66afd3c3e80c8751", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "next_cost_time", "sha256": "b4cc9da4e7773457e26a5ac47b7073c566613849a0ce5b83df71703ca5e06a4e", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "open_purses", "sha256": "9076e37933be03735a8e54684c939cbec0a17ce5790a3aff42ec0e5ca022c4c6", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permit_parts", "sha256": "01c07276dae5dac744f6f29c8194cd52bd5d51431368e7adf93a3679455bf718", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permit_stock", "sha256": "4488f04e449b5b3ddaf3120a5160b9c9e918d6e686175383918a9e741f067eab", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permit_wait_ms", "sha256": "54861cfa8f7d027695efe63c13f150904fa6d8204330a2e564d3dfe99837b12f", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permits_taken", "sha256": "37df2526b8efba2913c66cc9cbbd9fd383dbe38c137d5f4f3ab5da7bd6dda152", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "post_credit", "sha256": "7995d67c523cac9ad6fe2d379d465bef835550fca8367995f3815e92a8d5b2bb", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "post_reversals", "sha256": "bc48253b1995e2a92ef217327c228370a51aa825e135e51f65a2f7cb5b9d19c9", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "prune_responses", "sha256": "2289ac589a1b195d9445f204d11bbf232f22cb65859e3428f9b5c54d67235275", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "read_response", "sha256": "adeda8bfc2cd11e1ba602b35b9fc65bd23fbc2532a3fd601b6af3857227cad83", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "reap_epoch", "sha256": "36172ba5b8359a0f7dab7ae749776f6abbb25b5d27066d7ca214dd41069eeee0", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "receipt_cost", "sha256": "5b6458bfdc18f8a53d198d648def8f0b7ec54e40374b0c740ed884bbcc1084e5", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "receipts_are_sealed", "sha256": "02ae37fa205a791f5b4150af20e4b223239072170e625ad092480d7f96f7b64c", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "record_reversal", "sha256": "d3b4492cd1b4c9047783e9b2cd26a4a3bd7742cf5858802b655947dd96965a57", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "redeem_code", "sha256": "e61c872db1f4dd0e2bd45f29cf69ac6d4cf988831fa0e87b9a94e537e6e57509", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "refund_closed", "sha256": "fe630a72e039e052c92ca6e42a8282b08c768709c8a47eea57ae9effa02d5f52", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "refund_closing", "sha256": "00109c0720c80bb31dd2d52231ce16cdf166114984ec9128c294e779889ec6f5", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "release_idempotency_key", "sha256": "e56a4602e4c3c9b57aff7cbf69cf2b9122c0d4d918e75b50bfbf21292fe1b5ba", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "release_leases", "sha256": "8c3d124bd45a44850976e84f114000a5ed2b41d4deee8bf77a594ffc5f7371b4", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "require_live_epoch", "sha256": "3e5da93147671fa3f440e4f056252eab78b6fcba7219ba84471c212050703413", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "settle_late_receipts", "sha256": "4e8992a82fbedfcbaf5f633cb008b627da2f1fc521e3178ec65511cc4b7cfff4", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "settle_receipts", "sha256": "a884f4077af6c1bdd7fd422ff503ebf895d515537c029a11b455aba02ff9231f", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "settle_receipts_again", "sha256": "b054f2eff8fe74895198600e9dd3fd77cc54078db57ca59238fb3f72eae862be", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "take_free_answer", "sha256": "d0fc54a4234993d238997ae0dedc1dcf359f736c4d6b3c23deafbea663a114db", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "update_key", "sha256": "456f58b8a0be4ec3253d982015cb135b40153d6bd4a5417dd57e62b4070f9af2", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "update_project", "sha256": "8d9600123c39f7c2dad8ad46c85b0518b0223255a42bc05f08d8c99c072157c9", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "wait_briefly", "sha256": "222abab4027de312fcb28d7e7057d294e6099ec3d7ab10e3fd1e6c5eef934511", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "apply_budget", "sha256": "1acad0a65dfa033553ab07afc35bac9492ec62eec6ff7c20f5d0f44c8ffa274f", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "apply_payment_fact", "sha256": "3c8f23272dfc15fe6ab217351608f38a20c62cc10c3a0823324ad59f8227734e", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "audit_event_digest", "sha256": "e1ee5158f324be8deef5fbdd8c1c26e10b7650a7242bf6f2e359aca9eff3fbef", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "begin_auto_top_up", "sha256": "129030638f2c02344c5f20f4b944eb94c2fac26c6d3dc0ec1125ad0a863fe695", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "bound_transaction", "sha256": "8f46049bfb4fa8b5feb0888f673405ca21315e00288e9a383c7be7c007ac45d5", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "claim_for_late_receipt", "sha256": "d7e5423fd69cab785cd3ca405e30748b75c4ff7703498d85c5963439cfd54acb", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "claim_idempotency_key", "sha256": "24e16c30eb4d0f59ea13e78a78fc6da93db290e441b755df821585ba97556c52", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "closed_credit", "sha256": "9d1826aca7f5150b31f766acf211199d3b4e6e90c6dbc1cc85b20d6df4e2736f", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "closed_payments", "sha256": "7f3bcede09c8efecde9a35c4b191306f8568dd29f451305538e33c37d04771e1", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_draw_leases", "sha256": "84af03335e4285dcc2409f5b1c93d733eceb20aec976c0e99d4424b1d67d721e", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_draw_permits", "sha256": "fd86daa8182807731e3bfdc9719d16df8377d377486cda1fbeb6a50e4b182f96", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_look_up_keys", "sha256": "dd28780a214fedaa74402f3ac90c58b2d217c5f2dcd506c78575e1d764cb3a35", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_reap_epoch", "sha256": "9be3fb79ce3391afae14142b1780ab016b362cc4f3904310f9f6f8ad23efdee2", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_release_leases", "sha256": "fd88128e37f6a8b33a06da63879e5857b5648111119175cbbc64ae80a8a94293", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_settle_late_receipts", "sha256": "64d3cf3db4ab8e4891be890d61052b2a75c411ab55a24d8d95c9b559f19c92d4", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_settle_receipts", "sha256": "51d9c975be827da1e5ed2ab1ae317a28842b420ad1ff8d478344a5714de7e005", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "complete_held_claims", "sha256": "60618d5de0152765796086d39430f9aefd8255d4c0e5f6ad332574d7c5250152", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "complete_idempotent_requests", "sha256": "105b1c267bf38dc387aa2e06c7f619da88bef1aced99633f962e5fe969422821", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "correct_receipt", "sha256": "d1363fd84e194c39cbf733212176229e0f77ebb42b77441b3ac0b2f628f69ca9", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "correct_usage", "sha256": "0ccc82b3dab895c502b37ef9cc9c07b719f7f14d446b83491cf8a54948b3a51a", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "count_grants", "sha256": "ee38f91365fc02aa9047fe94a9436d4db316a4d8b332c15a94d0723530338f44", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "count_version", "sha256": "16f0f8f12072e805135bd2f810cfc5fd18db4374f405d1109b754cb22f599a73", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "delete_response", "sha256": "3e6a631f5c142623c7879f72a35e305b623313e22152a55ed2929dae10d741ca", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "draw", "sha256": "7f9c519d88483ad43dd0ad550c9bbd621f90a2e8b3a6ad7eac47dc0faa9d14e2", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "draw_leases", "sha256": "109324e4f727071bb32af50eaf0ff5103fb3eb7518e34ee2239683ea85f3653c", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "draw_permits", "sha256": "69f689cf40165148dbe75adaabd6eddf8a88b899c5ee6eabe564f1020134fa17", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "end_statements_of", "sha256": "a576c6eb79b972f8b49644ae38b10f53cca57ccff2cee1d13767444b8dc748c8", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "expire_grant", "sha256": "5a3a16e579f1496639758409f4f0cc6b94e113731f9eb21224c84ca5ec2f6c9a", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "fence_epoch", "sha256": "85c2ce59c6cb47060f86bc1260f22ac15f213cbf36f6aa0c2d8f01d6ac1eefe2", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "find_principals", "sha256": "c116e76b4da62146ddbc35607d9584bca7378692a3d6b958d44ede407056c52c", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "find_purses", "sha256": "753b0548dad6c4777a544fb407ab3395c0a124dc3b2cf32ea15e6ea86683be8c", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "find_response_chain", "sha256": "47ce7f6b7c89a0d2c888e06a921f315418e7c267438262eef1f70a4f608e8a56", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "find_response_items", "sha256": "b649d6351268dd847f983d905c14a79b264b4b23cab1f83baad9d10ef47b2082", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "fresh_id", "sha256": "07918f79e7624cd0852a20b96d076f312d48c0222150c7f7ab18b60ee3ea38b5", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "give_back_leases", "sha256": "8cfe5fb4ce1fa443554ae1e7c0417b33701e68b3421f2b2c03ecaaae88e57662", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "give_back_to_grants", "sha256": "a73db84e3e307acb41b742a51a0dad63eb36b793c233b2451af6084512d334af", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "keep_audit_event", "sha256": "c7c58ffd398d3833f326b469020fa71a065ddb18eb9f0a4138e39598a2a3e13e", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "keep_paused", "sha256": "b7b011994de163b3eb8b8cf097e9f612f1adbffa8ac447ea18cf6a0f1ebf418c", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "keep_posting", "sha256": "ea707fce4065a393600a41af195c764ebcc248a07e6dd2c4e01399f70b4aec0d", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "keep_responses", "sha256": "2668bc2ab74e6e8dc074b7598a2c0e9eb6017de60f6899ec905c2de32fdb9cb1", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "late_purses", "sha256": "faf8a4faa63f65ed7c630e4b1893cac213170a28bb10d37eb27b375ed0cbdab6", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "late_receipts", "sha256": "c9b5c8a62eadf3d4032f0c7274397412606e92387050a5d1de13b4b671888029", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "late_served", "sha256": "211a8813aad776b723725efe1b73be6092eebeb4e2b31286de5bc46bc655623f", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "ledger_is_append_only", "sha256": "090c24317091f9cf93dfdae319b3cc3f7f026f6bf87c2436ae588781e30481b6", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "ledger_posting_balances", "sha256": "975f345bd4783e6428276e27ab05f11817e8be8db0760ceda0bc6be69cd943ea", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "limit_member_keys", "sha256": "e39bd7fcefb37370518341035d9cb202a5cdc3e1c2145802cdd36198620bf88f", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "limit_now", "sha256": "b8e123d269ad460e054e4209fafe8a3124987f6c3edad1f3f4390e173b5c8f96", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "link_audit_event", "sha256": "42ee2f1b06d21a55e1c9e950198638b21fdeb8052de69170e4329eb0672c1a68", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "live_grants", "sha256": "c31aea9ae4e2391947a1b1abcb6166f2c6bd0c57e7b44516477c00718d095591", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "lock_claims", "sha256": "f19dabc05cdd0c8ad7773483df8516d05c5efaed7a05eb4b189da46751dd380b", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "lock_number", "sha256": "8f118c84340247f8f43159e7f4549e45602c077f4541be6f95349fa177c83b2f", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "lock_purses", "sha256": "63ed4c0c6d06c298fd07fb3a543aa7d23de08964744daf1f52165e9bdb9a2afe", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "look_up_keys", "sha256": "3bbda685aea97d06a22f7f66d2359c48c812074a5037f4d121591a0f3e21ec76", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "match_payment", "sha256": "191e2a2c52b389b1eb874f0d41cf6b1a893a50ab77a2ecd7bff3d6941d250c63", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "move_top_up", "sha256": "b0cd1c8f386ab38f7de61f3afd1538f53502b25a904a8aa22ed4ffffa599b1ff", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "next_cost_time", "sha256": "0857d106c70f3033084455dfbe6a333fa4ed4c431c921a6032c0e8b4e9e5d303", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "next_expiries", "sha256": "fcbb13c423a551d5265adb790b1e0361f50e5fc46d92d99cfde257321b36ff6e", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "open_purses", "sha256": "de7ea834edb468e153e7989d4ca2518af44941dbda0b150b6e4e169a3a5e55a7", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "permit_parts", "sha256": "01c07276dae5dac744f6f29c8194cd52bd5d51431368e7adf93a3679455bf718", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "permit_stock", "sha256": "4488f04e449b5b3ddaf3120a5160b9c9e918d6e686175383918a9e741f067eab", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "permit_wait_ms", "sha256": "54861cfa8f7d027695efe63c13f150904fa6d8204330a2e564d3dfe99837b12f", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "permits_taken", "sha256": "37df2526b8efba2913c66cc9cbbd9fd383dbe38c137d5f4f3ab5da7bd6dda152", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "post_credit", "sha256": "eb413246b940a2c8d8fbd46e6bbdfd08a51940a7e3a53e0506695d4ee0c3a5d4", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "post_recurring_grant", "sha256": "db17d11c0b34e7de1041064fd554188c583f3f83dbf3158dacebf4dcff14d429", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "post_reversals", "sha256": "da6ac66fbafab9a98c1a59551f3144ba2c114639d482568211b4f7f31d72e4a8", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "prune_responses", "sha256": "2289ac589a1b195d9445f204d11bbf232f22cb65859e3428f9b5c54d67235275", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "read_response", "sha256": "adeda8bfc2cd11e1ba602b35b9fc65bd23fbc2532a3fd601b6af3857227cad83", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "reap_epoch", "sha256": "36172ba5b8359a0f7dab7ae749776f6abbb25b5d27066d7ca214dd41069eeee0", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "receipt_cost", "sha256": "a58b951168c31077902d7b68c2564e5504fa9d2632ee4c90a42328a83af707c1", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "receipts_are_sealed", "sha256": "02ae37fa205a791f5b4150af20e4b223239072170e625ad092480d7f96f7b64c", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "record_reversal", "sha256": "d3b4492cd1b4c9047783e9b2cd26a4a3bd7742cf5858802b655947dd96965a57", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "redeem_code", "sha256": "e61c872db1f4dd0e2bd45f29cf69ac6d4cf988831fa0e87b9a94e537e6e57509", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "refund_closed", "sha256": "fe630a72e039e052c92ca6e42a8282b08c768709c8a47eea57ae9effa02d5f52", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "refund_closing", "sha256": "00109c0720c80bb31dd2d52231ce16cdf166114984ec9128c294e779889ec6f5", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "release_idempotency_key", "sha256": "e56a4602e4c3c9b57aff7cbf69cf2b9122c0d4d918e75b50bfbf21292fe1b5ba", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "release_leases", "sha256": "8c3d124bd45a44850976e84f114000a5ed2b41d4deee8bf77a594ffc5f7371b4", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "renew_limits", "sha256": "e5700f503bf72c33509e577f4d366d976d13e51a4edfb86830a5df89372b94f3", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "require_live_epoch", "sha256": "3e5da93147671fa3f440e4f056252eab78b6fcba7219ba84471c212050703413", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "returned_credit", "sha256": "c1f9136461e5ae9c2b27c3f01163c9db9505cd66503e04bafa4fc7e548dcd0dc", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "served_limit", "sha256": "11a94a8dda59c67e09ed76a2d26cead2c28e077761a450c5faab11f90e8dd25e", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "set_member_limit", "sha256": "45439700faea49f59ccfa6d76baf493e02a1629597486b8af2e25e39ebf423d3", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "settle_late_receipts", "sha256": "6ad065006424760162d6d0eb40d83ca46c7e413dabe04683b31285e711dd7c5d", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "settle_receipts", "sha256": "5b39b418f4e9d665d1c914778459e948e8cb4349ebd23abfdcf2f8239765c5d6", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "settle_receipts_again", "sha256": "63ac70acc22c08f81f0ec74ab5cd98a565aad04f78d7671ea0d35c141cf71b4f", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "share_posting", "sha256": "b5968eda44df69cdb6b96710a6e63e0b79b9adecef64f41a5b46d92eb13ae5bb", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "take_free_answer", "sha256": "d0fc54a4234993d238997ae0dedc1dcf359f736c4d6b3c23deafbea663a114db", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "take_from_grants", "sha256": "a0d836bfe4608df68837acaf9ff9b53206b7abfd6079f2231389aeb2c9e55c26", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "update_key", "sha256": "bdb5b02333dc404beeabf10a4dbee1c5b708c29d3248b8ab6be1629dfc9a755f", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "update_project", "sha256": "52fdce09ac84bc85e37eeae6733a478f7285d8754fcb29db5dcd105540dba260", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "wait_briefly", "sha256": "222abab4027de312fcb28d7e7057d294e6099ec3d7ab10e3fd1e6c5eef934511", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0001_baseline", "sha256": "ebb659db4c12027da2ea3b5b70af0970e6dfd4c46ac4edb12d7b31bf8de53788", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0002_receipts_name_their_transaction", "sha256": "d89660b1112dceabefd3d835a0d2a86e825640738aad3236387ded5bc5c3fe65", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0003_audit_events", "sha256": "2d6de6c1ecf24deaf1b15d38f9d1805dbf2602fd6d8221a5b23a64aaefcd8de9", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0004_receipts_name_their_route", "sha256": "647a98b35b43368fe220ad736d91af073fe33c3d9b63267ef2d55aa2654d064c", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0005_alerts", "sha256": "4687662bea793a337483b4a659498c0debb0abd9ca38d7203159790a7a3272cf", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0006_identity", "sha256": "3aab94dd61f9f0fbd5f3127e63a8713558da21e16e8477d1b698befda74a17b1", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0007_payments", "sha256": "0f4bc319c797e84bdd869c6456f439429d9627eecbc7508377545df3a2ae40e4", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0008_usage", "sha256": "f096f3615f57b9b6ca1a3e256f2491d5b6ea045f7fe4d5b29726db31161a9a8d", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0009_resource_lives", "sha256": "720823a00cc8c54ac661c5f590be3b61a6f9077961e842fe805a12d82478b47f", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0010_workspace_prices", "sha256": "4f16867aac15717f2353557be32c31680888715a035081df8899c7fc8942305c", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0011_stopped_top_ups", "sha256": "a0288135fb604a9e843fd206d64e85142484f74475e9bfcb56fb3c0a5ca6aae4", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0012_refusals", "sha256": "4e45136f989938863c15b2ad5d6094131b1162a539791064e246f0bf3307b57b", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0013_last_uses", "sha256": "4d0dcf3a705cce5c129838c24c12569420fbc27a4bd732f9d4fa9292182872e0", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0014_provider_costs", "sha256": "5d0d9a4f1c73e5f99df821c1c5ddb50b22ddf1dc330b9dafca692710fdc9a8b5", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0015_console_keys", "sha256": "dafb5035af02c9e1ea243ae3afa0a3a7176ae8938e91cd6255d286ca3bbff749", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0016_usage_by_member", "sha256": "338f3ce2e3765d2a443389635bbf9cf88f48c4e2f1bc8db44650406aef1e1b3f", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0017_receipts_have_extras", "sha256": "f8912e4a25f8bf604e0fe52a7b1f40c6242b9240aa929457ee885ce9db3b9142", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0018_stored_responses", "sha256": "089a16ba83117860f47db3e163ec2da917e4054baf0fa27cf2017494a1613498", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0019_stored_response_bytes", "sha256": "00e42557b020fd1e8b061977f60c86c094ff7a7eae42068a96f09055b8cd9e78", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0020_fees", "sha256": "60f348b631539ea4e196995c93e66ce37d67570915d0b1ce486408af7f64afcb", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0021_links_name_their_makers", "sha256": "f5d2b319d1e10f03ecf63dd0979cfac80f822146dfe677c20b36801db4eb7a91", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0022_encrypted_secrets", "sha256": "7268d4770c89485bcc0349269ea76072fe8e514cef89338b5529ca36a66cc838", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0023_sign_in_networks", "sha256": "6c338250b62c39fa2efaf31be534c45f0137aacb5c6cfa984db3b5499c91038c", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0024_tokens_for_backups", "sha256": "e109c654df97b2d75a88746e6addeb1de611687704a23f1bae4e8d25fbf0c34f", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0025_member_keys_are_bounded", "sha256": "11399c572511730e5020fa14975652ba923f075c32f8148cdde39f55fcab45f3", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0026_projects_report_costs", "sha256": "e90c21368f1e811534b28c0a37b41fcde0c57c7f7245da6b645a5f92a33609f5", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0027_encrypted_responses", "sha256": "710a774743c244631da09e74b7c9c2bd8f9185a9f91fa4a7e373dc99fd113b8f", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0028_leases_in_use", "sha256": "6fc8c255cb726234369265c8c8aaf7834e8f7726dd4d3460ebb9d369c13d667c", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0029_audit_chains", "sha256": "4ffd1e8c25941754f5be0e97b93013ea469179f4c683c8d621f30e8c4c3f4803", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0030_workspace_access", "sha256": "42da6b588046e42a04a5ca1faada4d50738a09ee76808c5adf8ebc734aad4663", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0031_directories", "sha256": "9ddb5cb2e5bf4c647d8b208fcb04b9b0fa5cf429f3bd9581633601228355d4b4", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0032_sinks", "sha256": "fbf9d7983c467e655282bc20a0bc83a23f222dbfa0b1178d0917bf85b7c31ea9", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0033_retention", "sha256": "09db4c608d13efd70a72104cb189979e615c1cffaa4b6a1d5973a88f0241acee", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0034_passkeys", "sha256": "a114600eb3b68f0cea286f9b6216ceda77a4faf85eddac94a1316ef29ab73a5b", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0035_shards", "sha256": "0f4ef75f979be715bd986164c20db895785a1e5f05ff08cdcac0787f0b1b127b", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0036_member_limits", "sha256": "71262be8a606b667238ed82bca237936dafa5f79810aa132c28ed0a5c29d5cea", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0037_route_hours", "sha256": "bc1ecc006ce3786120cfa6773802cf5f1e80ae9df839e837492dc3a3c1ad301f", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0038_member_role", "sha256": "06a782bcc373b7b4e870204b8b80d4bac3d600d4874a0e97748df8382cfba5d7", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0039_service_tiers", "sha256": "33705f5fe74c4fc81b96992abc2da954c7c3caeae34c0ca9caa4766c10683f1c", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0040_offer_declarations", "sha256": "7622d46c88d3c9becf371f228b8957406932c0809a77fb2d14bc4efa4d541133", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0041_colleagues", "sha256": "5d54cca08bc8c73486ea47333fea070eb89511b25b007f9bb66ee622b84c7632", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0042_requested_models", "sha256": "7e690b53e057284c02dab29a95d6cfc3c16694d2358eb82d4a5d967d83291a42", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0043_owner_suspensions", "sha256": "9164b1dc17c8e783adf8d8021fbe1f07df576223bd96186ad4a79278ed10006d", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0049_expiring_credit", "sha256": "bb569632de3d7331885add358d4030f9dc9633439569c0bf86e14ad6fdbcad96", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0050_raised_limits", "sha256": "3b6d310f75de9651bd3aaa299ec2f08ef6e9f47b39842c60e2d1b32eedbce716", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0051_served_limits", "sha256": "3fdfbbee184036703a26fa37b7ed258057d6062b747211769837f57084eba032", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0052_billing_parties", "sha256": "eb9d90e4a37b738535f1450a5b493e69c07b21c56d8ef3769027c162315aedcb", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0053_default_alerts", "sha256": "8f32d56a68f696c9ac2ae1f6a217ba7e058658c8e5bada0c263b100c91ab4f09", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0054_models_when_spent", "sha256": "b33fdb53e55210f8428e1c716e7e694360390a3aec719c5540adaab44928f647", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0055_payment_tax", "sha256": "fa06f92fac6182b59702f977d3d5afcc1a697cf3917ef6307bdfaa810433d7f6", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0056_alert_kinds", "sha256": "4ce57a0e9982d73cf53e16a79fb5d80dffc848cc0d4d76f4e28563ee3cc2ff58", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0057_cells", "sha256": "7f5a337842f1c585df4f5286efe85411d8b2ee2014e757a582697c1f7c615752", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0059_end_user_limits", "sha256": "ad31936066f1ffd95913e491a7c13abae90e7ce358393c8cd55c3f073e262118", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0060_alerts_of_served", "sha256": "f528141e0067d55cbd380309e57608d8f8c417176a2a4a17c05b8ca94b3215de", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0061_workspace_moves", "sha256": "821d0ad23a139a80143219155d76497daad553bee7886d6ac7fa9a4adedc6c33", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0062_moves_ahead_of_the_pause", "sha256": "f06062a2cc8e778298f88c158f059bbeec79a4f7eab2d229c385f784f545a846", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0064_affinity", "sha256": "d2faebb96cdf8346ab84b916bfb81eee6357b845c1fa128608d15472b8523a2a", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0065_receipts_by_tier", "sha256": "42b16f618488cfa96b5f42757dfa10505f0b8927f7e807db9913aa7025117512", "applied_at": "2026-11-29T17:46:52.930308+00:00"}');
insert into schema_programs overriding system value select * from jsonb_populate_record(null::schema_programs, '{"digest": "ed09e157a4e12c81f143e499dc83f36ab2863f0f3db9174f22cf3f5fae14da00", "version": "0.2.0"}');
insert into schema_programs overriding system value select * from jsonb_populate_record(null::schema_programs, '{"digest": "f3e88740da2f7dd6223d37ebdb332691718e49f229a0285e779b5f76c97d2770", "version": "0.2.0"}');

CREATE TRIGGER receipts_sealed BEFORE INSERT OR DELETE OR UPDATE ON public.receipts_2026_w23 FOR EACH ROW EXECUTE FUNCTION receipts_are_sealed();
select setval('arriving_rows_number_seq', 1);
select setval('changes_id_seq', 58);
select setval('fresh_ids', 32);
select setval('ledger_postings_number_seq', 11);
select setval('ledger_verifications_id_seq', 1);
select setval('quarantined_receipts_id_seq', 1);
