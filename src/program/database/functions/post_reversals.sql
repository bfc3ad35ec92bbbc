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
