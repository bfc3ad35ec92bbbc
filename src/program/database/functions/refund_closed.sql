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
