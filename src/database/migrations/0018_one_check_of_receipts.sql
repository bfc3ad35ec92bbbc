-- What must be true of each receipt, as one constraint: a statement that inserts receipts reads and compiles each
-- constraint of its table anew, which cost a batch as much as some of its receipts.

alter table receipts
  drop constraint receipts_charge_nano_usd_check,
  drop constraint receipts_check,
  drop constraint receipts_write_off_nano_usd_check,
  drop constraint receipts_usage_certainty_check,
  add constraint receipts_are_sound check (
    charge_nano_usd >= 0 and hold_nano_usd >= charge_nano_usd and write_off_nano_usd >= 0
    and usage_certainty = any ('{exact,estimated}')
  );
