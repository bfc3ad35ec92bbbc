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
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd)
    values (p.workspace_id, 'project', p.id, p.budget_period, v_start, v_end, p.budget_nano_usd)
    on conflict (workspace_id, kind, subject_id, period, window_start)
      do update set limit_nano_usd = excluded.limit_nano_usd
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
  p_reference text, p_amount bigint, p_currency text, p_customer text, p_failure text,
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
    perform pg_advisory_xact_lock(hashtextextended(p_provider || ' ' || p_payment, 4611220105103830));
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
      t, p_provider, p_fact, p_payment, p_workspace, p_origin, p_amount, p_currency);
    if outcome = 'applied' then
      perform move_top_up(t, p_fact, p_payment, p_customer, p_failure);
    end if;
  end if;
  top_up := t.id;
  workspace := coalesce(t.workspace_id, (select w.id from workspaces w where w.id = p_workspace));
  update payment_events e set outcome = apply_payment_fact.outcome, detail = apply_payment_fact.detail,
      workspace_id = workspace, top_up_id = top_up
    where e.provider = p_provider and e.id = p_event;
end $$;

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
-- paid, fee included, and what of it is still in the credit. The fee goes back last.
create or replace function closed_payments() returns table (
  workspace_id uuid, workspace_name text, top_up_id uuid, provider text, paid_nano_usd bigint, credit_nano_usd bigint,
  paid_at timestamptz
) language sql stable as $$
  select w.id, w.name, t.id, t.provider, t.amount_nano_usd + t.fee_nano_usd, greatest(0, t.amount_nano_usd - returned.amount),
    q.posted_at
  from workspaces w
  join top_ups t on t.workspace_id = w.id and t.state = 'paid' and t.payment_reference is not null
  join ledger_postings q on q.workspace_id = w.id and q.id = t.posting_id and q.posted_at > w.archived_at
  cross join lateral (
    select coalesce(sum(r.amount_nano_usd), 0)::bigint as amount from payment_reversals r
    where r.workspace_id = w.id and r.top_up_id = t.id and r.counted
  ) returned
  where w.archived_at is not null and t.amount_nano_usd + t.fee_nano_usd > returned.amount
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
      'sequence', d.sequence::text
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
  out principals json, out leases json, out permits json
) language plpgsql as $$
begin
  select l.principals, l.leases, l.permits into principals, leases, permits
    from look_up_keys(
      p_epoch, p_secrets, p_periods, p_starts, p_ends, p_sequence, p_ahead, p_permit_sequence, p_tokens
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
-- project's and the key's purse that the receipt charged, and in the buckets of usage that it is counted in, or will be.
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
  -- Before any purse is locked: what counts receipts holds it for moments. See src/usage/folding.ts.
  perform pg_advisory_xact_lock(4611220105103825);
  select charge_nano_usd as charge, hold_nano_usd as hold, credit_purse_id as credit,
      array[project_purse_id, key_purse_id] as purses
    into strict v_receipt from receipts where workspace_id = p_workspace and request_id = p_request;
  if p_charge < 0 or p_charge > v_receipt.hold then
    raise exception 'a request is charged from nothing to what it held' using errcode = 'check_violation';
  end if;
  perform from purses where id = any (v_receipt.purses || v_receipt.credit::bigint) order by id for no key update;
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
      where id = any (v_receipt.purses);
    insert into changes (kind, subject_id) select 'purse', purse::text from unnest(v_receipt.purses) as purse;
    perform correct_usage(p_workspace, p_request, (r.posting).amount_nano_usd);
  end if;
  return r;
end $$;

-- Counts the correction of a receipt in all buckets that the receipt is in, or will be once it is counted. Buckets are
-- described in src/usage/.
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
-- A new lease is written once its purse is locked, so that no two transactions ever wait for each other with it. The
-- requests come as `find_purses` returns them.
create or replace function draw(p_epoch bigint, p_requests draw_request[], p_waits boolean)
returns table (
  ordinal integer, subject_id uuid, purse_id bigint, limit_nano_usd bigint, spent_by_others_nano_usd bigint,
  available_nano_usd bigint, granted_nano_usd bigint, open boolean, mode text, sequence bigint
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
    end if;
    perform open_purses(v_requests);
    v_requests := find_purses(p_requests);
    foreach v_request in array v_requests loop
      exit when v_request.purse is not null;
      if not exists (
        select from keys k
        where v_request.kind = 'key' and k.id = v_request.subject_id and (k.workspace_id = v_request.workspace_id) is true
      ) and not exists (
        select from projects x
        where v_request.kind = 'project' and x.id = v_request.subject_id and (x.workspace_id = v_request.workspace_id) is true
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

  -- What is owed counts as spent, what corrections gave back does not. (This is not written back.)
  for r in
    select q.ordinal, q.subject_id, q.purse, q.sequence, q.keep, q.slack, q.needs, q.ahead, q.is_first,
      coalesce(l.granted_nano_usd, 0) as granted, coalesce(l.charged_nano_usd, 0) as charged,
      coalesce(l.open, false) as is_open, coalesce(l.sequence, 0) as lease_sequence,
      p.limit_nano_usd as purse_limit, p.spent_nano_usd + p.owed_nano_usd - p.corrected_nano_usd as spent,
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
    sequence := case when v_applies then r.sequence else r.lease_sequence end;
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
  granted_nano_usd bigint, open boolean, mode text, sequence bigint
) language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  return query select
    d.ordinal, d.purse_id, d.limit_nano_usd, d.spent_by_others_nano_usd, d.available_nano_usd, d.granted_nano_usd,
    d.open, d.mode, d.sequence
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
-- row: the key is unknown, disabled or revoked, or its project or workspace is archived or being closed.
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
  suspension_reason text
)
language plpgsql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    select (q.number - 1)::integer, k.workspace_id, k.project_id, k.id, p.models, k.models,
      (extract(epoch from least(k.expires_at, k.secret_expires_at)) * 1000)::double precision,
      p.requests_per_minute::bigint, p.tokens_per_minute, p.concurrency::bigint, p.budget_period,
      p.reports_cost, w.suspension_reason
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
    -- Apart, so that no index of what is not archived is read from end to end for it.
    where k.revoked_at is null and k.disabled_at is null and p.archived_at is null and w.archived_at is null
      and w.closing_at is null;
end $$;

-- The requests with the ids of their purses, in the order in which leases and purses are locked.
create or replace function find_purses(p_requests draw_request[]) returns draw_request[]
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

-- The items of a response and of those that it goes on from, the oldest first, in pieces. No row: there is no such response.
-- Pieces are null if all together are longer than p_bytes_max, or more than p_depth_max. The first row names a previous
-- response if that is gone.
create or replace function find_response_chain(
  p_workspace uuid, p_response text, p_bytes_max bigint, p_depth_max integer
) returns table (
  request_id uuid, previous_request_id uuid, input_length integer, encrypted boolean, piece bytea
)
language sql stable set enable_seqscan = off as $$
  with recursive chain as (
    (
      select r.request_id, r.previous_request_id, 1 as depth, octet_length(r.items)::bigint as bytes
      from stored_responses r
      where r.workspace_id = p_workspace and r.response_id = p_response and r.expires_at > now()
      order by r.request_id desc limit 1
    )
    union all
    select r.request_id, r.previous_request_id, c.depth + 1, c.bytes + octet_length(r.items)
    from chain c
    join stored_responses r
      on r.request_id = c.previous_request_id and r.workspace_id = p_workspace and r.expires_at > now()
    where c.bytes <= p_bytes_max and c.depth <= p_depth_max
  )
  select c.request_id, c.previous_request_id, r.input_length, r.encrypted, substring(r.items from p.at + 1 for 262144)
  from chain c
  join stored_responses r on r.request_id = c.request_id
  left join lateral generate_series(0, octet_length(r.items) - 1, 262144) as p (at)
    on (select max(bytes) <= p_bytes_max and max(depth) <= p_depth_max from chain)
  order by c.depth desc, p.at
$$;

-- The items that a response was made from, in pieces: those of the responses that it goes on from, as far as they are still
-- stored, the oldest first, then its request's own. No row: there is no such response. Pieces are null if all together are
-- longer than p_bytes_max, or more than p_depth_max.
create or replace function find_response_input(
  p_workspace uuid, p_response text, p_bytes_max bigint, p_depth_max integer
) returns table (
  request_id uuid, is_too_large boolean, input_length integer, encrypted boolean, piece bytea
)
language sql stable set enable_seqscan = off as $$
  with recursive chain as (
    (
      select r.request_id, r.previous_request_id, 1 as depth, r.input_length as length, r.input_length::bigint as bytes
      from stored_responses r
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
  select c.request_id, fit.is_too_large, r.input_length, r.encrypted, substring(r.items from p.at + 1 for least(262144, c.length - p.at))
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
) language sql stable set enable_seqscan = off as $$
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

-- The purses that a receipt charges, credit first; null for one that is not there.
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
  ]
$$;

-- The receipts of one statement as rows.
create or replace function late_receipts(p_receipts jsonb) returns setof late_receipt language sql stable as $$
  select * from jsonb_populate_recordset(null::late_receipt, p_receipts)
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

-- Lowers the limits of a project's keys to the one given, of those that members with one of these roles have made, and returns
-- how many were above it. The new limit holds in the month that runs now.
create or replace function limit_member_keys(p_workspace uuid, p_project uuid, p_limit bigint, p_roles text[])
returns bigint language plpgsql as $$
declare
  v_keys uuid[];
begin
  perform bound_transaction('30s');
  select array_agg(id) into v_keys from (
    select k.id from keys k join members m on m.workspace_id = k.workspace_id and m.user_id = k.created_by
    where k.workspace_id = p_workspace and k.project_id = p_project and k.revoked_at is null and m.role = any (p_roles)
      and (k.spend_limit_nano_usd is null or k.spend_limit_nano_usd > p_limit)
    order by k.id for no key update of k
  ) above;
  if v_keys is null then
    return 0;
  end if;
  update keys set spend_limit_nano_usd = p_limit where workspace_id = p_workspace and id = any (v_keys);
  -- In the order of draws, and with the project's, which the caller may change next.
  perform 1 from purses
    where workspace_id = p_workspace
      and (kind = 'project' and subject_id = p_project or kind = 'key' and subject_id = any (v_keys))
      and (window_end is null or window_end > clock_timestamp())
    order by id for no key update;
  with purse as (
    update purses set limit_nano_usd = p_limit
    where workspace_id = p_workspace and kind = 'key' and subject_id = any (v_keys) and period = 'month'
      and window_start = date_trunc('month', clock_timestamp(), 'UTC')
    returning id
  )
  insert into changes (kind, subject_id) select 'purse', id::text from purse;
  insert into changes (kind, subject_id) select 'key', id::text from unnest(v_keys) as key (id);
  return cardinality(v_keys);
end $$;

-- Locks claims in the order of their keys, so that two batches never wait for each other.
create or replace function lock_claims(p_workspace uuid[], p_key uuid[], p_idempotency_key text[]) returns void language sql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select from idempotent_requests i
    join unnest(p_workspace, p_key, p_idempotency_key) as q (workspace, key, idempotency_key)
      on i.workspace_id = q.workspace and i.key_id = q.key and i.idempotency_key = q.idempotency_key
    order by i.workspace_id, i.key_id, i.idempotency_key
    for update of i
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
-- draws nothing and locks nothing. What another transaction has locked is drawn later, like any purse that the epoch has
-- no lease of.
--   p_periods, p_starts, p_ends     the current windows, as the process sees them
--   p_sequence, p_ahead             of the draws of purses
--   p_permit_sequence, p_tokens     of the draws of permits: a request, a place and so many tokens for each key, and once
--                                   more, so that the first request leaves as much as it takes
-- Sent again under the same numbers it returns the same draws.
create or replace function look_up_keys(
  p_epoch bigint, p_secrets bytea[],
  p_periods text[], p_starts timestamptz[], p_ends timestamptz[],
  p_sequence bigint, p_ahead bigint, p_permit_sequence bigint, p_tokens bigint
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
  passed as (
    select workspace_id, 'credit' as kind, workspace_id as subject_id, 'never' as period from found
    union select workspace_id, 'project', project_id, budget_period from found
    union select workspace_id, 'key', key_id, 'month' from found
  ),
  limited as (
    select q.*, row_number() over () - 1 as ordinal
    from (
      select workspace_id, project_id, count(*) + 1 as most from found
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
        p_sequence, 0, 0, '{}'::bigint[], p_ahead, true, null
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
        'sequence', d.sequence::text
      )) into leases
      from draw(p_epoch, v_purses, false) d;
  end if;
  return next;
end $$;

-- Compares what a provider reports of a top-up with its row, which the caller has locked.
create or replace function match_payment(
  t top_ups, p_provider text, p_fact text, p_payment text, p_workspace uuid, p_origin text, p_amount bigint,
  p_currency text, out outcome text, out detail text
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
  elsif p_amount is distinct from t.amount_nano_usd + t.fee_nano_usd then
    detail := format('%s nano-USD were paid and not %s', p_amount, t.amount_nano_usd + t.fee_nano_usd);
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
  update top_ups set state = p_fact, updated_at = now(),
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
-- transaction ends. See src/usage/folding.ts.
create or replace function next_cost_time() returns timestamptz language plpgsql as $$
begin
  perform pg_advisory_xact_lock(4611220105103825);
  return greatest(
    clock_timestamp(),
    (select max(last_used_at) from usage_keys) + interval '1 microsecond',
    (select max(created_at) from cost_versions) + interval '1 microsecond');
end $$;

-- Opens the purses that don't exist yet, except those that another transaction is opening or changing the limit of: the
-- lock makes such a change either visible here or wait for the new row.
create or replace function open_purses(p_requests draw_request[]) returns void
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
      for no key update skip locked
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
      for no key update skip locked
    ) s
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
-- too, so a posting comes before it, or sees it.
create or replace function post_credit(
  p_id uuid, p_workspace uuid, p_kind text, p_amount bigint, p_actor text, p_reason text, p_once text, p_receipt uuid,
  p_is_reported boolean default false
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
          and (r.posting).receipt_request_id is not distinct from p_receipt then 'repeated'
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
      (case p_kind when 'grant' then 'promotions' when 'adjustment' then 'adjustments' else 'payments' end, -p_amount)
    ) as entry (account, amount) where amount <> 0;
  update purses set limit_nano_usd = limit_nano_usd + v_credit, owed_nano_usd = owed_nano_usd - v_owed where id = p.id;
  insert into changes (kind, subject_id) values ('purse', p.id::text);
  select q into r.posting from postings q where q.id = p_id;
  return r;
end $$;

-- Posts what the refunds and disputes of a payment have changed since the last time. Together they take what goes back to
-- the payer, at most the payment's credit: the fee goes back last. The caller has locked the paid top-up.
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
    v_delta := least(v_before, t.amount_nano_usd) - least(v_after, t.amount_nano_usd);
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
-- admitted, rounded up to one nano-USD. No row if it is not known; a use without a known fee costs nothing. The planner puts the body in the place of the call, so
-- that many receipts are joined with costs in one step.
create or replace function receipt_cost(
  p_model text, p_provider text, p_upstream_model text, p_admitted_at timestamptz, p_input integer, p_cached_input integer,
  p_cache_write_5m integer, p_cache_write_1h integer, p_audio_input integer, p_output integer, p_audio_output integer,
  p_uses jsonb default null
) returns table (cost_nano_usd bigint) language sql stable as $$
  select div(
      p_input::numeric * input_rate + p_cached_input::numeric * cached_input_rate
      + p_cache_write_5m::numeric * cache_write_5m_rate + p_cache_write_1h::numeric * cache_write_1h_rate
      + p_audio_input::numeric * audio_input_rate + p_output::numeric * output_rate
      + p_audio_output::numeric * audio_output_rate + 999999
      + case when p_uses is null or fees is null then 0 else 1000000 * coalesce((
          select sum(number::numeric * (fees ->> use)::numeric) from jsonb_each_text(p_uses) as used (use, number)
        ), 0) end,
      1000000)::bigint
  from cost_versions
  where model = p_model and provider = p_provider and upstream_model = p_upstream_model
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

-- Inserts receipts whose leases or claims are gone, once each: takes what is available in all three purses and writes off
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
        limit_nano_usd - spent_nano_usd - leased_nano_usd - owed_nano_usd + corrected_nano_usd
          - (select coalesce(sum(charged_nano_usd), 0) from leases l where l.purse_id = p.id and l.open)
      ) into v_free
      from purses p where id = any (r.purses);
    v_taken := case when v_superseded_by is null then least(r.charge, greatest(0, v_free)) else 0 end;
    update purses set spent_nano_usd = spent_nano_usd + v_taken where id = any (r.purses);
    insert into receipts (
      workspace_id, request_id, project_id, key_id, epoch_id,
      credit_purse_id, project_purse_id, key_purse_id,
      dialect, model, price_version_id, outcome,
      charge_nano_usd, hold_nano_usd, write_off_nano_usd, fees_nano_usd, usage_certainty,
      input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
      audio_input_tokens, output_tokens, audio_output_tokens,
      shortened_to_tokens, streamed, admitted_at, duration_ms, first_event_ms,
      provider, upstream_model, attempt_ms, attempts, client_request_id, late, superseded_by,
      session, left_out, retry, uses
    ) values (
      r.workspace, r.request, r.project, r.key, p_epoch,
      r.purses[1], r.purses[2], r.purses[3],
      r.dialect, r.model, r.price_version, r.outcome,
      v_taken, r.hold, r.write_off + r.charge - v_taken, r.fees, r.certainty,
      r.input, r.cached_input, r.cache_write_5m, r.cache_write_1h,
      r.audio_input, r.output, r.audio_output,
      r.shortened, r.streamed, to_timestamp(r.admitted_ms / 1000), r.duration_ms, r.first_event_ms,
      r.provider, r.upstream_model, r.attempt_ms, r.attempts, r.client_request, true, v_superseded_by,
      r.extras ->> 'session', (r.extras ->> 'left_out')::text[], (r.extras ->> 'retry')::boolean,
      r.extras -> 'uses'
    );
  end loop;
end $$;

-- Settles a batch: charges the leases and inserts the receipts. Each parameter, and each statement that an executor
-- prepares, costs as much as some receipts. So numbers come in one matrix, and each lease's sum comes with the batch; the
-- lease is locked by being charged, not before. Its lock is waited for briefly: the sender of a batch then sends its halves.
--   p_purses, p_amounts     the purses whose leases are charged, in ascending order, which is that of locks; and the sums
--   p_context_ids           a row for each context, counted from one: workspace, project, key
--   p_context_numbers       likewise: purse of the credit, of the project, of the key, version of the price
--   p_context_texts         likewise: model, provider and upstream model of the last attempt
--   p_requests, p_charges   an element for each receipt
--   p_numbers               a row for each receipt: context, hold, write-off, admitted (µs since 1970), duration and first
--                           event (ms), tokens of input, cached input, cache writes of 5 minutes and of an hour, audio
--                           input, output, audio output, the cap it was shortened to, streamed, outcome, certainty,
--                           dialect, fees, duration of the last attempt (ms); a negative number stands for none
--   p_attempts              an element for each receipt, null if its columns say as much; or nothing if none has more
--   p_client_requests       an element for each receipt, or nothing if no receipt has one
--   p_extras                what few receipts say, an object for each that says some of it, with the keys session, left_out,
--                           retry and uses; left out if no receipt does
-- It doesn't check for receipts that are there already, because that took a sixth of the whole: a batch that was sent
-- before violates the receipts' key, and is sent to settle_receipts_again. A lease that is gone raises FG002, also where
-- nothing is charged: its purse may be gone with it.
create or replace function settle_receipts(
  p_epoch bigint, p_purses bigint[], p_amounts bigint[],
  p_context_ids uuid[], p_context_numbers bigint[], p_context_texts text[],
  p_requests uuid[], p_charges bigint[], p_numbers bigint[], p_attempts jsonb[], p_client_requests text[],
  p_extras jsonb[] default '{}'
) returns void language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_charged bigint;
begin
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
    credit_purse_id, project_purse_id, key_purse_id,
    dialect, model, price_version_id, outcome,
    charge_nano_usd, hold_nano_usd, write_off_nano_usd, fees_nano_usd, usage_certainty,
    input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
    audio_input_tokens, output_tokens, audio_output_tokens,
    shortened_to_tokens, streamed, admitted_at, duration_ms, first_event_ms,
    provider, upstream_model, attempt_ms, attempts, client_request_id,
    session, left_out, retry, uses
  )
  select
    p_context_ids[context][1], p_requests[i], p_context_ids[context][2], p_context_ids[context][3],
    p_epoch,
    p_context_numbers[context][1], p_context_numbers[context][2], p_context_numbers[context][3],
    (array['chat_completions', 'embeddings', 'messages', 'responses', 'completions'])[p_numbers[i][18]],
    p_context_texts[context][1],
    p_context_numbers[context][4], (array['completed', 'interrupted', 'abandoned', 'failed'])[p_numbers[i][16]],
    p_charges[i], p_numbers[i][2], p_numbers[i][3], p_numbers[i][19], (array['exact', 'estimated'])[p_numbers[i][17]],
    p_numbers[i][7], p_numbers[i][8], p_numbers[i][9], p_numbers[i][10],
    p_numbers[i][11], p_numbers[i][12], p_numbers[i][13],
    nullif(p_numbers[i][14], -1), p_numbers[i][15] = 1, to_timestamp(p_numbers[i][4] / 1e6::double precision),
    p_numbers[i][5], nullif(p_numbers[i][6], -1),
    p_context_texts[context][2], p_context_texts[context][3], nullif(p_numbers[i][20], -1),
    p_attempts[i], p_client_requests[i],
    extras ->> 'session', (extras ->> 'left_out')::text[], (extras ->> 'retry')::boolean, extras -> 'uses'
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
      from unnest(v_new) as i cross join generate_series(1, 3) as level group by 1
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

