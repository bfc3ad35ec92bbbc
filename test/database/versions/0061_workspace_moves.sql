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
--   ignored              it is about none of our top-ups, or about one of a workspace that lives in another cell, which applies it
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
    on conflict (provider, id) do nothing;
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
-- From a purse that is shut nothing more is granted: a lease of it keeps what it uses, and none is made. The mode of such a reply
-- is 'shut'.
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
      p.leased_nano_usd as leased, p.mode as purse_mode, p.shut as is_shut,
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
    v_asks := false;
    if r.is_brief and r.lease_sequence = 0 and r.keep = 0 then
      v_available := r.purse_limit - r.spent - r.leased - r.charged_foreign_open;
      v_asks := not exists (
        select from unnest(r.needs) as n (need)
        where r.purse_limit is null or (n.need <= v_available and not r.is_foreign_open)
      );
      v_applies := not v_asks;
    elsif r.is_shut then
      r.needs := '{}';
      r.ahead := 0;
      v_asks := r.lease_sequence = 0;
      v_applies := v_applies and not v_asks;
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
-- too, so a posting comes before it, or sees it. What is given with p_expires is a grant of its own: share_posting follows those.
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
  -- What is paid late while a workspace is copied would be paid here alone.
  if exists (
    select from late_receipts(p_receipts) l join workspaces w on w.id = l.workspace where w.paused_at is not null
  ) then
    raise exception 'a workspace is moving to another cell' using errcode = 'lock_not_available';
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
      session, left_out, retry, uses, service_tier, requested_model
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
      r.extras -> 'uses', r.extras ->> 'service_tier', r.extras ->> 'requested_model'
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
--                           retry, uses, service_tier and requested_model; left out if no receipt does
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
    session, left_out, retry, uses, service_tier, requested_model
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
    extras ->> 'service_tier', extras ->> 'requested_model'
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

insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a2276d-72d9-7102-9947-2ade746fb2dd", "name": "A user", "email": "owner@example.com", "version": 1, "erased_at": null, "created_at": "2026-11-29T13:10:13.973835+00:00", "disabled_at": null, "is_operator": true, "password_hash": "$argon2id$v=19$m=64,t=1,p=1$tnStFY6K40ZbbfQGVHqYiQ$LMEFkH/gpWmm1Z//1gTrroUMTx0Ye9zJO9sj8TQHqas", "email_verified_at": null}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a2276d-73c4-7755-b3de-14ea7f146f3c", "name": "A user", "email": "second@example.com", "version": 1, "erased_at": null, "created_at": "2026-11-29T13:10:14.211105+00:00", "disabled_at": null, "is_operator": false, "password_hash": null, "email_verified_at": null}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a2276d-74fa-7126-bc52-92c6047cf563", "name": "Engineer", "email": "engineer@company.example", "version": 1, "erased_at": null, "created_at": "2026-11-29T13:10:14.511404+00:00", "disabled_at": null, "is_operator": false, "password_hash": null, "email_verified_at": "2026-11-29T13:10:14.511404+00:00"}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a2276d-7574-7747-9d9e-23356c54bf64", "name": "Ada", "email": "ada@company.example", "version": 1, "erased_at": null, "created_at": "2026-11-29T13:10:14.627242+00:00", "disabled_at": null, "is_operator": false, "password_hash": null, "email_verified_at": "2026-11-29T13:10:14.627242+00:00"}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a2276d-75e7-7246-b938-330e887969d9", "name": "Ada", "email": "left@company.example", "version": 1, "erased_at": null, "created_at": "2026-11-29T13:10:14.749566+00:00", "disabled_at": null, "is_operator": false, "password_hash": null, "email_verified_at": "2026-11-29T13:10:14.749566+00:00"}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a2276d-7b6a-76f1-a0eb-efe883f57c38", "name": "erased", "email": "01a2276d-7b6a-76f1-a0eb-efe883f57c38@erased.invalid", "version": 3, "erased_at": "2026-11-29T13:10:16.338756+00:00", "created_at": "2026-11-29T13:10:16.169951+00:00", "disabled_at": "2026-11-29T13:10:16.1972+00:00", "is_operator": false, "password_hash": null, "email_verified_at": null}');
insert into cells overriding system value select * from jsonb_populate_record(null::cells, '{"url": "https://one.gateway.example", "shard": "01", "version": 1, "added_at": "2026-11-29T13:10:17.833736+00:00", "encrypted_token": "\\x01f1eda7f9cd6e4265bc2355ee6a539cd8c99b435eace7206b120fe00d4d59ab55f2bd26c9c5f68c0b02ac2ce243c89963952ecfab20d2"}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "name": "workspace cf0d13eb-5ebb-4a05-aa95-b52e75266813", "version": 2, "moved_to": null, "paused_at": null, "closing_at": null, "created_at": "2026-11-29T13:10:11.610705+00:00", "archived_at": null, "billing_name": "Acme", "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": 200000000}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "name": "workspace 9c9bbff4-579a-42cf-8ba0-d17a7c34207b", "version": 1, "moved_to": null, "paused_at": null, "closing_at": null, "created_at": "2026-11-29T13:10:13.413119+00:00", "archived_at": null, "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a2276d-7a57-77b6-85a2-b3c57ca15425", "name": "workspace 2616d1f0-0d36-4b42-a904-927eabeaa8bb", "version": 2, "moved_to": null, "paused_at": null, "closing_at": null, "created_at": "2026-11-29T13:10:15.889058+00:00", "archived_at": null, "billing_name": null, "suspended_at": "2026-11-29T13:10:16.096029+00:00", "billing_tax_id": null, "billing_address": null, "suspension_reason": "unpaid", "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a2276d-7abe-7455-ad88-a759a5e7efa5", "name": "workspace 608b7f2e-aa4c-44eb-9229-0d5965d127e8", "version": 2, "moved_to": null, "paused_at": null, "closing_at": "2026-11-29T13:10:16.127099+00:00", "created_at": "2026-11-29T13:10:15.998419+00:00", "archived_at": null, "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a2276d-7c7c-7336-ac2b-e06dad6d959f", "name": "long ago", "version": 1, "moved_to": null, "paused_at": null, "closing_at": null, "created_at": "2026-11-29T13:10:16.438404+00:00", "archived_at": null, "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a2276d-81b3-754f-a75a-42983d95486f", "name": "archived", "version": 2, "moved_to": null, "paused_at": null, "closing_at": null, "created_at": "2026-11-29T13:10:17.77945+00:00", "archived_at": "2026-11-29T13:10:17.810379+00:00", "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a2276d-820e-710c-874d-9bda4bd56db1", "name": "moved", "version": 2, "moved_to": "01", "paused_at": null, "closing_at": null, "created_at": "2026-11-29T13:10:17.870012+00:00", "archived_at": null, "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into members overriding system value select * from jsonb_populate_record(null::members, '{"role": "owner", "user_id": "01a2276d-72d9-7102-9947-2ade746fb2dd", "version": 1, "created_at": "2026-11-29T13:10:13.973835+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into members overriding system value select * from jsonb_populate_record(null::members, '{"role": "owner", "user_id": "01a2276d-73c4-7755-b3de-14ea7f146f3c", "version": 1, "created_at": "2026-11-29T13:10:14.211105+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into members overriding system value select * from jsonb_populate_record(null::members, '{"role": "developer", "user_id": "01a2276d-74fa-7126-bc52-92c6047cf563", "version": 1, "created_at": "2026-11-29T13:10:14.511404+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into members overriding system value select * from jsonb_populate_record(null::members, '{"role": "developer", "user_id": "01a2276d-7574-7747-9d9e-23356c54bf64", "version": 1, "created_at": "2026-11-29T13:10:14.689473+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into access_tokens overriding system value select * from jsonb_populate_record(null::access_tokens, '{"id": "01a2276d-7363-7542-80fe-8d6e13cee257", "name": "ci", "scopes": ["keys:read"], "user_id": "01a2276d-72d9-7102-9947-2ade746fb2dd", "last_four": "7WLl", "created_at": "2026-11-29T13:10:14.112814+00:00", "expires_at": "2026-11-30T13:10:14.11+00:00", "revoked_at": null, "last_used_at": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "secret_sha256": "\\x7557bbaf8fb3a81370f2724a4a6501a5181a2d5b960bcae31ee245f6e45c913a"}');
insert into access_tokens overriding system value select * from jsonb_populate_record(null::access_tokens, '{"id": "01a2276d-73de-7553-a3e9-bd544fc187ea", "name": "staff", "scopes": ["members:write", "owners:write"], "user_id": "01a2276d-73c4-7755-b3de-14ea7f146f3c", "last_four": "pB4r", "created_at": "2026-11-29T13:10:14.237656+00:00", "expires_at": "2026-11-30T13:10:14.237+00:00", "revoked_at": null, "last_used_at": "2026-11-29T13:10:14.260928+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "secret_sha256": "\\x3188912dc75e458d2021f00ab5443b4c0993050cebacc5b2c2b8cf2b2d757724"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-7672-72cb-94e6-e2fabeed0181", "kind": "provider_key_refused", "name": "Provider refuses its API key", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T13:10:14.881575+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "00000000-0000-0000-0000-000000000000"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-7672-72cb-94e7-5f8ad73f17c6", "kind": "ledger_difference", "name": "Ledger does not add up", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T13:10:14.881575+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "00000000-0000-0000-0000-000000000000"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-7672-72cb-94e8-6806cab0ca6b", "kind": "payment_after_closing", "name": "Payment for a closed workspace", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T13:10:14.881575+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "00000000-0000-0000-0000-000000000000"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-764b-75c3-aa3a-3096096d4021", "kind": "balance_below", "name": "much", "enabled": true, "mail_to": ["ops@example.com"], "version": 1, "threshold": 1000000000000, "created_at": "2026-11-29T13:10:14.859418+00:00", "mail_roles": ["owner"], "subject_id": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd0a-61775a5ad24f", "kind": "balance_share", "name": "Balance below 20 % of the last top-up", "enabled": true, "mail_to": [], "version": 1, "threshold": 20, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd0b-fdbb8dd3aaee", "kind": "balance_below", "name": "Balance below 1 USD", "enabled": true, "mail_to": [], "version": 1, "threshold": 1000000000, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd0c-aebea34e2cb1", "kind": "project_budget", "name": "Project budget used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd0d-e917a0bcbe36", "kind": "project_budget", "name": "Project budget used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd0e-a89d8af61625", "kind": "auto_top_up_stopped", "name": "Automatic top-ups have stopped", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd0f-d3ab8131329d", "kind": "key_limit", "name": "Key limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd10-dc362d1b7fd6", "kind": "key_limit", "name": "Key limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd11-51a61969997f", "kind": "member_limit", "name": "Member''s limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd12-425465d6b990", "kind": "member_limit", "name": "Member''s limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd13-cd605b3f8692", "kind": "end_user_limit", "name": "End user''s limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd14-434b7770692c", "kind": "end_user_limit", "name": "End user''s limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd15-a201b4a65e86", "kind": "session_limit", "name": "Session''s limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd16-9054386154e2", "kind": "session_limit", "name": "Session''s limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd17-28efcce13d16", "kind": "balance_share", "name": "Balance below 20 % of the last top-up", "enabled": true, "mail_to": [], "version": 1, "threshold": 20, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd18-82ee828a60b3", "kind": "balance_below", "name": "Balance below 1 USD", "enabled": true, "mail_to": [], "version": 1, "threshold": 1000000000, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd19-4fdaa3db502f", "kind": "project_budget", "name": "Project budget used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd1a-48c222ed315e", "kind": "project_budget", "name": "Project budget used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd1b-5f0dffbf4146", "kind": "auto_top_up_stopped", "name": "Automatic top-ups have stopped", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd1c-da8c2f117ace", "kind": "key_limit", "name": "Key limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd1d-ed0e503e1b4b", "kind": "key_limit", "name": "Key limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd1e-ace429e720a3", "kind": "member_limit", "name": "Member''s limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd1f-047f5af1fa95", "kind": "member_limit", "name": "Member''s limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd20-f98d6a5fa4e5", "kind": "end_user_limit", "name": "End user''s limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd21-724d13cb440e", "kind": "end_user_limit", "name": "End user''s limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd22-6436633bccad", "kind": "session_limit", "name": "Session''s limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2276d-768a-7516-bd23-2e5e218abee1", "kind": "session_limit", "name": "Session''s limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T13:10:14.916227+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975"}');
insert into alert_watches overriding system value select * from jsonb_populate_record(null::alert_watches, '{"marks": [], "looked_at": "2026-11-29T13:10:14.881575+00:00", "workspace_id": "00000000-0000-0000-0000-000000000000", "spent_nano_usd": 0, "defaults_version": 1, "credited_nano_usd": 0}');
insert into alert_watches overriding system value select * from jsonb_populate_record(null::alert_watches, '{"marks": [[1795957814916, "60000001"]], "looked_at": "2026-11-29T13:10:15.134914+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "spent_nano_usd": 60000001, "defaults_version": 3, "credited_nano_usd": 15330000000}');
insert into alert_watches overriding system value select * from jsonb_populate_record(null::alert_watches, '{"marks": [[1795957814916, "0"]], "looked_at": "2026-11-29T13:10:15.134914+00:00", "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "spent_nano_usd": 0, "defaults_version": 3, "credited_nano_usd": -20000000}');
insert into alerts overriding system value select * from jsonb_populate_record(null::alerts, '{"id": "01a2276d-76e2-709c-a78d-b6b4fb0440c6", "url": null, "kind": "balance_below", "rule_id": "01a2276d-764b-75c3-aa3a-3096096d4021", "seen_at": "2026-11-29T13:10:14.916227+00:00", "summary": "The balance of \"workspace cf0d13eb-5ebb-4a05-aa95-b52e75266813\" is 15.26 USD, below 1,000.00 USD. Of it, 0.01 USD will expire on 1 December 2026.", "raised_at": "2026-11-29T13:10:14.916227+00:00", "threshold": 1000000000000, "subject_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "window_end": null, "resolved_at": null, "subject_kind": "workspace", "subject_name": "workspace cf0d13eb-5ebb-4a05-aa95-b52e75266813", "window_start": "-infinity", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "limit_nano_usd": 1000000000000, "value_nano_usd": 15269999999}');
insert into alerts overriding system value select * from jsonb_populate_record(null::alerts, '{"id": "01a2276d-76fa-74e2-95e1-68411ae6a617", "url": null, "kind": "balance_share", "rule_id": "01a2276d-768a-7516-bd17-28efcce13d16", "seen_at": "2026-11-29T13:10:14.916227+00:00", "summary": "The balance of \"workspace 9c9bbff4-579a-42cf-8ba0-d17a7c34207b\" is -0.02 USD, below 20 % of the last top-up of 0.01 USD.", "raised_at": "2026-11-29T13:10:14.916227+00:00", "threshold": 20, "subject_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "window_end": null, "resolved_at": null, "subject_kind": "workspace", "subject_name": "workspace 9c9bbff4-579a-42cf-8ba0-d17a7c34207b", "window_start": "-infinity", "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "limit_nano_usd": 2000000, "value_nano_usd": -20000000}');
insert into alerts overriding system value select * from jsonb_populate_record(null::alerts, '{"id": "01a2276d-7705-7131-ad07-3c118e24cf10", "url": null, "kind": "balance_below", "rule_id": "01a2276d-768a-7516-bd18-82ee828a60b3", "seen_at": "2026-11-29T13:10:14.916227+00:00", "summary": "The balance of \"workspace 9c9bbff4-579a-42cf-8ba0-d17a7c34207b\" is -0.02 USD, below 1.00 USD.", "raised_at": "2026-11-29T13:10:14.916227+00:00", "threshold": 1000000000, "subject_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "window_end": null, "resolved_at": null, "subject_kind": "workspace", "subject_name": "workspace 9c9bbff4-579a-42cf-8ba0-d17a7c34207b", "window_start": "-infinity", "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "limit_nano_usd": 1000000000, "value_nano_usd": -20000000}');
insert into arrivals overriding system value select * from jsonb_populate_record(null::arrivals, '{"shard": "01", "state": "arriving", "prices": {}, "move_id": "7ca06e9b-b865-452a-ab39-ad42f54d7de9", "begun_at": "2026-11-29T13:10:17.940359+00:00", "workspace_id": "ac07be40-37d4-473c-badf-a1513ef3f75f"}');
insert into arriving_rows overriding system value select * from jsonb_populate_record(null::arriving_rows, '{"key": "p", "row": {}, "number": 1, "table_name": "projects", "workspace_id": "ac07be40-37d4-473c-badf-a1513ef3f75f"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 15, "scope_id": "00000000-0000-0000-0000-000000000000", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\xa02c3c21749eb053c808f7a606a0466af14f27419c5ddbcbc3a37ef053a4e1ad"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 45, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\x7efcc39da86d6770343310a63b8a58bb4554339a54701f73a4da8e9f1526c649"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 4, "scope_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\xd357aa2f290285ef04a93f655aa0ec7f904a842887e01e3eda251da8c4d746ee"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 3, "scope_id": "01a2276d-7a57-77b6-85a2-b3c57ca15425", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\xa0a950397fa4386b8084f14770cbe3e1e3900f6e7a533f40c54c7535fea5aac6"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 3, "scope_id": "01a2276d-7abe-7455-ad88-a759a5e7efa5", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\xa1fdf98f92f3e9559fd72ddb3f73dcee8f8885fd71687e6833d3ca8e5c890a4a"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 2, "scope_id": "01a2276d-7c7c-7336-ac2b-e06dad6d959f", "dropped_by": "01a2276d-7d0e-72d5-a9d6-a4cf4755717a", "dropped_to": 1, "chain_sha256": "\\xc1faf16212c592f3ced8fa9c395917d96e4b4cb73c114750d82016dd4581ab19"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:11.610705+00:00", "id": "01a2276d-69a6-708e-bff7-703c8d53b1e3", "after": {"name": "workspace cf0d13eb-5ebb-4a05-aa95-b52e75266813"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace cf0d13eb-5ebb-4a05-aa95-b52e75266813", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:11.734736+00:00", "id": "01a2276d-6a25-767d-94e7-8a5d439f3282", "after": {"name": "project 7665cf99-be89-4dab-8fe6-00e4682863fd", "models": ["small-chat"], "concurrency": 4, "reports_cost": true, "budget_period": "month", "budget_nano_usd": "3000000000", "end_user_period": "month", "member_keys_max": 5, "model_when_spent": null, "tokens_per_minute": 100000, "requests_per_minute": 60, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": "2500000000"}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project 7665cf99-be89-4dab-8fe6-00e4682863fd", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:11.763022+00:00", "id": "01a2276d-6a59-74f5-886a-d3b14a3b7b27", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": ["10.0.0.0/8"], "spend_limit_nano_usd": "2000000000"}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-6a36-7548-a3ad-b62a048d429d", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:11.811506+00:00", "id": "01a2276d-6a87-71b3-a13a-58e116905ab3", "after": {"model": null, "change_percent": "-5"}, "action": "price.adjust", "before": {"model": null, "change_percent": null}, "address": null, "user_id": null, "target_id": "01a2276d-6a6a-743f-ba6d-c49842e0ee35", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "price_adjustment", "target_name": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:11.855813+00:00", "id": "01a2276d-6aa8-7256-8cac-a5fb5abbc5c8", "after": {"model": null, "change_percent": "-10"}, "action": "price.adjust", "before": {"model": null, "change_percent": "-5"}, "address": null, "user_id": null, "target_id": "01a2276d-6a9c-72ff-8547-f187561014c1", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "price_adjustment", "target_name": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:11.887815+00:00", "id": "01a2276d-6acb-7432-afe5-28010e27214e", "after": {"model": "sandbox/echo", "change_percent": "25"}, "action": "price.adjust", "before": {"model": "sandbox/echo", "change_percent": null}, "address": null, "user_id": null, "target_id": "01a2276d-6ab9-7319-9a5a-cb766cdd8779", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "price_adjustment", "target_name": "sandbox/echo", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:13.370551+00:00", "id": "01a2276d-7086-77f2-8634-ffda62499cb7", "after": {"period": "month", "reason": "a \"reason\", with Ünïcode", "starts": "now", "expires": "with_period", "amount_nano_usd": "10000000", "expires_after_days": null}, "action": "recurring_grant.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-707d-7519-baa0-695973994359", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "recurring_grant", "target_name": "0.01 USD each month", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:13.413119+00:00", "id": "01a2276d-70ad-73ec-b0f1-aa33265c6af9", "after": {"name": "workspace 9c9bbff4-579a-42cf-8ba0-d17a7c34207b"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 9c9bbff4-579a-42cf-8ba0-d17a7c34207b", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:13.472432+00:00", "id": "01a2276d-70e9-751e-b552-917ffef8ae9b", "after": {"name": "project c9d87ec3-240d-4bc2-8e26-f516e36bbcd7", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-70e3-74fa-9fe6-eb0638694469", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project c9d87ec3-240d-4bc2-8e26-f516e36bbcd7", "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:13.509508+00:00", "id": "01a2276d-7110-74be-bfe4-f777d842e21f", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-7105-708e-acc2-3bf3e71606ba", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:13.536712+00:00", "id": "01a2276d-712d-7386-b863-adb7ce9783ff", "after": {"name": "revoked", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-7120-7453-a95e-b19216278e2e", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "revoked", "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:13.561477+00:00", "id": "01a2276d-714e-72a6-993c-f0e43505d217", "after": {"revoked_at": "2026-11-29T13:10:13.561Z"}, "action": "key.revoke", "before": {"revoked_at": null}, "address": null, "user_id": null, "target_id": "01a2276d-7120-7453-a95e-b19216278e2e", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "revoked", "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:13.605328+00:00", "id": "01a2276d-7179-753b-bc50-bd1701759975", "after": {"provider": "stripe", "fee_nano_usd": "800000000", "amount_nano_usd": "10000000000"}, "action": "top_up.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-7171-7537-a79d-06a3416f4b91", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "top_up", "target_name": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:13.730547+00:00", "id": "01a2276d-71ed-721b-996b-79af0f4e67d1", "after": {"provider": "stripe", "fee_nano_usd": "800000000", "amount_nano_usd": "10000000000"}, "action": "top_up.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-71e3-72b3-8301-19c410993aae", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "top_up", "target_name": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:13.753764+00:00", "id": "01a2276d-7202-755d-a271-faecb02c2a42", "after": {"sold": true, "count": 2, "reason": "sold", "expires_at": "2026-11-30T13:10:13.752Z", "amount_nano_usd": "10000000"}, "action": "codes.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-71f9-729e-a95c-a4c075c494ed", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "code_batch", "target_name": null, "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:13.772538+00:00", "id": "01a2276d-7211-7617-bb41-d0e8f39ecb84", "after": {"code": "…0SSQ"}, "action": "code.redeem", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-720c-702e-b270-8a814c5d63fb", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "top_up", "target_name": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.041861+00:00", "id": "01a2276d-732c-711b-88a5-78ad5d747f60", "after": null, "action": "authenticator.add", "before": null, "address": "192.0.2.1", "user_id": "01a2276d-72d9-7102-9947-2ade746fb2dd", "target_id": "01a2276d-72d9-7102-9947-2ade746fb2dd", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "90e768d3-655b-477a-8f1c-2e9647d04409", "target_kind": "user", "target_name": "owner@example.com", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.08574+00:00", "id": "01a2276d-734d-7096-9e21-2731e81fdbe4", "after": {"issuer": "https://login.example", "subject": "1"}, "action": "openid.link", "before": null, "address": "192.0.2.1", "user_id": "01a2276d-72d9-7102-9947-2ade746fb2dd", "target_id": "01a2276d-72d9-7102-9947-2ade746fb2dd", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "90e768d3-655b-477a-8f1c-2e9647d04409", "target_kind": "user", "target_name": "owner@example.com", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.112814+00:00", "id": "01a2276d-736a-7613-8d9b-4235fb4a7c9d", "after": {"scopes": ["keys:read"], "expires_at": "2026-11-30T13:10:14.110Z"}, "action": "access_token.create", "before": null, "address": "192.0.2.1", "user_id": "01a2276d-72d9-7102-9947-2ade746fb2dd", "target_id": "01a2276d-7363-7542-80fe-8d6e13cee257", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "90e768d3-655b-477a-8f1c-2e9647d04409", "target_kind": "access_token", "target_name": "ci", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.135766+00:00", "id": "01a2276d-7388-7019-8c36-ed723a385eeb", "after": {"role": "member"}, "action": "invitation.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-737c-7150-86bc-c487f41dfc6f", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "invitation", "target_name": "new@example.com", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.17279+00:00", "id": "01a2276d-739e-711a-8744-64b8a175339b", "after": {"access": "read_and_backup"}, "action": "operator_token.create", "before": null, "address": "192.0.2.1", "user_id": "01a2276d-72d9-7102-9947-2ade746fb2dd", "target_id": "01a2276d-739d-7342-b94f-1c727038169a", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "90e768d3-655b-477a-8f1c-2e9647d04409", "target_kind": "operator_token", "target_name": "metrics", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.237656+00:00", "id": "01a2276d-73e1-74ad-abf6-b45131345295", "after": {"scopes": ["members:write", "owners:write"], "expires_at": "2026-11-30T13:10:14.237Z"}, "action": "access_token.create", "before": null, "address": "192.0.2.1", "user_id": "01a2276d-73c4-7755-b3de-14ea7f146f3c", "target_id": "01a2276d-73de-7553-a3e9-bd544fc187ea", "actor_kind": "session", "actor_name": "second@example.com", "request_id": "5a1752d4-90cf-4724-ba0a-ace03a4add8f", "target_kind": "access_token", "target_name": "staff", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.274078+00:00", "id": "01a2276d-744d-708f-9be5-f76d49a6a123", "after": {"role": "viewer"}, "action": "invitation.create", "before": null, "address": null, "user_id": "01a2276d-73c4-7755-b3de-14ea7f146f3c", "target_id": "01a2276d-7417-76f5-84f4-e7540748558d", "actor_kind": "access_token", "actor_name": "second@example.com", "request_id": null, "target_kind": "invitation", "target_name": "third@example.com", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.371205+00:00", "id": "01a2276d-746c-75fd-8048-bbef36b57169", "after": null, "action": "password.reset_link", "before": null, "address": null, "user_id": "01a2276d-73c4-7755-b3de-14ea7f146f3c", "target_id": "01a2276d-73c4-7755-b3de-14ea7f146f3c", "actor_kind": "access_token", "actor_name": "second@example.com", "request_id": null, "target_kind": "user", "target_name": "second@example.com", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.401385+00:00", "id": "01a2276d-74a4-76a4-9ab1-ab721892dba4", "after": {"issuer": "https://login.company.example", "client_id": "faregate", "group_roles": "{\"engineers\":\"developer\"}", "client_secret": "replaced", "allowed_networks": ["0.0.0.0/0", "::/0"]}, "action": "access.update", "before": {"issuer": null, "client_id": null, "group_roles": "{}", "client_secret": null, "allowed_networks": null}, "address": null, "user_id": null, "target_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "access", "target_name": "workspace cf0d13eb-5ebb-4a05-aa95-b52e75266813", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.453403+00:00", "id": "01a2276d-74be-719b-abeb-31b4c6b07379", "after": null, "action": "domain.add", "before": null, "address": null, "user_id": null, "target_id": "unproven.example", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "domain", "target_name": "unproven.example", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.473868+00:00", "id": "01a2276d-74d0-70be-9983-2c637efb58ac", "after": null, "action": "domain.add", "before": null, "address": null, "user_id": null, "target_id": "company.example", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "domain", "target_name": "company.example", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.500872+00:00", "id": "01a2276d-74e6-75d4-8ea6-f00c3cb9c171", "after": {"by": "operator"}, "action": "domain.prove", "before": null, "address": null, "user_id": null, "target_id": "company.example", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "domain", "target_name": "company.example", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.511404+00:00", "id": "01a2276d-7501-773c-a13a-9566f197b2c2", "after": {"issuer": "https://login.company.example", "subject": "2"}, "action": "openid.link", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a2276d-74fa-7126-bc52-92c6047cf563", "actor_kind": "job", "actor_name": "single sign-on", "request_id": "02e43f41-951b-4585-a5da-e4019221c40a", "target_kind": "user", "target_name": "engineer@company.example", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.511404+00:00", "id": "01a2276d-751d-760b-b7ea-77e7e532a390", "after": {"role": "developer"}, "action": "member.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a2276d-74fa-7126-bc52-92c6047cf563", "actor_kind": "job", "actor_name": "single sign-on", "request_id": "02e43f41-951b-4585-a5da-e4019221c40a", "target_kind": "member", "target_name": "engineer@company.example", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.511404+00:00", "id": "01a2276d-752a-759c-aec2-1766098afa7a", "after": {"by": "openid"}, "action": "session.begin", "before": null, "address": "192.0.2.1", "user_id": "01a2276d-74fa-7126-bc52-92c6047cf563", "target_id": "01a2276d-7526-7483-a4b5-07f7c4e7ddc1", "actor_kind": "session", "actor_name": "engineer@company.example", "request_id": "02e43f41-951b-4585-a5da-e4019221c40a", "target_kind": "session", "target_name": "engineer@company.example", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.583851+00:00", "id": "01a2276d-7543-77d0-b1de-f0243b78fa15", "after": null, "action": "directory_token.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "directory", "target_name": "workspace cf0d13eb-5ebb-4a05-aa95-b52e75266813", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.627242+00:00", "id": "01a2276d-757d-72a4-96d5-830f7b01f517", "after": {"email": "ada@company.example", "active": true, "external_id": "1"}, "action": "directory_user.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a2276d-7579-71dd-912d-e5a7eb169b35", "actor_kind": "job", "actor_name": "directory", "request_id": "d0ba1b17-a339-4eac-9240-3ba2547321bd", "target_kind": "directory_user", "target_name": "ada@company.example", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.689473+00:00", "id": "01a2276d-75b9-7676-9b46-bae819d9ee94", "after": {"members": 1, "external_id": "2"}, "action": "directory_group.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a2276d-75a6-73e4-a6ce-4cde625bc37b", "actor_kind": "job", "actor_name": "directory", "request_id": "d0ba1b17-a339-4eac-9240-3ba2547321bd", "target_kind": "directory_group", "target_name": "engineers", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.689473+00:00", "id": "01a2276d-75cf-72a8-a3f0-ec78a5df4e2f", "after": {"role": "developer"}, "action": "member.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a2276d-7574-7747-9d9e-23356c54bf64", "actor_kind": "job", "actor_name": "directory", "request_id": "d0ba1b17-a339-4eac-9240-3ba2547321bd", "target_kind": "member", "target_name": "ada@company.example", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.749566+00:00", "id": "01a2276d-75ed-7064-a530-6dfc0252f754", "after": {"email": "left@company.example", "active": false, "external_id": null}, "action": "directory_user.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a2276d-75eb-7341-9601-c757d6a56827", "actor_kind": "job", "actor_name": "directory", "request_id": "d0ba1b17-a339-4eac-9240-3ba2547321bd", "target_kind": "directory_user", "target_name": "left@company.example", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.749566+00:00", "id": "01a2276d-760d-75d2-a83a-6b5e54a31978", "after": {"keys": 0, "sessions": 0, "access_tokens": 0}, "action": "directory_user.deactivate", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a2276d-75eb-7341-9601-c757d6a56827", "actor_kind": "job", "actor_name": "directory", "request_id": "d0ba1b17-a339-4eac-9240-3ba2547321bd", "target_kind": "directory_user", "target_name": "left@company.example", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.82599+00:00", "id": "01a2276d-762c-70c8-8f8a-f8d0ae9512fa", "after": {"url": "https://hooks.example/", "enabled": true, "description": "ours"}, "action": "webhook.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-761a-70dd-b76c-8f0e614872b6", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "webhook", "target_name": "https://hooks.example/", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.845342+00:00", "id": "01a2276d-7646-77b3-a41b-a2c3d03d64b6", "after": {"overlap_hours": 24}, "action": "webhook.rotate", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-761a-70dd-b76c-8f0e614872b6", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "webhook", "target_name": "https://hooks.example/", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:14.859418+00:00", "id": "01a2276d-7655-742b-baeb-8b54bb782326", "after": {"kind": "balance_below", "name": "much", "enabled": true, "mail_to": ["ops@example.com"], "threshold": "1000000000000", "mail_roles": ["owner"], "subject_id": null}, "action": "alert_rule.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-764b-75c3-aa3a-3096096d4021", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "alert_rule", "target_name": "much", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:15.153972+00:00", "id": "01a2276d-7786-728c-bc35-d3cf5275a03e", "after": {"redact": ["keys"], "records": ["content", "receipts"], "sample_percent": 10}, "action": "sink.update", "before": {"redact": [], "records": [], "sample_percent": 100}, "address": null, "user_id": null, "target_id": "archive", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "sink", "target_name": "archive", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:15.207963+00:00", "id": "01a2276d-77b5-77d0-afee-3dd2bf91430d", "after": {"billing_name": "Acme", "member_monthly_limit_nano_usd": "200000000"}, "action": "workspace.update", "before": {"billing_name": null, "member_monthly_limit_nano_usd": null}, "address": null, "user_id": null, "target_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace cf0d13eb-5ebb-4a05-aa95-b52e75266813", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:15.241473+00:00", "id": "01a2276d-77d6-7253-a72b-253a302c846c", "after": {"name": "of a member", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-77c9-72f9-90b7-9817ebfd21eb", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "of a member", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:15.37459+00:00", "id": "01a2276d-7857-7552-913d-8b7f5303b31c", "after": {"name": "raised", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": "500000000"}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-7850-77a3-ba81-499b9ec05509", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "raised", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:15.392652+00:00", "id": "01a2276d-7868-7522-bd5c-f1c7fff91266", "after": {"raised_until": "2099-01-01T00:00:00.000Z", "raised_limit_nano_usd": "900000000"}, "action": "key.update", "before": {"raised_until": null, "raised_limit_nano_usd": null}, "address": null, "user_id": null, "target_id": "01a2276d-7850-77a3-ba81-499b9ec05509", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "raised", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:15.427552+00:00", "id": "01a2276d-7885-71b6-a3b1-d9ff4b846c73", "after": {"name": "raised", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": "500000000", "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-7884-70ff-823b-a1759e54e100", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "raised", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:15.449546+00:00", "id": "01a2276d-789f-7610-a88b-7428edd8e686", "after": {"raised_until": "2099-01-01T00:00:00.000Z", "model_when_spent": "small-chat", "raised_limit_nano_usd": "900000000"}, "action": "project.update", "before": {"raised_until": null, "model_when_spent": null, "raised_limit_nano_usd": null}, "address": null, "user_id": null, "target_id": "01a2276d-7884-70ff-823b-a1759e54e100", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "raised", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:15.505112+00:00", "id": "01a2276d-78d4-7132-bbb7-224198376736", "after": {"name": "serves many", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": "100000000", "end_user_limit_nano_usd": "200000000", "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-78d1-72b3-a6f4-18bed64cdf93", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "serves many", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:15.525988+00:00", "id": "01a2276d-78ee-771f-ab7e-31077eff6c32", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-78e6-7604-879d-f46307a79de5", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:15.667138+00:00", "id": "01a2276d-798c-7535-a6cc-952e3457fbad", "after": {"raised_until": "2099-01-01T00:00:00.000Z", "limit_nano_usd": "300000000", "raised_limit_nano_usd": "900000000"}, "action": "end_user.limit", "before": null, "address": null, "user_id": null, "target_id": "a33af091-4b27-af1c-f618-b95aae6d9fad", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "end_user", "target_name": "serves many", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:15.715299+00:00", "id": "01a2276d-79ae-7042-b24f-d4797e3b03f2", "after": {"name": "rotated", "models": null, "metadata": "{\"team\":\"search\"}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-79a4-70ef-8ff4-8d1df68c981d", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "rotated", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:15.741213+00:00", "id": "01a2276d-79e1-77b5-9de2-bca711962334", "after": {"masked_key": "fg_live_007lMWCrJjpQ3R…siPR", "former_secret_until": "2026-12-29T13:10:15.741Z"}, "action": "key.rotate", "before": {"masked_key": "fg_live_00zTAyoJNnThDf…Pf06"}, "address": null, "user_id": null, "target_id": "01a2276d-79a4-70ef-8ff4-8d1df68c981d", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "rotated", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:15.783539+00:00", "id": "01a2276d-79f5-7430-8f3d-94cb95a3f18d", "after": {"name": "disabled", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-79e7-7190-ac90-d62f09e25a5f", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "disabled", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:15.80426+00:00", "id": "01a2276d-79ff-72d2-9de4-d003b683937c", "after": {"disabled_at": "2026-11-29T13:10:15.807Z"}, "action": "key.update", "before": {"disabled_at": null}, "address": null, "user_id": null, "target_id": "01a2276d-79e7-7190-ac90-d62f09e25a5f", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "disabled", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:15.838095+00:00", "id": "01a2276d-7a21-7670-94bc-a730c3ac402d", "after": {"name": "archived", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-7a1e-7176-b133-0ab8a1dc6bf6", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "archived", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:15.861805+00:00", "id": "01a2276d-7a3d-736f-9973-545b7137122a", "after": null, "action": "project.archive", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-7a1e-7176-b133-0ab8a1dc6bf6", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "archived", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:15.889058+00:00", "id": "01a2276d-7a58-70db-8a18-2b62fddec0e9", "after": {"name": "workspace 2616d1f0-0d36-4b42-a904-927eabeaa8bb"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-7a57-77b6-85a2-b3c57ca15425", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 2616d1f0-0d36-4b42-a904-927eabeaa8bb", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:15.929707+00:00", "id": "01a2276d-7a7e-701a-980e-6ba1be266b70", "after": {"name": "project 007ecd88-c01d-43d8-a1e6-757305528019", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-7a79-77e9-828e-9ac44c708392", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project 007ecd88-c01d-43d8-a1e6-757305528019", "workspace_id": "01a2276d-7a57-77b6-85a2-b3c57ca15425"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:15.968042+00:00", "id": "01a2276d-7aac-7501-8270-1ba8ccb5f698", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-7aa1-7124-af0e-d3559af5705b", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a2276d-7a57-77b6-85a2-b3c57ca15425"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:15.998419+00:00", "id": "01a2276d-7ac3-7183-a756-60775ee49dad", "after": {"name": "workspace 608b7f2e-aa4c-44eb-9229-0d5965d127e8"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-7abe-7455-ad88-a759a5e7efa5", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 608b7f2e-aa4c-44eb-9229-0d5965d127e8", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:16.043956+00:00", "id": "01a2276d-7af0-7318-8550-408c79b1a46a", "after": {"name": "project 3943aff4-e0ae-4f5f-a4a9-e1c77770ebcd", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-7aed-77dd-a698-283e4a223af7", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project 3943aff4-e0ae-4f5f-a4a9-e1c77770ebcd", "workspace_id": "01a2276d-7abe-7455-ad88-a759a5e7efa5"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:16.066083+00:00", "id": "01a2276d-7b0d-743e-8ca4-f0e3648167ba", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-7b02-7360-a36b-ca420caa86e7", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a2276d-7abe-7455-ad88-a759a5e7efa5"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:16.096029+00:00", "id": "01a2276d-7b2f-726f-946a-f911ef64b96f", "after": {"suspension_reason": "unpaid"}, "action": "workspace.suspend", "before": {"suspension_reason": null}, "address": null, "user_id": null, "target_id": "01a2276d-7a57-77b6-85a2-b3c57ca15425", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 2616d1f0-0d36-4b42-a904-927eabeaa8bb", "workspace_id": "01a2276d-7a57-77b6-85a2-b3c57ca15425"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:16.127099+00:00", "id": "01a2276d-7b50-72e3-8784-7a8b24bf8897", "after": null, "action": "workspace.close", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-7abe-7455-ad88-a759a5e7efa5", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 608b7f2e-aa4c-44eb-9229-0d5965d127e8", "workspace_id": "01a2276d-7abe-7455-ad88-a759a5e7efa5"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:16.1972+00:00", "id": "01a2276d-7be6-735e-ac8e-ed685d589cc9", "after": null, "action": "member.remove", "before": {"role": "viewer"}, "address": null, "user_id": null, "target_id": "01a2276d-7b6a-76f1-a0eb-efe883f57c38", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "member", "target_name": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:16.338756+00:00", "id": "01a2276d-7c56-744c-a58b-9131d21776e6", "after": null, "action": "user.erase", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-7b6a-76f1-a0eb-efe883f57c38", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "user", "target_name": null, "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:16.438404+00:00", "id": "01a2276d-7c80-7769-b776-f9ac3aff6ae8", "after": {"name": "long ago"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-7c7c-7336-ac2b-e06dad6d959f", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "long ago", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:16.573075+00:00", "id": "01a2276d-7d0e-72d5-a9d6-a4cf4755717a", "after": {"events": 1, "position": "1", "chain_sha256": "b77a96a4367710272e1f492b0d5784d8f8317774b967dd632e2915d9b8b75461"}, "action": "audit.drop", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-7c7c-7336-ac2b-e06dad6d959f", "actor_kind": "job", "actor_name": "retention", "request_id": null, "target_kind": "audit_chain", "target_name": null, "workspace_id": "01a2276d-7c7c-7336-ac2b-e06dad6d959f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:17.77945+00:00", "id": "01a2276d-81b8-77e5-9850-a99aff8e89fe", "after": {"name": "archived"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-81b3-754f-a75a-42983d95486f", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "archived", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:17.833736+00:00", "id": "01a2276d-8202-7561-8cc1-2f1411d728ce", "after": {"url": "https://one.gateway.example"}, "action": "cell.create", "before": null, "address": null, "user_id": null, "target_id": "01", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "cell", "target_name": null, "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:10:17.870012+00:00", "id": "01a2276d-8215-74ff-94e1-6a2e26cb61ab", "after": {"name": "moved"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a2276d-820e-710c-874d-9bda4bd56db1", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "moved", "workspace_id": null}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-69a6-708e-bff7-703c8d53b1e3", "position": 1, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x97def35787c6673fd0be2f3c8a6a71c1b170618b72db230800d7cd39d4b024d4", "event_sha256": "\\xf925506704f6487cfbfb96cf37a94d120b3162acd5ffe982a4e7c2f1a7f02971"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7ac3-7183-a756-60775ee49dad", "position": 10, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xab9c31180659480c0446c47acc99983cdb1a0397bc303d7fc5c6be64cf6bdc1f", "event_sha256": "\\xde22c6822c569ad6cf9eceea1a55e46997638510ac0637b8f5aa2ffc14494738"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7c56-744c-a58b-9131d21776e6", "position": 11, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x3c57d484c2426010225ba0870247f10943d7b152d550c972665d731a52c514d4", "event_sha256": "\\x387a8622ae24a869f8813ee38fc5bcda686b98be5d84f6bb8dda37af12efe959"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7c80-7769-b776-f9ac3aff6ae8", "position": 12, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xf54fb3c6c29ebca1c32cf18eb2a3ce59827e9a5c49c8f3e9480030c02bd8388a", "event_sha256": "\\xc535b892747bddaaf9f490252e76bb79558df3922296bdb67247aec62d231b2c"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-81b8-77e5-9850-a99aff8e89fe", "position": 13, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x7f613df54b8a2302b26203d8b561e9d337ead7e1ecd516f8e300922b4633594d", "event_sha256": "\\x8a73ddef5ec26422afd6a7ab4dc609a9aa395564b9a4dc6affd2fc9dbbeb1564"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-8202-7561-8cc1-2f1411d728ce", "position": 14, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x06a0a2a425a7f9e52aa426211abe3579461258e38128a33187e86dab86fa6e22", "event_sha256": "\\x0493fb4b57b29eec58773a0fd47d77f478498d569afe180cbc88e65558df082f"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-8215-74ff-94e1-6a2e26cb61ab", "position": 15, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xa02c3c21749eb053c808f7a606a0466af14f27419c5ddbcbc3a37ef053a4e1ad", "event_sha256": "\\x2ad793ad8cc6ca86a8612e243c33c5411c00b2ac04f76e21b7439099600a3264"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-70ad-73ec-b0f1-aa33265c6af9", "position": 2, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x153da8c66ca4b0bff66331dbff082f1dac1c084e9f07d45f82b3fc3590a5753d", "event_sha256": "\\x6621ad285da0547eabd1c73f21bc4de0b519c3c610adc98e83c852c20a5775da"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7202-755d-a271-faecb02c2a42", "position": 3, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x259f131c5b76ceb82deed7ee814e700b64ea33064a92f84eeb816a37bb22123b", "event_sha256": "\\x6470dfa60203a168b0b8773142a84ce6231d06047ec8ab8ba17653549ba81084"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-732c-711b-88a5-78ad5d747f60", "position": 4, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xc1876b954ca102f885bc1bdfabeba99e596dc0f377a08a4d75ae8f3123eb181a", "event_sha256": "\\xce3f272759266cf94991d3f12bb34649544e9d60c787a5e1de8c6f0dad96836b"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-734d-7096-9e21-2731e81fdbe4", "position": 5, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x4049b01a249f40ce2b401b0d8789c38e8502fc0f7bb0f7346b9f1e4cbfa91312", "event_sha256": "\\x95e9c4c3c793ebe1ec7b8d833868fbb887ea2f023755753ee450d3af0aac243a"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-739e-711a-8744-64b8a175339b", "position": 6, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x7f537f41a971b28142ee573fd4f98086dfd1b4c424d421586711f7c13f2a9c83", "event_sha256": "\\x51ad8e4ec118083581458cb5b76784f7e70b8472b383788595303a68e58ed1d7"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7501-773c-a13a-9566f197b2c2", "position": 7, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x60e97a948d0f590c6ec0722764262fbb46aa98fe84ad0771c26020b8d7d5540e", "event_sha256": "\\x966641345e11ae15b0a7504bddd34fc1d1e2212116c4b4c5b998564fd194893a"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-752a-759c-aec2-1766098afa7a", "position": 8, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x0a8271dd237abb0ea7d1850b7201fd4304448a0a0a29b2c72553531a7ca695c3", "event_sha256": "\\x72630d0809e72d418997be71bfccc21ad5a7e87ac062d5bb1a85f29e401faddf"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7a58-70db-8a18-2b62fddec0e9", "position": 9, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x5ab16b7ba966d75038ea6895c3f7fb4e28a6311d0d8a933a2f1852a001aea9c8", "event_sha256": "\\x09b4b84256f9a6f83f97c80299c13e6ac7b11485f43b1f4889aa041fbf3a08ed"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-6a25-767d-94e7-8a5d439f3282", "position": 1, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\xc0360e98a9373e46725342299d74d545e5a69270fe468777491bfbdb35c5dc47", "event_sha256": "\\xc29d4957bbff130c939ba644d79dc7012471caccb0a06cd226003cac64823bed"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-736a-7613-8d9b-4235fb4a7c9d", "position": 10, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x1ca4ea013fda7e1d91f788d1c67067ecb2a8349c6bbd288b751f6d62e08d511a", "event_sha256": "\\xa99fd112902ba357ea61af34ecf8e6e033b770a5d6690fc95308d490e97dcd61"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7388-7019-8c36-ed723a385eeb", "position": 11, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x19a519c3520f9fd926e474762403d63fdb2cb94002e99e4f273e483c07d6b7fb", "event_sha256": "\\x07b64fc1d3b0d1ab3d082fff6c9823266ad407816673fac2e44d6098cc6c6508"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-73e1-74ad-abf6-b45131345295", "position": 12, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\xbfc0f618a3e5937a540e7d0cba1b046c1cc41f4f65e381a8c3f2a5dcb5f3ecb0", "event_sha256": "\\x8d59d8602f42e7cb6f274af61c3691f2a348f11cb603c055d67bb4008d3073dd"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-744d-708f-9be5-f76d49a6a123", "position": 13, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x371f5bd1975c8a450ea2fb04887bcae14edbfc0df60b0505fe33a117043caf03", "event_sha256": "\\x707b07bbe5ac3403ecfea1117bfd6660b8020075172c033230c5b6f8b6ed0fd4"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-746c-75fd-8048-bbef36b57169", "position": 14, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\xc8ad7f29ac92cd35a3e31b9d82b65c16ab56baeb2aa816d4f753459ce0cd3a7b", "event_sha256": "\\xe1d374219f6407367e1508a1d0b4a3e8773d335f36a649cef186685e62d1b07e"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-74a4-76a4-9ab1-ab721892dba4", "position": 15, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\xe1c5b3c5368a6b4bf7988d95b8d4b8cfb0a1ef8991ba3eda8ad108585840a1d5", "event_sha256": "\\x0928b1d84c739dace65e9c5c008e552d20f071623b14cbb531d53b2d8bb2a3ed"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-74be-719b-abeb-31b4c6b07379", "position": 16, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x012bcbab7f6447def9f22dc9b7e5db9fa401e0e59eb5a8c1a309251f72cfe544", "event_sha256": "\\xcddd10e962977b7fe213f782010952f203df807a221cee45a6e92cbff1729d4c"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-74d0-70be-9983-2c637efb58ac", "position": 17, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x05fa5efe5792b42119afe0198c8f4a13202b99de0bfe3f33c5b7171eace3a4bb", "event_sha256": "\\xc5aabc0b741803a9bd2d13042c0d1034f9771eb3fddba640c245e964aa519225"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-74e6-75d4-8ea6-f00c3cb9c171", "position": 18, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x84a10a5fb5326f27a4a53e5469d8f5ff625e8ec96814fbe19b51abd3dec108c7", "event_sha256": "\\xe7739b10d6d5078e47477e4f59d3ce52bf087ed28fdaf624da303619ea3170ae"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-751d-760b-b7ea-77e7e532a390", "position": 19, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\xc3cca67f142713eb052e475a7d678e4f049474d636504f4590ada6a346566cbe", "event_sha256": "\\xffd6e923246e8c9288f57aaef6871dfc8995efdd21d138a3efdbe3ae0f167624"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-6a59-74f5-886a-d3b14a3b7b27", "position": 2, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x30c63fe684aa1e738db1aac958cdfe296804ae0c0db0475619cd33c686f6fa1f", "event_sha256": "\\x5b5b629e9c4bbff6e26ecf109ba7131ed0ba17734a53cb15eb12e906244cda6a"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7543-77d0-b1de-f0243b78fa15", "position": 20, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x3a39dc49af7f7b4e5e9363d1b12a39aeac3667b946e8766f70924e644f0fad12", "event_sha256": "\\x5e2e5e468be505fc01c2befe711c95835e779cf189bf71dd3754faa591e2b1b0"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-757d-72a4-96d5-830f7b01f517", "position": 21, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x8de492b349f5bc79338a417976e7de6bdef2cfaa834b9e18c3b669c958fa7e2c", "event_sha256": "\\x0ce73b23770aea2396509c2ec7b8bfac8fd968f4cf28483830a9f25e7244eb68"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-75b9-7676-9b46-bae819d9ee94", "position": 22, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x90507254773df349a27368fd31b372056b0138e73279fa4298d9132c579d687c", "event_sha256": "\\xbb386a4a0cd5bdca12a964082359d434d3423c9ab9d7d4eacd0ee77e1a6a0a4f"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-75cf-72a8-a3f0-ec78a5df4e2f", "position": 23, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x5c0a61fd316ce181e1edf031513f661193e94a144cb1a379637ceedf8b95672e", "event_sha256": "\\x550bea319a0b227a539b246c32371ce8ef704a83e01ad858daa5c6a85ee16945"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-75ed-7064-a530-6dfc0252f754", "position": 24, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x9bef0195d15aec9687875fe404ba1d8cbf0905c7fdf76d14f065e33ea1c2a5b1", "event_sha256": "\\x7f27fad08a661d32baf4b76f9b5325c89eeb62364cc1a1fee90e2bc82b46844a"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-760d-75d2-a83a-6b5e54a31978", "position": 25, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x852d448f0d28adb537588ba9825470ba338c9692c7407174ee33ab1641840e5d", "event_sha256": "\\x46ca995672ab94a27f53eaec8e388e0aaf8e0de138fb285c519d11c160b45ae0"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-762c-70c8-8f8a-f8d0ae9512fa", "position": 26, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x7ed6df5008a505fa0f0d06418f518c240f9a4bcc9de9794097f13e6916c7a590", "event_sha256": "\\x752b68fddc5e1e734690331c350d02ec862571785373d3383dbc8e6a124876be"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7646-77b3-a41b-a2c3d03d64b6", "position": 27, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\xb39d3c664a0a0205dcf02bdbffb28ce04bbe9a031112b95ab4b6d2bcb5a6c9e1", "event_sha256": "\\xbe9bfd8291382988108631851944b5c8bf569ebb4f15f6f2e37856a88d600e98"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7655-742b-baeb-8b54bb782326", "position": 28, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\xa1f16544c884da0caa45fe9db16196d7ebdb91b625bdaec2364c0ca48846a99b", "event_sha256": "\\x72519ad242a133b478d0c971adfe7897fbc63fcda982390c0cb258d8666dd7ec"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7786-728c-bc35-d3cf5275a03e", "position": 29, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\xc3c8e1ab18d3e87fb949e0028fea42ef0ff9817d1d0b4ee46867ef42b26a4d71", "event_sha256": "\\x249cb743fe1a214815701ad41c7721c8ba1781a218da763e81f2223364f31cdf"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-6a87-71b3-a13a-58e116905ab3", "position": 3, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x7f9872dbc850ab6d84e33d8a1bd5ec58e5454c6661406a1b898e068b1beaef1a", "event_sha256": "\\x109dd1204b7150041b23e1c3ea1ac6f9e63d22d0cffb50ffcbcf0723136f70a7"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-77b5-77d0-afee-3dd2bf91430d", "position": 30, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\xcf1e8d13dc54b869cce3533af92406873912fa24b38d08b890239b0967cc3d28", "event_sha256": "\\x43e0e129bdbde4f6dbc061f8ef5cbec3f06143949abbab4afeb10997cc059d6e"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-77d6-7253-a72b-253a302c846c", "position": 31, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\xbb7477e305a77ae4ed1e48a0b25d28fcc3c2d2ff54f408d85c4838804f81c680", "event_sha256": "\\x9d542e5d06007af1922b6721d3570af96375246b0d29320d54ed85654f735300"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7857-7552-913d-8b7f5303b31c", "position": 32, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x2fc094cb98b16b1bc890c9aaa307aa6624ad7b0c3aeb1443baccfc204598c01e", "event_sha256": "\\x4cbe167a3903d4ff8d2f4894f185e552382677abb7fe85d1cf6e844ab4e4742e"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7868-7522-bd5c-f1c7fff91266", "position": 33, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\xd83b94822b97eae9764a8822f4a875945325803ffcf45ee0819978f5f9afd414", "event_sha256": "\\x3145c3d39d26d88a10e1ab41e38528e59f367242b8ca678528993a0dccd28960"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7885-71b6-a3b1-d9ff4b846c73", "position": 34, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x059ba098b110a812d6698db25c7e142468fc541c0ac974692afaa9861b5a1506", "event_sha256": "\\xdc247f3fa725f10c2bc2c1ccfd004d19478f958121d9d972a47872ba98bc3f29"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-789f-7610-a88b-7428edd8e686", "position": 35, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\xbe9fe43fbac61b4e4fe5fccc29502c7da1e72acf42569b531d3fe62974bab669", "event_sha256": "\\x5aa9adf0ea12383a394e086434bc4aa0beccc730e18bf9141c77222bdbf2f2a7"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-78d4-7132-bbb7-224198376736", "position": 36, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\xee1c41494ac6ab15502f30fa5ccba48633e51b5ba414e0025190c8f5f0a4d4b2", "event_sha256": "\\x5ea87f3cb134305b6c65b4007c057298cf34619390d5f461249b6d4662ca0ad2"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-78ee-771f-ab7e-31077eff6c32", "position": 37, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x6d08e7b9dfafa09e34521f5c058177d185725f461ab18b9e35151ef6725b48f6", "event_sha256": "\\xcda8d07fed6342a560f00a6bc7348134b7e845df4e1dedd91f52579639b9d003"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-798c-7535-a6cc-952e3457fbad", "position": 38, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\xdb9f3c322cec02c50f33085a00147f0b3734b870821aef3b05fd01a5588074b8", "event_sha256": "\\x9ea371e638d39414f2880c68a8774a1667c7b161c2a3958258a097a5f3be2f13"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-79ae-7042-b24f-d4797e3b03f2", "position": 39, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x4a9d6f3877684ec8bf97f57342fc515bfc144e93fe4bc98d7f2b80a71e809ca3", "event_sha256": "\\x3f57ee9395b6625bb82b7d956c292e10fe0eb3bf1a5d7503762a6faace98654e"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-6aa8-7256-8cac-a5fb5abbc5c8", "position": 4, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\xc51aaeeb4349b2e9490bc990fe311af7795e6a74da61d539db59f6a7213f3e0d", "event_sha256": "\\x474d73f97289a36f6e2f00da641d99075049d815376c86f3ab67d05a762a2bd1"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-79e1-77b5-9de2-bca711962334", "position": 40, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x53829010a36fb9c01f924875313ff0ea6b769bfdafe564def136a9284f5cf814", "event_sha256": "\\x34319a9f8ca1e39d3b45d6097506b5b0dee2311a6e62437826e601878a5af39a"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-79f5-7430-8f3d-94cb95a3f18d", "position": 41, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\xced508c42db828b4efbd4d4cb89e6494e0444d04be242a7cd1c319878e69305b", "event_sha256": "\\x9187948e42eac71e6c3eafee9f2f9166833c1107d8ff357c9465821d738e50ee"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-79ff-72d2-9de4-d003b683937c", "position": 42, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x163b6be408f50105ad051a4aa7da765b57527cae228787fee0b0c4721c0b1c3a", "event_sha256": "\\xb75005c8ad07939a905de3c036bb1f125bb64608d23e61513851359f6f014ca2"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7a21-7670-94bc-a730c3ac402d", "position": 43, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x6c99d2c6304d1f0ae30ccdd7afefcdb61af01ee2b1b01be3d3dcf14f982c8c31", "event_sha256": "\\x7fb6a04ea520bf236c0ee8b384bf8e0f5843afeb524e0f73b6feca6939c4f34b"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7a3d-736f-9973-545b7137122a", "position": 44, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\xcd4cb5b9858a1f8d56fa85dc16f0af8a1043bee39f420ad1414eb2feae2e3f3e", "event_sha256": "\\x300db0eb60914931d7b5a5e132bef95bbdfca73bdf9316db2f6e5a360b4b23b8"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7be6-735e-ac8e-ed685d589cc9", "position": 45, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x7efcc39da86d6770343310a63b8a58bb4554339a54701f73a4da8e9f1526c649", "event_sha256": "\\x74d1c332b1585862d30352c6eeffed115326467d0423d548265b8ed4e33096db"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-6acb-7432-afe5-28010e27214e", "position": 5, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x9a4aacb498cbf4ba2b95ef2ee21de5a05a9200b0d9d437c22e2ba07eb9c5de1f", "event_sha256": "\\x56d28533d53828eafd4a86a6623edfbb25bdc2b1b3fc01052b1e30ec35a25d63"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7086-77f2-8634-ffda62499cb7", "position": 6, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x6571c56bfaf76590626b624fc61c3ae1b9ac52706cee44a14cd7dc14ce2a293b", "event_sha256": "\\x7bf6adc09e34bf02af0f9b49224fbdf7c997ce4c57259e38d95ac19fd53d7ddc"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7179-753b-bc50-bd1701759975", "position": 7, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x211e17951cf0044f65dbde096080ed2258bb6ec42aae8116f869b51c628568aa", "event_sha256": "\\xc85b772e3790099e1f26babfa90bea1183f6f7d447ce3cd27429e49214d964ef"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-71ed-721b-996b-79af0f4e67d1", "position": 8, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\x0888ff9640a8c5a14fd7f744d7e0fa751836bfeb098c696621becbf1bd286eec", "event_sha256": "\\x3c23f5723629b0333b4f083f988b18fc277b3cf117ba547315d5289b40fad735"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7211-7617-bb41-d0e8f39ecb84", "position": 9, "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "chain_sha256": "\\xa40feca99e3c70a00444c1adec686c363359a1ee2c691ae91f29d41f6ada4487", "event_sha256": "\\x06900bcdb2eade879d1570e368ad06955e53da78353727df24319810658af1e2"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-70e9-751e-b552-917ffef8ae9b", "position": 1, "scope_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "chain_sha256": "\\xf68389c3aa8ba70efd795e32e219aa53779bcfddbb87ae0bd3d5086ab96151ea", "event_sha256": "\\x93199022cc818fe0c96a19391e3da0613cd58d0257845634d3bf266ced86380d"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7110-74be-bfe4-f777d842e21f", "position": 2, "scope_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "chain_sha256": "\\xb058ee52674bab3d1fde9c91aebff035a496fa5109ff9f014138de36dda7ec06", "event_sha256": "\\xcbfce53457ead659605ee6f18ed3185351d4ba4ed172a29b2ade0e62257cb487"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-712d-7386-b863-adb7ce9783ff", "position": 3, "scope_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "chain_sha256": "\\xe310ca2688c0afc5e3a86365aaa1dd73c17e9f613ee8eceac46544869a835421", "event_sha256": "\\xdac407f959ca802321d6e6e36b49b499e2fa8d5c01500b047ac6c297c2f23242"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-714e-72a6-993c-f0e43505d217", "position": 4, "scope_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "chain_sha256": "\\xd357aa2f290285ef04a93f655aa0ec7f904a842887e01e3eda251da8c4d746ee", "event_sha256": "\\x37606bc1aa96da1707ffc10b3bfc43fcefd5fd1d608c5201879081a2186312b4"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7a7e-701a-980e-6ba1be266b70", "position": 1, "scope_id": "01a2276d-7a57-77b6-85a2-b3c57ca15425", "chain_sha256": "\\x1515b699a27f5517901444aaf813a08bf6dc18be36ae5b3383f36f5806a0a229", "event_sha256": "\\xde647293f52ab33a606ecedee152cc9d725c61d559509d2c0e9c1003f34b7c8f"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7aac-7501-8270-1ba8ccb5f698", "position": 2, "scope_id": "01a2276d-7a57-77b6-85a2-b3c57ca15425", "chain_sha256": "\\x90e41b456c5e7bee9b7199474742e21b0b3242fc44a0f5ea338c771bf8d137a7", "event_sha256": "\\x328a8e41c3e35b74b51c77dc5534b392f24b4aead71864afbfed989f12119566"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7b2f-726f-946a-f911ef64b96f", "position": 3, "scope_id": "01a2276d-7a57-77b6-85a2-b3c57ca15425", "chain_sha256": "\\xa0a950397fa4386b8084f14770cbe3e1e3900f6e7a533f40c54c7535fea5aac6", "event_sha256": "\\xdec33113bbfdb07b46a332654a57cf92521a09d8b2bd0db6cba49a5153f02032"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7af0-7318-8550-408c79b1a46a", "position": 1, "scope_id": "01a2276d-7abe-7455-ad88-a759a5e7efa5", "chain_sha256": "\\xc82b1d9ca6c6d69afe1cab0ee60ec632f6e0f7a586ea29e9822a616431689a8b", "event_sha256": "\\x5b7d779009e733bfe52b1c31438b81389bb18048ae3128926686da5dde8c3dd7"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7b0d-743e-8ca4-f0e3648167ba", "position": 2, "scope_id": "01a2276d-7abe-7455-ad88-a759a5e7efa5", "chain_sha256": "\\x2699bc108d2b67e3ef09a6de204cbdd5f5a581aa881e9148bbb5de9aa3d36851", "event_sha256": "\\x13752bf52c970f46f4c5b9a0faba498917ed2a95fe85257c445c2364a3de0016"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7b50-72e3-8784-7a8b24bf8897", "position": 3, "scope_id": "01a2276d-7abe-7455-ad88-a759a5e7efa5", "chain_sha256": "\\xa1fdf98f92f3e9559fd72ddb3f73dcee8f8885fd71687e6833d3ca8e5c890a4a", "event_sha256": "\\xe12c5d1fe716bebd91bc72243100e0b98acc09a25c425b8191308535f87ee9d4"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "4be043f0-6d9e-4214-8c37-ac49790097af", "position": 1, "scope_id": "01a2276d-7c7c-7336-ac2b-e06dad6d959f", "chain_sha256": "\\xb77a96a4367710272e1f492b0d5784d8f8317774b967dd632e2915d9b8b75461", "event_sha256": "\\x39cbf8f6e68684b857df325b53531d21ad3594f74f55b39e9c031c5524d8f7a4"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a2276d-7d0e-72d5-a9d6-a4cf4755717a", "position": 2, "scope_id": "01a2276d-7c7c-7336-ac2b-e06dad6d959f", "chain_sha256": "\\xc1faf16212c592f3ced8fa9c395917d96e4b4cb73c114750d82016dd4581ab19", "event_sha256": "\\x9e72c953114a32cef237568db7facc015306fe55f97c6e4c5b981f21cb9344ec"}');
insert into authenticators overriding system value select * from jsonb_populate_record(null::authenticators, '{"secret": null, "user_id": "01a2276d-72d9-7102-9947-2ade746fb2dd", "last_step": 59865260, "created_at": "2026-11-29T13:10:14.027133+00:00", "confirmed_at": "2026-11-29T13:10:14.041861+00:00", "encrypted_secret": "\\x01f1eda7f9cd6e4265bc2355ee6a539cd80290273830606ba37d8d0ffa7a904fb782613c7254a6e9496348e2606ff005cd29bef7e5390a9f7d8a68075a8b603968"}');
insert into cancelled_claims overriding system value select * from jsonb_populate_record(null::cancelled_claims, '{"request_id": "01a2276d-725a-7c1d-968a-c74ee4ca7f43", "cancelled_at": "2026-11-29T13:10:13.859539+00:00"}');
insert into cost_versions overriding system value select * from jsonb_populate_record(null::cost_versions, '{"fees": null, "model": "sandbox/slow", "input_to": null, "provider": "sandbox", "created_at": "2026-11-29T13:10:11.502211+00:00", "input_from": 0, "input_rate": 250000000, "retired_at": "2026-11-29T13:10:11.585302+00:00", "output_rate": 2000000000, "service_tiers": null, "upstream_model": "slow", "audio_input_rate": 250000000, "audio_output_rate": 2000000000, "cached_input_rate": 250000000, "cache_write_1h_rate": 250000000, "cache_write_5m_rate": 250000000}');
insert into cost_versions overriding system value select * from jsonb_populate_record(null::cost_versions, '{"fees": null, "model": "small-chat", "input_to": null, "provider": "local", "created_at": "2026-11-29T13:10:11.502211+00:00", "input_from": 0, "input_rate": 250000000, "retired_at": null, "output_rate": 2000000000, "service_tiers": {"flex": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}}, "upstream_model": "qwen3", "audio_input_rate": 250000000, "audio_output_rate": 2000000000, "cached_input_rate": 250000000, "cache_write_1h_rate": 250000000, "cache_write_5m_rate": 250000000}');
insert into creations overriding system value select * from jsonb_populate_record(null::creations, '{"kind": "key", "once": "first", "scope_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "target_id": "01a2276d-79e7-7190-ac90-d62f09e25a5f", "created_at": "2026-11-29T13:10:15.783539+00:00", "request_sha256": "\\xd88a767cdb2a96caa5b398a3582afb98ccfb19c0e2fff1a17562443ca5eaef33"}');
insert into data_keys overriding system value select * from jsonb_populate_record(null::data_keys, '{"id": "f1eda7f9-cd6e-4265-bc23-55ee6a539cd8", "lost_at": null, "wrapped": "\\x01f1eda7f9cd6e4265bc2355ee6a539cd860d9881c7cfefc083f91a35353081d565bf87d8cfa2c64c553a822435148327b56c6035e5147afe8d116e231ef5a589b29a3c906579ee329153ce1b3", "created_at": "2026-11-29T13:10:13.883929+00:00", "wrapped_by": "ad0dec1b0f53896f"}');
insert into database_shard overriding system value select * from jsonb_populate_record(null::database_shard, '{"shard": "00", "is_only": true}');
insert into directories overriding system value select * from jsonb_populate_record(null::directories, '{"last_four": "K4Lg", "created_at": "2026-11-29T13:10:14.583851+00:00", "created_by": "test", "last_used_at": "2026-11-29T13:10:14.619868+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "secret_sha256": "\\x8eb305148df4b15713a1ef08b7e27abdd790d678d508a2aee9687af42387321b"}');
insert into directory_groups overriding system value select * from jsonb_populate_record(null::directory_groups, '{"id": "01a2276d-75a6-73e4-a6ce-4cde625bc37b", "changed_at": "2026-11-29T13:10:14.689473+00:00", "created_at": "2026-11-29T13:10:14.689473+00:00", "external_id": "2", "display_name": "engineers", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into directory_users overriding system value select * from jsonb_populate_record(null::directory_users, '{"id": "01a2276d-7579-71dd-912d-e5a7eb169b35", "active": true, "user_id": "01a2276d-7574-7747-9d9e-23356c54bf64", "user_name": "ada@company.example", "changed_at": "2026-11-29T13:10:14.627242+00:00", "created_at": "2026-11-29T13:10:14.627242+00:00", "given_name": "Ada", "external_id": "1", "family_name": "Lovelace", "display_name": "Ada", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into directory_users overriding system value select * from jsonb_populate_record(null::directory_users, '{"id": "01a2276d-75eb-7341-9601-c757d6a56827", "active": false, "user_id": "01a2276d-75e7-7246-b938-330e887969d9", "user_name": "left@company.example", "changed_at": "2026-11-29T13:10:14.749566+00:00", "created_at": "2026-11-29T13:10:14.749566+00:00", "given_name": "Ada", "external_id": null, "family_name": "Lovelace", "display_name": "Ada", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into directory_group_members overriding system value select * from jsonb_populate_record(null::directory_group_members, '{"group_id": "01a2276d-75a6-73e4-a6ce-4cde625bc37b", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "directory_user_id": "01a2276d-7579-71dd-912d-e5a7eb169b35"}');
insert into directory_leavers overriding system value select * from jsonb_populate_record(null::directory_leavers, '{"left_at": "2026-11-29T13:10:14.749566+00:00", "user_id": "01a2276d-75e7-7246-b938-330e887969d9", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "name": "project 7665cf99-be89-4dab-8fe6-00e4682863fd", "models": ["small-chat"], "version": 1, "created_at": "2026-11-29T13:10:11.734736+00:00", "archived_at": null, "concurrency": 4, "raised_until": null, "reports_cost": true, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "budget_period": "month", "budget_nano_usd": 3000000000, "end_user_period": "month", "member_keys_max": 5, "model_when_spent": null, "tokens_per_minute": 100000, "requests_per_minute": 60, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": 2500000000}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a2276d-7884-70ff-823b-a1759e54e100", "name": "raised", "models": null, "version": 2, "created_at": "2026-11-29T13:10:15.427552+00:00", "archived_at": null, "concurrency": null, "raised_until": "2099-01-01T00:00:00+00:00", "reports_cost": false, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "budget_period": "month", "budget_nano_usd": 500000000, "end_user_period": "month", "member_keys_max": null, "model_when_spent": "small-chat", "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": 900000000, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a2276d-78d1-72b3-a6f4-18bed64cdf93", "name": "serves many", "models": null, "version": 1, "created_at": "2026-11-29T13:10:15.505112+00:00", "archived_at": null, "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": 100000000, "end_user_limit_nano_usd": 200000000, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a2276d-7a1e-7176-b133-0ab8a1dc6bf6", "name": "archived", "models": null, "version": 2, "created_at": "2026-11-29T13:10:15.838095+00:00", "archived_at": "2026-11-29T13:10:15.861805+00:00", "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a2276d-70e3-74fa-9fe6-eb0638694469", "name": "project c9d87ec3-240d-4bc2-8e26-f516e36bbcd7", "models": null, "version": 1, "created_at": "2026-11-29T13:10:13.472432+00:00", "archived_at": null, "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a2276d-7a79-77e9-828e-9ac44c708392", "name": "project 007ecd88-c01d-43d8-a1e6-757305528019", "models": null, "version": 1, "created_at": "2026-11-29T13:10:15.929707+00:00", "archived_at": null, "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a2276d-7a57-77b6-85a2-b3c57ca15425", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a2276d-7aed-77dd-a698-283e4a223af7", "name": "project 3943aff4-e0ae-4f5f-a4a9-e1c77770ebcd", "models": null, "version": 1, "created_at": "2026-11-29T13:10:16.043956+00:00", "archived_at": null, "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a2276d-7abe-7455-ad88-a759a5e7efa5", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into end_user_limits overriding system value select * from jsonb_populate_record(null::end_user_limits, '{"id": "a33af091-4b27-af1c-f618-b95aae6d9fad", "name": "a", "created_at": "2026-11-29T13:10:15.667138+00:00", "project_id": "01a2276d-78d1-72b3-a6f4-18bed64cdf93", "raised_until": "2099-01-01T00:00:00+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "limit_nano_usd": 300000000, "raised_limit_nano_usd": 900000000}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883198258602311692, "fenced_at": "2026-11-29T13:10:12.192642+00:00", "reaped_at": "2026-11-29T13:10:12.209288+00:00", "started_at": "2026-11-29T13:10:11.9301+00:00", "timeout_ms": 30000, "instance_id": "8d693779-7c2a-4783-b2cf-74faa502f851", "heartbeat_at": "2026-11-29T13:10:11.9301+00:00", "process_name": "test", "leases_in_use": null}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883198258935758863, "fenced_at": null, "reaped_at": null, "started_at": "2026-11-29T13:10:12.247827+00:00", "timeout_ms": 30000, "instance_id": "9e0412b0-da1a-49bc-8f95-3dd969f81bc0", "heartbeat_at": "2026-11-29T13:10:12.370826+00:00", "process_name": "test", "leases_in_use": {"1883198258269913092": "40000001", "1883198258668371981": "40000001", "1883198258710315022": "40000001"}}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883198259244040208, "fenced_at": "2026-11-29T13:10:12.621792+00:00", "reaped_at": "2026-11-29T13:10:12.633731+00:00", "started_at": "2026-11-29T13:10:12.541845+00:00", "timeout_ms": 30000, "instance_id": "343153e5-75aa-4afe-adf8-c03ee55c2701", "heartbeat_at": "2026-11-29T13:10:12.541845+00:00", "process_name": "test", "leases_in_use": null}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883198260582023186, "fenced_at": null, "reaped_at": null, "started_at": "2026-11-29T13:10:13.81838+00:00", "timeout_ms": 30000, "instance_id": "36889530-2990-453f-b3fb-f06270b6cf16", "heartbeat_at": "2026-11-29T13:10:13.81838+00:00", "process_name": "test", "leases_in_use": null}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883198262129721364, "fenced_at": "2026-11-29T13:10:15.35744+00:00", "reaped_at": "2026-11-29T13:10:15.362514+00:00", "started_at": "2026-11-29T13:10:15.294431+00:00", "timeout_ms": 30000, "instance_id": "ab62c465-e966-4c2c-9c9b-c2b87ca9b60d", "heartbeat_at": "2026-11-29T13:10:15.294431+00:00", "process_name": "test", "leases_in_use": null}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883198262396059671, "fenced_at": "2026-11-29T13:10:15.63812+00:00", "reaped_at": "2026-11-29T13:10:15.64598+00:00", "started_at": "2026-11-29T13:10:15.54785+00:00", "timeout_ms": 30000, "instance_id": "35818ee0-fa4a-469f-93f8-283cb53029f3", "heartbeat_at": "2026-11-29T13:10:15.54785+00:00", "process_name": "test", "leases_in_use": null}');
insert into expiring_grants overriding system value select * from jsonb_populate_record(null::expiring_grants, '{"ended_at": null, "given_at": "2026-11-29T13:10:13.355112+00:00", "looked_at": null, "expires_at": "2026-12-29T13:10:13.349+00:00", "posting_id": "01a2276d-7065-7188-a695-5e8937993bec", "recurring_id": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "rest_nano_usd": 30000000, "other_nano_usd": 0, "amount_nano_usd": 30000000, "expired_nano_usd": 0}');
insert into expiring_grants overriding system value select * from jsonb_populate_record(null::expiring_grants, '{"ended_at": null, "given_at": "2026-11-29T13:10:13.391948+00:00", "looked_at": null, "expires_at": "2026-12-01T00:00:00+00:00", "posting_id": "549b2fdd-d722-454a-a8c8-8d50e5592cbe", "recurring_id": "01a2276d-707d-7519-baa0-695973994359", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "rest_nano_usd": 10000000, "other_nano_usd": 0, "amount_nano_usd": 10000000, "expired_nano_usd": 0}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2276d-6a36-7548-a3ad-b62a048d429d", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "WoMV", "public_id": "00A9vPgSGQ1Y2X", "created_at": "2026-11-29T13:10:11.763022+00:00", "created_by": null, "expires_at": null, "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "secret_sha256": "\\x0c13799855943ab4974d8541e16e86da5f10ab7b49a41c4acd6916af7c0fbfea", "allowed_networks": ["10.0.0.0/8"], "spend_limit_nano_usd": 2000000000, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2276d-77c9-72f9-90b7-9817ebfd21eb", "kind": "api", "name": "of a member", "models": null, "version": 2, "metadata": {}, "last_four": "Nm17", "public_id": "003E0lrAeVkzjn", "created_at": "2026-11-29T13:10:15.241473+00:00", "created_by": "07c4a5c1-7ce3-4a5c-9db2-6051d460b572", "expires_at": null, "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "secret_sha256": "\\x3d47f3c50e5681bf6cd8464968205e72c29f3fdf01541a8fba2cd5b493302eab", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2276d-7850-77a3-ba81-499b9ec05509", "kind": "api", "name": "raised", "models": null, "version": 2, "metadata": {}, "last_four": "Ht8y", "public_id": "00Ge4xVMvWKb7x", "created_at": "2026-11-29T13:10:15.37459+00:00", "created_by": null, "expires_at": null, "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "revoked_at": null, "disabled_at": null, "raised_until": "2099-01-01T00:00:00+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "secret_sha256": "\\xb3dc46cbfa07a60639303c6e18436405130c1b9e13fb979acbcb6fe1dc032cc1", "allowed_networks": null, "spend_limit_nano_usd": 500000000, "raised_limit_nano_usd": 900000000}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2276d-78e6-7604-879d-f46307a79de5", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "tTTw", "public_id": "00aabGVbmAjrk3", "created_at": "2026-11-29T13:10:15.525988+00:00", "created_by": null, "expires_at": null, "project_id": "01a2276d-78d1-72b3-a6f4-18bed64cdf93", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "secret_sha256": "\\x5a3e6c6e13d6af5ffa346dac71db7dc402189ed41bea95b864bbe14b985eb036", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2276d-79a4-70ef-8ff4-8d1df68c981d", "kind": "api", "name": "rotated", "models": null, "version": 2, "metadata": {"team": "search"}, "last_four": "siPR", "public_id": "007lMWCrJjpQ3R", "created_at": "2026-11-29T13:10:15.715299+00:00", "created_by": null, "expires_at": null, "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "secret_sha256": "\\xce9eea079aebc942d0ff6204e33cda8464e740c7159c94f17953eb9d71eeefff", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2276d-79e7-7190-ac90-d62f09e25a5f", "kind": "api", "name": "disabled", "models": null, "version": 2, "metadata": {}, "last_four": "jdJJ", "public_id": "00LrEqmaDXp4Hi", "created_at": "2026-11-29T13:10:15.783539+00:00", "created_by": null, "expires_at": null, "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "revoked_at": null, "disabled_at": "2026-11-29T13:10:15.807+00:00", "raised_until": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "secret_sha256": "\\x45fe1ad2b98eeac6278c76aedba4a21b2180184a3462d0a370695c76f2baa07d", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2276d-7105-708e-acc2-3bf3e71606ba", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "IWE2", "public_id": "00p35ZloRWLZxq", "created_at": "2026-11-29T13:10:13.509508+00:00", "created_by": null, "expires_at": null, "project_id": "01a2276d-70e3-74fa-9fe6-eb0638694469", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "secret_sha256": "\\x007e7a3b7fc79617b5959e3092b5f3fb25e33076d96090ab9e06fe6068422fe0", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2276d-7120-7453-a95e-b19216278e2e", "kind": "api", "name": "revoked", "models": null, "version": 2, "metadata": {}, "last_four": "WBLb", "public_id": "00RlS4bWAnpLHq", "created_at": "2026-11-29T13:10:13.536712+00:00", "created_by": null, "expires_at": null, "project_id": "01a2276d-70e3-74fa-9fe6-eb0638694469", "revoked_at": "2026-11-29T13:10:13.561477+00:00", "disabled_at": null, "raised_until": null, "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "secret_sha256": "\\x85e3728b1278367c24544dd3a3f7c3fd19b786dcdb5365e79d7e549a965fcb6b", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2276d-7aa1-7124-af0e-d3559af5705b", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "6y3R", "public_id": "00IbClAclwIQz8", "created_at": "2026-11-29T13:10:15.968042+00:00", "created_by": null, "expires_at": null, "project_id": "01a2276d-7a79-77e9-828e-9ac44c708392", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a2276d-7a57-77b6-85a2-b3c57ca15425", "secret_sha256": "\\x250d0c4a208444d451c11755b46396caeecee6ba30612c141c1a382b29d8df94", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2276d-7b02-7360-a36b-ca420caa86e7", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "xyow", "public_id": "00Vjtk74P9Z3a8", "created_at": "2026-11-29T13:10:16.066083+00:00", "created_by": null, "expires_at": null, "project_id": "01a2276d-7aed-77dd-a698-283e4a223af7", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a2276d-7abe-7455-ad88-a759a5e7efa5", "secret_sha256": "\\xc68822dcca449a409bc01dc40b3b6e67b7c51f7dd977916cce7baf25393c6650", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into former_secrets overriding system value select * from jsonb_populate_record(null::former_secrets, '{"key_id": "01a2276d-79a4-70ef-8ff4-8d1df68c981d", "last_four": "Pf06", "public_id": "00zTAyoJNnThDf", "expires_at": "2026-12-29T13:10:15.741213+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "secret_sha256": "\\xc7329315a53c09ab1685d871ba12992ffa6ce4d1db0f01d8ae8f943ca56c8138"}');
insert into free_answers overriding system value select * from jsonb_populate_record(null::free_answers, '{"hour": "2026-11-29T13:00:00+00:00", "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "cost_nano_usd": 7}');
insert into grant_counts overriding system value select * from jsonb_populate_record(null::grant_counts, '{"workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "other_nano_usd": 0, "charged_nano_usd": 60000001}');
insert into idempotent_requests overriding system value select * from jsonb_populate_record(null::idempotent_requests, '{"answer": "\\x616e20616e73776572", "key_id": "01a2276d-6a36-7548-a3ad-b62a048d429d", "epoch_id": 1883198260582023186, "claimed_at": "2026-11-29T13:10:13.837052+00:00", "request_id": "01a2276d-724c-731b-941b-3712a6610195", "body_sha256": "\\x612068617368", "completed_at": "2026-11-29T13:10:13.841638+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "idempotency_key": "it is done", "superseded_request_id": null}');
insert into idempotent_requests overriding system value select * from jsonb_populate_record(null::idempotent_requests, '{"answer": null, "key_id": "01a2276d-6a36-7548-a3ad-b62a048d429d", "epoch_id": 1883198260582023186, "claimed_at": "2026-11-29T13:10:13.822752+00:00", "request_id": "01a2276d-723e-7e17-84bb-d3e3a9ed803d", "body_sha256": "\\x612068617368", "completed_at": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "idempotency_key": "it runs", "superseded_request_id": null}');
insert into invitations overriding system value select * from jsonb_populate_record(null::invitations, '{"id": "01a2276d-737c-7150-86bc-c487f41dfc6f", "role": "member", "email": "new@example.com", "key_id": null, "mailed": false, "batch_id": null, "created_at": "2026-11-29T13:10:14.135766+00:00", "expires_at": "2026-12-06T13:10:14.135766+00:00", "invited_by": null, "revoked_at": null, "accepted_at": null, "accepted_by": null, "token_sha256": "\\x5e7e227b1f526b66ff0c471f9e887047bac1d8badf6b01b2f2ce5efa249a07c1", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "invited_by_token": null, "monthly_limit_nano_usd": null}');
insert into invitations overriding system value select * from jsonb_populate_record(null::invitations, '{"id": "01a2276d-7417-76f5-84f4-e7540748558d", "role": "viewer", "email": "third@example.com", "key_id": null, "mailed": false, "batch_id": null, "created_at": "2026-11-29T13:10:14.274078+00:00", "expires_at": "2026-12-06T13:10:14.274078+00:00", "invited_by": "01a2276d-73c4-7755-b3de-14ea7f146f3c", "revoked_at": null, "accepted_at": null, "accepted_by": null, "token_sha256": "\\x88b6c594526cc49f441323f28250c369466b157f67c9db0999632f680493cb9d", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "invited_by_token": "01a2276d-73de-7553-a3e9-bd544fc187ea", "monthly_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883198258269913092, "kind": "credit", "mode": "wet", "shut": false, "period": "never", "project_id": null, "subject_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "owed_nano_usd": 0, "limit_nano_usd": 15330000000, "spent_nano_usd": 70000000, "leased_nano_usd": 30000001, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883198258668371981, "kind": "project", "mode": "wet", "shut": false, "period": "month", "project_id": null, "subject_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "owed_nano_usd": 0, "limit_nano_usd": 3000000000, "spent_nano_usd": 50000000, "leased_nano_usd": 30000001, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883198258710315022, "kind": "key", "mode": "wet", "shut": false, "period": "month", "project_id": null, "subject_id": "01a2276d-6a36-7548-a3ad-b62a048d429d", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "owed_nano_usd": 0, "limit_nano_usd": 2000000000, "spent_nano_usd": 30000000, "leased_nano_usd": 30000001, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883198260162592785, "kind": "credit", "mode": "wet", "shut": false, "period": "never", "project_id": null, "subject_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "owed_nano_usd": 20000000, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883198262105604115, "kind": "member", "mode": "wet", "shut": false, "period": "month", "project_id": null, "subject_id": "dd77eba2-99b5-44b4-8e26-2b8fa8cfad04", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "owed_nano_usd": 0, "limit_nano_usd": 500000000, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883198262168518677, "kind": "key", "mode": "wet", "shut": false, "period": "month", "project_id": null, "subject_id": "01a2276d-77c9-72f9-90b7-9817ebfd21eb", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "owed_nano_usd": 0, "limit_nano_usd": null, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883198262301687830, "kind": "project", "mode": "wet", "shut": false, "period": "month", "project_id": null, "subject_id": "01a2276d-7884-70ff-823b-a1759e54e100", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": "2099-01-01T00:00:00+00:00", "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "owed_nano_usd": 0, "limit_nano_usd": 500000000, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": 900000000}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883198262421225496, "kind": "project", "mode": "wet", "shut": false, "period": "month", "project_id": null, "subject_id": "01a2276d-78d1-72b3-a6f4-18bed64cdf93", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "owed_nano_usd": 0, "limit_nano_usd": null, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883198262439051289, "kind": "key", "mode": "wet", "shut": false, "period": "month", "project_id": null, "subject_id": "01a2276d-78e6-7604-879d-f46307a79de5", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "owed_nano_usd": 0, "limit_nano_usd": null, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883198262451634202, "kind": "end_user", "mode": "wet", "shut": false, "period": "month", "project_id": "01a2276d-78d1-72b3-a6f4-18bed64cdf93", "subject_id": "a33af091-4b27-af1c-f618-b95aae6d9fad", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "owed_nano_usd": 0, "limit_nano_usd": 200000000, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883198262471557147, "kind": "session", "mode": "wet", "shut": false, "period": "month", "project_id": "01a2276d-78d1-72b3-a6f4-18bed64cdf93", "subject_id": "f0e58154-5489-8e46-9617-67d3b1d9e870", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "owed_nano_usd": 0, "limit_nano_usd": 100000000, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883198262760964124, "kind": "credit", "mode": "wet", "shut": false, "period": "never", "project_id": null, "subject_id": "01a2276d-7a57-77b6-85a2-b3c57ca15425", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a2276d-7a57-77b6-85a2-b3c57ca15425", "owed_nano_usd": 0, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883198262871064605, "kind": "credit", "mode": "wet", "shut": false, "period": "never", "project_id": null, "subject_id": "01a2276d-7abe-7455-ad88-a759a5e7efa5", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a2276d-7abe-7455-ad88-a759a5e7efa5", "owed_nano_usd": 0, "limit_nano_usd": 10000000, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883198263336632350, "kind": "credit", "mode": "wet", "shut": false, "period": "never", "project_id": null, "subject_id": "01a2276d-7c7c-7336-ac2b-e06dad6d959f", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a2276d-7c7c-7336-ac2b-e06dad6d959f", "owed_nano_usd": 0, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883198264736481311, "kind": "credit", "mode": "wet", "shut": false, "period": "never", "project_id": null, "subject_id": "01a2276d-81b3-754f-a75a-42983d95486f", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a2276d-81b3-754f-a75a-42983d95486f", "owed_nano_usd": 0, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883198264831901728, "kind": "credit", "mode": "wet", "shut": false, "period": "never", "project_id": null, "subject_id": "01a2276d-820e-710c-874d-9bda4bd56db1", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a2276d-820e-710c-874d-9bda4bd56db1", "owed_nano_usd": 0, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into leases overriding system value select * from jsonb_populate_record(null::leases, '{"open": false, "epoch_id": 1883198258935758863, "purse_id": 1883198258269913092, "sequence": 2, "charged_nano_usd": 30000001, "granted_nano_usd": 30000001}');
insert into leases overriding system value select * from jsonb_populate_record(null::leases, '{"open": false, "epoch_id": 1883198258935758863, "purse_id": 1883198258668371981, "sequence": 2, "charged_nano_usd": 30000001, "granted_nano_usd": 30000001}');
insert into leases overriding system value select * from jsonb_populate_record(null::leases, '{"open": false, "epoch_id": 1883198258935758863, "purse_id": 1883198258710315022, "sequence": 2, "charged_nano_usd": 30000001, "granted_nano_usd": 30000001}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a2276d-69e6-741c-93b0-9febb263551c", "kind": "grant", "once": null, "actor": "test", "number": 1, "reason": "a test", "posted_at": "2026-11-29T13:10:11.705588+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "balance_nano_usd": 5000000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a2276d-702d-70fe-beb8-c93d22f2833b", "kind": "top_up", "once": "payment 1", "actor": "test", "number": 2, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T13:10:13.294339+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "balance_nano_usd": 5339999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a2276d-7038-7132-900c-f225932ccde7", "kind": "refund", "once": null, "actor": "test", "number": 3, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T13:10:13.305869+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "balance_nano_usd": 5239999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a2276d-7065-7188-a695-5e8937993bec", "kind": "grant", "once": null, "actor": "test", "number": 4, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T13:10:13.353613+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "balance_nano_usd": 5269999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a2276d-70ce-738c-a92f-11da64135af9", "kind": "grant", "once": null, "actor": "test", "number": 6, "reason": "a test", "posted_at": "2026-11-29T13:10:13.455567+00:00", "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "balance_nano_usd": 10000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a2276d-711e-764a-8a66-f7b46ce9dbd9", "kind": "dispute", "once": null, "actor": "test", "number": 7, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T13:10:13.534744+00:00", "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "balance_nano_usd": -20000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a2276d-7add-7254-a5a6-2cbc8c34d31e", "kind": "grant", "once": null, "actor": "test", "number": 11, "reason": "a test", "posted_at": "2026-11-29T13:10:16.030449+00:00", "workspace_id": "01a2276d-7abe-7455-ad88-a759a5e7efa5", "balance_nano_usd": 10000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "14b0e16f-11d2-4096-a99e-131072571089", "kind": "refund", "once": "refund:stripe:re_1", "actor": "stripe", "number": 9, "reason": "Refund re_1 of payment pi_1 taken", "posted_at": "2026-11-29T13:10:13.685598+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "balance_nano_usd": 15259999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "549b2fdd-d722-454a-a8c8-8d50e5592cbe", "kind": "grant", "once": "recurring:01a2276d-707d-7519-baa0-695973994359:2026-11-01", "actor": "test", "number": 5, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T13:10:13.391277+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "balance_nano_usd": 5279999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "800600a8-1cde-4daa-9cad-c232f4e9dbed", "kind": "top_up", "once": "payment:stripe:pi_1", "actor": "stripe", "number": 8, "reason": "Payment pi_1 of top-up 01a2276d-7171-7537-a79d-06a3416f4b91", "posted_at": "2026-11-29T13:10:13.657123+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "balance_nano_usd": 15279999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "83e67677-5d34-4e61-a2be-51840744d8ec", "kind": "top_up", "once": "payment:codes:01a2276d-71fe-74fd-9b1f-ede77de6d7e4", "actor": "codes", "number": 10, "reason": "Payment 01a2276d-71fe-74fd-9b1f-ede77de6d7e4 of top-up 01a2276d-720c-702e-b270-8a814c5d63fb", "posted_at": "2026-11-29T13:10:13.787357+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "balance_nano_usd": 15269999999, "receipt_request_id": null}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a2276d-69e6-741c-93b0-9febb263551c", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "amount_nano_usd": 5000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a2276d-69e6-741c-93b0-9febb263551c", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "amount_nano_usd": -5000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a2276d-702d-70fe-beb8-c93d22f2833b", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "amount_nano_usd": 400000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "01a2276d-702d-70fe-beb8-c93d22f2833b", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "amount_nano_usd": -400000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a2276d-7038-7132-900c-f225932ccde7", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "amount_nano_usd": -100000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "01a2276d-7038-7132-900c-f225932ccde7", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "amount_nano_usd": 100000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a2276d-7065-7188-a695-5e8937993bec", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "amount_nano_usd": 30000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a2276d-7065-7188-a695-5e8937993bec", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "amount_nano_usd": -30000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "14b0e16f-11d2-4096-a99e-131072571089", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "amount_nano_usd": -20000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "14b0e16f-11d2-4096-a99e-131072571089", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "amount_nano_usd": 20000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "549b2fdd-d722-454a-a8c8-8d50e5592cbe", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "549b2fdd-d722-454a-a8c8-8d50e5592cbe", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "800600a8-1cde-4daa-9cad-c232f4e9dbed", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "amount_nano_usd": 10000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "800600a8-1cde-4daa-9cad-c232f4e9dbed", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "amount_nano_usd": -10000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "83e67677-5d34-4e61-a2be-51840744d8ec", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "83e67677-5d34-4e61-a2be-51840744d8ec", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a2276d-70ce-738c-a92f-11da64135af9", "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a2276d-70ce-738c-a92f-11da64135af9", "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a2276d-711e-764a-8a66-f7b46ce9dbd9", "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "owed", "posting_id": "01a2276d-711e-764a-8a66-f7b46ce9dbd9", "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "amount_nano_usd": -20000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "01a2276d-711e-764a-8a66-f7b46ce9dbd9", "workspace_id": "01a2276d-70aa-7555-9ab0-b12c8f4a8975", "amount_nano_usd": 30000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a2276d-7add-7254-a5a6-2cbc8c34d31e", "workspace_id": "01a2276d-7abe-7455-ad88-a759a5e7efa5", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a2276d-7add-7254-a5a6-2cbc8c34d31e", "workspace_id": "01a2276d-7abe-7455-ad88-a759a5e7efa5", "amount_nano_usd": -10000000}');
insert into ledger_verifications overriding system value select * from jsonb_populate_record(null::ledger_verifications, '{"id": 1, "night": null, "started_at": "2026-11-29T13:10:16.65+00:00", "differences": [], "finished_at": "2026-11-29T13:10:17.76764+00:00", "difference_count": 0}');
insert into member_limits overriding system value select * from jsonb_populate_record(null::member_limits, '{"id": "dd77eba2-99b5-44b4-8e26-2b8fa8cfad04", "user_id": "07c4a5c1-7ce3-4a5c-9db2-6051d460b572", "raised_until": "2099-01-01T00:00:00+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "raised_limit_nano_usd": 900000000, "monthly_limit_nano_usd": 500000000}');
insert into offer_declarations overriding system value select * from jsonb_populate_record(null::offer_declarations, '{"kind": "model", "name": "stored", "version": 1, "changed_at": "2026-11-29T13:10:15.150502+00:00", "declaration": {"id": "stored", "routes": [{"model": "echo", "provider": "stored"}]}, "encrypted_key": null}');
insert into offer_declarations overriding system value select * from jsonb_populate_record(null::offer_declarations, '{"kind": "provider", "name": "stored", "version": 1, "changed_at": "2026-11-29T13:10:15.150502+00:00", "declaration": {"kind": "sandbox"}, "encrypted_key": null}');
insert into one_time_links overriding system value select * from jsonb_populate_record(null::one_time_links, '{"id": "01a2276d-72ca-74c3-90c9-6c8af69fc99b", "email": null, "mailed": false, "purpose": "set_up", "user_id": null, "claimed_at": null, "created_at": "2026-11-29T13:10:13.957232+00:00", "expires_at": "2026-11-30T13:10:13.957232+00:00", "by_right_in": null, "made_by_user": null, "token_sha256": "\\x608194ccd3b490ab51c8cecbf4392d56575d8dba33a0ffd8e33e1fbef9d23f3f", "made_by_token": null}');
insert into one_time_links overriding system value select * from jsonb_populate_record(null::one_time_links, '{"id": "01a2276d-746c-75fd-8047-4b0733caa0ba", "email": null, "mailed": false, "purpose": "reset", "user_id": "01a2276d-73c4-7755-b3de-14ea7f146f3c", "claimed_at": null, "created_at": "2026-11-29T13:10:14.371205+00:00", "expires_at": "2026-11-29T15:10:14.371205+00:00", "by_right_in": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "made_by_user": "01a2276d-73c4-7755-b3de-14ea7f146f3c", "token_sha256": "\\x5b747e9b43b429ac0b4b79c772ee718370c146c89b2e39657cea8aa1cb244e3c", "made_by_token": "01a2276d-73de-7553-a3e9-bd544fc187ea"}');
insert into operator_tokens overriding system value select * from jsonb_populate_record(null::operator_tokens, '{"id": "01a2276d-739d-7342-b94f-1c727038169a", "name": "metrics", "last_four": "hJQz", "read_only": true, "created_at": "2026-11-29T13:10:14.17279+00:00", "created_by": "owner@example.com", "revoked_at": null, "last_used_at": null, "secret_sha256": "\\xd6e95ee0e3fdbc459e6f1dfe01dba9010dbe5745ad9b1e8bb59318be4393662c", "downloads_backups": true}');
insert into sealed_partitions overriding system value select * from jsonb_populate_record(null::sealed_partitions, '{"name": "receipts_2026_w23", "up_to": "019ea487-7000-0000-0000-000000000000", "from_id": "019e807a-ec00-0000-0000-000000000000", "receipts": 1, "sealed_at": "2026-11-29T13:10:13.250481+00:00", "dropped_at": null, "export_file": "/exports/receipts_2026_w23", "exported_at": "2026-11-29T13:10:16.610392+00:00", "export_sha256": "\\xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "write_off_nano_usd": 0}');
insert into partition_totals overriding system value select * from jsonb_populate_record(null::partition_totals, '{"purse_id": 1883198258269913092, "receipts": 1, "partition": "receipts_2026_w23", "charge_nano_usd": 10000000}');
insert into partition_totals overriding system value select * from jsonb_populate_record(null::partition_totals, '{"purse_id": 1883198258668371981, "receipts": 1, "partition": "receipts_2026_w23", "charge_nano_usd": 10000000}');
insert into partition_totals overriding system value select * from jsonb_populate_record(null::partition_totals, '{"purse_id": 1883198258710315022, "receipts": 1, "partition": "receipts_2026_w23", "charge_nano_usd": 10000000}');
insert into passkey_challenges overriding system value select * from jsonb_populate_record(null::passkey_challenges, '{"challenge": "\\xcce6cfc1fa8019e92383f1ac9c2e167f43036c826f1af5d08940704db640ed64", "expires_at": "2026-11-29T13:15:14.192941+00:00", "session_id": null, "secret_sha256": "\\x85c0a91f5d9a3b59a8e75bc4eaa6b3e6ca8fc6a4e5c748aee40c0f7dd844291b"}');
insert into passkeys overriding system value select * from jsonb_populate_record(null::passkeys, '{"id": "01a2276d-73b6-7502-b230-abfb81040974", "name": "Laptop", "counter": 3, "user_id": "01a2276d-72d9-7102-9947-2ade746fb2dd", "created_at": "2026-11-29T13:10:14.199185+00:00", "public_key": "\\x7075626c6963206b6579", "transports": ["internal"], "last_used_at": "2026-11-29T13:10:14.199185+00:00", "credential_id": "\\x63726564656e7469616c"}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "01a2276d-71fe-74fd-9b1f-ede77de6d7e4", "fact": "paid", "detail": null, "outcome": "applied", "provider": "codes", "top_up_id": "01a2276d-720c-702e-b270-8a814c5d63fb", "received_at": "2026-11-29T13:10:13.772538+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "037eeefa-2028-47d5-b4bd-79a4e9df8f81", "fact": "refund taken", "detail": null, "outcome": "applied", "provider": "stripe", "top_up_id": "01a2276d-7171-7537-a79d-06a3416f4b91", "received_at": "2026-11-29T13:10:13.673683+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "105c8876-040b-4a3e-8be0-01b3296e0c76", "fact": "refund taken", "detail": null, "outcome": "applied", "provider": "stripe", "top_up_id": null, "received_at": "2026-11-29T13:10:13.705075+00:00", "workspace_id": null}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "1269f81b-64f6-4c5e-a338-065bb7b359d0", "fact": "paid", "detail": "10000000000 nano-USD were paid and not 10800000000", "outcome": "mismatch", "provider": "stripe", "top_up_id": "01a2276d-7171-7537-a79d-06a3416f4b91", "received_at": "2026-11-29T13:10:13.723512+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "b1515e91-fe4b-4f76-b102-6b897709e2b1", "fact": "paid", "detail": null, "outcome": "applied", "provider": "stripe", "top_up_id": "01a2276d-7171-7537-a79d-06a3416f4b91", "received_at": "2026-11-29T13:10:13.63805+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into payment_reconciliations overriding system value select * from jsonb_populate_record(null::payment_reconciliations, '{"night": "2026-11-29T13:10:13.748184+00:00", "missed": 1, "compared": 2, "provider": "stripe", "started_at": "2026-11-29T13:10:13.748184+00:00", "differences": ["one"], "finished_at": "2026-11-29T13:10:13.748369+00:00", "events_until": "2026-11-29T13:10:13.748184+00:00", "difference_count": 1}');
insert into top_ups overriding system value select * from jsonb_populate_record(null::top_ups, '{"id": "01a2276d-7171-7537-a79d-06a3416f4b91", "once": null, "actor": "test", "state": "paid", "origin": "checkout", "failure": null, "provider": "stripe", "created_at": "2026-11-29T13:10:13.605328+00:00", "expires_at": null, "posting_id": "800600a8-1cde-4daa-9cad-c232f4e9dbed", "updated_at": "2026-11-29T13:10:13.63805+00:00", "checkout_url": null, "fee_nano_usd": 800000000, "posting_kind": "top_up", "saves_method": true, "tax_nano_usd": 0, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "amount_nano_usd": 10000000000, "payment_reference": "pi_1", "checkout_reference": null}');
insert into top_ups overriding system value select * from jsonb_populate_record(null::top_ups, '{"id": "01a2276d-71e3-72b3-8301-19c410993aae", "once": null, "actor": "test", "state": "pending", "origin": "auto", "failure": null, "provider": "stripe", "created_at": "2026-11-29T13:10:13.730547+00:00", "expires_at": null, "posting_id": null, "updated_at": "2026-11-29T13:10:13.730547+00:00", "checkout_url": null, "fee_nano_usd": 800000000, "posting_kind": "top_up", "saves_method": false, "tax_nano_usd": 0, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "amount_nano_usd": 10000000000, "payment_reference": null, "checkout_reference": null}');
insert into top_ups overriding system value select * from jsonb_populate_record(null::top_ups, '{"id": "01a2276d-720c-702e-b270-8a814c5d63fb", "once": null, "actor": "test", "state": "paid", "origin": "code", "failure": null, "provider": "codes", "created_at": "2026-11-29T13:10:13.772538+00:00", "expires_at": null, "posting_id": "83e67677-5d34-4e61-a2be-51840744d8ec", "updated_at": "2026-11-29T13:10:13.772538+00:00", "checkout_url": null, "fee_nano_usd": 0, "posting_kind": "top_up", "saves_method": false, "tax_nano_usd": 0, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "amount_nano_usd": 10000000, "payment_reference": "01a2276d-71fe-74fd-9b1f-ede77de6d7e4", "checkout_reference": null}');
insert into payment_reversals overriding system value select * from jsonb_populate_record(null::payment_reversals, '{"kind": "refund", "state": "taken", "counted": true, "provider": "stripe", "reference": "re_1", "top_up_id": "01a2276d-7171-7537-a79d-06a3416f4b91", "created_at": "2026-11-29T13:10:13.673683+00:00", "updated_at": "2026-11-29T13:10:13.673683+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "amount_nano_usd": 20000000, "payment_reference": "pi_1"}');
insert into payment_reversals overriding system value select * from jsonb_populate_record(null::payment_reversals, '{"kind": "refund", "state": "taken", "counted": false, "provider": "stripe", "reference": "re_2", "top_up_id": null, "created_at": "2026-11-29T13:10:13.705075+00:00", "updated_at": "2026-11-29T13:10:13.705075+00:00", "workspace_id": null, "amount_nano_usd": 20000000, "payment_reference": "pi_other"}');
insert into payment_settings overriding system value select * from jsonb_populate_record(null::payment_settings, '{"version": 1, "provider": "stripe", "auto_stop": null, "auto_enabled": false, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "auto_failures": 0, "auto_failed_at": null, "auto_consent_at": null, "auto_consent_by": null, "auto_noticed_at": null, "auto_stopped_at": null, "customer_reference": "cus_1", "recovery_top_up_id": null, "auto_amount_nano_usd": null, "auto_month_noticed_at": null, "auto_month_max_nano_usd": null, "auto_threshold_nano_usd": null}');
insert into price_adjustments overriding system value select * from jsonb_populate_record(null::price_adjustments, '{"id": "01a2276d-6a6a-743f-ba6d-c49842e0ee35", "model": null, "ended_at": "2026-11-29T13:10:11.855813+00:00", "started_at": "2026-11-29T13:10:11.811506+00:00", "basis_points": -500, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into price_adjustments overriding system value select * from jsonb_populate_record(null::price_adjustments, '{"id": "01a2276d-6a9c-72ff-8547-f187561014c1", "model": null, "ended_at": null, "started_at": "2026-11-29T13:10:11.855813+00:00", "basis_points": -1000, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into price_adjustments overriding system value select * from jsonb_populate_record(null::price_adjustments, '{"id": "01a2276d-6ab9-7319-9a5a-cb766cdd8779", "model": "sandbox/echo", "ended_at": null, "started_at": "2026-11-29T13:10:11.887815+00:00", "basis_points": 2500, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883198258098995201, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": null, "version": 1, "created_at": "2026-11-29T13:10:11.428682+00:00", "retired_at": null, "workspace_id": null, "adjustment_id": null}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883198258122063874, "model": "sandbox/slow", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": null, "version": 1, "created_at": "2026-11-29T13:10:11.428682+00:00", "retired_at": null, "workspace_id": null, "adjustment_id": null}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883198258128355331, "model": "small-chat", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": null, "version": 1, "created_at": "2026-11-29T13:10:11.428682+00:00", "retired_at": null, "workspace_id": null, "adjustment_id": null}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883198258506891269, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "237500000", "output": "1900000000", "audio_input": "237500000", "audio_output": "1900000000", "cached_input": "237500000", "cache_write_1h": "237500000", "cache_write_5m": "237500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883198258098995201, "version": 2, "created_at": "2026-11-29T13:10:11.811506+00:00", "retired_at": "2026-11-29T13:10:11.855813+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "adjustment_id": "01a2276d-6a6a-743f-ba6d-c49842e0ee35"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883198258506891270, "model": "sandbox/slow", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "237500000", "output": "1900000000", "audio_input": "237500000", "audio_output": "1900000000", "cached_input": "237500000", "cache_write_1h": "237500000", "cache_write_5m": "237500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883198258122063874, "version": 2, "created_at": "2026-11-29T13:10:11.811506+00:00", "retired_at": "2026-11-29T13:10:11.855813+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "adjustment_id": "01a2276d-6a6a-743f-ba6d-c49842e0ee35"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883198258506891271, "model": "small-chat", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "237500000", "output": "1900000000", "audio_input": "237500000", "audio_output": "1900000000", "cached_input": "237500000", "cache_write_1h": "237500000", "cache_write_5m": "237500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883198258128355331, "version": 2, "created_at": "2026-11-29T13:10:11.811506+00:00", "retired_at": "2026-11-29T13:10:11.855813+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "adjustment_id": "01a2276d-6a6a-743f-ba6d-c49842e0ee35"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883198258547785736, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "225000000", "output": "1800000000", "audio_input": "225000000", "audio_output": "1800000000", "cached_input": "225000000", "cache_write_1h": "225000000", "cache_write_5m": "225000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883198258098995201, "version": 3, "created_at": "2026-11-29T13:10:11.855813+00:00", "retired_at": "2026-11-29T13:10:11.887815+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "adjustment_id": "01a2276d-6a9c-72ff-8547-f187561014c1"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883198258547785737, "model": "sandbox/slow", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "225000000", "output": "1800000000", "audio_input": "225000000", "audio_output": "1800000000", "cached_input": "225000000", "cache_write_1h": "225000000", "cache_write_5m": "225000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883198258122063874, "version": 3, "created_at": "2026-11-29T13:10:11.855813+00:00", "retired_at": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "adjustment_id": "01a2276d-6a9c-72ff-8547-f187561014c1"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883198258547785738, "model": "small-chat", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "225000000", "output": "1800000000", "audio_input": "225000000", "audio_output": "1800000000", "cached_input": "225000000", "cache_write_1h": "225000000", "cache_write_5m": "225000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883198258128355331, "version": 3, "created_at": "2026-11-29T13:10:11.855813+00:00", "retired_at": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "adjustment_id": "01a2276d-6a9c-72ff-8547-f187561014c1"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883198258583437323, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "312500000", "output": "2500000000", "audio_input": "312500000", "audio_output": "2500000000", "cached_input": "312500000", "cache_write_1h": "312500000", "cache_write_5m": "312500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883198258098995201, "version": 4, "created_at": "2026-11-29T13:10:11.887815+00:00", "retired_at": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "adjustment_id": "01a2276d-6ab9-7319-9a5a-cb766cdd8779"}');
insert into quarantined_receipts overriding system value select * from jsonb_populate_record(null::quarantined_receipts, '{"id": 1, "reason": "it was refused", "receipt": "{}", "request_id": "01a2276d-6a36-7548-a3ad-b62a048d429d", "quarantined_at": "2026-11-29T13:10:13.861537+00:00"}');
insert into rate_buckets overriding system value select * from jsonb_populate_record(null::rate_buckets, '{"project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "refilled_ms": 0, "token_parts": 6, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "request_parts": 5, "called_back_ms": 0}');
insert into rate_leases overriding system value select * from jsonb_populate_record(null::rate_leases, '{"slots": 0, "taken": 0, "minute": 0, "tokens": 0, "granted": [], "running": 0, "epoch_id": 1883198258935758863, "requests": 2, "sequence": 1, "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "taken_before": 0, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a2276d-6a36-7548-a3ad-b62a048d429d", "dialect": "chat_completions", "outcome": "completed", "session": null, "attempts": null, "epoch_id": 1883198259244040208, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "request_id": "019e8874-bcc4-7000-8000-000000000001", "settled_at": "2026-11-29T13:10:12.602156+00:00", "admitted_at": "2026-06-02T13:10:12.42+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883198258710315022, "service_tier": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "fees_nano_usd": 0, "hold_nano_usd": 10000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 10000000, "credit_purse_id": 1883198258269913092, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883198258668371981, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a2276d-6a36-7548-a3ad-b62a048d429d", "dialect": "chat_completions", "outcome": "completed", "session": null, "attempts": null, "epoch_id": 1883198258602311692, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "request_id": "01a2276d-6b4d-7f35-a489-4612b3151603", "settled_at": "2026-11-29T13:10:12.047721+00:00", "admitted_at": "2026-11-29T13:10:11.936+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883198258710315022, "service_tier": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "fees_nano_usd": 0, "hold_nano_usd": 20000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 10000000, "credit_purse_id": 1883198258269913092, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883198258668371981, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a2276d-6a36-7548-a3ad-b62a048d429d", "dialect": "chat_completions", "outcome": "completed", "session": null, "attempts": [{"fault": "overloaded", "status": 503, "provider": "main", "duration_ms": 4, "upstream_model": "mock"}, {"fault": null, "status": 200, "provider": "main", "duration_ms": 4, "upstream_model": "mock"}], "epoch_id": 1883198258602311692, "left_out": null, "provider": "main", "streamed": false, "attempt_ms": 4, "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "request_id": "01a2276d-6b94-7e2f-a9c8-4490dd743694", "settled_at": "2026-11-29T13:10:12.117344+00:00", "admitted_at": "2026-11-29T13:10:12.08+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883198258710315022, "service_tier": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "fees_nano_usd": 0, "hold_nano_usd": 20000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "mock", "charge_nano_usd": 10000000, "credit_purse_id": 1883198258269913092, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883198258668371981, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a2276d-6a36-7548-a3ad-b62a048d429d", "dialect": "chat_completions", "outcome": "failed", "session": null, "attempts": null, "epoch_id": 1883198258602311692, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "request_id": "01a2276d-6bd4-73a6-b3b1-d91642819fad", "settled_at": "2026-11-29T13:10:12.180616+00:00", "admitted_at": "2026-11-29T13:10:12.13+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883198258710315022, "service_tier": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "fees_nano_usd": 0, "hold_nano_usd": 30000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 0, "credit_purse_id": 1883198258269913092, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883198258668371981, "session_purse_id": null, "client_request_id": "mine", "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a2276d-6a36-7548-a3ad-b62a048d429d", "dialect": "embeddings", "outcome": "completed", "session": null, "attempts": null, "epoch_id": 1883198258935758863, "left_out": null, "provider": "local", "streamed": true, "attempt_ms": 10, "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "request_id": "01a2276d-6c4d-784a-b090-827a8486d88f", "settled_at": "2026-11-29T13:10:12.301395+00:00", "admitted_at": "2026-11-29T13:10:12.252+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883198258710315022, "service_tier": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "fees_nano_usd": 0, "hold_nano_usd": 50000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": 3, "upstream_model": "qwen3", "charge_nano_usd": 20000001, "credit_purse_id": 1883198258269913092, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883198258668371981, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": {"request": 1, "web_search": 3}, "model": "small-chat", "retry": true, "key_id": "01a2276d-6a36-7548-a3ad-b62a048d429d", "dialect": "responses", "outcome": "completed", "session": "a \"session\", {of} ours", "attempts": null, "epoch_id": 1883198258935758863, "left_out": ["web_search", "tool {odd}", "NULL"], "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "request_id": "01a2276d-6c85-727c-b5e4-de0d1b7d868d", "settled_at": "2026-11-29T13:10:12.358154+00:00", "admitted_at": "2026-11-29T13:10:12.306+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883198258710315022, "service_tier": "a \"session\", {of} ours", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "fees_nano_usd": 0, "hold_nano_usd": 10000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 10000000, "credit_purse_id": 1883198258269913092, "member_purse_id": null, "requested_model": "a \"session\", {of} ours", "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883198258668371981, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a2276d-77c9-72f9-90b7-9817ebfd21eb", "dialect": "chat_completions", "outcome": "completed", "session": null, "attempts": null, "epoch_id": 1883198262129721364, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "request_id": "01a2276d-7837-7865-9382-39922584be94", "settled_at": "2026-11-29T13:10:15.351646+00:00", "admitted_at": "2026-11-29T13:10:15.299+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883198262168518677, "service_tier": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "fees_nano_usd": 0, "hold_nano_usd": 30000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 20000000, "credit_purse_id": 1883198258269913092, "member_purse_id": 1883198262105604115, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883198258668371981, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a2276d-78e6-7604-879d-f46307a79de5", "dialect": "chat_completions", "outcome": "completed", "session": null, "attempts": null, "epoch_id": 1883198262396059671, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a2276d-78d1-72b3-a6f4-18bed64cdf93", "request_id": "01a2276d-794b-7ebe-a559-577eb93d0e26", "settled_at": "2026-11-29T13:10:15.627594+00:00", "admitted_at": "2026-11-29T13:10:15.557+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883198262439051289, "service_tier": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "fees_nano_usd": 0, "hold_nano_usd": 30000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 20000000, "credit_purse_id": 1883198258269913092, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883198262421225496, "session_purse_id": 1883198262471557147, "client_request_id": null, "end_user_purse_id": 1883198262451634202, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2276d-72d9-7102-9947-2ade746fb2dd", "code_sha256": "\\x0c82ae242ab1f0487f20e1f5ff18925846d0e749ea2ad752b6ed1461f9d6ebfc"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2276d-72d9-7102-9947-2ade746fb2dd", "code_sha256": "\\x0f4e6715b5fada58873452b16007eb8859c01cfdae9a03e1f30cf71af728ed53"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2276d-72d9-7102-9947-2ade746fb2dd", "code_sha256": "\\x1b767ba69b7e8bfcf8d2373042dec71ada32506a67987cf3e8b728094db40b0f"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2276d-72d9-7102-9947-2ade746fb2dd", "code_sha256": "\\x21552292cfb381ae559f5ed137aa681d2054610a3b3ea9f9d616975d212a559a"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2276d-72d9-7102-9947-2ade746fb2dd", "code_sha256": "\\x36268715c7d969b965cb46cf41a03389103f5c7dfe1cf791c595690ad818c099"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2276d-72d9-7102-9947-2ade746fb2dd", "code_sha256": "\\x45f7bf7a9f2c0f041ea6df678ae003cfc0f8f9f43db408747aff9c6d441a43c9"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2276d-72d9-7102-9947-2ade746fb2dd", "code_sha256": "\\xb61d02c691cf7befd21d4cf4c39a189d25b3dfc5c3d464d85df53790bbe5eee3"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2276d-72d9-7102-9947-2ade746fb2dd", "code_sha256": "\\xc2b819cd3dbf2e83dab5ece79893e6792ea3d334848c8b9d2931451186a25fa4"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2276d-72d9-7102-9947-2ade746fb2dd", "code_sha256": "\\xc6547c5e663c4f71c534d4064da905b7ce35b552a632eace84213741a8ff3411"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2276d-72d9-7102-9947-2ade746fb2dd", "code_sha256": "\\xf387c4b904787324861109ee084ca5ee33697215876ba4538b346d49bf4e7af8"}');
insert into recurring_grants overriding system value select * from jsonb_populate_record(null::recurring_grants, '{"id": "01a2276d-707d-7519-baa0-695973994359", "actor": "test", "period": "month", "reason": "a \"reason\", with Ünïcode", "next_at": "2026-12-01T00:00:00+00:00", "ended_at": null, "created_at": "2026-11-29T13:10:13.370551+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "amount_nano_usd": 10000000, "expires_after_days": null, "expires_with_period": true}');
insert into redemption_batches overriding system value select * from jsonb_populate_record(null::redemption_batches, '{"id": "01a2276d-71f9-729e-a95c-a4c075c494ed", "once": null, "actor": "test", "count": 2, "reason": "sold", "created_at": "2026-11-29T13:10:13.753764+00:00", "expires_at": "2026-11-30T13:10:13.752+00:00", "posting_kind": "top_up", "amount_nano_usd": 10000000}');
insert into redemption_codes overriding system value select * from jsonb_populate_record(null::redemption_codes, '{"id": "01a2276d-71fe-74fd-9b1f-ede77de6d7e4", "batch_id": "01a2276d-71f9-729e-a95c-a4c075c494ed", "last_four": "0SSQ", "top_up_id": "01a2276d-720c-702e-b270-8a814c5d63fb", "code_sha256": "\\x59a336d6661a2e177cd09eb0efda8838a1b073dacb2f8b937d4abf20f9423ed5", "redeemed_at": "2026-11-29T13:10:13.772538+00:00", "redeemed_by": "test", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into redemption_codes overriding system value select * from jsonb_populate_record(null::redemption_codes, '{"id": "01a2276d-71fe-74fd-9b20-6057776cc861", "batch_id": "01a2276d-71f9-729e-a95c-a4c075c494ed", "last_four": "2C3R", "top_up_id": null, "code_sha256": "\\xeed2b4983ed62ab110a18aa57696b88b2ede3543fa89496f12d2fa825f053412", "redeemed_at": null, "redeemed_by": null, "workspace_id": null}');
insert into refusals overriding system value select * from jsonb_populate_record(null::refusals, '{"code": "MODEL_NOT_FOUND", "rate": null, "model": "none", "param": "model", "key_id": "01a2276d-6a36-7548-a3ad-b62a048d429d", "status": 404, "endpoint": "chat_completions", "shortage": null, "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "refused_at": "2026-11-29T13:10:13.924+00:00", "request_id": "01a2276d-72a4-722f-80cb-845e561f89d6", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "retry_after_ms": null}');
insert into route_hours overriding system value select * from jsonb_populate_record(null::route_hours, '{"hour": "2026-11-29T13:00:00+00:00", "fault": {"kind": "failed", "status": 500, "request_id": "21b24e9c-8428-428e-ba69-39d931262f50"}, "model": "small-chat", "whole": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "faults": {"failed": 1}, "answered": 2, "fault_at": "2026-11-29T13:10:13.943+00:00", "provider": "local", "rejected": 0, "abandoned": 0, "answered_at": "2026-11-29T13:10:13.943+00:00", "first_event": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "upstream_model": "qwen3"}');
insert into scheduled_work overriding system value select * from jsonb_populate_record(null::scheduled_work, '{"name": "backup", "holder": null, "outcome": {"file": "/backups/one", "bytes": 1, "verified": true}, "problem": null, "done_turn": "2026-11-28T13:10:16.615+00:00", "failed_at": null, "held_until": "2026-11-29T13:12:16.616221+00:00", "succeeded_at": "2026-11-29T13:10:16.63729+00:00"}');
insert into sessions overriding system value select * from jsonb_populate_record(null::sessions, '{"id": "01a2276d-72e3-75fb-82eb-f21897b892c2", "address": "192.0.2.1", "user_id": "01a2276d-72d9-7102-9947-2ade746fb2dd", "created_at": "2026-11-29T13:10:13.973835+00:00", "expires_at": "2026-12-29T13:10:13.973835+00:00", "user_agent": "a browser", "is_recovery": false, "last_seen_at": "2026-11-29T13:10:13.973835+00:00", "token_sha256": "\\x57d2cc4e9a34a172a3b32dbf9584b360672c4560691d3ff602e6e4fde7cb4690", "authenticated_at": "2026-11-29T13:10:13.973835+00:00", "second_factor_at": null, "provider_workspace_id": null}');
insert into sessions overriding system value select * from jsonb_populate_record(null::sessions, '{"id": "01a2276d-73c8-74d9-985e-355b43691a2f", "address": "192.0.2.1", "user_id": "01a2276d-73c4-7755-b3de-14ea7f146f3c", "created_at": "2026-11-29T13:10:14.211105+00:00", "expires_at": "2026-12-29T13:10:14.211105+00:00", "user_agent": "a browser", "is_recovery": false, "last_seen_at": "2026-11-29T13:10:14.211105+00:00", "token_sha256": "\\xfd325aa14e1e348e945b5e8ea8b38629fac1f9d0500c0e9b03e1570be60db99a", "authenticated_at": "2026-11-29T13:10:14.211105+00:00", "second_factor_at": null, "provider_workspace_id": null}');
insert into sessions overriding system value select * from jsonb_populate_record(null::sessions, '{"id": "01a2276d-7526-7483-a4b5-07f7c4e7ddc1", "address": "192.0.2.1", "user_id": "01a2276d-74fa-7126-bc52-92c6047cf563", "created_at": "2026-11-29T13:10:14.511404+00:00", "expires_at": "2026-12-29T13:10:14.511404+00:00", "user_agent": "a browser", "is_recovery": false, "last_seen_at": "2026-11-29T13:10:14.511404+00:00", "token_sha256": "\\xe7cfea53cb38634ff445e6c0c0c1ca0879bcee5ae4a1b3b28690ee266ce760d6", "authenticated_at": "2026-11-29T13:10:14.511404+00:00", "second_factor_at": null, "provider_workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into sign_in_networks overriding system value select * from jsonb_populate_record(null::sign_in_networks, '{"network": "192.0.2.1", "used_at": "2026-11-29T13:10:13.973835+00:00", "user_id": "01a2276d-72d9-7102-9947-2ade746fb2dd"}');
insert into sign_in_networks overriding system value select * from jsonb_populate_record(null::sign_in_networks, '{"network": "192.0.2.1", "used_at": "2026-11-29T13:10:14.211105+00:00", "user_id": "01a2276d-73c4-7755-b3de-14ea7f146f3c"}');
insert into sign_in_networks overriding system value select * from jsonb_populate_record(null::sign_in_networks, '{"network": "192.0.2.1", "used_at": "2026-11-29T13:10:14.511404+00:00", "user_id": "01a2276d-74fa-7126-bc52-92c6047cf563"}');
insert into sink_progress overriding system value select * from jsonb_populate_record(null::sink_progress, '{"sink": "archive", "fault": null, "holder": "787398c8-7794-49c6-b6ce-c654bf523d42", "server": 7713580035162968221, "delivered": "889:889:", "held_until": "2026-11-29T13:15:15.19642+00:00", "failing_since": null}');
insert into stored_response_bytes overriding system value select * from jsonb_populate_record(null::stored_response_bytes, '{"bytes": 448, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into stored_responses overriding system value select * from jsonb_populate_record(null::stored_responses, '{"items": "\\x01f1eda7f9cd6e4265bc2355ee6a539cd8c81215ea0b19db98d6308b782d7b2524f4bb6e291634c2a8e12fcb5017d6ec759694d041543440ee2785a954dd91b823bfeb04bf4a6f9c49f44801f1eda7f9cd6e4265bc2355ee6a539cd87dc8b8e569e6e9d31015bd60e7013a7cb79a0aa8987eefd25f34dfe548aa40673bf5264fd2cadcb101f29ecb52abb3b98e369a5963d926a0b4c6c86968964fcef4d7cac08162d502", "response": "\\x01f1eda7f9cd6e4265bc2355ee6a539cd822a32619dfa71aa269f2fae56fda875db15dc293f08691c84c4528c3a33769da15393d8e448631664f47fb", "encrypted": true, "expires_at": "2026-11-30T16:10:13.920375+00:00", "request_id": "01a2276d-7276-7274-b9dd-f8978f5ccfd9", "response_id": "resp_1", "input_length": 75, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "previous_request_id": null}');
insert into stored_responses overriding system value select * from jsonb_populate_record(null::stored_responses, '{"items": "\\x01f1eda7f9cd6e4265bc2355ee6a539cd82b5ffd7287e45bd03ec98170c6e28e43239fa53655932ba49a64bb856539bdf62bd544a043f477e8cd82b83c4e13ef939b4fba5e49afc9baa78c01f1eda7f9cd6e4265bc2355ee6a539cd848191ba9afbc0ab68e8c90ad89d26467df7747d7834b7358d83a638e10dcef66bc9edd6e3a642411e09cb3a8c4449a4759c0129d61604402eabb4830b04d9947561c9bb03e6f0a4f", "response": "\\x01f1eda7f9cd6e4265bc2355ee6a539cd8535553ff77e69947c723516138f0a209ac59961757b0ad4934e1505b51e015f3af5969ffe107b667767ebd", "encrypted": true, "expires_at": "2026-11-30T13:10:13.920375+00:00", "request_id": "01a2276d-729a-777f-85ec-04ccd9370c1b", "response_id": "resp_1", "input_length": 75, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "previous_request_id": "01a2276d-7276-7274-b9dd-f8978f5ccfd9"}');
insert into stored_response_items overriding system value select * from jsonb_populate_record(null::stored_response_items, '{"length": 44, "item_id": "msg_1", "starts_at": 0, "request_id": "01a2276d-7276-7274-b9dd-f8978f5ccfd9", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into stored_response_items overriding system value select * from jsonb_populate_record(null::stored_response_items, '{"length": 44, "item_id": "msg_1", "starts_at": 0, "request_id": "01a2276d-729a-777f-85ec-04ccd9370c1b", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into unrecorded_refusals overriding system value select * from jsonb_populate_record(null::unrecorded_refusals, '{"hour": "2026-11-29T13:00:00+00:00", "requests": 3, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2944, "model": "small-chat", "dialect": "chat_completions", "outcome": "completed", "requests": 1, "starts_at": "2026-06-02T13:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "cost_nano_usd": 0, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 10000000, "costed_requests": 0, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "chat_completions", "outcome": "completed", "requests": 2, "starts_at": "2026-11-29T13:00:00+00:00", "duration_1": 2, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "duration_10": 0, "input_tokens": 14, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "cost_nano_usd": 23750, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 22, "first_event_10": 0, "charge_nano_usd": 20000000, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "chat_completions", "outcome": "failed", "requests": 1, "starts_at": "2026-11-29T13:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "cost_nano_usd": 23750, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 0, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "embeddings", "outcome": "completed", "requests": 1, "starts_at": "2026-11-29T13:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "cost_nano_usd": 23750, "first_event_1": 1, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 20000001, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "responses", "outcome": "completed", "requests": 1, "starts_at": "2026-11-29T13:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "cost_nano_usd": 0, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 10000000, "costed_requests": 0, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2944, "model": "small-chat", "key_id": "01a2276d-6a36-7548-a3ad-b62a048d429d", "dialect": "chat_completions", "outcome": "completed", "requests": 1, "starts_at": "2026-06-02T13:00:00+00:00", "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "input_tokens": 7, "last_used_at": "2026-06-02T13:10:12.42+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "cost_nano_usd": 0, "output_tokens": 11, "charge_nano_usd": 10000000, "costed_requests": 0, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a2276d-6a36-7548-a3ad-b62a048d429d", "dialect": "chat_completions", "outcome": "completed", "requests": 2, "starts_at": "2026-11-29T13:00:00+00:00", "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "input_tokens": 14, "last_used_at": "2026-11-29T13:10:12.08+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "cost_nano_usd": 23750, "output_tokens": 22, "charge_nano_usd": 20000000, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a2276d-6a36-7548-a3ad-b62a048d429d", "dialect": "chat_completions", "outcome": "failed", "requests": 1, "starts_at": "2026-11-29T13:00:00+00:00", "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "input_tokens": 7, "last_used_at": "2026-11-29T13:10:12.13+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "cost_nano_usd": 23750, "output_tokens": 11, "charge_nano_usd": 0, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a2276d-6a36-7548-a3ad-b62a048d429d", "dialect": "embeddings", "outcome": "completed", "requests": 1, "starts_at": "2026-11-29T13:00:00+00:00", "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "input_tokens": 7, "last_used_at": "2026-11-29T13:10:12.252+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "cost_nano_usd": 23750, "output_tokens": 11, "charge_nano_usd": 20000001, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a2276d-6a36-7548-a3ad-b62a048d429d", "dialect": "responses", "outcome": "completed", "requests": 1, "starts_at": "2026-11-29T13:00:00+00:00", "project_id": "01a2276d-6a1d-770a-aa01-0c886ebd46ef", "input_tokens": 7, "last_used_at": "2026-11-29T13:10:12.306+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "cost_nano_usd": 0, "output_tokens": 11, "charge_nano_usd": 10000000, "costed_requests": 0, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_keys overriding system value select * from jsonb_populate_record(null::usage_keys, '{"key_id": "01a2276d-6a36-7548-a3ad-b62a048d429d", "last_used_at": "2026-11-29T13:10:12.306+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into user_identities overriding system value select * from jsonb_populate_record(null::user_identities, '{"issuer": "https://login.company.example", "subject": "2", "user_id": "01a2276d-74fa-7126-bc52-92c6047cf563", "created_at": "2026-11-29T13:10:14.511404+00:00"}');
insert into user_identities overriding system value select * from jsonb_populate_record(null::user_identities, '{"issuer": "https://login.example", "subject": "1", "user_id": "01a2276d-72d9-7102-9947-2ade746fb2dd", "created_at": "2026-11-29T13:10:14.08574+00:00"}');
insert into webhook_endpoints overriding system value select * from jsonb_populate_record(null::webhook_endpoints, '{"id": "01a2276d-761a-70dd-b76c-8f0e614872b6", "url": "https://hooks.example/", "secret": null, "enabled": true, "version": 2, "created_at": "2026-11-29T13:10:14.82599+00:00", "description": "ours", "former_until": "2026-11-30T13:10:14.845342+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "former_secret": null, "encrypted_secret": "\\x01f1eda7f9cd6e4265bc2355ee6a539cd8504f42af6d2a53633b1922058fb512c0c10c72d53954eeba967589a539badd43865c243d44942955d417fbfac79a2f7d827ca458ee68c34cad94eab36d9cf6a0b7b0c44e79023d15b46f78fe3f201031", "encrypted_former_secret": "\\x01f1eda7f9cd6e4265bc2355ee6a539cd8d0f90b8bc704411ea317b72a7351af57d5f68259ac00fcf3f347f94d72e6ba7fd496f266fa2b983662251b3f6a03dce176c5c407fb45dea57c6baf13bddedb6eeb501f707e09c36d51c196a9d5d7f917"}');
insert into workspace_access overriding system value select * from jsonb_populate_record(null::workspace_access, '{"issuer": "https://login.company.example", "version": 1, "client_id": "faregate", "group_roles": {"engineers": "developer"}, "only_openid": false, "default_role": "none", "groups_claim": null, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "second_factor": false, "allowed_networks": ["0.0.0.0/0", "::/0"], "trusts_addresses": false, "ends_leavers_keys": true, "encrypted_client_secret": "\\x01f1eda7f9cd6e4265bc2355ee6a539cd85e34622a4af9c6fa7fdd1df3589a55f2019a8d0f2b0b352e0210f9eebc588fc1d7a88986adfa94a43ebd14"}');
insert into workspace_domains overriding system value select * from jsonb_populate_record(null::workspace_domains, '{"token": "6f84eb50622734e9def11f971decc563f5e98dd6", "domain": "company.example", "proven_at": "2026-11-29T13:10:14.500872+00:00", "proven_by": "operator", "created_at": "2026-11-29T13:10:14.473868+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into workspace_domains overriding system value select * from jsonb_populate_record(null::workspace_domains, '{"token": "0f26e3cdf934a121e2a2dcb3ecd2d08b098eda45", "domain": "unproven.example", "proven_at": null, "proven_by": null, "created_at": "2026-11-29T13:10:14.453403+00:00", "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7"}');
insert into workspace_moves overriding system value select * from jsonb_populate_record(null::workspace_moves, '{"id": "9b9162f1-ef3d-40dd-bb33-154cf54ad11b", "rows": 0, "actor": "operator", "shard": "01", "state": "moved", "copied": null, "holder": null, "figures": null, "problem": null, "wait_ms": 1000, "begun_at": "2026-11-29T13:10:17.934198+00:00", "ended_at": null, "moved_at": null, "copied_to": null, "held_until": null, "paused_xid": null, "workspace_id": "01a2276d-820e-710c-874d-9bda4bd56db1", "sealed_receipts": 0, "sealed_write_off_nano_usd": 0}');
insert into workspace_sinks overriding system value select * from jsonb_populate_record(null::workspace_sinks, '{"sink": "archive", "redact": ["keys"], "records": ["content", "receipts"], "version": 1, "changed_at": "2026-11-29T13:10:15.153972+00:00", "last_lost_at": "2026-11-29T13:10:15.184366+00:00", "lost_records": 2, "workspace_id": "01a2276d-699b-70b9-afe2-1d40eb25cfc7", "receipts_from": "887:887:", "audit_position": 28, "sample_percent": 10}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0001_baseline", "sha256": "ebb659db4c12027da2ea3b5b70af0970e6dfd4c46ac4edb12d7b31bf8de53788", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0002_receipts_name_their_transaction", "sha256": "d89660b1112dceabefd3d835a0d2a86e825640738aad3236387ded5bc5c3fe65", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0003_audit_events", "sha256": "2d6de6c1ecf24deaf1b15d38f9d1805dbf2602fd6d8221a5b23a64aaefcd8de9", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0004_receipts_name_their_route", "sha256": "647a98b35b43368fe220ad736d91af073fe33c3d9b63267ef2d55aa2654d064c", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0005_alerts", "sha256": "4687662bea793a337483b4a659498c0debb0abd9ca38d7203159790a7a3272cf", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0006_identity", "sha256": "3aab94dd61f9f0fbd5f3127e63a8713558da21e16e8477d1b698befda74a17b1", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0007_payments", "sha256": "0f4bc319c797e84bdd869c6456f439429d9627eecbc7508377545df3a2ae40e4", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0008_usage", "sha256": "f096f3615f57b9b6ca1a3e256f2491d5b6ea045f7fe4d5b29726db31161a9a8d", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0009_resource_lives", "sha256": "720823a00cc8c54ac661c5f590be3b61a6f9077961e842fe805a12d82478b47f", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0010_workspace_prices", "sha256": "4f16867aac15717f2353557be32c31680888715a035081df8899c7fc8942305c", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0011_stopped_top_ups", "sha256": "a0288135fb604a9e843fd206d64e85142484f74475e9bfcb56fb3c0a5ca6aae4", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0012_refusals", "sha256": "4e45136f989938863c15b2ad5d6094131b1162a539791064e246f0bf3307b57b", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0013_last_uses", "sha256": "4d0dcf3a705cce5c129838c24c12569420fbc27a4bd732f9d4fa9292182872e0", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0014_provider_costs", "sha256": "5d0d9a4f1c73e5f99df821c1c5ddb50b22ddf1dc330b9dafca692710fdc9a8b5", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0015_console_keys", "sha256": "dafb5035af02c9e1ea243ae3afa0a3a7176ae8938e91cd6255d286ca3bbff749", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0016_usage_by_member", "sha256": "338f3ce2e3765d2a443389635bbf9cf88f48c4e2f1bc8db44650406aef1e1b3f", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0017_receipts_have_extras", "sha256": "f8912e4a25f8bf604e0fe52a7b1f40c6242b9240aa929457ee885ce9db3b9142", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0018_stored_responses", "sha256": "089a16ba83117860f47db3e163ec2da917e4054baf0fa27cf2017494a1613498", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0019_stored_response_bytes", "sha256": "00e42557b020fd1e8b061977f60c86c094ff7a7eae42068a96f09055b8cd9e78", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0020_fees", "sha256": "60f348b631539ea4e196995c93e66ce37d67570915d0b1ce486408af7f64afcb", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0021_links_name_their_makers", "sha256": "f5d2b319d1e10f03ecf63dd0979cfac80f822146dfe677c20b36801db4eb7a91", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0022_encrypted_secrets", "sha256": "7268d4770c89485bcc0349269ea76072fe8e514cef89338b5529ca36a66cc838", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0023_sign_in_networks", "sha256": "6c338250b62c39fa2efaf31be534c45f0137aacb5c6cfa984db3b5499c91038c", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0024_tokens_for_backups", "sha256": "e109c654df97b2d75a88746e6addeb1de611687704a23f1bae4e8d25fbf0c34f", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0025_member_keys_are_bounded", "sha256": "11399c572511730e5020fa14975652ba923f075c32f8148cdde39f55fcab45f3", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0026_projects_report_costs", "sha256": "e90c21368f1e811534b28c0a37b41fcde0c57c7f7245da6b645a5f92a33609f5", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0027_encrypted_responses", "sha256": "710a774743c244631da09e74b7c9c2bd8f9185a9f91fa4a7e373dc99fd113b8f", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0028_leases_in_use", "sha256": "6fc8c255cb726234369265c8c8aaf7834e8f7726dd4d3460ebb9d369c13d667c", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "apply_budget", "sha256": "38e85a64e9049fafa1bb9b8979db9615a6d046a879406654ba966605185334a1", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "apply_payment_fact", "sha256": "96ec5683385db5ce993ac8b597509d6d167209167f122071c7a53e6a06c87cab", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "begin_auto_top_up", "sha256": "2fd5b3d8d58ae61b9b998d0d673389eb3fe3faf009e3784aedddce4fb0f43e76", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "bound_transaction", "sha256": "8f46049bfb4fa8b5feb0888f673405ca21315e00288e9a383c7be7c007ac45d5", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "claim_for_late_receipt", "sha256": "d7e5423fd69cab785cd3ca405e30748b75c4ff7703498d85c5963439cfd54acb", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "claim_idempotency_key", "sha256": "24e16c30eb4d0f59ea13e78a78fc6da93db290e441b755df821585ba97556c52", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "closed_credit", "sha256": "9d1826aca7f5150b31f766acf211199d3b4e6e90c6dbc1cc85b20d6df4e2736f", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "closed_payments", "sha256": "04f3918c0b0930cebc7ab6e86e4f16d5f9dcd76f80305738fcd63f0222602038", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_draw_leases", "sha256": "4c27a5be72ef012f676aaca292a633e1a2492badad83492f6a14f2e0a02f2073", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_draw_permits", "sha256": "fd86daa8182807731e3bfdc9719d16df8377d377486cda1fbeb6a50e4b182f96", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_look_up_keys", "sha256": "ab777707a8f0872e53da6c287e6a41a2362c30a5d61f7cdffcad9e7d8fa12e2e", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_reap_epoch", "sha256": "9be3fb79ce3391afae14142b1780ab016b362cc4f3904310f9f6f8ad23efdee2", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_release_leases", "sha256": "fd88128e37f6a8b33a06da63879e5857b5648111119175cbbc64ae80a8a94293", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_settle_late_receipts", "sha256": "64d3cf3db4ab8e4891be890d61052b2a75c411ab55a24d8d95c9b559f19c92d4", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_settle_receipts", "sha256": "51d9c975be827da1e5ed2ab1ae317a28842b420ad1ff8d478344a5714de7e005", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "complete_held_claims", "sha256": "60618d5de0152765796086d39430f9aefd8255d4c0e5f6ad332574d7c5250152", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "complete_idempotent_requests", "sha256": "105b1c267bf38dc387aa2e06c7f619da88bef1aced99633f962e5fe969422821", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "correct_receipt", "sha256": "1f6daeff86f8e897a7e9132ad83507b79e67fa87d8e28886cd86ef6b8cbfb1cc", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "correct_usage", "sha256": "0ccc82b3dab895c502b37ef9cc9c07b719f7f14d446b83491cf8a54948b3a51a", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "count_version", "sha256": "0cd97a1377dff2da527066a990e103216cf03ebd0b9ed9d85588b3155276c334", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "delete_response", "sha256": "3e6a631f5c142623c7879f72a35e305b623313e22152a55ed2929dae10d741ca", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "draw", "sha256": "44cd8a9aa796d98d2af5042345d30de29f50ee6f0540407b313970b6acd2cb9d", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "draw_leases", "sha256": "2a292d8e4cfd3815dabe762e48eeeeb04fecebb6361b1ca65066fee1b794616a", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "draw_permits", "sha256": "69f689cf40165148dbe75adaabd6eddf8a88b899c5ee6eabe564f1020134fa17", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "end_statements_of", "sha256": "a576c6eb79b972f8b49644ae38b10f53cca57ccff2cee1d13767444b8dc748c8", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "fence_epoch", "sha256": "85c2ce59c6cb47060f86bc1260f22ac15f213cbf36f6aa0c2d8f01d6ac1eefe2", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_principals", "sha256": "76626cd424090d0a66037eaef5957d370b1aded8bbbc2ecfdf7c2521902bb3c5", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_purses", "sha256": "c794041895c577dd9ec6a61fb6ca1c30daeb5710e1462408443b2943d5f26868", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_response_chain", "sha256": "47ce7f6b7c89a0d2c888e06a921f315418e7c267438262eef1f70a4f608e8a56", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_response_items", "sha256": "b649d6351268dd847f983d905c14a79b264b4b23cab1f83baad9d10ef47b2082", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "fresh_id", "sha256": "07918f79e7624cd0852a20b96d076f312d48c0222150c7f7ab18b60ee3ea38b5", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "give_back_leases", "sha256": "8cfe5fb4ce1fa443554ae1e7c0417b33701e68b3421f2b2c03ecaaae88e57662", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "keep_responses", "sha256": "2668bc2ab74e6e8dc074b7598a2c0e9eb6017de60f6899ec905c2de32fdb9cb1", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "late_purses", "sha256": "a622cedc0de38acb3a859d3a5df11194b66ca166b61f639e1852bd5c6f5f6bde", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "late_receipts", "sha256": "c9b5c8a62eadf3d4032f0c7274397412606e92387050a5d1de13b4b671888029", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "ledger_is_append_only", "sha256": "090c24317091f9cf93dfdae319b3cc3f7f026f6bf87c2436ae588781e30481b6", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "ledger_posting_balances", "sha256": "975f345bd4783e6428276e27ab05f11817e8be8db0760ceda0bc6be69cd943ea", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "limit_member_keys", "sha256": "2130113a91817800949e314e5eaf538adeadf510a77adcc899d58590461894d3", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "lock_claims", "sha256": "f19dabc05cdd0c8ad7773483df8516d05c5efaed7a05eb4b189da46751dd380b", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "lock_purses", "sha256": "63ed4c0c6d06c298fd07fb3a543aa7d23de08964744daf1f52165e9bdb9a2afe", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "look_up_keys", "sha256": "e566aab90728df3c5eb7dc6eadaf68c10401e712043a36147cd84242b2f2633f", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "match_payment", "sha256": "fb56c909e6a7f3cd7cedbd6fedc34338ad63164bf1dbfbd3eecdf9f5e497d557", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "move_top_up", "sha256": "17ecf38736f61703ca4de95a5ee5a4064609fb08d173ed0b66afd3c3e80c8751", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "next_cost_time", "sha256": "b4cc9da4e7773457e26a5ac47b7073c566613849a0ce5b83df71703ca5e06a4e", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "open_purses", "sha256": "9076e37933be03735a8e54684c939cbec0a17ce5790a3aff42ec0e5ca022c4c6", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permit_parts", "sha256": "01c07276dae5dac744f6f29c8194cd52bd5d51431368e7adf93a3679455bf718", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permit_stock", "sha256": "4488f04e449b5b3ddaf3120a5160b9c9e918d6e686175383918a9e741f067eab", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permit_wait_ms", "sha256": "54861cfa8f7d027695efe63c13f150904fa6d8204330a2e564d3dfe99837b12f", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permits_taken", "sha256": "37df2526b8efba2913c66cc9cbbd9fd383dbe38c137d5f4f3ab5da7bd6dda152", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "post_credit", "sha256": "7995d67c523cac9ad6fe2d379d465bef835550fca8367995f3815e92a8d5b2bb", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "post_reversals", "sha256": "bc48253b1995e2a92ef217327c228370a51aa825e135e51f65a2f7cb5b9d19c9", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "prune_responses", "sha256": "2289ac589a1b195d9445f204d11bbf232f22cb65859e3428f9b5c54d67235275", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "read_response", "sha256": "adeda8bfc2cd11e1ba602b35b9fc65bd23fbc2532a3fd601b6af3857227cad83", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "reap_epoch", "sha256": "36172ba5b8359a0f7dab7ae749776f6abbb25b5d27066d7ca214dd41069eeee0", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "receipt_cost", "sha256": "5b6458bfdc18f8a53d198d648def8f0b7ec54e40374b0c740ed884bbcc1084e5", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "receipts_are_sealed", "sha256": "02ae37fa205a791f5b4150af20e4b223239072170e625ad092480d7f96f7b64c", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "record_reversal", "sha256": "d3b4492cd1b4c9047783e9b2cd26a4a3bd7742cf5858802b655947dd96965a57", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "redeem_code", "sha256": "e61c872db1f4dd0e2bd45f29cf69ac6d4cf988831fa0e87b9a94e537e6e57509", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "refund_closed", "sha256": "fe630a72e039e052c92ca6e42a8282b08c768709c8a47eea57ae9effa02d5f52", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "refund_closing", "sha256": "00109c0720c80bb31dd2d52231ce16cdf166114984ec9128c294e779889ec6f5", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "release_idempotency_key", "sha256": "e56a4602e4c3c9b57aff7cbf69cf2b9122c0d4d918e75b50bfbf21292fe1b5ba", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "release_leases", "sha256": "8c3d124bd45a44850976e84f114000a5ed2b41d4deee8bf77a594ffc5f7371b4", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "require_live_epoch", "sha256": "3e5da93147671fa3f440e4f056252eab78b6fcba7219ba84471c212050703413", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "settle_late_receipts", "sha256": "4e8992a82fbedfcbaf5f633cb008b627da2f1fc521e3178ec65511cc4b7cfff4", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "settle_receipts", "sha256": "a884f4077af6c1bdd7fd422ff503ebf895d515537c029a11b455aba02ff9231f", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "settle_receipts_again", "sha256": "b054f2eff8fe74895198600e9dd3fd77cc54078db57ca59238fb3f72eae862be", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "take_free_answer", "sha256": "d0fc54a4234993d238997ae0dedc1dcf359f736c4d6b3c23deafbea663a114db", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "update_key", "sha256": "456f58b8a0be4ec3253d982015cb135b40153d6bd4a5417dd57e62b4070f9af2", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "update_project", "sha256": "8d9600123c39f7c2dad8ad46c85b0518b0223255a42bc05f08d8c99c072157c9", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "wait_briefly", "sha256": "222abab4027de312fcb28d7e7057d294e6099ec3d7ab10e3fd1e6c5eef934511", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "apply_budget", "sha256": "1acad0a65dfa033553ab07afc35bac9492ec62eec6ff7c20f5d0f44c8ffa274f", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "apply_payment_fact", "sha256": "dc314872c265231408015740664439981c58ea494bfabcf1f46814d565565f5c", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "audit_event_digest", "sha256": "e1ee5158f324be8deef5fbdd8c1c26e10b7650a7242bf6f2e359aca9eff3fbef", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "begin_auto_top_up", "sha256": "129030638f2c02344c5f20f4b944eb94c2fac26c6d3dc0ec1125ad0a863fe695", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "bound_transaction", "sha256": "8f46049bfb4fa8b5feb0888f673405ca21315e00288e9a383c7be7c007ac45d5", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "claim_for_late_receipt", "sha256": "d7e5423fd69cab785cd3ca405e30748b75c4ff7703498d85c5963439cfd54acb", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "claim_idempotency_key", "sha256": "24e16c30eb4d0f59ea13e78a78fc6da93db290e441b755df821585ba97556c52", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "closed_credit", "sha256": "9d1826aca7f5150b31f766acf211199d3b4e6e90c6dbc1cc85b20d6df4e2736f", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "closed_payments", "sha256": "7f3bcede09c8efecde9a35c4b191306f8568dd29f451305538e33c37d04771e1", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_draw_leases", "sha256": "84af03335e4285dcc2409f5b1c93d733eceb20aec976c0e99d4424b1d67d721e", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_draw_permits", "sha256": "fd86daa8182807731e3bfdc9719d16df8377d377486cda1fbeb6a50e4b182f96", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_look_up_keys", "sha256": "dd28780a214fedaa74402f3ac90c58b2d217c5f2dcd506c78575e1d764cb3a35", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_reap_epoch", "sha256": "9be3fb79ce3391afae14142b1780ab016b362cc4f3904310f9f6f8ad23efdee2", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_release_leases", "sha256": "fd88128e37f6a8b33a06da63879e5857b5648111119175cbbc64ae80a8a94293", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_settle_late_receipts", "sha256": "64d3cf3db4ab8e4891be890d61052b2a75c411ab55a24d8d95c9b559f19c92d4", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_settle_receipts", "sha256": "51d9c975be827da1e5ed2ab1ae317a28842b420ad1ff8d478344a5714de7e005", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "complete_held_claims", "sha256": "60618d5de0152765796086d39430f9aefd8255d4c0e5f6ad332574d7c5250152", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "complete_idempotent_requests", "sha256": "105b1c267bf38dc387aa2e06c7f619da88bef1aced99633f962e5fe969422821", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "correct_receipt", "sha256": "d1363fd84e194c39cbf733212176229e0f77ebb42b77441b3ac0b2f628f69ca9", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "correct_usage", "sha256": "0ccc82b3dab895c502b37ef9cc9c07b719f7f14d446b83491cf8a54948b3a51a", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "count_grants", "sha256": "ee38f91365fc02aa9047fe94a9436d4db316a4d8b332c15a94d0723530338f44", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "count_version", "sha256": "16f0f8f12072e805135bd2f810cfc5fd18db4374f405d1109b754cb22f599a73", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "delete_response", "sha256": "3e6a631f5c142623c7879f72a35e305b623313e22152a55ed2929dae10d741ca", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "draw", "sha256": "1e725f1d19d4d8cb1fe4cb9ee0680f40c672d8d33c8a9532091741f2eba3fd6c", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "draw_leases", "sha256": "109324e4f727071bb32af50eaf0ff5103fb3eb7518e34ee2239683ea85f3653c", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "draw_permits", "sha256": "69f689cf40165148dbe75adaabd6eddf8a88b899c5ee6eabe564f1020134fa17", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "end_statements_of", "sha256": "a576c6eb79b972f8b49644ae38b10f53cca57ccff2cee1d13767444b8dc748c8", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "expire_grant", "sha256": "5a3a16e579f1496639758409f4f0cc6b94e113731f9eb21224c84ca5ec2f6c9a", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "fence_epoch", "sha256": "85c2ce59c6cb47060f86bc1260f22ac15f213cbf36f6aa0c2d8f01d6ac1eefe2", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "find_principals", "sha256": "c116e76b4da62146ddbc35607d9584bca7378692a3d6b958d44ede407056c52c", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "find_purses", "sha256": "753b0548dad6c4777a544fb407ab3395c0a124dc3b2cf32ea15e6ea86683be8c", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "find_response_chain", "sha256": "47ce7f6b7c89a0d2c888e06a921f315418e7c267438262eef1f70a4f608e8a56", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "find_response_items", "sha256": "b649d6351268dd847f983d905c14a79b264b4b23cab1f83baad9d10ef47b2082", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "fresh_id", "sha256": "07918f79e7624cd0852a20b96d076f312d48c0222150c7f7ab18b60ee3ea38b5", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "give_back_leases", "sha256": "8cfe5fb4ce1fa443554ae1e7c0417b33701e68b3421f2b2c03ecaaae88e57662", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "give_back_to_grants", "sha256": "a73db84e3e307acb41b742a51a0dad63eb36b793c233b2451af6084512d334af", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "keep_audit_event", "sha256": "c7c58ffd398d3833f326b469020fa71a065ddb18eb9f0a4138e39598a2a3e13e", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "keep_paused", "sha256": "b7b011994de163b3eb8b8cf097e9f612f1adbffa8ac447ea18cf6a0f1ebf418c", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "keep_posting", "sha256": "ea707fce4065a393600a41af195c764ebcc248a07e6dd2c4e01399f70b4aec0d", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "keep_responses", "sha256": "2668bc2ab74e6e8dc074b7598a2c0e9eb6017de60f6899ec905c2de32fdb9cb1", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "late_purses", "sha256": "faf8a4faa63f65ed7c630e4b1893cac213170a28bb10d37eb27b375ed0cbdab6", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "late_receipts", "sha256": "c9b5c8a62eadf3d4032f0c7274397412606e92387050a5d1de13b4b671888029", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "late_served", "sha256": "211a8813aad776b723725efe1b73be6092eebeb4e2b31286de5bc46bc655623f", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "ledger_is_append_only", "sha256": "090c24317091f9cf93dfdae319b3cc3f7f026f6bf87c2436ae588781e30481b6", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "ledger_posting_balances", "sha256": "975f345bd4783e6428276e27ab05f11817e8be8db0760ceda0bc6be69cd943ea", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "limit_member_keys", "sha256": "e39bd7fcefb37370518341035d9cb202a5cdc3e1c2145802cdd36198620bf88f", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "limit_now", "sha256": "b8e123d269ad460e054e4209fafe8a3124987f6c3edad1f3f4390e173b5c8f96", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "link_audit_event", "sha256": "42ee2f1b06d21a55e1c9e950198638b21fdeb8052de69170e4329eb0672c1a68", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "live_grants", "sha256": "c31aea9ae4e2391947a1b1abcb6166f2c6bd0c57e7b44516477c00718d095591", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "lock_claims", "sha256": "f19dabc05cdd0c8ad7773483df8516d05c5efaed7a05eb4b189da46751dd380b", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "lock_number", "sha256": "8f118c84340247f8f43159e7f4549e45602c077f4541be6f95349fa177c83b2f", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "lock_purses", "sha256": "63ed4c0c6d06c298fd07fb3a543aa7d23de08964744daf1f52165e9bdb9a2afe", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "look_up_keys", "sha256": "3bbda685aea97d06a22f7f66d2359c48c812074a5037f4d121591a0f3e21ec76", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "match_payment", "sha256": "191e2a2c52b389b1eb874f0d41cf6b1a893a50ab77a2ecd7bff3d6941d250c63", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "move_top_up", "sha256": "b0cd1c8f386ab38f7de61f3afd1538f53502b25a904a8aa22ed4ffffa599b1ff", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "next_cost_time", "sha256": "0857d106c70f3033084455dfbe6a333fa4ed4c431c921a6032c0e8b4e9e5d303", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "next_expiries", "sha256": "fcbb13c423a551d5265adb790b1e0361f50e5fc46d92d99cfde257321b36ff6e", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "open_purses", "sha256": "de7ea834edb468e153e7989d4ca2518af44941dbda0b150b6e4e169a3a5e55a7", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "permit_parts", "sha256": "01c07276dae5dac744f6f29c8194cd52bd5d51431368e7adf93a3679455bf718", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "permit_stock", "sha256": "4488f04e449b5b3ddaf3120a5160b9c9e918d6e686175383918a9e741f067eab", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "permit_wait_ms", "sha256": "54861cfa8f7d027695efe63c13f150904fa6d8204330a2e564d3dfe99837b12f", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "permits_taken", "sha256": "37df2526b8efba2913c66cc9cbbd9fd383dbe38c137d5f4f3ab5da7bd6dda152", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "post_credit", "sha256": "8718ae3be9a09cc9077320262d065e1987cc420449f81c08811234449ac9c339", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "post_recurring_grant", "sha256": "db17d11c0b34e7de1041064fd554188c583f3f83dbf3158dacebf4dcff14d429", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "post_reversals", "sha256": "da6ac66fbafab9a98c1a59551f3144ba2c114639d482568211b4f7f31d72e4a8", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "prune_responses", "sha256": "2289ac589a1b195d9445f204d11bbf232f22cb65859e3428f9b5c54d67235275", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "read_response", "sha256": "adeda8bfc2cd11e1ba602b35b9fc65bd23fbc2532a3fd601b6af3857227cad83", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "reap_epoch", "sha256": "36172ba5b8359a0f7dab7ae749776f6abbb25b5d27066d7ca214dd41069eeee0", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "receipt_cost", "sha256": "a58b951168c31077902d7b68c2564e5504fa9d2632ee4c90a42328a83af707c1", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "receipts_are_sealed", "sha256": "02ae37fa205a791f5b4150af20e4b223239072170e625ad092480d7f96f7b64c", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "record_reversal", "sha256": "d3b4492cd1b4c9047783e9b2cd26a4a3bd7742cf5858802b655947dd96965a57", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "redeem_code", "sha256": "e61c872db1f4dd0e2bd45f29cf69ac6d4cf988831fa0e87b9a94e537e6e57509", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "refund_closed", "sha256": "fe630a72e039e052c92ca6e42a8282b08c768709c8a47eea57ae9effa02d5f52", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "refund_closing", "sha256": "00109c0720c80bb31dd2d52231ce16cdf166114984ec9128c294e779889ec6f5", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "release_idempotency_key", "sha256": "e56a4602e4c3c9b57aff7cbf69cf2b9122c0d4d918e75b50bfbf21292fe1b5ba", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "release_leases", "sha256": "8c3d124bd45a44850976e84f114000a5ed2b41d4deee8bf77a594ffc5f7371b4", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "renew_limits", "sha256": "e5700f503bf72c33509e577f4d366d976d13e51a4edfb86830a5df89372b94f3", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "require_live_epoch", "sha256": "3e5da93147671fa3f440e4f056252eab78b6fcba7219ba84471c212050703413", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "returned_credit", "sha256": "c1f9136461e5ae9c2b27c3f01163c9db9505cd66503e04bafa4fc7e548dcd0dc", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "served_limit", "sha256": "11a94a8dda59c67e09ed76a2d26cead2c28e077761a450c5faab11f90e8dd25e", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "set_member_limit", "sha256": "45439700faea49f59ccfa6d76baf493e02a1629597486b8af2e25e39ebf423d3", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "settle_late_receipts", "sha256": "d4450a4f13a61555a22b6d1e8441accd3a2a55050a90649a9b083d2409a79f60", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "settle_receipts", "sha256": "2f24868422840406282c50ea6985627e933c6ebc16867976579d35bb579720ec", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "settle_receipts_again", "sha256": "63ac70acc22c08f81f0ec74ab5cd98a565aad04f78d7671ea0d35c141cf71b4f", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "share_posting", "sha256": "b5968eda44df69cdb6b96710a6e63e0b79b9adecef64f41a5b46d92eb13ae5bb", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "take_free_answer", "sha256": "d0fc54a4234993d238997ae0dedc1dcf359f736c4d6b3c23deafbea663a114db", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "take_from_grants", "sha256": "a0d836bfe4608df68837acaf9ff9b53206b7abfd6079f2231389aeb2c9e55c26", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "update_key", "sha256": "bdb5b02333dc404beeabf10a4dbee1c5b708c29d3248b8ab6be1629dfc9a755f", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "update_project", "sha256": "52fdce09ac84bc85e37eeae6733a478f7285d8754fcb29db5dcd105540dba260", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "wait_briefly", "sha256": "222abab4027de312fcb28d7e7057d294e6099ec3d7ab10e3fd1e6c5eef934511", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0001_baseline", "sha256": "ebb659db4c12027da2ea3b5b70af0970e6dfd4c46ac4edb12d7b31bf8de53788", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0002_receipts_name_their_transaction", "sha256": "d89660b1112dceabefd3d835a0d2a86e825640738aad3236387ded5bc5c3fe65", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0003_audit_events", "sha256": "2d6de6c1ecf24deaf1b15d38f9d1805dbf2602fd6d8221a5b23a64aaefcd8de9", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0004_receipts_name_their_route", "sha256": "647a98b35b43368fe220ad736d91af073fe33c3d9b63267ef2d55aa2654d064c", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0005_alerts", "sha256": "4687662bea793a337483b4a659498c0debb0abd9ca38d7203159790a7a3272cf", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0006_identity", "sha256": "3aab94dd61f9f0fbd5f3127e63a8713558da21e16e8477d1b698befda74a17b1", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0007_payments", "sha256": "0f4bc319c797e84bdd869c6456f439429d9627eecbc7508377545df3a2ae40e4", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0008_usage", "sha256": "f096f3615f57b9b6ca1a3e256f2491d5b6ea045f7fe4d5b29726db31161a9a8d", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0009_resource_lives", "sha256": "720823a00cc8c54ac661c5f590be3b61a6f9077961e842fe805a12d82478b47f", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0010_workspace_prices", "sha256": "4f16867aac15717f2353557be32c31680888715a035081df8899c7fc8942305c", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0011_stopped_top_ups", "sha256": "a0288135fb604a9e843fd206d64e85142484f74475e9bfcb56fb3c0a5ca6aae4", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0012_refusals", "sha256": "4e45136f989938863c15b2ad5d6094131b1162a539791064e246f0bf3307b57b", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0013_last_uses", "sha256": "4d0dcf3a705cce5c129838c24c12569420fbc27a4bd732f9d4fa9292182872e0", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0014_provider_costs", "sha256": "5d0d9a4f1c73e5f99df821c1c5ddb50b22ddf1dc330b9dafca692710fdc9a8b5", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0015_console_keys", "sha256": "dafb5035af02c9e1ea243ae3afa0a3a7176ae8938e91cd6255d286ca3bbff749", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0016_usage_by_member", "sha256": "338f3ce2e3765d2a443389635bbf9cf88f48c4e2f1bc8db44650406aef1e1b3f", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0017_receipts_have_extras", "sha256": "f8912e4a25f8bf604e0fe52a7b1f40c6242b9240aa929457ee885ce9db3b9142", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0018_stored_responses", "sha256": "089a16ba83117860f47db3e163ec2da917e4054baf0fa27cf2017494a1613498", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0019_stored_response_bytes", "sha256": "00e42557b020fd1e8b061977f60c86c094ff7a7eae42068a96f09055b8cd9e78", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0020_fees", "sha256": "60f348b631539ea4e196995c93e66ce37d67570915d0b1ce486408af7f64afcb", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0021_links_name_their_makers", "sha256": "f5d2b319d1e10f03ecf63dd0979cfac80f822146dfe677c20b36801db4eb7a91", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0022_encrypted_secrets", "sha256": "7268d4770c89485bcc0349269ea76072fe8e514cef89338b5529ca36a66cc838", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0023_sign_in_networks", "sha256": "6c338250b62c39fa2efaf31be534c45f0137aacb5c6cfa984db3b5499c91038c", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0024_tokens_for_backups", "sha256": "e109c654df97b2d75a88746e6addeb1de611687704a23f1bae4e8d25fbf0c34f", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0025_member_keys_are_bounded", "sha256": "11399c572511730e5020fa14975652ba923f075c32f8148cdde39f55fcab45f3", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0026_projects_report_costs", "sha256": "e90c21368f1e811534b28c0a37b41fcde0c57c7f7245da6b645a5f92a33609f5", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0027_encrypted_responses", "sha256": "710a774743c244631da09e74b7c9c2bd8f9185a9f91fa4a7e373dc99fd113b8f", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0028_leases_in_use", "sha256": "6fc8c255cb726234369265c8c8aaf7834e8f7726dd4d3460ebb9d369c13d667c", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0029_audit_chains", "sha256": "4ffd1e8c25941754f5be0e97b93013ea469179f4c683c8d621f30e8c4c3f4803", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0030_workspace_access", "sha256": "42da6b588046e42a04a5ca1faada4d50738a09ee76808c5adf8ebc734aad4663", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0031_directories", "sha256": "9ddb5cb2e5bf4c647d8b208fcb04b9b0fa5cf429f3bd9581633601228355d4b4", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0032_sinks", "sha256": "fbf9d7983c467e655282bc20a0bc83a23f222dbfa0b1178d0917bf85b7c31ea9", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0033_retention", "sha256": "09db4c608d13efd70a72104cb189979e615c1cffaa4b6a1d5973a88f0241acee", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0034_passkeys", "sha256": "a114600eb3b68f0cea286f9b6216ceda77a4faf85eddac94a1316ef29ab73a5b", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0035_shards", "sha256": "0f4ef75f979be715bd986164c20db895785a1e5f05ff08cdcac0787f0b1b127b", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0036_member_limits", "sha256": "71262be8a606b667238ed82bca237936dafa5f79810aa132c28ed0a5c29d5cea", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0037_route_hours", "sha256": "bc1ecc006ce3786120cfa6773802cf5f1e80ae9df839e837492dc3a3c1ad301f", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0038_member_role", "sha256": "06a782bcc373b7b4e870204b8b80d4bac3d600d4874a0e97748df8382cfba5d7", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0039_service_tiers", "sha256": "33705f5fe74c4fc81b96992abc2da954c7c3caeae34c0ca9caa4766c10683f1c", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0040_offer_declarations", "sha256": "7622d46c88d3c9becf371f228b8957406932c0809a77fb2d14bc4efa4d541133", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0041_colleagues", "sha256": "5d54cca08bc8c73486ea47333fea070eb89511b25b007f9bb66ee622b84c7632", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0042_requested_models", "sha256": "7e690b53e057284c02dab29a95d6cfc3c16694d2358eb82d4a5d967d83291a42", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0043_owner_suspensions", "sha256": "9164b1dc17c8e783adf8d8021fbe1f07df576223bd96186ad4a79278ed10006d", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0049_expiring_credit", "sha256": "bb569632de3d7331885add358d4030f9dc9633439569c0bf86e14ad6fdbcad96", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0050_raised_limits", "sha256": "3b6d310f75de9651bd3aaa299ec2f08ef6e9f47b39842c60e2d1b32eedbce716", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0051_served_limits", "sha256": "3fdfbbee184036703a26fa37b7ed258057d6062b747211769837f57084eba032", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0052_billing_parties", "sha256": "eb9d90e4a37b738535f1450a5b493e69c07b21c56d8ef3769027c162315aedcb", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0053_default_alerts", "sha256": "8f32d56a68f696c9ac2ae1f6a217ba7e058658c8e5bada0c263b100c91ab4f09", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0054_models_when_spent", "sha256": "b33fdb53e55210f8428e1c716e7e694360390a3aec719c5540adaab44928f647", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0055_payment_tax", "sha256": "fa06f92fac6182b59702f977d3d5afcc1a697cf3917ef6307bdfaa810433d7f6", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0056_alert_kinds", "sha256": "4ce57a0e9982d73cf53e16a79fb5d80dffc848cc0d4d76f4e28563ee3cc2ff58", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0057_cells", "sha256": "7f5a337842f1c585df4f5286efe85411d8b2ee2014e757a582697c1f7c615752", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0059_end_user_limits", "sha256": "ad31936066f1ffd95913e491a7c13abae90e7ce358393c8cd55c3f073e262118", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0060_alerts_of_served", "sha256": "f528141e0067d55cbd380309e57608d8f8c417176a2a4a17c05b8ca94b3215de", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0061_workspace_moves", "sha256": "821d0ad23a139a80143219155d76497daad553bee7886d6ac7fa9a4adedc6c33", "applied_at": "2026-11-29T13:10:06.37865+00:00"}');
insert into schema_programs overriding system value select * from jsonb_populate_record(null::schema_programs, '{"digest": "f3e88740da2f7dd6223d37ebdb332691718e49f229a0285e779b5f76c97d2770", "version": "0.2.0"}');
insert into schema_programs overriding system value select * from jsonb_populate_record(null::schema_programs, '{"digest": "f850196a085341f98635c1ef3728928c51b677b06c60432eb42226968c92b5ff", "version": "0.2.0"}');

CREATE TRIGGER receipts_sealed BEFORE INSERT OR DELETE OR UPDATE ON public.receipts_2026_w23 FOR EACH ROW EXECUTE FUNCTION receipts_are_sealed();
select setval('arriving_rows_number_seq', 1);
select setval('changes_id_seq', 58);
select setval('fresh_ids', 32);
select setval('ledger_postings_number_seq', 11);
select setval('ledger_verifications_id_seq', 1);
select setval('quarantined_receipts_id_seq', 1);
