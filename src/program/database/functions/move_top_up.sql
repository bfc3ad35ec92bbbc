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
