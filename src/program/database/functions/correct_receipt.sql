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
