-- What an operator does to money takes one statement, as what requests do: a process that stands still between two
-- statements keeps no purse from anybody.

-- Ends the transaction that calls it, and its connection, if it isn't over within this time. A connection may stand still
-- after its statement has run, because its process or the network does; the locks would outlive the statement. Behind a
-- pooler nothing may be set for a session, so each transaction bounds itself. Before PostgreSQL 17 nothing is bounded: there
-- whoever fences the epoch ends what keeps it from being fenced.
create function bound_transaction(p_most text default '5s') returns void language plpgsql as $$
begin
  if current_setting('server_version_num')::integer >= 170000 then
    perform set_config('transaction_timeout', p_most, true);
  end if;
end $$;

-- Postings as they are told.
create view postings as
  select p.workspace_id, p.id, p.kind, p.actor, p.reason, p.once, p.receipt_request_id, p.balance_nano_usd, p.posted_at,
    p.number, (
      select coalesce(sum(e.amount_nano_usd), 0)::bigint from ledger_entries e
      where e.posting_id = p.id and e.account in ('credit', 'owed')
    ) as amount_nano_usd
  from ledger_postings p;

-- What has become of a posting that was asked for:
--   posted, repeated      it is made, now or before
--   other_once            another was made under the same name, which is told
--   unchanged             a correction to what is charged already
--   above_disputes, above_payments        it is refused, and the most that could be posted is told
--   no_workspace, nothing, wrong_way, beyond_count    it is refused
create type posted as (outcome text, posting postings, most_nano_usd bigint);

-- Posts an amount to a workspace's credit, by double entry, and moves its purse with it. What is given repays what is owed
-- first; what is taken comes from what nobody has leased or spent, and the rest is owed.
create function post_credit(
  p_id uuid, p_workspace uuid, p_kind text, p_amount bigint, p_actor text, p_reason text, p_once text, p_receipt uuid
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
  insert into ledger_postings (id, workspace_id, kind, actor, reason, once, receipt_request_id, balance_nano_usd)
    values (p_id, p_workspace, p_kind, p_actor, p_reason, p_once, p_receipt,
      p.limit_nano_usd - p.spent_nano_usd - p.owed_nano_usd - v_charged + p_amount);
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

-- Corrects what a request is charged: posts the difference as an adjustment that names the receipt, and counts it in the
-- project's and the key's purse that the receipt charged.
create function correct_receipt(
  p_id uuid, p_workspace uuid, p_request uuid, p_charge bigint, p_actor text, p_reason text, p_once text
) returns posted language plpgsql as $$
declare
  r posted;
  v_receipt record;
  v_corrected bigint;
  v_until bigint;
begin
  perform bound_transaction();
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
  end if;
  return r;
end $$;

-- Sets the limit of a project's window that runs now, by the database's clock, and brings what that window has spent up to
-- its receipts. Whoever calls it has the project's row.
create function apply_budget(p projects) returns void language plpgsql as $$
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

-- Changes those columns of a project that are given, and leaves the rest; no row where there is no such project.
create function update_project(p_project uuid, p_given jsonb) returns setof projects language plpgsql as $$
declare
  p projects;
begin
  -- Counting a window's receipts takes a while where there are many.
  perform bound_transaction('30s');
  select * into p from projects where id = p_project and archived_at is null for no key update;
  if not found then
    return;
  end if;
  p := jsonb_populate_record(p, p_given);
  update projects set name = p.name, requests_per_minute = p.requests_per_minute, tokens_per_minute = p.tokens_per_minute,
    concurrency = p.concurrency, budget_nano_usd = p.budget_nano_usd, budget_period = p.budget_period, models = p.models
    where id = p_project;
  if p_given ?| array['budget_nano_usd', 'budget_period'] then
    perform apply_budget(p);
  end if;
  insert into changes (kind, subject_id) values ('project', p_project::text);
  return next p;
end $$;
