-- Keeps a sealed partition of the receipts as it was proven. Sealing a partition makes the trigger.
create or replace function receipts_are_sealed() returns trigger language plpgsql as $$
begin
  raise exception 'the receipts of % are sealed', tg_table_name using errcode = 'check_violation';
end $$;
