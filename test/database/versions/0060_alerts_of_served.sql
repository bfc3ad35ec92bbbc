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
--   ignored              it is about none of our top-ups
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
      or exists (select from workspaces where id = p_workspace and (closing_at is not null or archived_at is not null)) then
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

-- Counts the version of a row that people edit, whichever statement changes it.
create or replace function count_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
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
    v_asks := false;
    if r.is_brief and r.lease_sequence = 0 and r.keep = 0 then
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
    mode := r.purse_mode;
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
  moved_to text
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
      p.model_when_spent, w.moved_to
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
      from purses p where id = any (r.purses);
    v_taken := case when v_superseded_by is null then least(r.charge, greatest(0, v_free)) else 0 end;
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

insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a22768-642e-708f-8cbd-d91fd6604708", "name": "A user", "email": "owner@example.com", "version": 1, "erased_at": null, "created_at": "2026-11-29T13:04:42.542066+00:00", "disabled_at": null, "is_operator": true, "password_hash": "$argon2id$v=19$m=64,t=1,p=1$mtocws2irWMiNiSxbRp16w$M+jgJ56T+mGHUPmvPejLy0RlMOgQC42p3quOKANjiCU", "email_verified_at": null}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a22768-64cb-703a-8108-4d39e89e12e1", "name": "A user", "email": "second@example.com", "version": 1, "erased_at": null, "created_at": "2026-11-29T13:04:42.699901+00:00", "disabled_at": null, "is_operator": false, "password_hash": null, "email_verified_at": null}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a22768-6591-73d1-b6dd-ad165281e7b3", "name": "Engineer", "email": "engineer@company.example", "version": 1, "erased_at": null, "created_at": "2026-11-29T13:04:42.895712+00:00", "disabled_at": null, "is_operator": false, "password_hash": null, "email_verified_at": "2026-11-29T13:04:42.895712+00:00"}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a22768-65d9-75d0-83f6-c35790b8e9af", "name": "Ada", "email": "ada@company.example", "version": 1, "erased_at": null, "created_at": "2026-11-29T13:04:42.961234+00:00", "disabled_at": null, "is_operator": false, "password_hash": null, "email_verified_at": "2026-11-29T13:04:42.961234+00:00"}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a22768-660c-7402-8e9c-bd6eed4008d6", "name": "Ada", "email": "left@company.example", "version": 1, "erased_at": null, "created_at": "2026-11-29T13:04:43.014053+00:00", "disabled_at": null, "is_operator": false, "password_hash": null, "email_verified_at": "2026-11-29T13:04:43.014053+00:00"}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a22768-6945-715e-9031-4cf0b7d45091", "name": "erased", "email": "01a22768-6945-715e-9031-4cf0b7d45091@erased.invalid", "version": 3, "erased_at": "2026-11-29T13:04:43.885553+00:00", "created_at": "2026-11-29T13:04:43.842645+00:00", "disabled_at": "2026-11-29T13:04:43.855+00:00", "is_operator": false, "password_hash": null, "email_verified_at": null}');
insert into cells overriding system value select * from jsonb_populate_record(null::cells, '{"url": "https://one.gateway.example", "shard": "01", "version": 1, "added_at": "2026-11-29T13:04:44.446382+00:00", "encrypted_token": "\\x017b60ef4cc5be4295bf342506f6a0b69d3c0b78725e539addf31f941660678bd77a98da84ac5d064d32302598ed0ab19f8d080abf38e4"}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a22768-5e77-7164-bb82-0474523a597a", "name": "workspace 1625a672-a5bd-4d2d-9300-f33b3fb86dcf", "version": 2, "moved_to": null, "closing_at": null, "created_at": "2026-11-29T13:04:41.079091+00:00", "archived_at": null, "billing_name": "Acme", "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": 200000000}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a22768-62bd-721b-8b50-e66571309359", "name": "workspace da5cc0ac-8d50-4c6f-8b5c-068b964e6d13", "version": 1, "moved_to": null, "closing_at": null, "created_at": "2026-11-29T13:04:42.173432+00:00", "archived_at": null, "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a22768-68c1-766d-b838-38d79f5b9e20", "name": "workspace 8918b243-d9c1-44a5-a0df-0de97f895fe3", "version": 2, "moved_to": null, "closing_at": null, "created_at": "2026-11-29T13:04:43.713053+00:00", "archived_at": null, "billing_name": null, "suspended_at": "2026-11-29T13:04:43.799538+00:00", "billing_tax_id": null, "billing_address": null, "suspension_reason": "unpaid", "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a22768-68ea-7112-a1e8-8f55e6eea192", "name": "workspace 87b1890a-203e-430f-9c02-b9c2ff373bc8", "version": 2, "moved_to": null, "closing_at": "2026-11-29T13:04:43.825169+00:00", "created_at": "2026-11-29T13:04:43.754413+00:00", "archived_at": null, "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a22768-6981-7352-8db6-57695d943b2d", "name": "long ago", "version": 1, "moved_to": null, "closing_at": null, "created_at": "2026-11-29T13:04:43.905045+00:00", "archived_at": null, "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a22768-6b8a-769b-9807-d3fd4bc57254", "name": "archived", "version": 2, "moved_to": null, "closing_at": null, "created_at": "2026-11-29T13:04:44.424817+00:00", "archived_at": "2026-11-29T13:04:44.441796+00:00", "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a22768-6bad-771f-a609-a2bdbe19de72", "name": "moved", "version": 2, "moved_to": "01", "closing_at": null, "created_at": "2026-11-29T13:04:44.461007+00:00", "archived_at": null, "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into members overriding system value select * from jsonb_populate_record(null::members, '{"role": "owner", "user_id": "01a22768-642e-708f-8cbd-d91fd6604708", "version": 1, "created_at": "2026-11-29T13:04:42.542066+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into members overriding system value select * from jsonb_populate_record(null::members, '{"role": "owner", "user_id": "01a22768-64cb-703a-8108-4d39e89e12e1", "version": 1, "created_at": "2026-11-29T13:04:42.699901+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into members overriding system value select * from jsonb_populate_record(null::members, '{"role": "developer", "user_id": "01a22768-6591-73d1-b6dd-ad165281e7b3", "version": 1, "created_at": "2026-11-29T13:04:42.895712+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into members overriding system value select * from jsonb_populate_record(null::members, '{"role": "developer", "user_id": "01a22768-65d9-75d0-83f6-c35790b8e9af", "version": 1, "created_at": "2026-11-29T13:04:42.98798+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into access_tokens overriding system value select * from jsonb_populate_record(null::access_tokens, '{"id": "01a22768-647b-7355-8361-aa7abdefb390", "name": "ci", "scopes": ["keys:read"], "user_id": "01a22768-642e-708f-8cbd-d91fd6604708", "last_four": "8G1F", "created_at": "2026-11-29T13:04:42.619004+00:00", "expires_at": "2026-11-30T13:04:42.618+00:00", "revoked_at": null, "last_used_at": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "secret_sha256": "\\x37d0778cc262be67be513747bba985bcdd9496a745e1ca5c31d9ddc8c8d5a770"}');
insert into access_tokens overriding system value select * from jsonb_populate_record(null::access_tokens, '{"id": "01a22768-64d9-712e-b9cf-cbe515024e35", "name": "staff", "scopes": ["members:write", "owners:write"], "user_id": "01a22768-64cb-703a-8108-4d39e89e12e1", "last_four": "WSnT", "created_at": "2026-11-29T13:04:42.713323+00:00", "expires_at": "2026-11-30T13:04:42.712+00:00", "revoked_at": null, "last_used_at": "2026-11-29T13:04:42.733329+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "secret_sha256": "\\x82a7d63dd1c7dc450ddba79a044cff04c2ad318827a584274c1d4e7fd2b0cd9c"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6665-7193-b453-7cf9406e4872", "kind": "provider_key_refused", "name": "Provider refuses its API key", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T13:04:43.099863+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "00000000-0000-0000-0000-000000000000"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6665-7193-b454-8147fd8afc1e", "kind": "ledger_difference", "name": "Ledger does not add up", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T13:04:43.099863+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "00000000-0000-0000-0000-000000000000"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6665-7193-b455-eed7f953c7e3", "kind": "payment_after_closing", "name": "Payment for a closed workspace", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T13:04:43.099863+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "00000000-0000-0000-0000-000000000000"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6655-77ec-a832-4d81bc23b02f", "kind": "balance_below", "name": "much", "enabled": true, "mail_to": ["ops@example.com"], "version": 1, "threshold": 1000000000000, "created_at": "2026-11-29T13:04:43.084997+00:00", "mail_roles": ["owner"], "subject_id": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3c8-a4bdd82362bc", "kind": "balance_share", "name": "Balance below 20 % of the last top-up", "enabled": true, "mail_to": [], "version": 1, "threshold": 20, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3c9-19dd9f4e7bad", "kind": "balance_below", "name": "Balance below 1 USD", "enabled": true, "mail_to": [], "version": 1, "threshold": 1000000000, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3ca-f53b731691ad", "kind": "project_budget", "name": "Project budget used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3cb-714ce528cd71", "kind": "project_budget", "name": "Project budget used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3cc-33d900ce0ea3", "kind": "auto_top_up_stopped", "name": "Automatic top-ups have stopped", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3cd-f9e0d7d66abd", "kind": "key_limit", "name": "Key limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3ce-18b62eeb4f13", "kind": "key_limit", "name": "Key limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3cf-846c76bb475c", "kind": "member_limit", "name": "Member''s limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3d0-cf54c28394c8", "kind": "member_limit", "name": "Member''s limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3d1-c330ce9dcd01", "kind": "end_user_limit", "name": "End user''s limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3d2-104cfc006ca3", "kind": "end_user_limit", "name": "End user''s limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3d3-9f7b2dd66ab2", "kind": "session_limit", "name": "Session''s limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3d4-e509165621d2", "kind": "session_limit", "name": "Session''s limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3d5-e7a7694f381b", "kind": "balance_share", "name": "Balance below 20 % of the last top-up", "enabled": true, "mail_to": [], "version": 1, "threshold": 20, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a22768-62bd-721b-8b50-e66571309359"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3d6-634a202bae43", "kind": "balance_below", "name": "Balance below 1 USD", "enabled": true, "mail_to": [], "version": 1, "threshold": 1000000000, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a22768-62bd-721b-8b50-e66571309359"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3d7-e41d3de2488b", "kind": "project_budget", "name": "Project budget used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a22768-62bd-721b-8b50-e66571309359"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3d8-52ab8ee4e695", "kind": "project_budget", "name": "Project budget used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a22768-62bd-721b-8b50-e66571309359"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3d9-2b00770e613d", "kind": "auto_top_up_stopped", "name": "Automatic top-ups have stopped", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a22768-62bd-721b-8b50-e66571309359"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3da-c35ed9ba989f", "kind": "key_limit", "name": "Key limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22768-62bd-721b-8b50-e66571309359"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3db-b1bc2187751c", "kind": "key_limit", "name": "Key limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22768-62bd-721b-8b50-e66571309359"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3dc-b35fa2b45aec", "kind": "member_limit", "name": "Member''s limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22768-62bd-721b-8b50-e66571309359"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3dd-a20931d26aee", "kind": "member_limit", "name": "Member''s limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22768-62bd-721b-8b50-e66571309359"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3de-d287943577d3", "kind": "end_user_limit", "name": "End user''s limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22768-62bd-721b-8b50-e66571309359"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3df-1678564ee824", "kind": "end_user_limit", "name": "End user''s limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22768-62bd-721b-8b50-e66571309359"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3e0-7404fcccc9be", "kind": "session_limit", "name": "Session''s limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22768-62bd-721b-8b50-e66571309359"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22768-6672-7076-b3e1-b0ab64744d35", "kind": "session_limit", "name": "Session''s limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T13:04:43.11703+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22768-62bd-721b-8b50-e66571309359"}');
insert into alert_watches overriding system value select * from jsonb_populate_record(null::alert_watches, '{"marks": [], "looked_at": "2026-11-29T13:04:43.099863+00:00", "workspace_id": "00000000-0000-0000-0000-000000000000", "spent_nano_usd": 0, "defaults_version": 1, "credited_nano_usd": 0}');
insert into alert_watches overriding system value select * from jsonb_populate_record(null::alert_watches, '{"marks": [[1795957483117, "60000001"]], "looked_at": "2026-11-29T13:04:43.26905+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "spent_nano_usd": 60000001, "defaults_version": 3, "credited_nano_usd": 15330000000}');
insert into alert_watches overriding system value select * from jsonb_populate_record(null::alert_watches, '{"marks": [[1795957483117, "0"]], "looked_at": "2026-11-29T13:04:43.26905+00:00", "workspace_id": "01a22768-62bd-721b-8b50-e66571309359", "spent_nano_usd": 0, "defaults_version": 3, "credited_nano_usd": -20000000}');
insert into alerts overriding system value select * from jsonb_populate_record(null::alerts, '{"id": "01a22768-66b1-72e8-8c1e-11934acea1f2", "url": null, "kind": "balance_below", "rule_id": "01a22768-6655-77ec-a832-4d81bc23b02f", "seen_at": "2026-11-29T13:04:43.11703+00:00", "summary": "The balance of \"workspace 1625a672-a5bd-4d2d-9300-f33b3fb86dcf\" is 15.26 USD, below 1,000.00 USD. Of it, 0.01 USD will expire on 1 December 2026.", "raised_at": "2026-11-29T13:04:43.11703+00:00", "threshold": 1000000000000, "subject_id": "01a22768-5e77-7164-bb82-0474523a597a", "window_end": null, "resolved_at": null, "subject_kind": "workspace", "subject_name": "workspace 1625a672-a5bd-4d2d-9300-f33b3fb86dcf", "window_start": "-infinity", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "limit_nano_usd": 1000000000000, "value_nano_usd": 15269999999}');
insert into alerts overriding system value select * from jsonb_populate_record(null::alerts, '{"id": "01a22768-66c0-7149-9ba7-46c74e8cdfc7", "url": null, "kind": "balance_share", "rule_id": "01a22768-6672-7076-b3d5-e7a7694f381b", "seen_at": "2026-11-29T13:04:43.11703+00:00", "summary": "The balance of \"workspace da5cc0ac-8d50-4c6f-8b5c-068b964e6d13\" is -0.02 USD, below 20 % of the last top-up of 0.01 USD.", "raised_at": "2026-11-29T13:04:43.11703+00:00", "threshold": 20, "subject_id": "01a22768-62bd-721b-8b50-e66571309359", "window_end": null, "resolved_at": null, "subject_kind": "workspace", "subject_name": "workspace da5cc0ac-8d50-4c6f-8b5c-068b964e6d13", "window_start": "-infinity", "workspace_id": "01a22768-62bd-721b-8b50-e66571309359", "limit_nano_usd": 2000000, "value_nano_usd": -20000000}');
insert into alerts overriding system value select * from jsonb_populate_record(null::alerts, '{"id": "01a22768-66c7-7116-8aa2-bbe90048a6e5", "url": null, "kind": "balance_below", "rule_id": "01a22768-6672-7076-b3d6-634a202bae43", "seen_at": "2026-11-29T13:04:43.11703+00:00", "summary": "The balance of \"workspace da5cc0ac-8d50-4c6f-8b5c-068b964e6d13\" is -0.02 USD, below 1.00 USD.", "raised_at": "2026-11-29T13:04:43.11703+00:00", "threshold": 1000000000, "subject_id": "01a22768-62bd-721b-8b50-e66571309359", "window_end": null, "resolved_at": null, "subject_kind": "workspace", "subject_name": "workspace da5cc0ac-8d50-4c6f-8b5c-068b964e6d13", "window_start": "-infinity", "workspace_id": "01a22768-62bd-721b-8b50-e66571309359", "limit_nano_usd": 1000000000, "value_nano_usd": -20000000}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 15, "scope_id": "00000000-0000-0000-0000-000000000000", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\xb5e5f8d44e213fd1831eebc194bf6115ff998fb0edcacac326e5250a72f90006"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 45, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\xaab40c1b42dbb0e6cd3e0e5abd49e52736ce57fa2c338111ef24b51817142574"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 4, "scope_id": "01a22768-62bd-721b-8b50-e66571309359", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\x46f4162699787d8c8984ac2a74aa1bd1f207785a6fc0bf5aa5589bfd62ef4a88"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 3, "scope_id": "01a22768-68c1-766d-b838-38d79f5b9e20", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\x394ca16a15cd8ba7a6c928e6548830ca4138134e16f3de33f1c1c73d8d75aa8d"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 3, "scope_id": "01a22768-68ea-7112-a1e8-8f55e6eea192", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\x6cc480ed4ebf36a3d4e2d58db9bacb25b345b434af9934eadfaecc915b0005d0"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 2, "scope_id": "01a22768-6981-7352-8db6-57695d943b2d", "dropped_by": "01a22768-69ae-72a9-80ae-ae43f4ba19af", "dropped_to": 1, "chain_sha256": "\\x696f619650991980c66370a3d0222724b0cccef0991c8209ab0f8b69d8bcce18"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:41.079091+00:00", "id": "01a22768-5e7b-75ec-a9ff-5ecb51ded11d", "after": {"name": "workspace 1625a672-a5bd-4d2d-9300-f33b3fb86dcf"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-5e77-7164-bb82-0474523a597a", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 1625a672-a5bd-4d2d-9300-f33b3fb86dcf", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:41.155489+00:00", "id": "01a22768-5ec8-7455-b6d4-cf04c797c568", "after": {"name": "project ffa7ee65-41e4-4762-9700-6496f9794f09", "models": ["small-chat"], "concurrency": 4, "reports_cost": true, "budget_period": "month", "budget_nano_usd": "3000000000", "end_user_period": "month", "member_keys_max": 5, "model_when_spent": null, "tokens_per_minute": 100000, "requests_per_minute": 60, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": "2500000000"}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project ffa7ee65-41e4-4762-9700-6496f9794f09", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:41.180676+00:00", "id": "01a22768-5ef5-776b-a532-47c60137c273", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": ["10.0.0.0/8"], "spend_limit_nano_usd": "2000000000"}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-5ee1-716d-9c40-45e8f58b8242", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:41.217195+00:00", "id": "01a22768-5f16-71b0-8768-06352aebbb52", "after": {"model": null, "change_percent": "-5"}, "action": "price.adjust", "before": {"model": null, "change_percent": null}, "address": null, "user_id": null, "target_id": "01a22768-5f09-7232-a4ad-d27700acdf33", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "price_adjustment", "target_name": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:41.251313+00:00", "id": "01a22768-5f33-738b-a18d-5b3871091290", "after": {"model": null, "change_percent": "-10"}, "action": "price.adjust", "before": {"model": null, "change_percent": "-5"}, "address": null, "user_id": null, "target_id": "01a22768-5f24-723c-b2da-20ab5d08a4d8", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "price_adjustment", "target_name": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:41.274072+00:00", "id": "01a22768-5f54-70e2-b388-2d816f903e7a", "after": {"model": "sandbox/echo", "change_percent": "25"}, "action": "price.adjust", "before": {"model": "sandbox/echo", "change_percent": null}, "address": null, "user_id": null, "target_id": "01a22768-5f3c-7532-b229-c8bbce6f1893", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "price_adjustment", "target_name": "sandbox/echo", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.151606+00:00", "id": "01a22768-62ad-71a1-bcfd-394d7ef7edfc", "after": {"period": "month", "reason": "a \"reason\", with Ünïcode", "starts": "now", "expires": "with_period", "amount_nano_usd": "10000000", "expires_after_days": null}, "action": "recurring_grant.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-62a8-71c1-beaf-8802991c2247", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "recurring_grant", "target_name": "0.01 USD each month", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.173432+00:00", "id": "01a22768-62c1-73d6-b7b1-a6eae0018ec4", "after": {"name": "workspace da5cc0ac-8d50-4c6f-8b5c-068b964e6d13"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-62bd-721b-8b50-e66571309359", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace da5cc0ac-8d50-4c6f-8b5c-068b964e6d13", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.201399+00:00", "id": "01a22768-62da-77b8-b224-fcf86586ff61", "after": {"name": "project 723030d5-84ae-49d2-892b-a2a4d062ee5c", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-62d9-7752-912b-f4d09b5adac4", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project 723030d5-84ae-49d2-892b-a2a4d062ee5c", "workspace_id": "01a22768-62bd-721b-8b50-e66571309359"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.218467+00:00", "id": "01a22768-62ee-7708-9f9e-f3047f577b44", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-62ea-74bd-ba0d-0cfb32acd44b", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a22768-62bd-721b-8b50-e66571309359"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.249216+00:00", "id": "01a22768-630e-7022-9cba-dd7ab5e3a2a8", "after": {"name": "revoked", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-6309-765d-a1de-01187e9ae58c", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "revoked", "workspace_id": "01a22768-62bd-721b-8b50-e66571309359"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.271373+00:00", "id": "01a22768-632e-7568-8783-1d2b8969af69", "after": {"revoked_at": "2026-11-29T13:04:42.271Z"}, "action": "key.revoke", "before": {"revoked_at": null}, "address": null, "user_id": null, "target_id": "01a22768-6309-765d-a1de-01187e9ae58c", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "revoked", "workspace_id": "01a22768-62bd-721b-8b50-e66571309359"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.293504+00:00", "id": "01a22768-6340-7029-9af8-eff29b62bab7", "after": {"provider": "stripe", "fee_nano_usd": "800000000", "amount_nano_usd": "10000000000"}, "action": "top_up.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-6337-7693-9307-7c9705ce0088", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "top_up", "target_name": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.361737+00:00", "id": "01a22768-637d-7405-8717-0584f82a6869", "after": {"provider": "stripe", "fee_nano_usd": "800000000", "amount_nano_usd": "10000000000"}, "action": "top_up.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-637a-7123-ac51-9234cdf7513a", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "top_up", "target_name": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.380906+00:00", "id": "01a22768-6393-753e-8475-0d815b73e9d3", "after": {"sold": true, "count": 2, "reason": "sold", "expires_at": "2026-11-30T13:04:42.379Z", "amount_nano_usd": "10000000"}, "action": "codes.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-638c-7563-ab0a-4dd373799b6a", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "code_batch", "target_name": null, "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.397739+00:00", "id": "01a22768-639e-75a6-a3e6-743fda481feb", "after": {"code": "…W3VN"}, "action": "code.redeem", "before": null, "address": null, "user_id": null, "target_id": "01a22768-639d-75d1-b96b-737fbca39d7e", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "top_up", "target_name": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.59329+00:00", "id": "01a22768-6463-7641-ae0f-30ea28074e53", "after": null, "action": "authenticator.add", "before": null, "address": "192.0.2.1", "user_id": "01a22768-642e-708f-8cbd-d91fd6604708", "target_id": "01a22768-642e-708f-8cbd-d91fd6604708", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "febd51bd-8c3b-47d9-8d89-9c327ec8ad2b", "target_kind": "user", "target_name": "owner@example.com", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.612967+00:00", "id": "01a22768-6476-7535-86d0-957ac382b113", "after": {"issuer": "https://login.example", "subject": "1"}, "action": "openid.link", "before": null, "address": "192.0.2.1", "user_id": "01a22768-642e-708f-8cbd-d91fd6604708", "target_id": "01a22768-642e-708f-8cbd-d91fd6604708", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "febd51bd-8c3b-47d9-8d89-9c327ec8ad2b", "target_kind": "user", "target_name": "owner@example.com", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.619004+00:00", "id": "01a22768-6481-7193-bfbc-c5a1862a5eaf", "after": {"scopes": ["keys:read"], "expires_at": "2026-11-30T13:04:42.618Z"}, "action": "access_token.create", "before": null, "address": "192.0.2.1", "user_id": "01a22768-642e-708f-8cbd-d91fd6604708", "target_id": "01a22768-647b-7355-8361-aa7abdefb390", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "febd51bd-8c3b-47d9-8d89-9c327ec8ad2b", "target_kind": "access_token", "target_name": "ci", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.641514+00:00", "id": "01a22768-64a3-7035-a72c-73c539705acf", "after": {"role": "member"}, "action": "invitation.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-6494-7797-817c-33bb3d78fd82", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "invitation", "target_name": "new@example.com", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.675459+00:00", "id": "01a22768-64b4-71a1-90a4-065c02e5bd8c", "after": {"access": "read_and_backup"}, "action": "operator_token.create", "before": null, "address": "192.0.2.1", "user_id": "01a22768-642e-708f-8cbd-d91fd6604708", "target_id": "01a22768-64b3-744a-a308-adddd94f54f5", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "febd51bd-8c3b-47d9-8d89-9c327ec8ad2b", "target_kind": "operator_token", "target_name": "metrics", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.713323+00:00", "id": "01a22768-64da-7540-8cd5-b4168bbdb378", "after": {"scopes": ["members:write", "owners:write"], "expires_at": "2026-11-30T13:04:42.712Z"}, "action": "access_token.create", "before": null, "address": "192.0.2.1", "user_id": "01a22768-64cb-703a-8108-4d39e89e12e1", "target_id": "01a22768-64d9-712e-b9cf-cbe515024e35", "actor_kind": "session", "actor_name": "second@example.com", "request_id": "42e36749-9dbc-4a7e-83e3-ef33a81d8cc0", "target_kind": "access_token", "target_name": "staff", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.741472+00:00", "id": "01a22768-650c-74e2-8195-f0c2bc4a4e00", "after": {"role": "viewer"}, "action": "invitation.create", "before": null, "address": null, "user_id": "01a22768-64cb-703a-8108-4d39e89e12e1", "target_id": "01a22768-64f5-75b0-9721-3b9726671374", "actor_kind": "access_token", "actor_name": "second@example.com", "request_id": null, "target_kind": "invitation", "target_name": "third@example.com", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.785211+00:00", "id": "01a22768-6524-7003-946a-65902eaa2c78", "after": null, "action": "password.reset_link", "before": null, "address": null, "user_id": "01a22768-64cb-703a-8108-4d39e89e12e1", "target_id": "01a22768-64cb-703a-8108-4d39e89e12e1", "actor_kind": "access_token", "actor_name": "second@example.com", "request_id": null, "target_kind": "user", "target_name": "second@example.com", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.806357+00:00", "id": "01a22768-655d-7281-92fd-68a903e046e5", "after": {"issuer": "https://login.company.example", "client_id": "faregate", "group_roles": "{\"engineers\":\"developer\"}", "client_secret": "replaced", "allowed_networks": ["0.0.0.0/0", "::/0"]}, "action": "access.update", "before": {"issuer": null, "client_id": null, "group_roles": "{}", "client_secret": null, "allowed_networks": null}, "address": null, "user_id": null, "target_id": "01a22768-5e77-7164-bb82-0474523a597a", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "access", "target_name": "workspace 1625a672-a5bd-4d2d-9300-f33b3fb86dcf", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.855531+00:00", "id": "01a22768-6570-718b-80f0-53372d49345c", "after": null, "action": "domain.add", "before": null, "address": null, "user_id": null, "target_id": "unproven.example", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "domain", "target_name": "unproven.example", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.875454+00:00", "id": "01a22768-657c-76df-8ff8-f1000451bc86", "after": null, "action": "domain.add", "before": null, "address": null, "user_id": null, "target_id": "company.example", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "domain", "target_name": "company.example", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.888836+00:00", "id": "01a22768-6589-71d8-928b-3fa69bca4af8", "after": {"by": "operator"}, "action": "domain.prove", "before": null, "address": null, "user_id": null, "target_id": "company.example", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "domain", "target_name": "company.example", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.895712+00:00", "id": "01a22768-659d-75d1-b4ba-d02f21255f39", "after": {"issuer": "https://login.company.example", "subject": "2"}, "action": "openid.link", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a22768-6591-73d1-b6dd-ad165281e7b3", "actor_kind": "job", "actor_name": "single sign-on", "request_id": "0da0eafd-ef12-49bf-9bdd-53d58cd69b95", "target_kind": "user", "target_name": "engineer@company.example", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.895712+00:00", "id": "01a22768-65aa-7785-a4e6-339bd0de6294", "after": {"role": "developer"}, "action": "member.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a22768-6591-73d1-b6dd-ad165281e7b3", "actor_kind": "job", "actor_name": "single sign-on", "request_id": "0da0eafd-ef12-49bf-9bdd-53d58cd69b95", "target_kind": "member", "target_name": "engineer@company.example", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.895712+00:00", "id": "01a22768-65b2-7651-9f36-09bfdccbc6ad", "after": {"by": "openid"}, "action": "session.begin", "before": null, "address": "192.0.2.1", "user_id": "01a22768-6591-73d1-b6dd-ad165281e7b3", "target_id": "01a22768-65ac-7679-8eee-664516b8ab21", "actor_kind": "session", "actor_name": "engineer@company.example", "request_id": "0da0eafd-ef12-49bf-9bdd-53d58cd69b95", "target_kind": "session", "target_name": "engineer@company.example", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.949601+00:00", "id": "01a22768-65c6-724c-ba77-e95ae54f64ae", "after": null, "action": "directory_token.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-5e77-7164-bb82-0474523a597a", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "directory", "target_name": "workspace 1625a672-a5bd-4d2d-9300-f33b3fb86dcf", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.961234+00:00", "id": "01a22768-65da-7757-9d50-a0a9e6bc8b86", "after": {"email": "ada@company.example", "active": true, "external_id": "1"}, "action": "directory_user.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a22768-65d9-75d0-83f7-74796892b17d", "actor_kind": "job", "actor_name": "directory", "request_id": "e029e71d-98fe-4ba9-acba-abb16276ec83", "target_kind": "directory_user", "target_name": "ada@company.example", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.98798+00:00", "id": "01a22768-65f3-732d-84be-403f2c8a9e0d", "after": {"members": 1, "external_id": "2"}, "action": "directory_group.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a22768-65ed-74e7-8c03-bcb8506d0e12", "actor_kind": "job", "actor_name": "directory", "request_id": "e029e71d-98fe-4ba9-acba-abb16276ec83", "target_kind": "directory_group", "target_name": "engineers", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:42.98798+00:00", "id": "01a22768-65fd-7484-a399-4527a4af4f10", "after": {"role": "developer"}, "action": "member.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a22768-65d9-75d0-83f6-c35790b8e9af", "actor_kind": "job", "actor_name": "directory", "request_id": "e029e71d-98fe-4ba9-acba-abb16276ec83", "target_kind": "member", "target_name": "ada@company.example", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.014053+00:00", "id": "01a22768-660d-7646-a4f3-39cbcb201e7a", "after": {"email": "left@company.example", "active": false, "external_id": null}, "action": "directory_user.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a22768-660d-7646-a4f2-ad3f44aed71b", "actor_kind": "job", "actor_name": "directory", "request_id": "e029e71d-98fe-4ba9-acba-abb16276ec83", "target_kind": "directory_user", "target_name": "left@company.example", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.014053+00:00", "id": "01a22768-661b-7180-8bc6-5a05875a7875", "after": {"keys": 0, "sessions": 0, "access_tokens": 0}, "action": "directory_user.deactivate", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a22768-660d-7646-a4f2-ad3f44aed71b", "actor_kind": "job", "actor_name": "directory", "request_id": "e029e71d-98fe-4ba9-acba-abb16276ec83", "target_kind": "directory_user", "target_name": "left@company.example", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.057413+00:00", "id": "01a22768-6636-756d-a5ae-aa8d76ae0a07", "after": {"url": "https://hooks.example/", "enabled": true, "description": "ours"}, "action": "webhook.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-6626-725c-b064-e77b493d4e0a", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "webhook", "target_name": "https://hooks.example/", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.06504+00:00", "id": "01a22768-6644-7276-be7a-3e4121ee3409", "after": {"overlap_hours": 24}, "action": "webhook.rotate", "before": null, "address": null, "user_id": null, "target_id": "01a22768-6626-725c-b064-e77b493d4e0a", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "webhook", "target_name": "https://hooks.example/", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.084997+00:00", "id": "01a22768-6656-7289-a456-33d2b1b42faf", "after": {"kind": "balance_below", "name": "much", "enabled": true, "mail_to": ["ops@example.com"], "threshold": "1000000000000", "mail_roles": ["owner"], "subject_id": null}, "action": "alert_rule.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-6655-77ec-a832-4d81bc23b02f", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "alert_rule", "target_name": "much", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.299281+00:00", "id": "01a22768-6728-763e-9c62-6c70d5dd0c26", "after": {"redact": ["keys"], "records": ["content", "receipts"], "sample_percent": 10}, "action": "sink.update", "before": {"redact": [], "records": [], "sample_percent": 100}, "address": null, "user_id": null, "target_id": "archive", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "sink", "target_name": "archive", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.324874+00:00", "id": "01a22768-674d-7720-a052-59bdcb80ad83", "after": {"billing_name": "Acme", "member_monthly_limit_nano_usd": "200000000"}, "action": "workspace.update", "before": {"billing_name": null, "member_monthly_limit_nano_usd": null}, "address": null, "user_id": null, "target_id": "01a22768-5e77-7164-bb82-0474523a597a", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 1625a672-a5bd-4d2d-9300-f33b3fb86dcf", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.355934+00:00", "id": "01a22768-675f-74a7-b305-5716807cd785", "after": {"name": "of a member", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-675c-7217-9557-2951aec33f90", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "of a member", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.437323+00:00", "id": "01a22768-67b2-7225-998d-c959b0583b1a", "after": {"name": "raised", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": "500000000"}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-67ad-7173-a2e4-27075a9f5c37", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "raised", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.445123+00:00", "id": "01a22768-67b7-71f7-bbab-95c7a1eb128c", "after": {"raised_until": "2099-01-01T00:00:00.000Z", "raised_limit_nano_usd": "900000000"}, "action": "key.update", "before": {"raised_until": null, "raised_limit_nano_usd": null}, "address": null, "user_id": null, "target_id": "01a22768-67ad-7173-a2e4-27075a9f5c37", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "raised", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.462509+00:00", "id": "01a22768-67c7-70e7-9eaa-1f5cb5a31cb7", "after": {"name": "raised", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": "500000000", "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-67c6-7539-b323-81219384e7c4", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "raised", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.470647+00:00", "id": "01a22768-67d1-704b-b8c8-71b65707d93a", "after": {"raised_until": "2099-01-01T00:00:00.000Z", "model_when_spent": "small-chat", "raised_limit_nano_usd": "900000000"}, "action": "project.update", "before": {"raised_until": null, "model_when_spent": null, "raised_limit_nano_usd": null}, "address": null, "user_id": null, "target_id": "01a22768-67c6-7539-b323-81219384e7c4", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "raised", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.501201+00:00", "id": "01a22768-67f2-735c-bf73-159e57325d27", "after": {"name": "serves many", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": "100000000", "end_user_limit_nano_usd": "200000000", "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-67f0-76c8-b738-b19f12717b1e", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "serves many", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.510952+00:00", "id": "01a22768-67fb-7580-af11-749283368e8d", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-67f7-727a-b383-05a17c9fe46c", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.565512+00:00", "id": "01a22768-6835-7199-8371-6cf8529862c6", "after": {"raised_until": "2099-01-01T00:00:00.000Z", "limit_nano_usd": "300000000", "raised_limit_nano_usd": "900000000"}, "action": "end_user.limit", "before": null, "address": null, "user_id": null, "target_id": "3ff32202-d5b8-338d-2fe6-f1caa5a55bdb", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "end_user", "target_name": "serves many", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.583857+00:00", "id": "01a22768-684e-7702-94a0-94bfa9f0e8e9", "after": {"name": "rotated", "models": null, "metadata": "{\"team\":\"search\"}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-683f-779b-a8fd-b8ae00b10d06", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "rotated", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.610706+00:00", "id": "01a22768-686e-75bd-9238-d8cd84852af2", "after": {"masked_key": "fg_live_00e03QEitsvQTL…ASUw", "former_secret_until": "2026-12-29T13:04:43.610Z"}, "action": "key.rotate", "before": {"masked_key": "fg_live_00VUXvCDBZUDQb…daf5"}, "address": null, "user_id": null, "target_id": "01a22768-683f-779b-a8fd-b8ae00b10d06", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "rotated", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.646874+00:00", "id": "01a22768-6884-7021-b19a-cd14535c71d7", "after": {"name": "disabled", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-687f-7585-b346-01f887444976", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "disabled", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.665066+00:00", "id": "01a22768-6893-7077-a32f-d65de10a6599", "after": {"disabled_at": "2026-11-29T13:04:43.667Z"}, "action": "key.update", "before": {"disabled_at": null}, "address": null, "user_id": null, "target_id": "01a22768-687f-7585-b346-01f887444976", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "disabled", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.679679+00:00", "id": "01a22768-68a0-7498-ade7-f49063983302", "after": {"name": "archived", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-689f-77c7-8f19-e53cfcd6433b", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "archived", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.684401+00:00", "id": "01a22768-68ad-7351-ae90-e6599e996216", "after": null, "action": "project.archive", "before": null, "address": null, "user_id": null, "target_id": "01a22768-689f-77c7-8f19-e53cfcd6433b", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "archived", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.713053+00:00", "id": "01a22768-68c2-7696-b16f-19fd1cde18a9", "after": {"name": "workspace 8918b243-d9c1-44a5-a0df-0de97f895fe3"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-68c1-766d-b838-38d79f5b9e20", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 8918b243-d9c1-44a5-a0df-0de97f895fe3", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.729556+00:00", "id": "01a22768-68d3-74ef-9266-8f8fdeeedf0b", "after": {"name": "project 0d61fe40-a430-4485-b25b-7fab6540781d", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-68d2-7470-a54f-7d9d58c69387", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project 0d61fe40-a430-4485-b25b-7fab6540781d", "workspace_id": "01a22768-68c1-766d-b838-38d79f5b9e20"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.73548+00:00", "id": "01a22768-68e3-726e-8952-4d68889e0b1a", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-68d7-7641-ae69-2cc57fb0fcbf", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a22768-68c1-766d-b838-38d79f5b9e20"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.754413+00:00", "id": "01a22768-68eb-70c8-b041-d88f9064a85f", "after": {"name": "workspace 87b1890a-203e-430f-9c02-b9c2ff373bc8"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-68ea-7112-a1e8-8f55e6eea192", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 87b1890a-203e-430f-9c02-b9c2ff373bc8", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.777603+00:00", "id": "01a22768-6904-7155-ae17-6486109d1b24", "after": {"name": "project b0b0ab06-0d0f-41eb-a8d3-8b3f9458323d", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-6902-721a-a108-d1d2218d6388", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project b0b0ab06-0d0f-41eb-a8d3-8b3f9458323d", "workspace_id": "01a22768-68ea-7112-a1e8-8f55e6eea192"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.786485+00:00", "id": "01a22768-690d-753a-9ce5-c8d667be8334", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-690a-7627-b75c-3a8d899658a9", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a22768-68ea-7112-a1e8-8f55e6eea192"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.799538+00:00", "id": "01a22768-6922-7623-a81e-d195911144e0", "after": {"suspension_reason": "unpaid"}, "action": "workspace.suspend", "before": {"suspension_reason": null}, "address": null, "user_id": null, "target_id": "01a22768-68c1-766d-b838-38d79f5b9e20", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 8918b243-d9c1-44a5-a0df-0de97f895fe3", "workspace_id": "01a22768-68c1-766d-b838-38d79f5b9e20"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.825169+00:00", "id": "01a22768-6939-77aa-9797-7f48bc84f6ea", "after": null, "action": "workspace.close", "before": null, "address": null, "user_id": null, "target_id": "01a22768-68ea-7112-a1e8-8f55e6eea192", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 87b1890a-203e-430f-9c02-b9c2ff373bc8", "workspace_id": "01a22768-68ea-7112-a1e8-8f55e6eea192"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.855+00:00", "id": "01a22768-6965-770a-9fd3-c6e127d571af", "after": null, "action": "member.remove", "before": {"role": "viewer"}, "address": null, "user_id": null, "target_id": "01a22768-6945-715e-9031-4cf0b7d45091", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "member", "target_name": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.885553+00:00", "id": "01a22768-697b-72a5-adc0-717c303b19b7", "after": null, "action": "user.erase", "before": null, "address": null, "user_id": null, "target_id": "01a22768-6945-715e-9031-4cf0b7d45091", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "user", "target_name": null, "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.905045+00:00", "id": "01a22768-6982-701a-b326-363ec0b81a69", "after": {"name": "long ago"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-6981-7352-8db6-57695d943b2d", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "long ago", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:43.938227+00:00", "id": "01a22768-69ae-72a9-80ae-ae43f4ba19af", "after": {"events": 1, "position": "1", "chain_sha256": "bb3b1e7a81a5ba4ab4f5549587b2d7c94d44a4924a2a686b7fd236693f562835"}, "action": "audit.drop", "before": null, "address": null, "user_id": null, "target_id": "01a22768-6981-7352-8db6-57695d943b2d", "actor_kind": "job", "actor_name": "retention", "request_id": null, "target_kind": "audit_chain", "target_name": null, "workspace_id": "01a22768-6981-7352-8db6-57695d943b2d"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:44.424817+00:00", "id": "01a22768-6b8b-729d-b44c-62aa5331cb26", "after": {"name": "archived"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-6b8a-769b-9807-d3fd4bc57254", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "archived", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:44.446382+00:00", "id": "01a22768-6ba5-74de-86c9-9e15fcb1b9b3", "after": {"url": "https://one.gateway.example"}, "action": "cell.create", "before": null, "address": null, "user_id": null, "target_id": "01", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "cell", "target_name": null, "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T13:04:44.461007+00:00", "id": "01a22768-6bad-771f-a60a-58b03dcd3b86", "after": {"name": "moved"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a22768-6bad-771f-a609-a2bdbe19de72", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "moved", "workspace_id": null}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-5e7b-75ec-a9ff-5ecb51ded11d", "position": 1, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xc992b29c63f01df8c9cc3a8faa2b0bb34af362ce06406120dc00ebe1b71324d9", "event_sha256": "\\x83d8e018670c019791ab589b09ac6515c1e0097ab7968abf7db198ddc5da4d96"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-68eb-70c8-b041-d88f9064a85f", "position": 10, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xfe5fbe1e0cc6bd5bfa9e6226fbdeee2c2ef76744164048976355955fc707219e", "event_sha256": "\\x679635b13d18a173eb630d025a63144ee5a7f4974a159905668bea27cfb431dd"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-697b-72a5-adc0-717c303b19b7", "position": 11, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x7b8b771c44e0bb6949a8a42f3abfc5188dfc3ae5ad2617ac54a08ffd86eef1d8", "event_sha256": "\\x8a7a283dce2e02fd3b111639883d63d2db42cce6fa6d10bdc7a1d8a5ce06be89"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-6982-701a-b326-363ec0b81a69", "position": 12, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x48f4fdef1ce68a201255c5a98c3bc9f2393208a45d7523d3ff9966defa21a753", "event_sha256": "\\x7c4250a899d773cd52f4e3720e395002ee5d52c3a5f1ae626a9c23b77f83768c"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-6b8b-729d-b44c-62aa5331cb26", "position": 13, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x68297cf814e3475280e8bfd784bcd8abac167d6c1e0247786d2cc59bf858d5c8", "event_sha256": "\\x92b44be69db3f366340b3d8f821a0089028a44459246af716e02931474219d80"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-6ba5-74de-86c9-9e15fcb1b9b3", "position": 14, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xaf73b78a638d26f8f8655fa0d478f9d6007482e6730ac7cd04837bc79f206fc2", "event_sha256": "\\x0e865a438f436afd088013e1e8295d8bde1191492605b980e9534cf9d6c91a24"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-6bad-771f-a60a-58b03dcd3b86", "position": 15, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xb5e5f8d44e213fd1831eebc194bf6115ff998fb0edcacac326e5250a72f90006", "event_sha256": "\\xc2b05be6cd41f92d088d98e2607318349410168457c35ab7c4a11b6e50252900"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-62c1-73d6-b7b1-a6eae0018ec4", "position": 2, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xc34b86e13f103f5447bd4017348b77b94ae274172545d0656174e519e422a374", "event_sha256": "\\xc03d375a45a3a82762aa75eef60b20130f556f9d14221a693a3314c6e0974ece"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-6393-753e-8475-0d815b73e9d3", "position": 3, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x831aff2f031a53c1fca2e73c44c6f56f8163e1b725c8c0ab21bedc23364d9684", "event_sha256": "\\xf6e3dde2b3ed16a2d227da2889ee7fdc0454cba22c220170d68e28ba90b719fe"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-6463-7641-ae0f-30ea28074e53", "position": 4, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x2b70e3689a0ed7e6b0eac8d0e220d58f4ce5ef034a8a85db33aa35a920dddfca", "event_sha256": "\\x0402f8d47c1e5e448aea83f83d72cf157af7b555411aaeb970f14f1c2727ac57"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-6476-7535-86d0-957ac382b113", "position": 5, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x2d8354d672c6e68c4423c200a3042fc0da222abdb46d7aca9d8867750bc74381", "event_sha256": "\\x0dbb3d8b6027992fc1e526adc1d3334a741b96a8f8e79b6a59fb265ba6a32a7e"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-64b4-71a1-90a4-065c02e5bd8c", "position": 6, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x34b034943dc7d53f4e88e7a778f5b98973cef63dcb4ace2784d32e4a1a272273", "event_sha256": "\\x0fa6f531932221f3c84a3db2d236ba6ac36f87c9feee0d7656f54b6a80bd3cdb"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-659d-75d1-b4ba-d02f21255f39", "position": 7, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x88a5486a81e20ab6dcc220cf811fb5fd7f46d941c9aa1a5f90433bcfae335cfd", "event_sha256": "\\x9855dbc68eda2b4d7f0b742a2eebae450a8b43a077da086f6067d1f1f0194f1b"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-65b2-7651-9f36-09bfdccbc6ad", "position": 8, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xd6e20a49a206451e3f35e9c2aab831832064370f3d346abcfa07cbfadab9ad13", "event_sha256": "\\x8e23ef34593e13e14b1a8b06da3bd94aab528e0f8aac5c0b0cdbe891a39b6405"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-68c2-7696-b16f-19fd1cde18a9", "position": 9, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x71bcc45470600156c8e6d1f45a2a67ec3176dba457eef4d4288b54b7598c1070", "event_sha256": "\\x74bfc6b48ae1024ac0010887f5f35790d5bbb9687364152915cf3026a6ecda59"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-5ec8-7455-b6d4-cf04c797c568", "position": 1, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\xb4365ca7b2418fa7afd803f3ab97bac3d5d7905582b4bf5084ba0599bc3224be", "event_sha256": "\\x7ec9abc2da074c0c41b3838e4701eee986437a797c553c859819da39eda5d6b9"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-6481-7193-bfbc-c5a1862a5eaf", "position": 10, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x2b49969f07a85f4b6cc1bb2a9ff42868f95b3d2108fece9dd46c06eead42be09", "event_sha256": "\\x02b41d645b5a6894023cc28512a10ad636b2fe505b766de5bc7a131668107f9e"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-64a3-7035-a72c-73c539705acf", "position": 11, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x1e471abf4c8c68ddcedefc0ce5b235eb1d11ba4e95531b1b277f7235d8a1676c", "event_sha256": "\\xff86ec0c1d7cd150fbd4aa7ca7341292128924f1f4ab6c7e50c256c1d58409a5"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-64da-7540-8cd5-b4168bbdb378", "position": 12, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x3e00ee71b390607d317ac901f2ba455ceaa7e2b4703cc7a0f3242b633c4ebe3f", "event_sha256": "\\x99eb3201a1dac65024aa241e2827c2b10d144227b35ca58ddd926ad2f7ef7e9c"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-650c-74e2-8195-f0c2bc4a4e00", "position": 13, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\xdb8928642742f3986f90d2147f18e0022b960df19dbf8865e784fced3441f5e1", "event_sha256": "\\xdd5d730b8887450cae792c6dbdbc06ec1ef998be3f1072a368ae3146c51a3640"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-6524-7003-946a-65902eaa2c78", "position": 14, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x5bb0f778db4210ac0c7679dcbe2025090c8db242f9b9a624391ca0a66a018c07", "event_sha256": "\\xb740a21ae6d6eefc594b6a7237ac0bfb4b3247d08e5e30fd368fbb5772cc4519"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-655d-7281-92fd-68a903e046e5", "position": 15, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x8525b95567c6b51a74e738d7d0c5fc4b44dad0db9c9e5124cede45a75111834e", "event_sha256": "\\x90dff1b405326ee0c642297a1f0c700444030f84bb93a1145d000f1a3bf74177"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-6570-718b-80f0-53372d49345c", "position": 16, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x29ae117c1981c7b05a1c835e62e2509cde87f194821c05317ce09a75a8d64679", "event_sha256": "\\x8fe370df4a5a27eb69e44a777a6f8aba85863169b5c977f9952e1c9d7ebfa8d7"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-657c-76df-8ff8-f1000451bc86", "position": 17, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\xcab8b87b7471cf88da18853193eb3c7f86f12e046e6e44083259b375a4b18a68", "event_sha256": "\\xf75c793e1b8ce2e5acfc1b04a8c6e1dd5a1115d9ed5c432eaeddd9066ed2a3bb"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-6589-71d8-928b-3fa69bca4af8", "position": 18, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x01d1ecb83a0b2a8ebece0b63085c85fb23c017363fa42cf6436062ab97e6bd94", "event_sha256": "\\x8c461fac5ab4e14b99dcda4c1a1a2cabe02aecde2abe60f441b1968beadda738"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-65aa-7785-a4e6-339bd0de6294", "position": 19, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x4368db48b82cd0845ae83d8d50d536aea6b3141a213db31992e54020d570e7ac", "event_sha256": "\\x22acf7abfb3687dbef695739a069a7fbae249aa7344253a41feb6774ee369f38"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-5ef5-776b-a532-47c60137c273", "position": 2, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x9e697e72811c2988dc532a224b7a7841d55f136611659891a7057531aa722a2e", "event_sha256": "\\x07925fd332ad04bdfe0af2d893646401ddc5d15a28ac0beaab046d845b0b23e9"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-65c6-724c-ba77-e95ae54f64ae", "position": 20, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x08fbfb9a55b122b690e131137b6366b5d6378ad4e62b6960667d675750f2af6e", "event_sha256": "\\x9ef38b3afe6c2770db67a2b310cfdd73958832fedec6f97f2c38e8ffaa67883a"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-65da-7757-9d50-a0a9e6bc8b86", "position": 21, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\xcf964be15d6b7fc028014ee5b16f12e789d50518de27eb05985e858fe4caccc5", "event_sha256": "\\xe7d6b963441f3beb87747711f343cf3ab25b350a6fefa6b5c9e485f0abc89635"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-65f3-732d-84be-403f2c8a9e0d", "position": 22, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x237f922475a7bb6a9a4fcc22fdfe24d3169e47291731bdebcf91f99926d1fd86", "event_sha256": "\\x9625870f47328c552269dfd0b43baaab1745a38813591be39fb3c2db5c71205e"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-65fd-7484-a399-4527a4af4f10", "position": 23, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\xfa43ea554282a30a73a587b0ed3a40c21fd9beced2762309a0ac2bf22018776b", "event_sha256": "\\x0bdf7260ceb3ec311a9488064ddb70082469b9adb6bc4661b4b31e1a90fca4bf"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-660d-7646-a4f3-39cbcb201e7a", "position": 24, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x6c9d57638d0335eaa80b137c52a2231e618ce3a946a7a2efbc5d286b5e503961", "event_sha256": "\\x57b6d63e2dddf5c3a23eed6c593ba5b9dc190d7fd6590301bad9fc8ac08683d1"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-661b-7180-8bc6-5a05875a7875", "position": 25, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x00ad12355842ba42e870d8104bfe4fabf6d60f7a0d6997203519f69e136f3f9e", "event_sha256": "\\xc72dffa84264cf521bf5687685766823bef19322ae08ab87cc3be1abc9d036a0"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-6636-756d-a5ae-aa8d76ae0a07", "position": 26, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\xd3e5dad00fef758bb7d44399525e767c046ffadc55a4a193f651471f792eec1e", "event_sha256": "\\x5de17d6f2681af82f5ead3da13cd2630d0db3d6feda33b5e2406feec5e622565"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-6644-7276-be7a-3e4121ee3409", "position": 27, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\xa812129af6168ff6b3940c4ea11bdcd15672951ba39c70c73cbf0a42d7f2e958", "event_sha256": "\\x6ce11571b44c4b9b68bf5b8cbe1a7cb84a6d15f8a63a135864c0ff6737c8facd"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-6656-7289-a456-33d2b1b42faf", "position": 28, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x50f8c0ee4bb97aadde2cac5259f0833fb64c93a8afa03475e027a6029c7c159c", "event_sha256": "\\x7bdd81366503ebdfba006793bb7718c9aa13e642521630fb4e25003cf2ae74bb"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-6728-763e-9c62-6c70d5dd0c26", "position": 29, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\xdf1435a8f71d443576a0e303018eed247dec4413f0030171e8fa1236ddeecc37", "event_sha256": "\\x0032f4fa8b534b8addec54a5939699eac386cf92c6689d4e3e2c5f4c8c52b0d1"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-5f16-71b0-8768-06352aebbb52", "position": 3, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\xbc6dcedb1e48982fbb457e889b6262d55ecaf373be307bb02a3ab6d8f832b99b", "event_sha256": "\\x026bd87255243ff87c9645729dc367b75d5af45d7f24dfbf0748cae76379bf0b"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-674d-7720-a052-59bdcb80ad83", "position": 30, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x371166a12b431e7ec6480cb38844b743677b221ca92721db1e32d7baa45f1618", "event_sha256": "\\x76315c6d63f0e9f7d403b61b2fa65ba2051554e1a3597a779c521544ec378f5b"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-675f-74a7-b305-5716807cd785", "position": 31, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\xa9829cdbc3a6777dcf40299153557a4390ddcd0cdfd1f60eaedae3efee964f2f", "event_sha256": "\\x98052d729d1216c60397dfd9f3d06be29398f2dcfa65232530a15fff8e86580a"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-67b2-7225-998d-c959b0583b1a", "position": 32, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x8c658dfc08c457a447d0dce8dcde2b16f3f4aa0bfc44ee960fe11e3acf307581", "event_sha256": "\\xf92aa4585b4471a8d5e47967009473a5ae795ff31dca3fa31d8f1b634fc202b6"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-67b7-71f7-bbab-95c7a1eb128c", "position": 33, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\xa61b28982be9bfcc2f28db58ee88088ccec2119ff4399a802e3cb7f481a6f392", "event_sha256": "\\x416a6ad158c8e2576329658e026d88a30eae18046722915a5224150e4013caec"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-67c7-70e7-9eaa-1f5cb5a31cb7", "position": 34, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x36f7875ed5af70a9e086735191d09117caf2b267dbab11e6555d422c533fbbb5", "event_sha256": "\\x19029e5afbb262b57b208e65f3b929a41194707b728c3acbd7779bb39cf00098"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-67d1-704b-b8c8-71b65707d93a", "position": 35, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x9ffb43457544a3bcd6488ee4ce1e332cf1c971c8863b12aada5f941d71e72073", "event_sha256": "\\x2b881ded88f17e9be87a7ccf974d58e917c4dcdaccec45567e27f2ef68bfe197"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-67f2-735c-bf73-159e57325d27", "position": 36, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\xe68f07ad0f20cd852791a16865b010fb9781672ef26181023d1ba35b3f957c53", "event_sha256": "\\x8a41c710aef37110f2e4957b3af1268344a1882ef8804496f38b70d06e3810f4"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-67fb-7580-af11-749283368e8d", "position": 37, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\xd775412af4e20d22cea18f98fe88feb658f2b682ef8eaca1f2c7c843a37aa46d", "event_sha256": "\\xc02e80720f51e200d2319ee5b472e6ae910a61fee82939c86551f5a197032237"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-6835-7199-8371-6cf8529862c6", "position": 38, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x21ab5fb4f4750659dd1dc228115e573bd8c1351e187ca1784581da5723d543b7", "event_sha256": "\\x7c1c90c930660907dc9412edda12c25a929351e9752c59f769dadbbe8169f66f"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-684e-7702-94a0-94bfa9f0e8e9", "position": 39, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x824fea44424185de562eae621881b7048a84955450f46bd0b284f1bdc3e76f1a", "event_sha256": "\\x7686d09a39495bb06a9aa4d22ec59de63b110d9ce43ee2001ecc14ab141b08dd"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-5f33-738b-a18d-5b3871091290", "position": 4, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x54d5329d63c11b5ace798ecf1d3a112cbf784e7483ed44efe199071b4fcd2b0a", "event_sha256": "\\xda42131ba5d2ae6940acac8c9f345429b2a8436b74f9dbb2dff0676df9421a61"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-686e-75bd-9238-d8cd84852af2", "position": 40, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x504958ee2ca0df69b25008aabc3feb6584f777af9166a4b4b9348f256e17601d", "event_sha256": "\\xb88da190dd39b99f923a185eab9114e34c964e415b4abfa6d2c7dbf3f339204f"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-6884-7021-b19a-cd14535c71d7", "position": 41, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\xa12d24c7c63f55e1c40ff61c3d175786d46abe4a42d724da5ad51255f4bb369e", "event_sha256": "\\xad30d622cd18e6015f164135f74902faefcd7ae0012db874d21f7e00e1108d26"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-6893-7077-a32f-d65de10a6599", "position": 42, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\xc8c3935a6c798ecd7e3ea5e2d98bdc14c56bf9e0f9dbe2134be6feca47853708", "event_sha256": "\\xf6f2013be0b0f7311a290e5c042a8ef20b7232cb245c07c966c514c2a2390a0d"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-68a0-7498-ade7-f49063983302", "position": 43, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x90df0bb8301d1d0fc10f5b7f5121d74688ae29e6b2f0948321e3829d83da8222", "event_sha256": "\\xa40377f0ff2b7137a3a95ad9c36656342c9db4bded51623d8307cc0a4545ec74"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-68ad-7351-ae90-e6599e996216", "position": 44, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x5c976ce9875a6768c2a6846eff19b3db40962cb1287394a840cd926d22fb00e2", "event_sha256": "\\x153bab2d63e23373c643a951b6a535571879872d50d1c48cc6cdd3aab73d75fd"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-6965-770a-9fd3-c6e127d571af", "position": 45, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\xaab40c1b42dbb0e6cd3e0e5abd49e52736ce57fa2c338111ef24b51817142574", "event_sha256": "\\x4f23853dbed43ea04215f94b68a6582087a9ea9fb414c78a26bcfabc127bd0c3"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-5f54-70e2-b388-2d816f903e7a", "position": 5, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\xf03f02bb603a50fa0079bbd4f2ee00c24132999aa039a4715a6c35483d16a40e", "event_sha256": "\\x3579cb2175b32bc6583b0ed03fd50f3ff588aa223438526c698c2048e0b4b67e"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-62ad-71a1-bcfd-394d7ef7edfc", "position": 6, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x2fc8bcae47c55a07b0bd3e3d55c0ff525b46e47d34d9e56f5ced9527ca7d7e13", "event_sha256": "\\x5508b813a8afda6f8d398637d3694d2ddeb2bae0755962ff3afd243f74bb4045"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-6340-7029-9af8-eff29b62bab7", "position": 7, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x9bd1670e654a37e969755c2b567141bc805a4e52da2edadf7eaaf0cc232a3bb4", "event_sha256": "\\x185d852edecd7a9285d066973f094c411ebc92b71379ae5eadf00a10626702bc"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-637d-7405-8717-0584f82a6869", "position": 8, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\x11b5a64cd102a0c8d5a5bdc4b7e4005bb7c7087963aa281a70040ac0ce2d639e", "event_sha256": "\\xa1d25cdabca6e8cac5b3b9ff396d294d7053d4db37bc5e4592ad2640ac5a04fa"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-639e-75a6-a3e6-743fda481feb", "position": 9, "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "chain_sha256": "\\xf15bb38cae8e5ee0aca93b32e5cd75ac0f5058d6bf0982f1c390d6098bfe2b81", "event_sha256": "\\x35404f8cbe113942a39cf6160929713ffe1743d458f3be406b72a940a78d9fa9"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-62da-77b8-b224-fcf86586ff61", "position": 1, "scope_id": "01a22768-62bd-721b-8b50-e66571309359", "chain_sha256": "\\xee7ef71aefd37864bff11338acfa3abd7452dc9a1a5cab0c42f1defabdafc806", "event_sha256": "\\xa308a1a3bbddd84c68b76b462dbcebe866b4dad0ecc8106b02fb0e8fc6c2493c"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-62ee-7708-9f9e-f3047f577b44", "position": 2, "scope_id": "01a22768-62bd-721b-8b50-e66571309359", "chain_sha256": "\\x12a5f73f1e4b0eb821b0445ca34d8f5a7a229eded94549737caf608706160133", "event_sha256": "\\x56636f1db948a9d65478a6fee0fb765a61c072bccf7d3b17a94d02a3c3dd0b99"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-630e-7022-9cba-dd7ab5e3a2a8", "position": 3, "scope_id": "01a22768-62bd-721b-8b50-e66571309359", "chain_sha256": "\\x79c895b67db42c0f3299ae5f8ddd54334056505e90daf8e320f2812ade267127", "event_sha256": "\\x0d4365a4b3243761c6ff4d03621a6860056398804c3957202da74c5ac8b7719d"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-632e-7568-8783-1d2b8969af69", "position": 4, "scope_id": "01a22768-62bd-721b-8b50-e66571309359", "chain_sha256": "\\x46f4162699787d8c8984ac2a74aa1bd1f207785a6fc0bf5aa5589bfd62ef4a88", "event_sha256": "\\xa02a9aecfaf5b042e4f5f0f58384dc635a72fa44a99673fb57a28cc368536107"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-68d3-74ef-9266-8f8fdeeedf0b", "position": 1, "scope_id": "01a22768-68c1-766d-b838-38d79f5b9e20", "chain_sha256": "\\xb921db0cb1533c32c7e5236b1e4df74388b4018cac587f6406a93ac188acb605", "event_sha256": "\\xca46241091c707c07eab3c6f13c8bab6d0c2689e8d391700d6d34427450ce4b6"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-68e3-726e-8952-4d68889e0b1a", "position": 2, "scope_id": "01a22768-68c1-766d-b838-38d79f5b9e20", "chain_sha256": "\\x7d49020dfb033183a17619f5c83cf82258002218f767edf0c66be8b72fa93382", "event_sha256": "\\xdfdde60879fd9549a81d0f6aa948aa3b2f754d995eda7beab5468bf1fd7018d1"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-6922-7623-a81e-d195911144e0", "position": 3, "scope_id": "01a22768-68c1-766d-b838-38d79f5b9e20", "chain_sha256": "\\x394ca16a15cd8ba7a6c928e6548830ca4138134e16f3de33f1c1c73d8d75aa8d", "event_sha256": "\\xb86e265e14212b68ec605665e9cd4d1d5de7fbe40d7757d2cb01ca146e7cc14a"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-6904-7155-ae17-6486109d1b24", "position": 1, "scope_id": "01a22768-68ea-7112-a1e8-8f55e6eea192", "chain_sha256": "\\xe060361ed65f8a29680a573f1310c07217827df66f8c2a9cbe2b63dadc02f541", "event_sha256": "\\xa4f5ace5b9ed276d1931974c2c9e9c22d7d2d8ed0f6f3c9ba115054a3049a6e2"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-690d-753a-9ce5-c8d667be8334", "position": 2, "scope_id": "01a22768-68ea-7112-a1e8-8f55e6eea192", "chain_sha256": "\\x3db45955079a4569e082caa619cd8e3960d80cf4f21eab0b048e02b79331aa51", "event_sha256": "\\xabd54f289a4b022966f181311c4d1aedabbed268ff1895a12187cde85e72bf10"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-6939-77aa-9797-7f48bc84f6ea", "position": 3, "scope_id": "01a22768-68ea-7112-a1e8-8f55e6eea192", "chain_sha256": "\\x6cc480ed4ebf36a3d4e2d58db9bacb25b345b434af9934eadfaecc915b0005d0", "event_sha256": "\\x3f495fd23ca81155100c1d7ea6c2aa85c7dbb26d980b770c9fb569d1a2a86719"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "3b68c4e3-0f39-43cd-9741-25220089be03", "position": 1, "scope_id": "01a22768-6981-7352-8db6-57695d943b2d", "chain_sha256": "\\xbb3b1e7a81a5ba4ab4f5549587b2d7c94d44a4924a2a686b7fd236693f562835", "event_sha256": "\\x4c27df21c28da7869dcaca44e64682dbbc790b108d388e1557d9934b77fbe9d1"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22768-69ae-72a9-80ae-ae43f4ba19af", "position": 2, "scope_id": "01a22768-6981-7352-8db6-57695d943b2d", "chain_sha256": "\\x696f619650991980c66370a3d0222724b0cccef0991c8209ab0f8b69d8bcce18", "event_sha256": "\\xa16739f2100cfe9ef132d3f8247cd5912b03f1c175212210515d58f3cb80f174"}');
insert into authenticators overriding system value select * from jsonb_populate_record(null::authenticators, '{"secret": null, "user_id": "01a22768-642e-708f-8cbd-d91fd6604708", "last_step": 59865249, "created_at": "2026-11-29T13:04:42.573945+00:00", "confirmed_at": "2026-11-29T13:04:42.59329+00:00", "encrypted_secret": "\\x017b60ef4cc5be4295bf342506f6a0b69d8cd2c88a23c9538729129f1bbc2509c1c53f4478bb6bcf2ff2f1e8b745d4fb9d2b99122bb0c93a0e8d48188330177a74"}');
insert into cancelled_claims overriding system value select * from jsonb_populate_record(null::cancelled_claims, '{"request_id": "01a22768-63d3-77b0-bd9a-7d9e9c8e14ec", "cancelled_at": "2026-11-29T13:04:42.46519+00:00"}');
insert into cost_versions overriding system value select * from jsonb_populate_record(null::cost_versions, '{"fees": null, "model": "sandbox/slow", "input_to": null, "provider": "sandbox", "created_at": "2026-11-29T13:04:41.012297+00:00", "input_from": 0, "input_rate": 250000000, "retired_at": "2026-11-29T13:04:41.067659+00:00", "output_rate": 2000000000, "service_tiers": null, "upstream_model": "slow", "audio_input_rate": 250000000, "audio_output_rate": 2000000000, "cached_input_rate": 250000000, "cache_write_1h_rate": 250000000, "cache_write_5m_rate": 250000000}');
insert into cost_versions overriding system value select * from jsonb_populate_record(null::cost_versions, '{"fees": null, "model": "small-chat", "input_to": null, "provider": "local", "created_at": "2026-11-29T13:04:41.012297+00:00", "input_from": 0, "input_rate": 250000000, "retired_at": null, "output_rate": 2000000000, "service_tiers": {"flex": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}}, "upstream_model": "qwen3", "audio_input_rate": 250000000, "audio_output_rate": 2000000000, "cached_input_rate": 250000000, "cache_write_1h_rate": 250000000, "cache_write_5m_rate": 250000000}');
insert into creations overriding system value select * from jsonb_populate_record(null::creations, '{"kind": "key", "once": "first", "scope_id": "01a22768-5e77-7164-bb82-0474523a597a", "target_id": "01a22768-687f-7585-b346-01f887444976", "created_at": "2026-11-29T13:04:43.646874+00:00", "request_sha256": "\\x5554e66b08bb4578cbe6b2ed5cfebd590491754f0108fca9baa3de143651180e"}');
insert into data_keys overriding system value select * from jsonb_populate_record(null::data_keys, '{"id": "7b60ef4c-c5be-4295-bf34-2506f6a0b69d", "lost_at": null, "wrapped": "\\x017b60ef4cc5be4295bf342506f6a0b69d8e7f1660cd6a72be9ecc1794dd3231a9ef34e7b81003e600431d15112f1e016843f874510fe70bafb46d30d90733e6cd663826465f0d58a9559c3f41", "created_at": "2026-11-29T13:04:42.485454+00:00", "wrapped_by": "ad0dec1b0f53896f"}');
insert into database_shard overriding system value select * from jsonb_populate_record(null::database_shard, '{"shard": "00", "is_only": true}');
insert into directories overriding system value select * from jsonb_populate_record(null::directories, '{"last_four": "LuFM", "created_at": "2026-11-29T13:04:42.949601+00:00", "created_by": "test", "last_used_at": "2026-11-29T13:04:42.958342+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "secret_sha256": "\\x4efd93da630adf739567b62bde709759924d42285655cb3724ead18cf6be31e9"}');
insert into directory_groups overriding system value select * from jsonb_populate_record(null::directory_groups, '{"id": "01a22768-65ed-74e7-8c03-bcb8506d0e12", "changed_at": "2026-11-29T13:04:42.98798+00:00", "created_at": "2026-11-29T13:04:42.98798+00:00", "external_id": "2", "display_name": "engineers", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into directory_users overriding system value select * from jsonb_populate_record(null::directory_users, '{"id": "01a22768-65d9-75d0-83f7-74796892b17d", "active": true, "user_id": "01a22768-65d9-75d0-83f6-c35790b8e9af", "user_name": "ada@company.example", "changed_at": "2026-11-29T13:04:42.961234+00:00", "created_at": "2026-11-29T13:04:42.961234+00:00", "given_name": "Ada", "external_id": "1", "family_name": "Lovelace", "display_name": "Ada", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into directory_users overriding system value select * from jsonb_populate_record(null::directory_users, '{"id": "01a22768-660d-7646-a4f2-ad3f44aed71b", "active": false, "user_id": "01a22768-660c-7402-8e9c-bd6eed4008d6", "user_name": "left@company.example", "changed_at": "2026-11-29T13:04:43.014053+00:00", "created_at": "2026-11-29T13:04:43.014053+00:00", "given_name": "Ada", "external_id": null, "family_name": "Lovelace", "display_name": "Ada", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into directory_group_members overriding system value select * from jsonb_populate_record(null::directory_group_members, '{"group_id": "01a22768-65ed-74e7-8c03-bcb8506d0e12", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "directory_user_id": "01a22768-65d9-75d0-83f7-74796892b17d"}');
insert into directory_leavers overriding system value select * from jsonb_populate_record(null::directory_leavers, '{"left_at": "2026-11-29T13:04:43.014053+00:00", "user_id": "01a22768-660c-7402-8e9c-bd6eed4008d6", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "name": "project ffa7ee65-41e4-4762-9700-6496f9794f09", "models": ["small-chat"], "version": 1, "created_at": "2026-11-29T13:04:41.155489+00:00", "archived_at": null, "concurrency": 4, "raised_until": null, "reports_cost": true, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "budget_period": "month", "budget_nano_usd": 3000000000, "end_user_period": "month", "member_keys_max": 5, "model_when_spent": null, "tokens_per_minute": 100000, "requests_per_minute": 60, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": 2500000000}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a22768-67c6-7539-b323-81219384e7c4", "name": "raised", "models": null, "version": 2, "created_at": "2026-11-29T13:04:43.462509+00:00", "archived_at": null, "concurrency": null, "raised_until": "2099-01-01T00:00:00+00:00", "reports_cost": false, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "budget_period": "month", "budget_nano_usd": 500000000, "end_user_period": "month", "member_keys_max": null, "model_when_spent": "small-chat", "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": 900000000, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a22768-67f0-76c8-b738-b19f12717b1e", "name": "serves many", "models": null, "version": 1, "created_at": "2026-11-29T13:04:43.501201+00:00", "archived_at": null, "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": 100000000, "end_user_limit_nano_usd": 200000000, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a22768-689f-77c7-8f19-e53cfcd6433b", "name": "archived", "models": null, "version": 2, "created_at": "2026-11-29T13:04:43.679679+00:00", "archived_at": "2026-11-29T13:04:43.684401+00:00", "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a22768-62d9-7752-912b-f4d09b5adac4", "name": "project 723030d5-84ae-49d2-892b-a2a4d062ee5c", "models": null, "version": 1, "created_at": "2026-11-29T13:04:42.201399+00:00", "archived_at": null, "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a22768-62bd-721b-8b50-e66571309359", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a22768-68d2-7470-a54f-7d9d58c69387", "name": "project 0d61fe40-a430-4485-b25b-7fab6540781d", "models": null, "version": 1, "created_at": "2026-11-29T13:04:43.729556+00:00", "archived_at": null, "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a22768-68c1-766d-b838-38d79f5b9e20", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a22768-6902-721a-a108-d1d2218d6388", "name": "project b0b0ab06-0d0f-41eb-a8d3-8b3f9458323d", "models": null, "version": 1, "created_at": "2026-11-29T13:04:43.777603+00:00", "archived_at": null, "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a22768-68ea-7112-a1e8-8f55e6eea192", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into end_user_limits overriding system value select * from jsonb_populate_record(null::end_user_limits, '{"id": "3ff32202-d5b8-338d-2fe6-f1caa5a55bdb", "name": "a", "created_at": "2026-11-29T13:04:43.565512+00:00", "project_id": "01a22768-67f0-76c8-b738-b19f12717b1e", "raised_until": "2099-01-01T00:00:00+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "limit_nano_usd": 300000000, "raised_limit_nano_usd": 900000000}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883197911922114572, "fenced_at": "2026-11-29T13:04:41.443012+00:00", "reaped_at": "2026-11-29T13:04:41.453265+00:00", "started_at": "2026-11-29T13:04:41.310455+00:00", "timeout_ms": 30000, "instance_id": "9cbb381b-b068-426b-b878-88cf73a80e6e", "heartbeat_at": "2026-11-29T13:04:41.310455+00:00", "process_name": "test", "leases_in_use": null}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883197912093032463, "fenced_at": null, "reaped_at": null, "started_at": "2026-11-29T13:04:41.473174+00:00", "timeout_ms": 30000, "instance_id": "32a6d55b-18bb-496c-a21d-5ca7c16811c9", "heartbeat_at": "2026-11-29T13:04:41.541749+00:00", "process_name": "test", "leases_in_use": {"1883197911681990660": "40000001", "1883197911960911885": "40000001", "1883197911973494798": "40000001"}}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883197912277581840, "fenced_at": "2026-11-29T13:04:41.701234+00:00", "reaped_at": "2026-11-29T13:04:41.709101+00:00", "started_at": "2026-11-29T13:04:41.649601+00:00", "timeout_ms": 30000, "instance_id": "3be66f60-d9d9-4662-bfc2-fba46f67f68c", "heartbeat_at": "2026-11-29T13:04:41.649601+00:00", "process_name": "test", "leases_in_use": null}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883197913083936786, "fenced_at": null, "reaped_at": null, "started_at": "2026-11-29T13:04:42.418275+00:00", "timeout_ms": 30000, "instance_id": "3bef4ba4-baeb-405f-868f-7d1164fee67c", "heartbeat_at": "2026-11-29T13:04:42.418275+00:00", "process_name": "test", "leases_in_use": null}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883197914095812628, "fenced_at": "2026-11-29T13:04:43.429307+00:00", "reaped_at": "2026-11-29T13:04:43.43226+00:00", "started_at": "2026-11-29T13:04:43.383707+00:00", "timeout_ms": 30000, "instance_id": "64e2747d-a889-45e3-bede-7c7f98d0ca11", "heartbeat_at": "2026-11-29T13:04:43.383707+00:00", "process_name": "test", "leases_in_use": null}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883197914238418967, "fenced_at": "2026-11-29T13:04:43.556504+00:00", "reaped_at": "2026-11-29T13:04:43.559403+00:00", "started_at": "2026-11-29T13:04:43.519342+00:00", "timeout_ms": 30000, "instance_id": "0ec14f4b-86a4-485c-8ac2-88a4351e56ae", "heartbeat_at": "2026-11-29T13:04:43.519342+00:00", "process_name": "test", "leases_in_use": null}');
insert into expiring_grants overriding system value select * from jsonb_populate_record(null::expiring_grants, '{"ended_at": null, "given_at": "2026-11-29T13:04:42.135669+00:00", "looked_at": null, "expires_at": "2026-12-29T13:04:42.133+00:00", "posting_id": "01a22768-6295-76d9-b142-01be7e8c2080", "recurring_id": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "rest_nano_usd": 30000000, "other_nano_usd": 0, "amount_nano_usd": 30000000, "expired_nano_usd": 0}');
insert into expiring_grants overriding system value select * from jsonb_populate_record(null::expiring_grants, '{"ended_at": null, "given_at": "2026-11-29T13:04:42.165255+00:00", "looked_at": null, "expires_at": "2026-12-01T00:00:00+00:00", "posting_id": "549fb1ea-d342-4888-94cc-a0282d91a3de", "recurring_id": "01a22768-62a8-71c1-beaf-8802991c2247", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "rest_nano_usd": 10000000, "other_nano_usd": 0, "amount_nano_usd": 10000000, "expired_nano_usd": 0}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a22768-5ee1-716d-9c40-45e8f58b8242", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "gBYa", "public_id": "00jZO4uacKHfMM", "created_at": "2026-11-29T13:04:41.180676+00:00", "created_by": null, "expires_at": null, "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "secret_sha256": "\\x1b535839b415b1b6df35ceab830a435800d1ee519fdd40998c1faf984a0896fc", "allowed_networks": ["10.0.0.0/8"], "spend_limit_nano_usd": 2000000000, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a22768-675c-7217-9557-2951aec33f90", "kind": "api", "name": "of a member", "models": null, "version": 2, "metadata": {}, "last_four": "z5uL", "public_id": "00wGqT8pph7BPb", "created_at": "2026-11-29T13:04:43.355934+00:00", "created_by": "451cd40f-bf48-4467-91cc-b0fe87b2b0dc", "expires_at": null, "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "secret_sha256": "\\xdc149ff92cb63657d4a310252b31865f0342e29125578f4f1fc4dfd64d2d0f08", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a22768-67ad-7173-a2e4-27075a9f5c37", "kind": "api", "name": "raised", "models": null, "version": 2, "metadata": {}, "last_four": "XueG", "public_id": "00CnsMVNPK9u8b", "created_at": "2026-11-29T13:04:43.437323+00:00", "created_by": null, "expires_at": null, "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "revoked_at": null, "disabled_at": null, "raised_until": "2099-01-01T00:00:00+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "secret_sha256": "\\x201d42e3698dae2bd7e956e9c21ee4a1ccd0dac3e8a6597206fd9f81bd1eb724", "allowed_networks": null, "spend_limit_nano_usd": 500000000, "raised_limit_nano_usd": 900000000}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a22768-67f7-727a-b383-05a17c9fe46c", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "nycx", "public_id": "00lVM0E0Uh2Z8h", "created_at": "2026-11-29T13:04:43.510952+00:00", "created_by": null, "expires_at": null, "project_id": "01a22768-67f0-76c8-b738-b19f12717b1e", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "secret_sha256": "\\x7a8020e491b429ae77bf902487bb80badc7f4e7a1b49c26a296637e7670834d5", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a22768-683f-779b-a8fd-b8ae00b10d06", "kind": "api", "name": "rotated", "models": null, "version": 2, "metadata": {"team": "search"}, "last_four": "ASUw", "public_id": "00e03QEitsvQTL", "created_at": "2026-11-29T13:04:43.583857+00:00", "created_by": null, "expires_at": null, "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "secret_sha256": "\\x91f8eabb883e2df0633c1e9c63072b4e4e1451e82043f8e17f710cb20ef15570", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a22768-687f-7585-b346-01f887444976", "kind": "api", "name": "disabled", "models": null, "version": 2, "metadata": {}, "last_four": "4fji", "public_id": "002aCW8PqPpisi", "created_at": "2026-11-29T13:04:43.646874+00:00", "created_by": null, "expires_at": null, "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "revoked_at": null, "disabled_at": "2026-11-29T13:04:43.667+00:00", "raised_until": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "secret_sha256": "\\xed978444ff9497544afd50ce54147c79966556faca108a27699d5dc4c53cad61", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a22768-62ea-74bd-ba0d-0cfb32acd44b", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "Xocm", "public_id": "00zkTzFyoWzYuN", "created_at": "2026-11-29T13:04:42.218467+00:00", "created_by": null, "expires_at": null, "project_id": "01a22768-62d9-7752-912b-f4d09b5adac4", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a22768-62bd-721b-8b50-e66571309359", "secret_sha256": "\\x10bf478235b58505860b45ace69c2614524be13dae5053ddc1590dfcd435e016", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a22768-6309-765d-a1de-01187e9ae58c", "kind": "api", "name": "revoked", "models": null, "version": 2, "metadata": {}, "last_four": "2xob", "public_id": "00cxZz9GPwNJBt", "created_at": "2026-11-29T13:04:42.249216+00:00", "created_by": null, "expires_at": null, "project_id": "01a22768-62d9-7752-912b-f4d09b5adac4", "revoked_at": "2026-11-29T13:04:42.271373+00:00", "disabled_at": null, "raised_until": null, "workspace_id": "01a22768-62bd-721b-8b50-e66571309359", "secret_sha256": "\\xc98a2a14d8f285cb8ff72566cff01a7b760136b385a08de2b2e92353dcd35976", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a22768-68d7-7641-ae69-2cc57fb0fcbf", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "iM6Y", "public_id": "00iRM2a4gk9WNh", "created_at": "2026-11-29T13:04:43.73548+00:00", "created_by": null, "expires_at": null, "project_id": "01a22768-68d2-7470-a54f-7d9d58c69387", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a22768-68c1-766d-b838-38d79f5b9e20", "secret_sha256": "\\x4cb9db022fe30921bb7a4797a8840fe4e58ce3540d6e36b77d422037f2546913", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a22768-690a-7627-b75c-3a8d899658a9", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "l5HQ", "public_id": "00JanuDDgU5zOX", "created_at": "2026-11-29T13:04:43.786485+00:00", "created_by": null, "expires_at": null, "project_id": "01a22768-6902-721a-a108-d1d2218d6388", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a22768-68ea-7112-a1e8-8f55e6eea192", "secret_sha256": "\\x360916117df9c9507bd9729175981fd21af7e465e6a06fceeea168695f6dd3e7", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into former_secrets overriding system value select * from jsonb_populate_record(null::former_secrets, '{"key_id": "01a22768-683f-779b-a8fd-b8ae00b10d06", "last_four": "daf5", "public_id": "00VUXvCDBZUDQb", "expires_at": "2026-12-29T13:04:43.610706+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "secret_sha256": "\\x6a1231853c679e922b95844f9875e794baf805d5617f8161c6edb11b91b6fa00"}');
insert into free_answers overriding system value select * from jsonb_populate_record(null::free_answers, '{"hour": "2026-11-29T13:00:00+00:00", "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "cost_nano_usd": 7}');
insert into grant_counts overriding system value select * from jsonb_populate_record(null::grant_counts, '{"workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "other_nano_usd": 0, "charged_nano_usd": 60000001}');
insert into idempotent_requests overriding system value select * from jsonb_populate_record(null::idempotent_requests, '{"answer": "\\x616e20616e73776572", "key_id": "01a22768-5ee1-716d-9c40-45e8f58b8242", "epoch_id": 1883197913083936786, "claimed_at": "2026-11-29T13:04:42.439934+00:00", "request_id": "01a22768-63c7-7c3c-acd4-b0366926f35d", "body_sha256": "\\x612068617368", "completed_at": "2026-11-29T13:04:42.44909+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "idempotency_key": "it is done", "superseded_request_id": null}');
insert into idempotent_requests overriding system value select * from jsonb_populate_record(null::idempotent_requests, '{"answer": null, "key_id": "01a22768-5ee1-716d-9c40-45e8f58b8242", "epoch_id": 1883197913083936786, "claimed_at": "2026-11-29T13:04:42.428808+00:00", "request_id": "01a22768-63b8-7f67-bdc8-9c0e44861029", "body_sha256": "\\x612068617368", "completed_at": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "idempotency_key": "it runs", "superseded_request_id": null}');
insert into invitations overriding system value select * from jsonb_populate_record(null::invitations, '{"id": "01a22768-6494-7797-817c-33bb3d78fd82", "role": "member", "email": "new@example.com", "key_id": null, "mailed": false, "batch_id": null, "created_at": "2026-11-29T13:04:42.641514+00:00", "expires_at": "2026-12-06T13:04:42.641514+00:00", "invited_by": null, "revoked_at": null, "accepted_at": null, "accepted_by": null, "token_sha256": "\\xbbd8d67c6ca05dd43964044cedd51cfda7afa6d8ad75250aa8f42c15e3077596", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "invited_by_token": null, "monthly_limit_nano_usd": null}');
insert into invitations overriding system value select * from jsonb_populate_record(null::invitations, '{"id": "01a22768-64f5-75b0-9721-3b9726671374", "role": "viewer", "email": "third@example.com", "key_id": null, "mailed": false, "batch_id": null, "created_at": "2026-11-29T13:04:42.741472+00:00", "expires_at": "2026-12-06T13:04:42.741472+00:00", "invited_by": "01a22768-64cb-703a-8108-4d39e89e12e1", "revoked_at": null, "accepted_at": null, "accepted_by": null, "token_sha256": "\\xb08f454f1f0cb8b185c426f77ff257498dd1be00d9a15d8bd9764ddd551b47a0", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "invited_by_token": "01a22768-64d9-712e-b9cf-cbe515024e35", "monthly_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883197911681990660, "kind": "credit", "mode": "wet", "period": "never", "project_id": null, "subject_id": "01a22768-5e77-7164-bb82-0474523a597a", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "owed_nano_usd": 0, "limit_nano_usd": 15330000000, "spent_nano_usd": 70000000, "leased_nano_usd": 30000001, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883197911960911885, "kind": "project", "mode": "wet", "period": "month", "project_id": null, "subject_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "owed_nano_usd": 0, "limit_nano_usd": 3000000000, "spent_nano_usd": 50000000, "leased_nano_usd": 30000001, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883197911973494798, "kind": "key", "mode": "wet", "period": "month", "project_id": null, "subject_id": "01a22768-5ee1-716d-9c40-45e8f58b8242", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "owed_nano_usd": 0, "limit_nano_usd": 2000000000, "spent_nano_usd": 30000000, "leased_nano_usd": 30000001, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883197912831229969, "kind": "credit", "mode": "wet", "period": "never", "project_id": null, "subject_id": "01a22768-62bd-721b-8b50-e66571309359", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a22768-62bd-721b-8b50-e66571309359", "owed_nano_usd": 20000000, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883197914082181139, "kind": "member", "mode": "wet", "period": "month", "project_id": null, "subject_id": "a2f2d4c9-630b-401e-be0e-0695cfcb1687", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "owed_nano_usd": 0, "limit_nano_usd": 500000000, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883197914123075605, "kind": "key", "mode": "wet", "period": "month", "project_id": null, "subject_id": "01a22768-675c-7217-9557-2951aec33f90", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "owed_nano_usd": 0, "limit_nano_usd": null, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883197914197524502, "kind": "project", "mode": "wet", "period": "month", "project_id": null, "subject_id": "01a22768-67c6-7539-b323-81219384e7c4", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": "2099-01-01T00:00:00+00:00", "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "owed_nano_usd": 0, "limit_nano_usd": 500000000, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": 900000000}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883197914248904728, "kind": "project", "mode": "wet", "period": "month", "project_id": null, "subject_id": "01a22768-67f0-76c8-b738-b19f12717b1e", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "owed_nano_usd": 0, "limit_nano_usd": null, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883197914253099033, "kind": "key", "mode": "wet", "period": "month", "project_id": null, "subject_id": "01a22768-67f7-727a-b383-05a17c9fe46c", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "owed_nano_usd": 0, "limit_nano_usd": null, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883197914262536218, "kind": "end_user", "mode": "wet", "period": "month", "project_id": "01a22768-67f0-76c8-b738-b19f12717b1e", "subject_id": "3ff32202-d5b8-338d-2fe6-f1caa5a55bdb", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "owed_nano_usd": 0, "limit_nano_usd": 200000000, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883197914266730523, "kind": "session", "mode": "wet", "period": "month", "project_id": "01a22768-67f0-76c8-b738-b19f12717b1e", "subject_id": "1fdbdff0-29ca-81d1-6259-75d05ef741be", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "owed_nano_usd": 0, "limit_nano_usd": 100000000, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883197914441842716, "kind": "credit", "mode": "wet", "period": "never", "project_id": null, "subject_id": "01a22768-68c1-766d-b838-38d79f5b9e20", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a22768-68c1-766d-b838-38d79f5b9e20", "owed_nano_usd": 0, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883197914484834333, "kind": "credit", "mode": "wet", "period": "never", "project_id": null, "subject_id": "01a22768-68ea-7112-a1e8-8f55e6eea192", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a22768-68ea-7112-a1e8-8f55e6eea192", "owed_nano_usd": 0, "limit_nano_usd": 10000000, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883197914643169310, "kind": "credit", "mode": "wet", "period": "never", "project_id": null, "subject_id": "01a22768-6981-7352-8db6-57695d943b2d", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a22768-6981-7352-8db6-57695d943b2d", "owed_nano_usd": 0, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883197915190525983, "kind": "credit", "mode": "wet", "period": "never", "project_id": null, "subject_id": "01a22768-6b8a-769b-9807-d3fd4bc57254", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a22768-6b8a-769b-9807-d3fd4bc57254", "owed_nano_usd": 0, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883197915226177568, "kind": "credit", "mode": "wet", "period": "never", "project_id": null, "subject_id": "01a22768-6bad-771f-a609-a2bdbe19de72", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a22768-6bad-771f-a609-a2bdbe19de72", "owed_nano_usd": 0, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into leases overriding system value select * from jsonb_populate_record(null::leases, '{"open": false, "epoch_id": 1883197912093032463, "purse_id": 1883197911681990660, "sequence": 2, "charged_nano_usd": 30000001, "granted_nano_usd": 30000001}');
insert into leases overriding system value select * from jsonb_populate_record(null::leases, '{"open": false, "epoch_id": 1883197912093032463, "purse_id": 1883197911960911885, "sequence": 2, "charged_nano_usd": 30000001, "granted_nano_usd": 30000001}');
insert into leases overriding system value select * from jsonb_populate_record(null::leases, '{"open": false, "epoch_id": 1883197912093032463, "purse_id": 1883197911973494798, "sequence": 2, "charged_nano_usd": 30000001, "granted_nano_usd": 30000001}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a22768-5e99-7193-adf6-64d1dceededa", "kind": "grant", "once": null, "actor": "test", "number": 1, "reason": "a test", "posted_at": "2026-11-29T13:04:41.133741+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "balance_nano_usd": 5000000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a22768-6271-7216-a5b6-8cad41227d9c", "kind": "top_up", "once": "payment 1", "actor": "test", "number": 2, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T13:04:42.098807+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "balance_nano_usd": 5339999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a22768-627d-7101-8706-ff9237b94b4e", "kind": "refund", "once": null, "actor": "test", "number": 3, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T13:04:42.109951+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "balance_nano_usd": 5239999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a22768-6295-76d9-b142-01be7e8c2080", "kind": "grant", "once": null, "actor": "test", "number": 4, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T13:04:42.134587+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "balance_nano_usd": 5269999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a22768-62d2-7351-979e-fda7e1f65c87", "kind": "grant", "once": null, "actor": "test", "number": 6, "reason": "a test", "posted_at": "2026-11-29T13:04:42.194948+00:00", "workspace_id": "01a22768-62bd-721b-8b50-e66571309359", "balance_nano_usd": 10000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a22768-6301-76f9-8d26-01000ce09882", "kind": "dispute", "once": null, "actor": "test", "number": 7, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T13:04:42.241757+00:00", "workspace_id": "01a22768-62bd-721b-8b50-e66571309359", "balance_nano_usd": -20000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a22768-68f9-77c0-af45-f2ded2f2cf48", "kind": "grant", "once": null, "actor": "test", "number": 11, "reason": "a test", "posted_at": "2026-11-29T13:04:43.769701+00:00", "workspace_id": "01a22768-68ea-7112-a1e8-8f55e6eea192", "balance_nano_usd": 10000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "17fce7ae-0468-4b86-ba39-5da323182d5c", "kind": "refund", "once": "refund:stripe:re_1", "actor": "stripe", "number": 9, "reason": "Refund re_1 of payment pi_1 taken", "posted_at": "2026-11-29T13:04:42.33539+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "balance_nano_usd": 15259999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "549fb1ea-d342-4888-94cc-a0282d91a3de", "kind": "grant", "once": "recurring:01a22768-62a8-71c1-beaf-8802991c2247:2026-11-01", "actor": "test", "number": 5, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T13:04:42.160583+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "balance_nano_usd": 5279999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "af175b44-e394-4a8f-ba71-46b02a3205a8", "kind": "top_up", "once": "payment:stripe:pi_1", "actor": "stripe", "number": 8, "reason": "Payment pi_1 of top-up 01a22768-6337-7693-9307-7c9705ce0088", "posted_at": "2026-11-29T13:04:42.320227+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "balance_nano_usd": 15279999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "cd034707-ca16-459d-ae80-be5b2014bb47", "kind": "top_up", "once": "payment:codes:01a22768-6391-726c-b531-ce641dfa40ba", "actor": "codes", "number": 10, "reason": "Payment 01a22768-6391-726c-b531-ce641dfa40ba of top-up 01a22768-639d-75d1-b96b-737fbca39d7e", "posted_at": "2026-11-29T13:04:42.405873+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "balance_nano_usd": 15269999999, "receipt_request_id": null}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a22768-5e99-7193-adf6-64d1dceededa", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "amount_nano_usd": 5000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a22768-5e99-7193-adf6-64d1dceededa", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "amount_nano_usd": -5000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a22768-6271-7216-a5b6-8cad41227d9c", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "amount_nano_usd": 400000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "01a22768-6271-7216-a5b6-8cad41227d9c", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "amount_nano_usd": -400000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a22768-627d-7101-8706-ff9237b94b4e", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "amount_nano_usd": -100000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "01a22768-627d-7101-8706-ff9237b94b4e", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "amount_nano_usd": 100000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a22768-6295-76d9-b142-01be7e8c2080", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "amount_nano_usd": 30000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a22768-6295-76d9-b142-01be7e8c2080", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "amount_nano_usd": -30000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "17fce7ae-0468-4b86-ba39-5da323182d5c", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "amount_nano_usd": -20000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "17fce7ae-0468-4b86-ba39-5da323182d5c", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "amount_nano_usd": 20000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "549fb1ea-d342-4888-94cc-a0282d91a3de", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "549fb1ea-d342-4888-94cc-a0282d91a3de", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "af175b44-e394-4a8f-ba71-46b02a3205a8", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "amount_nano_usd": 10000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "af175b44-e394-4a8f-ba71-46b02a3205a8", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "amount_nano_usd": -10000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "cd034707-ca16-459d-ae80-be5b2014bb47", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "cd034707-ca16-459d-ae80-be5b2014bb47", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a22768-62d2-7351-979e-fda7e1f65c87", "workspace_id": "01a22768-62bd-721b-8b50-e66571309359", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a22768-62d2-7351-979e-fda7e1f65c87", "workspace_id": "01a22768-62bd-721b-8b50-e66571309359", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a22768-6301-76f9-8d26-01000ce09882", "workspace_id": "01a22768-62bd-721b-8b50-e66571309359", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "owed", "posting_id": "01a22768-6301-76f9-8d26-01000ce09882", "workspace_id": "01a22768-62bd-721b-8b50-e66571309359", "amount_nano_usd": -20000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "01a22768-6301-76f9-8d26-01000ce09882", "workspace_id": "01a22768-62bd-721b-8b50-e66571309359", "amount_nano_usd": 30000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a22768-68f9-77c0-af45-f2ded2f2cf48", "workspace_id": "01a22768-68ea-7112-a1e8-8f55e6eea192", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a22768-68f9-77c0-af45-f2ded2f2cf48", "workspace_id": "01a22768-68ea-7112-a1e8-8f55e6eea192", "amount_nano_usd": -10000000}');
insert into ledger_verifications overriding system value select * from jsonb_populate_record(null::ledger_verifications, '{"id": 1, "night": null, "started_at": "2026-11-29T13:04:43.973+00:00", "differences": [], "finished_at": "2026-11-29T13:04:44.41881+00:00", "difference_count": 0}');
insert into member_limits overriding system value select * from jsonb_populate_record(null::member_limits, '{"id": "a2f2d4c9-630b-401e-be0e-0695cfcb1687", "user_id": "451cd40f-bf48-4467-91cc-b0fe87b2b0dc", "raised_until": "2099-01-01T00:00:00+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "raised_limit_nano_usd": 900000000, "monthly_limit_nano_usd": 500000000}');
insert into offer_declarations overriding system value select * from jsonb_populate_record(null::offer_declarations, '{"kind": "model", "name": "stored", "version": 1, "changed_at": "2026-11-29T13:04:43.281456+00:00", "declaration": {"id": "stored", "routes": [{"model": "echo", "provider": "stored"}]}, "encrypted_key": null}');
insert into offer_declarations overriding system value select * from jsonb_populate_record(null::offer_declarations, '{"kind": "provider", "name": "stored", "version": 1, "changed_at": "2026-11-29T13:04:43.281456+00:00", "declaration": {"kind": "sandbox"}, "encrypted_key": null}');
insert into one_time_links overriding system value select * from jsonb_populate_record(null::one_time_links, '{"id": "01a22768-6421-701e-84b1-1cf04a48b169", "email": null, "mailed": false, "purpose": "set_up", "user_id": null, "claimed_at": null, "created_at": "2026-11-29T13:04:42.524555+00:00", "expires_at": "2026-11-30T13:04:42.524555+00:00", "by_right_in": null, "made_by_user": null, "token_sha256": "\\x5e491e9248e442032f90cb3d10337911e491d52e2c30f6ae48da5fa47c3a64ae", "made_by_token": null}');
insert into one_time_links overriding system value select * from jsonb_populate_record(null::one_time_links, '{"id": "01a22768-6524-7003-9469-b1c9979436e2", "email": null, "mailed": false, "purpose": "reset", "user_id": "01a22768-64cb-703a-8108-4d39e89e12e1", "claimed_at": null, "created_at": "2026-11-29T13:04:42.785211+00:00", "expires_at": "2026-11-29T15:04:42.785211+00:00", "by_right_in": "01a22768-5e77-7164-bb82-0474523a597a", "made_by_user": "01a22768-64cb-703a-8108-4d39e89e12e1", "token_sha256": "\\x6ea34e6e2f7ef6c4b4212153bb34e1c0e9c9394570cecd5d536ba7f2b38d43e7", "made_by_token": "01a22768-64d9-712e-b9cf-cbe515024e35"}');
insert into operator_tokens overriding system value select * from jsonb_populate_record(null::operator_tokens, '{"id": "01a22768-64b3-744a-a308-adddd94f54f5", "name": "metrics", "last_four": "GNo7", "read_only": true, "created_at": "2026-11-29T13:04:42.675459+00:00", "created_by": "owner@example.com", "revoked_at": null, "last_used_at": null, "secret_sha256": "\\x08f3958d7644a6e01f1ec2ded090241060e7f405590e6e846f0f6f7a0ffffac0", "downloads_backups": true}');
insert into sealed_partitions overriding system value select * from jsonb_populate_record(null::sealed_partitions, '{"name": "receipts_2026_w23", "up_to": "019ea487-7000-0000-0000-000000000000", "from_id": "019e807a-ec00-0000-0000-000000000000", "receipts": 1, "sealed_at": "2026-11-29T13:04:42.06583+00:00", "dropped_at": null, "export_file": "/exports/receipts_2026_w23", "exported_at": "2026-11-29T13:04:43.963082+00:00", "export_sha256": "\\xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "write_off_nano_usd": 0}');
insert into partition_totals overriding system value select * from jsonb_populate_record(null::partition_totals, '{"purse_id": 1883197911681990660, "receipts": 1, "partition": "receipts_2026_w23", "charge_nano_usd": 10000000}');
insert into partition_totals overriding system value select * from jsonb_populate_record(null::partition_totals, '{"purse_id": 1883197911960911885, "receipts": 1, "partition": "receipts_2026_w23", "charge_nano_usd": 10000000}');
insert into partition_totals overriding system value select * from jsonb_populate_record(null::partition_totals, '{"purse_id": 1883197911973494798, "receipts": 1, "partition": "receipts_2026_w23", "charge_nano_usd": 10000000}');
insert into passkey_challenges overriding system value select * from jsonb_populate_record(null::passkey_challenges, '{"challenge": "\\x3367b6fb1b92b50a2b6672747eed3f62a07cea1d9872f1b71f24a59f18a8ede3", "expires_at": "2026-11-29T13:09:42.685832+00:00", "session_id": null, "secret_sha256": "\\xa6bf2ed93e36fb9c49027bed3c60f0a5d4aa255ecc1280466f7c575b750628cc"}');
insert into passkeys overriding system value select * from jsonb_populate_record(null::passkeys, '{"id": "01a22768-64c1-7284-ab86-8f9787ddeffc", "name": "Laptop", "counter": 3, "user_id": "01a22768-642e-708f-8cbd-d91fd6604708", "created_at": "2026-11-29T13:04:42.69008+00:00", "public_key": "\\x7075626c6963206b6579", "transports": ["internal"], "last_used_at": "2026-11-29T13:04:42.69008+00:00", "credential_id": "\\x63726564656e7469616c"}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "01a22768-6391-726c-b531-ce641dfa40ba", "fact": "paid", "detail": null, "outcome": "applied", "provider": "codes", "top_up_id": "01a22768-639d-75d1-b96b-737fbca39d7e", "received_at": "2026-11-29T13:04:42.397739+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "00f730fe-fe73-4b65-9280-6d2911277860", "fact": "paid", "detail": null, "outcome": "applied", "provider": "stripe", "top_up_id": "01a22768-6337-7693-9307-7c9705ce0088", "received_at": "2026-11-29T13:04:42.310833+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "742dbad5-6c23-4bac-92f2-8bb7ae4aa334", "fact": "refund taken", "detail": null, "outcome": "applied", "provider": "stripe", "top_up_id": null, "received_at": "2026-11-29T13:04:42.347019+00:00", "workspace_id": null}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "bd758c86-13cf-489e-9fdf-2288783f4136", "fact": "paid", "detail": "10000000000 nano-USD were paid and not 10800000000", "outcome": "mismatch", "provider": "stripe", "top_up_id": "01a22768-6337-7693-9307-7c9705ce0088", "received_at": "2026-11-29T13:04:42.357105+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "d0f0fc4b-d650-4c77-a0a0-c55890ff2e96", "fact": "refund taken", "detail": null, "outcome": "applied", "provider": "stripe", "top_up_id": "01a22768-6337-7693-9307-7c9705ce0088", "received_at": "2026-11-29T13:04:42.333188+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into payment_reconciliations overriding system value select * from jsonb_populate_record(null::payment_reconciliations, '{"night": "2026-11-29T13:04:42.37385+00:00", "missed": 1, "compared": 2, "provider": "stripe", "started_at": "2026-11-29T13:04:42.37385+00:00", "differences": ["one"], "finished_at": "2026-11-29T13:04:42.374011+00:00", "events_until": "2026-11-29T13:04:42.37385+00:00", "difference_count": 1}');
insert into top_ups overriding system value select * from jsonb_populate_record(null::top_ups, '{"id": "01a22768-6337-7693-9307-7c9705ce0088", "once": null, "actor": "test", "state": "paid", "origin": "checkout", "failure": null, "provider": "stripe", "created_at": "2026-11-29T13:04:42.293504+00:00", "expires_at": null, "posting_id": "af175b44-e394-4a8f-ba71-46b02a3205a8", "updated_at": "2026-11-29T13:04:42.310833+00:00", "checkout_url": null, "fee_nano_usd": 800000000, "posting_kind": "top_up", "saves_method": true, "tax_nano_usd": 0, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "amount_nano_usd": 10000000000, "payment_reference": "pi_1", "checkout_reference": null}');
insert into top_ups overriding system value select * from jsonb_populate_record(null::top_ups, '{"id": "01a22768-637a-7123-ac51-9234cdf7513a", "once": null, "actor": "test", "state": "pending", "origin": "auto", "failure": null, "provider": "stripe", "created_at": "2026-11-29T13:04:42.361737+00:00", "expires_at": null, "posting_id": null, "updated_at": "2026-11-29T13:04:42.361737+00:00", "checkout_url": null, "fee_nano_usd": 800000000, "posting_kind": "top_up", "saves_method": false, "tax_nano_usd": 0, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "amount_nano_usd": 10000000000, "payment_reference": null, "checkout_reference": null}');
insert into top_ups overriding system value select * from jsonb_populate_record(null::top_ups, '{"id": "01a22768-639d-75d1-b96b-737fbca39d7e", "once": null, "actor": "test", "state": "paid", "origin": "code", "failure": null, "provider": "codes", "created_at": "2026-11-29T13:04:42.397739+00:00", "expires_at": null, "posting_id": "cd034707-ca16-459d-ae80-be5b2014bb47", "updated_at": "2026-11-29T13:04:42.397739+00:00", "checkout_url": null, "fee_nano_usd": 0, "posting_kind": "top_up", "saves_method": false, "tax_nano_usd": 0, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "amount_nano_usd": 10000000, "payment_reference": "01a22768-6391-726c-b531-ce641dfa40ba", "checkout_reference": null}');
insert into payment_reversals overriding system value select * from jsonb_populate_record(null::payment_reversals, '{"kind": "refund", "state": "taken", "counted": true, "provider": "stripe", "reference": "re_1", "top_up_id": "01a22768-6337-7693-9307-7c9705ce0088", "created_at": "2026-11-29T13:04:42.333188+00:00", "updated_at": "2026-11-29T13:04:42.333188+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "amount_nano_usd": 20000000, "payment_reference": "pi_1"}');
insert into payment_reversals overriding system value select * from jsonb_populate_record(null::payment_reversals, '{"kind": "refund", "state": "taken", "counted": false, "provider": "stripe", "reference": "re_2", "top_up_id": null, "created_at": "2026-11-29T13:04:42.347019+00:00", "updated_at": "2026-11-29T13:04:42.347019+00:00", "workspace_id": null, "amount_nano_usd": 20000000, "payment_reference": "pi_other"}');
insert into payment_settings overriding system value select * from jsonb_populate_record(null::payment_settings, '{"version": 1, "provider": "stripe", "auto_stop": null, "auto_enabled": false, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "auto_failures": 0, "auto_failed_at": null, "auto_consent_at": null, "auto_consent_by": null, "auto_noticed_at": null, "auto_stopped_at": null, "customer_reference": "cus_1", "recovery_top_up_id": null, "auto_amount_nano_usd": null, "auto_month_noticed_at": null, "auto_month_max_nano_usd": null, "auto_threshold_nano_usd": null}');
insert into price_adjustments overriding system value select * from jsonb_populate_record(null::price_adjustments, '{"id": "01a22768-5f09-7232-a4ad-d27700acdf33", "model": null, "ended_at": "2026-11-29T13:04:41.251313+00:00", "started_at": "2026-11-29T13:04:41.217195+00:00", "basis_points": -500, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into price_adjustments overriding system value select * from jsonb_populate_record(null::price_adjustments, '{"id": "01a22768-5f24-723c-b2da-20ab5d08a4d8", "model": null, "ended_at": null, "started_at": "2026-11-29T13:04:41.251313+00:00", "basis_points": -1000, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into price_adjustments overriding system value select * from jsonb_populate_record(null::price_adjustments, '{"id": "01a22768-5f3c-7532-b229-c8bbce6f1893", "model": "sandbox/echo", "ended_at": null, "started_at": "2026-11-29T13:04:41.274072+00:00", "basis_points": 2500, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883197911571890177, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": null, "version": 1, "created_at": "2026-11-29T13:04:40.957097+00:00", "retired_at": null, "workspace_id": null, "adjustment_id": null}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883197911586570242, "model": "sandbox/slow", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": null, "version": 1, "created_at": "2026-11-29T13:04:40.957097+00:00", "retired_at": null, "workspace_id": null, "adjustment_id": null}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883197911588667395, "model": "small-chat", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": null, "version": 1, "created_at": "2026-11-29T13:04:40.957097+00:00", "retired_at": null, "workspace_id": null, "adjustment_id": null}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883197911845568517, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "237500000", "output": "1900000000", "audio_input": "237500000", "audio_output": "1900000000", "cached_input": "237500000", "cache_write_1h": "237500000", "cache_write_5m": "237500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883197911571890177, "version": 2, "created_at": "2026-11-29T13:04:41.217195+00:00", "retired_at": "2026-11-29T13:04:41.251313+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "adjustment_id": "01a22768-5f09-7232-a4ad-d27700acdf33"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883197911845568518, "model": "sandbox/slow", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "237500000", "output": "1900000000", "audio_input": "237500000", "audio_output": "1900000000", "cached_input": "237500000", "cache_write_1h": "237500000", "cache_write_5m": "237500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883197911586570242, "version": 2, "created_at": "2026-11-29T13:04:41.217195+00:00", "retired_at": "2026-11-29T13:04:41.251313+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "adjustment_id": "01a22768-5f09-7232-a4ad-d27700acdf33"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883197911845568519, "model": "small-chat", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "237500000", "output": "1900000000", "audio_input": "237500000", "audio_output": "1900000000", "cached_input": "237500000", "cache_write_1h": "237500000", "cache_write_5m": "237500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883197911588667395, "version": 2, "created_at": "2026-11-29T13:04:41.217195+00:00", "retired_at": "2026-11-29T13:04:41.251313+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "adjustment_id": "01a22768-5f09-7232-a4ad-d27700acdf33"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883197911869685768, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "225000000", "output": "1800000000", "audio_input": "225000000", "audio_output": "1800000000", "cached_input": "225000000", "cache_write_1h": "225000000", "cache_write_5m": "225000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883197911571890177, "version": 3, "created_at": "2026-11-29T13:04:41.251313+00:00", "retired_at": "2026-11-29T13:04:41.274072+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "adjustment_id": "01a22768-5f24-723c-b2da-20ab5d08a4d8"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883197911869685769, "model": "sandbox/slow", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "225000000", "output": "1800000000", "audio_input": "225000000", "audio_output": "1800000000", "cached_input": "225000000", "cache_write_1h": "225000000", "cache_write_5m": "225000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883197911586570242, "version": 3, "created_at": "2026-11-29T13:04:41.251313+00:00", "retired_at": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "adjustment_id": "01a22768-5f24-723c-b2da-20ab5d08a4d8"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883197911869685770, "model": "small-chat", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "225000000", "output": "1800000000", "audio_input": "225000000", "audio_output": "1800000000", "cached_input": "225000000", "cache_write_1h": "225000000", "cache_write_5m": "225000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883197911588667395, "version": 3, "created_at": "2026-11-29T13:04:41.251313+00:00", "retired_at": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "adjustment_id": "01a22768-5f24-723c-b2da-20ab5d08a4d8"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883197911910580235, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "312500000", "output": "2500000000", "audio_input": "312500000", "audio_output": "2500000000", "cached_input": "312500000", "cache_write_1h": "312500000", "cache_write_5m": "312500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883197911571890177, "version": 4, "created_at": "2026-11-29T13:04:41.274072+00:00", "retired_at": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "adjustment_id": "01a22768-5f3c-7532-b229-c8bbce6f1893"}');
insert into quarantined_receipts overriding system value select * from jsonb_populate_record(null::quarantined_receipts, '{"id": 1, "reason": "it was refused", "receipt": "{}", "request_id": "01a22768-5ee1-716d-9c40-45e8f58b8242", "quarantined_at": "2026-11-29T13:04:42.469385+00:00"}');
insert into rate_buckets overriding system value select * from jsonb_populate_record(null::rate_buckets, '{"project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "refilled_ms": 0, "token_parts": 6, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "request_parts": 5, "called_back_ms": 0}');
insert into rate_leases overriding system value select * from jsonb_populate_record(null::rate_leases, '{"slots": 0, "taken": 0, "minute": 0, "tokens": 0, "granted": [], "running": 0, "epoch_id": 1883197912093032463, "requests": 2, "sequence": 1, "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "taken_before": 0, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a22768-5ee1-716d-9c40-45e8f58b8242", "dialect": "chat_completions", "outcome": "completed", "session": null, "attempts": null, "epoch_id": 1883197912277581840, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "request_id": "019e886f-b060-7000-8000-000000000001", "settled_at": "2026-11-29T13:04:41.690019+00:00", "admitted_at": "2026-06-02T13:04:41.568+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883197911973494798, "service_tier": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "fees_nano_usd": 0, "hold_nano_usd": 10000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 10000000, "credit_purse_id": 1883197911681990660, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883197911960911885, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a22768-5ee1-716d-9c40-45e8f58b8242", "dialect": "chat_completions", "outcome": "completed", "session": null, "attempts": null, "epoch_id": 1883197911922114572, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "request_id": "01a22768-5f98-707a-a721-8f7aa061db31", "settled_at": "2026-11-29T13:04:41.369504+00:00", "admitted_at": "2026-11-29T13:04:41.314+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883197911973494798, "service_tier": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "fees_nano_usd": 0, "hold_nano_usd": 20000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 10000000, "credit_purse_id": 1883197911681990660, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883197911960911885, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a22768-5ee1-716d-9c40-45e8f58b8242", "dialect": "chat_completions", "outcome": "completed", "session": null, "attempts": [{"fault": "overloaded", "status": 503, "provider": "main", "duration_ms": 4, "upstream_model": "mock"}, {"fault": null, "status": 200, "provider": "main", "duration_ms": 4, "upstream_model": "mock"}], "epoch_id": 1883197911922114572, "left_out": null, "provider": "main", "streamed": false, "attempt_ms": 4, "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "request_id": "01a22768-5fb2-72cf-97d8-442670e03283", "settled_at": "2026-11-29T13:04:41.395444+00:00", "admitted_at": "2026-11-29T13:04:41.379+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883197911973494798, "service_tier": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "fees_nano_usd": 0, "hold_nano_usd": 20000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "mock", "charge_nano_usd": 10000000, "credit_purse_id": 1883197911681990660, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883197911960911885, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a22768-5ee1-716d-9c40-45e8f58b8242", "dialect": "chat_completions", "outcome": "failed", "session": null, "attempts": null, "epoch_id": 1883197911922114572, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "request_id": "01a22768-5fdb-728e-9782-791e228a8a29", "settled_at": "2026-11-29T13:04:41.435597+00:00", "admitted_at": "2026-11-29T13:04:41.4+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883197911973494798, "service_tier": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "fees_nano_usd": 0, "hold_nano_usd": 30000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 0, "credit_purse_id": 1883197911681990660, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883197911960911885, "session_purse_id": null, "client_request_id": "mine", "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a22768-5ee1-716d-9c40-45e8f58b8242", "dialect": "embeddings", "outcome": "completed", "session": null, "attempts": null, "epoch_id": 1883197912093032463, "left_out": null, "provider": "local", "streamed": true, "attempt_ms": 10, "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "request_id": "01a22768-6021-70c3-9c37-cda51083918f", "settled_at": "2026-11-29T13:04:41.505368+00:00", "admitted_at": "2026-11-29T13:04:41.481+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883197911973494798, "service_tier": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "fees_nano_usd": 0, "hold_nano_usd": 50000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": 3, "upstream_model": "qwen3", "charge_nano_usd": 20000001, "credit_purse_id": 1883197911681990660, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883197911960911885, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": {"request": 1, "web_search": 3}, "model": "small-chat", "retry": true, "key_id": "01a22768-5ee1-716d-9c40-45e8f58b8242", "dialect": "responses", "outcome": "completed", "session": "a \"session\", {of} ours", "attempts": null, "epoch_id": 1883197912093032463, "left_out": ["web_search", "tool {odd}", "NULL"], "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "request_id": "01a22768-6040-7d56-922a-d344e4f0f94c", "settled_at": "2026-11-29T13:04:41.537147+00:00", "admitted_at": "2026-11-29T13:04:41.508+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883197911973494798, "service_tier": "a \"session\", {of} ours", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "fees_nano_usd": 0, "hold_nano_usd": 10000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 10000000, "credit_purse_id": 1883197911681990660, "member_purse_id": null, "requested_model": "a \"session\", {of} ours", "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883197911960911885, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a22768-675c-7217-9557-2951aec33f90", "dialect": "chat_completions", "outcome": "completed", "session": null, "attempts": null, "epoch_id": 1883197914095812628, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "request_id": "01a22768-67a1-7d09-a0d2-113089338863", "settled_at": "2026-11-29T13:04:43.425721+00:00", "admitted_at": "2026-11-29T13:04:43.392+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883197914123075605, "service_tier": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "fees_nano_usd": 0, "hold_nano_usd": 30000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 20000000, "credit_purse_id": 1883197911681990660, "member_purse_id": 1883197914082181139, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883197911960911885, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a22768-67f7-727a-b383-05a17c9fe46c", "dialect": "chat_completions", "outcome": "completed", "session": null, "attempts": null, "epoch_id": 1883197914238418967, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a22768-67f0-76c8-b738-b19f12717b1e", "request_id": "01a22768-681e-7a77-8f35-388dff7d416f", "settled_at": "2026-11-29T13:04:43.550733+00:00", "admitted_at": "2026-11-29T13:04:43.52+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883197914253099033, "service_tier": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "fees_nano_usd": 0, "hold_nano_usd": 30000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 20000000, "credit_purse_id": 1883197911681990660, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883197914248904728, "session_purse_id": 1883197914266730523, "client_request_id": null, "end_user_purse_id": 1883197914262536218, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a22768-642e-708f-8cbd-d91fd6604708", "code_sha256": "\\x0017b333df9d152befb67c09a332cb02de3a68be0de751ec1eb6c9b9125649c6"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a22768-642e-708f-8cbd-d91fd6604708", "code_sha256": "\\x38571b08b04ee46822703ac60bc3a24b6c76c4f2379f7edac1f502637b725c36"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a22768-642e-708f-8cbd-d91fd6604708", "code_sha256": "\\x4c36b29ca8ac237b1e39bd3ffbe141fba0f9d975168f4337987c644c36fb052c"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a22768-642e-708f-8cbd-d91fd6604708", "code_sha256": "\\x6c76b0773dd823da7105e9bed998a820090cfab1d524943bf017e607d031a578"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a22768-642e-708f-8cbd-d91fd6604708", "code_sha256": "\\x6f4f4c658e96816e3bea753cc740a0e0196b5b427a463477a95c3a4c30cf6db1"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a22768-642e-708f-8cbd-d91fd6604708", "code_sha256": "\\x83f3bca47809ad25c5d93a8a83d616c90aae558aa254fa4492cd3164fa23a9fc"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a22768-642e-708f-8cbd-d91fd6604708", "code_sha256": "\\x8a8be11d1f6ea5f028af3d31668bd6938ceedc98f0b3d836fcb0b93c10a177ab"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a22768-642e-708f-8cbd-d91fd6604708", "code_sha256": "\\xcae7e55cd97b82a37dc2f52e23214ffa7a9a84bbc43e763d24447af112d1f45d"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a22768-642e-708f-8cbd-d91fd6604708", "code_sha256": "\\xd1de7cb08a9649546c8350a8e67badf189ae57cd4a6fb05c3ca4f214cc9b127a"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a22768-642e-708f-8cbd-d91fd6604708", "code_sha256": "\\xfb57ba07a58a269b6ac9320d2889c4d316efe7558fd58b12b2c58f232a6e8ad9"}');
insert into recurring_grants overriding system value select * from jsonb_populate_record(null::recurring_grants, '{"id": "01a22768-62a8-71c1-beaf-8802991c2247", "actor": "test", "period": "month", "reason": "a \"reason\", with Ünïcode", "next_at": "2026-12-01T00:00:00+00:00", "ended_at": null, "created_at": "2026-11-29T13:04:42.151606+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "amount_nano_usd": 10000000, "expires_after_days": null, "expires_with_period": true}');
insert into redemption_batches overriding system value select * from jsonb_populate_record(null::redemption_batches, '{"id": "01a22768-638c-7563-ab0a-4dd373799b6a", "once": null, "actor": "test", "count": 2, "reason": "sold", "created_at": "2026-11-29T13:04:42.380906+00:00", "expires_at": "2026-11-30T13:04:42.379+00:00", "posting_kind": "top_up", "amount_nano_usd": 10000000}');
insert into redemption_codes overriding system value select * from jsonb_populate_record(null::redemption_codes, '{"id": "01a22768-6391-726c-b531-ce641dfa40ba", "batch_id": "01a22768-638c-7563-ab0a-4dd373799b6a", "last_four": "W3VN", "top_up_id": "01a22768-639d-75d1-b96b-737fbca39d7e", "code_sha256": "\\x3e355eb80ec7916a1212d96e4841b39c36e4abdb7675a0ff4e5e968ff7f48f40", "redeemed_at": "2026-11-29T13:04:42.397739+00:00", "redeemed_by": "test", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into redemption_codes overriding system value select * from jsonb_populate_record(null::redemption_codes, '{"id": "01a22768-6391-726c-b532-8bfe8e35350d", "batch_id": "01a22768-638c-7563-ab0a-4dd373799b6a", "last_four": "7KGC", "top_up_id": null, "code_sha256": "\\x9c591fa9a29585a4355fc742f4cdb221f7d0e0e5512c3a9348ce9b202e73fcad", "redeemed_at": null, "redeemed_by": null, "workspace_id": null}');
insert into refusals overriding system value select * from jsonb_populate_record(null::refusals, '{"code": "MODEL_NOT_FOUND", "rate": null, "model": "none", "param": "model", "key_id": "01a22768-5ee1-716d-9c40-45e8f58b8242", "status": 404, "endpoint": "chat_completions", "shortage": null, "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "refused_at": "2026-11-29T13:04:42.506+00:00", "request_id": "01a22768-640a-74d6-bcb3-eb36a81f4d12", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "retry_after_ms": null}');
insert into route_hours overriding system value select * from jsonb_populate_record(null::route_hours, '{"hour": "2026-11-29T13:00:00+00:00", "fault": {"kind": "failed", "status": 500, "request_id": "89cb0d2e-ce24-4db0-8d3d-7d117dbb4b7a"}, "model": "small-chat", "whole": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "faults": {"failed": 1}, "answered": 2, "fault_at": "2026-11-29T13:04:42.521+00:00", "provider": "local", "rejected": 0, "abandoned": 0, "answered_at": "2026-11-29T13:04:42.521+00:00", "first_event": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "upstream_model": "qwen3"}');
insert into scheduled_work overriding system value select * from jsonb_populate_record(null::scheduled_work, '{"name": "backup", "holder": null, "outcome": {"file": "/backups/one", "bytes": 1, "verified": true}, "problem": null, "done_turn": "2026-11-28T13:04:43.968+00:00", "failed_at": null, "held_until": "2026-11-29T13:06:43.969126+00:00", "succeeded_at": "2026-11-29T13:04:43.970801+00:00"}');
insert into sessions overriding system value select * from jsonb_populate_record(null::sessions, '{"id": "01a22768-6433-7167-9e32-9e806f9b1f3d", "address": "192.0.2.1", "user_id": "01a22768-642e-708f-8cbd-d91fd6604708", "created_at": "2026-11-29T13:04:42.542066+00:00", "expires_at": "2026-12-29T13:04:42.542066+00:00", "user_agent": "a browser", "is_recovery": false, "last_seen_at": "2026-11-29T13:04:42.542066+00:00", "token_sha256": "\\xf318af8dcdbf8b38268534690fdcc0b31a83eb2e999af5933d0139f4e3dae2e3", "authenticated_at": "2026-11-29T13:04:42.542066+00:00", "second_factor_at": null, "provider_workspace_id": null}');
insert into sessions overriding system value select * from jsonb_populate_record(null::sessions, '{"id": "01a22768-64cf-752c-8fef-3fe45de30519", "address": "192.0.2.1", "user_id": "01a22768-64cb-703a-8108-4d39e89e12e1", "created_at": "2026-11-29T13:04:42.699901+00:00", "expires_at": "2026-12-29T13:04:42.699901+00:00", "user_agent": "a browser", "is_recovery": false, "last_seen_at": "2026-11-29T13:04:42.699901+00:00", "token_sha256": "\\x8d7cb47a0be199e537e895cf8831a19df39ae15c89278ae99c25b0217cdb6d7a", "authenticated_at": "2026-11-29T13:04:42.699901+00:00", "second_factor_at": null, "provider_workspace_id": null}');
insert into sessions overriding system value select * from jsonb_populate_record(null::sessions, '{"id": "01a22768-65ac-7679-8eee-664516b8ab21", "address": "192.0.2.1", "user_id": "01a22768-6591-73d1-b6dd-ad165281e7b3", "created_at": "2026-11-29T13:04:42.895712+00:00", "expires_at": "2026-12-29T13:04:42.895712+00:00", "user_agent": "a browser", "is_recovery": false, "last_seen_at": "2026-11-29T13:04:42.895712+00:00", "token_sha256": "\\xb04f43e8393ba64dfb2f05d851adc5678c5d88673e3e571fa9abab758dffb6fb", "authenticated_at": "2026-11-29T13:04:42.895712+00:00", "second_factor_at": null, "provider_workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into sign_in_networks overriding system value select * from jsonb_populate_record(null::sign_in_networks, '{"network": "192.0.2.1", "used_at": "2026-11-29T13:04:42.542066+00:00", "user_id": "01a22768-642e-708f-8cbd-d91fd6604708"}');
insert into sign_in_networks overriding system value select * from jsonb_populate_record(null::sign_in_networks, '{"network": "192.0.2.1", "used_at": "2026-11-29T13:04:42.699901+00:00", "user_id": "01a22768-64cb-703a-8108-4d39e89e12e1"}');
insert into sign_in_networks overriding system value select * from jsonb_populate_record(null::sign_in_networks, '{"network": "192.0.2.1", "used_at": "2026-11-29T13:04:42.895712+00:00", "user_id": "01a22768-6591-73d1-b6dd-ad165281e7b3"}');
insert into sink_progress overriding system value select * from jsonb_populate_record(null::sink_progress, '{"sink": "archive", "fault": null, "holder": "76830a87-862f-4c80-9a34-faa2461c93cd", "server": 7713578583922616443, "delivered": "888:888:", "held_until": "2026-11-29T13:09:43.321028+00:00", "failing_since": null}');
insert into stored_response_bytes overriding system value select * from jsonb_populate_record(null::stored_response_bytes, '{"bytes": 448, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into stored_responses overriding system value select * from jsonb_populate_record(null::stored_responses, '{"items": "\\x017b60ef4cc5be4295bf342506f6a0b69d93821a18956979d0e48e3d6cba4b17a0e2ce38afff53803e0b4ef995f1bf8df8ea7d15ab0846f540ce7f8c2be4763a686d06b4c5c11c73c0f90c017b60ef4cc5be4295bf342506f6a0b69de94270d47e31a2d4f5d59924939684bd95365a546bce29c604dc5625043dde2e4224448b6420f5b80770552b373a8da8c16ac597bb0d94ca500afaec2a77067438970c4826e0bcdb", "response": "\\x017b60ef4cc5be4295bf342506f6a0b69d052d920b70ebed33af6c6d6aced92b0917c8e542ff0eb093a6501f7ae51d8f12c80d8523dbae4708dca1a2", "encrypted": true, "expires_at": "2026-11-30T16:04:42.505019+00:00", "request_id": "01a22768-63f0-7509-9a59-b037b9111ce2", "response_id": "resp_1", "input_length": 75, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "previous_request_id": null}');
insert into stored_responses overriding system value select * from jsonb_populate_record(null::stored_responses, '{"items": "\\x017b60ef4cc5be4295bf342506f6a0b69d4aaac5065dd24a6cfd8d171af1252addbf7da201e24702aa1e990db8b8c9d613575b9e2ac185f78256f2e474477a468d9c510471afb87229c982017b60ef4cc5be4295bf342506f6a0b69d61ec4185d3790745cd37fe3c2b28ecd164c76a994126fd3db4b1c4a3927553ec3d5bc58c2eb4bb4f3863e6d065c6bc678f258881f3a3a9be13d7c1f063b778dc236fba268b04e624", "response": "\\x017b60ef4cc5be4295bf342506f6a0b69d93873274a769e88a640aaa57039a4b1846624dafabe4826cb45e82e8fefdd6803a80758a5f408225e6770c", "encrypted": true, "expires_at": "2026-11-30T13:04:42.505019+00:00", "request_id": "01a22768-6405-7938-a48e-c26d77133d46", "response_id": "resp_1", "input_length": 75, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "previous_request_id": "01a22768-63f0-7509-9a59-b037b9111ce2"}');
insert into stored_response_items overriding system value select * from jsonb_populate_record(null::stored_response_items, '{"length": 44, "item_id": "msg_1", "starts_at": 0, "request_id": "01a22768-63f0-7509-9a59-b037b9111ce2", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into stored_response_items overriding system value select * from jsonb_populate_record(null::stored_response_items, '{"length": 44, "item_id": "msg_1", "starts_at": 0, "request_id": "01a22768-6405-7938-a48e-c26d77133d46", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into unrecorded_refusals overriding system value select * from jsonb_populate_record(null::unrecorded_refusals, '{"hour": "2026-11-29T13:00:00+00:00", "requests": 3, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2944, "model": "small-chat", "dialect": "chat_completions", "outcome": "completed", "requests": 1, "starts_at": "2026-06-02T13:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "cost_nano_usd": 0, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 10000000, "costed_requests": 0, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "chat_completions", "outcome": "completed", "requests": 2, "starts_at": "2026-11-29T13:00:00+00:00", "duration_1": 2, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "duration_10": 0, "input_tokens": 14, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "cost_nano_usd": 23750, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 22, "first_event_10": 0, "charge_nano_usd": 20000000, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "chat_completions", "outcome": "failed", "requests": 1, "starts_at": "2026-11-29T13:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "cost_nano_usd": 23750, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 0, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "embeddings", "outcome": "completed", "requests": 1, "starts_at": "2026-11-29T13:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "cost_nano_usd": 23750, "first_event_1": 1, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 20000001, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "responses", "outcome": "completed", "requests": 1, "starts_at": "2026-11-29T13:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "cost_nano_usd": 0, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 10000000, "costed_requests": 0, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2944, "model": "small-chat", "key_id": "01a22768-5ee1-716d-9c40-45e8f58b8242", "dialect": "chat_completions", "outcome": "completed", "requests": 1, "starts_at": "2026-06-02T13:00:00+00:00", "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "input_tokens": 7, "last_used_at": "2026-06-02T13:04:41.568+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "cost_nano_usd": 0, "output_tokens": 11, "charge_nano_usd": 10000000, "costed_requests": 0, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a22768-5ee1-716d-9c40-45e8f58b8242", "dialect": "chat_completions", "outcome": "completed", "requests": 2, "starts_at": "2026-11-29T13:00:00+00:00", "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "input_tokens": 14, "last_used_at": "2026-11-29T13:04:41.379+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "cost_nano_usd": 23750, "output_tokens": 22, "charge_nano_usd": 20000000, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a22768-5ee1-716d-9c40-45e8f58b8242", "dialect": "chat_completions", "outcome": "failed", "requests": 1, "starts_at": "2026-11-29T13:00:00+00:00", "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "input_tokens": 7, "last_used_at": "2026-11-29T13:04:41.4+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "cost_nano_usd": 23750, "output_tokens": 11, "charge_nano_usd": 0, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a22768-5ee1-716d-9c40-45e8f58b8242", "dialect": "embeddings", "outcome": "completed", "requests": 1, "starts_at": "2026-11-29T13:00:00+00:00", "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "input_tokens": 7, "last_used_at": "2026-11-29T13:04:41.481+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "cost_nano_usd": 23750, "output_tokens": 11, "charge_nano_usd": 20000001, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a22768-5ee1-716d-9c40-45e8f58b8242", "dialect": "responses", "outcome": "completed", "requests": 1, "starts_at": "2026-11-29T13:00:00+00:00", "project_id": "01a22768-5ec6-77e5-8aa0-cae851ac4744", "input_tokens": 7, "last_used_at": "2026-11-29T13:04:41.508+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "cost_nano_usd": 0, "output_tokens": 11, "charge_nano_usd": 10000000, "costed_requests": 0, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_keys overriding system value select * from jsonb_populate_record(null::usage_keys, '{"key_id": "01a22768-5ee1-716d-9c40-45e8f58b8242", "last_used_at": "2026-11-29T13:04:41.508+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into user_identities overriding system value select * from jsonb_populate_record(null::user_identities, '{"issuer": "https://login.company.example", "subject": "2", "user_id": "01a22768-6591-73d1-b6dd-ad165281e7b3", "created_at": "2026-11-29T13:04:42.895712+00:00"}');
insert into user_identities overriding system value select * from jsonb_populate_record(null::user_identities, '{"issuer": "https://login.example", "subject": "1", "user_id": "01a22768-642e-708f-8cbd-d91fd6604708", "created_at": "2026-11-29T13:04:42.612967+00:00"}');
insert into webhook_endpoints overriding system value select * from jsonb_populate_record(null::webhook_endpoints, '{"id": "01a22768-6626-725c-b064-e77b493d4e0a", "url": "https://hooks.example/", "secret": null, "enabled": true, "version": 2, "created_at": "2026-11-29T13:04:43.057413+00:00", "description": "ours", "former_until": "2026-11-30T13:04:43.06504+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "former_secret": null, "encrypted_secret": "\\x017b60ef4cc5be4295bf342506f6a0b69de9232aa024e25f8eebe6a834fc7f83b4afe3401e5daf98be7455244b95f2d558cc6d50fc6ce96a69fb5e5d13c25dd4f79d012601e309c5966773de56f03883d24a3ebed29d952805f28ab547bd331570", "encrypted_former_secret": "\\x017b60ef4cc5be4295bf342506f6a0b69d37bb5f361e04a131f189eb9d1bbb41791f0e6f60cd0590ea667139813e0009be6cb301a91743e9ef10535d18eaa94bda4e9921f001c1e04a9fa8278b513d2b56f67e2d09658653770044133718e7bdb9"}');
insert into workspace_access overriding system value select * from jsonb_populate_record(null::workspace_access, '{"issuer": "https://login.company.example", "version": 1, "client_id": "faregate", "group_roles": {"engineers": "developer"}, "only_openid": false, "default_role": "none", "groups_claim": null, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "second_factor": false, "allowed_networks": ["0.0.0.0/0", "::/0"], "trusts_addresses": false, "ends_leavers_keys": true, "encrypted_client_secret": "\\x017b60ef4cc5be4295bf342506f6a0b69d46c208cd6b64b47ec9e32902be324cd6d49ee51ff16b75d55661dde1e9fe2f5e090b6158d6a93440b31ccf"}');
insert into workspace_domains overriding system value select * from jsonb_populate_record(null::workspace_domains, '{"token": "ce035c266ad9f3961cc9db39c81a44923060df74", "domain": "company.example", "proven_at": "2026-11-29T13:04:42.888836+00:00", "proven_by": "operator", "created_at": "2026-11-29T13:04:42.875454+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into workspace_domains overriding system value select * from jsonb_populate_record(null::workspace_domains, '{"token": "ec7c40fa1836fc3c8e0196d80e8e32a8128223cb", "domain": "unproven.example", "proven_at": null, "proven_by": null, "created_at": "2026-11-29T13:04:42.855531+00:00", "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a"}');
insert into workspace_sinks overriding system value select * from jsonb_populate_record(null::workspace_sinks, '{"sink": "archive", "redact": ["keys"], "records": ["content", "receipts"], "version": 1, "changed_at": "2026-11-29T13:04:43.299281+00:00", "last_lost_at": "2026-11-29T13:04:43.310896+00:00", "lost_records": 2, "workspace_id": "01a22768-5e77-7164-bb82-0474523a597a", "receipts_from": "886:886:", "audit_position": 28, "sample_percent": 10}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0001_baseline", "sha256": "ebb659db4c12027da2ea3b5b70af0970e6dfd4c46ac4edb12d7b31bf8de53788", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0002_receipts_name_their_transaction", "sha256": "d89660b1112dceabefd3d835a0d2a86e825640738aad3236387ded5bc5c3fe65", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0003_audit_events", "sha256": "2d6de6c1ecf24deaf1b15d38f9d1805dbf2602fd6d8221a5b23a64aaefcd8de9", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0004_receipts_name_their_route", "sha256": "647a98b35b43368fe220ad736d91af073fe33c3d9b63267ef2d55aa2654d064c", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0005_alerts", "sha256": "4687662bea793a337483b4a659498c0debb0abd9ca38d7203159790a7a3272cf", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0006_identity", "sha256": "3aab94dd61f9f0fbd5f3127e63a8713558da21e16e8477d1b698befda74a17b1", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0007_payments", "sha256": "0f4bc319c797e84bdd869c6456f439429d9627eecbc7508377545df3a2ae40e4", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0008_usage", "sha256": "f096f3615f57b9b6ca1a3e256f2491d5b6ea045f7fe4d5b29726db31161a9a8d", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0009_resource_lives", "sha256": "720823a00cc8c54ac661c5f590be3b61a6f9077961e842fe805a12d82478b47f", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0010_workspace_prices", "sha256": "4f16867aac15717f2353557be32c31680888715a035081df8899c7fc8942305c", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0011_stopped_top_ups", "sha256": "a0288135fb604a9e843fd206d64e85142484f74475e9bfcb56fb3c0a5ca6aae4", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0012_refusals", "sha256": "4e45136f989938863c15b2ad5d6094131b1162a539791064e246f0bf3307b57b", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0013_last_uses", "sha256": "4d0dcf3a705cce5c129838c24c12569420fbc27a4bd732f9d4fa9292182872e0", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0014_provider_costs", "sha256": "5d0d9a4f1c73e5f99df821c1c5ddb50b22ddf1dc330b9dafca692710fdc9a8b5", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0015_console_keys", "sha256": "dafb5035af02c9e1ea243ae3afa0a3a7176ae8938e91cd6255d286ca3bbff749", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0016_usage_by_member", "sha256": "338f3ce2e3765d2a443389635bbf9cf88f48c4e2f1bc8db44650406aef1e1b3f", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0017_receipts_have_extras", "sha256": "f8912e4a25f8bf604e0fe52a7b1f40c6242b9240aa929457ee885ce9db3b9142", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0018_stored_responses", "sha256": "089a16ba83117860f47db3e163ec2da917e4054baf0fa27cf2017494a1613498", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0019_stored_response_bytes", "sha256": "00e42557b020fd1e8b061977f60c86c094ff7a7eae42068a96f09055b8cd9e78", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0020_fees", "sha256": "60f348b631539ea4e196995c93e66ce37d67570915d0b1ce486408af7f64afcb", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0021_links_name_their_makers", "sha256": "f5d2b319d1e10f03ecf63dd0979cfac80f822146dfe677c20b36801db4eb7a91", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0022_encrypted_secrets", "sha256": "7268d4770c89485bcc0349269ea76072fe8e514cef89338b5529ca36a66cc838", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0023_sign_in_networks", "sha256": "6c338250b62c39fa2efaf31be534c45f0137aacb5c6cfa984db3b5499c91038c", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0024_tokens_for_backups", "sha256": "e109c654df97b2d75a88746e6addeb1de611687704a23f1bae4e8d25fbf0c34f", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0025_member_keys_are_bounded", "sha256": "11399c572511730e5020fa14975652ba923f075c32f8148cdde39f55fcab45f3", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0026_projects_report_costs", "sha256": "e90c21368f1e811534b28c0a37b41fcde0c57c7f7245da6b645a5f92a33609f5", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0027_encrypted_responses", "sha256": "710a774743c244631da09e74b7c9c2bd8f9185a9f91fa4a7e373dc99fd113b8f", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0028_leases_in_use", "sha256": "6fc8c255cb726234369265c8c8aaf7834e8f7726dd4d3460ebb9d369c13d667c", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "apply_budget", "sha256": "38e85a64e9049fafa1bb9b8979db9615a6d046a879406654ba966605185334a1", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "apply_payment_fact", "sha256": "96ec5683385db5ce993ac8b597509d6d167209167f122071c7a53e6a06c87cab", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "begin_auto_top_up", "sha256": "2fd5b3d8d58ae61b9b998d0d673389eb3fe3faf009e3784aedddce4fb0f43e76", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "bound_transaction", "sha256": "8f46049bfb4fa8b5feb0888f673405ca21315e00288e9a383c7be7c007ac45d5", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "claim_for_late_receipt", "sha256": "d7e5423fd69cab785cd3ca405e30748b75c4ff7703498d85c5963439cfd54acb", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "claim_idempotency_key", "sha256": "24e16c30eb4d0f59ea13e78a78fc6da93db290e441b755df821585ba97556c52", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "closed_credit", "sha256": "9d1826aca7f5150b31f766acf211199d3b4e6e90c6dbc1cc85b20d6df4e2736f", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "closed_payments", "sha256": "04f3918c0b0930cebc7ab6e86e4f16d5f9dcd76f80305738fcd63f0222602038", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_draw_leases", "sha256": "4c27a5be72ef012f676aaca292a633e1a2492badad83492f6a14f2e0a02f2073", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_draw_permits", "sha256": "fd86daa8182807731e3bfdc9719d16df8377d377486cda1fbeb6a50e4b182f96", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_look_up_keys", "sha256": "ab777707a8f0872e53da6c287e6a41a2362c30a5d61f7cdffcad9e7d8fa12e2e", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_reap_epoch", "sha256": "9be3fb79ce3391afae14142b1780ab016b362cc4f3904310f9f6f8ad23efdee2", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_release_leases", "sha256": "fd88128e37f6a8b33a06da63879e5857b5648111119175cbbc64ae80a8a94293", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_settle_late_receipts", "sha256": "64d3cf3db4ab8e4891be890d61052b2a75c411ab55a24d8d95c9b559f19c92d4", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_settle_receipts", "sha256": "51d9c975be827da1e5ed2ab1ae317a28842b420ad1ff8d478344a5714de7e005", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "complete_held_claims", "sha256": "60618d5de0152765796086d39430f9aefd8255d4c0e5f6ad332574d7c5250152", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "complete_idempotent_requests", "sha256": "105b1c267bf38dc387aa2e06c7f619da88bef1aced99633f962e5fe969422821", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "correct_receipt", "sha256": "1f6daeff86f8e897a7e9132ad83507b79e67fa87d8e28886cd86ef6b8cbfb1cc", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "correct_usage", "sha256": "0ccc82b3dab895c502b37ef9cc9c07b719f7f14d446b83491cf8a54948b3a51a", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "count_version", "sha256": "0cd97a1377dff2da527066a990e103216cf03ebd0b9ed9d85588b3155276c334", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "delete_response", "sha256": "3e6a631f5c142623c7879f72a35e305b623313e22152a55ed2929dae10d741ca", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "draw", "sha256": "44cd8a9aa796d98d2af5042345d30de29f50ee6f0540407b313970b6acd2cb9d", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "draw_leases", "sha256": "2a292d8e4cfd3815dabe762e48eeeeb04fecebb6361b1ca65066fee1b794616a", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "draw_permits", "sha256": "69f689cf40165148dbe75adaabd6eddf8a88b899c5ee6eabe564f1020134fa17", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "end_statements_of", "sha256": "a576c6eb79b972f8b49644ae38b10f53cca57ccff2cee1d13767444b8dc748c8", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "fence_epoch", "sha256": "85c2ce59c6cb47060f86bc1260f22ac15f213cbf36f6aa0c2d8f01d6ac1eefe2", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_principals", "sha256": "76626cd424090d0a66037eaef5957d370b1aded8bbbc2ecfdf7c2521902bb3c5", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_purses", "sha256": "c794041895c577dd9ec6a61fb6ca1c30daeb5710e1462408443b2943d5f26868", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_response_chain", "sha256": "47ce7f6b7c89a0d2c888e06a921f315418e7c267438262eef1f70a4f608e8a56", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_response_items", "sha256": "b649d6351268dd847f983d905c14a79b264b4b23cab1f83baad9d10ef47b2082", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "fresh_id", "sha256": "07918f79e7624cd0852a20b96d076f312d48c0222150c7f7ab18b60ee3ea38b5", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "give_back_leases", "sha256": "8cfe5fb4ce1fa443554ae1e7c0417b33701e68b3421f2b2c03ecaaae88e57662", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "keep_responses", "sha256": "2668bc2ab74e6e8dc074b7598a2c0e9eb6017de60f6899ec905c2de32fdb9cb1", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "late_purses", "sha256": "a622cedc0de38acb3a859d3a5df11194b66ca166b61f639e1852bd5c6f5f6bde", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "late_receipts", "sha256": "c9b5c8a62eadf3d4032f0c7274397412606e92387050a5d1de13b4b671888029", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "ledger_is_append_only", "sha256": "090c24317091f9cf93dfdae319b3cc3f7f026f6bf87c2436ae588781e30481b6", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "ledger_posting_balances", "sha256": "975f345bd4783e6428276e27ab05f11817e8be8db0760ceda0bc6be69cd943ea", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "limit_member_keys", "sha256": "2130113a91817800949e314e5eaf538adeadf510a77adcc899d58590461894d3", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "lock_claims", "sha256": "f19dabc05cdd0c8ad7773483df8516d05c5efaed7a05eb4b189da46751dd380b", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "lock_purses", "sha256": "63ed4c0c6d06c298fd07fb3a543aa7d23de08964744daf1f52165e9bdb9a2afe", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "look_up_keys", "sha256": "e566aab90728df3c5eb7dc6eadaf68c10401e712043a36147cd84242b2f2633f", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "match_payment", "sha256": "fb56c909e6a7f3cd7cedbd6fedc34338ad63164bf1dbfbd3eecdf9f5e497d557", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "move_top_up", "sha256": "17ecf38736f61703ca4de95a5ee5a4064609fb08d173ed0b66afd3c3e80c8751", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "next_cost_time", "sha256": "b4cc9da4e7773457e26a5ac47b7073c566613849a0ce5b83df71703ca5e06a4e", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "open_purses", "sha256": "9076e37933be03735a8e54684c939cbec0a17ce5790a3aff42ec0e5ca022c4c6", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permit_parts", "sha256": "01c07276dae5dac744f6f29c8194cd52bd5d51431368e7adf93a3679455bf718", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permit_stock", "sha256": "4488f04e449b5b3ddaf3120a5160b9c9e918d6e686175383918a9e741f067eab", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permit_wait_ms", "sha256": "54861cfa8f7d027695efe63c13f150904fa6d8204330a2e564d3dfe99837b12f", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permits_taken", "sha256": "37df2526b8efba2913c66cc9cbbd9fd383dbe38c137d5f4f3ab5da7bd6dda152", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "post_credit", "sha256": "7995d67c523cac9ad6fe2d379d465bef835550fca8367995f3815e92a8d5b2bb", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "post_reversals", "sha256": "bc48253b1995e2a92ef217327c228370a51aa825e135e51f65a2f7cb5b9d19c9", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "prune_responses", "sha256": "2289ac589a1b195d9445f204d11bbf232f22cb65859e3428f9b5c54d67235275", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "read_response", "sha256": "adeda8bfc2cd11e1ba602b35b9fc65bd23fbc2532a3fd601b6af3857227cad83", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "reap_epoch", "sha256": "36172ba5b8359a0f7dab7ae749776f6abbb25b5d27066d7ca214dd41069eeee0", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "receipt_cost", "sha256": "5b6458bfdc18f8a53d198d648def8f0b7ec54e40374b0c740ed884bbcc1084e5", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "receipts_are_sealed", "sha256": "02ae37fa205a791f5b4150af20e4b223239072170e625ad092480d7f96f7b64c", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "record_reversal", "sha256": "d3b4492cd1b4c9047783e9b2cd26a4a3bd7742cf5858802b655947dd96965a57", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "redeem_code", "sha256": "e61c872db1f4dd0e2bd45f29cf69ac6d4cf988831fa0e87b9a94e537e6e57509", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "refund_closed", "sha256": "fe630a72e039e052c92ca6e42a8282b08c768709c8a47eea57ae9effa02d5f52", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "refund_closing", "sha256": "00109c0720c80bb31dd2d52231ce16cdf166114984ec9128c294e779889ec6f5", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "release_idempotency_key", "sha256": "e56a4602e4c3c9b57aff7cbf69cf2b9122c0d4d918e75b50bfbf21292fe1b5ba", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "release_leases", "sha256": "8c3d124bd45a44850976e84f114000a5ed2b41d4deee8bf77a594ffc5f7371b4", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "require_live_epoch", "sha256": "3e5da93147671fa3f440e4f056252eab78b6fcba7219ba84471c212050703413", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "settle_late_receipts", "sha256": "4e8992a82fbedfcbaf5f633cb008b627da2f1fc521e3178ec65511cc4b7cfff4", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "settle_receipts", "sha256": "a884f4077af6c1bdd7fd422ff503ebf895d515537c029a11b455aba02ff9231f", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "settle_receipts_again", "sha256": "b054f2eff8fe74895198600e9dd3fd77cc54078db57ca59238fb3f72eae862be", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "take_free_answer", "sha256": "d0fc54a4234993d238997ae0dedc1dcf359f736c4d6b3c23deafbea663a114db", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "update_key", "sha256": "456f58b8a0be4ec3253d982015cb135b40153d6bd4a5417dd57e62b4070f9af2", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "update_project", "sha256": "8d9600123c39f7c2dad8ad46c85b0518b0223255a42bc05f08d8c99c072157c9", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "wait_briefly", "sha256": "222abab4027de312fcb28d7e7057d294e6099ec3d7ab10e3fd1e6c5eef934511", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "apply_budget", "sha256": "1acad0a65dfa033553ab07afc35bac9492ec62eec6ff7c20f5d0f44c8ffa274f", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "apply_payment_fact", "sha256": "752dd7720cf35e71481aa8447165d727f280761b68afb0f28ebf2e573c0e5b92", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "audit_event_digest", "sha256": "e1ee5158f324be8deef5fbdd8c1c26e10b7650a7242bf6f2e359aca9eff3fbef", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "begin_auto_top_up", "sha256": "2fd5b3d8d58ae61b9b998d0d673389eb3fe3faf009e3784aedddce4fb0f43e76", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "bound_transaction", "sha256": "8f46049bfb4fa8b5feb0888f673405ca21315e00288e9a383c7be7c007ac45d5", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "claim_for_late_receipt", "sha256": "d7e5423fd69cab785cd3ca405e30748b75c4ff7703498d85c5963439cfd54acb", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "claim_idempotency_key", "sha256": "24e16c30eb4d0f59ea13e78a78fc6da93db290e441b755df821585ba97556c52", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "closed_credit", "sha256": "9d1826aca7f5150b31f766acf211199d3b4e6e90c6dbc1cc85b20d6df4e2736f", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "closed_payments", "sha256": "7f3bcede09c8efecde9a35c4b191306f8568dd29f451305538e33c37d04771e1", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_draw_leases", "sha256": "84af03335e4285dcc2409f5b1c93d733eceb20aec976c0e99d4424b1d67d721e", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_draw_permits", "sha256": "fd86daa8182807731e3bfdc9719d16df8377d377486cda1fbeb6a50e4b182f96", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_look_up_keys", "sha256": "dd28780a214fedaa74402f3ac90c58b2d217c5f2dcd506c78575e1d764cb3a35", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_reap_epoch", "sha256": "9be3fb79ce3391afae14142b1780ab016b362cc4f3904310f9f6f8ad23efdee2", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_release_leases", "sha256": "fd88128e37f6a8b33a06da63879e5857b5648111119175cbbc64ae80a8a94293", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_settle_late_receipts", "sha256": "64d3cf3db4ab8e4891be890d61052b2a75c411ab55a24d8d95c9b559f19c92d4", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_settle_receipts", "sha256": "51d9c975be827da1e5ed2ab1ae317a28842b420ad1ff8d478344a5714de7e005", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "complete_held_claims", "sha256": "60618d5de0152765796086d39430f9aefd8255d4c0e5f6ad332574d7c5250152", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "complete_idempotent_requests", "sha256": "105b1c267bf38dc387aa2e06c7f619da88bef1aced99633f962e5fe969422821", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "correct_receipt", "sha256": "d1363fd84e194c39cbf733212176229e0f77ebb42b77441b3ac0b2f628f69ca9", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "correct_usage", "sha256": "0ccc82b3dab895c502b37ef9cc9c07b719f7f14d446b83491cf8a54948b3a51a", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "count_grants", "sha256": "ee38f91365fc02aa9047fe94a9436d4db316a4d8b332c15a94d0723530338f44", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "count_version", "sha256": "0cd97a1377dff2da527066a990e103216cf03ebd0b9ed9d85588b3155276c334", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "delete_response", "sha256": "3e6a631f5c142623c7879f72a35e305b623313e22152a55ed2929dae10d741ca", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "draw", "sha256": "bd86fc6831f1766cd5e04687e55c1aedf886f39611db248312a16af7665e9743", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "draw_leases", "sha256": "109324e4f727071bb32af50eaf0ff5103fb3eb7518e34ee2239683ea85f3653c", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "draw_permits", "sha256": "69f689cf40165148dbe75adaabd6eddf8a88b899c5ee6eabe564f1020134fa17", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "end_statements_of", "sha256": "a576c6eb79b972f8b49644ae38b10f53cca57ccff2cee1d13767444b8dc748c8", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "expire_grant", "sha256": "5a3a16e579f1496639758409f4f0cc6b94e113731f9eb21224c84ca5ec2f6c9a", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "fence_epoch", "sha256": "85c2ce59c6cb47060f86bc1260f22ac15f213cbf36f6aa0c2d8f01d6ac1eefe2", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "find_principals", "sha256": "211af43cf67eda4f3d0c671889e78bbcacd311f7a9f7b7c25c80114a23d8b856", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "find_purses", "sha256": "753b0548dad6c4777a544fb407ab3395c0a124dc3b2cf32ea15e6ea86683be8c", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "find_response_chain", "sha256": "47ce7f6b7c89a0d2c888e06a921f315418e7c267438262eef1f70a4f608e8a56", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "find_response_items", "sha256": "b649d6351268dd847f983d905c14a79b264b4b23cab1f83baad9d10ef47b2082", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "fresh_id", "sha256": "07918f79e7624cd0852a20b96d076f312d48c0222150c7f7ab18b60ee3ea38b5", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "give_back_leases", "sha256": "8cfe5fb4ce1fa443554ae1e7c0417b33701e68b3421f2b2c03ecaaae88e57662", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "give_back_to_grants", "sha256": "a73db84e3e307acb41b742a51a0dad63eb36b793c233b2451af6084512d334af", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "keep_audit_event", "sha256": "c7c58ffd398d3833f326b469020fa71a065ddb18eb9f0a4138e39598a2a3e13e", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "keep_posting", "sha256": "ea707fce4065a393600a41af195c764ebcc248a07e6dd2c4e01399f70b4aec0d", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "keep_responses", "sha256": "2668bc2ab74e6e8dc074b7598a2c0e9eb6017de60f6899ec905c2de32fdb9cb1", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "late_purses", "sha256": "faf8a4faa63f65ed7c630e4b1893cac213170a28bb10d37eb27b375ed0cbdab6", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "late_receipts", "sha256": "c9b5c8a62eadf3d4032f0c7274397412606e92387050a5d1de13b4b671888029", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "late_served", "sha256": "211a8813aad776b723725efe1b73be6092eebeb4e2b31286de5bc46bc655623f", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "ledger_is_append_only", "sha256": "090c24317091f9cf93dfdae319b3cc3f7f026f6bf87c2436ae588781e30481b6", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "ledger_posting_balances", "sha256": "975f345bd4783e6428276e27ab05f11817e8be8db0760ceda0bc6be69cd943ea", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "limit_member_keys", "sha256": "e39bd7fcefb37370518341035d9cb202a5cdc3e1c2145802cdd36198620bf88f", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "limit_now", "sha256": "b8e123d269ad460e054e4209fafe8a3124987f6c3edad1f3f4390e173b5c8f96", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "link_audit_event", "sha256": "42ee2f1b06d21a55e1c9e950198638b21fdeb8052de69170e4329eb0672c1a68", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "live_grants", "sha256": "c31aea9ae4e2391947a1b1abcb6166f2c6bd0c57e7b44516477c00718d095591", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "lock_claims", "sha256": "f19dabc05cdd0c8ad7773483df8516d05c5efaed7a05eb4b189da46751dd380b", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "lock_number", "sha256": "8f118c84340247f8f43159e7f4549e45602c077f4541be6f95349fa177c83b2f", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "lock_purses", "sha256": "63ed4c0c6d06c298fd07fb3a543aa7d23de08964744daf1f52165e9bdb9a2afe", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "look_up_keys", "sha256": "3bbda685aea97d06a22f7f66d2359c48c812074a5037f4d121591a0f3e21ec76", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "match_payment", "sha256": "191e2a2c52b389b1eb874f0d41cf6b1a893a50ab77a2ecd7bff3d6941d250c63", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "move_top_up", "sha256": "b0cd1c8f386ab38f7de61f3afd1538f53502b25a904a8aa22ed4ffffa599b1ff", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "next_cost_time", "sha256": "0857d106c70f3033084455dfbe6a333fa4ed4c431c921a6032c0e8b4e9e5d303", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "next_expiries", "sha256": "fcbb13c423a551d5265adb790b1e0361f50e5fc46d92d99cfde257321b36ff6e", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "open_purses", "sha256": "de7ea834edb468e153e7989d4ca2518af44941dbda0b150b6e4e169a3a5e55a7", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "permit_parts", "sha256": "01c07276dae5dac744f6f29c8194cd52bd5d51431368e7adf93a3679455bf718", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "permit_stock", "sha256": "4488f04e449b5b3ddaf3120a5160b9c9e918d6e686175383918a9e741f067eab", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "permit_wait_ms", "sha256": "54861cfa8f7d027695efe63c13f150904fa6d8204330a2e564d3dfe99837b12f", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "permits_taken", "sha256": "37df2526b8efba2913c66cc9cbbd9fd383dbe38c137d5f4f3ab5da7bd6dda152", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "post_credit", "sha256": "8718ae3be9a09cc9077320262d065e1987cc420449f81c08811234449ac9c339", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "post_recurring_grant", "sha256": "db17d11c0b34e7de1041064fd554188c583f3f83dbf3158dacebf4dcff14d429", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "post_reversals", "sha256": "da6ac66fbafab9a98c1a59551f3144ba2c114639d482568211b4f7f31d72e4a8", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "prune_responses", "sha256": "2289ac589a1b195d9445f204d11bbf232f22cb65859e3428f9b5c54d67235275", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "read_response", "sha256": "adeda8bfc2cd11e1ba602b35b9fc65bd23fbc2532a3fd601b6af3857227cad83", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "reap_epoch", "sha256": "36172ba5b8359a0f7dab7ae749776f6abbb25b5d27066d7ca214dd41069eeee0", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "receipt_cost", "sha256": "a58b951168c31077902d7b68c2564e5504fa9d2632ee4c90a42328a83af707c1", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "receipts_are_sealed", "sha256": "02ae37fa205a791f5b4150af20e4b223239072170e625ad092480d7f96f7b64c", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "record_reversal", "sha256": "d3b4492cd1b4c9047783e9b2cd26a4a3bd7742cf5858802b655947dd96965a57", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "redeem_code", "sha256": "e61c872db1f4dd0e2bd45f29cf69ac6d4cf988831fa0e87b9a94e537e6e57509", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "refund_closed", "sha256": "fe630a72e039e052c92ca6e42a8282b08c768709c8a47eea57ae9effa02d5f52", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "refund_closing", "sha256": "00109c0720c80bb31dd2d52231ce16cdf166114984ec9128c294e779889ec6f5", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "release_idempotency_key", "sha256": "e56a4602e4c3c9b57aff7cbf69cf2b9122c0d4d918e75b50bfbf21292fe1b5ba", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "release_leases", "sha256": "8c3d124bd45a44850976e84f114000a5ed2b41d4deee8bf77a594ffc5f7371b4", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "renew_limits", "sha256": "e5700f503bf72c33509e577f4d366d976d13e51a4edfb86830a5df89372b94f3", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "require_live_epoch", "sha256": "3e5da93147671fa3f440e4f056252eab78b6fcba7219ba84471c212050703413", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "returned_credit", "sha256": "c1f9136461e5ae9c2b27c3f01163c9db9505cd66503e04bafa4fc7e548dcd0dc", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "served_limit", "sha256": "11a94a8dda59c67e09ed76a2d26cead2c28e077761a450c5faab11f90e8dd25e", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "set_member_limit", "sha256": "45439700faea49f59ccfa6d76baf493e02a1629597486b8af2e25e39ebf423d3", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "settle_late_receipts", "sha256": "5ee6ad8d54e3c2a01ba99a652435a3675c29650e2419d29ef095a792a51e09d8", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "settle_receipts", "sha256": "2f24868422840406282c50ea6985627e933c6ebc16867976579d35bb579720ec", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "settle_receipts_again", "sha256": "63ac70acc22c08f81f0ec74ab5cd98a565aad04f78d7671ea0d35c141cf71b4f", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "share_posting", "sha256": "b5968eda44df69cdb6b96710a6e63e0b79b9adecef64f41a5b46d92eb13ae5bb", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "take_free_answer", "sha256": "d0fc54a4234993d238997ae0dedc1dcf359f736c4d6b3c23deafbea663a114db", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "take_from_grants", "sha256": "a0d836bfe4608df68837acaf9ff9b53206b7abfd6079f2231389aeb2c9e55c26", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "update_key", "sha256": "bdb5b02333dc404beeabf10a4dbee1c5b708c29d3248b8ab6be1629dfc9a755f", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "update_project", "sha256": "52fdce09ac84bc85e37eeae6733a478f7285d8754fcb29db5dcd105540dba260", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "wait_briefly", "sha256": "222abab4027de312fcb28d7e7057d294e6099ec3d7ab10e3fd1e6c5eef934511", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0001_baseline", "sha256": "ebb659db4c12027da2ea3b5b70af0970e6dfd4c46ac4edb12d7b31bf8de53788", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0002_receipts_name_their_transaction", "sha256": "d89660b1112dceabefd3d835a0d2a86e825640738aad3236387ded5bc5c3fe65", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0003_audit_events", "sha256": "2d6de6c1ecf24deaf1b15d38f9d1805dbf2602fd6d8221a5b23a64aaefcd8de9", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0004_receipts_name_their_route", "sha256": "647a98b35b43368fe220ad736d91af073fe33c3d9b63267ef2d55aa2654d064c", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0005_alerts", "sha256": "4687662bea793a337483b4a659498c0debb0abd9ca38d7203159790a7a3272cf", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0006_identity", "sha256": "3aab94dd61f9f0fbd5f3127e63a8713558da21e16e8477d1b698befda74a17b1", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0007_payments", "sha256": "0f4bc319c797e84bdd869c6456f439429d9627eecbc7508377545df3a2ae40e4", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0008_usage", "sha256": "f096f3615f57b9b6ca1a3e256f2491d5b6ea045f7fe4d5b29726db31161a9a8d", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0009_resource_lives", "sha256": "720823a00cc8c54ac661c5f590be3b61a6f9077961e842fe805a12d82478b47f", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0010_workspace_prices", "sha256": "4f16867aac15717f2353557be32c31680888715a035081df8899c7fc8942305c", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0011_stopped_top_ups", "sha256": "a0288135fb604a9e843fd206d64e85142484f74475e9bfcb56fb3c0a5ca6aae4", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0012_refusals", "sha256": "4e45136f989938863c15b2ad5d6094131b1162a539791064e246f0bf3307b57b", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0013_last_uses", "sha256": "4d0dcf3a705cce5c129838c24c12569420fbc27a4bd732f9d4fa9292182872e0", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0014_provider_costs", "sha256": "5d0d9a4f1c73e5f99df821c1c5ddb50b22ddf1dc330b9dafca692710fdc9a8b5", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0015_console_keys", "sha256": "dafb5035af02c9e1ea243ae3afa0a3a7176ae8938e91cd6255d286ca3bbff749", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0016_usage_by_member", "sha256": "338f3ce2e3765d2a443389635bbf9cf88f48c4e2f1bc8db44650406aef1e1b3f", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0017_receipts_have_extras", "sha256": "f8912e4a25f8bf604e0fe52a7b1f40c6242b9240aa929457ee885ce9db3b9142", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0018_stored_responses", "sha256": "089a16ba83117860f47db3e163ec2da917e4054baf0fa27cf2017494a1613498", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0019_stored_response_bytes", "sha256": "00e42557b020fd1e8b061977f60c86c094ff7a7eae42068a96f09055b8cd9e78", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0020_fees", "sha256": "60f348b631539ea4e196995c93e66ce37d67570915d0b1ce486408af7f64afcb", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0021_links_name_their_makers", "sha256": "f5d2b319d1e10f03ecf63dd0979cfac80f822146dfe677c20b36801db4eb7a91", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0022_encrypted_secrets", "sha256": "7268d4770c89485bcc0349269ea76072fe8e514cef89338b5529ca36a66cc838", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0023_sign_in_networks", "sha256": "6c338250b62c39fa2efaf31be534c45f0137aacb5c6cfa984db3b5499c91038c", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0024_tokens_for_backups", "sha256": "e109c654df97b2d75a88746e6addeb1de611687704a23f1bae4e8d25fbf0c34f", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0025_member_keys_are_bounded", "sha256": "11399c572511730e5020fa14975652ba923f075c32f8148cdde39f55fcab45f3", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0026_projects_report_costs", "sha256": "e90c21368f1e811534b28c0a37b41fcde0c57c7f7245da6b645a5f92a33609f5", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0027_encrypted_responses", "sha256": "710a774743c244631da09e74b7c9c2bd8f9185a9f91fa4a7e373dc99fd113b8f", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0028_leases_in_use", "sha256": "6fc8c255cb726234369265c8c8aaf7834e8f7726dd4d3460ebb9d369c13d667c", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0029_audit_chains", "sha256": "4ffd1e8c25941754f5be0e97b93013ea469179f4c683c8d621f30e8c4c3f4803", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0030_workspace_access", "sha256": "42da6b588046e42a04a5ca1faada4d50738a09ee76808c5adf8ebc734aad4663", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0031_directories", "sha256": "9ddb5cb2e5bf4c647d8b208fcb04b9b0fa5cf429f3bd9581633601228355d4b4", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0032_sinks", "sha256": "fbf9d7983c467e655282bc20a0bc83a23f222dbfa0b1178d0917bf85b7c31ea9", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0033_retention", "sha256": "09db4c608d13efd70a72104cb189979e615c1cffaa4b6a1d5973a88f0241acee", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0034_passkeys", "sha256": "a114600eb3b68f0cea286f9b6216ceda77a4faf85eddac94a1316ef29ab73a5b", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0035_shards", "sha256": "0f4ef75f979be715bd986164c20db895785a1e5f05ff08cdcac0787f0b1b127b", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0036_member_limits", "sha256": "71262be8a606b667238ed82bca237936dafa5f79810aa132c28ed0a5c29d5cea", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0037_route_hours", "sha256": "bc1ecc006ce3786120cfa6773802cf5f1e80ae9df839e837492dc3a3c1ad301f", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0038_member_role", "sha256": "06a782bcc373b7b4e870204b8b80d4bac3d600d4874a0e97748df8382cfba5d7", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0039_service_tiers", "sha256": "33705f5fe74c4fc81b96992abc2da954c7c3caeae34c0ca9caa4766c10683f1c", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0040_offer_declarations", "sha256": "7622d46c88d3c9becf371f228b8957406932c0809a77fb2d14bc4efa4d541133", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0041_colleagues", "sha256": "5d54cca08bc8c73486ea47333fea070eb89511b25b007f9bb66ee622b84c7632", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0042_requested_models", "sha256": "7e690b53e057284c02dab29a95d6cfc3c16694d2358eb82d4a5d967d83291a42", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0043_owner_suspensions", "sha256": "9164b1dc17c8e783adf8d8021fbe1f07df576223bd96186ad4a79278ed10006d", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0049_expiring_credit", "sha256": "bb569632de3d7331885add358d4030f9dc9633439569c0bf86e14ad6fdbcad96", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0050_raised_limits", "sha256": "3b6d310f75de9651bd3aaa299ec2f08ef6e9f47b39842c60e2d1b32eedbce716", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0051_served_limits", "sha256": "3fdfbbee184036703a26fa37b7ed258057d6062b747211769837f57084eba032", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0052_billing_parties", "sha256": "eb9d90e4a37b738535f1450a5b493e69c07b21c56d8ef3769027c162315aedcb", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0053_default_alerts", "sha256": "8f32d56a68f696c9ac2ae1f6a217ba7e058658c8e5bada0c263b100c91ab4f09", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0054_models_when_spent", "sha256": "b33fdb53e55210f8428e1c716e7e694360390a3aec719c5540adaab44928f647", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0055_payment_tax", "sha256": "fa06f92fac6182b59702f977d3d5afcc1a697cf3917ef6307bdfaa810433d7f6", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0056_alert_kinds", "sha256": "4ce57a0e9982d73cf53e16a79fb5d80dffc848cc0d4d76f4e28563ee3cc2ff58", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0057_cells", "sha256": "7f5a337842f1c585df4f5286efe85411d8b2ee2014e757a582697c1f7c615752", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0059_end_user_limits", "sha256": "ad31936066f1ffd95913e491a7c13abae90e7ce358393c8cd55c3f073e262118", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0060_alerts_of_served", "sha256": "f528141e0067d55cbd380309e57608d8f8c417176a2a4a17c05b8ca94b3215de", "applied_at": "2026-11-29T13:04:34.810338+00:00"}');
insert into schema_programs overriding system value select * from jsonb_populate_record(null::schema_programs, '{"digest": "77147ae11ba6aedd4dcc50d7529bfad5e20b2367c6ccf451f60988048a9d9a37", "version": "0.2.0"}');
insert into schema_programs overriding system value select * from jsonb_populate_record(null::schema_programs, '{"digest": "f3e88740da2f7dd6223d37ebdb332691718e49f229a0285e779b5f76c97d2770", "version": "0.2.0"}');

CREATE TRIGGER receipts_sealed BEFORE INSERT OR DELETE OR UPDATE ON public.receipts_2026_w23 FOR EACH ROW EXECUTE FUNCTION receipts_are_sealed();
select setval('changes_id_seq', 58);
select setval('fresh_ids', 32);
select setval('ledger_postings_number_seq', 11);
select setval('ledger_verifications_id_seq', 1);
select setval('quarantined_receipts_id_seq', 1);
