-- The receipts of one statement as rows.
create or replace function late_receipts(p_receipts jsonb) returns setof late_receipt language sql stable as $$
  select * from jsonb_populate_recordset(null::late_receipt, p_receipts)
$$;
