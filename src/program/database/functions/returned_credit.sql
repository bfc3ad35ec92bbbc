-- What of a payment's credit goes back if so much of the payment does: each part of it returns its share of the tax, rounded down to
-- one nano-USD, and the fee goes back last.
create or replace function returned_credit(t top_ups, p_returned numeric) returns numeric language sql immutable as $$
  select least(
    t.amount_nano_usd,
    p_returned - least(t.tax_nano_usd, div(p_returned * t.tax_nano_usd, t.amount_nano_usd::numeric + t.fee_nano_usd + t.tax_nano_usd))
  )
$$;
