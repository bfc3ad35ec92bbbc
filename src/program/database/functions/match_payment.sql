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