-- Changes the given columns of a workspace's key and leaves the others; no row if there is no such key. A new limit holds in
-- the month that runs now.
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
    expires_at = k.expires_at, disabled_at = k.disabled_at, metadata = k.metadata
    where workspace_id = p_workspace and id = p_key returning * into k;
  if p_given ? 'spend_limit_nano_usd' then
    with purse as (
      update purses set limit_nano_usd = k.spend_limit_nano_usd
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
    reports_cost = p.reports_cost
    where workspace_id = p_workspace and id = p_project returning * into p;
  if p_given ?| array['budget_nano_usd', 'budget_period'] then
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

create table receipts_2026_w22 partition of receipts FOR VALUES FROM ('019e5c6e-6800-0000-0000-000000000000') TO ('019e807a-ec00-0000-0000-000000000000');
create table receipts_2026_w48 partition of receipts FOR VALUES FROM ('01a205b3-d000-0000-0000-000000000000') TO ('01a229c0-5400-0000-0000-000000000000');
create table receipts_2026_w49 partition of receipts FOR VALUES FROM ('01a229c0-5400-0000-0000-000000000000') TO ('01a24dcc-d800-0000-0000-000000000000');
create table receipts_2026_w50 partition of receipts FOR VALUES FROM ('01a24dcc-d800-0000-0000-000000000000') TO ('01a271d9-5c00-0000-0000-000000000000');

insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a2093e-4442-7ea1-9cc8-378f95a6bf3b", "name": "A user", "email": "owner@example.com", "version": 1, "created_at": "2026-11-23T16:30:05.378362+00:00", "disabled_at": null, "is_operator": true, "password_hash": "$argon2id$v=19$m=64,t=1,p=1$wBV2Kcdl73thettb5Zow+Q$hEjxgJNIIl0eFmYVZBnx0AVqvRNmEgVIkoSHYmAd29o", "email_verified_at": null}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a2093e-4459-7770-895f-a07e0bbaf60b", "name": "A user", "email": "second@example.com", "version": 1, "created_at": "2026-11-23T16:30:05.400938+00:00", "disabled_at": null, "is_operator": false, "password_hash": null, "email_verified_at": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a2093e-42c1-7257-816e-3e794f765031", "name": "workspace 3c2dda52-f7b9-4cf6-8449-a8fc59291813", "version": 1, "closing_at": null, "created_at": "2026-11-23T16:30:04.992763+00:00", "archived_at": null, "suspended_at": null, "suspension_reason": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a2093e-43b3-747e-a6ef-3abfc39908be", "name": "workspace 4c5f1dd6-84b9-4900-85c0-0b3ae00b0ca8", "version": 1, "closing_at": null, "created_at": "2026-11-23T16:30:05.23497+00:00", "archived_at": null, "suspended_at": null, "suspension_reason": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a2093e-4519-713b-90f4-b6ff9a3f4776", "name": "workspace 82ce2811-80a4-425b-8454-33ec41cad30f", "version": 2, "closing_at": null, "created_at": "2026-11-23T16:30:05.593519+00:00", "archived_at": null, "suspended_at": "2026-11-23T16:30:05.638575+00:00", "suspension_reason": "unpaid"}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a2093e-4525-7f21-9014-3ac210d5eda4", "name": "workspace 6daf71c0-41f1-41e1-a6fb-ac19e3965e4c", "version": 2, "closing_at": "2026-11-23T16:30:05.644707+00:00", "created_at": "2026-11-23T16:30:05.605464+00:00", "archived_at": null, "suspended_at": null, "suspension_reason": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a2093e-45ea-7bae-a907-b8425b4e8d49", "name": "archived", "version": 2, "closing_at": null, "created_at": "2026-11-23T16:30:05.802694+00:00", "archived_at": "2026-11-23T16:30:05.807789+00:00", "suspended_at": null, "suspension_reason": null}');
insert into members overriding system value select * from jsonb_populate_record(null::members, '{"role": "owner", "user_id": "01a2093e-4442-7ea1-9cc8-378f95a6bf3b", "version": 1, "created_at": "2026-11-23T16:30:05.378362+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into members overriding system value select * from jsonb_populate_record(null::members, '{"role": "owner", "user_id": "01a2093e-4459-7770-895f-a07e0bbaf60b", "version": 1, "created_at": "2026-11-23T16:30:05.400938+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into access_tokens overriding system value select * from jsonb_populate_record(null::access_tokens, '{"id": "01a2093e-4452-752d-8ad3-4cc93b007ea2", "name": "ci", "scopes": ["keys:read"], "user_id": "01a2093e-4442-7ea1-9cc8-378f95a6bf3b", "last_four": "E3As", "created_at": "2026-11-23T16:30:05.394454+00:00", "expires_at": "2026-11-24T16:30:05.394+00:00", "revoked_at": null, "last_used_at": null, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "secret_sha256": "\\x32da4671d2575a6edbe64f81076c4706f9aa05e9de265b35e89020e046eb9d7d"}');
insert into access_tokens overriding system value select * from jsonb_populate_record(null::access_tokens, '{"id": "01a2093e-445a-722a-8c4d-999ecd68de99", "name": "staff", "scopes": ["members:write", "owners:write"], "user_id": "01a2093e-4459-7770-895f-a07e0bbaf60b", "last_four": "VetW", "created_at": "2026-11-23T16:30:05.402727+00:00", "expires_at": "2026-11-24T16:30:05.402+00:00", "revoked_at": null, "last_used_at": "2026-11-23T16:30:05.405071+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "secret_sha256": "\\x3d7d119b35149f93337bb2c61fd28dfd02018f7bf2ba3e4859e1c4cb9bbbc0af"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2093e-4479-71ea-8ae1-d942c3add741", "kind": "provider_key_refused", "name": "Provider refuses its API key", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-23T16:30:05.431468+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "00000000-0000-0000-0000-000000000000"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2093e-4479-721c-9ddc-926e3cab4d84", "kind": "payment_after_closing", "name": "Payment for a closed workspace", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-23T16:30:05.431468+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "00000000-0000-0000-0000-000000000000"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2093e-4479-748e-91b6-26661c70eab9", "kind": "ledger_difference", "name": "Ledger does not add up", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-23T16:30:05.431468+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "00000000-0000-0000-0000-000000000000"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2093e-4471-710d-92b3-47a42f18d59a", "kind": "balance_below", "name": "much", "enabled": true, "mail_to": ["ops@example.com"], "version": 1, "threshold": 1000000000000, "created_at": "2026-11-23T16:30:05.425012+00:00", "mail_roles": ["owner"], "subject_id": null, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2093e-4480-729c-bc10-4e87e2f44bc7", "kind": "project_budget", "name": "Project budget used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-23T16:30:05.438766+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2093e-4480-7b26-9fe7-b0a692630aff", "kind": "project_budget", "name": "Project budget used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-23T16:30:05.438766+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2093e-4480-7ba6-bd0a-23b506ff3ca2", "kind": "auto_top_up_stopped", "name": "Automatic top-ups have stopped", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-23T16:30:05.438766+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2093e-4480-7d3e-8baf-0bd7b93bf935", "kind": "balance_share", "name": "Balance below 20 % of the last top-up", "enabled": true, "mail_to": [], "version": 1, "threshold": 20, "created_at": "2026-11-23T16:30:05.438766+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2093e-4480-7ee2-8b7c-c9784e1b361c", "kind": "balance_below", "name": "Balance below 1 USD", "enabled": true, "mail_to": [], "version": 1, "threshold": 1000000000, "created_at": "2026-11-23T16:30:05.438766+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2093e-4480-717f-811c-02ebbb4b4b10", "kind": "auto_top_up_stopped", "name": "Automatic top-ups have stopped", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-23T16:30:05.438766+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2093e-43b3-747e-a6ef-3abfc39908be"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2093e-4480-73b8-8150-c6e6b2c1051f", "kind": "project_budget", "name": "Project budget used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-23T16:30:05.438766+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2093e-43b3-747e-a6ef-3abfc39908be"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2093e-4480-7744-8dfc-25a058ff52d7", "kind": "balance_below", "name": "Balance below 1 USD", "enabled": true, "mail_to": [], "version": 1, "threshold": 1000000000, "created_at": "2026-11-23T16:30:05.438766+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2093e-43b3-747e-a6ef-3abfc39908be"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2093e-4480-7a04-9901-3c79482d17af", "kind": "balance_share", "name": "Balance below 20 % of the last top-up", "enabled": true, "mail_to": [], "version": 1, "threshold": 20, "created_at": "2026-11-23T16:30:05.438766+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2093e-43b3-747e-a6ef-3abfc39908be"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a2093e-4480-7e15-9095-b224150d54af", "kind": "project_budget", "name": "Project budget used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-23T16:30:05.438766+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a2093e-43b3-747e-a6ef-3abfc39908be"}');
insert into alert_watches overriding system value select * from jsonb_populate_record(null::alert_watches, '{"marks": [], "looked_at": "2026-11-23T16:30:05.431468+00:00", "workspace_id": "00000000-0000-0000-0000-000000000000", "spent_nano_usd": 0, "credited_nano_usd": 0}');
insert into alert_watches overriding system value select * from jsonb_populate_record(null::alert_watches, '{"marks": [[1795451405438, "60000001"]], "looked_at": "2026-11-23T16:30:05.473514+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "spent_nano_usd": 60000001, "credited_nano_usd": 15290000000}');
insert into alert_watches overriding system value select * from jsonb_populate_record(null::alert_watches, '{"marks": [[1795451405438, "0"]], "looked_at": "2026-11-23T16:30:05.473514+00:00", "workspace_id": "01a2093e-43b3-747e-a6ef-3abfc39908be", "spent_nano_usd": 0, "credited_nano_usd": -20000000}');
insert into alerts overriding system value select * from jsonb_populate_record(null::alerts, '{"id": "01a2093e-448b-7bc9-be46-976c15c1a2e5", "url": null, "kind": "balance_below", "rule_id": "01a2093e-4471-710d-92b3-47a42f18d59a", "seen_at": "2026-11-23T16:30:05.438766+00:00", "summary": "The balance of \"workspace 3c2dda52-f7b9-4cf6-8449-a8fc59291813\" is 15.22 USD, below 1,000.00 USD.", "raised_at": "2026-11-23T16:30:05.438766+00:00", "threshold": 1000000000000, "subject_id": "01a2093e-42c1-7257-816e-3e794f765031", "window_end": null, "resolved_at": null, "subject_kind": "workspace", "subject_name": "workspace 3c2dda52-f7b9-4cf6-8449-a8fc59291813", "window_start": "-infinity", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "limit_nano_usd": 1000000000000, "value_nano_usd": 15229999999}');
insert into alerts overriding system value select * from jsonb_populate_record(null::alerts, '{"id": "01a2093e-4492-752b-96c3-56b25f5a15b2", "url": null, "kind": "balance_below", "rule_id": "01a2093e-4480-7744-8dfc-25a058ff52d7", "seen_at": "2026-11-23T16:30:05.438766+00:00", "summary": "The balance of \"workspace 4c5f1dd6-84b9-4900-85c0-0b3ae00b0ca8\" is -0.02 USD, below 1.00 USD.", "raised_at": "2026-11-23T16:30:05.438766+00:00", "threshold": 1000000000, "subject_id": "01a2093e-43b3-747e-a6ef-3abfc39908be", "window_end": null, "resolved_at": null, "subject_kind": "workspace", "subject_name": "workspace 4c5f1dd6-84b9-4900-85c0-0b3ae00b0ca8", "window_start": "-infinity", "workspace_id": "01a2093e-43b3-747e-a6ef-3abfc39908be", "limit_nano_usd": 1000000000, "value_nano_usd": -20000000}');
insert into alerts overriding system value select * from jsonb_populate_record(null::alerts, '{"id": "01a2093e-4493-7155-ab0f-0fe7c280227d", "url": null, "kind": "balance_share", "rule_id": "01a2093e-4480-7a04-9901-3c79482d17af", "seen_at": "2026-11-23T16:30:05.438766+00:00", "summary": "The balance of \"workspace 4c5f1dd6-84b9-4900-85c0-0b3ae00b0ca8\" is -0.02 USD, below 20 % of the last top-up of 0.01 USD.", "raised_at": "2026-11-23T16:30:05.438766+00:00", "threshold": 20, "subject_id": "01a2093e-43b3-747e-a6ef-3abfc39908be", "window_end": null, "resolved_at": null, "subject_kind": "workspace", "subject_name": "workspace 4c5f1dd6-84b9-4900-85c0-0b3ae00b0ca8", "window_start": "-infinity", "workspace_id": "01a2093e-43b3-747e-a6ef-3abfc39908be", "limit_nano_usd": 2000000, "value_nano_usd": -20000000}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:04.992763+00:00", "id": "01a2093e-42c2-746d-9faa-533ae7d1ee6c", "after": {"name": "workspace 3c2dda52-f7b9-4cf6-8449-a8fc59291813"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-42c1-7257-816e-3e794f765031", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 3c2dda52-f7b9-4cf6-8449-a8fc59291813", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.003085+00:00", "id": "01a2093e-42cd-71a1-b074-382dbeccdb07", "after": {"name": "project 335da885-4cd7-41e7-83be-30a7f3dbfda6", "models": ["small-chat"], "concurrency": 4, "reports_cost": true, "budget_period": "month", "budget_nano_usd": "3000000000", "member_keys_max": 5, "tokens_per_minute": 100000, "requests_per_minute": 60, "member_key_spend_limit_nano_usd": "2500000000"}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project 335da885-4cd7-41e7-83be-30a7f3dbfda6", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.014889+00:00", "id": "01a2093e-42dd-72bd-89b9-c93022deed82", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "spend_limit_nano_usd": "2000000000"}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-42d7-7d52-8afa-87aff19efc79", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.035151+00:00", "id": "01a2093e-42ef-764b-b056-4cb28741a8b3", "after": {"model": null, "change_percent": "-5"}, "action": "price.adjust", "before": {"model": null, "change_percent": null}, "address": null, "user_id": null, "target_id": "01a2093e-42eb-7f5f-9e48-1ec0ca78f8a1", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "price_adjustment", "target_name": null, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.043649+00:00", "id": "01a2093e-42f8-76b0-85ef-2e15ccbc04d2", "after": {"model": null, "change_percent": "-10"}, "action": "price.adjust", "before": {"model": null, "change_percent": "-5"}, "address": null, "user_id": null, "target_id": "01a2093e-42f5-744b-a781-b844248facc0", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "price_adjustment", "target_name": null, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.050273+00:00", "id": "01a2093e-42ff-70e5-b00f-473e5bbc2bcf", "after": {"model": "sandbox/echo", "change_percent": "25"}, "action": "price.adjust", "before": {"model": "sandbox/echo", "change_percent": null}, "address": null, "user_id": null, "target_id": "01a2093e-42fa-74c8-9db2-7f3b92d6b5a9", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "price_adjustment", "target_name": "sandbox/echo", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.23497+00:00", "id": "01a2093e-43b3-71b4-bead-1a0f2bb86055", "after": {"name": "workspace 4c5f1dd6-84b9-4900-85c0-0b3ae00b0ca8"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-43b3-747e-a6ef-3abfc39908be", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 4c5f1dd6-84b9-4900-85c0-0b3ae00b0ca8", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.251252+00:00", "id": "01a2093e-43c4-7791-94ed-441c461b119a", "after": {"name": "project 4f09d8bd-4271-4e3d-b651-f47dbe60bbd8", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "member_keys_max": null, "tokens_per_minute": null, "requests_per_minute": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-43c3-7e94-b6e7-c9b60e4da9b5", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project 4f09d8bd-4271-4e3d-b651-f47dbe60bbd8", "workspace_id": "01a2093e-43b3-747e-a6ef-3abfc39908be"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.257013+00:00", "id": "01a2093e-43cb-7469-82f1-3315b44d0a05", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-43c9-7789-8e04-a2ecb8491a35", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a2093e-43b3-747e-a6ef-3abfc39908be"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.262821+00:00", "id": "01a2093e-43d0-72af-9906-fbd1bd49e86c", "after": {"name": "revoked", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-43ce-734d-b110-8542ae7cd398", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "revoked", "workspace_id": "01a2093e-43b3-747e-a6ef-3abfc39908be"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.266975+00:00", "id": "01a2093e-43d6-7759-8513-aaf549b9c37f", "after": {"revoked_at": "2026-11-23T16:30:05.266Z"}, "action": "key.revoke", "before": {"revoked_at": null}, "address": null, "user_id": null, "target_id": "01a2093e-43ce-734d-b110-8542ae7cd398", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "revoked", "workspace_id": "01a2093e-43b3-747e-a6ef-3abfc39908be"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.272622+00:00", "id": "01a2093e-43da-741b-b8e6-ba1b9984b77f", "after": {"provider": "stripe", "fee_nano_usd": "800000000", "amount_nano_usd": "10000000000"}, "action": "top_up.create", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-43d9-7792-b34c-1bb27a51c067", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "top_up", "target_name": null, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.288844+00:00", "id": "01a2093e-43ea-777d-ac6f-cc70116ce2c8", "after": {"provider": "stripe", "fee_nano_usd": "800000000", "amount_nano_usd": "10000000000"}, "action": "top_up.create", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-43e9-7174-a57b-7c0c2a26b779", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "top_up", "target_name": null, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.293254+00:00", "id": "01a2093e-43f0-7425-b936-77491779a508", "after": {"sold": true, "count": 2, "reason": "sold", "expires_at": "2026-11-24T16:30:05.292Z", "amount_nano_usd": "10000000"}, "action": "codes.create", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-43ec-7097-afa8-4112af9709d1", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "code_batch", "target_name": null, "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.29752+00:00", "id": "01a2093e-43f2-712a-816a-ee44f0c57508", "after": {"code": "…M3FV"}, "action": "code.redeem", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-43f1-7d4b-8f59-b4e082ab7d46", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "top_up", "target_name": null, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.387037+00:00", "id": "01a2093e-444d-73da-ae95-a13c2a41fa04", "after": null, "action": "authenticator.add", "before": null, "address": "192.0.2.1", "user_id": "01a2093e-4442-7ea1-9cc8-378f95a6bf3b", "target_id": "01a2093e-4442-7ea1-9cc8-378f95a6bf3b", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "3a5b57f5-094c-4bb9-ab35-9698a75de9fc", "target_kind": "user", "target_name": "owner@example.com", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.392482+00:00", "id": "01a2093e-4451-7298-b9d7-a624955c94db", "after": {"issuer": "https://login.example", "subject": "1"}, "action": "openid.link", "before": null, "address": "192.0.2.1", "user_id": "01a2093e-4442-7ea1-9cc8-378f95a6bf3b", "target_id": "01a2093e-4442-7ea1-9cc8-378f95a6bf3b", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "3a5b57f5-094c-4bb9-ab35-9698a75de9fc", "target_kind": "user", "target_name": "owner@example.com", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.394454+00:00", "id": "01a2093e-4453-7194-81a2-67a417aa2d97", "after": {"scopes": ["keys:read"], "expires_at": "2026-11-24T16:30:05.394Z"}, "action": "access_token.create", "before": null, "address": "192.0.2.1", "user_id": "01a2093e-4442-7ea1-9cc8-378f95a6bf3b", "target_id": "01a2093e-4452-752d-8ad3-4cc93b007ea2", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "3a5b57f5-094c-4bb9-ab35-9698a75de9fc", "target_kind": "access_token", "target_name": "ci", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.396602+00:00", "id": "01a2093e-4455-724f-b3be-fa6e618ee075", "after": {"role": "viewer"}, "action": "invitation.create", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-4454-7ae0-becb-39998d49621e", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "invitation", "target_name": "new@example.com", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.399248+00:00", "id": "01a2093e-4458-77e6-bf07-3508813e9d0c", "after": {"access": "read_and_backup"}, "action": "operator_token.create", "before": null, "address": "192.0.2.1", "user_id": "01a2093e-4442-7ea1-9cc8-378f95a6bf3b", "target_id": "01a2093e-4457-7b43-951e-cfa26b09ec69", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "3a5b57f5-094c-4bb9-ab35-9698a75de9fc", "target_kind": "operator_token", "target_name": "metrics", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.402727+00:00", "id": "01a2093e-445b-71d9-b5eb-6d7589e2ce00", "after": {"scopes": ["members:write", "owners:write"], "expires_at": "2026-11-24T16:30:05.402Z"}, "action": "access_token.create", "before": null, "address": "192.0.2.1", "user_id": "01a2093e-4459-7770-895f-a07e0bbaf60b", "target_id": "01a2093e-445a-722a-8c4d-999ecd68de99", "actor_kind": "session", "actor_name": "second@example.com", "request_id": "e8b6e421-f599-40f6-a2d7-5ebce27ff9c9", "target_kind": "access_token", "target_name": "staff", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.405757+00:00", "id": "01a2093e-445e-721f-92cc-605c43ca9f4b", "after": {"role": "viewer"}, "action": "invitation.create", "before": null, "address": null, "user_id": "01a2093e-4459-7770-895f-a07e0bbaf60b", "target_id": "01a2093e-445d-7e8b-a80a-7df3afd09c23", "actor_kind": "access_token", "actor_name": "second@example.com", "request_id": null, "target_kind": "invitation", "target_name": "third@example.com", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.407772+00:00", "id": "01a2093e-4460-7737-bf06-4e255efacb25", "after": null, "action": "password.reset_link", "before": null, "address": null, "user_id": "01a2093e-4459-7770-895f-a07e0bbaf60b", "target_id": "01a2093e-4459-7770-895f-a07e0bbaf60b", "actor_kind": "access_token", "actor_name": "second@example.com", "request_id": null, "target_kind": "user", "target_name": "second@example.com", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.41452+00:00", "id": "01a2093e-4467-76d4-9572-b5386c739cd9", "after": {"url": "https://hooks.example/", "enabled": true, "description": "ours"}, "action": "webhook.create", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-4465-746c-b3cd-0984395ff144", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "webhook", "target_name": "https://hooks.example/", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.416531+00:00", "id": "01a2093e-4470-7656-819f-cd361b30dcf6", "after": {"overlap_hours": 24}, "action": "webhook.rotate", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-4465-746c-b3cd-0984395ff144", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "webhook", "target_name": "https://hooks.example/", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.425012+00:00", "id": "01a2093e-4473-73fa-8a89-dade9d32ddeb", "after": {"kind": "balance_below", "name": "much", "enabled": true, "mail_to": ["ops@example.com"], "threshold": "1000000000000", "mail_roles": ["owner"], "subject_id": null}, "action": "alert_rule.create", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-4471-710d-92b3-47a42f18d59a", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "alert_rule", "target_name": "much", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.478943+00:00", "id": "01a2093e-44a9-73c9-927b-a6c10995f2b8", "after": {"name": "rotated", "models": null, "metadata": "{\"team\":\"search\"}", "expires_at": null, "revoked_at": null, "disabled_at": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-44a7-76d4-b426-67e921622b71", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "rotated", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.484463+00:00", "id": "01a2093e-44d6-7708-b536-cce900306e06", "after": {"masked_key": "fg_live_00cN2WlLN4DNlZ…A1Xk", "former_secret_until": "2026-12-23T16:30:05.484Z"}, "action": "key.rotate", "before": {"masked_key": "fg_live_00clQMRGwdKdCf…SYUi"}, "address": null, "user_id": null, "target_id": "01a2093e-44a7-76d4-b426-67e921622b71", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "rotated", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.528201+00:00", "id": "01a2093e-44f4-76b3-902b-de67d6876fd1", "after": {"name": "disabled", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-44d8-723b-8f14-3beaff603fcc", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "disabled", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.558359+00:00", "id": "01a2093e-44f8-77e9-8c3b-1213ce45f7b1", "after": {"disabled_at": "2026-11-23T16:30:05.560Z"}, "action": "key.update", "before": {"disabled_at": null}, "address": null, "user_id": null, "target_id": "01a2093e-44d8-723b-8f14-3beaff603fcc", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "disabled", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.586861+00:00", "id": "01a2093e-4513-7687-889c-3ce3deff36f7", "after": {"name": "archived", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "member_keys_max": null, "tokens_per_minute": null, "requests_per_minute": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-4512-794e-be84-61b95755d435", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "archived", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.589465+00:00", "id": "01a2093e-4517-7049-bb61-2143e0791f22", "after": null, "action": "project.archive", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-4512-794e-be84-61b95755d435", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "archived", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.593519+00:00", "id": "01a2093e-451a-750e-9893-09f992c9b317", "after": {"name": "workspace 82ce2811-80a4-425b-8454-33ec41cad30f"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-4519-713b-90f4-b6ff9a3f4776", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 82ce2811-80a4-425b-8454-33ec41cad30f", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.596388+00:00", "id": "01a2093e-451c-7705-908d-5aeffc7977c5", "after": {"name": "project 54e13c21-b418-474b-96c6-0b847d1295e5", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "member_keys_max": null, "tokens_per_minute": null, "requests_per_minute": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-451c-7f0e-b8a9-235cd6efcec4", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project 54e13c21-b418-474b-96c6-0b847d1295e5", "workspace_id": "01a2093e-4519-713b-90f4-b6ff9a3f4776"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.598763+00:00", "id": "01a2093e-4521-74d3-accd-5f8e90745590", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-451e-7eae-a364-87a0b89d20de", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a2093e-4519-713b-90f4-b6ff9a3f4776"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.605464+00:00", "id": "01a2093e-4526-7433-97a5-3bb0415cfa13", "after": {"name": "workspace 6daf71c0-41f1-41e1-a6fb-ac19e3965e4c"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-4525-7f21-9014-3ac210d5eda4", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 6daf71c0-41f1-41e1-a6fb-ac19e3965e4c", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.630832+00:00", "id": "01a2093e-453f-7717-9996-f92124a2c961", "after": {"name": "project f3f27f7d-608d-4f15-bc35-9aef9ecfb280", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "member_keys_max": null, "tokens_per_minute": null, "requests_per_minute": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-453e-7148-8d49-f7209c02482a", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project f3f27f7d-608d-4f15-bc35-9aef9ecfb280", "workspace_id": "01a2093e-4525-7f21-9014-3ac210d5eda4"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.635318+00:00", "id": "01a2093e-4544-71f9-831b-bfdb54c9e524", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-4543-7f8c-add1-92693ed4702e", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a2093e-4525-7f21-9014-3ac210d5eda4"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.638575+00:00", "id": "01a2093e-4548-76bb-be16-ec4679fd7b59", "after": {"suspension_reason": "unpaid"}, "action": "workspace.suspend", "before": {"suspension_reason": null}, "address": null, "user_id": null, "target_id": "01a2093e-4519-713b-90f4-b6ff9a3f4776", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 82ce2811-80a4-425b-8454-33ec41cad30f", "workspace_id": "01a2093e-4519-713b-90f4-b6ff9a3f4776"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.644707+00:00", "id": "01a2093e-454d-72c2-b32a-0a32a5facc03", "after": null, "action": "workspace.close", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-4525-7f21-9014-3ac210d5eda4", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 6daf71c0-41f1-41e1-a6fb-ac19e3965e4c", "workspace_id": "01a2093e-4525-7f21-9014-3ac210d5eda4"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-23T16:30:05.802694+00:00", "id": "01a2093e-45ec-706b-a04e-e4924d8d4a4f", "after": {"name": "archived"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a2093e-45ea-7bae-a907-b8425b4e8d49", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "archived", "workspace_id": null}');
insert into authenticators overriding system value select * from jsonb_populate_record(null::authenticators, '{"secret": null, "user_id": "01a2093e-4442-7ea1-9cc8-378f95a6bf3b", "last_step": 59848380, "created_at": "2026-11-23T16:30:05.38537+00:00", "confirmed_at": "2026-11-23T16:30:05.387037+00:00", "encrypted_secret": "\\x014caa2d39dbf248fdab3f29b8c0f44e39bc28bafec7db64a4b511ecc7c3ec0471043ec332826a0014b1087177f3298b99e02cfccb723a3d22283f8a421b29fd61"}');
insert into cancelled_claims overriding system value select * from jsonb_populate_record(null::cancelled_claims, '{"request_id": "01a2093e-441b-7cc5-811b-417344373e29", "cancelled_at": "2026-11-23T16:30:05.340519+00:00"}');
insert into cost_versions overriding system value select * from jsonb_populate_record(null::cost_versions, '{"fees": null, "model": "sandbox/slow", "input_to": null, "provider": "sandbox", "created_at": "2026-11-23T16:30:04.978679+00:00", "input_from": 0, "input_rate": 250000000, "retired_at": "2026-11-23T16:30:04.990898+00:00", "output_rate": 2000000000, "upstream_model": "slow", "audio_input_rate": 250000000, "audio_output_rate": 2000000000, "cached_input_rate": 250000000, "cache_write_1h_rate": 250000000, "cache_write_5m_rate": 250000000}');
insert into cost_versions overriding system value select * from jsonb_populate_record(null::cost_versions, '{"fees": null, "model": "small-chat", "input_to": null, "provider": "local", "created_at": "2026-11-23T16:30:04.978679+00:00", "input_from": 0, "input_rate": 250000000, "retired_at": null, "output_rate": 2000000000, "upstream_model": "qwen3", "audio_input_rate": 250000000, "audio_output_rate": 2000000000, "cached_input_rate": 250000000, "cache_write_1h_rate": 250000000, "cache_write_5m_rate": 250000000}');
insert into creations overriding system value select * from jsonb_populate_record(null::creations, '{"kind": "key", "once": "first", "scope_id": "01a2093e-42c1-7257-816e-3e794f765031", "target_id": "01a2093e-44d8-723b-8f14-3beaff603fcc", "created_at": "2026-11-23T16:30:05.528201+00:00", "request_sha256": "\\x77ed185b9e668d8c66def466519343ed96f29f2ee41f968f9423fde734de66c2"}');
insert into data_keys overriding system value select * from jsonb_populate_record(null::data_keys, '{"id": "4caa2d39-dbf2-48fd-ab3f-29b8c0f44e39", "lost_at": null, "wrapped": "\\x014caa2d39dbf248fdab3f29b8c0f44e39feb4cf6fab43897f3a3ae16a99f05803019ed24c76381ff73a162475249b9195dd42298ac4f431bfbd59d04ef681401ed2def430fbe76b61d773ce7c", "created_at": "2026-11-23T16:30:05.346554+00:00", "wrapped_by": "ad0dec1b0f53896f"}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1882667252510097420, "fenced_at": "2026-11-23T16:30:05.098623+00:00", "reaped_at": "2026-11-23T16:30:05.100025+00:00", "started_at": "2026-11-23T16:30:05.057924+00:00", "timeout_ms": 30000, "instance_id": "d4c69d9a-a065-4468-96e9-71fc91211835", "heartbeat_at": "2026-11-23T16:30:05.057924+00:00", "process_name": "test", "leases_in_use": null}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1882667252559380495, "fenced_at": null, "reaped_at": null, "started_at": "2026-11-23T16:30:05.105848+00:00", "timeout_ms": 30000, "instance_id": "504bb3f9-9474-41b2-9d25-58923a59f658", "heartbeat_at": "2026-11-23T16:30:05.11814+00:00", "process_name": "test", "leases_in_use": {"1882667252441939972": "40000001", "1882667252517437453": "40000001", "1882667252524777486": "40000001"}}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1882667252592934928, "fenced_at": "2026-11-23T16:30:05.143696+00:00", "reaped_at": "2026-11-23T16:30:05.144205+00:00", "started_at": "2026-11-23T16:30:05.136886+00:00", "timeout_ms": 30000, "instance_id": "c327c16d-4d3a-4c93-baa9-dbe12b038408", "heartbeat_at": "2026-11-23T16:30:05.136886+00:00", "process_name": "test", "leases_in_use": null}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1882667252797407250, "fenced_at": null, "reaped_at": null, "started_at": "2026-11-23T16:30:05.332387+00:00", "timeout_ms": 30000, "instance_id": "bae095a1-423d-4f95-ae2d-73db774829be", "heartbeat_at": "2026-11-23T16:30:05.332387+00:00", "process_name": "test", "leases_in_use": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "name": "project 335da885-4cd7-41e7-83be-30a7f3dbfda6", "models": ["small-chat"], "version": 1, "created_at": "2026-11-23T16:30:05.003085+00:00", "archived_at": null, "concurrency": 4, "reports_cost": true, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "budget_period": "month", "budget_nano_usd": 3000000000, "member_keys_max": 5, "tokens_per_minute": 100000, "requests_per_minute": 60, "member_key_spend_limit_nano_usd": 2500000000}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a2093e-4512-794e-be84-61b95755d435", "name": "archived", "models": null, "version": 2, "created_at": "2026-11-23T16:30:05.586861+00:00", "archived_at": "2026-11-23T16:30:05.589465+00:00", "concurrency": null, "reports_cost": false, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "budget_period": "month", "budget_nano_usd": null, "member_keys_max": null, "tokens_per_minute": null, "requests_per_minute": null, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a2093e-43c3-7e94-b6e7-c9b60e4da9b5", "name": "project 4f09d8bd-4271-4e3d-b651-f47dbe60bbd8", "models": null, "version": 1, "created_at": "2026-11-23T16:30:05.251252+00:00", "archived_at": null, "concurrency": null, "reports_cost": false, "workspace_id": "01a2093e-43b3-747e-a6ef-3abfc39908be", "budget_period": "month", "budget_nano_usd": null, "member_keys_max": null, "tokens_per_minute": null, "requests_per_minute": null, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a2093e-451c-7f0e-b8a9-235cd6efcec4", "name": "project 54e13c21-b418-474b-96c6-0b847d1295e5", "models": null, "version": 1, "created_at": "2026-11-23T16:30:05.596388+00:00", "archived_at": null, "concurrency": null, "reports_cost": false, "workspace_id": "01a2093e-4519-713b-90f4-b6ff9a3f4776", "budget_period": "month", "budget_nano_usd": null, "member_keys_max": null, "tokens_per_minute": null, "requests_per_minute": null, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a2093e-453e-7148-8d49-f7209c02482a", "name": "project f3f27f7d-608d-4f15-bc35-9aef9ecfb280", "models": null, "version": 1, "created_at": "2026-11-23T16:30:05.630832+00:00", "archived_at": null, "concurrency": null, "reports_cost": false, "workspace_id": "01a2093e-4525-7f21-9014-3ac210d5eda4", "budget_period": "month", "budget_nano_usd": null, "member_keys_max": null, "tokens_per_minute": null, "requests_per_minute": null, "member_key_spend_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2093e-42d7-7d52-8afa-87aff19efc79", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "FGAK", "public_id": "00SROVRRsWN3Dd", "created_at": "2026-11-23T16:30:05.014889+00:00", "created_by": null, "expires_at": null, "project_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "revoked_at": null, "disabled_at": null, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "secret_sha256": "\\xcba82e0e171c39b1cf95fe98f774916deb0f4566187c8930bdfcbc6d81a3cd14", "spend_limit_nano_usd": 2000000000}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2093e-44a7-76d4-b426-67e921622b71", "kind": "api", "name": "rotated", "models": null, "version": 2, "metadata": {"team": "search"}, "last_four": "A1Xk", "public_id": "00cN2WlLN4DNlZ", "created_at": "2026-11-23T16:30:05.478943+00:00", "created_by": null, "expires_at": null, "project_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "revoked_at": null, "disabled_at": null, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "secret_sha256": "\\x7670d424cfddb926716cd25230cd1af64c356ca1441747992828f7d85da96a2c", "spend_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2093e-44d8-723b-8f14-3beaff603fcc", "kind": "api", "name": "disabled", "models": null, "version": 2, "metadata": {}, "last_four": "FBJw", "public_id": "0049ZuZlVeNeip", "created_at": "2026-11-23T16:30:05.528201+00:00", "created_by": null, "expires_at": null, "project_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "revoked_at": null, "disabled_at": "2026-11-23T16:30:05.56+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "secret_sha256": "\\x009b5991fe705e299c5935952c5fb7b96fade5c2fb40dcf8b04e3965e57182c2", "spend_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2093e-43c9-7789-8e04-a2ecb8491a35", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "WoAg", "public_id": "00CmUXkxdzaUzC", "created_at": "2026-11-23T16:30:05.257013+00:00", "created_by": null, "expires_at": null, "project_id": "01a2093e-43c3-7e94-b6e7-c9b60e4da9b5", "revoked_at": null, "disabled_at": null, "workspace_id": "01a2093e-43b3-747e-a6ef-3abfc39908be", "secret_sha256": "\\x5e7fbaa26f7dedf5f659a422745fb084320687a304012cb11e1a1a4a90a9e44f", "spend_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2093e-43ce-734d-b110-8542ae7cd398", "kind": "api", "name": "revoked", "models": null, "version": 2, "metadata": {}, "last_four": "1qyh", "public_id": "00R160FTXgX8yA", "created_at": "2026-11-23T16:30:05.262821+00:00", "created_by": null, "expires_at": null, "project_id": "01a2093e-43c3-7e94-b6e7-c9b60e4da9b5", "revoked_at": "2026-11-23T16:30:05.266975+00:00", "disabled_at": null, "workspace_id": "01a2093e-43b3-747e-a6ef-3abfc39908be", "secret_sha256": "\\x0181d9736b96604a76fbd8978c3f49bbf562a393d15a4e307561e06c23107818", "spend_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2093e-451e-7eae-a364-87a0b89d20de", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "5opj", "public_id": "00yqCehvknot9o", "created_at": "2026-11-23T16:30:05.598763+00:00", "created_by": null, "expires_at": null, "project_id": "01a2093e-451c-7f0e-b8a9-235cd6efcec4", "revoked_at": null, "disabled_at": null, "workspace_id": "01a2093e-4519-713b-90f4-b6ff9a3f4776", "secret_sha256": "\\x8dc656faaa3084a0d2efbf8c263c47ea3ab5ba48249a06381207f50d836edcb7", "spend_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a2093e-4543-7f8c-add1-92693ed4702e", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "tVlB", "public_id": "00c51v1O3lxcvh", "created_at": "2026-11-23T16:30:05.635318+00:00", "created_by": null, "expires_at": null, "project_id": "01a2093e-453e-7148-8d49-f7209c02482a", "revoked_at": null, "disabled_at": null, "workspace_id": "01a2093e-4525-7f21-9014-3ac210d5eda4", "secret_sha256": "\\xacf15c9150460e882a0c5b98e679389fde9a9088df56240cef30aff9a94d5ea4", "spend_limit_nano_usd": null}');
insert into former_secrets overriding system value select * from jsonb_populate_record(null::former_secrets, '{"key_id": "01a2093e-44a7-76d4-b426-67e921622b71", "last_four": "SYUi", "public_id": "00clQMRGwdKdCf", "expires_at": "2026-12-23T16:30:05.484463+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "secret_sha256": "\\xabf6044dc300079ec1d3571a3e771e9d196e4933e53b4e0b8aba5481e5301778"}');
insert into free_answers overriding system value select * from jsonb_populate_record(null::free_answers, '{"hour": "2026-11-23T16:00:00+00:00", "project_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "cost_nano_usd": 7}');
insert into idempotent_requests overriding system value select * from jsonb_populate_record(null::idempotent_requests, '{"answer": "\\x616e20616e73776572", "key_id": "01a2093e-42d7-7d52-8afa-87aff19efc79", "epoch_id": 1882667252797407250, "claimed_at": "2026-11-23T16:30:05.335855+00:00", "request_id": "01a2093e-4417-7602-9f8d-0b79ae40b84b", "body_sha256": "\\x612068617368", "completed_at": "2026-11-23T16:30:05.337843+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "idempotency_key": "it is done", "superseded_request_id": null}');
insert into idempotent_requests overriding system value select * from jsonb_populate_record(null::idempotent_requests, '{"answer": null, "key_id": "01a2093e-42d7-7d52-8afa-87aff19efc79", "epoch_id": 1882667252797407250, "claimed_at": "2026-11-23T16:30:05.333473+00:00", "request_id": "01a2093e-4415-7d6d-a3d9-e6a22bd16e8b", "body_sha256": "\\x612068617368", "completed_at": null, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "idempotency_key": "it runs", "superseded_request_id": null}');
insert into invitations overriding system value select * from jsonb_populate_record(null::invitations, '{"id": "01a2093e-4454-7ae0-becb-39998d49621e", "role": "viewer", "email": "new@example.com", "mailed": false, "created_at": "2026-11-23T16:30:05.396602+00:00", "expires_at": "2026-11-30T16:30:05.396602+00:00", "invited_by": null, "revoked_at": null, "accepted_at": null, "accepted_by": null, "token_sha256": "\\xa1b4099b73dac7dde74122290d67ef768a934c77c0e71d59d84d1e193c68a112", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "invited_by_token": null}');
insert into invitations overriding system value select * from jsonb_populate_record(null::invitations, '{"id": "01a2093e-445d-7e8b-a80a-7df3afd09c23", "role": "viewer", "email": "third@example.com", "mailed": false, "created_at": "2026-11-23T16:30:05.405757+00:00", "expires_at": "2026-11-30T16:30:05.405757+00:00", "invited_by": "01a2093e-4459-7770-895f-a07e0bbaf60b", "revoked_at": null, "accepted_at": null, "accepted_by": null, "token_sha256": "\\xb289679ac4a3348791f9b9c8c39b384304481c18bae8d6df63c5fc23da9ea57f", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "invited_by_token": "01a2093e-445a-722a-8c4d-999ecd68de99"}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1882667252441939972, "kind": "credit", "mode": "wet", "period": "never", "subject_id": "01a2093e-42c1-7257-816e-3e794f765031", "window_end": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "owed_nano_usd": 0, "limit_nano_usd": 15290000000, "spent_nano_usd": 30000000, "leased_nano_usd": 30000001, "opening_nano_usd": 0, "corrected_nano_usd": 0}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1882667252517437453, "kind": "project", "mode": "wet", "period": "month", "subject_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "window_end": "2026-12-01T00:00:00+00:00", "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "owed_nano_usd": 0, "limit_nano_usd": 3000000000, "spent_nano_usd": 30000000, "leased_nano_usd": 30000001, "opening_nano_usd": 0, "corrected_nano_usd": 0}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1882667252524777486, "kind": "key", "mode": "wet", "period": "month", "subject_id": "01a2093e-42d7-7d52-8afa-87aff19efc79", "window_end": "2026-12-01T00:00:00+00:00", "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "owed_nano_usd": 0, "limit_nano_usd": 2000000000, "spent_nano_usd": 30000000, "leased_nano_usd": 30000001, "opening_nano_usd": 0, "corrected_nano_usd": 0}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1882667252695695377, "kind": "credit", "mode": "wet", "period": "never", "subject_id": "01a2093e-43b3-747e-a6ef-3abfc39908be", "window_end": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a2093e-43b3-747e-a6ef-3abfc39908be", "owed_nano_usd": 20000000, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1882667253072134163, "kind": "credit", "mode": "wet", "period": "never", "subject_id": "01a2093e-4519-713b-90f4-b6ff9a3f4776", "window_end": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a2093e-4519-713b-90f4-b6ff9a3f4776", "owed_nano_usd": 0, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1882667253083668500, "kind": "credit", "mode": "wet", "period": "never", "subject_id": "01a2093e-4525-7f21-9014-3ac210d5eda4", "window_end": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a2093e-4525-7f21-9014-3ac210d5eda4", "owed_nano_usd": 0, "limit_nano_usd": 10000000, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1882667253291286549, "kind": "credit", "mode": "wet", "period": "never", "subject_id": "01a2093e-45ea-7bae-a907-b8425b4e8d49", "window_end": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a2093e-45ea-7bae-a907-b8425b4e8d49", "owed_nano_usd": 0, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0}');
insert into leases overriding system value select * from jsonb_populate_record(null::leases, '{"open": false, "epoch_id": 1882667252559380495, "purse_id": 1882667252441939972, "sequence": 2, "charged_nano_usd": 30000001, "granted_nano_usd": 30000001}');
insert into leases overriding system value select * from jsonb_populate_record(null::leases, '{"open": false, "epoch_id": 1882667252559380495, "purse_id": 1882667252517437453, "sequence": 2, "charged_nano_usd": 30000001, "granted_nano_usd": 30000001}');
insert into leases overriding system value select * from jsonb_populate_record(null::leases, '{"open": false, "epoch_id": 1882667252559380495, "purse_id": 1882667252524777486, "sequence": 2, "charged_nano_usd": 30000001, "granted_nano_usd": 30000001}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a2093e-42c6-741d-b239-b5fff8fe316f", "kind": "grant", "once": null, "actor": "test", "number": 1, "reason": "a test", "posted_at": "2026-11-23T16:30:05.000326+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "balance_nano_usd": 5000000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a2093e-43a7-7e99-8aff-391e94955b0c", "kind": "top_up", "once": "payment 1", "actor": "test", "number": 2, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-23T16:30:05.224755+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "balance_nano_usd": 5339999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a2093e-43a9-7a91-af19-39bbc710af55", "kind": "refund", "once": null, "actor": "test", "number": 3, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-23T16:30:05.226278+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "balance_nano_usd": 5239999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a2093e-43c0-7f0f-80b2-84d88cab5622", "kind": "grant", "once": null, "actor": "test", "number": 4, "reason": "a test", "posted_at": "2026-11-23T16:30:05.248492+00:00", "workspace_id": "01a2093e-43b3-747e-a6ef-3abfc39908be", "balance_nano_usd": 10000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a2093e-43cd-731a-a53c-c71c5920732c", "kind": "dispute", "once": null, "actor": "test", "number": 5, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-23T16:30:05.261992+00:00", "workspace_id": "01a2093e-43b3-747e-a6ef-3abfc39908be", "balance_nano_usd": -20000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a2093e-452b-7647-9821-c8cd42d21363", "kind": "grant", "once": null, "actor": "test", "number": 9, "reason": "a test", "posted_at": "2026-11-23T16:30:05.611596+00:00", "workspace_id": "01a2093e-4525-7f21-9014-3ac210d5eda4", "balance_nano_usd": 10000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "422d257a-a5d0-4fc4-b2d7-a3b7ce039806", "kind": "top_up", "once": "payment:stripe:pi_1", "actor": "stripe", "number": 6, "reason": "Payment pi_1 of top-up 01a2093e-43d9-7792-b34c-1bb27a51c067", "posted_at": "2026-11-23T16:30:05.277544+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "balance_nano_usd": 15239999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "78ae410b-23e3-498b-971f-89a81179b05b", "kind": "top_up", "once": "payment:codes:01a2093e-43ef-7b8f-a634-68c0e28b8764", "actor": "codes", "number": 8, "reason": "Payment 01a2093e-43ef-7b8f-a634-68c0e28b8764 of top-up 01a2093e-43f1-7d4b-8f59-b4e082ab7d46", "posted_at": "2026-11-23T16:30:05.300352+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "balance_nano_usd": 15229999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "ea915145-9b9b-45ad-95d4-c423d00868b6", "kind": "refund", "once": "refund:stripe:re_1", "actor": "stripe", "number": 7, "reason": "Refund re_1 of payment pi_1 taken", "posted_at": "2026-11-23T16:30:05.282415+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "balance_nano_usd": 15219999999, "receipt_request_id": null}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a2093e-42c6-741d-b239-b5fff8fe316f", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "amount_nano_usd": 5000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a2093e-42c6-741d-b239-b5fff8fe316f", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "amount_nano_usd": -5000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a2093e-43a7-7e99-8aff-391e94955b0c", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "amount_nano_usd": 400000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "01a2093e-43a7-7e99-8aff-391e94955b0c", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "amount_nano_usd": -400000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a2093e-43a9-7a91-af19-39bbc710af55", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "amount_nano_usd": -100000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "01a2093e-43a9-7a91-af19-39bbc710af55", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "amount_nano_usd": 100000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "422d257a-a5d0-4fc4-b2d7-a3b7ce039806", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "amount_nano_usd": 10000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "422d257a-a5d0-4fc4-b2d7-a3b7ce039806", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "amount_nano_usd": -10000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "78ae410b-23e3-498b-971f-89a81179b05b", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "78ae410b-23e3-498b-971f-89a81179b05b", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "ea915145-9b9b-45ad-95d4-c423d00868b6", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "amount_nano_usd": -20000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "ea915145-9b9b-45ad-95d4-c423d00868b6", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "amount_nano_usd": 20000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a2093e-43c0-7f0f-80b2-84d88cab5622", "workspace_id": "01a2093e-43b3-747e-a6ef-3abfc39908be", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a2093e-43c0-7f0f-80b2-84d88cab5622", "workspace_id": "01a2093e-43b3-747e-a6ef-3abfc39908be", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a2093e-43cd-731a-a53c-c71c5920732c", "workspace_id": "01a2093e-43b3-747e-a6ef-3abfc39908be", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "owed", "posting_id": "01a2093e-43cd-731a-a53c-c71c5920732c", "workspace_id": "01a2093e-43b3-747e-a6ef-3abfc39908be", "amount_nano_usd": -20000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "01a2093e-43cd-731a-a53c-c71c5920732c", "workspace_id": "01a2093e-43b3-747e-a6ef-3abfc39908be", "amount_nano_usd": 30000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a2093e-452b-7647-9821-c8cd42d21363", "workspace_id": "01a2093e-4525-7f21-9014-3ac210d5eda4", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a2093e-452b-7647-9821-c8cd42d21363", "workspace_id": "01a2093e-4525-7f21-9014-3ac210d5eda4", "amount_nano_usd": -10000000}');
insert into ledger_verifications overriding system value select * from jsonb_populate_record(null::ledger_verifications, '{"id": 1, "night": null, "started_at": "2026-11-23T16:30:05.648+00:00", "differences": [], "finished_at": "2026-11-23T16:30:05.801369+00:00", "difference_count": 0}');
insert into one_time_links overriding system value select * from jsonb_populate_record(null::one_time_links, '{"id": "01a2093e-443e-7a86-a6c3-50ed113e0f5e", "email": null, "mailed": false, "purpose": "set_up", "user_id": null, "claimed_at": null, "created_at": "2026-11-23T16:30:05.374048+00:00", "expires_at": "2026-11-24T16:30:05.374048+00:00", "by_right_in": null, "made_by_user": null, "token_sha256": "\\x49d36649e872516c107d4c4e3e78ca3af28578244404e01a35dcfab3f0b3e5f7", "made_by_token": null}');
insert into one_time_links overriding system value select * from jsonb_populate_record(null::one_time_links, '{"id": "01a2093e-4460-746a-8916-7c61d4a40d30", "email": null, "mailed": false, "purpose": "reset", "user_id": "01a2093e-4459-7770-895f-a07e0bbaf60b", "claimed_at": null, "created_at": "2026-11-23T16:30:05.407772+00:00", "expires_at": "2026-11-23T18:30:05.407772+00:00", "by_right_in": "01a2093e-42c1-7257-816e-3e794f765031", "made_by_user": "01a2093e-4459-7770-895f-a07e0bbaf60b", "token_sha256": "\\x716c1f53f9125d5e69b2351628fb47da7b0e67c6cd76efd06ab036ea0e0e6278", "made_by_token": "01a2093e-445a-722a-8c4d-999ecd68de99"}');
insert into operator_tokens overriding system value select * from jsonb_populate_record(null::operator_tokens, '{"id": "01a2093e-4457-7b43-951e-cfa26b09ec69", "name": "metrics", "last_four": "FLh2", "read_only": true, "created_at": "2026-11-23T16:30:05.399248+00:00", "created_by": "owner@example.com", "revoked_at": null, "last_used_at": null, "secret_sha256": "\\x3388a3aa0fa9fd4ffedbd1a161ae987900349e6be77a388cf56a48696f890afa", "downloads_backups": true}');
insert into sealed_partitions overriding system value select * from jsonb_populate_record(null::sealed_partitions, '{"name": "receipts_2026_w22", "up_to": "019e807a-ec00-0000-0000-000000000000", "from_id": "019e5c6e-6800-0000-0000-000000000000", "receipts": 1, "sealed_at": "2026-11-23T16:30:05.214254+00:00", "dropped_at": null, "write_off_nano_usd": 0}');
insert into partition_totals overriding system value select * from jsonb_populate_record(null::partition_totals, '{"purse_id": 1882667252441939972, "receipts": 1, "partition": "receipts_2026_w22", "charge_nano_usd": 10000000}');
insert into partition_totals overriding system value select * from jsonb_populate_record(null::partition_totals, '{"purse_id": 1882667252517437453, "receipts": 1, "partition": "receipts_2026_w22", "charge_nano_usd": 10000000}');
insert into partition_totals overriding system value select * from jsonb_populate_record(null::partition_totals, '{"purse_id": 1882667252524777486, "receipts": 1, "partition": "receipts_2026_w22", "charge_nano_usd": 10000000}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "01a2093e-43ef-7b8f-a634-68c0e28b8764", "fact": "paid", "detail": null, "outcome": "applied", "provider": "codes", "top_up_id": "01a2093e-43f1-7d4b-8f59-b4e082ab7d46", "received_at": "2026-11-23T16:30:05.29752+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "61e31df7-f683-494a-893b-b3c3fd977949", "fact": "paid", "detail": null, "outcome": "applied", "provider": "stripe", "top_up_id": "01a2093e-43d9-7792-b34c-1bb27a51c067", "received_at": "2026-11-23T16:30:05.275599+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "c9f242e0-a743-40ff-95fa-3040140ad2e0", "fact": "paid", "detail": "10000000000 nano-USD were paid and not 10800000000", "outcome": "mismatch", "provider": "stripe", "top_up_id": "01a2093e-43d9-7792-b34c-1bb27a51c067", "received_at": "2026-11-23T16:30:05.287376+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "e035c660-3a87-4ae8-92bf-ff757e9e6aca", "fact": "refund taken", "detail": null, "outcome": "applied", "provider": "stripe", "top_up_id": null, "received_at": "2026-11-23T16:30:05.286067+00:00", "workspace_id": null}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "f69c6985-7960-46f6-a178-3f7cefa0d996", "fact": "refund taken", "detail": null, "outcome": "applied", "provider": "stripe", "top_up_id": "01a2093e-43d9-7792-b34c-1bb27a51c067", "received_at": "2026-11-23T16:30:05.28108+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into payment_reconciliations overriding system value select * from jsonb_populate_record(null::payment_reconciliations, '{"night": "2026-11-23T16:30:05.291425+00:00", "missed": 1, "compared": 2, "provider": "stripe", "started_at": "2026-11-23T16:30:05.291425+00:00", "differences": ["one"], "finished_at": "2026-11-23T16:30:05.291537+00:00", "events_until": "2026-11-23T16:30:05.291425+00:00", "difference_count": 1}');
insert into top_ups overriding system value select * from jsonb_populate_record(null::top_ups, '{"id": "01a2093e-43d9-7792-b34c-1bb27a51c067", "once": null, "actor": "test", "state": "paid", "origin": "checkout", "failure": null, "provider": "stripe", "created_at": "2026-11-23T16:30:05.272622+00:00", "expires_at": null, "posting_id": "422d257a-a5d0-4fc4-b2d7-a3b7ce039806", "updated_at": "2026-11-23T16:30:05.275599+00:00", "checkout_url": null, "fee_nano_usd": 800000000, "posting_kind": "top_up", "saves_method": true, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "amount_nano_usd": 10000000000, "payment_reference": "pi_1", "checkout_reference": null}');
insert into top_ups overriding system value select * from jsonb_populate_record(null::top_ups, '{"id": "01a2093e-43e9-7174-a57b-7c0c2a26b779", "once": null, "actor": "test", "state": "pending", "origin": "auto", "failure": null, "provider": "stripe", "created_at": "2026-11-23T16:30:05.288844+00:00", "expires_at": null, "posting_id": null, "updated_at": "2026-11-23T16:30:05.288844+00:00", "checkout_url": null, "fee_nano_usd": 800000000, "posting_kind": "top_up", "saves_method": false, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "amount_nano_usd": 10000000000, "payment_reference": null, "checkout_reference": null}');
insert into top_ups overriding system value select * from jsonb_populate_record(null::top_ups, '{"id": "01a2093e-43f1-7d4b-8f59-b4e082ab7d46", "once": null, "actor": "test", "state": "paid", "origin": "code", "failure": null, "provider": "codes", "created_at": "2026-11-23T16:30:05.29752+00:00", "expires_at": null, "posting_id": "78ae410b-23e3-498b-971f-89a81179b05b", "updated_at": "2026-11-23T16:30:05.29752+00:00", "checkout_url": null, "fee_nano_usd": 0, "posting_kind": "top_up", "saves_method": false, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "amount_nano_usd": 10000000, "payment_reference": "01a2093e-43ef-7b8f-a634-68c0e28b8764", "checkout_reference": null}');
insert into payment_reversals overriding system value select * from jsonb_populate_record(null::payment_reversals, '{"kind": "refund", "state": "taken", "counted": true, "provider": "stripe", "reference": "re_1", "top_up_id": "01a2093e-43d9-7792-b34c-1bb27a51c067", "created_at": "2026-11-23T16:30:05.28108+00:00", "updated_at": "2026-11-23T16:30:05.28108+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "amount_nano_usd": 20000000, "payment_reference": "pi_1"}');
insert into payment_reversals overriding system value select * from jsonb_populate_record(null::payment_reversals, '{"kind": "refund", "state": "taken", "counted": false, "provider": "stripe", "reference": "re_2", "top_up_id": null, "created_at": "2026-11-23T16:30:05.286067+00:00", "updated_at": "2026-11-23T16:30:05.286067+00:00", "workspace_id": null, "amount_nano_usd": 20000000, "payment_reference": "pi_other"}');
insert into payment_settings overriding system value select * from jsonb_populate_record(null::payment_settings, '{"version": 1, "provider": "stripe", "auto_stop": null, "auto_enabled": false, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "auto_failures": 0, "auto_failed_at": null, "auto_consent_at": null, "auto_consent_by": null, "auto_noticed_at": null, "auto_stopped_at": null, "customer_reference": "cus_1", "recovery_top_up_id": null, "auto_amount_nano_usd": null, "auto_month_noticed_at": null, "auto_month_max_nano_usd": null, "auto_threshold_nano_usd": null}');
insert into price_adjustments overriding system value select * from jsonb_populate_record(null::price_adjustments, '{"id": "01a2093e-42eb-7f5f-9e48-1ec0ca78f8a1", "model": null, "ended_at": "2026-11-23T16:30:05.043649+00:00", "started_at": "2026-11-23T16:30:05.035151+00:00", "basis_points": -500, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into price_adjustments overriding system value select * from jsonb_populate_record(null::price_adjustments, '{"id": "01a2093e-42f5-744b-a781-b844248facc0", "model": null, "ended_at": null, "started_at": "2026-11-23T16:30:05.043649+00:00", "basis_points": -1000, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into price_adjustments overriding system value select * from jsonb_populate_record(null::price_adjustments, '{"id": "01a2093e-42fa-74c8-9db2-7f3b92d6b5a9", "model": "sandbox/echo", "ended_at": null, "started_at": "2026-11-23T16:30:05.050273+00:00", "basis_points": 2500, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1882667252416774145, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": null, "version": 1, "created_at": "2026-11-23T16:30:04.966553+00:00", "retired_at": null, "workspace_id": null, "adjustment_id": null}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1882667252420968450, "model": "sandbox/slow", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": null, "version": 1, "created_at": "2026-11-23T16:30:04.966553+00:00", "retired_at": null, "workspace_id": null, "adjustment_id": null}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1882667252422017027, "model": "small-chat", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": null, "version": 1, "created_at": "2026-11-23T16:30:04.966553+00:00", "retired_at": null, "workspace_id": null, "adjustment_id": null}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1882667252489125893, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "237500000", "output": "1900000000", "audio_input": "237500000", "audio_output": "1900000000", "cached_input": "237500000", "cache_write_1h": "237500000", "cache_write_5m": "237500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1882667252416774145, "version": 2, "created_at": "2026-11-23T16:30:05.035151+00:00", "retired_at": "2026-11-23T16:30:05.043649+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "adjustment_id": "01a2093e-42eb-7f5f-9e48-1ec0ca78f8a1"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1882667252489125894, "model": "sandbox/slow", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "237500000", "output": "1900000000", "audio_input": "237500000", "audio_output": "1900000000", "cached_input": "237500000", "cache_write_1h": "237500000", "cache_write_5m": "237500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1882667252420968450, "version": 2, "created_at": "2026-11-23T16:30:05.035151+00:00", "retired_at": "2026-11-23T16:30:05.043649+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "adjustment_id": "01a2093e-42eb-7f5f-9e48-1ec0ca78f8a1"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1882667252489125895, "model": "small-chat", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "237500000", "output": "1900000000", "audio_input": "237500000", "audio_output": "1900000000", "cached_input": "237500000", "cache_write_1h": "237500000", "cache_write_5m": "237500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1882667252422017027, "version": 2, "created_at": "2026-11-23T16:30:05.035151+00:00", "retired_at": "2026-11-23T16:30:05.043649+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "adjustment_id": "01a2093e-42eb-7f5f-9e48-1ec0ca78f8a1"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1882667252498563080, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "225000000", "output": "1800000000", "audio_input": "225000000", "audio_output": "1800000000", "cached_input": "225000000", "cache_write_1h": "225000000", "cache_write_5m": "225000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1882667252416774145, "version": 3, "created_at": "2026-11-23T16:30:05.043649+00:00", "retired_at": "2026-11-23T16:30:05.050273+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "adjustment_id": "01a2093e-42f5-744b-a781-b844248facc0"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1882667252498563081, "model": "sandbox/slow", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "225000000", "output": "1800000000", "audio_input": "225000000", "audio_output": "1800000000", "cached_input": "225000000", "cache_write_1h": "225000000", "cache_write_5m": "225000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1882667252420968450, "version": 3, "created_at": "2026-11-23T16:30:05.043649+00:00", "retired_at": null, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "adjustment_id": "01a2093e-42f5-744b-a781-b844248facc0"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1882667252498563082, "model": "small-chat", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "225000000", "output": "1800000000", "audio_input": "225000000", "audio_output": "1800000000", "cached_input": "225000000", "cache_write_1h": "225000000", "cache_write_5m": "225000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1882667252422017027, "version": 3, "created_at": "2026-11-23T16:30:05.043649+00:00", "retired_at": null, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "adjustment_id": "01a2093e-42f5-744b-a781-b844248facc0"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1882667252506951691, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "312500000", "output": "2500000000", "audio_input": "312500000", "audio_output": "2500000000", "cached_input": "312500000", "cache_write_1h": "312500000", "cache_write_5m": "312500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1882667252416774145, "version": 4, "created_at": "2026-11-23T16:30:05.050273+00:00", "retired_at": null, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "adjustment_id": "01a2093e-42fa-74c8-9db2-7f3b92d6b5a9"}');
insert into quarantined_receipts overriding system value select * from jsonb_populate_record(null::quarantined_receipts, '{"id": 1, "reason": "it was refused", "receipt": "{}", "request_id": "01a2093e-42d7-7d52-8afa-87aff19efc79", "quarantined_at": "2026-11-23T16:30:05.343881+00:00"}');
insert into rate_buckets overriding system value select * from jsonb_populate_record(null::rate_buckets, '{"project_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "refilled_ms": 0, "token_parts": 6, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "request_parts": 5, "called_back_ms": 0}');
insert into rate_leases overriding system value select * from jsonb_populate_record(null::rate_leases, '{"slots": 0, "taken": 0, "minute": 0, "tokens": 0, "granted": [], "running": 0, "epoch_id": 1882667252559380495, "requests": 2, "sequence": 1, "project_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "taken_before": 0, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a2093e-42d7-7d52-8afa-87aff19efc79", "dialect": "chat_completions", "outcome": "completed", "session": null, "attempts": null, "epoch_id": 1882667252592934928, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "request_id": "019e6a45-9344-7000-8000-000000000001", "settled_at": "2026-11-23T16:30:05.142154+00:00", "admitted_at": "2026-05-27T16:30:05.124+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1882667252524777486, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "fees_nano_usd": 0, "hold_nano_usd": 10000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 10000000, "credit_purse_id": 1882667252441939972, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1882667252517437453, "client_request_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a2093e-42d7-7d52-8afa-87aff19efc79", "dialect": "chat_completions", "outcome": "completed", "session": null, "attempts": null, "epoch_id": 1882667252510097420, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "request_id": "01a2093e-4311-7677-bb15-50281c422dee", "settled_at": "2026-11-23T16:30:05.075475+00:00", "admitted_at": "2026-11-23T16:30:05.059+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1882667252524777486, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "fees_nano_usd": 0, "hold_nano_usd": 20000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 10000000, "credit_purse_id": 1882667252441939972, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1882667252517437453, "client_request_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a2093e-42d7-7d52-8afa-87aff19efc79", "dialect": "chat_completions", "outcome": "completed", "session": null, "attempts": [{"fault": "overloaded", "status": 503, "provider": "main", "duration_ms": 4, "upstream_model": "mock"}, {"fault": null, "status": 200, "provider": "main", "duration_ms": 4, "upstream_model": "mock"}], "epoch_id": 1882667252510097420, "left_out": null, "provider": "main", "streamed": false, "attempt_ms": 4, "project_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "request_id": "01a2093e-431f-7802-adb1-25ac4797b91b", "settled_at": "2026-11-23T16:30:05.088021+00:00", "admitted_at": "2026-11-23T16:30:05.077+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1882667252524777486, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "fees_nano_usd": 0, "hold_nano_usd": 20000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "mock", "charge_nano_usd": 10000000, "credit_purse_id": 1882667252441939972, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1882667252517437453, "client_request_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a2093e-42d7-7d52-8afa-87aff19efc79", "dialect": "chat_completions", "outcome": "failed", "session": null, "attempts": null, "epoch_id": 1882667252510097420, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "request_id": "01a2093e-4327-7d2a-90ff-e8ca62491e32", "settled_at": "2026-11-23T16:30:05.096041+00:00", "admitted_at": "2026-11-23T16:30:05.089+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1882667252524777486, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "fees_nano_usd": 0, "hold_nano_usd": 30000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 0, "credit_purse_id": 1882667252441939972, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1882667252517437453, "client_request_id": "mine", "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a2093e-42d7-7d52-8afa-87aff19efc79", "dialect": "embeddings", "outcome": "completed", "session": null, "attempts": null, "epoch_id": 1882667252559380495, "left_out": null, "provider": "local", "streamed": true, "attempt_ms": 10, "project_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "request_id": "01a2093e-4338-73e8-9b81-fc9240a0a129", "settled_at": "2026-11-23T16:30:05.112692+00:00", "admitted_at": "2026-11-23T16:30:05.106+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1882667252524777486, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "fees_nano_usd": 0, "hold_nano_usd": 50000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": 3, "upstream_model": "qwen3", "charge_nano_usd": 20000001, "credit_purse_id": 1882667252441939972, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1882667252517437453, "client_request_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": {"request": 1, "web_search": 2}, "model": "small-chat", "retry": true, "key_id": "01a2093e-42d7-7d52-8afa-87aff19efc79", "dialect": "responses", "outcome": "completed", "session": "one", "attempts": null, "epoch_id": 1882667252559380495, "left_out": ["web_search"], "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "request_id": "01a2093e-433c-7020-a4df-1fb1b9e91303", "settled_at": "2026-11-23T16:30:05.116971+00:00", "admitted_at": "2026-11-23T16:30:05.113+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1882667252524777486, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "fees_nano_usd": 0, "hold_nano_usd": 10000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 10000000, "credit_purse_id": 1882667252441939972, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1882667252517437453, "client_request_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2093e-4442-7ea1-9cc8-378f95a6bf3b", "code_sha256": "\\x01963451d814475a54eacb8b01fb30bdc529b2c10971cdf7db1eb3ef16ae71ec"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2093e-4442-7ea1-9cc8-378f95a6bf3b", "code_sha256": "\\x126644b7bd5685518d03701feccc3bc66f9f34bce264914d2a816fe9777cc63e"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2093e-4442-7ea1-9cc8-378f95a6bf3b", "code_sha256": "\\x16ecfe4e40fcb10b8050c966c58b500821de37e5f9e91f39c9e003b21fe4801c"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2093e-4442-7ea1-9cc8-378f95a6bf3b", "code_sha256": "\\x301dbac90545458b4c91d5bf21693e6f146d9624111ca8d7c5990dad66db12ce"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2093e-4442-7ea1-9cc8-378f95a6bf3b", "code_sha256": "\\x4724e56ef8a297dba41a49411d226e1df41c324ae753d811106b13543658c0b3"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2093e-4442-7ea1-9cc8-378f95a6bf3b", "code_sha256": "\\x6415f302114c8d230c015be65ea4ee7644b1827f25a2acc1e4ea4b1f2fcd110f"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2093e-4442-7ea1-9cc8-378f95a6bf3b", "code_sha256": "\\x7f0d40ba2949931d387a90055da5226577470318384475c9a3d2a518785f4dac"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2093e-4442-7ea1-9cc8-378f95a6bf3b", "code_sha256": "\\x7f7b4f32df23033337267f53d67be7174dfa75fce60737052108cb39475c7f32"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2093e-4442-7ea1-9cc8-378f95a6bf3b", "code_sha256": "\\xd329acceae24ecff613c4a1607461ce12bdabcc7c6109e39e8ed8d2b154b9316"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a2093e-4442-7ea1-9cc8-378f95a6bf3b", "code_sha256": "\\xe1996690aea1c6c9c68dacf322b96016af0bd967c45b9de5bbafc2cae846eb36"}');
insert into redemption_batches overriding system value select * from jsonb_populate_record(null::redemption_batches, '{"id": "01a2093e-43ec-7097-afa8-4112af9709d1", "once": null, "actor": "test", "count": 2, "reason": "sold", "created_at": "2026-11-23T16:30:05.293254+00:00", "expires_at": "2026-11-24T16:30:05.292+00:00", "posting_kind": "top_up", "amount_nano_usd": 10000000}');
insert into redemption_codes overriding system value select * from jsonb_populate_record(null::redemption_codes, '{"id": "01a2093e-43ef-7b8f-a634-68c0e28b8764", "batch_id": "01a2093e-43ec-7097-afa8-4112af9709d1", "last_four": "M3FV", "top_up_id": "01a2093e-43f1-7d4b-8f59-b4e082ab7d46", "code_sha256": "\\x15c3c74a19fcc922c70411b0bcd6870dd7acf61baab02a34f61d8cb77829b7b7", "redeemed_at": "2026-11-23T16:30:05.29752+00:00", "redeemed_by": "test", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into redemption_codes overriding system value select * from jsonb_populate_record(null::redemption_codes, '{"id": "01a2093e-43ef-7c7d-b728-47b70129af8b", "batch_id": "01a2093e-43ec-7097-afa8-4112af9709d1", "last_four": "NRMW", "top_up_id": null, "code_sha256": "\\x84f05c3b90007e0eaa464e810e057c6f6f565b1bb8f4ebfe902a8b2c7169eb5c", "redeemed_at": null, "redeemed_by": null, "workspace_id": null}');
insert into refusals overriding system value select * from jsonb_populate_record(null::refusals, '{"code": "MODEL_NOT_FOUND", "rate": null, "model": "none", "param": "model", "key_id": "01a2093e-42d7-7d52-8afa-87aff19efc79", "status": 404, "endpoint": "chat_completions", "shortage": null, "project_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "refused_at": "2026-11-23T16:30:05.371+00:00", "request_id": "01a2093e-443b-75cf-b6da-e40ddcca3345", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "retry_after_ms": null}');
insert into sessions overriding system value select * from jsonb_populate_record(null::sessions, '{"id": "01a2093e-4444-75b3-b1f8-409a0917bebd", "address": "192.0.2.1", "user_id": "01a2093e-4442-7ea1-9cc8-378f95a6bf3b", "created_at": "2026-11-23T16:30:05.378362+00:00", "expires_at": "2026-12-23T16:30:05.378362+00:00", "user_agent": "a browser", "last_seen_at": "2026-11-23T16:30:05.378362+00:00", "token_sha256": "\\x49b88290c329792cfeec3418087c57cac1d069cdb44204690f8a65f5327a8fa4", "authenticated_at": "2026-11-23T16:30:05.378362+00:00"}');
insert into sessions overriding system value select * from jsonb_populate_record(null::sessions, '{"id": "01a2093e-4459-71f4-b601-648ec6d2bd04", "address": "192.0.2.1", "user_id": "01a2093e-4459-7770-895f-a07e0bbaf60b", "created_at": "2026-11-23T16:30:05.400938+00:00", "expires_at": "2026-12-23T16:30:05.400938+00:00", "user_agent": "a browser", "last_seen_at": "2026-11-23T16:30:05.400938+00:00", "token_sha256": "\\x3942e4b6c2026e8944e7dff767f714cdb48be49cbaba414d37cced551e34916c", "authenticated_at": "2026-11-23T16:30:05.400938+00:00"}');
insert into sign_in_networks overriding system value select * from jsonb_populate_record(null::sign_in_networks, '{"network": "192.0.2.1", "used_at": "2026-11-23T16:30:05.378362+00:00", "user_id": "01a2093e-4442-7ea1-9cc8-378f95a6bf3b"}');
insert into sign_in_networks overriding system value select * from jsonb_populate_record(null::sign_in_networks, '{"network": "192.0.2.1", "used_at": "2026-11-23T16:30:05.400938+00:00", "user_id": "01a2093e-4459-7770-895f-a07e0bbaf60b"}');
insert into stored_response_bytes overriding system value select * from jsonb_populate_record(null::stored_response_bytes, '{"bytes": 448, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into stored_responses overriding system value select * from jsonb_populate_record(null::stored_responses, '{"items": "\\x014caa2d39dbf248fdab3f29b8c0f44e391c11a4b5b54174529975315e230a3174a56b558b26c6afc19340053a73e5f76d92dda84291f9fcdb33a705965ac75383159fa4c2f296e6ad3107014caa2d39dbf248fdab3f29b8c0f44e390d7a231f2d21e9212448a2330cafade44b2dafefa166f3a90474b23197bfadf8edc69eab57a42d2b1063cc631d0992dae4d5dc09a897a76d5f981f104207715418701d100e60c19d", "response": "\\x014caa2d39dbf248fdab3f29b8c0f44e39b93b1635290286ea94a40535a7a82979b3b43537adbf4db0e88d9e3a63e18e25596425dcc251af1efc0f99", "encrypted": true, "expires_at": "2026-11-24T19:30:05.370388+00:00", "request_id": "01a2093e-4421-7462-a7a7-0d1ea77ab2d6", "response_id": "resp_1", "input_length": 75, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "previous_request_id": null}');
insert into stored_responses overriding system value select * from jsonb_populate_record(null::stored_responses, '{"items": "\\x014caa2d39dbf248fdab3f29b8c0f44e392bd9e1c9b432e3a1f77aeb25bfbceb613da18049a84a6bd568f59a9d5cbd6e4d05cb3aa3c2d6186ba055f6aa0172bf0e960246b4d4af04acb90b014caa2d39dbf248fdab3f29b8c0f44e39ed307367c9e3a358a84a27e80434540a991d5b90134b6b4cd802e499c1c70d9d293850ae6ec9a295559b88331057e136d14b9d70ac28ea1070aeaf47ff2317e2b3b5ae89daff7ac1", "response": "\\x014caa2d39dbf248fdab3f29b8c0f44e3987f0330bbc7d7ce14a5395f025f097ce7fc799c72d0da486db32d8a7ad7941dc6ba5558c677e46bd5f2d58", "encrypted": true, "expires_at": "2026-11-24T16:30:05.370388+00:00", "request_id": "01a2093e-443a-7c17-b908-d9c51364af43", "response_id": "resp_1", "input_length": 75, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "previous_request_id": "01a2093e-4421-7462-a7a7-0d1ea77ab2d6"}');
insert into stored_response_items overriding system value select * from jsonb_populate_record(null::stored_response_items, '{"length": 44, "item_id": "msg_1", "starts_at": 0, "request_id": "01a2093e-4421-7462-a7a7-0d1ea77ab2d6", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into stored_response_items overriding system value select * from jsonb_populate_record(null::stored_response_items, '{"length": 44, "item_id": "msg_1", "starts_at": 0, "request_id": "01a2093e-443a-7c17-b908-d9c51364af43", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into unrecorded_refusals overriding system value select * from jsonb_populate_record(null::unrecorded_refusals, '{"hour": "2026-11-23T16:00:00+00:00", "requests": 3, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2943, "model": "small-chat", "dialect": "chat_completions", "outcome": "completed", "requests": 1, "starts_at": "2026-05-27T16:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "cost_nano_usd": 0, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 10000000, "costed_requests": 0, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "chat_completions", "outcome": "completed", "requests": 2, "starts_at": "2026-11-23T16:00:00+00:00", "duration_1": 2, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "duration_10": 0, "input_tokens": 14, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "cost_nano_usd": 23750, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 22, "first_event_10": 0, "charge_nano_usd": 20000000, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "chat_completions", "outcome": "failed", "requests": 1, "starts_at": "2026-11-23T16:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "cost_nano_usd": 23750, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 0, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "embeddings", "outcome": "completed", "requests": 1, "starts_at": "2026-11-23T16:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "cost_nano_usd": 23750, "first_event_1": 1, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 20000001, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "responses", "outcome": "completed", "requests": 1, "starts_at": "2026-11-23T16:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "cost_nano_usd": 23750, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 10000000, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2943, "model": "small-chat", "key_id": "01a2093e-42d7-7d52-8afa-87aff19efc79", "dialect": "chat_completions", "outcome": "completed", "requests": 1, "starts_at": "2026-05-27T16:00:00+00:00", "project_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "input_tokens": 7, "last_used_at": "2026-05-27T16:30:05.124+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "cost_nano_usd": 0, "output_tokens": 11, "charge_nano_usd": 10000000, "costed_requests": 0, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a2093e-42d7-7d52-8afa-87aff19efc79", "dialect": "chat_completions", "outcome": "completed", "requests": 2, "starts_at": "2026-11-23T16:00:00+00:00", "project_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "input_tokens": 14, "last_used_at": "2026-11-23T16:30:05.077+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "cost_nano_usd": 23750, "output_tokens": 22, "charge_nano_usd": 20000000, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a2093e-42d7-7d52-8afa-87aff19efc79", "dialect": "chat_completions", "outcome": "failed", "requests": 1, "starts_at": "2026-11-23T16:00:00+00:00", "project_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "input_tokens": 7, "last_used_at": "2026-11-23T16:30:05.089+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "cost_nano_usd": 23750, "output_tokens": 11, "charge_nano_usd": 0, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a2093e-42d7-7d52-8afa-87aff19efc79", "dialect": "embeddings", "outcome": "completed", "requests": 1, "starts_at": "2026-11-23T16:00:00+00:00", "project_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "input_tokens": 7, "last_used_at": "2026-11-23T16:30:05.106+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "cost_nano_usd": 23750, "output_tokens": 11, "charge_nano_usd": 20000001, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a2093e-42d7-7d52-8afa-87aff19efc79", "dialect": "responses", "outcome": "completed", "requests": 1, "starts_at": "2026-11-23T16:00:00+00:00", "project_id": "01a2093e-42cb-76fa-a5f5-2d6e8021fee9", "input_tokens": 7, "last_used_at": "2026-11-23T16:30:05.113+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "cost_nano_usd": 23750, "output_tokens": 11, "charge_nano_usd": 10000000, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_keys overriding system value select * from jsonb_populate_record(null::usage_keys, '{"key_id": "01a2093e-42d7-7d52-8afa-87aff19efc79", "last_used_at": "2026-11-23T16:30:05.113+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031"}');
insert into user_identities overriding system value select * from jsonb_populate_record(null::user_identities, '{"issuer": "https://login.example", "subject": "1", "user_id": "01a2093e-4442-7ea1-9cc8-378f95a6bf3b", "created_at": "2026-11-23T16:30:05.392482+00:00"}');
insert into webhook_endpoints overriding system value select * from jsonb_populate_record(null::webhook_endpoints, '{"id": "01a2093e-4465-746c-b3cd-0984395ff144", "url": "https://hooks.example/", "secret": null, "enabled": true, "version": 2, "created_at": "2026-11-23T16:30:05.41452+00:00", "description": "ours", "former_until": "2026-11-24T16:30:05.416531+00:00", "workspace_id": "01a2093e-42c1-7257-816e-3e794f765031", "former_secret": null, "encrypted_secret": "\\x014caa2d39dbf248fdab3f29b8c0f44e390815b9b80fa576e62e4e6e38fbee5461bb09d8859da380b4344249652fedb3e784c3ce2c8e1e52d7714ad556d0a336dfa3bf354eb2c6995fa3f3b7a64e000cd4491d68a1f731d7e03192940f22fd4140", "encrypted_former_secret": "\\x014caa2d39dbf248fdab3f29b8c0f44e393985015bab15de9f0bfe1959605e945fd86b7969e3261888674098c7737ad15ec823627c9708e429d818fb3c26e10d168a2a887cdf853a4af8a288695c7364dfce11c135e677ad979693ef04dd14f7d5"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0001_baseline", "sha256": "ebb659db4c12027da2ea3b5b70af0970e6dfd4c46ac4edb12d7b31bf8de53788", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0002_receipts_name_their_transaction", "sha256": "d89660b1112dceabefd3d835a0d2a86e825640738aad3236387ded5bc5c3fe65", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0003_audit_events", "sha256": "2d6de6c1ecf24deaf1b15d38f9d1805dbf2602fd6d8221a5b23a64aaefcd8de9", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0004_receipts_name_their_route", "sha256": "647a98b35b43368fe220ad736d91af073fe33c3d9b63267ef2d55aa2654d064c", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0005_alerts", "sha256": "4687662bea793a337483b4a659498c0debb0abd9ca38d7203159790a7a3272cf", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0006_identity", "sha256": "3aab94dd61f9f0fbd5f3127e63a8713558da21e16e8477d1b698befda74a17b1", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0007_payments", "sha256": "0f4bc319c797e84bdd869c6456f439429d9627eecbc7508377545df3a2ae40e4", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0008_usage", "sha256": "f096f3615f57b9b6ca1a3e256f2491d5b6ea045f7fe4d5b29726db31161a9a8d", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0009_resource_lives", "sha256": "720823a00cc8c54ac661c5f590be3b61a6f9077961e842fe805a12d82478b47f", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0010_workspace_prices", "sha256": "4f16867aac15717f2353557be32c31680888715a035081df8899c7fc8942305c", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0011_stopped_top_ups", "sha256": "a0288135fb604a9e843fd206d64e85142484f74475e9bfcb56fb3c0a5ca6aae4", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0012_refusals", "sha256": "4e45136f989938863c15b2ad5d6094131b1162a539791064e246f0bf3307b57b", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0013_last_uses", "sha256": "4d0dcf3a705cce5c129838c24c12569420fbc27a4bd732f9d4fa9292182872e0", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0014_provider_costs", "sha256": "5d0d9a4f1c73e5f99df821c1c5ddb50b22ddf1dc330b9dafca692710fdc9a8b5", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0015_console_keys", "sha256": "dafb5035af02c9e1ea243ae3afa0a3a7176ae8938e91cd6255d286ca3bbff749", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0016_usage_by_member", "sha256": "338f3ce2e3765d2a443389635bbf9cf88f48c4e2f1bc8db44650406aef1e1b3f", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0017_receipts_have_extras", "sha256": "f8912e4a25f8bf604e0fe52a7b1f40c6242b9240aa929457ee885ce9db3b9142", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0018_stored_responses", "sha256": "089a16ba83117860f47db3e163ec2da917e4054baf0fa27cf2017494a1613498", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0019_stored_response_bytes", "sha256": "00e42557b020fd1e8b061977f60c86c094ff7a7eae42068a96f09055b8cd9e78", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0020_fees", "sha256": "60f348b631539ea4e196995c93e66ce37d67570915d0b1ce486408af7f64afcb", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0021_links_name_their_makers", "sha256": "f5d2b319d1e10f03ecf63dd0979cfac80f822146dfe677c20b36801db4eb7a91", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0022_encrypted_secrets", "sha256": "7268d4770c89485bcc0349269ea76072fe8e514cef89338b5529ca36a66cc838", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0023_sign_in_networks", "sha256": "6c338250b62c39fa2efaf31be534c45f0137aacb5c6cfa984db3b5499c91038c", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0024_tokens_for_backups", "sha256": "e109c654df97b2d75a88746e6addeb1de611687704a23f1bae4e8d25fbf0c34f", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0025_member_keys_are_bounded", "sha256": "11399c572511730e5020fa14975652ba923f075c32f8148cdde39f55fcab45f3", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0026_projects_report_costs", "sha256": "e90c21368f1e811534b28c0a37b41fcde0c57c7f7245da6b645a5f92a33609f5", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0027_encrypted_responses", "sha256": "710a774743c244631da09e74b7c9c2bd8f9185a9f91fa4a7e373dc99fd113b8f", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0028_leases_in_use", "sha256": "6fc8c255cb726234369265c8c8aaf7834e8f7726dd4d3460ebb9d369c13d667c", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "apply_budget", "sha256": "38e85a64e9049fafa1bb9b8979db9615a6d046a879406654ba966605185334a1", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "apply_payment_fact", "sha256": "96ec5683385db5ce993ac8b597509d6d167209167f122071c7a53e6a06c87cab", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "begin_auto_top_up", "sha256": "2fd5b3d8d58ae61b9b998d0d673389eb3fe3faf009e3784aedddce4fb0f43e76", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "bound_transaction", "sha256": "8f46049bfb4fa8b5feb0888f673405ca21315e00288e9a383c7be7c007ac45d5", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "claim_for_late_receipt", "sha256": "d7e5423fd69cab785cd3ca405e30748b75c4ff7703498d85c5963439cfd54acb", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "claim_idempotency_key", "sha256": "24e16c30eb4d0f59ea13e78a78fc6da93db290e441b755df821585ba97556c52", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "closed_credit", "sha256": "9d1826aca7f5150b31f766acf211199d3b4e6e90c6dbc1cc85b20d6df4e2736f", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "closed_payments", "sha256": "04f3918c0b0930cebc7ab6e86e4f16d5f9dcd76f80305738fcd63f0222602038", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_draw_leases", "sha256": "4c27a5be72ef012f676aaca292a633e1a2492badad83492f6a14f2e0a02f2073", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_draw_permits", "sha256": "fd86daa8182807731e3bfdc9719d16df8377d377486cda1fbeb6a50e4b182f96", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_look_up_keys", "sha256": "ab777707a8f0872e53da6c287e6a41a2362c30a5d61f7cdffcad9e7d8fa12e2e", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_reap_epoch", "sha256": "9be3fb79ce3391afae14142b1780ab016b362cc4f3904310f9f6f8ad23efdee2", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_release_leases", "sha256": "fd88128e37f6a8b33a06da63879e5857b5648111119175cbbc64ae80a8a94293", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_settle_late_receipts", "sha256": "64d3cf3db4ab8e4891be890d61052b2a75c411ab55a24d8d95c9b559f19c92d4", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_settle_receipts", "sha256": "51d9c975be827da1e5ed2ab1ae317a28842b420ad1ff8d478344a5714de7e005", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "complete_held_claims", "sha256": "60618d5de0152765796086d39430f9aefd8255d4c0e5f6ad332574d7c5250152", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "complete_idempotent_requests", "sha256": "105b1c267bf38dc387aa2e06c7f619da88bef1aced99633f962e5fe969422821", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "correct_receipt", "sha256": "4cfebdbe2d455d4b0ab68002070c4433da82793b641ea7e9bf5b54cac72cc9da", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "correct_usage", "sha256": "abb061b7e60a1a78840389525065e1ce5a38a850979006f81dff8895feae4532", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "count_version", "sha256": "0cd97a1377dff2da527066a990e103216cf03ebd0b9ed9d85588b3155276c334", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "delete_response", "sha256": "3e6a631f5c142623c7879f72a35e305b623313e22152a55ed2929dae10d741ca", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "draw", "sha256": "44cd8a9aa796d98d2af5042345d30de29f50ee6f0540407b313970b6acd2cb9d", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "draw_leases", "sha256": "2a292d8e4cfd3815dabe762e48eeeeb04fecebb6361b1ca65066fee1b794616a", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "draw_permits", "sha256": "69f689cf40165148dbe75adaabd6eddf8a88b899c5ee6eabe564f1020134fa17", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "end_statements_of", "sha256": "a576c6eb79b972f8b49644ae38b10f53cca57ccff2cee1d13767444b8dc748c8", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "fence_epoch", "sha256": "85c2ce59c6cb47060f86bc1260f22ac15f213cbf36f6aa0c2d8f01d6ac1eefe2", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_principals", "sha256": "76626cd424090d0a66037eaef5957d370b1aded8bbbc2ecfdf7c2521902bb3c5", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_purses", "sha256": "c794041895c577dd9ec6a61fb6ca1c30daeb5710e1462408443b2943d5f26868", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_response_chain", "sha256": "4768f8c202f78ea719af6785f1fe677b554ff799f2ccc59a8767f4dfd8f8b470", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_response_input", "sha256": "02a560c1326d95973d2ac49dd8508af3c7be88647781073cbd7097356f8bf2fe", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_response_items", "sha256": "7b72add9e4e6b60fbcc16bb4b7269ce729e56b927e88f727e981c2315c609a6a", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "fresh_id", "sha256": "07918f79e7624cd0852a20b96d076f312d48c0222150c7f7ab18b60ee3ea38b5", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "give_back_leases", "sha256": "8cfe5fb4ce1fa443554ae1e7c0417b33701e68b3421f2b2c03ecaaae88e57662", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "keep_responses", "sha256": "2668bc2ab74e6e8dc074b7598a2c0e9eb6017de60f6899ec905c2de32fdb9cb1", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "late_purses", "sha256": "a622cedc0de38acb3a859d3a5df11194b66ca166b61f639e1852bd5c6f5f6bde", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "late_receipts", "sha256": "c9b5c8a62eadf3d4032f0c7274397412606e92387050a5d1de13b4b671888029", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "ledger_is_append_only", "sha256": "090c24317091f9cf93dfdae319b3cc3f7f026f6bf87c2436ae588781e30481b6", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "ledger_posting_balances", "sha256": "975f345bd4783e6428276e27ab05f11817e8be8db0760ceda0bc6be69cd943ea", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "limit_member_keys", "sha256": "2130113a91817800949e314e5eaf538adeadf510a77adcc899d58590461894d3", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "lock_claims", "sha256": "f19dabc05cdd0c8ad7773483df8516d05c5efaed7a05eb4b189da46751dd380b", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "lock_purses", "sha256": "63ed4c0c6d06c298fd07fb3a543aa7d23de08964744daf1f52165e9bdb9a2afe", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "look_up_keys", "sha256": "e566aab90728df3c5eb7dc6eadaf68c10401e712043a36147cd84242b2f2633f", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "match_payment", "sha256": "fb56c909e6a7f3cd7cedbd6fedc34338ad63164bf1dbfbd3eecdf9f5e497d557", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "move_top_up", "sha256": "17ecf38736f61703ca4de95a5ee5a4064609fb08d173ed0b66afd3c3e80c8751", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "next_cost_time", "sha256": "95b49cb6280ddd965011ec0a4715840f6abffd809d0a1cf33ad9c228fb3f8d35", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "open_purses", "sha256": "9076e37933be03735a8e54684c939cbec0a17ce5790a3aff42ec0e5ca022c4c6", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permit_parts", "sha256": "01c07276dae5dac744f6f29c8194cd52bd5d51431368e7adf93a3679455bf718", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permit_stock", "sha256": "4488f04e449b5b3ddaf3120a5160b9c9e918d6e686175383918a9e741f067eab", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permit_wait_ms", "sha256": "54861cfa8f7d027695efe63c13f150904fa6d8204330a2e564d3dfe99837b12f", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permits_taken", "sha256": "37df2526b8efba2913c66cc9cbbd9fd383dbe38c137d5f4f3ab5da7bd6dda152", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "post_credit", "sha256": "7995d67c523cac9ad6fe2d379d465bef835550fca8367995f3815e92a8d5b2bb", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "post_reversals", "sha256": "bc48253b1995e2a92ef217327c228370a51aa825e135e51f65a2f7cb5b9d19c9", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "prune_responses", "sha256": "2289ac589a1b195d9445f204d11bbf232f22cb65859e3428f9b5c54d67235275", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "read_response", "sha256": "adeda8bfc2cd11e1ba602b35b9fc65bd23fbc2532a3fd601b6af3857227cad83", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "reap_epoch", "sha256": "36172ba5b8359a0f7dab7ae749776f6abbb25b5d27066d7ca214dd41069eeee0", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "receipt_cost", "sha256": "5b6458bfdc18f8a53d198d648def8f0b7ec54e40374b0c740ed884bbcc1084e5", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "receipts_are_sealed", "sha256": "02ae37fa205a791f5b4150af20e4b223239072170e625ad092480d7f96f7b64c", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "record_reversal", "sha256": "d3b4492cd1b4c9047783e9b2cd26a4a3bd7742cf5858802b655947dd96965a57", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "redeem_code", "sha256": "e61c872db1f4dd0e2bd45f29cf69ac6d4cf988831fa0e87b9a94e537e6e57509", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "refund_closed", "sha256": "fe630a72e039e052c92ca6e42a8282b08c768709c8a47eea57ae9effa02d5f52", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "refund_closing", "sha256": "00109c0720c80bb31dd2d52231ce16cdf166114984ec9128c294e779889ec6f5", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "release_idempotency_key", "sha256": "e56a4602e4c3c9b57aff7cbf69cf2b9122c0d4d918e75b50bfbf21292fe1b5ba", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "release_leases", "sha256": "8c3d124bd45a44850976e84f114000a5ed2b41d4deee8bf77a594ffc5f7371b4", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "require_live_epoch", "sha256": "3e5da93147671fa3f440e4f056252eab78b6fcba7219ba84471c212050703413", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "settle_late_receipts", "sha256": "4e8992a82fbedfcbaf5f633cb008b627da2f1fc521e3178ec65511cc4b7cfff4", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "settle_receipts", "sha256": "643875c6cf20a3320eb04ad5f3605de8219eb60ce5aabc66fbc799da9e1a9f05", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "settle_receipts_again", "sha256": "b054f2eff8fe74895198600e9dd3fd77cc54078db57ca59238fb3f72eae862be", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "take_free_answer", "sha256": "d0fc54a4234993d238997ae0dedc1dcf359f736c4d6b3c23deafbea663a114db", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "update_key", "sha256": "456f58b8a0be4ec3253d982015cb135b40153d6bd4a5417dd57e62b4070f9af2", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "update_project", "sha256": "8d9600123c39f7c2dad8ad46c85b0518b0223255a42bc05f08d8c99c072157c9", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "wait_briefly", "sha256": "222abab4027de312fcb28d7e7057d294e6099ec3d7ab10e3fd1e6c5eef934511", "applied_at": "2026-11-23T16:30:03.548056+00:00"}');

CREATE TRIGGER receipts_sealed BEFORE INSERT OR DELETE OR UPDATE ON public.receipts_2026_w22 FOR EACH ROW EXECUTE FUNCTION receipts_are_sealed();
select setval('changes_id_seq', 38);
select setval('fresh_ids', 21);
select setval('ledger_postings_number_seq', 9);
select setval('ledger_verifications_id_seq', 1);
select setval('quarantined_receipts_id_seq', 1);
