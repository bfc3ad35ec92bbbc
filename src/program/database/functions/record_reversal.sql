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
