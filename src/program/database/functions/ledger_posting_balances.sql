-- Double entry: the entries of a posting sum to zero when its transaction commits.
create or replace function ledger_posting_balances() returns trigger language plpgsql as $$
begin
  if (select sum(amount_nano_usd) from ledger_entries where posting_id = new.posting_id) <> 0 then
    raise exception 'ledger posting % does not balance', new.posting_id;
  end if;
  return null;
end $$;
