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
