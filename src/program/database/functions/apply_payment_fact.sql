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
